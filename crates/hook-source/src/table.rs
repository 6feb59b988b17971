//! Which fields an object may have, and which was meant.

use std::collections::HashMap;

use crate::{Kind, Member, Node, Value, fold, nearest};

/// The fields that objects of one sort may have.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Table {
    /// The fields, in the order in which what is missing is told.
    pub fields: &'static [Field],
    /// What stands for a field in files of other tools, folded as [`fold`] does. A name is listed where taking it for an
    /// unknown field would lose something that its author relies on.
    pub habits: &'static [(&'static str, &'static str)],
    /// Words of their own that are a few letters from a field and are not it, folded.
    pub other_words: &'static [&'static str],
}

/// A field that is known.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Field {
    /// Its name, which is recommended.
    pub name: &'static str,
    /// Another spelling that means the same.
    pub alias: Option<&'static str>,
    /// Whether it must be there.
    pub required: bool,
    /// Whether `null` is as good as absent.
    pub nullable: bool,
    /// The type that its value must have; nothing where the reader looks at the value itself.
    pub kind: Option<Kind>,
    /// What messages call that type, where it has more to say than [`Kind::as_str`].
    pub wanted: Option<&'static str>,
    /// Whether another word can be a misspelling of it. Of two letters, each makes another word.
    pub guessed: bool,
}

/// What a member of an object turned out to be.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found<'n> {
    /// The member.
    pub member: &'n Member,
    /// What it is.
    pub standing: Standing,
    /// The first member of the same name, or of the same field under another spelling, when this one is not the first.
    pub first: Option<&'n Member>,
}

/// What a name turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// The field of this name, of the type that belongs there.
    Known(&'static str),
    /// The field of this name, with a value of another type than the one that these words are for: `a string`.
    OfAnotherKind(&'static str, &'static str),
    /// The field of this name, with a value that holds half of a surrogate pair.
    NotUnicode(&'static str),
    /// Not known, and probably meant for the field of this name.
    Meant(&'static str),
    /// Not known; its name begins with `//` or `#`, as notes do.
    Note,
    /// Not known.
    Unknown,
}

/// The known fields of one object.
#[derive(Debug)]
pub struct Fields<'n> {
    table: Table,
    known: Vec<(&'static Field, &'n Member)>,
    meant: Vec<&'static str>,
}

impl Table {
    /// Fields without habits.
    #[must_use]
    pub const fn new(fields: &'static [Field]) -> Self {
        Self {
            fields,
            habits: &[],
            other_words: &[],
        }
    }

    /// The same, with what other tools call the fields.
    #[must_use]
    pub const fn with_habits(
        self,
        habits: &'static [(&'static str, &'static str)],
        other_words: &'static [&'static str],
    ) -> Self {
        Self {
            habits,
            other_words,
            ..self
        }
    }

    /// The names of the fields.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.fields.iter().map(|field| field.name)
    }

    /// The field of exactly this name or alias.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        let mut fields = self.fields.iter();
        fields.find(|field| field.name == name || field.alias == Some(name))
    }

    /// The field that is meant by a name that is not known: by habit, or by a slip.
    #[must_use]
    pub fn meant(&self, name: &str) -> Option<&'static str> {
        let folded = fold(name);
        if is_note(name) || self.other_words.contains(&folded.as_str()) {
            return None;
        }
        let habit = self.habits.iter().find(|(habit, _)| *habit == folded);
        if let Some(field) = habit.and_then(|(_, field)| self.field(field)) {
            return Some(field.name);
        }
        let guessed = self.fields.iter().filter(|field| field.guessed);
        let spellings = guessed.flat_map(|field| [Some(field.name), field.alias]);
        let spellings: Vec<_> = spellings.flatten().collect();
        let spelling = nearest(name, &spellings)?;
        self.field(spelling).map(|field| field.name)
    }

    /// Sorts the members of an object, and tells of each in the order of the text. What is no object has none.
    pub fn read<'n>(&self, node: &'n Node, mut tell: impl FnMut(Found<'n>)) -> Fields<'n> {
        let mut fields = Fields {
            table: *self,
            known: Vec::new(),
            meant: Vec::new(),
        };
        let mut seen: HashMap<&str, &'n Member> = HashMap::new();
        for member in node.members().unwrap_or_default() {
            let known = self.field(&member.name);
            let name = known.map_or(member.name.as_str(), |field| field.name);
            let first = seen.get(name).copied();
            seen.entry(name).or_insert(member);
            let standing = match known {
                Some(field) => field.standing(&member.node),
                None if is_note(&member.name) => Standing::Note,
                None => self.meant(name).map_or(Standing::Unknown, Standing::Meant),
            };
            match (known, standing) {
                (Some(field), _) if first.is_none() => fields.known.push((field, member)),
                (None, Standing::Meant(intended)) => fields.meant.push(intended),
                _ => {}
            }
            tell(Found {
                member,
                standing,
                first,
            });
        }
        fields
    }
}

/// Whether a name is that of a note.
fn is_note(name: &str) -> bool {
    name.starts_with("//") || name.starts_with('#')
}

