//! Reading `approver`.

use hook_source::{Node, Reader};

use crate::{
    ApproverSpec,
    file::{
        ExaminedApprover, command, entry,
        fields::{self, APPROVER},
    },
    words,
};

/// What is declared; nothing when it is no object that can be read.
pub(super) fn read(reader: &mut Reader<'_>, node: &Node) -> Option<ExaminedApprover> {
    // Of another type, or with a name that is no Unicode, it was told.
    node.members()?;
    let fields = APPROVER.read(node, |found| fields::tell(reader, &found));
    for field in fields.missing() {
        reader.tell(&node.start(), words::missing_field(field));
    }
    let command = fields.get("command");
    let command = command.and_then(|node| command::command(reader, node));
    let timeout = fields.get("timeout_ms");
    let timeout = timeout.and_then(|node| entry::timeout(reader, node));
    let spec = command.as_ref().map(|command| {
        let mut spec = ApproverSpec::new(command.iter().map(|word| &*word.text));
        spec.timeout = timeout.unwrap_or(spec.timeout);
        spec
    });
    Some(ExaminedApprover {
        span: node.span.clone(),
        command: command.unwrap_or_default(),
        spec,
    })
}
