//! What may stand in a hooks file.

use hook_config::{Diagnostic, HookSpec, HooksFile, HostSupport};
use hook_contract::{Kinds, ToolKnowledge};
use serde_json::Value;

use super::strict::{strict, without_mark};

/// A host that knows its tools, so that no field of an entry is beyond it.
struct Tools;

impl ToolKnowledge for Tools {
    fn kinds(&self, _tool_name: &str) -> Kinds {
        Kinds::NONE
    }

    fn knows_facts(&self) -> bool {
        true
    }
}

/// Any text is a file whose hooks are what every reader of JSON finds in it, or has problems that
/// can be shown at their places.
pub fn hooks_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let shown = without_mark(text);
    let host = HostSupport::new().with_tools(&Tools);
    if HooksFile::parse(text).is_ok() {
        let file =
            HooksFile::parse_for(text, &host).expect("a host that can do more reads the same file");
        assert!(
            file.hooks
                .iter()
                .all(|hook| hook.kinds.is_none() && !hook.facts)
        );
    }
    match HooksFile::parse_for(text, &host) {
        Err(error) => are_shown(&error.problems, shown),
        Ok(file) => {
            let read = strict(shown).expect("a file is one JSON value with one reading");
            are_declared(&file.hooks, &read);
            for warning in &file.warnings {
                assert!(shown.get(span(warning)).is_some());
                assert_eq!(warning.to_string().lines().count(), 1, "{warning}");
            }
            let again = HooksFile::parse_for(&file.to_json(), &host).expect("a file");
            assert_eq!(again.hooks, file.hooks);
            assert_eq!(again.to_json(), file.to_json());
        }
    }
}

fn span(found: &Diagnostic) -> std::ops::Range<usize> {
    let place = found.place.as_ref().expect("a place");
    place.span.clone()
}

/// Whoever underlines a problem finds text there, and every message is one harmless line.
fn are_shown(problems: &[Diagnostic], text: &str) {
    assert!(!problems.is_empty());
    assert!(problems.is_sorted_by_key(|problem| span(problem).start));
    for problem in problems {
        assert!(text.get(span(problem)).is_some(), "{problem:?}");
        let line = problem.to_string();
        assert!(!line.contains(char::is_control), "{line:?}");
        assert!(problem.help.is_some());
    }
}

/// The hooks are those of the text, in its order; none was left out and none made up.
fn are_declared(hooks: &[HookSpec], read: &Value) {
    assert!(read.get("schema").is_some());
    let empty = Vec::new();
    let entries = read["hooks"].as_array().unwrap_or(&empty);
    assert_eq!(hooks.len(), entries.len());
    for (hook, entry) in hooks.iter().zip(entries) {
        assert_eq!(hook_config::validate(hook), Ok(()));
        assert_eq!(entry["name"], hook.name.as_str());
        let words = entry["command"].as_array().expect("a command");
        assert!(
            words.iter().eq(hook.command().unwrap_or_default()),
            "{words:?} {:?}",
            hook.command()
        );
        let tools = entry["tools"].as_array();
        assert_eq!(tools.is_some(), hook.tools.is_some());
        assert!(tools.into_iter().flatten().eq(hook.tools.iter().flatten()));
        let kinds = entry["kinds"].as_array();
        assert_eq!(kinds.is_some(), hook.kinds.is_some());
        let read = hook.kinds.iter().flatten().map(|kind| kind.as_str());
        assert!(kinds.into_iter().flatten().eq(read));
        assert_eq!(entry["facts"].as_bool().unwrap_or_default(), hook.facts);
        let event = entry["event"].as_str().unwrap_or("pre_tool_use");
        assert_eq!(event, hook.event.as_str());
    }
}
