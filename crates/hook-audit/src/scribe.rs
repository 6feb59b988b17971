//! Messages to records: what belongs together in a consultation is put together here, on the writer's thread.

mod said;

use std::collections::BTreeMap;

use hook_contract::{HookRequest, Json};

use self::said::Form;
use crate::{
    Captured, ConsultationEnded, HookInvoked, HookResult, Record, Timestamp,
    captured::Capturing,
    handler_id,
    message::{Answered, Begun, Ended, Invoked, Message, What},
    record::millis,
};

/// Makes records of messages.
#[derive(Debug)]
pub(crate) struct Scribe {
    /// Tells the consultations of this recorder from those of all others.
    recorder: String,
    capturing: Capturing,
    open: BTreeMap<u64, Open>,
}

/// A consultation that has not ended.
#[derive(Debug)]
struct Open {
    begun: Begun,
    id: String,
    asked: u64,
    input: Kept,
    output: Option<Kept>,
}

/// A value as the participants so far left it, and what is kept of it.
#[derive(Debug)]
struct Kept {
    value: Json,
    captured: Captured,
    /// Whether it is the call's own, which stands in the record of the consultation.
    is_original: bool,
    /// Whether it stands in the record of a question already.
    is_written: bool,
}

impl Scribe {
    pub(crate) fn new(recorder: String, capturing: Capturing) -> Self {
        Self {
            recorder,
            capturing,
            open: BTreeMap::new(),
        }
    }

    pub(crate) fn recorder(&self) -> &str {
        &self.recorder
    }

    /// The record that a message makes, if it makes one.
    pub(crate) fn record(&mut self, message: Message) -> Option<Record> {
        let number = message.consultation;
        match message.what {
            What::Begun(begun) => {
                self.begin(number, *begun);
                None
            }
            What::Invoked(invoked) => self.invoked(number, &invoked).map(Record::Invoked),
            What::Answered(answered) => self.answered(number, *answered).map(Record::Result),
            What::Ended(ended) => self.ended(number, *ended).map(Record::Consultation),
            What::Cut => {
                self.open.remove(&number);
                None
            }
        }
    }

    fn begin(&mut self, number: u64, begun: Begun) {
        let request = &begun.request;
        let original = |value: &Json| Kept {
            value: value.clone(),
            captured: self.capturing.value(value),
            is_original: true,
            is_written: false,
        };
        let open = Open {
            id: format!("{}-{number}", self.recorder),
            asked: 0,
            input: original(&request.input),
            output: request.output.as_ref().map(original),
            begun,
        };
        self.open.insert(number, open);
    }

    fn invoked(&mut self, number: u64, invoked: &Invoked) -> Option<HookInvoked> {
        let open = self.open.get_mut(&number)?;
        open.asked += 1;
        open.input.follow(&self.capturing, &invoked.request.input);
        if let (Some(kept), Some(output)) = (&mut open.output, &invoked.request.output) {
            kept.follow(&self.capturing, output);
        }
        let (who, request) = (&invoked.who, &open.begun.request);
        Some(HookInvoked {
            at: invoked.at.into(),
            consultation: open.id.clone(),
            turn: open.begun.turn.clone(),
            point: request.event,
            dialect: who.dialect().to_owned(),
            handler_id: handler_id(who, request.event, &request.workspace),
            pass: invoked.pass,
            kind: who.kind().to_owned(),
            name: who.name().to_owned(),
            origin: who.origin().to_string(),
            matcher: who.matcher().map(str::to_owned),
            tool_name: self.capturing.name(&request.tool_name),
            tool_call_id: self.capturing.name(&request.tool_call_id),
            agent_id: self.capturing.name(&request.agent_id),
            input: open.input.shown(),
            output: open.output.as_mut().map(Kept::shown),
        })
    }

    fn answered(&self, number: u64, answered: Answered) -> Option<HookResult> {
        let open = self.open.get(&number)?;
        let HookRequest {
            event, workspace, ..
        } = &*open.begun.request;
        let words = |text: String| self.capturing.words(text);
        let (exit_code, signal) = said::exit(answered.exit);
        let hooks = answered.hooks.into_iter();
        Some(HookResult {
            at: answered.at.into(),
            consultation: open.id.clone(),
            handler_id: handler_id(&answered.who, *event, workspace),
            pass: answered.pass,
            decision: answered.decision,
            failure: answered.failure.map(|mut failure| {
                failure.message = words(failure.message);
                failure
            }),
            reason: answered.reason.map(words),
            exit_code,
            signal,
            stderr_summary: answered.stderr_summary.map(words),
            duration_ms: millis(answered.took),
            queued_ms: millis(answered.queued),
            bytes_sent: answered.bytes_sent as u64,
            bytes_received: answered.bytes_received as u64,
            changed: answered.changed,
            hooks: hooks
                .map(|hook| said::hook(&self.capturing, hook))
                .collect(),
            in_background: answered.in_background as u64,
        })
    }

    fn ended(&mut self, number: u64, ended: Ended) -> Option<ConsultationEnded> {
        let open = self.open.remove(&number)?;
        let Begun {
            since,
            request,
            turn,
        } = open.begun;
        let original = |kept: Kept, value: &Json| {
            if kept.is_original {
                kept.captured
            } else {
                self.capturing.value(value)
            }
        };
        let output = open.output.zip(request.output.as_ref());
        let concluded = ended.result;
        let form = Form::of_concluded(concluded.as_ref());
        let is_handed_on = concluded.as_ref().is_some_and(|it| it.is_handed_on);
        let asked = concluded.as_ref().and_then(|it| it.asked.as_ref());
        let context_bytes = concluded.as_ref().map_or(0, |it| it.context_bytes);
        let context = concluded.as_ref().map_or(&[][..], |it| &it.context);
        Some(ConsultationEnded {
            at: Timestamp::from(ended.at),
            consultation: open.id,
            turn,
            point: request.event,
            workspace: request.workspace.display().to_string(),
            tool_name: self.capturing.name(&request.tool_name),
            tool_call_id: self.capturing.name(&request.tool_call_id),
            agent_id: self.capturing.name(&request.agent_id),
            input: original(open.input, &request.input),
            output: output.map(|(kept, value)| original(kept, value)),
            is_error: request.is_error,
            outcome: form.word,
            reason: said::reason(&self.capturing, form.reason, asked),
            rewrite: form.rewrite.map(|value| self.capturing.value(value)),
            rewrite_is_error: form.is_error,
            approval: asked.map(|asked| said::approval(&self.capturing, asked, is_handed_on)),
            context_bytes: context_bytes as u64,
            context: context
                .iter()
                .map(|context| said::context(&self.capturing, context, &request))
                .collect(),
            asked: open.asked,
            duration_ms: millis(ended.until.saturating_duration_since(since)),
        })
    }
}

impl Kept {
    /// Takes the value as it is now; what is the same text at the same place is not looked at again.
    fn follow(&mut self, capturing: &Capturing, value: &Json) {
        if !std::ptr::eq(self.value.text(), value.text()) {
            self.captured = capturing.value(value);
            self.value = value.clone();
            (self.is_original, self.is_written) = (false, false);
        }
    }

    /// For the record of a question: without the value where it stands in another record of the consultation.
    fn shown(&mut self) -> Captured {
        if self.is_original || std::mem::replace(&mut self.is_written, true) {
            self.captured.without_value()
        } else {
            self.captured.clone()
        }
    }
}
