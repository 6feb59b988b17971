//! `hookchain consult`: one call, or one per line, through the chain.

mod call;
mod calls;
pub(crate) mod diff;
pub(crate) mod human;
mod lines;
pub(crate) mod outcome;
mod pretty;
mod record;
mod recording;
pub(crate) mod trail;

use std::io;

use hook_audit::Audit;
use hook_config::RecordSpec;
use hook_contract::HookOutcome;
use hook_dialect::run::DialectHooks;
use hook_runner::{Consultation, HookRunner, Note, Step};

pub(crate) use self::record::RecordArgs;
pub(crate) use self::{call::Call, calls::Calls};
use self::{
    outcome::OutcomeLine,
    recording::{Both, Recording},
};
use crate::{
    agents::{self, Heard, Spoken},
    cli::{ConsultArgs, Format, HooksArgs},
    command_error::CommandError,
    signals::Signals,
    status::Status,
    streams::{Output, diagnose},
};

/// Runs the command.
pub(crate) fn run(args: &ConsultArgs, output: Output) -> Result<Status, CommandError> {
    let calls = Calls::of("consult", &args.call, args.each_line)?;
    let heard = Heard::default();
    let loaded = load(&args.hooks, &heard)?;
    let audit = args.record.start(loaded.record.as_ref())?;
    let desk = Desk::new(args, output, loaded, heard, audit.as_ref());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CommandError::Setup)?;
    let status = runtime.block_on(async {
        // Before the first hook is started: from here on a signal kills what was started, and then ends the process.
        let mut signals = Signals::listen().map_err(CommandError::Setup)?;
        let status = match calls {
            Calls::One(call) => desk.one(&call, &mut signals).await,
            Calls::EachLine { source, from } => {
                lines::consult_each(&desk, source, &from, &mut signals).await
            }
        };
        // Workers end with their input, and what ends after that is nobody's to wait for.
        desk.runner.shutdown().await;
        if let Ok(Status::Signalled(_)) = status {
            return status;
        }
        match agents::settle(&desk.agents, &desk.heard, &mut signals).await {
            Some(signal) => Ok(Status::Signalled(signal)),
            None => status,
        }
    });
    if let Some(audit) = audit {
        // What could not be written was said.
        audit.close(record::PATIENCE);
    }
    status
}

/// Where calls are put through the chain and outcomes are handed out.
struct Desk {
    runner: HookRunner,
    /// The hooks of other agents, which are among those that the runner asks.
    agents: Vec<DialectHooks>,
    heard: Heard,
    recording: Recording,
    format: Format,
    trail: bool,
    output: Output,
}

/// How one call came out.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) outcome: HookOutcome,
    pub(crate) trail: Vec<Step>,
    pub(crate) notes: Vec<Note>,
    /// What the single hooks of other agents said.
    pub(crate) spoken: Vec<Spoken>,
}

impl From<Consultation> for Judged {
    fn from(consultation: Consultation) -> Self {
        Self {
            outcome: consultation.outcome,
            trail: consultation.trail,
            notes: consultation.notes,
            spoken: Vec::new(),
        }
    }
}

impl From<HookOutcome> for Judged {
    /// Nobody was asked.
    fn from(outcome: HookOutcome) -> Self {
        Self {
            outcome,
            trail: Vec::new(),
            notes: Vec::new(),
            spoken: Vec::new(),
        }
    }
}

impl Desk {
    fn new(
        args: &ConsultArgs,
        output: Output,
        loaded: Loaded,
        heard: Heard,
        audit: Option<&Audit>,
    ) -> Self {
        let Loaded { runner, agents, .. } = loaded;
        let recording = Recording::default();
        let runner = match (args.format, audit.cloned()) {
            (Format::Json, None) => runner.with_reporter(diagnose),
            (Format::Json, Some(audit)) => runner.with_reporter(diagnose).with_recorder(audit),
            // What would be reported is part of the chain that is shown.
            (Format::Human, None) => runner
                .with_reporter(|_| ())
                .with_recorder(recording.clone()),
            (Format::Human, Some(audit)) => runner
                .with_reporter(|_| ())
                .with_recorder(Both(recording.clone(), audit)),
        };
        Self {
            runner,
            agents,
            heard,
            recording,
            format: args.format,
            trail: args.trail,
            output,
        }
    }

