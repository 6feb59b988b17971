//! `hookchain consult`: one call, or one per line, through the chain.

mod call;
mod calls;
pub(crate) mod diff;
pub(crate) mod human;
mod lines;
mod notes;
mod on_ask;
pub(crate) mod outcome;
mod pretty;
mod record;
mod terminal;

use hook_audit::Audit;
use hook_config::{DEFAULT_WORKSPACE_HOOKS_FILE, RecordSpec};
use hook_contract::HookOutcome;
use hook_dialect::run::DialectHooks;
use hook_runner::{Asked, Consultation, HookRunner, Settled};

pub(crate) use self::{call::Call, calls::Calls, on_ask::OnAskArgs, record::RecordArgs};
use self::{lines::Id, on_ask::Way, outcome::OutcomeLine};
use crate::{
    agents::{self, Native},
    cli::{ConsultArgs, Format, HooksArgs},
    command_error::CommandError,
    signals::Signals,
    status::Status,
    streams::{Output, diagnose},
};

/// Runs the command.
pub(crate) fn run(args: &ConsultArgs, output: Output) -> Result<Status, CommandError> {
    let calls = Calls::of("consult", &args.call, args.lines.each_line)?;
    let way = args.on_ask.way(args.lines.each_line)?;
    let loaded = load_for(&args.hooks, way)?;
    let audit = args.record.start(loaded.record.as_ref(), way)?;
    let desk = Desk::new(args, output, loaded, way, audit.as_ref());
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
                lines::consult_each(&desk, &args.lines, source, &from, &mut signals).await
            }
        };
        // Workers end with their input, and what ends after that is nobody's to wait for.
        desk.runner.shutdown().await;
        if let Ok(Status::Signalled(_)) = status {
            return status;
        }
        match agents::settle(&desk.agents, &mut signals).await {
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

/// What a client calls a call, and the call's own identifier.
type Name<'a> = (&'a Id, &'a str);

/// Where calls are put through the chain and outcomes are handed out.
struct Desk {
    runner: HookRunner,
    /// The hooks of other agents, which are among those that the runner asks.
    agents: Vec<DialectHooks>,
    /// Whether the caller asks a person, and is told of it.
    reports_asks: bool,
    format: Format,
    trail: bool,
    output: Output,
}

impl Desk {
    fn new(
        args: &ConsultArgs,
        output: Output,
        loaded: Loaded,
        way: Way,
        audit: Option<&Audit>,
    ) -> Self {
        let Loaded { runner, agents, .. } = loaded;
        let runner = match args.format {
            Format::Json => runner.with_reporter(diagnose),
            // What would be reported is part of the chain that is shown.
            Format::Human => runner.with_reporter(|_| ()),
        };
        let runner = match audit {
            Some(audit) => runner.with_recorder(audit.clone()),
            None => runner,
        };
        Self {
            runner,
            agents,
            reports_asks: way == Way::Report,
            format: args.format,
            trail: args.trail,
            output,
        }
    }

    async fn one(&self, call: &Call, signals: &mut Signals) -> Result<Status, CommandError> {
        let consultation = tokio::select! {
            biased;
            signal = signals.received() => return Ok(Status::Signalled(signal)),
            consultation = judge(&self.runner, call) => consultation,
        };
        self.print(call, &consultation)?;
        agents::tell_late(&self.agents);
        if self.open_ask(&consultation).is_some() {
            return Ok(Status::Asked);
        }
        Ok(match consultation.outcome {
            HookOutcome::Deny(_) => Status::Denied,
            HookOutcome::Allow | HookOutcome::Modify { .. } | HookOutcome::Replace { .. } => {
                Status::Done
            }
        })
    }

    fn print(&self, call: &Call, consultation: &Consultation) -> Result<(), CommandError> {
        let text = self.text(None, call, consultation)?;
        let printed = match self.format {
            Format::Human => self.output.styled(&text),
            Format::Json => Output::raw(&text),
        };
        printed.map_err(CommandError::Write)
    }

    /// What came of a call, as it is printed.
    fn text(
        &self,
        name: Option<Name<'_>>,
        call: &Call,
        consultation: &Consultation,
    ) -> Result<String, CommandError> {
        let open = self.open_ask(consultation);
        if self.format == Format::Human {
            return Ok(human::consultation(call, consultation, open));
        }
        let line = match open {
            Some(asked) => OutcomeLine::of_ask(asked),
            None => OutcomeLine::new(&consultation.outcome),
        };
        let line = line.named(name).with_context_of(consultation);
        let line = if self.trail {
            line.with_trail_of(consultation)
        } else {
            line
        };
        line.to_line()
            .map_err(|error| CommandError::Write(error.into()))
    }

    /// What a call is answered with that the runtime has taken back.
    fn cancelled(&self, name: Option<Name<'_>>) -> Result<String, CommandError> {
        let outcome =
            HookOutcome::deny("cancelled: the runtime took the call back before it was decided");
        if self.format == Format::Human {
            return Ok(human::refusal(&outcome, "the call was cancelled"));
        }
        let line = OutcomeLine::new(&outcome).named(name).to_line();
        line.map_err(|error| CommandError::Write(error.into()))
    }

    /// What a line that is no call is answered with: a runtime which looks at nothing but the outcome stops.
    fn refusal(&self, name: Option<Name<'_>>, error: &str) -> Result<String, CommandError> {
        let outcome =
            HookOutcome::deny("denied before any hook was asked: the call could not be read");
        if self.format == Format::Human {
            return Ok(human::refusal(&outcome, error));
        }
        diagnose(error);
        let line = OutcomeLine::new(&outcome).named(name).with_error(error);
        line.to_line()
            .map_err(|error| CommandError::Write(error.into()))
    }

    /// The ask that is the caller's to put to a person.
    fn open_ask<'c>(&self, consultation: &'c Consultation) -> Option<&'c Asked> {
        let asked = consultation.asked.as_ref().filter(|_| self.reports_asks)?;
        matches!(asked.settled, Settled::Unanswered(_)).then_some(asked)
    }
}

