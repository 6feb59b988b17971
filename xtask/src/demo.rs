//! The demo command, as the README gives it.

use std::fs;

use crate::{
    Result,
    command::{cargo, output, root, shown},
};

/// Runs the README's own words, so that they stay true.
pub(crate) fn run() -> Result {
    let readme = fs::read_to_string(root().join("README.md"))?;
    let words = command_of(&readme).ok_or("README.md: no line begins with `cargo run `")?;
    let mut demo = cargo();
    demo.args(words);
    let printed = output(&mut demo)?;
    println!("{printed}");
    for outcome in ["deny: ", "modify: ", "replace: "] {
        if !printed.lines().any(|line| line.starts_with(outcome)) {
            return Err(format!("{} comes to no `{outcome}`", shown(&demo)).into());
        }
    }
    Ok(())
}

/// The words after `cargo` of the first command that runs something. None of them needs quotes.
fn command_of(readme: &str) -> Option<Vec<&str>> {
    let line = readme.lines().find(|line| line.starts_with("cargo run "))?;
    Some(line.split_whitespace().skip(1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_the_first_that_runs_something() {
        let readme = "# x\n```sh\ncargo run -p x -- y  z\ncargo xtask ci\n```\n";
        assert_eq!(
            command_of(readme),
            Some(vec!["run", "-p", "x", "--", "y", "z"])
        );
        assert_eq!(command_of("nothing"), None);
    }
}
