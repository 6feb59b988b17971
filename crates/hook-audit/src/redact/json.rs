//! Masking within JSON, in one pass over its text.

mod literal;

use self::literal::{decoded, end_of_number, end_of_string, end_of_value};
use super::{
    MASKED, Redaction, is_random,
    list::{List, Told, assigned, login},
};

/// The JSON text with secrets masked, and how many; nothing when there are none.
///
/// `text` must be one JSON value. Everything that is not masked stays as it was written.
pub(crate) fn mask_json(redaction: &Redaction, text: &str) -> Option<(String, u64)> {
    let mut pass = Pass {
        redaction,
        text,
        at: 0,
        open: Vec::new(),
        masked: String::new(),
        copied_to: 0,
        count: 0,
    };
    pass.run();
    if pass.count == 0 {
        return None;
    }
    let rest = text.get(pass.copied_to..).unwrap_or_default();
    pass.masked.push_str(rest);
    Some((pass.masked, pass.count))
}

struct Pass<'a> {
    redaction: &'a Redaction,
    text: &'a str,
    at: usize,
    /// What is open, the outermost first.
    open: Vec<Open>,
    masked: String,
    copied_to: usize,
    count: u64,
}

#[derive(Clone, Copy)]
enum Open {
    Array(List),
    Object(Object),
}

/// How far an object is read.
#[derive(Clone, Copy)]
struct Object {
    next: Next,
    /// Its `name`, or `key`, is that of a secret, whose `value` then is one.
    names_a_secret: bool,
    /// Where its `value` begins, if that came before any such name.
    value: Option<Mark>,
    /// How many names of its members were masked.
    masked_names: u32,
    /// Where its `data` or `stringData` begins, if that came before its `kind`.
    data: Option<Mark>,
    /// Its `kind` is `Secret`, whose data then is one.
    is_secret: bool,
}

/// How far the pass was at a place, to go back to it.
#[derive(Clone, Copy)]
struct Mark {
    at: usize,
    masked: usize,
    copied_to: usize,
    count: u64,
}

/// What the next string in an object is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Name,
    Value,
    /// The value of a member that says what another one holds.
    Label,
    /// The value of `kind`.
    Kind,
}

/// The members of `{"name": "X-Api-Key", "value": "…"}`, as headers and variables are often listed.
const LABELS: [&str; 4] = ["header", "key", "name", "variable"];
const VALUES: [&str; 2] = ["value", "values"];
/// The members of `{"kind": "Secret", "data": {…}}`.
const KIND: &str = "kind";
const DATA: [&str; 2] = ["data", "stringData"];

