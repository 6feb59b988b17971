//! From the bytes of an agent to a question.

use std::{fmt, path::Path};

use hook_contract::{
    HookCall, HookEvent, HookRequest, Json,
    json::{JsonError, Members},
};
use thiserror::Error;

use super::{Attendance, Bridge, BridgeRow, told::Told};
use crate::dialect::Fact;

/// What an agent asks.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "whoever answers must act on each")]
pub enum Reading {
    /// An event that is about no tool call, or about one that the chain has judged before: there is nothing to say.
    NothingToSay {
        /// The event.
        event: &'static str,
    },
    /// A tool call, or its result.
    Tool(Box<Asked>),
}

/// A question of an agent about a tool call.
#[derive(Debug)]
pub struct Asked {
    pub(super) bridge: &'static Bridge,
    pub(super) row: &'static BridgeRow,
    pub(super) call: HookCall,
    /// The result as text; nothing before the call.
    pub(super) result: Option<String>,
    /// How the agent permits calls, in its own word.
    pub(super) permission_mode: Option<String>,
    pub(super) attendance: Attendance,
    /// Words for the user beside every answer.
    pub(super) remarks: Vec<String>,
    /// What else the payload says of the call.
    told: Told,
}

/// Why the payload of an agent is none that is known. The agent must not go on: nobody knows what it asks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PayloadFault {
    /// Nothing was sent.
    #[error("{agent} sent nothing on standard input; this command is for its hook settings")]
    #[non_exhaustive]
    Empty {
        /// The agent.
        agent: &'static str,
    },
    /// It is not text.
    #[error("what {agent} sent is not UTF-8")]
    #[non_exhaustive]
    NotUtf8 {
        /// The agent.
        agent: &'static str,
    },
    /// It is not a JSON object.
    #[error("what {agent} sent is no JSON object: {message}")]
    #[non_exhaustive]
    NotAnObject {
        /// The agent.
        agent: &'static str,
        /// What a parser says of it.
        message: String,
    },
    /// A member stands there twice.
    #[error("`{name}` stands twice in what {agent} sent, and has two readings")]
    #[non_exhaustive]
    Twice {
        /// The agent.
        agent: &'static str,
        /// The member.
        name: String,
    },
    /// Something that is always there is missing.
    #[error(
        "`{name}` is missing in what {agent} sent; {agent} may be newer than {checked}, and this program too old for it"
    )]
    #[non_exhaustive]
    Missing {
        /// The agent.
        agent: &'static str,
        /// The member.
        name: &'static str,
        /// The version of the agent that is known.
        checked: &'static str,
    },
    /// Something is not of the type that is known.
    #[error(
        "`{name}` is not a text in what {agent} sent; {agent} may be newer than {checked}, and this program too old for it"
    )]
    #[non_exhaustive]
    NotText {
        /// The agent.
        agent: &'static str,
        /// The member.
        name: &'static str,
        /// The version of the agent that is known.
        checked: &'static str,
    },
    /// The event is not known.
    #[error(
        "`{event}` is no event of {agent} {checked}; leave it out of the hook settings, or use a newer hookchain"
    )]
    #[non_exhaustive]
    UnknownEvent {
        /// The agent.
        agent: &'static str,
        /// The event.
        event: String,
        /// The version of the agent that is known.
        checked: &'static str,
    },
}

/// Why nobody can be asked about a call: two programs would not read the same in it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "denied before any hook was asked: the {part} of the call cannot be read as one value ({error})"
)]
pub struct Unreadable {
    part: &'static str,
    error: JsonError,
}

impl Bridge {
    /// Reads what the agent sent.
    ///
    /// Members that are not known are left alone: agents grow.
    ///
    /// # Errors
    ///
    /// When it is nothing that this agent is known to send. Whoever called must not take that for consent.
    pub fn read(&'static self, payload: &[u8]) -> Result<Reading, PayloadFault> {
        let agent = self.dialect.title;
        let text =
            std::str::from_utf8(payload).map_err(|_bytes| PayloadFault::NotUtf8 { agent })?;
        if text.trim().is_empty() {
            return Err(PayloadFault::Empty { agent });
        }
        let members: Members<'_> =
            serde_json::from_str(text).map_err(|error| PayloadFault::NotAnObject {
                agent,
                message: error.to_string(),
            })?;
        Payload::new(self, &members)?.read()
    }
}

/// The members of a payload, each of them once.
struct Payload<'a> {
    bridge: &'static Bridge,
    members: &'a Members<'a>,
}

