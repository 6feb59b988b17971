//! The agents themselves, as they are published, with the bridge in their settings and a model that follows a script.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hook_dialect::Dialect;

use crate::{
    Result,
    command::{cargo, in_root, output, succeed, target},
    tool::installed_by_npm,
};

const SCRIPT: &str = "tests/e2e/run.py";

/// An agent and where it is published.
struct Agent {
    dialect: &'static Dialect,
    package: &'static str,
    /// The directory with the package's own and those for each kind of machine.
    publisher: &'static str,
    /// Where in such a directory the program is.
    program: &'static str,
}

const AGENTS: [Agent; 2] = [
    Agent {
        dialect: Dialect::CLAUDE,
        package: "@anthropic-ai/claude-code",
        publisher: "node_modules/@anthropic-ai",
        program: "claude",
    },
    Agent {
        dialect: Dialect::CODEX,
        package: "@openai/codex",
        publisher: "node_modules/@openai",
        program: "bin/codex.js",
    },
];

/// Drives the agent that is named, or each of them; the other words are for the script.
pub(crate) fn run(words: &[&str]) -> Result {
    let named = AGENTS
        .iter()
        .find(|agent| words.first() == Some(&agent.dialect.name));
    let (agents, options) = match named {
        Some(agent) => (std::slice::from_ref(agent), words.get(1..)),
        None => (AGENTS.as_slice(), Some(words)),
    };
    let ready: Vec<(&Agent, PathBuf)> = agents.iter().filter_map(obtained).collect();
    if ready.is_empty() {
        return Ok(());
    }
    succeed(cargo().args(["build", "--quiet", "--package", "hookchain"]))?;
    let outcomes: Vec<Result> = ready
        .iter()
        .map(|(agent, program)| driven(agent, program, options.unwrap_or_default()))
        .collect();
    outcomes.into_iter().collect()
}

fn driven(agent: &Agent, program: &Path, options: &[&str]) -> Result {
    let mut script = in_root("python3");
    script.args([SCRIPT, agent.dialect.name, "--hookchain"]);
    script.arg(target().join("debug/hookchain"));
    script.arg("--scratch").arg(directory().join("scratch"));
    succeed(script.args(options).arg("--").arg(program))
}

fn directory() -> PathBuf {
    target().join("e2e")
}

/// The agent's program, where everything that it needs can be had here; otherwise it is said what cannot.
fn obtained(agent: &Agent) -> Option<(&Agent, PathBuf)> {
    let name = agent.dialect.name;
    for needed in ["python3", "node", "npm", "git"] {
        if output(in_root(needed).arg("--version")).is_err() {
            println!("skipped: {name} cannot be driven without {needed}");
            return None;
        }
    }
    let package = format!("{}@{}", agent.package, agent.dialect.checked_against);
    let directory = directory().join(name);
    if !installed_by_npm(&directory, &package) {
        println!("skipped: {package} could not be installed");
        return None;
    }
    let program = programs(&directory, agent).into_iter().find(|program| {
        let said = output(in_root(program).arg("--version"));
        said.is_ok_and(|said| said.contains(agent.dialect.checked_against))
    });
    if program.is_none() {
        println!("skipped: {package} has no program that runs on this machine");
    }
    Some((agent, program?))
}

/// Where the program may be. Scripts of packages, which would put it to where it is expected, need not have been run.
fn programs(directory: &Path, agent: &Agent) -> Vec<PathBuf> {
    let packages = fs::read_dir(directory.join(agent.publisher));
    let packages = packages.into_iter().flatten().flatten();
    let programs = packages.map(|package| package.path().join(agent.program));
    programs.filter(|program| program.is_file()).collect()
}
