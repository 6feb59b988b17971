use super::*;
use crate::testing::{policy, user, workspace};

const HOST: Ranks = Ranks::both(Rank::INTERCEPTOR);
const USER: Ranks = Ranks::both(Rank::USER);
const WORKSPACE: Ranks = Ranks::both(Rank::workspace(0));

/// Three participants of three ranks that have judged the first form, of which the last one rewrote it.
fn rewritten_below() -> Forms {
    let mut forms = Forms::default();
    for index in 0..3 {
        forms.judged(index);
    }
    forms.rewritten(2, &workspace("helpful"), WORKSPACE);
    forms
}

#[test]
fn a_form_that_no_participant_rewrote_is_to_be_judged_by_none() {
    let mut forms = Forms::default();
    assert!(!forms.is_to_be_judged(0, HOST), "it was not asked yet");
    forms.judged(0);
    assert!(!forms.is_to_be_judged(0, HOST));
    assert_eq!((forms.current(), forms.last_rewriter()), (0, None));
}

#[test]
fn the_ranks_above_a_rewriter_have_to_judge_what_it_wrote() {
    let mut forms = rewritten_below();
    assert!(forms.is_to_be_judged(0, HOST));
    assert!(forms.is_to_be_judged(1, USER));
    assert!(!forms.is_to_be_judged(2, WORKSPACE), "its own form");
    assert!(!forms.is_to_be_judged(3, WORKSPACE), "one of its rank");
    forms.judged(1);
    assert!(!forms.is_to_be_judged(1, USER), "it has judged it now");
}

#[test]
fn a_rewrite_of_a_higher_rank_concerns_no_lower_one() {
    let mut forms = Forms::default();
    forms.rewritten(0, &policy("host"), HOST);
    assert!(!forms.is_to_be_judged(1, USER));
    assert!(!forms.is_to_be_judged(2, WORKSPACE));
}

#[test]
fn what_a_lower_rank_wrote_is_not_laundered_by_a_rewrite_of_a_higher_one() {
    let mut forms = rewritten_below();
    forms.rewritten(0, &policy("sandbox"), HOST);
    assert!(forms.is_to_be_judged(1, USER), "a part of it is from below");
    assert_eq!(forms.last_rewriter().map(Identity::name), Some("sandbox"));
}

#[test]
fn a_participant_of_several_ranks_has_to_judge_what_its_lowest_wrote() {
    let mut forms = Forms::default();
    let mixed = Ranks::new(Rank::USER, Rank::workspace(0));
    forms.judged(0);
    forms.rewritten(0, &user("claude"), mixed);
    assert!(forms.is_to_be_judged(0, mixed));
    forms.judged(0);
    assert!(!forms.is_to_be_judged(0, mixed));
}
