//! What the reader noticed, before anybody asked for lines and columns.

use std::{ops::Range, rc::Rc};

use hook_contract::json::Position;

use crate::problem::Place;

/// How many problems, and how many warnings, are told of one file. Nobody reads more, and a file
/// made of nothing but mistakes must not keep the reader busy.
const MOST: usize = 100;

/// Something noticed at a place of the text.
pub(super) struct Finding<K> {
    pub(super) kind: K,
    pub(super) span: Range<usize>,
    pub(super) entry: Option<usize>,
    /// Shared: an entry with a long name may be wrong in thousands of places.
    pub(super) hook: Option<Rc<str>>,
}

/// The findings in the order of the text, each with its line and column; `more` stands for those
/// beyond the limit.
pub(super) fn placed<K>(
    mut findings: Vec<Finding<K>>,
    text: &str,
    more: impl FnOnce(usize) -> K,
) -> Vec<(Place, K)> {
    // A stable sort: what was noticed first about one place stays first.
    findings.sort_by_key(|finding| finding.span.start);
    let count = findings.len().saturating_sub(MOST);
    if count > 0 {
        let rest = findings.split_off(MOST);
        findings.extend(rest.into_iter().next().map(|first| Finding {
            kind: more(count),
            span: first.span,
            entry: None,
            hook: None,
        }));
    }
    findings
        .into_iter()
        .map(|finding| {
            let place = Place {
                position: Position::at(text, finding.span.start),
                span: finding.span,
                entry: finding.entry,
                hook: finding.hook.as_deref().map(str::to_owned),
            };
            (place, finding.kind)
        })
        .collect()
}
