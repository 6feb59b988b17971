//! Who would be asked about a call and what, and who would not.

use hook_config::{ApproverSpec, HookMode, HookSpec, OnFailure};
use hook_contract::{HookRequest, Subject};
use hook_runner::{FaultKind, HookRunner, Identity, Inspection, Participant, Question};

use super::{agent::Agent, passed_over::Why};
use crate::{check::Report, consult::Call};

/// What would happen to one call.
pub(super) struct Explanation<'a> {
    pub(super) call: &'a Call,
    /// Everybody there is, in consultation order.
    pub(super) participants: Vec<Candidate>,
    /// The hooks of other agents, which are asked after those.
    pub(super) agents: Vec<Agent>,
    /// The program that would put the call to a person where no terminal is, if a hook wanted that.
    pub(super) approver: Option<&'a ApproverSpec>,
    /// Why the call would be denied before anybody is asked.
    pub(super) denied: Option<String>,
    /// What each one who is asked would read, without its line end; an error when it cannot be written.
    pub(super) request: Option<Result<String, String>>,
}

/// Somebody who might be asked.
pub(super) struct Candidate {
    pub(super) who: Identity,
    pub(super) part: Part,
}

/// Whether somebody is asked.
pub(super) enum Part {
    Asked(Manner),
    PassedOver(Why),
}

/// How somebody is asked.
pub(super) struct Manner {
    pub(super) timeout_ms: Option<u128>,
    pub(super) on_failure: OnFailure,
    pub(super) mode: Option<HookMode>,
    /// The program, and what is wrong with it.
    pub(super) program: Option<Inspection>,
}

impl<'a> Explanation<'a> {
    pub(super) fn of(call: &'a Call, runner: &HookRunner, report: &'a Report) -> Self {
        let candidates = runner.participants().iter();
        let participants: Vec<_> = candidates
            .map(|participant| Candidate::of(&**participant, call, runner))
            .collect();
        let (event, tool) = (call.event, &*call.details.tool_name);
        let native = participants.iter().any(Candidate::is_asked);
        // As the chain has it, which does not look at rules before it asks.
        let mut settings = report.settings.iter();
        let is_any_asked = native
            || settings.any(|settings| settings.hooks.applies_to(&Subject::new(event, tool)));
        let request = call.request(runner.workspace());
        let agents = report
            .settings
            .iter()
            .map(|settings| Agent::of(settings, request.as_ref().ok()));
        let agents = agents.collect();
        let ambiguity = match &request {
            Ok(request) => request.ambiguity().map(|error| ("input", "calls", error)),
            Err(error) => Some(("output", "results", *error)),
        };
        let denied = ambiguity
            .filter(|_| is_any_asked)
            .map(|(what, readings, error)| {
                format!("the {what} can be read as two different {readings} ({error})")
            });
        let asked = request.ok().filter(|_| native && denied.is_none());
        Self {
            call,
            participants,
            agents,
            approver: report
                .approver()
                .filter(|_| is_any_asked && denied.is_none()),
            denied,
            request: asked.map(encoded),
        }
    }

    pub(super) fn asked(&self) -> impl Iterator<Item = (&Candidate, &Manner)> {
        self.participants
            .iter()
            .filter_map(|candidate| match &candidate.part {
                Part::Asked(manner) => Some((candidate, manner)),
                Part::PassedOver(_) => None,
            })
    }

    /// The agents some of whose hooks are asked.
    pub(super) fn asked_agents(&self) -> impl Iterator<Item = &Agent> {
        self.agents.iter().filter(|agent| agent.is_asked())
    }

    pub(super) fn passed_over(&self) -> impl Iterator<Item = (&Candidate, &Why)> {
        self.participants
            .iter()
            .filter_map(|candidate| match &candidate.part {
                Part::Asked(_) => None,
                Part::PassedOver(why) => Some((candidate, why)),
            })
    }
}

impl Candidate {
    fn of(participant: &dyn Participant, call: &Call, runner: &HookRunner) -> Self {
        let declaration = participant.declaration();
        let (event, tool) = (call.event, &call.details.tool_name);
        let part = if participant.applies_to(&runner.subject(event, tool)) {
            Part::Asked(Manner {
                timeout_ms: declaration.map(|hook| hook.timeout().as_millis()),
                on_failure: participant.on_failure(),
                mode: declaration
                    .and_then(HookSpec::program)
                    .map(|program| program.mode),
                program: declaration
                    .and_then(HookSpec::program)
                    .map(|program| runner.inspect_in(&program.argv, program.directory.as_deref())),
            })
        } else {
            Part::PassedOver(Why::of(declaration, event, tool))
        };
        Self {
            who: participant.identity().clone(),
            part,
        }
    }

    const fn is_asked(&self) -> bool {
        matches!(self.part, Part::Asked(_))
    }
}

impl Manner {
    /// What would keep its program from answering. Who could change it is the business of `check`.
    pub(super) fn obstacles(&self) -> impl Iterator<Item = &FaultKind> {
        let faults = self.program.iter().flat_map(|program| &program.faults);
        faults
            .map(|fault| &fault.kind)
            .filter(|kind| !matches!(kind, FaultKind::Exposed(_)))
    }
}

fn encoded(request: HookRequest) -> Result<String, String> {
    let question = Question::new(request);
    let line = question.encoded().map_err(ToString::to_string)?;
    let line = String::from_utf8_lossy(&line.to_bytes()).into_owned();
    Ok(line.trim_end().to_owned())
}
