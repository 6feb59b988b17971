//! The chains that are asked: a fixed number of them, made from the seed.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use hook_config::{HookMode, HookOrigin, HookSpec, OnFailure};
use hook_contract::{Approval, HookEvent};
use hook_runner::{FailureKind, HookRunner, HookRunnerBuilder, Origin, Ranks, Recorded, Recorder};
use hookchain_tests::{
    Workspace,
    model::{Beside, Says, Voice},
};

use crate::{
    interceptors::{Manner, Person, Scripted, panic_as_meant, sayings},
    programs::{MAX_ANSWER_BYTES, Program, programs, write_scripts},
    random::Random,
};

/// How many chains there are. Each is asked by many at once, as a host's one runner is.
const CHAINS: u64 = 400;

/// How long a chain may take that has somebody who never answers.
const BUDGET: Duration = Duration::from_millis(8);

/// How many programs one chain may run at once.
const PLACES: [usize; 4] = [1, 2, 8, 32];

/// How many processes each of its workers may have.
const WORKERS: [usize; 3] = [1, 2, 8];

/// How long a question may wait for its turn: longer than a busy machine takes.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(80);

/// How long a worker is kept that nobody asks; it ends by itself after half a minute.
const MAX_IDLE: Duration = Duration::from_secs(10);

/// Numbers of generators that are no consultation's.
const FIRST_CHAIN: u64 = u64::MAX / 2;

/// One chain, and those in it in the order in which they are asked.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) runner: HookRunner,
    pub(crate) voices: Vec<Voice>,
    /// What the person says who is asked at last, where there is one.
    pub(crate) person: Option<Approval>,
}

/// Every chain, where they run, and what they told the recorder.
#[derive(Debug)]
pub(crate) struct Cast {
    pub(crate) workspace: Workspace,
    pub(crate) records: Arc<Records>,
    chains: Vec<Chain>,
}

/// What every runner of the soak records to.
#[derive(Debug, Default)]
pub(crate) struct Records {
    pub(crate) begun: AtomicU64,
    pub(crate) abandoned: AtomicU64,
    pub(crate) invoked: AtomicU64,
    pub(crate) answered: AtomicU64,
    pub(crate) concluded: AtomicU64,
}

impl Recorder for Records {
    fn record(&self, event: Recorded<'_>) {
        let counter = match event {
            Recorded::Begun { .. } => &self.begun,
            Recorded::Invoked { .. } => &self.invoked,
            Recorded::Answered { .. } => &self.answered,
            Recorded::Concluded { .. } => &self.concluded,
            Recorded::Abandoned { .. } => &self.abandoned,
            _ => return,
        };
        let count = counter.fetch_add(1, Ordering::Relaxed);
        // A recorder that breaks has no say either.
        if matches!(event, Recorded::Answered { .. }) && count.is_multiple_of(101) {
            panic_as_meant();
        }
    }
}

impl Cast {
    pub(crate) fn new(seed: u64) -> Self {
        let workspace = Workspace::named("soak");
        write_scripts(&workspace);
        let programs = programs(&workspace);
        let records = Arc::new(Records::default());
        let chains = (0..CHAINS)
            .map(|number| {
                let mut random = Random::of(seed, FIRST_CHAIN + number);
                Chain::new(&mut random, &workspace, &programs, &records)
            })
            .collect();
        Self {
            workspace,
            records,
            chains,
        }
    }

    /// Lets every worker go.
    pub(crate) async fn rest(&self) {
        for chain in &self.chains {
            chain.runner.shutdown().await;
        }
    }

    pub(crate) fn pick(&self, random: &mut Random) -> &Chain {
        random.pick(&self.chains)
    }
}

