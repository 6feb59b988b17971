//! Which hooks are asked again after a rewrite, by the files that declare them.

use hook_config::{HookOrigin, HookSpec};
use hook_dialect::{Dialect, config::Scope, run::DialectHooks};
use hook_runner::{
    Consultation, HookEvent, HookOutcome, HookRequest, HookRunner, Participant, Rank, Ranks,
};

use crate::kit::{Place, bash, says};

const PRE: &str = "PreToolUse";

/// A hook of the user that allows every command but `rm`, and counts how often it is asked.
fn guard_of_user(place: &Place) -> HookSpec {
    let script = r#"case $(cat) in *'"command":"rm"'*) echo '{"decision":"deny","reason":"no rm"}';;
        *) echo '{"decision":"allow"}';; esac"#;
    of_user(place, "guard", script)
}

fn of_user(place: &Place, name: &str, script: &str) -> HookSpec {
    let path = place.path().join("user.json");
    let origin = HookOrigin::GlobalFile {
        path,
        line: 1,
        column: 1,
    };
    HookSpec::new(name, ["/bin/sh", "-c", script]).with_origin(origin)
}

fn rewriting(command: &str) -> String {
    let fields =
        format!(r#""permissionDecision":"allow","updatedInput":{{"command":"{command}"}}"#);
    says(PRE, &fields)
}

/// What comes out of the user's native hooks and then these, or before them.
async fn consult(place: &Place, native: HookSpec, hooks: DialectHooks, last: bool) -> Consultation {
    let builder = HookRunner::builder(place.path()).with_hooks([native]);
    let builder = if last {
        builder.with_last_participant(hooks)
    } else {
        builder.with_participant(hooks)
    };
    let runner = builder.build().expect("built");
    let request = HookRequest::from_call(HookEvent::PreToolUse, place.path(), &bash("ls"));
    runner.consult(request).await
}

/// The participants in the order in which they were asked, with the pass.
fn asked(consultation: &Consultation) -> Vec<(&str, u8)> {
    let steps = consultation.trail.iter();
    steps.map(|step| (step.who.name(), step.pass)).collect()
}

#[tokio::test]
async fn a_rewrite_by_a_file_of_the_project_is_shown_again_to_a_guard_of_the_user() {
    for scope in [Scope::Project, Scope::Local] {
        let place = Place::of(Dialect::CLAUDE).with_in(scope, PRE, &rewriting("rm"));
        let consultation = consult(&place, guard_of_user(&place), place.hooks(), true).await;
        assert_eq!(
            consultation.outcome,
            HookOutcome::deny("denied by hook 'guard': no rm"),
            "{scope}"
        );
        assert_eq!(
            asked(&consultation),
            [("guard", 1), ("claude", 1), ("guard", 2)]
        );
    }
    let place = Place::of(Dialect::CLAUDE).with(PRE, &rewriting("df"));
    let consultation = consult(&place, guard_of_user(&place), place.hooks(), true).await;
    assert!(matches!(consultation.outcome, HookOutcome::Modify { .. }));
    assert_eq!(
        asked(&consultation),
        [("guard", 1), ("claude", 1), ("guard", 2)]
    );
}

#[tokio::test]
async fn a_rewrite_by_a_file_of_the_same_or_a_higher_rank_is_not() {
    for scope in [Scope::User, Scope::System, Scope::Managed] {
        let place = Place::of(Dialect::CODEX).with_in(scope, PRE, &rewriting("df"));
        let consultation = consult(&place, guard_of_user(&place), place.hooks(), true).await;
        assert!(
            matches!(consultation.outcome, HookOutcome::Modify { .. }),
            "{scope}"
        );
        assert_eq!(
            asked(&consultation),
            [("guard", 1), ("codex", 1)],
            "{scope}"
        );
    }
}

#[tokio::test]
async fn hooks_of_the_machine_judge_what_a_hook_of_the_user_rewrote() {
    let native = |place: &Place| {
        let script = r#"echo '{"decision":"modify","input":{"command":"rm"}}'"#;
        of_user(place, "rewriter", script)
    };
    let guard = r#"grep -q '"command":"rm"' && echo 'no rm' >&2 && exit 2; exit 0"#;
    for (scope, is_asked_again) in [
        (Scope::Managed, true),
        (Scope::System, true),
        (Scope::User, false),
        (Scope::Project, false),
    ] {
        let place = Place::of(Dialect::CLAUDE).with_in(scope, PRE, guard);
        let consultation = consult(&place, native(&place), place.hooks(), false).await;
        let refused = matches!(consultation.outcome, HookOutcome::Deny(_));
        assert_eq!(refused, is_asked_again, "{scope}");
        let mut expected = vec![("claude", 1), ("rewriter", 1)];
        expected.extend(is_asked_again.then_some(("claude", 2)));
        assert_eq!(asked(&consultation), expected, "{scope}");
    }
}

#[tokio::test]
async fn hooks_of_several_files_judge_as_the_highest_and_rewrite_as_the_lowest() {
    // The hook of the machine judges; the one of the project rewrites.
    let guard = r#"grep -q '"command":"mv"' && echo 'no mv' >&2 && exit 2; exit 0"#;
    let place = Place::of(Dialect::CLAUDE)
        .with_in(Scope::Managed, PRE, guard)
        .with_in(Scope::Project, PRE, &rewriting("rm"));
    let hooks = place.hooks();
    assert_eq!(hooks.ranks(), Ranks::new(Rank::MACHINE, Rank::workspace(0)));

    // As the lowest: the user's guard sees the form that the project left.
    let lowest = consult(&place, guard_of_user(&place), hooks, true).await;
    assert_eq!(
        lowest.outcome,
        HookOutcome::deny("denied by hook 'guard': no rm")
    );
    assert_eq!(asked(&lowest), [("guard", 1), ("claude", 1), ("guard", 2)]);

    // As the highest: it sees the form that the user's hook left.
    let script = r#"echo '{"decision":"modify","input":{"command":"mv"}}'"#;
    let rewriter = of_user(&place, "rewriter", script);
    let highest = consult(&place, rewriter, place.hooks(), false).await;
    let HookOutcome::Deny(reason) = &highest.outcome else {
        panic!("{highest:?}")
    };
    assert!(reason.contains("no mv"), "{reason}");
    assert_eq!(
        asked(&highest),
        [("claude", 1), ("rewriter", 1), ("claude", 2)]
    );
}

#[test]
fn every_scope_has_a_rank() {
    let workspace = Rank::workspace(0);
    let ranks = [
        Rank::MACHINE,
        Rank::MACHINE,
        Rank::USER,
        workspace,
        workspace,
    ];
    assert_eq!(Scope::ALL.len(), ranks.len());
    for (scope, rank) in Scope::ALL.into_iter().zip(ranks) {
        let place = Place::of(Dialect::CODEX).with_in(scope, PRE, "exit 0");
        assert_eq!(place.hooks().ranks(), Ranks::both(rank), "{scope}");
    }
}
