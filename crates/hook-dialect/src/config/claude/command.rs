//! A command of Claude Code.

use std::time::Duration;

use hook_source::{Diagnostic, Node, Shown};

use crate::{
    FailurePolicy, IfRule, RuleBase,
    config::{
        commands::Commands,
        finding::{self, AtHome},
        handler::{Background, CommandForm, Handler, Shell},
        not_run::WhyNotRun,
    },
    dialect::Subject,
};

pub(super) fn read(commands: &mut Commands<'_, '_, '_>) -> Option<Handler> {
    let command = form(commands);
    let default = commands.event.timeout.default;
    let timeout = timeout(commands);
    let rule = rule(commands);
    let background = background(commands);
    let once = commands.flag("once");
    let on_failure = on_failure(commands);
    let status_message = commands.text("statusMessage").map(str::to_owned);
    if let Some(node) = commands.field("once").filter(|_| once) {
        let message = "`once` counts in skills only; the hook stays";
        commands.odd(node, "once_outside_skill", message, "remove it");
    }
    let mut handler = Handler::new(command?, timeout.unwrap_or(default));
    handler.timeout_written = timeout.is_some();
    handler.rule = rule;
    handler.background = background;
    handler.once = once;
    handler.on_failure = on_failure;
    handler.status_message = status_message;
    Some(handler)
}

fn form(commands: &mut Commands<'_, '_, '_>) -> Option<CommandForm> {
    let text = commands.command_line(AtHome::Nothing).map(str::to_owned);
    let shell = commands.word("shell", &["bash", "powershell"], false);
    let Some(node) = commands.field("args") else {
        let shell = if shell == Some("powershell") {
            Shell::PowerShell
        } else {
            Shell::Posix
        };
        let text = text?;
        return Some(CommandForm::Shell { text, shell });
    };
    if let Some(node) = commands.field("shell") {
        let message = "`shell` has no effect beside `args`, which starts the program directly";
        commands.odd(node, "shell_beside_args", message, "remove one of the two");
    }
    let args = arguments(commands, node)?;
    let program = text?;
    Some(CommandForm::Exec { program, args })
}

fn arguments(commands: &mut Commands<'_, '_, '_>, node: &Node) -> Option<Vec<String>> {
    let mut args = Vec::new();
    for (index, argument) in node.list()?.iter().enumerate() {
        match argument.text() {
            Some(text) if text.contains('\0') => {
                let told = finding::nul("args");
                commands.mistake_as(&argument.span, told, AtHome::NeverAsks);
            }
            Some(text) => args.push(text.to_owned()),
            None => commands.wrong_type(argument, &format!("args[{index}]"), "a string"),
        }
    }
    Some(args)
}

/// Seconds, also parts of them.
fn timeout(commands: &mut Commands<'_, '_, '_>) -> Option<Duration> {
    let node = commands.field("timeout")?;
    let written = node.number()?;
    let seconds: f64 = written.parse().unwrap_or(f64::INFINITY);
    if seconds <= 0.0 {
        let told = finding::timeout(written, "seconds greater than 0, such as 30");
        commands.mistake(&node.span, told);
        return None;
    }
    let timeout = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    Some(commands.within(node, timeout))
}

fn rule(commands: &mut Commands<'_, '_, '_>) -> Option<IfRule> {
    let text = commands.text("if").filter(|text| !text.is_empty())?;
    let node = commands.field("if")?;
    let config = commands.ground.config;
    let home = config.home().map(Into::into);
    let root = commands.ground.root.map(Into::into);
    let rule = IfRule::parse(text, RuleBase::new(home, root, config.is_strict()));
    match rule {
        Ok(_) if commands.event.subject != Subject::Tool => {
            let message = "a rule (`if`) holds for tool calls only, so the hook is never asked";
            commands.odd(node, "rule_without_tool", message, "remove the rule");
            commands.not_run.get_or_insert(WhyNotRun::RuleWithoutTool);
            None
        }
        Ok(rule) => Some(rule),
        Err(problem) => {
            let message = format!("the rule `{}` cannot be used: {problem}", Shown(text));
            let told = Diagnostic::error("rule", message).with_help(problem.help());
            commands.mistake_as(&node.span, told, AtHome::NeverAsks);
            None
        }
    }
}

fn background(commands: &mut Commands<'_, '_, '_>) -> Background {
    let (detached, wakes) = (commands.flag("async"), commands.flag("asyncRewake"));
    match (detached, wakes) {
        (true, true) => Background::WakesTheModel,
        (true, false) => Background::Always,
        (false, wakes) => {
            if let Some(node) = commands.field("asyncRewake").filter(|_| wakes) {
                let message = "`asyncRewake` has no effect without `async`; the hook is waited for";
                let help = "add \"async\": true, or remove it";
                commands.odd(node, "rewake_alone", message, help);
            }
            Background::Never
        }
    }
}

fn on_failure(commands: &mut Commands<'_, '_, '_>) -> FailurePolicy {
    let written = match commands.word("onFailure", &["continue", "block"], false) {
        Some("block") => FailurePolicy::Block,
        Some(_continue) => FailurePolicy::Allow,
        None => FailurePolicy::Unwritten,
    };
    commands.ground.on_failure(written)
}
