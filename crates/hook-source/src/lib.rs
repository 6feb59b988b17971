//! Files that people write: values with their places, tables of fields, and what is wrong, where.
//!
//! Each reader of such a file needs the same care: where a value stands, which field was meant, what stands twice, and a
//! message with a line, a column and a remedy. This crate holds that care once. It knows no hooks: what a field means is
//! for the reader that has the table.
//!
//! ```
//! use hook_source::{Diagnostic, Field, Reader, Standing, Table, json};
//!
//! const TABLE: Table = Table::new(&[Field::new("name").required(), Field::new("tools")]);
//!
//! let text = r#"{"name": "guard", "tool": ["shell"]}"#;
//! let mut reader = Reader::new(text);
//! let node = json::read(text, 2).expect("JSON");
//! let fields = TABLE.read(&node, |found| {
//!     if let Standing::Meant(intended) = found.standing {
//!         let message = format!("unknown field `{}`", found.member.name);
//!         let problem = Diagnostic::error("misspelt_field", message).with_help(format!("write `{intended}`"));
//!         reader.tell(&found.member.span, problem);
//!     }
//! });
//! assert_eq!(fields.get("name").and_then(|node| node.text()), Some("guard"));
//! assert_eq!(reader.finish_each()[0].to_string(), "1:19: unknown field `tool`; write `tools`");
//! ```
//!
//! # Where things are
//!
//! | item | what |
//! |---|---|
//! | [`FileReader`], [`FileError`] | a file that exists is read whole, or is an error |
//! | [`home`] | the folder of the user, also without `HOME` |
//! | [`json`], `toml` | a text as a [`Node`]: a value, and the bytes it is written as |
//! | [`Table`], [`Field`], [`Fields`] | which fields an object may have, and which was meant |
//! | [`nearest`], [`fold`] | the one rule by which a word is a misspelling of another |
//! | [`Reader`] | collects what is wrong, in the order of the text and with an end |
//! | [`Diagnostic`] | one thing that is wrong or odd: what, where, and what to write |
//! | [`Shown`] | text of a file in a message |
//!
//! # Features
//!
//! - `toml` (off by default): texts in TOML, in the module `toml`.
//!
//! The minimum supported Rust version is 1.88.

mod diagnostic;
mod file;
mod home;
pub mod json;
mod lines;
mod near;
mod node;
mod reader;
mod shown;
mod syntax;
mod table;
#[cfg(feature = "toml")]
pub mod toml;

pub use crate::{
    diagnostic::{Diagnostic, Place, Severity, Subject},
    file::{FileError, FileId, FileReader, FileText, MAX_FILE_BYTES, Opened},
    home::home,
    lines::Lines,
    near::{fold, nearest},
    node::{Kind, Member, Node, Value},
    reader::{MOST, Reader},
    shown::Shown,
    syntax::SyntaxFault,
    table::{Field, Fields, Found, Standing, Table},
};

/// The code of the README is compiled and run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
