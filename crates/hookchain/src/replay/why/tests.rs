use super::*;

fn said(id: &str, name: &str, word: &'static str) -> Said {
    Said {
        handler_id: id.into(),
        kind: "hook".into(),
        name: name.into(),
        word,
        pass: 1,
        because: None,
        failure_for_model: None,
        denies: word == "deny",
    }
}

#[track_caller]
fn check(then: &[Said], now: &[Said], expected: &[(&str, &str)]) {
    check_with(then, now, false, expected);
}

#[track_caller]
fn check_with(then: &[Said], now: &[Said], reasons: bool, expected: &[(&str, &str)]) {
    let found = changed(then, now, reasons);
    let word = |said: &Option<Said>| said.as_ref().map_or("-", |said| said.word);
    let words: Vec<_> = found
        .iter()
        .map(|changed| (word(&changed.then), word(&changed.now)))
        .collect();
    assert_eq!(words, expected);
}

#[test]
fn who_says_something_else_is_told_and_who_does_not_is_not() {
    let (a, b) = (said("1", "a", "allow"), said("2", "b", "allow"));
    check(
        &[a.clone(), b.clone()],
        &[a.clone(), said("2", "b", "deny")],
        &[("allow", "deny")],
    );
    check(std::slice::from_ref(&a), &[b.clone(), a.clone()], &[]);
    check(
        std::slice::from_ref(&a),
        &[a.clone(), said("3", "c", "modify")],
        &[("-", "modify")],
    );
}

#[test]
fn who_was_not_reached_because_of_a_denial_makes_no_difference() {
    let (allow, deny) = (said("1", "a", "allow"), said("1", "a", "deny"));
    let last = said("2", "b", "deny");
    check(
        &[allow.clone(), last.clone()],
        &[deny],
        &[("allow", "deny")],
    );
    check(&[allow.clone(), last], &[allow], &[("deny", "-")]);
}

#[test]
fn another_reason_is_no_difference_where_another_answer_is() {
    let at = |time: &str| Said {
        because: Some(time.into()),
        ..said("1", "stamp", "modify")
    };
    let (allow, deny) = (said("2", "guard", "allow"), said("2", "guard", "deny"));
    let (then, now) = ([at("1"), allow.clone()], [at("2"), deny]);
    check(&then, &now, &[("allow", "deny")]);
    let both = [("modify", "modify"), ("allow", "deny")];
    check_with(&then, &now, true, &both);
    check(&then, &[at("2"), allow], &[("modify", "modify")]);
}

#[test]
fn a_hook_with_another_command_is_known_by_its_name() {
    check(
        &[said("1", "guard", "allow")],
        &[said("2", "guard", "deny")],
        &[("allow", "deny")],
    );
}

#[test]
fn what_is_said_in_another_pass_is_compared_with_that_pass() {
    let again = |word| Said {
        pass: 2,
        ..said("1", "judge", word)
    };
    let first = said("1", "judge", "allow");
    check(
        &[first.clone(), again("deny")],
        &[first.clone(), again("allow")],
        &[("deny", "allow")],
    );
    // The hook that rewrote the call, so that the other was asked again, is gone.
    check(
        &[first.clone(), again("deny")],
        std::slice::from_ref(&first),
        &[("deny", "-")],
    );
    check(&[first.clone(), again("allow")], &[first], &[]);
}

#[test]
fn an_ask_in_place_of_an_allow_is_another_answer() {
    let (allow, ask) = (said("1", "guard", "allow"), said("1", "guard", "ask"));
    let (allow, ask) = ([allow], [ask]);
    check(&allow, &ask, &[("allow", "ask")]);
    check(&ask, &allow, &[("ask", "allow")]);
    check(&ask, &[], &[("ask", "-")]);
    assert!(asks_the_same(&allow, &[]) && asks_the_same(&ask, &ask));
    assert!(!asks_the_same(&ask, &allow));
    let for_another_reason = [Said {
        because: Some("to production".into()),
        ..ask[0].clone()
    }];
    assert!(!asks_the_same(&ask, &for_another_reason));
}

#[test]
fn a_failure_is_compared_in_the_words_that_the_record_has() {
    let failed = |because: &str, for_model: Option<&str>| Said {
        because: Some(because.into()),
        failure_for_model: for_model.map(str::to_owned),
        denies: true,
        ..said("1", "guard", "failed")
    };
    let for_operator = "answered with an error: no route to https://policy.example";
    for (words_for_model, recorded) in [
        ("could not answer", for_operator),
        ("could not answer", "could not answer"),
        (
            "could not start guard --token abc",
            "could not start guard --token [masked]",
        ),
    ] {
        let now = [failed(for_operator, Some(words_for_model))];
        check(&[failed(recorded, None)], &now, &[]);
        let then = [failed("ended with status 1", None)];
        check(&then, &now, &[("failed", "failed")]);
    }
}