impl Pass<'_> {
    fn run(&mut self) {
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b'"' => self.string(),
                b'{' => self.step(|open| {
                    open.push(Open::Object(Object {
                        next: Next::Name,
                        names_a_secret: false,
                        value: None,
                        masked_names: 0,
                        data: None,
                        is_secret: false,
                    }));
                }),
                b'[' => self.step(|open| open.push(Open::Array(List::default()))),
                b'}' | b']' => self.step(|open| {
                    open.pop();
                }),
                b',' => self.step(|open| next_member(open)),
                b'-' | b'0'..=b'9' => self.number(),
                _ => self.at += 1,
            }
        }
    }

    fn step(&mut self, change: impl FnOnce(&mut Vec<Open>)) {
        change(&mut self.open);
        self.at += 1;
    }

    fn string(&mut self) {
        let end = end_of_string(self.text, self.at);
        let literal = self.text.get(self.at..end).unwrap_or_default();
        self.mask_name(literal, end);
        let redaction = self.redaction;
        let hides = |name: &str| redaction.hides_member(name);
        let object = match self.open.last_mut() {
            Some(Open::Object(object)) if object.next == Next::Name => object,
            Some(Open::Object(object)) if object.next == Next::Kind => {
                let is_first = !object.is_secret && literal == r#""Secret""#;
                object.is_secret |= is_first;
                return match object.data.filter(|_| is_first) {
                    Some(mark) => self.go_back(mark),
                    None => self.text_value(literal, end),
                };
            }
            Some(Open::Object(object)) => {
                let is_label = object.next == Next::Label && !object.names_a_secret;
                object.names_a_secret |=
                    is_label && decoded(literal).is_some_and(|name| hides(&name));
                let names_one_now = is_label && object.names_a_secret;
                return match object.value.filter(|_| names_one_now) {
                    Some(mark) => self.go_back(mark),
                    None => self.text_value(literal, end),
                };
            }
            Some(Open::Array(_)) => return self.element(literal, end),
            None => return self.text_value(literal, end),
        };
        let name = decoded(literal).unwrap_or_default();
        let is_one_of = |words: &[&str]| words.iter().any(|word| name.eq_ignore_ascii_case(word));
        object.next = if is_one_of(&LABELS) {
            Next::Label
        } else if name == KIND {
            Next::Kind
        } else {
            Next::Value
        };
        let is_value = is_one_of(&VALUES);
        let is_data = DATA.contains(&name.as_ref());
        let is_hidden =
            hides(&name) || (object.names_a_secret && is_value) || (object.is_secret && is_data);
        let white = |c: char| c.is_ascii_whitespace() || c == ':';
        let after = self.text.get(end..).unwrap_or_default();
        self.at = self.text.len() - after.trim_start_matches(white).len();
        let mark = Mark {
            at: self.at,
            masked: self.masked.len(),
            copied_to: self.copied_to,
            count: self.count,
        };
        if is_value && object.value.is_none() {
            object.value = Some(mark);
        }
        if is_data && object.data.is_none() {
            object.data = Some(mark);
        }
        if is_hidden || self.is_perhaps_hidden(&name) {
            self.hide_value();
        }
    }

    /// Masks what has the shape of a secret in the name of a member. A second one of the same object is numbered, so that no
    /// two members have the same name.
    fn mask_name(&mut self, literal: &str, end: usize) {
        let Some(Open::Object(object)) = self.open.last_mut() else {
            return;
        };
        if object.next != Next::Name {
            return;
        }
        let Some(masked) = decoded(literal).and_then(|name| self.redaction.mask_shapes(&name))
        else {
            return;
        };
        object.masked_names += 1;
        let masked = match object.masked_names {
            1 => masked,
            number => format!("{masked} {number}"),
        };
        self.replace(end, &serde_json::Value::from(masked).to_string());
    }

    /// Whether the value at hand is a text that looks random, and its name one that may be a secret's.
    fn is_perhaps_hidden(&self, name: &str) -> bool {
        let is_text = self.text.as_bytes().get(self.at) == Some(&b'"');
        let may_be = is_text && self.redaction.may_hide(name);
        may_be
            && self
                .text
                .get(self.at..end_of_string(self.text, self.at))
                .and_then(decoded)
                .is_some_and(|value| is_random(&value))
    }

    /// Masks the value of the object at hand, which turned out to be a secret, and goes on from there. No object does so
    /// more than once for its `value`, and once for its `data`.
    fn go_back(&mut self, mark: Mark) {
        self.at = mark.at;
        self.masked.truncate(mark.masked);
        (self.copied_to, self.count) = (mark.copied_to, mark.count);
        if let Some(Open::Object(object)) = self.open.last_mut() {
            // What is behind it is read again.
            object.value = object.value.filter(|other| other.at < mark.at);
            object.data = object.data.filter(|other| other.at < mark.at);
        }
        self.hide_value();
    }

    /// A string that is no name.
    fn text_value(&mut self, literal: &str, end: usize) {
        self.mask_shapes(literal, end);
        self.at = end;
    }

    /// A string in a list.
    fn element(&mut self, literal: &str, end: usize) {
        let text = decoded(literal).unwrap_or_default();
        let told = self.told();
        let (mut attached, mut takes_any) = (None, false);
        if let Some(Open::Array(list)) = self.open.last_mut() {
            attached = list.attached(self.redaction, &text);
            takes_any = self.redaction.hides_logins() && list.seen.takes_any();
            let next_is = list.told_by(self.redaction, &text);
            list.next_is = next_is;
        }
        let is_option = text.starts_with('-');
        let is_scheme_only = told == Told::Secret && self.told() == Told::Secret;
        let masked = match told {
            Told::Secret if !is_option && !is_scheme_only => return self.hide_value(),
            Told::PairedSecret if self.is_second_of_two(end) => return self.hide_value(),
            Told::PairedSecret | Told::Perhaps if !is_option && is_random(&text) => {
                return self.hide_value();
            }
            Told::Nothing if takes_any && is_random(&text) => return self.hide_value(),
            Told::Login => login(&text),
            Told::Assigned => assigned(&text),
            Told::Secret | Told::PairedSecret | Told::Perhaps | Told::Nothing => attached,
        };
        match masked {
            Some(masked) => {
                self.replace(end, &serde_json::Value::from(masked).to_string());
                self.at = end;
            }
            None => self.text_value(literal, end),
        }
    }

    /// A number, which is a secret where a text would be one.
    fn number(&mut self) {
        let end = end_of_number(self.text, self.at);
        let is_secret = match self.told() {
            Told::Secret => true,
            Told::PairedSecret => self.is_second_of_two(end),
            Told::Login | Told::Assigned | Told::Perhaps | Told::Nothing => false,
        };
        if is_secret {
            self.replace(end, &format!("\"{MASKED}\""));
        }
        self.at = end;
    }

    /// What the element before says of the one at hand.
    fn told(&self) -> Told {
        match self.open.last() {
            Some(Open::Array(list)) => list.next_is,
            Some(Open::Object(_)) | None => Told::Nothing,
        }
    }

    fn is_second_of_two(&self, end: usize) -> bool {
        let after = self.text.get(end..).unwrap_or_default();
        matches!(self.open.last(), Some(Open::Array(list)) if list.count == 1)
            && after.trim_ascii_start().starts_with(']')
    }

    /// Masks the whole value at hand.
    fn hide_value(&mut self) {
        let end = end_of_value(self.text, self.at);
        let value = self.text.get(self.at..end).unwrap_or_default();
        if !matches!(value, "null" | "true" | "false" | r#""""#) {
            self.replace(end, &format!("\"{MASKED}\""));
        }
        self.at = end;
    }

    /// Masks what looks like a secret in a string.
    fn mask_shapes(&mut self, literal: &str, end: usize) {
        let Some(text) = decoded(literal) else {
            return;
        };
        let (masked, count) = self.redaction.mask_text(&text);
        if count > 0 {
            let masked = serde_json::Value::from(masked).to_string();
            self.replace(end, &masked);
            self.count += count - 1;
        }
    }

    fn replace(&mut self, end: usize, by: &str) {
        let kept = self.text.get(self.copied_to..self.at).unwrap_or_default();
        self.masked.push_str(kept);
        self.masked.push_str(by);
        self.copied_to = end;
        self.count += 1;
    }
}

/// What comes next in an object is a name, and in a list the next element.
fn next_member(open: &mut [Open]) {
    match open.last_mut() {
        Some(Open::Object(object)) => object.next = Next::Name,
        Some(Open::Array(list)) => list.count += 1,
        None => {}
    }
}
