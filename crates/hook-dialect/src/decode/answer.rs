//! The fields of an answer, checked.

use std::collections::BTreeMap;

use hook_contract::{
    Json,
    json::{Members, kind_of},
};

use super::{Decoding, json::string};
use crate::{
    Decision, Failure, Ignored, WhyIgnored,
    dialect::{AnswerField, AnswerRules, EventName, Null, Oddity},
};

mod shape;

use shape::Shape;

/// What an answer says, field by field. A field that is absent, or `null` where that is the same, is not there.
#[derive(Default)]
pub(super) struct Answer {
    pub(super) texts: BTreeMap<AnswerField, String>,
    pub(super) flags: BTreeMap<AnswerField, bool>,
    pub(super) values: BTreeMap<AnswerField, Json>,
    pub(super) decision: Option<Decision>,
    pub(super) permission: Option<Decision>,
    pub(super) behavior: Option<Decision>,
    pub(super) event: Option<String>,
    /// What was left out, and why.
    pub(super) ignored: Vec<Ignored>,
}

type Result<T> = std::result::Result<T, Failure>;

impl Answer {
    /// The fields of an answer that have the right type, or why the whole answer is void.
    pub(super) fn read(members: &Members<'_>, decoding: &Decoding<'_>) -> Result<Self> {
        let mut reader = Reader {
            decoding,
            rules: &decoding.profile.dialect.answers,
            answer: Self::default(),
        };
        let mut specific = None;
        for (field, value) in reader.known(members, decoding.row.top)? {
            if field == AnswerField::HookSpecificOutput {
                specific = reader.object(field, value)?;
            } else {
                reader.field(field, value)?;
            }
        }
        if let Some(members) = specific {
            reader.specific(&members)?;
        }
        Ok(reader.answer)
    }

    pub(super) fn text(&self, field: AnswerField) -> Option<&str> {
        self.texts.get(&field).map(String::as_str)
    }

    pub(super) fn flag(&self, field: AnswerField) -> Option<bool> {
        self.flags.get(&field).copied()
    }
}

struct Reader<'a> {
    decoding: &'a Decoding<'a>,
    rules: &'a AnswerRules,
    answer: Answer,
}

