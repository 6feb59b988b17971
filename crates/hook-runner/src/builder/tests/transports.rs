//! Declared hooks and the transports that reach them.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

#[tokio::test(start_paused = true)]
async fn the_entry_decides_what_a_transports_participant_is_about() {
    let hook = http("policy", 4)
        .with_tools(["shell"])
        .with_timeout(Duration::from_millis(700));
    let with = |answer, hook: &HookSpec| {
        let builder = builder().with_transport("http", remote(answer));
        Reports::built(builder.with_hooks([hook.clone()])).0
    };
    // Its name, its kind and its tools.
    let runner = with(DENIES, &hook);
    assert_eq!(
        runner.decide(&call("{}")).await,
        HookOutcome::deny("denied by http 'policy': no")
    );
    assert!(!runner.asks(HookEvent::PreToolUse, "edit"));
    // Its event.
    let after = with(DENIES, &hook.clone().with_event(HookEvent::PostToolUse));
    assert_eq!(after.decide(&call("{}")).await, HookOutcome::Allow);
    assert!(after.asks(HookEvent::PostToolUse, "shell"));
    // Its time.
    let since = tokio::time::Instant::now();
    assert_eq!(
        with(|| None, &hook).decide(&call("{}")).await,
        HookOutcome::deny("denied, because http 'policy' did not answer within 700 ms")
    );
    assert_eq!(since.elapsed().as_millis(), 700);
    // What its failure means.
    let fails = || Some(Err("token=hunter2".into()));
    assert_eq!(
        with(fails, &hook).decide(&call("{}")).await,
        HookOutcome::deny("denied, because http 'policy' could not answer")
    );
    let open = hook.clone().with_on_failure(OnFailure::Allow);
    assert_eq!(
        with(fails, &open).decide(&call("{}")).await,
        HookOutcome::Allow
    );
}

#[tokio::test]
async fn a_transport_is_told_the_entry_and_the_absolute_workspace() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&told);
    let http_transport = move |spec: &HookSpec, workspace: &Path| {
        let entry = (spec.clone(), workspace.to_owned());
        sink.lock().expect("a lock").push(entry);
        Ok(Arc::new(Remote { answer: DENIES }) as Arc<dyn Interceptor>)
    };
    let built = HookRunner::builder("relative")
        .with_transport("http", http_transport)
        .with_hooks([http("policy", 4)])
        .build();
    let runner = built.expect("a runner");
    let told = told.lock().expect("a lock");
    let [(spec, workspace)] = &told[..] else {
        panic!("once for an entry")
    };
    assert_eq!(*spec, http("policy", 4));
    assert!(workspace.is_absolute() && workspace == runner.workspace());
    let who = runner.participants()[0].identity();
    assert_eq!(who.to_string(), "http 'policy'");
    assert_eq!(
        who.origin().to_string(),
        "workspace /ws/.basis/hooks.json:4"
    );
    assert_eq!(runner.participants()[0].declaration(), Some(spec));
}

#[tokio::test]
async fn a_runner_made_from_another_keeps_what_was_connected() {
    let times = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&times);
    let http_transport = move |_: &HookSpec, _: &Path| {
        count.fetch_add(1, Ordering::SeqCst);
        Ok(Arc::new(Remote { answer: DENIES }) as Arc<dyn Interceptor>)
    };
    let built = builder()
        .with_transport("http", http_transport)
        .with_hooks([http("policy", 4)])
        .build();
    let runner = built
        .expect("a runner")
        .with_env("A", "1")
        .inherit_env(["B"]);
    assert_eq!(
        runner.decide(&call("{}")).await,
        HookOutcome::deny("denied by http 'policy': no")
    );
    assert_eq!(times.load(Ordering::SeqCst), 1);
}

#[test]
fn a_program_is_reached_by_no_other_transport() {
    let never = |_: &HookSpec, _: &Path| -> Result<Arc<dyn Interceptor>, InterceptorError> {
        Err("taken over".into())
    };
    let runner = builder()
        .with_transport("command", never)
        .with_hooks([HookSpec::new("guard", ["true"])])
        .build()
        .expect("a runner");
    assert_eq!(runner.participants()[0].identity().kind(), "hook");
}

#[tokio::test]
async fn an_entry_that_asks_for_facts_is_told_what_is_known() {
    struct Knows;

    impl ToolKnowledge for Knows {
        fn kinds(&self, _tool_name: &str) -> Kinds {
            [Kind::Shell].into_iter().collect()
        }

        fn knows_facts(&self) -> bool {
            true
        }

        fn facts(&self, _request: &HookRequest) -> Option<Facts> {
            Some(Facts::new())
        }
    }

    // The program prints what it was asked as the reason of a denial.
    let script = r#"read -r call; printf '{"decision":"deny","reason":"%s"}\n' "$(printf %s "$call" | tr -d '"')""#;
    let hook = |name: &str| HookSpec::new(name, ["sh", "-c", script]);
    let directory = tempfile::tempdir().expect("a directory");
    let said = async |hook: HookSpec| {
        let runner = HookRunner::builder(directory.path())
            .with_tools(Arc::new(Knows))
            .with_hooks([hook]);
        let outcome = Reports::built(runner).0.decide(&call("{}")).await;
        outcome.reason().expect("a denial").to_owned()
    };
    for mode in HookMode::ALL {
        let plain = said(hook("plain").with_mode(mode)).await;
        assert!(plain.contains("tool_name:shell"), "{plain}");
        assert!(
            !plain.contains("facts:") && !plain.contains("tool:"),
            "{plain}"
        );
        let told = said(hook("told").with_facts().with_mode(mode)).await;
        assert!(told.contains("tool:{kinds:[shell]}"), "{told}");
        assert!(told.contains("facts:{coverage:full}"), "{told}");
    }
}
