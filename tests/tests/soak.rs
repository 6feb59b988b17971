//! A short soak, as part of every run of the tests.
#![cfg(target_os = "linux")]

use std::process::Command;

#[test]
fn a_few_hundred_random_consultations_come_out_as_the_model_says_and_leave_nothing() {
    let mut soak = Command::new(env!("CARGO_BIN_EXE_soak"));
    soak.args(["--consults", "400", "--at-once", "16", "--seed", "7"]);
    let ran = soak.output().expect("it starts");
    let printed = String::from_utf8_lossy(&ran.stdout);
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{}\n{printed}\n{errors}", ran.status);
    assert_eq!(
        printed.lines().last(),
        Some("400 passed, 0 failed"),
        "{printed}"
    );
}

#[test]
fn one_consultation_can_be_looked_at_alone() {
    let mut soak = Command::new(env!("CARGO_BIN_EXE_soak"));
    let ran = soak.args(["--seed", "7", "--only", "3"]).output();
    let ran = ran.expect("it starts");
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{printed}");
    assert!(printed.contains("call-3"), "{printed}");
    assert_eq!(
        printed.lines().last(),
        Some("1 passed, 0 failed"),
        "{printed}"
    );
}
