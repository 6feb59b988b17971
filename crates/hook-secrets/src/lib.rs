//! What a secret looks like: the one table for records and for the environment of hooks.
//!
//! Two questions are answered, both for what is *likely* a secret; neither proves that a text holds none:
//!
//! 1. **Names.** Whether the name of a member, a variable or an option says that its value is a secret ([`Names`]).
//! 2. **Shapes.** Where in a text something stands that looks like a secret of a known kind ([`Shapes`]): a token with the
//!    mark of its maker (`ghp_…`), a value beside the name of a maker, a private key, a JSON web token, the password of an
//!    address, what follows `Bearer `.
//!
//! The marks come from two public lists, Gitleaks and Kingfisher, converted by `data/convert.py` into `data/rules.tsv`;
//! `NOTICE` has their licences. `data/own.tsv` adds what both lack. Every question costs time in proportion to the length of
//! the text, whatever the text is.
//!
//! ```
//! use hook_secrets::{Names, Shapes, is_secret_variable};
//!
//! assert!(Names::default().says_secret("OPENAI_API_KEY"));
//! let found = Shapes::default().find_all("token is glpat-Zx81kQ0vTb7LmR2sWd5e, keep it");
//! assert_eq!((found[0].start, found[0].kind.as_ref()), (9, "gitlab-token"));
//! assert!(is_secret_variable("DB", "Server=db;Uid=app;Password=x"));
//! ```
//!
//! # Where things are
//!
//! | item | what |
//! |---|---|
//! | [`Names`], [`Said`] | names that say that a value is a secret, and names that say so of a value that looks random |
//! | [`Shapes`], [`Found`] | what stands where in a text |
//! | [`is_secret_variable`] | both, of a variable of the environment |
//! | [`looks_random`], [`is_digest`], [`is_reference`] | what a value is, whatever its name |
//!
//! The minimum supported Rust version is 1.88.

mod environment;
mod names;
mod rule;
mod scan;
mod structure;
mod table;
mod value;
mod vocabulary;
mod words;

pub use self::{
    environment::is_secret_variable,
    names::{Names, Said},
    scan::{Found, Shapes},
    value::{is_digest, is_reference, looks_random},
};
