//! Whether an output is JSON, text or neither.

use hook_contract::json::{Members, kind_of};

use super::{denial, json};
use crate::{
    Failure,
    dialect::{AnswerField, JsonShape, Profile, Trim},
};

/// What an output is.
pub(super) enum Reading<'a> {
    Empty,
    Text,
    Object(Members<'a>),
    /// Meant as JSON, and not readable.
    Broken(Failure),
    /// The hook goes on in the background.
    Detached,
}

/// The text of an output without the white space around it.
pub(super) fn trimmed(bytes: &[u8], trim: Trim) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = match trim {
        Trim::Unicode => text.trim(),
        Trim::EcmaScript => text.trim_matches(|c: char| {
            // Not white space there: the next line of Unicode.
            c == '\u{feff}' || c.is_whitespace() && c != '\u{85}'
        }),
    };
    text.to_owned()
}

impl<'a> Reading<'a> {
    pub(super) fn of(text: &'a str, profile: Profile) -> Self {
        let rules = &profile.dialect.answers;
        if text.is_empty() {
            return Self::Empty;
        }
        let announces = |line| announces_background(line, profile);
        if rules.detaches && text.lines().next().is_some_and(announces) {
            return Self::Detached;
        }
        let meant = match rules.json {
            JsonShape::Braces => text.starts_with('{') && text.ends_with('}'),
            JsonShape::Opened => text.starts_with(['{', '[']),
            JsonShape::Readable => text.starts_with('{'),
        };
        if !meant {
            return Self::Text;
        }
        let members = serde_json::from_str::<Members<'a>>(text).and_then(|members| {
            if rules.reads_every_value {
                serde_json::from_str::<serde_json::Value>(text)?;
            }
            Ok(members)
        });
        match members {
            Ok(members) if rules.detaches && leaves(&members, text, profile) => Self::Detached,
            Ok(members) => Self::Object(members),
            Err(_) if rules.json == JsonShape::Readable => Self::Text,
            Err(_) if rules.json == JsonShape::Braces && is_a_log(text) => Self::Text,
            Err(_) if text.starts_with('[') && json::is_value(text) => {
                Self::Broken(Failure::NotAnObject {
                    found: kind_of(text),
                })
            }
            Err(error) => Self::Broken(Failure::NotJson {
                what: error.to_string(),
            }),
        }
    }
}

fn members_last<'a>(members: &Members<'a>, name: &str) -> Option<&'a str> {
    let mut named = members.iter().filter(|member| member.name == name);
    named.next_back().map(|member| member.value)
}

fn is_true(value: Option<&str>) -> bool {
    value == Some("true")
}

/// Whether a line says that its hook goes on in the background.
pub(crate) fn announces_background(line: &str, profile: Profile) -> bool {
    let line = line.trim();
    line.starts_with('{')
        && serde_json::from_str::<Members<'_>>(line)
            .is_ok_and(|members| leaves(&members, line, profile))
}

/// Whether an object says that its hook goes on in the background. One that refuses or asks as well has decided, unless the
/// agent is followed to the letter.
fn leaves(members: &Members<'_>, text: &str, profile: Profile) -> bool {
    let says = |words| denial::find(text, words).is_some();
    is_true(members_last(members, "async"))
        && (profile.strict || !says(denial::REFUSES) && !says(denial::ASKS))
}

/// Whether a text is several lines of JSON of which none says anything to the agent.
fn is_a_log(text: &str) -> bool {
    let says_something = |line: &str| {
        serde_json::from_str::<Members<'_>>(line).is_ok_and(|members| {
            let known = |name: &str| AnswerField::named(name).is_some_and(AnswerField::is_top);
            members.iter().any(|member| known(&member.name))
        })
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.all(|line| json::is_value(line) && !says_something(line))
}