impl Chain {
    fn new(
        random: &mut Random,
        workspace: &Workspace,
        programs: &[Program],
        records: &Arc<Records>,
    ) -> Self {
        let reports = AtomicU64::new(0);
        let mut builder = HookRunner::builder(workspace.path())
            .with_max_answer_bytes(MAX_ANSWER_BYTES)
            .with_max_programs(*random.pick(&PLACES))
            .with_workers(*random.pick(&WORKERS))
            .with_queue_timeout(QUEUE_TIMEOUT)
            .with_recorder(Arc::clone(records))
            .with_reporter(move |_| {
                if reports.fetch_add(1, Ordering::Relaxed).is_multiple_of(53) {
                    panic_as_meant();
                }
            });
        let person = random.pick(&people()).clone();
        if let Some(approval) = &person {
            builder = builder.with_approver(Person(approval.clone()));
        }
        let mut voices = Vec::new();
        // On a loaded machine anybody may find the budget used up, so nobody speaks before the one that never does.
        let never = random.one_in_thousand_of(15);
        let speakers = if never { 0 } else { random.below(5) };
        for number in 0..speakers {
            let manner = match random.below(3) {
                0 => Manner::Later,
                _ => Manner::AtOnce,
            };
            let (_, says) = weighted(random, &sayings(), |(weight, _)| *weight);
            let mut voice = Voice::new("interceptor", format!("i{number}"), says);
            if random.one_in_thousand_of(50) {
                voice.context = vec!["as always".into(), format!("from {number}")];
            }
            voices.push(voice.clone());
            builder = builder.with_interceptor(Scripted { voice, manner });
        }
        if never {
            let millis = BUDGET.as_millis();
            let words = format!(
                "had not answered when the budget of the whole consultation, {millis} ms, was used up"
            );
            let never = Says::Breaks(FailureKind::Budget, words);
            let voice = Voice::new("interceptor", "i99", never);
            voices.push(voice.clone());
            let manner = Manner::Never;
            builder = builder.with_interceptor(Scripted { voice, manner });
            let runner = built(builder.with_budget(BUDGET));
            return Self {
                runner,
                voices,
                person,
            };
        }
        let mut hooks = Vec::new();
        if random.one_in_thousand_of(800) {
            for number in 0..=random.below(4) {
                let program = weighted(random, programs, |program| program.weight);
                hooks.push(hook(random, number, program));
            }
        }
        let runner = built(builder.with_hooks(hooks.iter().map(|(_, spec, _)| spec.clone())));
        // The further from the workspace's own data, the earlier.
        hooks.sort_by_key(|(distance, ..)| *distance);
        voices.extend(hooks.into_iter().map(|(.., voice)| voice));
        Self {
            runner,
            voices,
            person,
        }
    }
}

fn built(builder: HookRunnerBuilder) -> HookRunner {
    builder.build().expect("a runner")
}

/// Who is asked when a person has to agree; mostly there is none.
fn people() -> [Option<Approval>; 5] {
    [
        None,
        None,
        Some(Approval::granted()),
        Some(Approval::Granted { remember: true }),
        Some(Approval::refused("not today")),
    ]
}

fn weighted<T: Clone>(random: &mut Random, from: &[T], weight: impl Fn(&T) -> u64) -> T {
    let index = random.weighted(from.iter().map(weight).collect::<Vec<_>>().into_iter());
    from[index].clone()
}

/// How near to the workspace it is declared, how it is declared, and what it says.
fn hook(random: &mut Random, number: u64, program: Program) -> (u64, HookSpec, Voice) {
    let path = "hooks.json".into();
    let (line, column) = (1, 1);
    let distance = random.below(3);
    let origin = match distance {
        0 => HookOrigin::Supplied,
        1 => HookOrigin::GlobalFile { path, line, column },
        _ => HookOrigin::WorkspaceFile { path, line, column },
    };
    let on_failure = *random.pick(&[OnFailure::Deny, OnFailure::Allow]);
    let event = match program.says {
        // Mostly at the event at which it is an answer.
        Says::Modify(..) | Says::Ask(_, Some(Beside::Input(_)))
            if !random.one_in_thousand_of(100) =>
        {
            HookEvent::PreToolUse
        }
        Says::Replace(..) if !random.one_in_thousand_of(100) => HookEvent::PostToolUse,
        _ => *random.pick(HookEvent::ALL),
    };
    let tool = *random.pick(&[None, None, None, Some("shell"), Some("Shell")]);
    let name = format!("h{number}");
    let mut spec = HookSpec::new(&name, program.command)
        .with_timeout(program.timeout)
        .with_mode(program.mode)
        .with_max_idle(MAX_IDLE)
        .with_on_failure(on_failure)
        .with_event(event)
        .with_origin(origin.clone());
    let ranks = Ranks::both(Origin::Declared(origin).rank());
    if let Some(tool) = tool {
        spec = spec.with_tools([tool]);
    }
    let before = event == HookEvent::PreToolUse;
    let voice = Voice {
        kind: match program.mode {
            HookMode::Oneshot => "hook",
            HookMode::Worker => "worker",
        },
        name,
        events: (before, !before),
        tool,
        on_failure,
        says: program.says,
        context: program.context,
        notes: program.notes,
        ranks,
    };
    (distance, spec, voice)
}
