//! What is wrong with a matcher, and which matchers match nothing.

use super::finding::FindingKind;
use crate::{
    Dialect,
    dialect::{EventRow, Subject},
};

/// What is to be said about a matcher, if anything.
pub(super) fn look(
    dialect: &'static Dialect,
    event: &'static EventRow,
    pattern: &str,
) -> Option<FindingKind> {
    if matches!(pattern, "" | "*") {
        return None;
    }
    if event.subject == Subject::Nothing {
        return Some(FindingKind::MatcherWithoutSubject);
    }
    let matcher = dialect.matcher(event, Some(pattern));
    if let Some(problem) = matcher.problem() {
        return Some(FindingKind::Matcher {
            pattern: pattern.to_owned(),
            problem: problem.clone(),
        });
    }
    if event.subject != Subject::Tool {
        return None;
    }
    let dead = |why, help| FindingKind::DeadMatcher {
        pattern: pattern.to_owned(),
        why,
        help,
    };
    if let Some(mut names) = matcher.names() {
        let server = names.find(|name| {
            let rest = name.strip_prefix("mcp__");
            rest.is_some_and(|rest| !rest.is_empty() && !rest.contains("__"))
        })?;
        let help = format!("write `{server}__.*`");
        return Some(dead("names a server, and no tool is called that", help));
    }
    // `Bash(git *)`: a rule, which as an expression wants the name of a tool to go on behind it.
    let (tool, rest) = pattern.split_once('(')?;
    let is_rule = !tool.is_empty()
        && tool.chars().all(|c| c.is_ascii_alphabetic())
        && rest.ends_with(')')
        && rest.contains([' ', ':', '/']);
    let help = format!("write \"matcher\": \"{tool}\", and look at the content in the hook");
    is_rule.then(|| dead("is a rule and no pattern for the names of tools", help))
}
