//! Which crate may know which.

use crate::{
    Result,
    command::{cargo, output},
    workspace,
};

/// A crate, the features it is looked at with, and what it must not depend on, however indirectly.
struct Layer {
    package: &'static str,
    features: &'static [&'static str],
    /// Crates of this workspace it may know; any other is above it.
    below: &'static [&'static str],
    never: &'static [&'static [&'static str]],
}

/// What runs async code.
const RUNTIMES: &[&str] = &["tokio", "async-std", "smol", "mio"];
/// What can ask anything of the system; `hook-source` opens files with it.
const SYSTEM: &[&str] = &["libc"];
/// What is there to start programs.
const PROCESSES: &[&str] = &[
    "rustix",
    "nix",
    "process-wrap",
    "command-group",
    "duct",
    "subprocess",
];
const MENTRA: &[&str] = &["mentra", "mentra-provider", "basis"];

/// What of mentra is left out: its database and its web sockets.
const MENTRA_EXTRAS: &[&str] = &["rusqlite", "libsqlite3-sys", "tokio-tungstenite"];

const LAYERS: [Layer; 10] = [
    Layer {
        package: "hook-contract",
        features: &["schema"],
        below: &[],
        never: &[RUNTIMES, SYSTEM, PROCESSES, MENTRA],
    },
    Layer {
        package: "hook-wire",
        features: &["schema"],
        below: &["hook-contract"],
        never: &[RUNTIMES, SYSTEM, PROCESSES, MENTRA],
    },
    Layer {
        package: "hook-source",
        features: &["toml"],
        below: &["hook-contract"],
        never: &[RUNTIMES, PROCESSES, MENTRA],
    },
    Layer {
        package: "hook-secrets",
        features: &[],
        below: &[],
        never: &[RUNTIMES, SYSTEM, PROCESSES, MENTRA],
    },
    Layer {
        package: "hook-config",
        features: &["schema"],
        below: &["hook-contract", "hook-source"],
        never: &[RUNTIMES, PROCESSES, MENTRA],
    },
    Layer {
        package: "hook-runner",
        features: &["tracing"],
        // Not hook-config: a declared hook is the contract's, and the engine reads no files.
        below: &["hook-contract", "hook-wire"],
        never: &[MENTRA],
    },
    Layer {
        package: "hook-dialect",
        features: &[],
        below: &[
            "hook-contract",
            "hook-wire",
            "hook-source",
            "hook-config",
            "hook-runner",
            "hook-secrets",
        ],
        never: &[MENTRA],
    },
    Layer {
        package: "hook-audit",
        features: &["schema"],
        below: &["hook-contract", "hook-wire", "hook-runner", "hook-secrets"],
        never: &[MENTRA],
    },
    Layer {
        package: "hookchain",
        features: &[],
        below: &[
            "hook-contract",
            "hook-wire",
            "hook-source",
            "hook-config",
            "hook-runner",
            "hook-audit",
            "hook-secrets",
            "hook-dialect",
        ],
        never: &[MENTRA],
    },
    Layer {
        package: MENTRA_ADAPTER,
        features: &[],
        below: &["hook-contract", "hook-wire", "hook-runner"],
        never: &[MENTRA_EXTRAS],
    },
];

/// The one crate that knows mentra.
const MENTRA_ADAPTER: &str = "hook-mentra";

pub(super) fn check() -> Result<Vec<String>> {
    let packages = workspace::packages()?;
    let members: Vec<_> = packages.iter().map(|p| p.name.as_str()).collect();
    let mut problems = Vec::new();
    for layer in &LAYERS {
        for found in dependencies(layer)? {
            let above = members.contains(&found.as_str())
                && found != layer.package
                && !layer.below.contains(&found.as_str());
            if above || layer.never.concat().contains(&found.as_str()) {
                let package = layer.package;
                problems.push(format!(
                    "{package}: it depends on {found}, which it must not know; see ARCHITECTURE.md"
                ));
            }
        }
    }
    let outsiders = packages.iter().filter(|p| p.name != MENTRA_ADAPTER);
    let knowing = outsiders.filter(|p| p.dependencies.iter().any(|name| name == "mentra"));
    problems
        .extend(knowing.map(|p| format!("{}: only {MENTRA_ADAPTER} may depend on mentra", p.name)));
    let built_with = built_with_mentra()?;
    let others = built_with.iter().filter(|name| *name != MENTRA_ADAPTER);
    problems.extend(others.map(|name| {
        format!("{name}: it is built with mentra, which only {MENTRA_ADAPTER} and its tests may be")
    }));
    Ok(problems)
}

/// Every crate that is built with mentra when the whole workspace is, tests included, with default features.
fn built_with_mentra() -> Result<Vec<String>> {
    let mut tree = cargo();
    tree.args([
        "tree",
        "--workspace",
        "--edges",
        "normal,dev,build",
        "--invert",
        "mentra",
    ]);
    tree.args(["--prefix", "none", "--format", "{p}"]);
    let mut names = names(&output(&mut tree)?);
    names.retain(|name| name != "mentra");
    Ok(names)
}

/// Every crate that a layer is built with.
fn dependencies(layer: &Layer) -> Result<Vec<String>> {
    let mut tree = cargo();
    tree.args(["tree", "--package", layer.package, "--edges", "normal"]);
    tree.arg("--no-default-features");
    tree.args(["--prefix", "none", "--format", "{p}"]);
    if !layer.features.is_empty() {
        tree.args(["--features", &layer.features.join(",")]);
    }
    Ok(names(&output(&mut tree)?))
}

/// The names in a tree without indentation, each once.
fn names(tree: &str) -> Vec<String> {
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    let mut names: Vec<_> = names.map(str::to_owned).collect();
    names.sort_unstable();
    names.dedup();
    names
}
