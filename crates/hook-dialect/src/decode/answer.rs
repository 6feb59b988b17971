//! The fields of an answer, checked.

use std::collections::BTreeMap;

use hook_contract::{Json, json::Members};

use super::{
    Decoding, Notes,
    json::{kind_of, string},
};
use crate::{
    Decision, Failure, Ignored, WhyIgnored,
    dialect::{AnswerField, EventName, Honours, Null, Oddity},
};

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
}

/// What a field must be.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    Flag,
    Object,
    Array,
    /// Any value but `null`, which says nothing.
    Value,
    Word(&'static [Decision]),
}

type Result<T> = std::result::Result<T, Failure>;

impl AnswerField {
    /// Whether it stands at the top of an answer.
    pub(crate) const fn is_top(self) -> bool {
        matches!(
            self,
            Self::Continue
                | Self::StopReason
                | Self::SuppressOutput
                | Self::SystemMessage
                | Self::TerminalSequence
                | Self::Decision
                | Self::Reason
                | Self::HookSpecificOutput
        )
    }

    /// Its name where it stands.
    fn short_name(self) -> &'static str {
        let name = self.name();
        name.rsplit('.').next().unwrap_or(name)
    }

    fn in_verdict(self) -> bool {
        self.name().starts_with("decision.")
    }

    fn shape(self, decoding: &Decoding<'_>) -> Shape {
        const PLAIN: &[Decision] = &[Decision::Allow, Decision::Deny, Decision::Ask];
        const DEFERRING: &[Decision] = &[
            Decision::Allow,
            Decision::Deny,
            Decision::Ask,
            Decision::Defer,
        ];
        match self {
            Self::Continue
            | Self::SuppressOutput
            | Self::Interrupt
            | Self::Retry
            | Self::ReloadSkills
            | Self::SuppressOriginalPrompt => Shape::Flag,
            Self::HookSpecificOutput => Shape::Object,
            Self::UpdatedInput | Self::PermittedInput if decoding.rewrites_are_objects() => {
                Shape::Object
            }
            Self::UpdatedPermissions | Self::WatchPaths => Shape::Array,
            Self::UpdatedInput
            | Self::PermittedInput
            | Self::UpdatedToolOutput
            | Self::UpdatedMcpToolOutput
            | Self::Content => Shape::Value,
            Self::Decision => Shape::Word(&[Decision::Approve, Decision::Block]),
            Self::PermissionDecision if decoding.honours(Honours::DEFER) => Shape::Word(DEFERRING),
            Self::PermissionDecision => Shape::Word(PLAIN),
            Self::Behavior => Shape::Word(&[Decision::Allow, Decision::Deny]),
            _ => Shape::Text,
        }
    }
}

impl Decoding<'_> {
    /// Whether a rewrite that is no object has the wrong type, rather than failing when it is used.
    fn rewrites_are_objects(&self) -> bool {
        self.profile.dialect.answers.null == Null::WrongType
    }
}

impl Answer {
    /// The fields of an answer that have the right type, or why the whole answer is void.
    pub(super) fn read(
        members: &Members<'_>,
        decoding: &Decoding<'_>,
        notes: &mut Notes,
    ) -> Result<Self> {
        let mut answer = Self::default();
        let mut specific = None;
        for (field, value) in known(members, decoding.row.top, decoding, notes)? {
            if field == AnswerField::HookSpecificOutput {
                specific = answer.object(field, value, decoding, notes)?;
            } else {
                answer.field(field, value, decoding, notes)?;
            }
        }
        if let Some(members) = specific {
            answer.specific(&members, decoding, notes)?;
        }
        Ok(answer)
    }

