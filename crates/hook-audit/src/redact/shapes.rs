//! What secrets of well-known kinds look like.

use super::MASKED;

/// One kind of secret within a text.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    kind: String,
    start: String,
    rest: Rest,
}

/// What follows the start of a secret.
#[derive(Clone, Copy, Debug)]
enum Rest {
    /// Letters, digits, `_` and `-`: at least so many.
    Token(usize),
    /// Exactly so many capital letters and digits.
    Capitals(usize),
    /// Letters, digits, `_`, `-` and at least two points.
    Jwt,
    /// Anything without white space and quotes, at least so many; the start itself stays.
    Word(usize),
    /// Everything up to the end of a PEM block.
    Pem,
    /// The password of a URL; the start, `://`, and the name of the user stay.
    Userinfo,
}

impl Rest {
    /// Whether a secret does not begin after that character.
    fn continues_word(self, c: char) -> bool {
        match self {
            // So that no run of characters is looked at from more than one of its places.
            Self::Jwt => is_token(c) || c == '.',
            Self::Token(_) | Self::Capitals(_) | Self::Word(_) | Self::Pem | Self::Userinfo => {
                c.is_alphanumeric() || c == '_'
            }
        }
    }
}

/// A secret that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) mask: String,
}

pub(super) fn well_known() -> Vec<Shape> {
    let mut shapes = Vec::new();
    let mut add = |kind: &str, starts: &[&str], rest| {
        shapes.extend(starts.iter().map(|start| Shape {
            kind: kind.to_owned(),
            start: (*start).to_owned(),
            rest,
        }));
    };
    add("private-key", &["-----BEGIN "], Rest::Pem);
    add("private-key", &["AGE-SECRET-KEY-1"], Rest::Token(40));
    add("vault-token", &["hvs.", "hvb."], Rest::Token(20));
    add("aws-key", &["AKIA", "ASIA"], Rest::Capitals(16));
    let github = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"];
    add("github-token", &github, Rest::Token(30));
    add("github-token", &["github_pat_"], Rest::Token(22));
    add(
        "gitlab-token",
        &["glpat-", "gldt-", "glrt-"],
        Rest::Token(20),
    );
    let slack = [
        "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xapp-",
    ];
    add("slack-token", &slack, Rest::Token(10));
    add("google-key", &["AIza"], Rest::Token(35));
    add("google-token", &["ya29."], Rest::Token(20));
    let stripe = ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"];
    add("stripe-key", &stripe, Rest::Token(16));
    add("model-key", &["sk-"], Rest::Token(20));
    let packages = ["npm_", "pypi-", "dckr_pat_", "hf_"];
    add("package-token", &packages, Rest::Token(27));
    add("jwt", &["eyJ"], Rest::Jwt);
    let bearer = ["Bearer ", "bearer ", "BEARER "];
    add("bearer", &bearer, Rest::Word(8));
    add("basic", &["Basic ", "basic ", "BASIC "], Rest::Word(12));
    add("url-password", &["://"], Rest::Userinfo);
    shapes
}

impl Shape {
    pub(super) fn prefix(kind: String, start: String, at_least: usize) -> Self {
        let rest = Rest::Token(at_least);
        Self { kind, start, rest }
    }

    /// The first byte of every secret of this kind; nothing when there is none.
    pub(super) fn first_byte(&self) -> Option<u8> {
        self.start.bytes().next()
    }

    /// The secret that begins at `at`, if one does.
    pub(super) fn find(&self, text: &str, at: usize) -> Option<Found> {
        let rest = text.get(at..)?.strip_prefix(self.start.as_str())?;
        // `task-list` holds `sk-`, and no key.
        let is_inside_a_word = self.start.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.get(..at)?.ends_with(|c| self.rest.continues_word(c));
        if is_inside_a_word {
            return None;
        }
        let after = at + self.start.len();
        let (start, end) = match self.rest {
            Rest::Token(at_least) => (at, after + run(rest, at_least, is_token)?),
            Rest::Capitals(count) => {
                let length = run(rest, count, |c| c.is_ascii_alphanumeric())?;
                let are_capitals = rest
                    .bytes()
                    .take(count)
                    .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
                (length == count && are_capitals).then_some((at, after + count))?
            }
            Rest::Jwt => {
                let length = run(rest, 20, |c| is_token(c) || c == '.')?;
                let points = rest.bytes().take(length).filter(|byte| *byte == b'.');
                (points.count() >= 2).then_some((at, after + length))?
            }
            Rest::Word(at_least) => {
                let is_part =
                    |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\'' | '\\' | ',' | '[');
                (after, after + run(rest, at_least, is_part)?)
            }
            Rest::Pem => (at, after + pem(rest)?),
            Rest::Userinfo => {
                let (start, end) = userinfo(rest)?;
                (after + start, after + end)
            }
        };
        let mask = format!("{}:{}]", MASKED.trim_end_matches(']'), self.kind);
        Some(Found { start, end, mask })
    }
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// How long the run of such characters is at the beginning of a text, where it is long enough.
fn run(text: &str, at_least: usize, is_part: impl Fn(char) -> bool) -> Option<usize> {
    let length = text.find(|c| !is_part(c)).unwrap_or(text.len());
    (length >= at_least).then_some(length)
}

/// The end of a private key that begins here: after its last line, or at the end of the text when that was cut off.
fn pem(rest: &str) -> Option<usize> {
    const DASHES: &str = "-----";
    const LONGEST_LABEL: usize = 40;
    let opening = rest.find(DASHES).filter(|end| *end < LONGEST_LABEL)?;
    let label = rest.get(..opening)?;
    // The second is PGP's.
    let is_private = label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK");
    is_private.then_some(())?;
    let body = opening + DASHES.len();
    let closing = format!("{DASHES}END {label}{DASHES}");
    let end = rest
        .get(body..)?
        .find(&closing)
        .map(|from| body + from + closing.len());
    Some(end.unwrap_or(rest.len()))
}

/// Whether a value is `$PASSWORD`, `${PASSWORD}` or `$(command)`: where a secret is, and not what it is.
pub(super) fn is_reference(value: &str) -> bool {
    let name = value.strip_prefix('$');
    name.is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '{' | '('))
    })
}

/// From which length on what stands alone before the `@` of a URL is no name of a user.
const LONGEST_USER: usize = 20;

/// Where the password of `user:password@host`, or the token of `token@host`, stands.
fn userinfo(rest: &str) -> Option<(usize, usize)> {
    let authority = rest.find(['/', '?', '#', ' ', '\n', '"', '\'']);
    let authority = rest.get(..authority.unwrap_or(rest.len()))?;
    let (userinfo, _host) = authority.rsplit_once('@')?;
    let Some((user, password)) = userinfo.split_once(':') else {
        // Nobody is called so: it is a token.
        let is_token = userinfo.len() >= LONGEST_USER && userinfo.chars().all(is_token);
        return is_token.then_some((0, userinfo.len()));
    };
    let is_secret = !password.is_empty() && !is_reference(password);
    is_secret.then_some((user.len() + 1, userinfo.len()))
}
