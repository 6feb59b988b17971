//! What must hold for any bytes: the bodies of the fuzz targets, and of the property tests that run
//! them on every build.
//!
//! Each takes bytes, makes of them what the target is about, and panics when something does not
//! hold. The seeds in `fuzz/seeds` show the form that each expects.

mod chain;
mod hooks_file;
mod now;
mod request;
mod response;
mod source;
mod strict;

pub use self::{
    chain::chain, hooks_file::hooks_file, request::request, response::response, source::source,
};
