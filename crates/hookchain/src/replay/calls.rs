//! Recorded calls, one after the other.

use std::{fmt, path::Path};

use hook_audit::{Captured, ConsultationEnded, NotExact, Reader, Record, RecordedOutcome};
use hook_contract::{HookCall, HookEvent, HookRequest, Json};
use thiserror::Error;

use super::{ReplayArgs, upshot::Upshot, why::Said};
use crate::{
    command_error::CommandError,
    log::{Group, Groups},
};

/// The calls that are chosen, in the order in which they ended.
pub(super) struct Calls<'a> {
    args: &'a ReplayArgs,
    reader: Reader,
    groups: Groups,
}

/// A call that can be replayed.
#[derive(Debug)]
pub(super) struct RecordedCall {
    /// The line of its end.
    pub(super) place: String,
    pub(super) ended: ConsultationEnded,
    /// What became of it.
    pub(super) upshot: Upshot,
    /// What each participant said.
    pub(super) said: Vec<Said>,
    input_json: String,
    output: Option<Json>,
}

/// Why a call cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum Incomplete {
    /// Nobody knows what would have become of it.
    #[error("the runtime dropped the consultation")]
    Abandoned,
    #[error("{0}: {1}")]
    Value(&'static str, #[source] NotExact),
    #[error("the output is missing")]
    NoOutput,
}

/// What is in the records.
#[derive(Debug)]
pub(super) enum Item {
    Call(Box<RecordedCall>),
    Incomplete {
        place: String,
        why: Incomplete,
    },
    Unreadable {
        place: String,
        error: hook_audit::RecordError,
    },
    Lost(u64),
}

impl<'a> Calls<'a> {
    pub(super) fn open(args: &'a ReplayArgs) -> Result<Self, CommandError> {
        let mut reader = Reader::open(&args.records).map_err(CommandError::Records)?;
        if let Some(since) = args.since {
            // A call may have begun the day before it ended.
            reader = reader.since(since.date().days_before(1));
        }
        Ok(Self {
            args,
            reader,
            groups: Groups::default(),
        })
    }

    /// So many calls that can be replayed, and nothing else.
    pub(super) fn take(
        self,
        calls: usize,
    ) -> impl Iterator<Item = Result<Box<RecordedCall>, CommandError>> {
        let calls_only = |item| match item {
            Ok(Item::Call(call)) => Some(Ok(call)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        };
        self.filter_map(calls_only).take(calls)
    }

    fn is_wanted(&self, ended: &ConsultationEnded) -> bool {
        let args = self.args;
        args.since.is_none_or(|since| ended.at >= since)
            && args
                .tool
                .as_ref()
                .is_none_or(|tool| *tool == ended.tool_name)
            && args
                .recorded_in
                .as_ref()
                .is_none_or(|workspace| Path::new(workspace) == Path::new(&ended.workspace))
    }

    fn next_item(&mut self) -> Result<Option<Item>, CommandError> {
        loop {
            let line = self.reader.next_line().map_err(CommandError::Records)?;
            let Some(line) = line else {
                return Ok(None);
            };
            let place = line.place().to_string();
            let record = match line.record() {
                Ok(Record::Lost(lost)) => return Ok(Some(Item::Lost(lost.records))),
                Ok(record) => record,
                Err(error) => return Ok(Some(Item::Unreadable { place, error })),
            };
            // Calls without an end are not compared with anything.
            let group = self.groups.add(record, String::new());
            let Some((group, ended)) = group
                .as_ref()
                .and_then(|group| Some((group, group.ended()?)))
            else {
                continue;
            };
            if self.is_wanted(ended) {
                return Ok(Some(item(place, group, ended)));
            }
        }
    }
}

impl Iterator for Calls<'_> {
    type Item = Result<Item, CommandError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_item().transpose()
    }
}

fn item(place: String, group: &Group, ended: &ConsultationEnded) -> Item {
    match RecordedCall::new(place.clone(), group, ended) {
        Ok(call) => Item::Call(Box::new(call)),
        Err(why) => Item::Incomplete { place, why },
    }
}

impl RecordedCall {
    fn new(place: String, group: &Group, ended: &ConsultationEnded) -> Result<Self, Incomplete> {
        if ended.outcome == RecordedOutcome::Abandoned {
            return Err(Incomplete::Abandoned);
        }
        let input = exact("its input", &ended.input)?;
        let output = ended.output.as_ref();
        let output = output
            .map(|output| exact("its output", output))
            .transpose()?;
        if output.is_none() && ended.point == HookEvent::PostToolUse {
            return Err(Incomplete::NoOutput);
        }
        Ok(Self {
            place,
            upshot: Upshot::recorded(ended)?,
            said: group.steps().into_iter().map(Said::recorded).collect(),
            input_json: input_json(input, ended.asked),
            output: output.cloned(),
            ended: ended.clone(),
        })
    }

    /// The question as it is put today.
    pub(super) fn request(&self, workspace: &Path) -> HookRequest {
        let ended = &self.ended;
        let call = HookCall::new(
            &ended.agent_id,
            &ended.tool_name,
            &ended.tool_call_id,
            &self.input_json,
        );
        let request = HookRequest::from_call(ended.point, workspace, &call);
        match &self.output {
            None => request,
            Some(output) => request.with_output(output.clone(), ended.is_error.unwrap_or(false)),
        }
    }
}

/// The text that the runtime had. What is no JSON, or JSON with two readings, was recorded as a JSON string of it.
fn input_json(input: &Json, asked: u64) -> String {
    let raw = serde_json::from_str::<String>(input.text()).ok();
    let is_raw = |text: &String| match Json::parse(text) {
        Ok(_) => false,
        // Whoever was asked about it was asked about a string.
        Err(error) => asked == 0 || !error.is_ambiguous(),
    };
    raw.filter(is_raw)
        .unwrap_or_else(|| input.text().to_owned())
}

fn exact<'a>(what: &'static str, captured: &'a Captured) -> Result<&'a Json, Incomplete> {
    captured
        .exact()
        .map_err(|error| Incomplete::Value(what, error))
}

impl fmt::Debug for Calls<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calls").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_the_same_question_again() {
        for text in [
            r#"{"a":1.0}"#,
            "rm -rf /",
            r#""a string""#,
            r#"{"a":1,"a":2}"#,
            r#""{\"a\":1}""#,
            "null",
        ] {
            let call = HookCall::new("agent-1", "shell", "call-1", text);
            let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/"), &call);
            let again = HookCall::new("agent-1", "shell", "call-1", input_json(&request.input, 0));
            let again = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/"), &again);
            assert_eq!(again, request, "{text}");
        }
    }

    #[test]
    fn a_string_that_was_asked_about_stays_one() {
        let string = Json::parse(r#""{\"a\":1,\"a\":2}""#).expect("JSON");
        assert_eq!(input_json(&string, 1), string.text());
        assert_eq!(input_json(&string, 0), r#"{"a":1,"a":2}"#);
    }
}
