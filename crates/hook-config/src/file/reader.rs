//! Reading values out of a text, and remembering what is wrong with them.

use std::{ops::Range, rc::Rc};

use hook_contract::json::{JsonErrorKind, Members};
use hook_source::{SyntaxFault, fold, nearest};
use serde_json::value::RawValue;

use crate::{
    Problem, ProblemKind, Warning, WarningKind,
    file::findings::{Finding, placed},
    problem::{JsonType, Subject},
    vocabulary::Word,
};

/// The text, where in it the reader is, and what it has noticed.
///
/// Values are slices of the text: that is how their place is known, and numbers are judged as they
/// are written, whatever features `serde_json` has in this program.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    /// The entry that is being read, and its name where it is readable.
    pub(super) entry: Option<usize>,
    pub(super) hook: Option<Rc<str>>,
    problems: Vec<Finding<ProblemKind>>,
    warnings: Vec<Finding<WarningKind>>,
}

impl<'t> Reader<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self {
            text,
            entry: None,
            hook: None,
            problems: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub(super) fn finish(self) -> (Vec<Problem>, Vec<Warning>) {
        let more = |count| ProblemKind::More { count };
        let problems = placed(self.problems, self.text, more);
        let more = |count| WarningKind::More { count };
        let warnings = placed(self.warnings, self.text, more);
        (
            problems
                .into_iter()
                .map(|(place, kind)| Problem::new(place, kind))
                .collect(),
            warnings
                .into_iter()
                .map(|(place, kind)| Warning::new(place, kind))
                .collect(),
        )
    }

    /// Remembers a problem with `part`, a slice of the text.
    pub(super) fn problem(&mut self, part: &str, kind: ProblemKind) {
        self.problem_at(self.span(part), kind);
    }

    pub(super) fn problem_at(&mut self, span: Range<usize>, kind: ProblemKind) {
        let (entry, hook) = (self.entry, self.hook.clone());
        self.problems.push(Finding {
            kind,
            span,
            entry,
            hook,
        });
    }

    /// Remembers a warning about `part`, a slice of the text.
    pub(super) fn warning(&mut self, part: &str, kind: WarningKind) {
        let (span, entry, hook) = (self.span(part), self.entry, self.hook.clone());
        self.warnings.push(Finding {
            kind,
            span,
            entry,
            hook,
        });
    }

    /// Where `part` stands. Only its address tells: equal texts stand in many places.
    pub(super) fn span(&self, part: &str) -> Range<usize> {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        start..start + part.len()
    }

    pub(super) fn wrong_type(&mut self, value: &str, subject: Subject, expected: &'static str) {
        let found = JsonType::of(value);
        self.problem(
            value,
            ProblemKind::WrongType {
                subject,
                expected,
                found,
            },
        );
    }

    /// The members of an object; nothing when the value is something else. Objects are never read
    /// from arrays by position.
    pub(super) fn object(&mut self, value: &'t str, subject: Subject) -> Option<Members<'t>> {
        if JsonType::of(value) != JsonType::Object {
            self.wrong_type(value, subject, "an object");
            return None;
        }
        match serde_json::from_str(value) {
            Ok(members) => Some(members),
            // The text is JSON, so what is left is a key with half a surrogate pair.
            Err(_no_text) => {
                self.problem(value, ProblemKind::NotUnicode { subject });
                None
            }
        }
    }

    pub(super) fn array(&mut self, value: &'t str, field: &'static str) -> Option<Vec<&'t str>> {
        if JsonType::of(value) != JsonType::Array {
            self.wrong_type(value, Subject::Field(field), "an array");
            return None;
        }
        let elements: Vec<&RawValue> = serde_json::from_str(value).unwrap_or_default();
        Some(elements.into_iter().map(RawValue::get).collect())
    }

    pub(super) fn string(&mut self, value: &str, subject: Subject) -> Option<String> {
        if JsonType::of(value) != JsonType::String {
            self.wrong_type(value, subject, "a string");
            return None;
        }
        let decoded = serde_json::from_str(value).ok();
        if decoded.is_none() {
            self.problem(value, ProblemKind::NotUnicode { subject });
        }
        decoded
    }

    pub(super) fn boolean(&mut self, value: &str, subject: Subject) -> Option<bool> {
        let read = value.parse().ok();
        if read.is_none() {
            self.wrong_type(value, subject, "true or false");
        }
        read
    }

    /// The strings of an array, each with the text it was written as. Nothing when any is not one.
    pub(super) fn strings(
        &mut self,
        value: &'t str,
        field: &'static str,
    ) -> Option<Vec<(&'t str, String)>> {
        let elements = self.array(value, field)?;
        let strings: Vec<Option<(&str, String)>> = elements
            .into_iter()
            .enumerate()
            .map(|(index, element)| {
                let string = self.string(element, Subject::Element(field, index))?;
                Some((element, string))
            })
            .collect();
        strings.into_iter().collect()
    }

    /// A word of a closed vocabulary.
    pub(super) fn word<W: Word>(&mut self, value: &str) -> Option<W> {
        let found = self.string(value, Subject::Field(W::FIELD))?;
        if let Some(word) = W::ALL.iter().find(|word| word.word() == found) {
            return Some(*word);
        }
        let known: Vec<&'static str> = W::ALL.iter().map(|word| word.word()).collect();
        let folded = fold(&found);
        let habit = W::HABITS.iter().find(|(habit, _)| *habit == folded);
        let nearest = habit
            .map(|(_, word)| word.word())
            .or_else(|| nearest(&found, &known));
        let field = W::FIELD;
        self.problem(
            value,
            ProblemKind::UnknownWord {
                field,
                found,
                nearest,
                known,
            },
        );
        None
    }

    /// Looks through the value of a field that is not known: it may hold anything but what two
    /// readers read differently.
    pub(super) fn unknown_value(&mut self, field: &str, value: &str) {
        let Err(error) = hook_contract::Json::parse(value) else {
            return;
        };
        let start = self.span(value).start + error.position().offset;
        let kind = if let JsonErrorKind::DuplicateKey { key, .. } = error.kind() {
            ProblemKind::DuplicateKey { key: key.clone() }
        } else {
            ProblemKind::Unreadable {
                field: field.to_owned(),
                kind: error.kind().clone(),
            }
        };
        self.problem_at(start..start + self.token_length(start), kind);
    }

    /// The length of the string or number that begins there; at least one character.
    fn token_length(&self, start: usize) -> usize {
        let rest = self.text.get(start..).unwrap_or_default();
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        match stream.next() {
            Some(Ok(value))
                if !matches!(
                    JsonType::of(value.get()),
                    JsonType::Array | JsonType::Object
                ) =>
            {
                value.get().len()
            }
            _ => rest.chars().next().map_or(0, char::len_utf8),
        }
    }

    /// A problem with the whole text as JSON, where it stops being JSON.
    pub(super) fn syntax(&mut self, error: &serde_json::Error) {
        let SyntaxFault {
            span,
            message,
            help,
            ..
        } = SyntaxFault::of(self.text, error);
        self.problem_at(span, ProblemKind::Syntax { message, help });
    }
}

/// The bracket with which an object begins: what is missing in it is told there.
pub(super) fn first_byte(object: &str) -> &str {
    object.get(..1).unwrap_or(object)
}

/// A bound of something: a whole number from 1.
pub(super) fn bound(
    reader: &mut Reader<'_>,
    value: &str,
    field: &'static str,
    most: u64,
) -> Option<u64> {
    let bound = whole(value).filter(|bound| (1..=most).contains(bound));
    if bound.is_none() {
        let found = value.to_owned();
        reader.problem(value, ProblemKind::BoundOutOfRange { field, found });
    }
    bound
}

/// A whole number as a person writes one.
pub(super) fn whole(value: &str) -> Option<u64> {
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|_| digits)
}
