//! What readers of other agents' settings need, so that they say what is wrong as this crate does.

pub use crate::{
    near::nearest,
    read::{FileId, FileText, read_file},
    shown::Shown,
    syntax::SyntaxFault,
};
