//! What a line says: a call, that one is cancelled, or nothing that can be read.

use hook_source::{Diagnostic, Node};

use super::{super::call, id::Id};
use crate::handed::{Wrong, located};

/// What a line says.
pub(super) enum Line {
    Call {
        id: Option<Id>,
        call: Box<call::Call>,
    },
    Cancel(Id),
    Wrong {
        id: Option<Id>,
        tool_call_id: String,
        error: String,
    },
}

impl Line {
    /// Reads the line of this number, from 1.
    pub(super) fn of(bytes: &[u8], from: &str, number: usize) -> Self {
        let wrong = |id, tool_call_id: Option<&str>, error: &Diagnostic| Self::Wrong {
            id,
            tool_call_id: tool_call_id.map_or_else(|| call::numbered(number), str::to_owned),
            error: located(error, from, number),
        };
        let (text, node) = match call::read(bytes) {
            Ok(read) => read,
            Err(error) => return wrong(None, None, &error),
        };
        let named = node.get("tool_call_id").and_then(Node::text);
        let id = match id(text, &node) {
            Ok(id) => id,
            Err(error) => return wrong(None, named, &error),
        };
        match cancelled(text, &node) {
            Ok(None) => {}
            Ok(Some(id)) => return Self::Cancel(id),
            Err(error) => return wrong(id, named, &error),
        }
        match call::Call::of(text, &node, number) {
            Ok(call) => Self::Call {
                id,
                call: Box::new(call),
            },
            Err(error) => wrong(id, named, &error),
        }
    }
}

/// The client's name of the call. One that stands twice is two for two readers, and an answer under it could be read for another
/// call.
fn id(text: &str, node: &Node) -> Result<Option<Id>, Wrong> {
    let members = node.members().unwrap_or_default().iter();
    let mut ids = members.filter(|member| member.name.eq_ignore_ascii_case("id"));
    let Some(first) = ids.next() else {
        return Ok(None);
    };
    let error = |message: &str, help: &'static str, span| -> Wrong {
        let wrong = Diagnostic::error("wrong_id", message.to_owned());
        wrong.with_help(help).at(text, span).into()
    };
    if let Some(second) = ids.next() {
        let span = second.span.clone();
        return Err(error("the key `id` stands twice", "keep one", span));
    }
    if first.name != "id" {
        // A client that pairs by it would wait for ever.
        let span = first.span.clone();
        return Err(error("the key is nearly `id`", "write `id`", span));
    }
    if first.node.is_null() {
        return Ok(None);
    }
    let id = Id::of(&first.node).map(Some);
    id.ok_or_else(|| {
        let span = first.node.span.clone();
        error(
            "`id` is no name of a call",
            "it must be a string, or a whole number of 64 bits",
            span,
        )
    })
}

/// Which call is cancelled, if the line says so and nothing else.
fn cancelled(text: &str, node: &Node) -> Result<Option<Id>, Wrong> {
    let Some(cancel) = node.member("cancel") else {
        return Ok(None);
    };
    let alone = node.members().is_some_and(|members| members.len() == 1);
    let id = Id::of(&cancel.node).filter(|_| alone);
    id.map(Some).ok_or_else(|| {
        let wrong = Diagnostic::error("wrong_id", "`cancel` names no call");
        let wrong =
            wrong.with_help("write {\"cancel\": ID} with the id of an open call, and no other key");
        wrong.at(text, cancel.span.clone()).into()
    })
}
