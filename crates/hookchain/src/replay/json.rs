//! Differences for a program: one JSON object, printed as it is found out (docs/records.md).

use std::collections::BTreeMap;

use hook_audit::RecordedSettled;
use serde::Serialize;

use super::{
    difference::Difference,
    report::Sums,
    survey::Survey,
    upshot::{Agreement, AskChange, Upshot},
    why::{Changed, Said},
};
use crate::consult::outcome::OutcomeLine;

#[derive(Debug, Serialize)]
struct DifferenceLine<'a> {
    at: String,
    consultation: &'a str,
    place: &'a str,
    event: &'static str,
    workspace: &'a str,
    tool_name: &'a str,
    tool_call_id: &'a str,
    agent_id: &'a str,
    then: UpshotLine<'a>,
    now: UpshotLine<'a>,
    /// Whether a person has to agree today only, or had to then only.
    #[serde(skip_serializing_if = "Option::is_none")]
    ask: Option<&'static str>,
    why: Vec<ChangedLine<'a>>,
}

#[derive(Debug, Serialize)]
struct UpshotLine<'a> {
    #[serde(flatten)]
    outcome: OutcomeLine<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<AgreementLine<'a>>,
}

#[derive(Debug, Serialize)]
struct AgreementLine<'a> {
    by: &'a [String],
    then: OutcomeLine<'a>,
    settled: &'static str,
}

#[derive(Debug, Serialize)]
struct ChangedLine<'a> {
    kind: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pass: Option<u8>,
    /// `null` when it was not asked.
    then: Option<SaidLine<'a>>,
    now: Option<SaidLine<'a>>,
}

#[derive(Debug, Serialize)]
struct SaidLine<'a> {
    handler_id: &'a str,
    decision: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'a str>,
}

const OPENING: &str = "{\"differences\":[";

/// One element of the list.
pub(super) fn difference(
    difference: &Difference,
    is_first: bool,
) -> Result<String, serde_json::Error> {
    let Difference { call, now, why } = difference;
    let ended = &call.ended;
    let line = serde_json::to_string(&DifferenceLine {
        at: ended.at.to_string(),
        consultation: &ended.consultation,
        place: &call.place,
        event: ended.point.as_str(),
        workspace: &ended.workspace,
        tool_name: &ended.tool_name,
        tool_call_id: &ended.tool_call_id,
        agent_id: &ended.agent_id,
        then: UpshotLine::from(&call.upshot),
        now: UpshotLine::from(now),
        ask: call.upshot.ask_change(now).map(AskChange::as_str),
        why: why.iter().filter_map(ChangedLine::of).collect(),
    })?;
    let before = if is_first { OPENING } else { "," };
    Ok(format!("{before}\n{line}"))
}

#[derive(Debug, Serialize)]
struct SumsLine<'a> {
    replayed: usize,
    different: usize,
    failures: usize,
    incomplete: usize,
    abandoned: usize,
    unreadable: usize,
    lost: u64,
    workspaces: &'a BTreeMap<String, usize>,
}

/// The end of the list, and the sums.
pub(super) fn end(sums: &Sums, survey: &Survey) -> Result<String, serde_json::Error> {
    let before = if sums.different == 0 { OPENING } else { "\n" };
    let sums = serde_json::to_string(&SumsLine {
        replayed: sums.replayed,
        different: sums.different,
        failures: sums.failures,
        incomplete: survey.incomplete,
        abandoned: survey.abandoned,
        unreadable: survey.unreadable,
        lost: survey.lost,
        workspaces: &survey.workspaces,
    })?;
    let members = sums.trim_start_matches('{');
    Ok(format!("{before}],{members}\n"))
}

impl<'a> From<&'a Upshot> for UpshotLine<'a> {
    fn from(upshot: &'a Upshot) -> Self {
        let is_open = |agreement: &Agreement| agreement.settled == RecordedSettled::HandedOn;
        Self {
            outcome: if upshot.agreement.as_ref().is_some_and(is_open) {
                OutcomeLine::of_open_ask()
            } else {
                OutcomeLine::new(&upshot.outcome)
            },
            asked: upshot.agreement.as_ref().map(AgreementLine::from),
        }
    }
}

impl<'a> From<&'a Agreement> for AgreementLine<'a> {
    fn from(agreement: &'a Agreement) -> Self {
        Self {
            by: &agreement.by,
            then: OutcomeLine::new(&agreement.then),
            settled: agreement.settled.as_str(),
        }
    }
}

impl<'a> ChangedLine<'a> {
    fn of(changed: &'a Changed) -> Option<Self> {
        let said = changed.now.as_ref().or(changed.then.as_ref())?;
        Some(Self {
            kind: &said.kind,
            name: &said.name,
            pass: Some(said.pass).filter(|pass| *pass > 1),
            then: changed.then.as_ref().map(SaidLine::from),
            now: changed.now.as_ref().map(SaidLine::from),
        })
    }
}

impl<'a> From<&'a Said> for SaidLine<'a> {
    fn from(said: &'a Said) -> Self {
        Self {
            handler_id: &said.handler_id,
            decision: said.word,
            because: said.because.as_deref(),
        }
    }
}
