//! What several hooks said about one event, taken together.

use std::fmt;

use hook_contract::Json;

use crate::{Decision, Failure, HookOutput};

/// What the hooks of one event decided together.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MergedOutcome {
    /// The strongest of the decisions.
    pub decision: Verdict,
    /// The reasons of those that decided so, divided by a blank line. An allow has none.
    pub reason: Option<String>,
    /// Whether one of them wants the turn to end.
    pub stop: bool,
    /// Why the first of those does.
    pub stop_reason: Option<String>,
    /// Texts for the model, in the order of the hooks.
    pub additional_context: Vec<String>,
    /// Texts for the user, in the order of the hooks.
    pub system_messages: Vec<String>,
    /// The input to call the tool with instead; none beside a denial or a deferral.
    pub updated_input: Option<Json>,
    /// The result to show instead.
    pub updated_tool_output: Option<Json>,
    /// The result to show instead, if the tool is one of an MCP server and there is no other.
    pub updated_mcp_output: Option<Json>,
    /// Which hooks failed, by their place, and how.
    pub failures: Vec<(usize, Failure)>,
}

/// What was decided, weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever runs hooks must act on each"
)]
pub enum Verdict {
    /// Nothing: the agent goes on as it would without hooks.
    #[default]
    None,
    /// No permission is needed.
    Allow,
    /// Somebody is asked.
    Ask,
    /// It is put off.
    Defer,
    /// It does not happen; at the end of a turn: the turn goes on.
    Deny,
}

impl Verdict {
    /// The word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Defer => "defer",
            Self::Deny => "deny",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Option<Decision>> for Verdict {
    fn from(decision: Option<Decision>) -> Self {
        match decision {
            None => Self::None,
            Some(Decision::Approve | Decision::Allow) => Self::Allow,
            Some(Decision::Ask) => Self::Ask,
            Some(Decision::Defer) => Self::Defer,
            Some(Decision::Block | Decision::Deny) => Self::Deny,
        }
    }
}

/// Takes outputs together, in the order in which the hooks are written down.
///
/// A denial is stronger than a deferral, that than asking, that than an allow; the order does not matter for it. Of
/// several rewrites the last one written down counts, however long each took.
///
/// ```
/// use hook_dialect::{Dialect, Exit, Verdict, decode_output, merge};
///
/// let decode = |exit, stdout: &str, stderr: &str| {
///     let profile = Dialect::CLAUDE.guarded();
///     let exit = Exit::Code(exit);
///     decode_output(exit, stdout.as_bytes(), stderr.as_bytes(), Some("PreToolUse"), profile)
/// };
/// let outputs = [
///     decode(0, r#"{"decision": "approve"}"#, ""),
///     decode(2, "", "no force-push"),
/// ];
/// let merged = merge(&outputs);
/// assert_eq!(merged.decision, Verdict::Deny);
/// assert_eq!(merged.reason.as_deref(), Some("no force-push"));
/// ```
#[must_use]
pub fn merge(outputs: &[HookOutput]) -> MergedOutcome {
    let order: Vec<usize> = (0..outputs.len()).collect();
    merge_as_finished(outputs, &order)
}

/// The same, but of several rewrites that of the hook which finished last counts, as the agents themselves have it.
///
/// `finished` holds the places of the hooks in the order in which they finished; a place that is not in it, or not
/// there, counts for nothing but that.
#[must_use]
pub fn merge_as_finished(outputs: &[HookOutput], finished: &[usize]) -> MergedOutcome {
    let verdict = |output: &HookOutput| Verdict::from(output.decision);
    let decision = outputs.iter().map(verdict).max().unwrap_or_default();
    let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let winners = outputs.iter().filter(|output| verdict(output) == decision);
    let reasons: Vec<String> = winners.filter_map(|output| said(&output.reason)).collect();
    let has_reasons = decision > Verdict::Allow && !reasons.is_empty();
    let stopping = outputs
        .iter()
        .find(|output| output.continues == Some(false));
    let last = |field: fn(&HookOutput) -> &Option<Json>| {
        let mut finished = finished.iter().rev();
        finished.find_map(|place| field(outputs.get(*place)?).clone())
    };
    let rewritable = decision < Verdict::Defer;
    MergedOutcome {
        decision,
        reason: has_reasons.then(|| reasons.join("\n\n")),
        stop: stopping.is_some(),
        stop_reason: stopping.and_then(|output| output.stop_reason.clone()),
        additional_context: outputs
            .iter()
            .filter_map(|output| said(&output.additional_context))
            .collect(),
        system_messages: outputs
            .iter()
            .filter_map(|output| said(&output.system_message))
            .collect(),
        updated_input: last(|output| &output.updated_input).filter(|_| rewritable),
        updated_tool_output: last(|output| &output.updated_tool_output),
        updated_mcp_output: last(|output| &output.updated_mcp_output),
        failures: outputs
            .iter()
            .enumerate()
            .filter_map(|(place, output)| Some((place, output.failure.clone()?)))
            .collect(),
    }
}

/// A rewrite that does not count, because that of another hook does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overwritten {
    /// The place of the hook whose rewrite is lost.
    pub lost: usize,
    /// The place of the hook whose rewrite counts.
    pub by: usize,
}

/// The rewrites that are lost in an outcome of these outputs, where `order` says whose counts: the last one's.
pub(crate) fn overwritten(
    outputs: &[HookOutput],
    order: &[usize],
    outcome: &MergedOutcome,
) -> Vec<Overwritten> {
    let of_field = |field: fn(&HookOutput) -> Option<&Json>| {
        let said = |place: &usize| Some((*place, field(outputs.get(*place)?)?));
        let mut rewrites: Vec<_> = order.iter().filter_map(said).collect();
        let last = rewrites.pop();
        let replaced = rewrites.into_iter().filter_map(move |(lost, rewrite)| {
            let (by, counts) = last?;
            (rewrite != counts).then_some(Overwritten { lost, by })
        });
        replaced.collect::<Vec<_>>()
    };
    let mut all = of_field(|output| output.updated_tool_output.as_ref());
    all.extend(of_field(|output| output.updated_mcp_output.as_ref()));
    if outcome.updated_input.is_some() {
        all.extend(of_field(|output| output.updated_input.as_ref()));
    }
    all
}

#[cfg(test)]
mod tests;
