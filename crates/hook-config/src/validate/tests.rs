use hook_contract::{HookEvent, HookMode, HookOrigin, OnFailure};

use super::*;

fn guard() -> HookSpec {
    HookSpec::new("guard", ["guard.sh"])
}

#[test]
fn what_is_not_said_takes_the_safe_default() {
    let hook = guard();
    assert_eq!(hook.event, HookEvent::PreToolUse);
    assert_eq!(hook.on_failure, OnFailure::Deny);
    assert_eq!(hook.program().expect("a program").mode, HookMode::Oneshot);
    assert_eq!(hook.timeout(), Duration::from_secs(5));
    assert_eq!(hook.origin(), &HookOrigin::Supplied);
    assert!(hook.applies_to(HookEvent::PreToolUse, "anything"));
    assert!(!hook.applies_to(HookEvent::PostToolUse, "anything"));
}

#[test]
fn a_tool_is_listed_by_its_exact_name() {
    let hook = guard().with_tools(["shell", "mcp*"]);
    let asked = |tool| hook.applies_to(HookEvent::PreToolUse, tool);
    assert!(asked("shell") && asked("mcp*"));
    assert!(!asked("Shell") && !asked("shel") && !asked("shell ") && !asked("mcp_read"));
}

#[test]
fn an_empty_list_of_tools_is_never_asked() {
    let hook = guard().with_tools::<String>([]);
    assert!(!hook.applies_to(HookEvent::PreToolUse, "shell"));
    assert!(!hook.applies_to(HookEvent::PreToolUse, ""));
}

#[track_caller]
fn refused(hook: &HookSpec, shown: &str) {
    assert_eq!(validate(hook).expect_err("refused").to_string(), shown);
}

#[test]
fn a_value_is_refused_for_what_a_file_could_not_say() {
    refused(
        &HookSpec::new("", ["x"]),
        "hook ``: the name is empty; name the hook, it stands in every denial",
    );
    refused(
        &HookSpec::new::<String>("guard", []),
        "hook `guard`: the command is empty; write the program and its arguments, such as [\"./.basis/hooks/guard.sh\"]",
    );
    refused(
        &HookSpec::new("guard", ["", "x"]),
        "hook `guard`: the first word of the command is empty; it is the program to run, such as \"./.basis/hooks/guard.sh\"",
    );
    refused(
        &HookSpec::new("guard", ["x", "a\0b"]),
        "hook `guard`: word 2 of the command holds a NUL character; remove it, no program can be given one",
    );
}

#[test]
fn a_timeout_is_at_least_a_millisecond_and_at_most_a_day() {
    let with = |timeout| validate(&guard().with_timeout(timeout));
    assert_eq!(with(MIN_HOOK_TIMEOUT), Ok(()));
    assert_eq!(with(MAX_HOOK_TIMEOUT), Ok(()));
    assert!(with(Duration::ZERO).is_err());
    assert!(with(Duration::from_micros(999)).is_err());
    assert!(with(MAX_HOOK_TIMEOUT + Duration::from_nanos(1)).is_err());
    refused(
        &guard().with_timeout(Duration::MAX),
        "hook `guard`: the timeout cannot be 18446744073709551615.999999999s; \
         write whole milliseconds from 1 to 86400000 (a day)",
    );
}

#[test]
fn the_bounds_of_a_worker_have_limits() {
    let (nothing, day) = (Duration::ZERO, MAX_WORKER_TIME);
    assert_eq!(validate(&guard().with_max_questions(1)), Ok(()));
    assert_eq!(
        validate(&guard().with_max_age(day).with_max_idle(day)),
        Ok(())
    );
    refused(
        &guard().with_max_questions(0),
        "hook `guard`: `max_questions` cannot be 0; write a whole number from 1 to 1000000000",
    );
    refused(
        &guard().with_max_age(nothing),
        "hook `guard`: `max_age_ms` cannot be 0ns; write whole milliseconds from 1 to 86400000 (a day)",
    );
    assert!(validate(&guard().with_max_idle(day * 2)).is_err());
}

#[test]
fn every_problem_of_a_value_is_told_at_once() {
    let hook = HookSpec::new("", ["", "\0"]).with_timeout(Duration::ZERO);
    let error = validate(&hook).expect_err("refused");
    let codes: Vec<_> = error.problems.iter().map(|problem| problem.code).collect();
    assert_eq!(
        codes,
        [
            "empty_name",
            "empty_program",
            "nul_in_command",
            "timeout_out_of_range"
        ]
    );
    assert_eq!(
        error.problems[2].message,
        "word 2 of the command holds a NUL character"
    );
    assert!(error.problems[3].message.ends_with(" 0ns"));
    assert_eq!(error.to_string().lines().count(), 4);
}
