//! What the process has: children, descriptors, memory.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use hookchain_tests::{
    Bench, PATIENCE, Workspace,
    census::{Census, is_nobody_in},
    fake,
};

use crate::drive::Runtimes;

/// What memory may grow by in any case; a tenth of what a short run has is next to nothing.
const SLACK_KIB: u64 = 2 * 1024;

/// What the process has at one moment.
#[derive(Debug)]
pub(crate) struct Upkeep {
    pub(crate) census: Census,
    pub(crate) kib: u64,
}

impl Upkeep {
    /// Looks as soon as nobody is left in the workspace and no child is, or when patience has ended.
    ///
    /// A killed program dies on its own time, and one that took too long is forgotten at the next start.
    pub(crate) fn settled(workspace: &Workspace, runtimes: &Runtimes) -> Self {
        let until = Instant::now() + PATIENCE;
        loop {
            let elsewhere = Workspace::new();
            let bench = Bench::new(&elsewhere, [fake("last", &["read", "allow"])]);
            for runtime in [&runtimes.current, &runtimes.threads] {
                runtime.block_on(bench.decide("{}"));
            }
            let census = Census::take();
            let quiet = census.children() == 0 && is_nobody_in(workspace.path());
            if quiet || Instant::now() > until {
                let kib = status("VmRSS:");
                return Self { census, kib };
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// What is worse than it was.
    pub(crate) fn complaints(&self, before: &Self, workspace: &Workspace) -> Vec<String> {
        let mut complaints = Vec::new();
        if self.census != before.census {
            complaints.push(format!(
                "there was {:#?}\nand now {:#?}",
                before.census, self.census
            ));
        }
        if self.census.children() > 0 {
            complaints.push(format!("children are left: {:#?}", self.census));
        }
        if !is_nobody_in(workspace.path()) {
            complaints.push("processes are left in the workspace".into());
        }
        let limit = before.kib + SLACK_KIB.max(before.kib / 10);
        if self.kib > limit {
            complaints.push(format!(
                "it has {} KiB, and {limit} would be fine",
                self.kib
            ));
        }
        complaints
    }
}

/// The most memory that the process ever had, in KiB.
pub(crate) fn peak_kib() -> u64 {
    status("VmHWM:")
}

fn status(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("/proc");
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).expect("KiB")
}