    /// The members of an object, unless it is none.
    fn object<'a>(
        &self,
        field: AnswerField,
        value: &'a str,
        decoding: &Decoding<'_>,
        notes: &mut Notes,
    ) -> Result<Option<Members<'a>>> {
        match kind_of(value) {
            "an object" => {
                serde_json::from_str(value)
                    .map(Some)
                    .map_err(|error| Failure::NotJson {
                        what: error.to_string(),
                    })
            }
            "null" if decoding.profile.dialect.answers.null == Null::Absent => Ok(None),
            found => wrong_type(field, found, "an object", decoding, notes).map(|()| None),
        }
    }

    fn specific(
        &mut self,
        members: &Members<'_>,
        decoding: &Decoding<'_>,
        notes: &mut Notes,
    ) -> Result<()> {
        if !self.names_the_event(members, decoding)? {
            let others = members.iter().filter(|m| m.name != "hookEventName");
            notes.extend(others.map(|m| Ignored::new(&*m.name, WhyIgnored::OtherEvent)));
            return Ok(());
        }
        let fields = decoding.row.specific;
        let verdict = fields.iter().any(|field| field.in_verdict());
        let known_here: Vec<AnswerField> = fields
            .iter()
            .copied()
            .filter(|field| !field.in_verdict())
            .chain([AnswerField::HookEventName])
            .chain(verdict.then_some(AnswerField::Decision))
            .collect();
        let mut judged = false;
        for (field, value) in known(members, &known_here, decoding, notes)? {
            match field {
                AnswerField::HookEventName => {}
                AnswerField::Decision => {
                    if let Some(members) = self.object(field, value, decoding, notes)? {
                        judged = true;
                        self.verdict(&members, decoding, notes)?;
                    }
                }
                field => self.field(field, value, decoding, notes)?,
            }
        }
        let field = AnswerField::Decision.name();
        if verdict && !judged && decoding.rewrites_are_objects() {
            return Err(Failure::MissingField { field });
        }
        Ok(())
    }

    /// The verdict on a request for permission.
    fn verdict(
        &mut self,
        members: &Members<'_>,
        decoding: &Decoding<'_>,
        notes: &mut Notes,
    ) -> Result<()> {
        let fields = decoding.row.specific.iter().copied();
        let fields: Vec<_> = fields.filter(|field| field.in_verdict()).collect();
        for (field, value) in known(members, &fields, decoding, notes)? {
            self.field(field, value, decoding, notes)?;
        }
        if self.behavior.is_none() {
            let field = AnswerField::Behavior.name();
            return Err(Failure::MissingField { field });
        }
        Ok(())
    }

    /// Whether what stands in `hookSpecificOutput` is said to this event.
    fn names_the_event(&mut self, members: &Members<'_>, decoding: &Decoding<'_>) -> Result<bool> {
        let mut names = members.iter().filter(|m| m.name == "hookEventName");
        let name = names.next_back().and_then(|member| string(member.value));
        let dialect = decoding.profile.dialect;
        let is_the_event = |name: &str| decoding.expected_event.is_none_or(|event| event == name);
        let named = match (dialect.answers.event_name, name.as_deref()) {
            (EventName::MustBeTheEvent, Some(name)) if is_the_event(name) => true,
            (EventName::MustBeAnEvent, Some(name)) if dialect.event(name).is_some() => true,
            (EventName::MustBeTheEvent | EventName::MustBeAnEvent, _) => {
                return Err(Failure::WrongEvent);
            }
            (EventName::ScopesTheRest, Some(name)) => is_the_event(name),
            (EventName::ScopesTheRest, None) => decoding.expected_event.is_none(),
        };
        self.event = name;
        Ok(named)
    }

    fn field(
        &mut self,
        field: AnswerField,
        value: &str,
        decoding: &Decoding<'_>,
        notes: &mut Notes,
    ) -> Result<()> {
        let kind = kind_of(value);
        let shape = field.shape(decoding);
        let absent = kind == "null"
            && match shape {
                Shape::Value => true,
                Shape::Flag => false,
                Shape::Text | Shape::Object | Shape::Array | Shape::Word(_) => {
                    decoding.profile.dialect.answers.null == Null::Absent
                }
            };
        if absent {
            return Ok(());
        }
        let wanted = match (shape, kind) {
            (Shape::Text, "a string") => {
                self.texts.insert(field, string(value).unwrap_or_default());
                return Ok(());
            }
            (Shape::Flag, "a boolean") => {
                self.flags.insert(field, value == "true");
                return Ok(());
            }
            (Shape::Object, "an object") | (Shape::Array, "an array") | (Shape::Value, _) => {
                return self.value(field, value);
            }
            (Shape::Word(words), "a string") => {
                return self.word(field, words, value, decoding, notes);
            }
            (Shape::Text, _) => "a string",
            (Shape::Flag, _) => "a boolean",
            (Shape::Object, _) => "an object",
            (Shape::Array, _) => "an array",
            (Shape::Word(_), _) => "a word",
        };
        wrong_type(field, kind, wanted, decoding, notes)
    }

    fn value(&mut self, field: AnswerField, value: &str) -> Result<()> {
        let json = Json::parse(value).map_err(|error| Failure::Unusable {
            field: field.short_name(),
            what: error.to_string(),
        })?;
        self.values.insert(field, json);
        Ok(())
    }

    fn word(
        &mut self,
        field: AnswerField,
        words: &[Decision],
        value: &str,
        decoding: &Decoding<'_>,
        notes: &mut Notes,
    ) -> Result<()> {
        let said = string(value).unwrap_or_default();
        let Some(word) = words.iter().find(|word| word.as_str() == said) else {
            if decoding.profile.dialect.answers.wrong_type == Oddity::LeftOut {
                let why = WhyIgnored::WrongType("another word");
                notes.push(Ignored::new(field.short_name(), why));
                return Ok(());
            }
            let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
            return Err(Failure::UnknownWord {
                field: field.short_name(),
                word: said.chars().take(40).collect(),
                wanted: words.join(" or "),
            });
        };
        let place = match field {
            AnswerField::Decision => &mut self.decision,
            AnswerField::PermissionDecision => &mut self.permission,
            _ => &mut self.behavior,
        };
        *place = Some(*word);
        Ok(())
    }

    pub(super) fn text(&self, field: AnswerField) -> Option<&str> {
        self.texts.get(&field).map(String::as_str)
    }

    pub(super) fn flag(&self, field: AnswerField) -> Option<bool> {
        self.flags.get(&field).copied()
    }
}

