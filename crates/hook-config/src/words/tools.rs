//! What is said about the tools that a hook is asked about.

use hook_contract::Kind;
use hook_source::{Diagnostic, Shown};

/// `tools` is an empty list.
pub(crate) fn never_asked() -> Diagnostic {
    Diagnostic::warning(
        "never_asked",
        "`tools` is empty, so this hook is never asked",
    )
    .with_help("list tools, or leave the field out for every tool")
}

/// An entry of `tools` that can hardly be the exact name of a tool: a pattern, a list, or nothing.
pub(crate) fn pattern_in_tools(tool: &str) -> Diagnostic {
    let message = format!(
        "`{}` is compared as it stands and is hardly the name of a tool",
        Shown(tool)
    );
    Diagnostic::warning("pattern_in_tools", message)
        .with_help("list each tool by its exact name, or leave the field out for every tool")
}

pub(crate) fn duplicate_tool(tool: &str) -> Diagnostic {
    let message = format!("the tool `{}` is listed twice", Shown(tool));
    Diagnostic::warning("duplicate_tool", message).with_help("remove one of the two")
}

/// An entry has `kinds`, and the host does not know what its tools can do.
pub(crate) fn needs_kinds() -> Diagnostic {
    let message = "this host does not know the kinds of its tools, and `kinds` asks for them";
    Diagnostic::error("needs_tool_knowledge", message).with_help(
        "remove `kinds` and list each tool by its exact name in `tools`, or use a host that knows the kinds",
    )
}

/// An entry has `"facts": true`, and the host knows no facts.
pub(crate) fn needs_facts() -> Diagnostic {
    let message = "this host knows no facts about calls, and `facts` asks for them";
    Diagnostic::error("needs_tool_knowledge", message).with_help(
        "remove `facts` and let the hook read `tool_name` and `input`, or use a host that knows facts",
    )
}

/// `kinds` is an empty list. Without kinds the field is left out, because an empty list would be a hook for no tool.
pub(crate) fn empty_kinds() -> Diagnostic {
    Diagnostic::error("empty_kinds", "`kinds` is empty")
        .with_help("list kinds of tools, such as [\"shell\"], or leave the field out")
}

/// An element of `kinds`, from 0, is no kind of tool.
pub(crate) fn unknown_kind(index: usize, found: &str, nearest: Option<&str>) -> Diagnostic {
    let known = Kind::ALL.iter().map(|kind| format!("\"{kind}\""));
    let known = known.collect::<Vec<_>>().join(", ");
    let message = format!("`kinds[{index}]` cannot be \"{}\"", Shown(found));
    Diagnostic::error("unknown_word", message).with_help(match nearest {
        Some(nearest) => format!("did you mean \"{nearest}\"? The kinds are {known}"),
        None => format!("write one of {known}"),
    })
}

pub(crate) fn duplicate_kind(kind: Kind) -> Diagnostic {
    let message = format!("the kind `{kind}` is listed twice");
    Diagnostic::warning("duplicate_kind", message).with_help("remove one of the two")
}
