//! Random chains through the published basis crate and through this one: what comes out must be the
//! same, except where it is meant not to be.
//!
//! `HOOKCHAIN_DIFFERENTIAL_CHAINS` says how many; `HOOKCHAIN_DIFFERENTIAL_SEED` where to begin. A
//! failure prints the seed of its chain.

#[path = "differential/again.rs"]
mod again;
#[path = "differential/chains.rs"]
mod chains;
#[path = "differential/deliberate.rs"]
mod deliberate;
#[path = "differential/files.rs"]
mod files;
#[path = "differential/runners.rs"]
mod runners;

use std::{collections::BTreeMap, env};

use hookchain_tests::Workspace;

use self::chains::{Chain, Chance};

fn setting(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_chains_come_out_as_in_basis_except_where_they_are_meant_not_to() {
    runners::hush();
    let count = setting("HOOKCHAIN_DIFFERENTIAL_CHAINS", 200);
    let first = setting("HOOKCHAIN_DIFFERENTIAL_SEED", 20_260_101);
    let mut differences: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut outcomes: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut again: BTreeMap<&'static str, u64> = BTreeMap::new();
    for seed in first..first + count {
        let workspace = Workspace::new();
        let chain = Chain::random(&mut Chance::new(seed));
        chain.write_programs(&workspace);
        let ours = runners::ours(&chain, &workspace).await;
        let theirs = runners::basis(&chain, &workspace, "printed").await;
        *outcomes.entry(ours.kind).or_default() += 1;
        if let Some(differs) = again::check(&chain, &workspace, &ours, &theirs).await {
            *again.entry(differs).or_default() += 1;
        }
        if ours.says_the_same_as(&theirs) {
            continue;
        }
        let Some(why) = deliberate::why(&chain, &workspace, &ours, &theirs).await else {
            panic!("seed {seed}\n{chain:#?}\nhere:  {ours:#?}\nbasis: {theirs:#?}");
        };
        *differences.entry(why).or_default() += 1;
    }
    println!(
        "{count} chains from seed {first}: outcomes {outcomes:?}; deliberate differences {differences:?}; interceptors asked \
         again: {again:?}"
    );
    assert!(
        count < 200 || again.len() == 2,
        "no chain shows what asking again changes, or none that it changes nothing: {again:?}"
    );
    for kind in ["allow", "deny", "modify", "replace"] {
        assert!(
            count < 200 || outcomes.contains_key(kind),
            "no chain came out as {kind}"
        );
    }
}
