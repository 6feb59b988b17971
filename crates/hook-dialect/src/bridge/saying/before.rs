//! Before a call: another input, and an ask.

use hook_contract::{HookOutcome, Json, shown};
use hook_runner::Settled;

use super::{Saying, given};
use crate::bridge::{
    answer::Answer,
    asking::{AskRow, Asks},
    object::{Object, Specific},
    row::Rewrite,
    unsaid::Unsaid,
};

/// Whether an input is another one, as far as the agent takes it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    None,
    Some,
}

impl Saying<'_> {
    pub(in crate::bridge) fn rewritten(&self, input: &Json) -> Answer {
        let (agent, event) = (self.agent(), self.asked.row.event);
        let refused = |unsaid: &Unsaid| {
            let reason = unsaid.to_string();
            self.refused(&reason, &reason)
        };
        let change = match self.change(input) {
            Err(unsaid) => return refused(&unsaid),
            Ok(change) => change,
        };
        let allow = match self.asked.row.rewrite {
            Rewrite::Unsaid if change == Change::None => return self.nothing(),
            Rewrite::Unsaid => return refused(&Unsaid::Rewrite { agent, event }),
            Rewrite::Alone => None,
            Rewrite::WithAllow => Some("allow"),
        };
        let object: Object<'_> = self.object();
        let specific = Specific {
            permission_decision: allow,
            updated_input: Some(input),
            ..self.specific()
        };
        Answer::Said {
            stdout: object.with(specific).line(),
            otherwise: format!("{}\n", Unsaid::RewriteLost { agent }),
        }
    }

    /// The ask in the agent's own words, in a mode in which the agent then asks a person, a program that may ask one, or
    /// refuses. Nothing where a person has answered, or the agent would not hear all of it.
    pub(in crate::bridge) fn handed_on(&self) -> Option<Answer> {
        let asked = self.consultation.asked.as_ref()?;
        let Settled::Unanswered(_) = asked.settled else {
            return None;
        };
        let mode = self.asked.permission_mode.as_deref();
        let row = self.asked.row.ask_in(self.asked.attendance, mode)?;
        let input = match &asked.then {
            HookOutcome::Allow => None,
            HookOutcome::Modify { input, .. } if row.takes_input && self.change(input).is_ok() => {
                Some(input)
            }
            HookOutcome::Modify { .. } | HookOutcome::Deny(_) | HookOutcome::Replace { .. } => {
                return None;
            }
        };
        let reason = question(asked, *row);
        let object: Object<'_> = self.object();
        let specific = Specific {
            permission_decision: Some("ask"),
            permission_decision_reason: Some(&reason),
            updated_input: input,
            ..self.specific()
        };
        let denial = self.consultation.outcome.reason().unwrap_or_default();
        Some(Answer::Said {
            stdout: object.with(specific).line(),
            otherwise: format!("{}\n", given(denial)),
        })
    }

    /// What the agent would take of another input; an error when it would leave out a part.
    fn change(&self, input: &Json) -> Result<Change, Unsaid> {
        let asked = self.asked;
        let original = Json::parse(&asked.call.input_json).ok();
        let same = original.as_ref() == Some(input);
        let change = |same| if same { Change::None } else { Change::Some };
        if !asked.bridge.by_command.contains(&asked.tool_name()) {
            return Ok(change(same));
        }
        let Some(command) = input.get("command").filter(|command| command.is_string()) else {
            return Err(Unsaid::RewriteWithoutCommand);
        };
        let old = |name: &str| original.as_ref().and_then(|original| original.get(name));
        let members = input.members().into_iter().flatten();
        for member in members.filter(|member| member.name != "command") {
            if old(&member.name) != input.get(member.name.as_ref()) {
                return Err(Unsaid::RewriteInPart {
                    agent: self.agent(),
                    member: shown::line(&member.name),
                });
            }
        }
        Ok(change(old("command") == Some(command)))
    }
}

/// What a person decides by, with nothing in it that drives a terminal.
fn question(asked: &hook_runner::Asked, row: AskRow) -> String {
    let mut lines: Vec<String> = asked.by.iter().map(ToString::to_string).collect();
    if row.asks == Asks::HostIfAny
        && let Some(by_hand) = asked.by_hand()
    {
        lines.push(format!("if no person is asked here, {by_hand}"));
    }
    shown::lines(&lines.join("\n"))
}
