//! The objects of a case file, and what is said about them.

use hook_source::{Diagnostic, Field, Fields, Found, Kind, Node, Reader, Standing, Table, Value};

use crate::handed::{mistaken, quoted};

/// How deep a case is opened at once: the file, its list and the cases. What is in a case is opened when it is read.
pub(super) const DEPTH: usize = 3;

/// A sort of objects.
pub(super) struct Sort {
    /// How messages call one.
    name: &'static str,
    pub(super) keys: Table,
}

pub(super) const FILE: Sort = Sort {
    name: "a case file",
    keys: Table::new(&[
        Field::new("$schema").of(Kind::String),
        Field::new("schema").required(),
        LIST.required(),
    ]),
};

const LIST: Field = Field::new("cases").of(Kind::Array).wanted("a list");

pub(super) const CASE: Sort = Sort {
    name: "a case",
    keys: Table::new(&[
        Field::new("name").required().of(Kind::String),
        Field::new("files")
            .of(Kind::Object)
            .wanted("an object of texts, by their paths"),
        Field::new("call").required(),
        Field::new("expect").required(),
    ]),
};

pub(super) const CONTENT: Sort = Sort {
    name: "a file of `files`",
    keys: Table::new(&[
        Field::new("text").required().of(Kind::String),
        flag("executable"),
    ])
    .with_habits(&[("exec", "executable")], &[]),
};

pub(super) const EXPECT: Sort = Sort {
    name: "`expect`",
    keys: Table::new(&[
        Field::new("outcome").required().of(Kind::String),
        Field::new("by").of(Kind::String),
        Field::new("reason_contains").of(Kind::String),
        Field::new("input")
            .of(Kind::Object)
            .wanted("an object, as the input of a rewrite always is"),
        Field::new("output"),
        flag("is_error"),
        Field::new("max_ms").of(Kind::Number).wanted(MILLISECONDS),
        Field::new("asked").of(Kind::Array).wanted("a list"),
        Field::new("failed").of(Kind::Array).wanted("a list"),
        Field::new("context").of(Kind::Array).wanted("a list"),
    ])
    .with_habits(&[("max", "max_ms"), ("reason", "reason_contains")], &[]),
};

/// What `max_ms` is.
pub(super) const MILLISECONDS: &str = "a whole number from 1 to 86400000";

const fn flag(name: &'static str) -> Field {
    Field::new(name).of(Kind::Boolean).wanted("true or false")
}

/// Something is wrong with that value.
pub(super) fn wrong(
    reader: &mut Reader<'_>,
    node: &Node,
    code: &'static str,
    message: impl Into<String>,
    help: &str,
) {
    let wrong = Diagnostic::error(code, message).with_help(help);
    reader.tell(&node.span, wrong);
}

/// An object whose keys are known ones, each once. Names that begin like a comment are notes.
pub(super) fn object<'n>(
    reader: &mut Reader<'_>,
    node: &'n Node,
    sort: &Sort,
) -> Option<Fields<'n>> {
    members(reader, node, sort)?;
    let fields = sort.keys.read(node, |found| tell(reader, &found, sort));
    for key in fields.missing() {
        let message = format!("{} has no `{key}`", sort.name);
        let told = Diagnostic::error("missing_field", message).with_help("add it");
        reader.tell(&node.start(), told);
    }
    Some(fields)
}

/// Whether it is an object of any keys.
pub(super) fn members(reader: &mut Reader<'_>, node: &Node, sort: &Sort) -> Option<()> {
    if node.members().is_some() {
        return Some(());
    }
    if let (Kind::Object, Value::NotUnicode { noticed, .. }) = (node.kind(), &node.value) {
        let message = "not JSON: a name that is not valid Unicode";
        reader.tell(
            &(*noticed..*noticed),
            Diagnostic::error("not_unicode", message),
        );
        return None;
    }
    let message = format!("{} is {}", sort.name, node.kind().in_words());
    wrong(reader, node, "wrong_type", message, "it must be an object");
    None
}

fn tell(reader: &mut Reader<'_>, found: &Found<'_>, sort: &Sort) {
    let member = found.member;
    let name = quoted(&member.name);
    let (span, told) = match (found.standing, found.first) {
        (Standing::Note, _) => return,
        (Standing::Meant(meant), _) => {
            let message = format!("{name} is no key of {}", sort.name);
            let told = Diagnostic::error("misspelt_field", message);
            (&member.span, told.with_help(format!("write `{meant}`")))
        }
        (Standing::Unknown, _) => {
            let message = format!("{name} is no key of {}", sort.name);
            let keys: Vec<_> = sort.keys.names().collect();
            let help = format!("its keys are {}", listed(&keys));
            let told = Diagnostic::error("unknown_field", message);
            (&member.span, told.with_help(help))
        }
        (_, Some(_)) => (&member.span, twice(&member.name)),
        (_, None) => match mistaken(found) {
            Some(told) => (&member.node.span, told),
            None => return,
        },
    };
    reader.tell(span, told);
}

/// A key stands twice.
pub(super) fn twice(name: &str) -> Diagnostic {
    let message = format!("the key {} stands twice", quoted(name));
    Diagnostic::error("duplicate_key", message).with_help("keep one")
}

/// A string that says something.
pub(super) fn text(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    key: &'static str,
    help: &str,
) -> Option<String> {
    let node = fields.get(key)?;
    let text = node.text()?;
    if text.is_empty() {
        let message = format!("`{key}` is empty");
        wrong(reader, node, "empty_value", message, help);
    }
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// A list of names.
pub(super) fn names(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    key: &str,
) -> Option<Vec<String>> {
    let elements = fields.get(key)?.list().unwrap_or_default();
    for element in elements.iter().filter(|element| element.text().is_none()) {
        let message = format!("`{key}` is {}", element.kind().in_words());
        let help = "it must be a list of strings";
        wrong(reader, element, "wrong_type", message, help);
    }
    let names = elements.iter().filter_map(Node::text);
    Some(names.map(str::to_owned).collect())
}

/// `a, b and c`.
pub(super) fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
