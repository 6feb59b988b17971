//! The words for one outcome, by the row of its event.

mod after;
mod before;

use hook_contract::{Json, shown};
use hook_runner::{Consultation, NoteKind};

use super::{
    answer::Answer,
    object::{Behavior, Object, Specific},
    reading::Asked,
    row::{ContextPlace, Refusal},
    unsaid::Unsaid,
};

/// What stands between two texts for the model.
const BETWEEN: &str = "\n\n";

/// A consultation on its way into the agent.
pub(super) struct Saying<'a> {
    asked: &'a Asked,
    consultation: &'a Consultation,
}

impl<'a> Saying<'a> {
    pub(super) const fn new(asked: &'a Asked, consultation: &'a Consultation) -> Self {
        Self {
            asked,
            consultation,
        }
    }

    /// The agent goes on as it would without a hook.
    pub(super) fn nothing(&self) -> Answer {
        let object: Object<'_> = self.object();
        Answer::Nothing {
            stdout: object.with(self.specific()).line(),
        }
    }

    pub(super) fn other_moment(&self) -> String {
        let event = self.asked.row.event;
        Unsaid::OtherMoment { event }.to_string()
    }

    /// A refusal, in every way in which the agent hears one.
    pub(super) fn refused(&self, reason: &str, on_stderr: &str) -> Answer {
        let reason = self.below_reason(&given(reason));
        let object = self.refusal(&reason, None, self.beside_refusal());
        let mut stderr = self.below_reason(&given(on_stderr));
        stderr.push('\n');
        Answer::Refused {
            stdout: object.line(),
            stderr,
        }
    }

    fn refusal<'r>(
        &self,
        reason: &'r str,
        output: Option<&'r Json>,
        context: Option<String>,
    ) -> Object<'r> {
        let mut object: Object<'r> = self.object();
        let mut specific = Specific {
            updated_tool_output: output,
            additional_context: context,
            ..self.unsaying()
        };
        match self.asked.row.refusal {
            Refusal::Permission => {
                specific.permission_decision = Some("deny");
                specific.permission_decision_reason = Some(reason);
            }
            Refusal::Behavior => {
                specific.decision = Some(Behavior {
                    behavior: "deny",
                    message: reason,
                });
            }
            Refusal::Block => {
                object.decision = Some("block");
                object.reason = Some(reason);
            }
        }
        object.with(specific)
    }

    fn agent(&self) -> &'static str {
        self.asked.bridge.dialect.title
    }

    fn tool(&self) -> String {
        shown::line(&self.asked.call.tool_name)
    }

    /// The object with what the user is told.
    fn object(&self) -> Object<'static> {
        let notes = self.consultation.notes.iter().map(told);
        let told: Vec<String> = self.asked.remarks.iter().cloned().chain(notes).collect();
        let told = told.join("\n");
        Object {
            system_message: Some(told).filter(|told| !told.trim().is_empty()),
            ..Object::default()
        }
    }

    /// What belongs to the event, with the words for the model where they stand beside an answer with exit status 0.
    fn specific<'s>(&self) -> Specific<'s> {
        let is_heard = match self.asked.row.context {
            ContextPlace::Beside | ContextPlace::BesideUnlessRefused => true,
            ContextPlace::InRefusals => false,
        };
        Specific {
            additional_context: self.context().filter(|_| is_heard),
            ..self.unsaying()
        }
    }

    /// What belongs to the event, and says nothing yet.
    fn unsaying<'s>(&self) -> Specific<'s> {
        Specific {
            hook_event_name: self.asked.row.event,
            ..Specific::default()
        }
    }

    /// The words for the model beside a refusal with exit status 2, where the agent hears them there.
    fn beside_refusal(&self) -> Option<String> {
        match self.asked.row.context {
            ContextPlace::Beside => self.context(),
            ContextPlace::BesideUnlessRefused | ContextPlace::InRefusals => None,
        }
    }

    /// A reason, with the words for the model at its end where there is no other place for them.
    fn below_reason(&self, reason: &str) -> String {
        let context = match self.asked.row.context {
            ContextPlace::Beside => None,
            ContextPlace::BesideUnlessRefused | ContextPlace::InRefusals => self.context(),
        };
        match context {
            Some(context) => [reason, &context].join(BETWEEN),
            None => reason.to_owned(),
        }
    }

    /// The words for the model, each with the name of the participant that said them.
    fn context(&self) -> Option<String> {
        let contexts = self.consultation.context.iter();
        let contexts: Vec<String> = contexts.map(ToString::to_string).collect();
        let context = contexts.join(BETWEEN);
        Some(context).filter(|context| !context.is_empty())
    }
}

/// What the user reads of a note.
fn told(note: &hook_runner::Note) -> String {
    match note.kind {
        NoteKind::Remark | NoteKind::Failure | NoteKind::Message => note.to_string(),
        NoteKind::Stop => format!("{} wants the turn to end: {}", note.who, note.text),
    }
}

/// The reason, or what stands for one: agents run a call that is refused without a reason.
fn given(reason: &str) -> String {
    if reason.trim().is_empty() {
        return Unsaid::NoReason.to_string();
    }
    reason.to_owned()
}