    async fn one(&self, call: &Call, signals: &mut Signals) -> Result<Status, CommandError> {
        let mut judged = tokio::select! {
            biased;
            signal = signals.received() => return Ok(Status::Signalled(signal)),
            judged = judge(&self.runner, call) => judged,
        };
        judged.spoken = self.heard.take();
        self.print(call, &judged)?;
        agents::tell_late(&self.agents, &self.heard);
        Ok(match judged.outcome {
            HookOutcome::Deny(_) => Status::Denied,
            HookOutcome::Allow | HookOutcome::Modify { .. } | HookOutcome::Replace { .. } => {
                Status::Done
            }
        })
    }

    fn print(&self, call: &Call, judged: &Judged) -> Result<(), CommandError> {
        match self.format {
            Format::Human => {
                self.styled(&human::consultation(call, judged, &self.recording.take()))
            }
            Format::Json => {
                let mut line = OutcomeLine::new(&judged.outcome);
                if self.trail {
                    line = line.with_trail_of(judged);
                }
                print_line(&line)
            }
        }
    }

    fn styled(&self, text: &str) -> Result<(), CommandError> {
        self.output.styled(text).map_err(CommandError::Write)
    }
}

/// Puts a call through the chain. Dropping the future kills the hook that is being asked.
pub(crate) async fn judge(runner: &HookRunner, call: &Call) -> Judged {
    match call.request(runner.workspace()) {
        Ok(request) => runner.consult(request).await.into(),
        // As the chain does with an input that has two readings: denied, unless nobody would be asked.
        Err(ambiguity) if runner.asks(call.event, &call.details.tool_name) => {
            HookOutcome::Deny(format!(
                "denied before any hook was asked: the output can be read as two different results ({ambiguity})"
            ))
            .into()
        }
        Err(_ambiguity) => HookOutcome::Allow.into(),
    }
}

/// Prints an outcome for a program.
fn print_line(line: &OutcomeLine<'_>) -> Result<(), CommandError> {
    let line = line.to_line().map_err(io::Error::from);
    line.and_then(|line| Output::raw(&line))
        .map_err(CommandError::Write)
}

/// The hooks of a workspace, and what was declared with them.
pub(crate) struct Loaded {
    /// Ready to be asked.
    pub(crate) runner: HookRunner,
    /// The hooks of other agents, which are among those that the runner asks.
    pub(crate) agents: Vec<DialectHooks>,
    /// Where calls are recorded, if the operator's own file was read and says so.
    pub(crate) record: Option<RecordSpec>,
}

/// Loads the hooks that are asked.
pub(crate) fn load(args: &HooksArgs, heard: &Heard) -> Result<Loaded, CommandError> {
    let (workspace, sources) = (&args.workspace, &args.sources);
    let mut builder = HookRunner::builder(workspace);
    let mut record = None;
    if let Some(config) = sources.native() {
        let loaded = hook_config::load(workspace, &config)?;
        for warning in &loaded.warnings {
            diagnose(&warning.to_string());
        }
        builder = builder.with_hooks(loaded.hooks);
        record = loaded.record;
    }
    let mut all = Vec::new();
    for agent in sources.agents() {
        let config = sources.reading.settings_of(agent);
        let hooks = agents::load_hooks(agent, workspace, &config, agents::OF_CALLS, heard)?;
        builder = builder.with_last_participant(hooks.clone());
        all.push(hooks);
    }
    Ok(Loaded {
        runner: builder.build(),
        agents: all,
        record,
    })
}
