//! Every gate, in order, locally as on a build server.

use std::time::{Duration, Instant};

use crate::{
    Result,
    command::{cargo, has_subcommand, succeed},
    demo, deny, dialects, python, schema, sdk, snapshots, tidy,
    workspace::{self, Package},
};

/// Left out of the whole check: it builds another agent runtime for one comparison.
const LEFT_OUT: &[&str] = &["hookchain-bench/peer", "hookchain-tests/basis"];

/// The packages that nobody but this workspace uses.
const OWN_USE: [&str; 3] = ["hookchain-bench", "hookchain-tests", "xtask"];

/// Runs every gate, also after one has failed, and sums up.
pub(crate) fn run() -> Result {
    let packages = workspace::packages()?;
    let every = workspace::features_but(&packages, LEFT_OUT);
    let has_nextest = has_subcommand("nextest");
    let mut report = Report::default();

    report.gate("format", || {
        succeed(cargo().args(["fmt", "--all", "--check"]))
    });
    report.gate("schemas are fresh and compatible", schema::check);
    report.gate("pages about agents are fresh", dialects::check);
    report.gate("tidy", tidy::run);
    report.gate("clippy, default features", || clippy(None));
    report.gate("clippy, every feature", || clippy(Some(&every)));
    report.gate("tests, default features", || tests(None, has_nextest));
    // Other crates of an embedder's program may switch features on for everybody; the same tests must hold.
    report.gate("tests, every feature and foreign JSON features", || {
        tests(Some(&every), has_nextest)
    });
    report.gate("no snapshot is pending", snapshots::check);
    report.gate("documentation", || documentation(&every));
    report.gate("each feature alone", || each_feature_alone(&packages));
    report.gate("the demo of the README", demo::run);
    report.gate("the guarded agent", guarded_agent);
    report.gate("spans at a collector", spans_at_a_collector);
    report.gate("a guard over HTTP", guard_over_http);
    report.optional_gate("loops for hooks in Python and in Node", sdk::tests);
    report.optional_gate("their types", sdk::types);
    report.optional_gate("schemas in another language", python::validate);
    report.optional_gate("dependencies", deny::run);
    report.conclude()
}

fn clippy(features: Option<&str>) -> Result {
    let mut clippy = cargo();
    clippy.args(["clippy", "--workspace", "--all-targets"]);
    clippy.args(with(features).iter().flatten());
    succeed(clippy.args(["--", "-D", "warnings"]))
}

/// The unit, integration and documentation tests. The runner's own closing lines stay to be read.
fn tests(features: Option<&str>, has_nextest: bool) -> Result {
    let features = with(features);
    let features = features.iter().flatten();
    if !has_nextest {
        let mut tests = cargo();
        tests
            .args(["test", "--workspace", "--no-fail-fast"])
            .args(features);
        return succeed(tests.env(snapshots::UPDATE, "no"));
    }
    let mut tests = cargo();
    tests.args(["nextest", "run", "--workspace", "--no-fail-fast"]);
    let ran = succeed(tests.args(features.clone()).env(snapshots::UPDATE, "no"));
    let mut examples = cargo();
    examples.args(["test", "--workspace", "--doc", "--no-fail-fast"]);
    ran.and(succeed(examples.args(features)))
}

fn with(features: Option<&str>) -> Option<[&str; 2]> {
    features.map(|features| ["--features", features])
}

/// The example for embedders; a test compares what it prints.
fn guarded_agent() -> Result {
    succeed(cargo().args([
        "run",
        "--quiet",
        "-p",
        "hook-mentra",
        "--example",
        "guarded_agent",
    ]))
}

/// The example that exports spans, with a collector that the test is itself.
fn spans_at_a_collector() -> Result {
    example_of_its_own("otlp")
}

/// The example of a transport, with a policy service that the test is itself.
fn guard_over_http() -> Result {
    example_of_its_own("http-guard")
}

/// An example that is a workspace of its own, so that no feature that it needs is switched on for any other package.
fn example_of_its_own(name: &str) -> Result {
    let manifest = format!("examples/{name}/Cargo.toml");
    let target = format!("target/{name}");
    let manifest = ["--manifest-path", &manifest];
    let target = ["--target-dir", &target];
    succeed(cargo().args(["fmt", "--check"]).args(manifest))?;
    succeed(cargo().arg("clippy").args(manifest).args(target).args([
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))?;
    succeed(
        cargo()
            .args(["test", "--quiet"])
            .args(manifest)
            .args(target),
    )
}

fn documentation(features: &str) -> Result {
    let mut doc = cargo();
    doc.args(["doc", "--workspace", "--no-deps", "--features", features]);
    succeed(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Each library with each of its features and no other, and with none.
fn each_feature_alone(packages: &[Package]) -> Result {
    let libraries = packages
        .iter()
        .filter(|package| package.is_library && !OWN_USE.contains(&package.name.as_str()));
    for library in libraries {
        let alone = library.features.iter().map(String::as_str);
        for feature in [""].into_iter().chain(alone) {
            let mut clippy = cargo();
            clippy.args(["clippy", "--quiet", "--package", &library.name]);
            clippy.args(["--no-default-features", "--features", feature]);
            succeed(clippy.args(["--", "-D", "warnings"]))?;
            println!("{} with `{feature}`", library.name);
        }
    }
    Ok(())
}

/// What became of each gate.
#[derive(Default)]
struct Report(Vec<(&'static str, Duration, Outcome)>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Passed,
    Skipped,
    Failed,
}

impl Report {
    fn gate(&mut self, name: &'static str, gate: impl FnOnce() -> Result) {
        self.optional_gate(name, || gate().map(|()| true));
    }

    /// A gate that says whether it ran at all.
    fn optional_gate(&mut self, name: &'static str, gate: impl FnOnce() -> Result<bool>) {
        println!("\n=== {name}");
        let since = Instant::now();
        let outcome = match gate() {
            Ok(true) => Outcome::Passed,
            Ok(false) => Outcome::Skipped,
            Err(error) => {
                println!("{error}");
                Outcome::Failed
            }
        };
        let took = since.elapsed();
        println!(
            "--- {name}: {}, {:.1} s",
            outcome.word(),
            took.as_secs_f64()
        );
        self.0.push((name, took, outcome));
    }

    fn conclude(self) -> Result {
        println!("\n=== summary");
        for (name, took, outcome) in &self.0 {
            println!(
                "{:>8} {:>7.1} s  {name}",
                outcome.word(),
                took.as_secs_f64()
            );
        }
        let count = |wanted| {
            self.0
                .iter()
                .filter(|(_, _, outcome)| *outcome == wanted)
                .count()
        };
        let failed = count(Outcome::Failed);
        let summary = format!(
            "{} gates passed, {failed} failed, {} skipped",
            count(Outcome::Passed),
            count(Outcome::Skipped)
        );
        println!("{summary}");
        if failed == 0 {
            Ok(())
        } else {
            Err(summary.into())
        }
    }
}

impl Outcome {
    const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Skipped => "skipped",
            Self::Failed => "FAILED",
        }
    }
}
