//! Whole runs of Claude Code that are not in its matrix: what hooks do about compacting.

use hook_contract::Json;
use hook_dialect::{
    Dialect, Fact, Facts, FailurePolicy, Verdict,
    config::{CommandForm, Handler, LoadedHook, Origin, Scope, Shell},
    run::DialectHooks,
};
use serde_json::Value;

use crate::{
    machine::{Machine, Work, at_once},
    stored::{all_agree, folder, read},
};

/// Whether a hook lets the conversation be compacted, and what it gives the summary; and the same as it was recorded.
fn compacts(name: &str, run: &Value, strict: bool) -> Work<Option<String>> {
    let machine = Machine::new();
    let claude = Dialect::CLAUDE;
    let event = claude.event("PreCompact").expect("an event");
    let text = run["hook"].as_str().expect("a command").to_owned();
    let shell = Shell::Posix;
    let handler = Handler::new(CommandForm::Shell { text, shell }, event.timeout.default);
    // What its settings say about its failure is in the name of the run.
    let handler = if name.starts_with("onfailure") {
        handler.with_on_failure(FailurePolicy::Block)
    } else {
        handler
    };
    let origin = Origin::new(Scope::Project, "settings.json".into(), 1);
    let hooks = DialectHooks::builder(claude, machine.make("repo"))
        .with_hooks([LoadedHook::new(claude, event, None, handler, origin)])
        .with_strict(strict)
        .build();
    let (name, run) = (name.to_owned(), run.clone());
    Box::pin(async move {
        let facts = Facts::new()
            .with(Fact::Trigger, "manual")
            .with_json(Fact::CustomInstructions, Json::from(Value::Null));
        let fired = hooks.fire("PreCompact", &facts).await.expect("known");
        let allowed = fired.outcome.decision != Verdict::Deny;
        let told = fired
            .outcome
            .additional_context
            .into_iter()
            .map(Value::from);
        let told = Value::from(if allowed { told.collect() } else { Vec::new() });
        let there = (
            &run["summary_requested"],
            &run["hook_text_in_summary_request"],
        );
        drop(machine);
        (there != (&Value::from(allowed), &told))
            .then(|| format!("{name}: {there:?} there, {allowed} and {told} here"))
    })
}

#[test]
fn compacting_is_kept_from_happening_where_it_was() {
    let path = folder("oracle-claude").join("scenarios.json");
    if !path.exists() {
        // Another folder need not have it.
        assert!(!crate::stored::is_own(), "{}", path.display());
        return;
    }
    let scenarios = read(&path);
    let runs = scenarios["compact"].as_object().expect("runs");
    let runs: Vec<_> = runs
        .iter()
        .filter(|(_, run)| run.get("hook").is_some())
        .collect();
    for strict in [true, false] {
        let found = at_once(runs.iter(), |(name, run)| compacts(name, run, strict));
        let found: Vec<_> = found.into_iter().flatten().collect();
        all_agree("compacting", runs.len(), &found);
    }
}
