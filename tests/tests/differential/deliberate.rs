//! The differences that are meant to be, each proved to be the one it is called.

use hookchain_tests::Workspace;

use crate::{
    again,
    chains::{ASK, Chain, Does},
    runners::{self, Said},
};

/// Which deliberate difference this is; nothing when it is none of them.
pub(crate) async fn why(
    chain: &Chain,
    workspace: &Workspace,
    ours: &Said,
    theirs: &Said,
) -> Option<&'static str> {
    let ambiguous = " before any hook was asked: the input can be read as two different calls";
    if ours.reason.contains(ambiguous) {
        let parsed = hook_contract::Json::parse(&chain.input).expect_err("a key twice");
        return parsed.is_ambiguous().then_some("input with two readings");
    }
    if ours.says_the_same_but_for_digits(theirs) {
        return Some("exact numbers");
    }
    // basis, told plainly what the odd answers mean here, must say what this runner said of them.
    let expected = again::expected(chain, workspace).await;
    if !ours.says_the_same_but_for_digits(&expected.said) {
        return None;
    }
    if expected.asks {
        return Some(ASK);
    }
    let plainly = runners::basis(chain, workspace, "meant").await;
    if !ours.says_the_same_but_for_digits(&plainly) {
        return Some("asked again");
    }
    chain.parts.iter().find_map(|part| match &part.does {
        Does::Prints(printed, 0) if printed.holds => Some("held pipe"),
        Does::Prints(printed, 0) => printed.meant.map(|(_, why)| why),
        _ => None,
    })
}
