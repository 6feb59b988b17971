//! What is noticed while a file is read.

use std::{ops::Range, path::Path};

use hook_contract::json::Position;

use super::{AtHome, Finding, FindingKind, Severity};
use crate::Dialect;

/// How many findings are told of one file.
const MOST: usize = 100;

/// What is noticed in one text.
pub(in crate::config) struct Report<'t> {
    pub(in crate::config) text: &'t str,
    pub(in crate::config) path: &'t Path,
    /// The part that is being read.
    pub(in crate::config) at: Option<String>,
    agent: &'static str,
    /// Whether nobody counts on what stands there, so that nothing keeps it from being used.
    lenient: bool,
    /// Where each line begins.
    lines: Vec<usize>,
    found: Vec<(Range<usize>, Option<String>, FindingKind, AtHome)>,
}

impl<'t> Report<'t> {
    pub(in crate::config) fn new(
        text: &'t str,
        path: &'t Path,
        dialect: &Dialect,
        lenient: bool,
    ) -> Self {
        let agent = dialect.title;
        Self {
            text,
            path,
            at: None,
            agent,
            lenient,
            lines: std::iter::once(0)
                .chain(text.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
            found: Vec::new(),
        }
    }

    /// Remembers something about these bytes, and what the agent does about it.
    pub(in crate::config) fn add(
        &mut self,
        span: Range<usize>,
        kind: FindingKind,
        at_home: AtHome,
    ) {
        self.found.push((span, self.at.clone(), kind, at_home));
    }

    /// What was noticed first for which the agent uses nothing of the file, in words.
    pub(in crate::config) fn drops_file(&self) -> Option<String> {
        let mut found = self.found.iter();
        let (span, _, kind, _) = found.find(|(.., at_home)| *at_home == AtHome::DropsFile)?;
        let line = self.line(span.start);
        Some(format!("line {line} of its file: {kind}"))
    }

    /// The line on which a byte stands, from 1.
    pub(in crate::config) fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|start| *start <= offset)
    }

    /// Everything, in the order of the text.
    pub(in crate::config) fn finish(self) -> Vec<Finding> {
        let mut found = self.found;
        found.sort_by_key(|(span, ..)| span.start);
        // What stands beyond the limit is counted with the problems, so that no number of warnings hides one.
        found.sort_by_key(|(_, _, kind, _)| kind.severity() == Severity::Warning);
        let count = found.len().saturating_sub(MOST);
        if let Some((span, ..)) = found.get(MOST).cloned().filter(|_| count > 0) {
            found.truncate(MOST);
            found.push((span, None, FindingKind::More { count }, AtHome::Nothing));
        }
        found.sort_by_key(|(span, ..)| span.start);
        let finding = |(span, at, kind, at_home): (Range<usize>, _, FindingKind, _)| {
            let excused = self.lenient && at_home != AtHome::Refuses;
            let severity = if excused {
                Severity::Warning
            } else {
                kind.severity()
            };
            Finding {
                path: self.path.to_owned(),
                position: Position::at(self.text, span.start),
                span,
                at,
                kind,
                severity,
                agent: self.agent,
                at_home,
            }
        };
        found.into_iter().map(finding).collect()
    }
}