impl Reader<'_> {
    /// The members that are fields, each with its last value; the others are noted or make the answer void.
    fn known<'t>(
        &mut self,
        members: &Members<'t>,
        fields: &[AnswerField],
    ) -> Result<BTreeMap<AnswerField, &'t str>> {
        let mut found = BTreeMap::new();
        for member in members {
            let Some(field) = fields.iter().find(|f| f.short_name() == member.name) else {
                self.unknown(&member.name)?;
                continue;
            };
            if found.insert(*field, member.value).is_some() {
                self.ignore(&member.name, WhyIgnored::Repeated);
            }
        }
        Ok(found)
    }

    fn unknown(&mut self, name: &str) -> Result<()> {
        if self.rules.unknown_key == Oddity::Fails {
            let field = name.chars().take(60).collect();
            return Err(Failure::UnknownField { field });
        }
        self.ignore(name, WhyIgnored::UnknownField);
        Ok(())
    }

    fn ignore(&mut self, field: &str, why: WhyIgnored) {
        self.answer.ignored.push(Ignored::new(field, why));
    }

    /// Whether this says nothing in place of an optional text or object.
    fn is_absent(&self, value: &str) -> bool {
        self.rules.null == Null::Absent && kind_of(value) == "null"
    }

    /// The members of an object, unless it is none.
    fn object<'t>(&mut self, field: AnswerField, value: &'t str) -> Result<Option<Members<'t>>> {
        if self.is_absent(value) {
            return Ok(None);
        }
        if kind_of(value) != "an object" {
            return self.wrong_type(field, value, "an object").map(|()| None);
        }
        serde_json::from_str(value)
            .map(Some)
            .map_err(|error| Failure::NotJson {
                what: error.to_string(),
            })
    }

    fn specific(&mut self, members: &Members<'_>) -> Result<()> {
        if !self.is_said_to_this_event(members)? {
            for member in members.iter().filter(|m| m.name != "hookEventName") {
                self.ignore(&member.name, WhyIgnored::OtherEvent);
            }
            return Ok(());
        }
        let (verdict, mut fields): (Vec<AnswerField>, Vec<AnswerField>) = self
            .decoding
            .row
            .specific
            .iter()
            .partition(|field| field.in_verdict());
        fields.push(AnswerField::HookEventName);
        if !verdict.is_empty() {
            fields.push(AnswerField::Decision);
        }
        let mut found = self.known(members, &fields)?;
        found.remove(&AnswerField::HookEventName);
        let judgement = found.remove(&AnswerField::Decision);
        for (field, value) in found {
            self.field(field, value)?;
        }
        if !verdict.is_empty() {
            self.verdict(judgement, &verdict)?;
        }
        Ok(())
    }

    /// The verdict on a request for permission.
    fn verdict(&mut self, value: Option<&str>, fields: &[AnswerField]) -> Result<()> {
        let object = match value {
            Some(value) => self.object(AnswerField::Decision, value)?,
            None => None,
        };
        let Some(members) = object else {
            // Where unknown fields are void, nothing is no opinion; where they are left out, something is missing.
            return match self.rules.null {
                Null::Absent => Ok(()),
                Null::WrongType => Err(Failure::MissingField { field: "decision" }),
            };
        };
        for (field, value) in self.known(&members, fields)? {
            self.field(field, value)?;
        }
        match self.answer.behavior {
            Some(_) => Ok(()),
            None => Err(Failure::MissingField {
                field: AnswerField::Behavior.name(),
            }),
        }
    }

    /// Whether what stands in `hookSpecificOutput` is said to this event.
    fn is_said_to_this_event(&mut self, members: &Members<'_>) -> Result<bool> {
        let mut all = members.iter().filter(|m| m.name == "hookEventName");
        let name = all.next_back().and_then(|member| string(member.value));
        let expected = self.decoding.expected_event;
        let is_it = |name: &str| expected.is_none_or(|event| event == name);
        let dialect = self.decoding.profile.dialect;
        let said = match (self.rules.event_name, name.as_deref()) {
            (EventName::MustBeTheEvent, Some(name)) => is_it(name).then_some(true),
            (EventName::MustBeAnEvent, Some(name)) => dialect.event(name).map(|_| true),
            (EventName::MustBeTheEvent | EventName::MustBeAnEvent, None) => None,
            (EventName::ScopesTheRest, name) => Some(name.map_or(expected.is_none(), is_it)),
        };
        self.answer.event = name;
        said.ok_or(Failure::WrongEvent)
    }

    fn field(&mut self, field: AnswerField, value: &str) -> Result<()> {
        let shape = Shape::of(field, self.decoding);
        let says_nothing = match shape {
            Shape::Value => kind_of(value) == "null",
            Shape::Flag => false,
            Shape::Text | Shape::Object | Shape::Array | Shape::Word(_) => self.is_absent(value),
        };
        if says_nothing {
            return Ok(());
        }
        match (shape, kind_of(value)) {
            (Shape::Text, "a string") => {
                let text = string(value).unwrap_or_default();
                self.answer.texts.insert(field, text);
                Ok(())
            }
            (Shape::Flag, "a boolean") => {
                self.answer.flags.insert(field, value == "true");
                Ok(())
            }
            (Shape::Object, "an object") | (Shape::Array, "an array") | (Shape::Value, _) => {
                self.value(field, value)
            }
            (Shape::Word(words), "a string") => self.word(field, words, value),
            (shape, _) => self.wrong_type(field, value, shape.wanted()),
        }
    }

    fn value(&mut self, field: AnswerField, value: &str) -> Result<()> {
        let json = Json::parse(value).map_err(|error| Failure::Unusable {
            field: field.short_name(),
            what: error.to_string(),
        })?;
        self.answer.values.insert(field, json);
        Ok(())
    }

    fn word(&mut self, field: AnswerField, words: &[Decision], value: &str) -> Result<()> {
        let said = string(value).unwrap_or_default();
        let Some(word) = words.iter().find(|word| word.as_str() == said) else {
            if self.rules.wrong_type == Oddity::LeftOut {
                self.ignore(field.short_name(), WhyIgnored::WrongType("another word"));
                return Ok(());
            }
            let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
            return Err(Failure::UnknownWord {
                field: field.short_name(),
                word: said.chars().take(40).collect(),
                wanted: words.join(" or "),
            });
        };
        let place = if field == AnswerField::Decision {
            &mut self.answer.decision
        } else if field == AnswerField::PermissionDecision {
            &mut self.answer.permission
        } else {
            &mut self.answer.behavior
        };
        *place = Some(*word);
        Ok(())
    }

    fn wrong_type(&mut self, field: AnswerField, value: &str, wanted: &'static str) -> Result<()> {
        let (field, found) = (field.short_name(), kind_of(value));
        if self.rules.wrong_type == Oddity::LeftOut {
            self.ignore(field, WhyIgnored::WrongType(found));
            return Ok(());
        }
        Err(Failure::WrongType {
            field,
            found,
            wanted,
        })
    }
}
