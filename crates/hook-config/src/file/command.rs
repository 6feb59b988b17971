//! Reading a command: a program and its arguments.

use hook_contract::COMMAND_KEY as COMMAND;
use hook_source::{Kind, Node, Reader};

use crate::{
    file::{CommandWord, fields::strings},
    words::{self, Of},
};

/// The words of a command. Nothing when it is no array of strings.
pub(super) fn command(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<CommandWord>> {
    match (node.kind(), node.text()) {
        (Kind::Array, _) => {}
        (Kind::String, Some(text)) => {
            reader.tell(&node.span, words::command_is_string(text));
            return None;
        }
        (Kind::String, None) => {
            reader.tell(&node.span, words::not_unicode(Of::Field(COMMAND)));
            return None;
        }
        (found, _) => {
            let told = words::wrong_type(Of::Field(COMMAND), "an array", found);
            reader.tell(&node.span, told);
            return None;
        }
    }
    let words = strings(reader, node, COMMAND)?;
    match words.first() {
        None => reader.tell(&node.span, words::empty_command()),
        Some((first, "")) => reader.tell(&first.span, words::empty_program()),
        Some(_) => {}
    }
    for (index, (node, word)) in words.iter().enumerate() {
        if word.contains('\0') {
            reader.tell(&node.span, words::nul_in_command(index));
        }
    }
    let words = words.into_iter();
    Some(
        words
            .map(|(node, word)| CommandWord::new(word.to_owned(), node.span.clone()))
            .collect(),
    )
}
