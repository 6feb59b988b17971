use super::*;
use crate::testing::{declared, policy, user, workspace};

#[test]
fn the_further_from_the_workspace_the_higher_the_rank() {
    let ranks = [
        policy("interceptor").origin().rank(),
        declared("supplied", HookOrigin::Supplied).origin().rank(),
        Rank::MACHINE,
        user("user").origin().rank(),
        workspace("workspace").origin().rank(),
        Rank::workspace(1),
        Rank::workspace(u16::MAX),
    ];
    assert!(
        ranks.is_sorted_by(|above, below| above > below),
        "{ranks:?}"
    );
}