/// The members that are fields, each with its last value; the others are noted or make the answer void.
fn known<'a>(
    members: &Members<'a>,
    fields: &[AnswerField],
    decoding: &Decoding<'_>,
    notes: &mut Notes,
) -> Result<BTreeMap<AnswerField, &'a str>> {
    let mut found = BTreeMap::new();
    for member in members {
        let field = fields.iter().find(|f| f.short_name() == member.name);
        let Some(field) = field else {
            if decoding.profile.dialect.answers.unknown_key == Oddity::Fails {
                let field = member.name.chars().take(60).collect();
                return Err(Failure::UnknownField { field });
            }
            notes.push(Ignored::new(&*member.name, WhyIgnored::UnknownField));
            continue;
        };
        if found.insert(*field, member.value).is_some() {
            notes.push(Ignored::new(&*member.name, WhyIgnored::Repeated));
        }
    }
    Ok(found)
}

fn wrong_type(
    field: AnswerField,
    found: &'static str,
    wanted: &'static str,
    decoding: &Decoding<'_>,
    notes: &mut Notes,
) -> Result<()> {
    let field = field.short_name();
    match decoding.profile.dialect.answers.wrong_type {
        Oddity::LeftOut => {
            notes.push(Ignored::new(field, WhyIgnored::WrongType(found)));
            Ok(())
        }
        Oddity::Fails => Err(Failure::WrongType {
            field,
            found,
            wanted,
        }),
    }
}
