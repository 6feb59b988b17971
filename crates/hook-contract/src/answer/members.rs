//! The members of an answer as they were written, and what they amount to.
//!
//! A denial and an ask stay what they are whatever else is wrong with the answer: a member of theirs that cannot be used is
//! left out. In every other answer such a member is an error, because the call would run on half of what was meant. A
//! program's answer is read by the same rule (hook-wire), with a note for each member that is left out.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, Visitor},
};

use super::{Answer, Rewrite};
use crate::{Decision, Json, json::Attempt};

/// The names that are read; every other member says nothing.
const NAMES: [&str; 6] = [
    "decision", "reason", "context", "input", "output", "is_error",
];

/// The members of those names, in order, repeated ones included.
pub(super) struct Members(Vec<(&'static str, Attempt)>);

impl Members {
    /// # Errors
    ///
    /// When there is no decision, or it needs what is not there or cannot be used.
    pub(super) fn answer<E: Error>(self) -> Result<Answer, E> {
        match self.stopping_word() {
            Some(decision) => Ok(self.stop(decision)),
            None => self.strictly(),
        }
    }

    /// The decision of an answer that says nothing but `deny` and `ask`, `deny` before `ask`.
    fn stopping_word(&self) -> Option<Decision> {
        let mut words = self.all("decision");
        let stops = words.try_fold(None, |found, value| {
            match (value.and_then(|value| value.as_str()), found) {
                (Some("deny"), _) | (Some("ask"), Some(Decision::Deny)) => {
                    Some(Some(Decision::Deny))
                }
                (Some("ask"), _) => Some(Some(Decision::Ask)),
                _ => None,
            }
        });
        stops.flatten()
    }

    fn stop(&self, decision: Decision) -> Answer {
        let mut reasons = self.all("reason").flatten();
        let rewrite = (decision == Decision::Ask).then(|| self.asked_about());
        Answer {
            decision,
            rewrite: rewrite.flatten(),
            reason: reasons.find_map(|reason| reason.as_str().map(str::to_owned)),
            context: usable(self.text("context")).into_iter().collect(),
        }
    }

    /// The one rewrite beside an ask, if it can be used.
    fn asked_about(&self) -> Option<Rewrite> {
        let is_there = |name| {
            self.all(name)
                .any(|value| value.is_none_or(|value| !value.is_null()))
        };
        let is_error = || usable(self.flag());
        match (is_there("input"), self.all("output").next().is_some()) {
            (true, false) => usable(self.input()).map(Rewrite::Input),
            (false, true) => {
                usable(self.once("output")).map(|output| Rewrite::output(output, is_error()))
            }
            _ => None,
        }
    }

    fn strictly<E: Error>(&self) -> Result<Answer, E> {
        let word = self
            .once("decision")?
            .ok_or_else(|| E::missing_field("decision"))?;
        let decision = Decision::deserialize(word.value()).map_err(E::custom)?;
        let rewrite = match decision {
            Decision::Modify => {
                let input = self.input()?.ok_or_else(|| E::missing_field("input"))?;
                Some(Rewrite::Input(input))
            }
            Decision::Replace => {
                let output = self.once("output")?;
                let output = output.ok_or_else(|| E::missing_field("output"))?;
                Some(Rewrite::output(output, self.flag()?))
            }
            Decision::Allow | Decision::Deny | Decision::Ask => None,
        };
        Ok(Answer {
            decision,
            rewrite,
            reason: self.text("reason")?,
            context: self.text("context")?.into_iter().collect(),
        })
    }

    /// Another input, which must be an object.
    fn input<E: Error>(&self) -> Result<Option<Json>, E> {
        self.wanted(
            "input",
            "an object: the whole new input of the tool",
            |value| value.is_object().then(|| value.clone()),
        )
    }

    fn text<E: Error>(&self, name: &'static str) -> Result<Option<String>, E> {
        self.wanted(name, "a string", |value| value.as_str().map(str::to_owned))
    }

    fn flag<E: Error>(&self) -> Result<Option<bool>, E> {
        self.wanted("is_error", "true or false", |value| value.as_bool())
    }

    /// A member of one type; nothing where it is absent or `null`.
    fn wanted<T, E: Error>(
        &self,
        name: &'static str,
        what: &str,
        read: impl FnOnce(&Json) -> Option<T>,
    ) -> Result<Option<T>, E> {
        let value = self.once(name)?.filter(|value| !value.is_null());
        value
            .map(|value| {
                read(&value).ok_or_else(|| E::custom(format_args!("`{name}` must be {what}")))
            })
            .transpose()
    }

    /// The value of a member that is there at most once.
    fn once<E: Error>(&self, name: &'static str) -> Result<Option<Json>, E> {
        let mut members = self.0.iter().filter(|(found, _)| *found == name);
        match (members.next(), members.next()) {
            (None, _) => Ok(None),
            (Some((_, Attempt(Ok(value)))), None) => Ok(Some(value.clone())),
            (Some((_, Attempt(Err(error)))), None) => {
                Err(E::custom(format_args!("`{name}`: {error}")))
            }
            (Some(_), Some(_)) => Err(E::duplicate_field(name)),
        }
    }

    /// The values of the members of that name; nothing for one that has not one reading.
    fn all(&self, name: &'static str) -> impl Iterator<Item = Option<&Json>> {
        let members = self.0.iter().filter(move |(found, _)| *found == name);
        members.map(|(_, Attempt(read))| read.as_ref().ok())
    }
}

/// What can be used of a stop.
fn usable<T>(read: Result<Option<T>, serde::de::value::Error>) -> Option<T> {
    read.ok().flatten()
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Object)
    }
}

/// Takes an object and nothing else: what serde derives would also take an array, by position.
struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an answer, which is an object with a `decision`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let mut members = Vec::new();
        // A name may hold half of a surrogate pair, and is then none that is known.
        while let Some(Attempt(name)) = map.next_key()? {
            let known = name.ok().and_then(|name| {
                let name = name.as_str()?;
                NAMES.into_iter().find(|known| *known == name)
            });
            match known {
                Some(name) => members.push((name, map.next_value()?)),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Members(members))
    }
}
