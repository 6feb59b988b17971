//! What an answer amounts to at the event at hand.

use hook_runner::FailureKind;

use super::{Beside, Model, Says};

impl Model<'_> {
    /// What an answer amounts to at this event: an echo is a rewrite, and one of the other event's
    /// answers is none.
    pub(super) fn fitting(&self, says: &Says) -> Says {
        let unfit = |words: &str| Says::Breaks(FailureKind::Unfit, format!("answered {words}"));
        let no_object = "with an input that is not a JSON object; a tool's input is one";
        let seen = self.request.output.as_ref().filter(|_| !self.before);
        let seen = seen.unwrap_or(&self.request.input).text();
        match says {
            Says::Echo => self.rewrite(self.saw()),
            Says::EchoAsValue(reason) => {
                self.fitting(&self.rewrite_because(seen.to_owned(), reason.clone()))
            }
            Says::Wrap => self.rewrite(format!(r#"{{"was":{seen}}}"#)),
            Says::DenyAgain if self.request.again => Says::Deny(Some("not that".into())),
            Says::DenyAgain => Says::Allow,
            Says::Modify(..) if !self.before => unfit(
                "`modify`, which is no answer after the call; allow, deny, ask and replace are",
            ),
            Says::Modify(input, _) if !input.starts_with('{') => {
                unfit(&format!("`modify` {no_object}"))
            }
            Says::Replace(..) if self.before => unfit(
                "`replace`, which is no answer before the call; allow, deny, ask and modify are",
            ),
            Says::Ask(_, Some(Beside::Output(..))) if self.before => {
                unfit("`ask` about an `output`, which is no rewrite before the call; an `input` is")
            }
            Says::Ask(_, Some(Beside::Input(_))) if !self.before => {
                unfit("`ask` about an `input`, which is no rewrite after the call; an `output` is")
            }
            Says::Ask(_, Some(Beside::Input(input))) if !input.starts_with('{') => {
                unfit(&format!("`ask` {no_object}"))
            }
            other => other.clone(),
        }
    }

    fn rewrite(&self, text: String) -> Says {
        self.rewrite_because(text, None)
    }

    fn rewrite_because(&self, text: String, reason: Option<String>) -> Says {
        if self.before {
            Says::Modify(text, reason)
        } else {
            Says::Replace(text, self.request.is_error, reason)
        }
    }

    /// The request as a program reads it, in its answer.
    fn saw(&self) -> String {
        let request = &self.request;
        let text = |text: &str| serde_json::Value::from(text).to_string();
        let workspace = request.workspace.to_str().expect("a path in UTF-8");
        let mut saw = format!(
            r#"{{"hook_schema":1,"event":{},"workspace":{},"agent_id":{},"tool_call_id":{},"tool_name":{},"input":{}"#,
            text(request.event.as_str()),
            text(workspace),
            text(&request.agent_id),
            text(&request.tool_call_id),
            text(&request.tool_name),
            request.input.text(),
        );
        if let (Some(output), Some(is_error)) = (&request.output, request.is_error) {
            saw = format!(r#"{saw},"output":{},"is_error":{is_error}"#, output.text());
        }
        format!(r#"{{"saw":{saw}}}}}"#)
    }
}