impl<'a> Payload<'a> {
    fn new(bridge: &'static Bridge, members: &'a Members<'a>) -> Result<Self, PayloadFault> {
        let mut names: Vec<&str> = members.iter().map(|member| member.name.as_ref()).collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair.first() == pair.last());
        if let Some(name) = twice.and_then(|pair| pair.first()) {
            return Err(PayloadFault::Twice {
                agent: bridge.dialect.title,
                name: hook_contract::shown::line(name),
            });
        }
        Ok(Self { bridge, members })
    }

    fn read(&self) -> Result<Reading, PayloadFault> {
        let dialect = self.bridge.dialect;
        let event = self.text(Fact::HookEventName)?;
        let Some(row) = self.bridge.row(&event) else {
            let known = dialect.event(&event).map(|row| row.name);
            let event = known.ok_or_else(|| PayloadFault::UnknownEvent {
                agent: dialect.title,
                event: hook_contract::shown::line(&event),
                checked: dialect.checked_against,
            })?;
            return Ok(Reading::NothingToSay { event });
        };
        let agent_id = match self.members.get(Fact::AgentId.name()) {
            None | Some("null") => self.text(Fact::SessionId)?,
            Some(_) => self.text(Fact::AgentId)?,
        };
        let mut call = HookCall::new(
            agent_id,
            self.text(Fact::ToolName)?,
            self.text(row.call_id)?,
            self.value(Fact::ToolInput)?,
        );
        let cwd = self.text(Fact::Cwd).ok();
        call.cwd = cwd.filter(|cwd| Path::new(cwd).is_absolute());
        call.session_id = self.text(Fact::SessionId).ok();
        let result = match row.outcome {
            None => None,
            Some(outcome) => Some(self.value(outcome.fact)?.to_owned()),
        };
        Ok(Reading::Tool(Box::new(Asked {
            bridge: self.bridge,
            row,
            call,
            result,
            permission_mode: self.text(Fact::PermissionMode).ok(),
            attendance: Attendance::Unknown,
            remarks: Vec::new(),
            told: Told::of(self.members, row),
        })))
    }

    fn value(&self, fact: Fact) -> Result<&'a str, PayloadFault> {
        let dialect = self.bridge.dialect;
        let missing = PayloadFault::Missing {
            agent: dialect.title,
            name: fact.name(),
            checked: dialect.checked_against,
        };
        self.members.get(fact.name()).ok_or(missing)
    }

    /// A text that is not empty.
    fn text(&self, fact: Fact) -> Result<String, PayloadFault> {
        let dialect = self.bridge.dialect;
        let text: Option<String> = serde_json::from_str(self.value(fact)?).ok();
        let text = text.filter(|text| !text.is_empty());
        text.ok_or(PayloadFault::NotText {
            agent: dialect.title,
            name: fact.name(),
            checked: dialect.checked_against,
        })
    }
}

impl Asked {
    /// The chain's event.
    #[must_use]
    pub const fn event(&self) -> HookEvent {
        self.row.asks()
    }

    /// The event, as the agent names it.
    #[must_use]
    pub const fn event_name(&self) -> &'static str {
        self.row.event
    }

    /// The tool, as the agent names it.
    #[must_use]
    pub fn tool_name(&self) -> &str {
        &self.call.tool_name
    }

    /// Says whether a person sits before the agent, as [`Bridge::attendance`] found it. Without it no ask is handed on.
    #[must_use]
    pub fn with_attendance(self, attendance: Attendance) -> Self {
        Self { attendance, ..self }
    }

    /// Tells the user something beside whatever is answered, where the agent shows it to the user alone.
    ///
    /// ```
    /// use hook_contract::HookOutcome;
    /// use hook_dialect::bridge::{Answer, Bridge, Reading};
    /// use hook_runner::Consultation;
    ///
    /// let payload = br#"{"session_id":"s1","cwd":"/repo","hook_event_name":"PreToolUse",
    ///     "tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_01"}"#;
    /// let Reading::Tool(mut asked) = Bridge::CLAUDE.read(payload)? else { panic!("a tool event") };
    /// asked.remark("the disk is full");
    /// let answer = asked.answer(&Consultation::of(HookOutcome::Allow));
    /// let stdout = "{\"systemMessage\":\"the disk is full\"}\n".to_owned();
    /// assert_eq!(answer, Answer::Nothing { stdout });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remark(&mut self, words: impl Into<String>) {
        self.remarks.push(words.into());
    }

    /// What the chain is asked.
    ///
    /// `cwd` and `session_id` are the payload's. `extensions` has one member, the name of the agent, with everything of the
    /// payload that has no other place in the request: `{"claude":{"hook_event_name":"PreToolUse","permission_mode":"plan"}}`.
    /// A member with two readings is left out of it.
    ///
    /// # Errors
    ///
    /// When the input or the result is no value, or more than one: the call must not happen, unless no hook would have
    /// been asked about it.
    pub fn request(&self, workspace: &Path) -> Result<HookRequest, Unreadable> {
        let unreadable = |part| move |error| Unreadable { part, error };
        let input = Json::parse(&self.call.input_json).map_err(unreadable("input"))?;
        let mut request =
            HookRequest::from_call(self.event(), workspace, &self.call).with_input(input);
        request.extensions = self.told.below(self.bridge.dialect.name);
        let (Some(outcome), Some(result)) = (self.row.outcome, &self.result) else {
            return Ok(request);
        };
        let output = Json::parse(result).map_err(unreadable("result"))?;
        Ok(request.with_output(output, outcome.is_error))
    }
}

impl fmt::Display for Asked {
    /// The event and the tool, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tool = hook_contract::shown::line(&self.call.tool_name);
        write!(f, "{} of {tool}", self.row.event)
    }
}
