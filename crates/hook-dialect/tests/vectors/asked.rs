//! Asking the recorded hooks, by the means that they are asked with everywhere.

use std::{
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::{Arc, RwLock},
    time::Duration,
};

use hook_dialect::{
    Dialect, Facts, FailurePolicy, IfRule, RuleBase,
    config::{Background, CommandForm, Handler, LoadedHook, Origin, Scope, Shell},
    dialect::{EventRow, Subject},
    run::{DialectHooks, Fired},
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::Semaphore;

/// Writes a program; the recorded mode decides whether it can be run.
pub(crate) fn write(path: &Path, content: &str, mode: u32) {
    std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    std::fs::write(path, content).expect("a program");
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(path, permissions).expect("a mode");
}

/// The hooks of one event as a file declares them; `fill` puts the places of this machine into a command.
pub(crate) fn declared(
    dialect: &'static Dialect,
    event: &'static EventRow,
    shell: Shell,
    groups: &Value,
    fill: impl Fn(&str) -> String,
) -> Vec<LoadedHook> {
    let mut hooks: Vec<LoadedHook> = Vec::new();
    let mut keys: Vec<Value> = Vec::new();
    for group in groups.as_array().into_iter().flatten() {
        for handler in group["hooks"].as_array().into_iter().flatten() {
            if !can_hold(rule(handler), event) {
                continue;
            }
            let text = fill(handler["command"].as_str().expect("a command"));
            let command = match handler["args"].as_array() {
                Some(args) => CommandForm::Exec {
                    program: text,
                    args: args
                        .iter()
                        .filter_map(Value::as_str)
                        .map(fill_of(&fill))
                        .collect(),
                },
                None => CommandForm::Shell { text, shell },
            };
            let place = Origin::new(Scope::Project, "hooks.json".into(), 1);
            let pattern = group["matcher"].as_str().map(str::to_owned);
            let mut hook = LoadedHook::new(
                dialect,
                event,
                pattern,
                read(event, command, handler),
                place,
            );
            hook.order = hooks.len();
            let key = if dialect.name == "claude" {
                serde_json::json!([handler["command"], handler["args"], handler["if"]])
            } else {
                hooks.len().into()
            };
            hook.same = keys
                .iter()
                .position(|other| *other == key)
                .unwrap_or(keys.len());
            keys.push(key);
            hooks.push(hook);
        }
    }
    hooks
}

fn fill_of(fill: &impl Fn(&str) -> String) -> impl Fn(&str) -> String {
    move |text| fill(text)
}

/// The rule of a handler; other agents than Claude Code have none.
fn rule(handler: &Value) -> Option<&str> {
    handler["if"].as_str().filter(|rule| !rule.is_empty())
}

/// Whether a hook with this rule is ever asked.
fn can_hold(rule: Option<&str>, event: &EventRow) -> bool {
    rule.is_none_or(|rule| {
        event.subject == Subject::Tool && IfRule::parse(rule, RuleBase::default()).is_ok()
    })
}

fn read(event: &EventRow, command: CommandForm, handler: &Value) -> Handler {
    let mut read = Handler::new(command, event.timeout.default);
    if let Some(seconds) = handler["timeout"].as_f64() {
        let at_most = event.timeout.at_most.unwrap_or(Duration::MAX);
        read = read.with_timeout(Duration::from_secs_f64(seconds).min(at_most));
    }
    if handler["async"] == true {
        let wakes = handler["asyncRewake"] == true;
        read = read.with_background(if wakes {
            Background::WakesTheModel
        } else {
            Background::Always
        });
    }
    if handler["onFailure"] == "block" {
        read = read.with_on_failure(FailurePolicy::Block);
    }
    if let Some(rule) = rule(handler) {
        let rule = IfRule::parse(rule, RuleBase::default());
        read = read.with_rule(rule.expect("a rule that holds for something"));
    }
    read
}

/// Hooks that are to be asked about an event, in a repository of their own.
pub(crate) struct Asking {
    pub(crate) repo: TempDir,
    pub(crate) hooks: Vec<LoadedHook>,
    pub(crate) dialect: &'static Dialect,
    pub(crate) event: &'static EventRow,
    pub(crate) facts: Facts,
}

/// A program that is being written cannot be started, and a child of another thread holds the file open until it runs
/// something of its own. So nothing is written while anything may be started.
static WRITING_OR_STARTING: RwLock<()> = RwLock::new(());

/// How many events are asked about at once.
const AT_ONCE: usize = 8;

/// Prepares something for every row, and then asks about all of them, to the letter.
pub(crate) fn asked<'r>(
    rows: impl IntoIterator<Item = &'r Value>,
    prepare: impl Fn(&Value) -> Asking,
) -> Vec<Fired> {
    let alone = WRITING_OR_STARTING.write().expect("a lock");
    let asking: Vec<Asking> = rows.into_iter().map(prepare).collect();
    drop(alone);
    let _together = WRITING_OR_STARTING.read().expect("a lock");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(async {
        let places = Arc::new(Semaphore::new(AT_ONCE));
        let tasks: Vec<_> = asking
            .into_iter()
            .map(|asking| tokio::spawn(ask(asking, Arc::clone(&places))))
            .collect();
        let mut fired = Vec::new();
        for task in tasks {
            fired.push(task.await.expect("no panic"));
        }
        fired
    })
}

async fn ask(asking: Asking, places: Arc<Semaphore>) -> Fired {
    let _place = places.acquire().await.expect("open");
    let hooks = DialectHooks::builder(asking.dialect, asking.repo.path())
        .with_hooks(asking.hooks)
        .with_strict(true)
        .with_env("ORACLE_REC", asking.repo.path())
        .build();
    let fired = hooks.fire(asking.event.name, &asking.facts).await;
    hooks.drain().await;
    fired.expect("everything is known")
}
