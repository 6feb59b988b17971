//! Hooks of other agents, ready to be asked, and what they say.

use std::{collections::HashSet, path::Path, time::Duration};

use hook_dialect::{
    Dialect,
    config::{Beside, DialectConfig, Guarding, LoadedHooks, WhyNotRun, load},
    run::{DialectHooks, Late},
};
use tokio::time::timeout;

use crate::{
    bridge::is_installed_as, command_error::CommandError, signals::Signals, streams::diagnose,
};

/// How long hooks in the background are waited for when everything else is done.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether the workspace's native hooks are asked beside those of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Native {
    AskedHere,
    NotAsked,
}

/// The events that calls and their results lead to.
pub(crate) const OF_CALLS: &[&str] = &["PreToolUse", "PostToolUse", "PostToolUseFailure"];

/// The hooks of an agent in a workspace; what is odd in its settings is told, and which hooks its agent would ask at these
/// events that nobody can ask here.
pub(crate) fn load_hooks(
    agent: &'static Dialect,
    workspace: &Path,
    config: &DialectConfig,
    events: &[&str],
    native: Native,
) -> Result<DialectHooks, CommandError> {
    let mut loaded = load(workspace, config)?;
    if native == Native::AskedHere {
        // They would be asked once more, by the bridge.
        loaded.hooks.retain(|hook| !is_installed_as(hook));
    }
    for finding in loaded.findings.iter().filter(|finding| finding.at_calls()) {
        diagnose(&finding.to_string());
    }
    if events == OF_CALLS {
        tell_beside(&loaded.beside);
    }
    // One that its agent does not run either is for `check` alone.
    for not_run in &loaded.not_run {
        let runs_at_home = matches!(not_run.why, WhyNotRun::HandlerType { .. });
        if runs_at_home && events.contains(&not_run.event.as_str()) {
            diagnose(&not_run.to_string());
        }
    }
    let hooks = ready(agent, workspace, config, &loaded);
    tell_doubts(&hooks, events);
    Ok(hooks)
}

/// Tells what guards calls at home beside the hooks, and is not looked at here: of each kind once.
fn tell_beside(beside: &[Beside]) {
    let mut told: Vec<(Guarding, Vec<String>)> = Vec::new();
    for one in beside {
        let place = one.origin.to_string();
        let known = told
            .iter_mut()
            .find_map(|(what, places)| Some((what.and(&one.what)?, what, places)));
        match known {
            Some((both, what, places)) => {
                *what = both;
                places.push(place);
            }
            None => told.push((one.what.clone(), vec![place])),
        }
    }
    for (what, places) in told {
        diagnose(&format!("{}: {what}", places.join(", ")));
    }
}

/// Tells what costs hooks their answer before they are asked, each once.
fn tell_doubts(hooks: &DialectHooks, events: &[&str]) {
    let mut told = HashSet::new();
    let concerned = hooks
        .hooks()
        .filter(|hook| events.contains(&hook.event.name));
    for hook in concerned {
        let doubts = hooks.doubts(hook).into_iter();
        for doubt in doubts.filter(|doubt| doubt.at_calls) {
            let sentence = doubt.what.sentence();
            if told.insert((hook.origin.path.clone(), sentence.clone())) {
                diagnose(&format!("{}: {}: {sentence}", hook.origin, hook.event.name));
            }
        }
    }
}

/// The same, of what has been loaded.
pub(crate) fn ready(
    agent: &'static Dialect,
    workspace: &Path,
    config: &DialectConfig,
    loaded: &LoadedHooks,
) -> DialectHooks {
    DialectHooks::builder(agent, workspace)
        .with_loaded(loaded)
        .with_strict(config.is_strict())
        .build()
}

/// Waits a little for hooks in the background, ends those that are still there, and tells what the others said. Says
/// which signal cut that short, if one did.
pub(crate) async fn settle(agents: &[DialectHooks], signals: &mut Signals) -> Option<u8> {
    let finished = async {
        for hooks in agents {
            hooks.finish_background().await;
        }
    };
    let signal = tokio::select! {
        biased;
        signal = signals.received() => Some(signal),
        _ended = timeout(PATIENCE, finished) => None,
    };
    let unfinished: usize = agents.iter().map(DialectHooks::running_in_background).sum();
    for hooks in agents {
        hooks.drain().await;
    }
    tell_late(agents);
    if unfinished > 0 && signal.is_none() {
        let plural = if unfinished == 1 { "" } else { "s" };
        let seconds = PATIENCE.as_secs();
        diagnose(&format!(
            "{unfinished} hook{plural} in the background had not ended after {seconds} s and ended with this command"
        ));
    }
    signal
}

/// Tells what hooks in the background have said since this was last called.
pub(crate) fn tell_late(agents: &[DialectHooks]) {
    for late in agents.iter().flat_map(DialectHooks::ended_in_background) {
        for line in said_late(&late) {
            diagnose(&line);
        }
    }
}

fn said_late(late: &Late) -> Vec<String> {
    let Late { run, wakes, .. } = late;
    let agent = run.hook.dialect.name;
    let output = &run.output;
    let mut said = Vec::new();
    if let Some(failure) = &output.failure
        && !wakes
    {
        said.push(format!("failed: {failure}"));
    }
    if *wakes {
        let text = if output.stderr.is_empty() {
            &output.stdout
        } else {
            &output.stderr
        };
        said.push(format!("would wake the model: {text}"));
    }
    if let Some(objection) = late.objection().filter(|_| !wakes) {
        let reason = objection.reason.as_deref().unwrap_or("it gave no reason");
        let what = if objection.refuses() {
            "refused"
        } else {
            "asked for a person's agreement"
        };
        said.push(format!("it {what}, which comes too late: {reason}"));
    }
    if output.continues == Some(false) {
        said.push("it wanted the turn to end, which comes too late".to_owned());
    }
    if output.updated_input.is_some() || output.updated_tool_output.is_some() {
        said.push("it rewrote, which comes too late".to_owned());
    }
    let errors: Vec<&str> = run.shell_errors().collect();
    if !errors.is_empty() {
        said.push(format!(
            "a shell could not do what it was told: {}",
            errors.join("; ")
        ));
    }
    if let Some(hint) = &run.hint {
        said.push(hint.clone());
    }
    if let Some(text) = &output.additional_context {
        said.push(format!("for the model: {text}"));
    }
    if let Some(text) = &output.system_message {
        said.push(format!("for the user: {text}"));
    }
    said.into_iter()
        .map(|said| format!("dialect '{agent}': {run}, in the background: {said}"))
        .collect()
}
