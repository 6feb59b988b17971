//! The bytes that a hook is asked with.

use hook_contract::Json;
use serde_json::Value;
use thiserror::Error;

use crate::dialect::{Dialect, EventRow, Fact, Presence};

mod canonical;

/// What is known about an event, for its hooks to be told.
///
/// Which of it a hook is told, and in which order, is the event's; what an event has no place for is not told.
///
/// ```
/// use hook_contract::Json;
/// use hook_dialect::{Dialect, Fact, Facts, payload};
///
/// let facts = Facts::new()
///     .with(Fact::SessionId, "s1")
///     .with(Fact::Cwd, "/repo")
///     .with(Fact::Reason, "other");
/// let bytes = payload("SessionEnd", &facts, Dialect::CODEX)?;
/// let expected = r#"{"session_id":"s1","transcript_path":null,"cwd":"/repo","hook_event_name":"SessionEnd","reason":"other"}"#;
/// assert_eq!(bytes, expected.as_bytes());
/// # Ok::<(), hook_dialect::PayloadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts(Vec<(Fact, Json)>);

impl Facts {
    /// Nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same and this; what was known of it before is forgotten.
    #[must_use]
    pub fn with(mut self, fact: Fact, value: impl Into<Value>) -> Self {
        self.set(fact, Json::from(value.into()));
        self
    }

    /// The same and this value, whose numbers keep their digits.
    #[must_use]
    pub fn with_json(mut self, fact: Fact, value: Json) -> Self {
        self.set(fact, value);
        self
    }

    /// Sets a fact.
    pub fn set(&mut self, fact: Fact, value: Json) {
        self.0.retain(|(known, _)| *known != fact);
        self.0.push((fact, value));
    }

    /// What is known of it.
    #[must_use]
    pub fn get(&self, fact: Fact) -> Option<&Json> {
        self.0
            .iter()
            .find(|(known, _)| *known == fact)
            .map(|(_, value)| value)
    }

    /// The text of a fact that is one.
    #[must_use]
    pub fn text(&self, fact: Fact) -> Option<&str> {
        self.get(fact).and_then(|value| value.as_str())
    }

    /// These, and what the others know beside them.
    #[must_use]
    pub fn or(mut self, others: &Self) -> Self {
        for (fact, value) in &others.0 {
            if self.get(*fact).is_none() {
                self.0.push((*fact, value.clone()));
            }
        }
        self
    }

    /// What is known and this event has no place for.
    pub fn untold<'a>(&'a self, event: &'a EventRow) -> impl Iterator<Item = Fact> + 'a {
        let told = |fact: Fact| event.payload.iter().any(|field| field.fact == fact);
        self.0
            .iter()
            .map(|(fact, _)| *fact)
            .filter(move |fact| !told(*fact))
    }
}

/// Why there is no payload.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PayloadError {
    /// The agent has no such event.
    #[error("{dialect} has no event `{event}`; name one that it has")]
    #[non_exhaustive]
    NoEvent {
        /// The event.
        event: String,
        /// The agent.
        dialect: &'static str,
    },
    /// Something that hooks of this event are always told is not known.
    #[error("hooks of {event} are always told `{}`, and it is not known; set it", fact.name())]
    #[non_exhaustive]
    Missing {
        /// The event.
        event: &'static str,
        /// What is missing.
        fact: Fact,
    },
}

/// The payload of an event: the fields, the order, the escapes and the end of an agent's own.
///
/// Texts are written without needless escapes, as the agents do, so that a hook which searches the bytes for a word
/// finds it however the model wrote it. Numbers keep their digits.
///
/// # Errors
///
/// When the agent has no such event, or something that its hooks are always told is not known: a hook that is told half
/// of it guards nothing.
pub fn payload(event: &str, facts: &Facts, dialect: &Dialect) -> Result<Vec<u8>, PayloadError> {
    let row = dialect.event(event).ok_or_else(|| PayloadError::NoEvent {
        event: event.to_owned(),
        dialect: dialect.title,
    })?;
    let mut text = String::from("{");
    for field in row.payload {
        let value = match (field.fact, facts.get(field.fact), field.presence) {
            (Fact::HookEventName, ..) => Some(canonical::string(row.name)),
            (_, Some(value), _) => Some(canonical::value(value.text())),
            (_, None, Presence::Optional) => None,
            (_, None, Presence::Nullable) => Some("null".to_owned()),
            (fact, None, Presence::Required) => {
                let event = row.name;
                return Err(PayloadError::Missing { event, fact });
            }
        };
        if let Some(value) = value {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&canonical::string(field.fact.name()));
            text.push(':');
            text.push_str(&value);
        }
    }
    text.push('}');
    if dialect.newline {
        text.push('\n');
    }
    Ok(text.into_bytes())
}

#[cfg(test)]
mod tests;
