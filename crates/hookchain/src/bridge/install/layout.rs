//! How a file of JSON is laid out, and what is added to it looks like.

use serde_json::Value;

/// The order in which fields are written; others come after them.
const ORDER: [&str; 9] = [
    "type",
    "command",
    "args",
    "timeout",
    "onFailure",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
];

/// An object or a list in a text, and where its elements stand.
#[derive(Debug)]
pub(super) struct Container {
    start: usize,
    end: usize,
    elements: Vec<(usize, usize)>,
}

impl Container {
    pub(super) const fn new(start: usize, end: usize, elements: Vec<(usize, usize)>) -> Self {
        Self {
            start,
            end,
            elements,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.elements.len()
    }

    /// Where something is added.
    pub(super) fn at(&self) -> usize {
        self.elements.last().map_or(self.start + 1, |(_, end)| *end)
    }

    /// What is taken out with these elements, which are in order: with each the comma before it and the space, or those
    /// after it where nothing is left before it; with all of them all there is.
    pub(super) fn cuts(&self, indices: &[usize]) -> Vec<(usize, usize)> {
        if indices.len() >= self.len() && !indices.is_empty() {
            return vec![(self.start + 1, self.end - 1)];
        }
        let element = |index: usize| self.elements.get(index).copied();
        let mut cuts = Vec::with_capacity(indices.len());
        for (count, index) in indices.iter().copied().enumerate() {
            let Some((start, end)) = element(index) else {
                continue;
            };
            // As many were taken out before it as stand there: nothing is left.
            let before = index.checked_sub(1).filter(|_| count < index);
            match (before.and_then(element), element(index + 1)) {
                (Some((_, before)), _) => cuts.push((before, end)),
                (None, Some((next, _))) => cuts.push((start, next)),
                (None, None) => {}
            }
        }
        cuts
    }
}

/// What is added to a container.
#[derive(Debug)]
pub(super) struct Addition<'a> {
    /// How deep the container stands in the file.
    depth: usize,
    /// Values, with names in an object.
    elements: Vec<(Option<&'a str>, Value)>,
}

impl<'a> Addition<'a> {
    pub(super) const fn new(depth: usize, elements: Vec<(Option<&'a str>, Value)>) -> Self {
        Self { depth, elements }
    }
}

/// The line ends and the indentation of a text.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    text: &'a str,
    line_end: &'static str,
    unit: &'a str,
}

impl<'a> Layout<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let first = text.split_inclusive('\n').next().unwrap_or_default();
        let line_end = if first.ends_with("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let indented = text.lines().skip(1).find_map(|line| {
            let rest = line.trim_start_matches([' ', '\t']);
            let space = line.get(..line.len() - rest.len()).unwrap_or_default();
            (!space.is_empty() && !rest.trim().is_empty()).then_some(space)
        });
        Self {
            text,
            line_end,
            unit: indented.unwrap_or("  "),
        }
    }

    /// The text with something more at the end of a container.
    pub(super) fn append(&self, container: &Container, addition: &Addition<'_>) -> String {
        let mut new = self.text.to_owned();
        new.insert_str(container.at(), &self.text(container, addition));
        new
    }

    /// What is to be inserted for something to stand at the end of a container. Where others stand on one line, it does,
    /// too.
    pub(super) fn text(&self, container: &Container, addition: &Addition<'_>) -> String {
        let Addition { depth, elements } = addition;
        let depth = *depth;
        let inside = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
        let first = container.elements.first().map(|(start, _)| *start);
        let lead = inside(container.start + 1, first.unwrap_or(container.end - 1));
        let on_lines = match first {
            Some(_) => lead.contains('\n'),
            // An empty one follows the rest of the text.
            None => {
                lead.contains('\n')
                    || self.text.trim().contains('\n')
                    || self.text.trim().len() == 2
            }
        };
        let own = self.unit.repeat(depth + 1);
        let indent = match lead.rsplit_once('\n') {
            Some((_, indent)) if first.is_some() => indent,
            _ => &own,
        };
        let mut addition = String::new();
        for (index, (name, value)) in elements.iter().enumerate() {
            if first.is_some() || index > 0 {
                addition.push(',');
            }
            if on_lines {
                addition.push_str(self.line_end);
                addition.push_str(indent);
            } else if first.is_some() || index > 0 {
                addition.push(' ');
            }
            if let Some(name) = name {
                named(&mut addition, name);
            }
            self.write(&mut addition, value, on_lines.then_some(indent));
        }
        if on_lines && first.is_none() && !lead.contains('\n') {
            addition.push_str(self.line_end);
            addition.push_str(&self.unit.repeat(depth));
        }
        addition
    }

    /// Writes a value; on lines of its own when it is indented.
    fn write(&self, out: &mut String, value: &Value, indent: Option<&str>) {
        let plain = |value: &Value| !value.is_object() && !value.is_array();
        let deeper = indent.map(|indent| format!("{indent}{}", self.unit));
        let (open, close, elements): (_, _, Vec<(Option<&String>, &Value)>) = match value {
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                let rank = |name: &str| ORDER.iter().position(|known| *known == name);
                members.sort_by_key(|(name, _)| rank(name).unwrap_or(ORDER.len()));
                let members = members.into_iter().map(|(name, value)| (Some(name), value));
                ('{', '}', members.collect())
            }
            Value::Array(elements) if !elements.iter().all(plain) => (
                '[',
                ']',
                elements.iter().map(|element| (None, element)).collect(),
            ),
            // A list of words stands on one line.
            Value::Array(words) => {
                let words: Vec<_> = words.iter().map(ToString::to_string).collect();
                out.push('[');
                out.push_str(&words.join(", "));
                out.push(']');
                return;
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                out.push_str(&value.to_string());
                return;
            }
        };
        out.push(open);
        for (index, (name, element)) in elements.into_iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            if let Some(deeper) = &deeper {
                out.push_str(self.line_end);
                out.push_str(deeper);
            } else if index > 0 {
                out.push(' ');
            }
            if let Some(name) = name {
                named(out, name);
            }
            self.write(out, element, deeper.as_deref());
        }
        if let Some(indent) = indent {
            out.push_str(self.line_end);
            out.push_str(indent);
        }
        out.push(close);
    }
}

/// The name of a member, and what stands between it and its value.
fn named(out: &mut String, name: &str) {
    out.push_str(&Value::from(name).to_string());
    out.push_str(": ");
}
