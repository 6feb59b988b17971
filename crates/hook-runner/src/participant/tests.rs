use std::{collections::BTreeSet, sync::Mutex};

use hook_contract::{Answer, HookEvent};

use super::*;
use crate::{
    Rank,
    alarm::tests::block_on,
    testing::{before, policy},
};

/// Writes down which of its methods was called. Each answers in a way that no default does.
struct Probe {
    identity: Identity,
    spec: HookSpec,
    called: Mutex<BTreeSet<&'static str>>,
}

impl Probe {
    fn new() -> Self {
        Self {
            identity: policy("probe"),
            spec: HookSpec::new("probe", ["./probe"]),
            called: Mutex::default(),
        }
    }

    fn called(&self, method: &'static str) {
        self.called.lock().expect("a lock").insert(method);
    }

    /// What was called since this was asked last.
    fn take(&self) -> BTreeSet<&'static str> {
        std::mem::take(&mut *self.called.lock().expect("a lock"))
    }
}

#[async_trait]
impl Participant for Probe {
    fn identity(&self) -> &Identity {
        self.called("identity");
        &self.identity
    }

    fn applies_to(&self, _subject: &Subject<'_>) -> bool {
        self.called("applies_to");
        true
    }

    fn on_failure(&self) -> OnFailure {
        self.called("on_failure");
        OnFailure::Allow
    }

    fn ranks(&self) -> Ranks {
        self.called("ranks");
        Ranks::new(Rank::MACHINE, Rank::USER)
    }

    fn time_limit(&self) -> TimeLimit {
        self.called("time_limit");
        TimeLimit::After(Duration::from_millis(7))
    }

    fn wants_facts(&self) -> bool {
        self.called("wants_facts");
        true
    }

    fn declaration(&self) -> Option<&HookSpec> {
        self.called("declaration");
        Some(&self.spec)
    }

    async fn ask(&self, _question: &Question) -> Reply {
        self.called("ask");
        Reply::new(Ok(Answer::ask("why"))).with_note("a note")
    }

    async fn close(&self) {
        self.called("close");
    }
}

/// Calls every method, and says what came of it.
fn call_all(participant: &dyn Participant) -> String {
    let subject = Subject::new(HookEvent::PreToolUse, "shell");
    block_on(participant.close());
    format!(
        "{} {} {} {:?} {:?} {} {:?} {:?}",
        participant.identity(),
        participant.applies_to(&subject),
        participant.on_failure(),
        participant.ranks(),
        participant.time_limit(),
        participant.wants_facts(),
        participant.declaration(),
        block_on(participant.ask(&Question::new(before("{}")))),
    )
}

/// The methods that the trait has, as its source says.
fn methods() -> BTreeSet<&'static str> {
    let source = include_str!("../participant.rs");
    let (_, rest) = source
        .split_once("pub trait Participant")
        .expect("the trait");
    let (body, _) = rest.split_once("\n}\n").expect("its end");
    let lines = body.lines().map(|line| line.trim_start_matches("    "));
    let names = lines.filter_map(|line| {
        let line = line.strip_prefix("async ").unwrap_or(line);
        line.strip_prefix("fn ")?.split('(').next()
    });
    names.collect()
}

#[test]
fn every_method_of_a_participant_goes_through_a_pointer_to_it() {
    let shared = Arc::new(Probe::new());
    let direct = call_all(&*shared);
    let all = methods();
    assert!(all.contains("ask") && all.contains("ranks"), "{all:?}");
    // A method that was added to the trait and not to the probe is missing here.
    assert_eq!(shared.take(), all);
    let pointers: [Box<dyn Participant>; 3] = [
        Box::new(Box::new(Arc::clone(&shared) as Arc<dyn Participant>)),
        Box::new(Arc::clone(&shared)),
        Box::new(Arc::new(Arc::clone(&shared))),
    ];
    for pointer in pointers {
        assert_eq!(call_all(&pointer), direct);
        // One that is not forwarded is missing here: the pointer's own default ran.
        assert_eq!(shared.take(), all);
    }
}

#[test]
fn a_participant_weighs_as_its_origin_does_and_keeps_its_own_deadline() {
    struct Plain(Identity);

    #[async_trait]
    impl Participant for Plain {
        fn identity(&self) -> &Identity {
            &self.0
        }

        fn applies_to(&self, _subject: &Subject<'_>) -> bool {
            true
        }

        async fn ask(&self, _question: &Question) -> Reply {
            Reply::new(Ok(Answer::allow()))
        }
    }

    let plain = Plain(crate::testing::user("plain"));
    assert_eq!(plain.ranks(), Ranks::both(Rank::USER));
    assert_eq!(plain.time_limit(), TimeLimit::Own);
    assert_eq!(plain.on_failure(), OnFailure::Deny);
    assert!(!plain.wants_facts() && plain.declaration().is_none());
}