impl Field {
    /// A field that may be absent and whose value may be anything.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            alias: None,
            required: false,
            nullable: false,
            kind: None,
            wanted: None,
            guessed: true,
        }
    }

    /// The same, which may be written in another way as well.
    #[must_use]
    pub const fn or(self, alias: &'static str) -> Self {
        Self {
            alias: Some(alias),
            ..self
        }
    }

    /// The same, which must be there.
    #[must_use]
    pub const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    /// The same, absent also when it is `null`.
    #[must_use]
    pub const fn nullable(self) -> Self {
        Self {
            nullable: true,
            ..self
        }
    }

    /// The same, whose value has this type.
    #[must_use]
    pub const fn of(self, kind: Kind) -> Self {
        Self {
            kind: Some(kind),
            ..self
        }
    }

    /// The same, with what messages call the type of its value, with an article: `a list`.
    #[must_use]
    pub const fn wanted(self, wanted: &'static str) -> Self {
        Self {
            wanted: Some(wanted),
            ..self
        }
    }

    /// The same, which no other word is taken for.
    #[must_use]
    pub const fn exact(self) -> Self {
        Self {
            guessed: false,
            ..self
        }
    }

    fn standing(&self, node: &Node) -> Standing {
        let Some(kind) = self.kind.filter(|_| !(self.nullable && node.is_null())) else {
            return Standing::Known(self.name);
        };
        if node.kind() != kind {
            return Standing::OfAnotherKind(self.name, self.wanted.unwrap_or(kind.as_str()));
        }
        if matches!(node.value, Value::NotUnicode { .. }) {
            return Standing::NotUnicode(self.name);
        }
        Standing::Known(self.name)
    }
}

impl<'n> Fields<'n> {
    /// The value of a field, whatever its type; the first of several, and nothing for `null` where that is absent.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'n Node> {
        self.member(name).map(|member| &member.node)
    }

    /// The member of a field, as [`get`](Self::get).
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&'n Member> {
        let (field, member) = self.known.iter().find(|(field, _)| field.name == name)?;
        Some(*member).filter(|member| !(field.nullable && member.node.is_null()))
    }

    /// Whether the field is there neither under its name nor under a mistaken one, of which was told already.
    #[must_use]
    pub fn is_missing(&self, name: &str) -> bool {
        self.known.iter().all(|(field, _)| field.name != name) && !self.meant.contains(&name)
    }

    /// The fields that must be there and are missing, in the order of the table.
    pub fn missing(&self) -> impl Iterator<Item = &'static str> {
        let fields = self.table.fields.iter();
        fields
            .filter(|field| field.required && self.is_missing(field.name))
            .map(|field| field.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    const TABLE: Table = Table::new(&[
        Field::new("tool_name")
            .or("tool")
            .required()
            .of(Kind::String),
        Field::new("timeout").nullable().of(Kind::Number),
        Field::new("if").exact(),
    ])
    .with_habits(&[("deadline", "timeout"), ("when", "elsewhere")], &["time"]);

    fn told(text: &str) -> (Vec<(String, Standing, bool)>, Vec<&'static str>) {
        let node = json::read(text, 1).expect("JSON");
        let mut told = Vec::new();
        let fields = TABLE.read(&node, |found| {
            told.push((
                found.member.name.clone(),
                found.standing,
                found.first.is_some(),
            ));
        });
        let missing = fields.missing().collect();
        (told, missing)
    }

    #[test]
    fn each_member_is_told_with_what_it_is() {
        let text = r##"{"tool": "x", "tool_name": "y", "Deadline": 1, "tiem_out": 1, "when": 1, "time": 1,
            "id": 1, "# n": 1, "timeout": "5", "tool": "\ud800"}"##;
        let (told, missing) = told(text);
        let standings: Vec<_> = told.iter().map(|(_, standing, _)| *standing).collect();
        assert_eq!(
            standings,
            [
                Standing::Known("tool_name"),
                Standing::Known("tool_name"),
                Standing::Meant("timeout"),
                Standing::Meant("timeout"),
                Standing::Unknown,
                Standing::Unknown,
                Standing::Unknown,
                Standing::Note,
                Standing::OfAnotherKind("timeout", "a number"),
                Standing::NotUnicode("tool_name"),
            ]
        );
        let twice: Vec<_> = told.iter().map(|(.., twice)| *twice).collect();
        assert_eq!(twice.iter().filter(|twice| **twice).count(), 2);
        assert!(twice[1], "a field in two spellings stands twice");
        assert!(missing.is_empty());
    }

    #[test]
    fn what_is_there_under_a_mistaken_name_is_not_missing() {
        assert_eq!(told("{}").1, ["tool_name"]);
        assert!(told(r#"{"tol_name": 1}"#).1.is_empty());
        assert!(told("[]").0.is_empty());
    }

    #[test]
    fn null_is_absent_where_the_table_says_so() {
        let node = json::read(r#"{"timeout": null, "tool": null}"#, 1).expect("JSON");
        let mut wrong = 0;
        let fields = TABLE.read(&node, |found| {
            wrong += usize::from(matches!(found.standing, Standing::OfAnotherKind(..)));
        });
        assert_eq!(wrong, 1);
        assert!(fields.get("timeout").is_none() && !fields.is_missing("timeout"));
        assert!(fields.get("tool_name").is_some_and(Node::is_null));
    }
}
