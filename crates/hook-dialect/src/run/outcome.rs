//! What the hooks of an agent decided about a call, as an answer in the chain.

use hook_contract::{HookRequest, Json};
use hook_wire::HookResponse;
use serde_json::Value;

use super::{
    Approval, Approver, Asked, Fired,
    call::text_of,
    command::{HookRun, named},
};
use crate::{Verdict, dialect::EventRow};

/// How an MCP tool's name begins.
const MCP: &str = "mcp__";

/// Before a call.
pub(super) async fn before(
    request: &HookRequest,
    fired: &Fired,
    approver: Option<&dyn Approver>,
) -> HookResponse {
    let outcome = &fired.outcome;
    let goes_on = || match &outcome.updated_input {
        Some(input) => {
            let rewrote = said(fired, |run| run.output.updated_input.is_some());
            HookResponse::modify(input.clone()).because(rewrote)
        }
        None => HookResponse::allow(),
    };
    match outcome.decision {
        Verdict::None | Verdict::Allow => goes_on(),
        Verdict::Deny => HookResponse::deny(refusal(fired, Verdict::Deny)),
        asking @ (Verdict::Ask | Verdict::Defer) => {
            let Some(approver) = approver else {
                return HookResponse::deny(nobody_to_ask(fired, asking));
            };
            let asked = Asked {
                defers: asking == Verdict::Defer,
                reason: outcome.reason.clone(),
                from: deciding(fired, asking)
                    .map(|run| named(&run.hook))
                    .collect(),
            };
            let shown = match &outcome.updated_input {
                Some(input) => &request.clone().with_input(input.clone()),
                None => request,
            };
            match approver.approve(shown, &asked).await {
                Approval::Granted => goes_on(),
                Approval::Refused(reason) => HookResponse::Deny {
                    reason: Some(reason.unwrap_or_else(|| not_approved(fired, asking))),
                },
            }
        }
    }
}

/// After a call: what the model sees instead, if it sees something else.
pub(super) fn after(
    request: &HookRequest,
    event: &EventRow,
    tool: &str,
    fired: &Fired,
) -> HookResponse {
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
        return HookResponse::allow();
    };
    let spoke = said(fired, |run| {
        run.output.refuses()
            || run.output.updated_tool_output.is_some()
            || run.output.updated_mcp_output.is_some()
    });
    HookResponse::replace(output).because(spoke)
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

fn nobody_to_ask(fired: &Fired, verdict: Verdict) -> String {
    let wish = if verdict == Verdict::Defer {
        "a hook wants this call put off until somebody can be asked, and"
    } else {
        "a hook wants somebody to be asked, and"
    };
    let refusal = refusal(fired, verdict);
    format!("{wish} nobody can be asked here: {refusal}")
}

fn not_approved(fired: &Fired, verdict: Verdict) -> String {
    format!("it was not approved: {}", refusal(fired, verdict))
}

fn deciding(fired: &Fired, verdict: Verdict) -> impl Iterator<Item = &HookRun> {
    let runs = fired.runs.iter();
    runs.filter(move |run| Verdict::from(run.output.decision) == verdict)
}

/// The commands of those hooks, on one line.
fn said(fired: &Fired, which: impl Fn(&HookRun) -> bool) -> String {
    let runs = fired.runs.iter().filter(|run| which(run));
    let commands: Vec<_> = runs.map(|run| format!("`{}`", named(&run.hook))).collect();
    commands.join(", ")
}
