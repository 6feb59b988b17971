//! Many matchers, asked at once.

use std::collections::HashMap;

use super::{Kind, Matcher, bounded::Bounded, ecma::Room};

/// How many patterns are looked for in one pass. More would need more states than one pass may have.
const AT_ONCE: usize = 64;

/// Matchers in order, prepared so that a call is compared with all of them at once.
///
/// ```
/// use hook_dialect::{Dialect, Matcher, MatcherSet};
///
/// let parse = |pattern| Matcher::parse(Some(pattern), Dialect::CLAUDE.matcher);
/// let set = MatcherSet::new(["Bash", "mcp__.*", "*", "Edit|Bash"].map(parse));
/// assert_eq!(set.select(&["Bash"]), [0, 2, 3]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct MatcherSet {
    matchers: Vec<Matcher>,
    /// Those that match everything.
    all: Vec<usize>,
    names: HashMap<Box<str>, Vec<usize>>,
    passes: Vec<Pass>,
    /// Those that are asked one by one.
    single: Vec<usize>,
}

/// Patterns that are looked for in one pass, and which matchers they belong to.
#[derive(Clone, Debug)]
struct Pass {
    engine: Bounded,
    matchers: Vec<usize>,
    /// Whether characters beyond the first 65,536 are one unit for the pattern, too.
    any_text: bool,
}

impl MatcherSet {
    /// Prepares the matchers; their places are what [`select`](Self::select) answers with.
    #[must_use]
    pub fn new(matchers: impl IntoIterator<Item = Matcher>) -> Self {
        let mut set = Self {
            matchers: matchers.into_iter().collect(),
            ..Self::default()
        };
        let (mut ecma, mut rust) = (Vec::new(), Vec::new());
        for (index, matcher) in set.matchers.iter().enumerate() {
            match &matcher.kind {
                Kind::All => set.all.push(index),
                Kind::Nothing => {}
                Kind::Names(names) => names.iter().for_each(|name| {
                    let places = set.names.entry(name.clone()).or_default();
                    places.push(index);
                }),
                Kind::EcmaScript(pattern) => match pattern.linear() {
                    Some(hir) => ecma.push((index, hir.clone())),
                    None => set.single.push(index),
                },
                Kind::Rust(pattern) => {
                    rust.extend(pattern.hirs().iter().map(|hir| (index, hir.clone())));
                }
            }
        }
        set.add_passes(&ecma, false);
        set.add_passes(&rust, true);
        set
    }

    fn add_passes(&mut self, patterns: &[(usize, regex_syntax::hir::Hir)], any_text: bool) {
        for patterns in patterns.chunks(AT_ONCE) {
            self.add_pass(patterns, any_text);
        }
    }

    /// One pass for the patterns; two for the halves when they are too large together.
    fn add_pass(&mut self, patterns: &[(usize, regex_syntax::hir::Hir)], any_text: bool) {
        let hirs = patterns.iter().map(|(_, hir)| hir.clone()).collect();
        let matchers: Vec<usize> = patterns.iter().map(|(index, _)| *index).collect();
        if let Some(engine) = Bounded::build(hirs) {
            self.passes.push(Pass {
                engine,
                matchers,
                any_text,
            });
        } else if patterns.len() > 1 {
            let (left, right) = patterns.split_at(patterns.len() / 2);
            self.add_pass(left, any_text);
            self.add_pass(right, any_text);
        } else {
            self.single.extend(matchers);
        }
    }

    /// The places of the matchers that match any of these texts, in order and each once.
    #[must_use]
    pub fn select(&self, queries: &[&str]) -> Vec<usize> {
        let mut selected = self.all.clone();
        for query in queries {
            selected.extend(self.names.get(*query).into_iter().flatten());
            self.select_by_pattern(query, &mut selected);
        }
        selected.sort_unstable();
        selected.dedup();
        selected
    }

    fn select_by_pattern(&self, query: &str, selected: &mut Vec<usize>) {
        let beyond = || query.chars().any(|c| c > '\u{ffff}');
        let mut one_by_one = OneByOne::default();
        for pass in &self.passes {
            let found = (pass.any_text || !beyond()).then(|| pass.engine.which(query));
            match found.flatten() {
                Some(found) => {
                    selected.extend(found.filter_map(|index| pass.matchers.get(index)));
                }
                None => one_by_one.ask(self, &pass.matchers, query, selected),
            }
        }
        one_by_one.ask(self, &self.single, query, selected);
    }

    /// The matchers in order.
    #[must_use]
    pub fn matchers(&self) -> &[Matcher] {
        &self.matchers
    }
}

/// What asking one matcher after the other needs each time, made once.
#[derive(Default)]
struct OneByOne {
    units: Vec<u16>,
    room: Room,
}

impl OneByOne {
    fn ask(&mut self, set: &MatcherSet, asked: &[usize], query: &str, selected: &mut Vec<usize>) {
        if self.units.is_empty() && !asked.is_empty() {
            self.units = query.encode_utf16().collect();
        }
        for index in asked {
            let matched = match set.matchers.get(*index).map(|matcher| &matcher.kind) {
                Some(Kind::EcmaScript(pattern)) => {
                    let search = pattern.search_units(&self.units, &mut self.room);
                    search.found.unwrap_or(true)
                }
                Some(Kind::Rust(pattern)) => pattern.is_match(query).unwrap_or(true),
                Some(Kind::All | Kind::Nothing | Kind::Names(_)) | None => false,
            };
            if matched {
                selected.push(*index);
            }
        }
    }
}