/// Puts a call through the chain. Dropping the future kills the hook that is being asked.
pub(crate) async fn judge(runner: &HookRunner, call: &Call) -> Consultation {
    match call.request(runner.workspace()) {
        Ok(request) => runner.consult(request).await,
        // As the chain does with an input that has two readings: denied, unless nobody would be asked.
        Err(ambiguity) if runner.asks(call.event, &call.details.tool_name) => {
            Consultation::of(HookOutcome::Deny(format!(
                "denied before any hook was asked: the output can be read as two different results ({ambiguity})"
            )))
        }
        Err(_ambiguity) => Consultation::of(HookOutcome::Allow),
    }
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

/// Loads the hooks that are asked, where no person can be.
pub(crate) fn load(args: &HooksArgs) -> Result<Loaded, CommandError> {
    load_for(args, Way::Deny)
}

/// Loads the hooks that are asked; a person is asked in this way.
fn load_for(args: &HooksArgs, way: Way) -> Result<Loaded, CommandError> {
    let (workspace, sources) = (&args.workspace, &args.sources);
    let mut builder = HookRunner::builder(workspace);
    let (mut record, mut approver) = (None, None);
    let mut asked = Native::NotAsked;
    if let Some(config) = sources.native() {
        let loaded = hook_config::load(workspace, &config)?;
        for warning in &loaded.warnings {
            diagnose(&warning.to_string());
        }
        // The bridge may find another file above, where there is none here.
        if workspace.join(DEFAULT_WORKSPACE_HOOKS_FILE).exists() {
            asked = Native::AskedHere;
        }
        builder = builder.with_hooks(loaded.hooks);
        record = loaded.record;
        approver = loaded.approver;
    }
    let mut all = Vec::new();
    for agent in sources.agents() {
        let config = sources.reading.settings_of(agent);
        let hooks = agents::load_hooks(agent, workspace, &config, agents::OF_CALLS, asked)?;
        builder = builder.with_last_participant(hooks.clone());
        all.push(hooks);
    }
    Ok(Loaded {
        runner: way.equip(builder, approver.as_ref()).build()?,
        agents: all,
        record,
    })
}
