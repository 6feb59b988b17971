//! What the `hookchain` command reads and writes, as JSON Schemas.
//!
//! The command itself is the binary of this package; run `hookchain --help`. This library holds what other parts of
//! the workspace need of it: the schemas that `hookchain schema` prints and `cargo xtask schema` writes to files.
//!
//! ```
//! use hookchain::documents;
//!
//! let names = documents::all().map(|document| document.name);
//! assert_eq!(names, documents::NAMES);
//! ```
//!
//! The minimum supported Rust version is 1.88.

pub mod documents;
