//! The table, read once: the rules, and one automaton for what they begin with.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::{
    rule::{Context, Exact, Pattern, Prefix, Rule},
    structure::Structure,
};

/// What the lists lack comes first, so that of two rules for the same token the kind of these is named.
const TABLES: [&str; 2] = [
    include_str!("../data/own.tsv"),
    include_str!("../data/rules.tsv"),
];

/// From which length of a text on the faster automaton is worth what it takes to make: it takes about a millisecond.
const LONG_TEXT: usize = 8 * 1024;

#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) rules: Vec<Rule>,
    small: LazyLock<Option<AhoCorasick>>,
    fast: LazyLock<Option<AhoCorasick>>,
}

pub(crate) static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let structures = Structure::ALL.into_iter().map(Rule::Structure);
    let lines = TABLES.iter().flat_map(|table| table.lines());
    Table {
        rules: structures.chain(lines.filter_map(rule)).collect(),
        small: LazyLock::new(|| automaton(AhoCorasickKind::ContiguousNFA)),
        fast: LazyLock::new(|| automaton(AhoCorasickKind::DFA)),
    }
});

impl Table {
    /// What finds the keywords in a text, each with the number of its rule. Nothing when it could not be built, which a test
    /// rules out.
    pub(crate) fn keywords(&self, text: &str) -> Option<&AhoCorasick> {
        let automaton = if text.len() < LONG_TEXT {
            &self.small
        } else {
            &self.fast
        };
        automaton.as_ref()
    }
}

fn automaton(kind: AhoCorasickKind) -> Option<AhoCorasick> {
    // The case of a mark counts, and is looked at by its rule; that of the name of a maker does not.
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(kind))
        .build(TABLE.rules.iter().map(Rule::keyword))
        .ok()
}

/// The rule of a line; nothing for a comment. That every other line is one, a test makes sure of.
fn rule(line: &'static str) -> Option<Rule> {
    let mut fields = line.split('\t');
    let form = fields.next()?;
    let (kind, keyword, third) = (fields.next()?, fields.next()?, fields.next()?);
    let fourth = fields.next().unwrap_or_default();
    Some(match form {
        "prefix" => Rule::Prefix(Prefix::new(kind, keyword, third.parse().ok()?, fourth)),
        "capitals" => Rule::Exact(Exact::capitals(kind, keyword, third.parse().ok()?)),
        "hex" => Rule::Exact(Exact::hex(kind, keyword, third.parse().ok()?)),
        "context" => Rule::Context(Context::new(kind, keyword, third, fourth.parse().ok()?)),
        "pattern" => Rule::Pattern(Pattern::new(kind, keyword, third, fourth.parse().ok()?)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_rule_whose_pattern_can_be_read() {
        let lines = TABLES.iter().flat_map(|table| table.lines());
        let mut count = 0;
        for line in lines.filter(|line| !line.starts_with('#')) {
            let rule = rule(line);
            assert!(rule.as_ref().is_some_and(Rule::is_sound), "{line}");
            count += 1;
        }
        assert!(count > 250, "{count}");
        for text in [String::new(), "x".repeat(LONG_TEXT)] {
            assert!(TABLE.keywords(&text).is_some());
        }
    }

    #[test]
    fn the_lists_are_named_with_their_commits() {
        let heads: Vec<_> = TABLES
            .concat()
            .lines()
            .filter(|line| line.starts_with("# "))
            .map(str::to_owned)
            .collect();
        for list in ["# gitleaks ", "# kingfisher "] {
            let commit = heads.iter().find_map(|line| line.strip_prefix(list));
            assert!(commit.is_some_and(|commit| commit.len() == 40), "{list}");
        }
    }
}
