//! Which tools the hook of an entry is asked about, and what it is told about them.

use std::collections::HashSet;

use hook_contract::Kind;
use hook_source::{Fields, Node, Reader, fold, nearest};

use crate::{HostSupport, file::fields::strings, words};

/// Characters that mean something in other tools' matchers and stand in no tool's name.
const PATTERN_CHARACTERS: &[char] = &[
    '*', '?', '|', '(', ')', '[', ']', '{', '}', '^', '$', '+', '\\', ',',
];

/// What people write for a kind of tool, folded as [`fold`] does.
const KIND_HABITS: &[(&str, Kind)] = &[
    ("bash", Kind::Shell),
    ("command", Kind::Shell),
    ("exec", Kind::Shell),
    ("execute", Kind::Shell),
    ("run", Kind::Shell),
    ("sh", Kind::Shell),
    ("terminal", Kind::Shell),
    ("stdin", Kind::ShellInput),
    ("create", Kind::Write),
    ("patch", Kind::Edit),
    ("remove", Kind::Delete),
    ("rm", Kind::Delete),
    ("find", Kind::Search),
    ("glob", Kind::Search),
    ("grep", Kind::Search),
    ("ls", Kind::List),
    ("http", Kind::Fetch),
    ("url", Kind::Fetch),
    ("webfetch", Kind::Fetch),
    ("subagent", Kind::Agent),
    ("task", Kind::Agent),
    ("todo", Kind::Plan),
];

/// What an entry says about tools.
pub(super) struct Tools {
    pub(super) names: Option<Vec<String>>,
    pub(super) kinds: Option<Vec<Kind>>,
    pub(super) facts: bool,
}

/// Reads `tools`, `kinds` and `facts`. Tells of those that the host has no knowledge for.
pub(super) fn read(reader: &mut Reader<'_>, fields: &Fields<'_>, host: &HostSupport) -> Tools {
    let has_kinds = fields.get("kinds").is_some();
    let tools = Tools {
        names: fields
            .get("tools")
            .and_then(|node| names(reader, node, has_kinds)),
        kinds: fields.get("kinds").and_then(|node| kinds(reader, node)),
        facts: fields.get("facts").and_then(Node::flag).unwrap_or_default(),
    };
    let asked = |field, is_lacking| fields.member(field).filter(|_| is_lacking);
    if let Some(kinds) = asked("kinds", tools.kinds.is_some() && !host.knows_kinds()) {
        reader.tell(&kinds.span, words::needs_kinds());
    }
    if let Some(facts) = asked("facts", tools.facts && !host.knows_facts()) {
        reader.tell(&facts.span, words::needs_facts());
    }
    tools
}

fn names(reader: &mut Reader<'_>, node: &Node, has_kinds: bool) -> Option<Vec<String>> {
    let tools = strings(reader, node, "tools")?;
    // Beside kinds, the hook is asked all the same.
    if tools.is_empty() && !has_kinds {
        reader.tell(&node.span, words::never_asked());
    }
    let mut seen = HashSet::new();
    for (node, tool) in &tools {
        if !seen.insert(tool) {
            reader.tell(&node.span, words::duplicate_tool(tool));
        } else if tool.contains(PATTERN_CHARACTERS) || tool.trim() != *tool || tool.is_empty() {
            reader.tell(&node.span, words::pattern_in_tools(tool));
        }
    }
    Some(tools.into_iter().map(|(_, tool)| tool.to_owned()).collect())
}

/// The kinds that can be read. A list with a mistake in it still asks for kinds; an empty one asks for nothing.
fn kinds(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<Kind>> {
    let written = strings(reader, node, "kinds")?;
    if written.is_empty() {
        reader.tell(&node.span, words::empty_kinds());
        return None;
    }
    let mut kinds = Vec::new();
    for (index, (node, word)) in written.into_iter().enumerate() {
        let Some(kind) = Kind::of_word(word) else {
            let told = words::unknown_kind(index, word, meant(word));
            reader.tell(&node.span, told);
            continue;
        };
        if kinds.contains(&kind) {
            reader.tell(&node.span, words::duplicate_kind(kind));
        }
        kinds.push(kind);
    }
    Some(kinds)
}

/// The kind that is meant by a word that is none: by habit, or by a slip.
fn meant(word: &str) -> Option<&'static str> {
    let folded = fold(word);
    let habit = KIND_HABITS.iter().find(|(habit, _)| *habit == folded);
    habit.map(|(_, kind)| kind.as_str()).or_else(|| {
        let known: Vec<_> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        nearest(word, &known)
    })
}

#[cfg(test)]
mod tests;
