//! Reading one entry of `hooks`.

mod tools;
mod transport;

use std::time::Duration;

use hook_source::{Node, Reader};

use self::transport::Reached;
use crate::{
    HookSpec, HostSupport, MAX_HOOK_TIMEOUT, MIN_HOOK_TIMEOUT,
    file::{
        ExaminedEntry,
        fields::{self, ENTRY, word},
    },
    words::{self, Of},
};

/// The entry; nothing when it is no object.
pub(super) fn read(
    reader: &mut Reader<'_>,
    index: usize,
    node: &Node,
    host: &HostSupport,
) -> Option<ExaminedEntry> {
    fields::is_object(reader, node, Of::Entry)?;
    let mut reached = Reached::by(host.transport_keys());
    let fields = ENTRY.read(node, |found| reached.look(reader, &found));
    for field in fields.missing() {
        reader.tell(&node.start(), words::missing_field(field));
    }
    let name = fields.get("name").and_then(|node| name(reader, node));
    let tools = tools::read(reader, &fields, host);
    let timeout = fields
        .get("timeout_ms")
        .and_then(|node| timeout(reader, node));
    let event = word(reader, &fields);
    let on_failure = word(reader, &fields);
    let (transport, command) = reached.transport(reader, node, &fields);
    let spec = name.zip(transport).map(|(name, transport)| {
        let mut hook = HookSpec::reached_by(name, transport);
        hook.tools = tools.names;
        hook.kinds = tools.kinds;
        hook.facts = tools.facts;
        hook.timeout = timeout.unwrap_or(hook.timeout);
        hook.event = event.unwrap_or(hook.event);
        hook.on_failure = on_failure.unwrap_or(hook.on_failure);
        hook
    });
    Some(ExaminedEntry {
        index,
        name: None,
        span: node.span.clone(),
        command,
        spec,
    })
}

fn name(reader: &mut Reader<'_>, node: &Node) -> Option<String> {
    let name = node.text()?;
    if name.is_empty() {
        reader.tell(&node.span, words::empty_name());
    }
    Some(name.to_owned())
}

/// A whole number of milliseconds, judged as it is written: `5.0` and `5e3` are none.
pub(super) fn timeout(reader: &mut Reader<'_>, node: &Node) -> Option<Duration> {
    let timeout = node
        .whole()
        .map(Duration::from_millis)
        .filter(|timeout| (MIN_HOOK_TIMEOUT..=MAX_HOOK_TIMEOUT).contains(timeout));
    if timeout.is_none() {
        let found = reader.raw(node);
        reader.tell(&node.span, words::timeout_out_of_range(found));
    }
    timeout
}
