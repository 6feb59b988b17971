//! What stands where in a text.

mod discord;

use std::borrow::Cow;

use crate::{
    rule::{Rule, is_inside_word},
    structure::Structure,
    table::TABLE,
};

/// A secret that was found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// Where what it was found by stands, in bytes: `Bearer `, of which the secret is what follows.
    pub at: usize,
    /// Where the secret begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What it is: `github-token`.
    pub kind: Cow<'static, str>,
}

/// The shapes that are looked for.
///
/// ```
/// use hook_secrets::Shapes;
///
/// let shapes = Shapes::none().with_prefix("acme-token", "acme_", 8);
/// assert_eq!(shapes.find_all("acme_1234abcd and ghp_no").len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Shapes {
    has_table: bool,
    own: Vec<Own>,
}

/// A mark that was added.
#[derive(Clone, Debug)]
struct Own {
    kind: String,
    mark: String,
    at_least: usize,
}

/// Every shape of the table.
impl Default for Shapes {
    fn default() -> Self {
        Self {
            has_table: true,
            own: Vec::new(),
        }
    }
}

impl Shapes {
    /// No shape until one is added.
    #[must_use]
    pub fn none() -> Self {
        Self {
            has_table: false,
            own: Vec::new(),
        }
    }

    /// Also `prefix` and the letters, digits, `_` and `-` after it, where there are at least so many of them. What is found is
    /// called `kind`.
    #[must_use]
    pub fn with_prefix(mut self, kind: &str, prefix: &str, at_least: usize) -> Self {
        self.own.push(Own {
            kind: kind.to_owned(),
            mark: prefix.to_owned(),
            at_least,
        });
        self
    }

    /// Whether a text holds any of them.
    #[must_use]
    pub fn has_any(&self, text: &str) -> bool {
        !self.find_all(text).is_empty()
    }

    /// Every secret, by the place of what it was found by. None begins within another one.
    #[must_use]
    pub fn find_all(&self, text: &str) -> Vec<Found> {
        let mut found = self.by_own(text);
        if self.has_table {
            by_table(text, &mut found);
            found.extend(discord::find_all(text));
        }
        // The longest of those at one place is the whole of it.
        found.sort_by_key(|one| (one.start, std::cmp::Reverse(one.end)));
        let mut end = 0;
        found.retain(|one| {
            let is_new = one.end > end;
            end = end.max(one.end);
            is_new
        });
        found.sort_by_key(|one| one.at);
        found
    }

    fn by_own(&self, text: &str) -> Vec<Found> {
        let own = self.own.iter().filter(|own| !own.mark.is_empty());
        own.flat_map(|own| own.find_all(text)).collect()
    }
}

impl Own {
    fn find_all(&self, text: &str) -> impl Iterator<Item = Found> {
        let is_token = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let is_word = self.mark.starts_with(|c: char| c.is_ascii_alphanumeric());
        let mut seen = 0;
        text.match_indices(self.mark.as_str())
            .filter_map(move |(at, _)| {
                let is_first = at >= seen && !(is_word && is_inside_word(text, at, false));
                is_first.then_some(())?;
                let after = at + self.mark.len();
                let rest = text.get(after..)?;
                let length = rest.find(|c| !is_token(c)).unwrap_or(rest.len());
                seen = after + length;
                (length >= self.at_least).then(|| Found {
                    at,
                    start: at,
                    end: seen,
                    kind: self.kind.clone().into(),
                })
            })
    }
}

/// Adds what the rules of the table find.
fn by_table(text: &str, found: &mut Vec<Found>) {
    let Some(keywords) = TABLE.keywords(text) else {
        return;
    };
    // How far tokens and private keys were found: they may be as long as the text, and what begins within them is of them.
    let (mut token_end, mut key_end) = (0, 0);
    for hit in keywords.find_overlapping_iter(text) {
        let Some(rule) = TABLE.rules.get(hit.pattern().as_usize()) else {
            continue;
        };
        let is_key = matches!(rule, Rule::Structure(Structure::PrivateKey));
        if hit.start()
            < if is_key {
                key_end
            } else {
                token_end.max(key_end)
            }
        {
            continue;
        }
        if let Some(secret) = rule.find(text, hit.start()) {
            let is_beside = matches!(rule, Rule::Context(_) | Rule::Pattern(_));
            if is_key {
                key_end = secret.end;
            } else if !is_beside {
                token_end = secret.end;
            }
            found.push(Found {
                at: if is_beside {
                    secret.start
                } else {
                    hit.start().min(secret.start)
                },
                start: secret.start,
                end: secret.end,
                kind: rule.kind().into(),
            });
        }
    }
}

#[cfg(test)]
mod tests;
