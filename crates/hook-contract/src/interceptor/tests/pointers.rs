//! A method that a pointer left to its default would silence a participant.

use std::{collections::BTreeSet, sync::Mutex};

use super::*;

/// Writes down which of its methods was called. Each answers in a way that no default does.
#[derive(Default)]
struct Probe(Mutex<BTreeSet<&'static str>>);

impl Probe {
    fn called(&self, method: &'static str) {
        self.0.lock().expect("a lock").insert(method);
    }
}

#[async_trait]
impl Interceptor for Probe {
    fn name(&self) -> &str {
        self.called("name");
        "probe"
    }

    fn kind(&self) -> &str {
        self.called("kind");
        "policy"
    }

    fn applies_to(&self, _subject: &Subject<'_>) -> bool {
        self.called("applies_to");
        false
    }

    fn on_failure(&self) -> OnFailure {
        self.called("on_failure");
        OnFailure::Allow
    }

    fn timeout(&self) -> Option<Duration> {
        self.called("timeout");
        Some(Duration::from_millis(7))
    }

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.called("intercept");
        Ok(HookOutcome::deny("before"))
    }

    async fn review(&self, _result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.called("review");
        Ok(HookOutcome::deny("after"))
    }

    async fn answer(&self, _call: &HookRequest) -> Result<Answer, InterceptorError> {
        self.called("answer");
        Ok(Answer::ask("why").with_context("words"))
    }
}

/// Calls every method, and says what came of it.
fn call_all(interceptor: &dyn Interceptor) -> String {
    let subject = Subject::new(HookEvent::PreToolUse, "shell");
    format!(
        "{} {} {} {} {:?} {:?} {:?} {:?}",
        interceptor.name(),
        interceptor.kind(),
        interceptor.applies_to(&subject),
        interceptor.on_failure(),
        interceptor.timeout(),
        now(interceptor.intercept(&request())).expect("an answer"),
        now(interceptor.review(&request())).expect("an answer"),
        now(interceptor.answer(&request())).expect("an answer"),
    )
}

/// The methods that the trait has, as its source says.
fn methods() -> BTreeSet<&'static str> {
    let source = include_str!("../../interceptor.rs");
    let (_, rest) = source
        .split_once("pub trait Interceptor")
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
fn every_method_of_an_interceptor_goes_through_a_pointer_to_it() {
    let shared = Arc::new(Probe::default());
    let direct = call_all(&*shared);
    let all = methods();
    assert!(
        all.contains("answer") && all.contains("applies_to"),
        "{all:?}"
    );
    // A method that was added to the trait and not to the probe is missing here.
    assert_eq!(std::mem::take(&mut *shared.0.lock().expect("a lock")), all);
    let pointers: [Box<dyn Interceptor>; 3] = [
        Box::new(Box::new(Arc::clone(&shared) as Arc<dyn Interceptor>)),
        Box::new(Arc::clone(&shared)),
        Box::new(Arc::new(Arc::clone(&shared))),
    ];
    for pointer in pointers {
        assert_eq!(call_all(&pointer), direct);
        // One that is not forwarded is missing here: the pointer's own default ran.
        assert_eq!(std::mem::take(&mut *shared.0.lock().expect("a lock")), all);
    }
}
