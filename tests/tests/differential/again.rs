//! What comes of a chain by the two rules that basis does not have, made of what basis says.
//!
//! An interceptor ranks above a hook. When a hook rewrites what an interceptor has judged, the interceptor is asked once
//! more, about what the hooks left; and a hook may ask for a person's agreement, which no person gives here. The rest is
//! basis: told what its words mean here, asked about a part of the chain, or about another form.

use hookchain_tests::Workspace;

use crate::{
    chains::{Chain, Part},
    runners::{Said, basis},
};

/// What basis would say with the two rules.
pub(crate) struct Expected {
    pub(crate) said: Said,
    /// Whether interceptors are asked again.
    pub(crate) is_asked_again: bool,
    /// Whether a person would have to be asked.
    pub(crate) asks: bool,
}

/// Whether a hook may rewrite what an interceptor has judged.
fn may_be_asked_again(chain: &Chain) -> bool {
    let (interceptors, hooks): (Vec<&Part>, Vec<_>) =
        chain.concerned().partition(|part| part.is_in_process());
    !interceptors.is_empty() && !hooks.is_empty()
}

/// Where interceptors are asked again: that this runner says what comes of it, and whether basis says something else.
pub(crate) async fn check(
    chain: &Chain,
    workspace: &Workspace,
    ours: &Said,
    theirs: &Said,
) -> Option<&'static str> {
    // An input with two readings is denied before anything is asked.
    if !may_be_asked_again(chain) || ours.reason.contains(" before any hook was asked") {
        return None;
    }
    let expected = expected(chain, workspace).await;
    if !expected.is_asked_again {
        return None;
    }
    assert!(
        ours.says_the_same_but_for_digits(&expected.said),
        "{chain:#?}\nhere: {ours:#?}\nexpected: {:#?}",
        expected.said
    );
    Some(if ours.says_the_same_but_for_digits(theirs) {
        "the same comes of it"
    } else {
        "something else comes of it"
    })
}

pub(crate) async fn expected(chain: &Chain, workspace: &Workspace) -> Expected {
    let first = basis(chain, workspace, "meant").await;
    let is_asked_again = is_rewritten_by_a_hook(chain, workspace, &first).await;
    let said = if is_asked_again {
        second_pass(chain, workspace, first).await
    } else {
        first
    };
    let askers = chain.concerned().filter(|part| part.asks());
    let askers: Vec<_> = askers.map(|part| format!("hook '{}'", part.name)).collect();
    let asks = said.kind != "deny" && !askers.is_empty();
    let said = if asks {
        Said {
            kind: "deny",
            value: None,
            is_error: None,
            reason: format!("a person has to agree (asked by {})", askers.join(", ")),
        }
    } else {
        said
    };
    Expected {
        said,
        is_asked_again,
        asks,
    }
}

/// Whether a hook puts another form in the place of what the interceptors judged.
async fn is_rewritten_by_a_hook(chain: &Chain, workspace: &Workspace, whole: &Said) -> bool {
    if whole.kind == "deny" || !may_be_asked_again(chain) {
        return false;
    }
    let interceptors = chain.parts.iter().filter(|part| part.is_in_process());
    let mut form = None;
    for end in interceptors.count()..=chain.parts.len() {
        let mut prefix = chain.clone();
        prefix.parts.truncate(end);
        let said = basis(&prefix, workspace, "meant").await;
        let next = (said.value.unwrap_or_else(|| chain.form()), said.is_error);
        if form.is_some_and(|form| form != next) {
            return true;
        }
        form = Some(next);
    }
    false
}

/// Each interceptor about the form that was left, one after the other.
async fn second_pass(chain: &Chain, workspace: &Workspace, first: Said) -> Said {
    let mut left = first;
    let mut reasons = vec![left.reason.clone()];
    for interceptor in chain.parts.iter().filter(|part| part.is_in_process()) {
        let mut alone = chain.with_form(&left);
        alone.parts = vec![interceptor.clone()];
        let said = basis(&alone, workspace, "meant").await;
        if said.kind == "deny" {
            return said;
        }
        // The same form back is agreement.
        if said.kind != "allow" && (&said.value, said.is_error) != (&left.value, left.is_error) {
            reasons.push(said.reason.clone());
            left = said;
        }
    }
    Said {
        reason: reasons.join("; "),
        ..left
    }
}
