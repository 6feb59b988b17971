//! What the hooks of an agent decided about a call, as an answer in the chain.

use hook_contract::{Answer, HookRequest, Json, Rewrite};
use serde_json::Value;

use super::{
    Fired,
    call::text_of,
    command::{HookRun, named},
};
use crate::{Verdict, dialect::EventRow};

/// How an MCP tool's name begins.
const MCP: &str = "mcp__";

/// Before a call. A hook that would put the call off wants a person to decide, as one that asks does.
pub(super) fn before(fired: &Fired) -> Answer {
    let outcome = &fired.outcome;
    let input = outcome.updated_input.clone();
    match outcome.decision {
        Verdict::None | Verdict::Allow => match input {
            Some(input) => {
                let rewrote = said(fired, |run| run.output.updated_input.is_some());
                Answer::modify(input).with_reason(rewrote)
            }
            None => Answer::allow(),
        },
        Verdict::Deny => Answer::deny(refusal(fired, Verdict::Deny)),
        asking @ (Verdict::Ask | Verdict::Defer) => {
            let ask = Answer::ask(refusal(fired, asking));
            match input {
                Some(input) => ask.with_rewrite(Rewrite::Input(input)),
                None => ask,
            }
        }
    }
}

/// After a call: what the model sees instead, if it sees something else.
pub(super) fn after(request: &HookRequest, event: &EventRow, tool: &str, fired: &Fired) -> Answer {
    let outcome = &fired.outcome;
    let of_mcp = outcome.updated_mcp_output.as_ref();
    let replaced = outcome
        .updated_tool_output
        .as_ref()
        .or(of_mcp.filter(|_| tool.starts_with(MCP)));
    let result = replaced.or(request.output.as_ref());
    let output = if outcome.decision == Verdict::Deny {
        let reason = refusal(fired, Verdict::Deny);
        let text = if event.refusal_replaces {
            reason
        } else {
            format!("{}\n\n{reason}", result.map(text_of).unwrap_or_default())
        };
        Json::from(Value::from(text))
    } else if let Some(output) = replaced {
        output.clone()
    } else {
        return Answer::allow();
    };
    let spoke = said(fired, |run| {
        run.output.refuses()
            || run.output.updated_tool_output.is_some()
            || run.output.updated_mcp_output.is_some()
    });
    Answer::replace(output).with_reason(spoke)
}

/// Why it does not happen, for the model: the hooks' own reasons, and whose they are.
fn refusal(fired: &Fired, verdict: Verdict) -> String {
    let commands: Vec<_> = deciding(fired, verdict)
        .map(|run| named(&run.hook))
        .collect();
    let from = commands.join("`, `");
    match &fired.outcome.reason {
        Some(reason) => format!("{reason} (from hook `{from}`)"),
        None => format!("hook `{from}` gave no reason"),
    }
}

/// The hooks whose reason is told.
fn deciding(fired: &Fired, verdict: Verdict) -> impl Iterator<Item = &HookRun> {
    let runs = fired.runs.iter();
    runs.filter(move |run| {
        if fired.ends_without_refusal {
            run.output.continues == Some(false)
        } else {
            Verdict::from(run.output.decision) == verdict
        }
    })
}

/// The commands of those hooks, on one line.
fn said(fired: &Fired, which: impl Fn(&HookRun) -> bool) -> String {
    let counts = |place: usize, run: &HookRun| {
        let mut overwritten = fired.overwritten.iter();
        run.output.refuses() || !overwritten.any(|overwritten| overwritten.lost == place)
    };
    let runs = fired.runs.iter().enumerate();
    let runs = runs.filter(|(place, run)| which(run) && counts(*place, run));
    let runs = runs.map(|(_, run)| run);
    let commands: Vec<_> = runs.map(|run| format!("`{}`", named(&run.hook))).collect();
    commands.join(", ")
}
