//! Any text is a hooks file or is refused, and a file means what was written into it.

use std::{fs, time::Duration};

use hook_config::{
    Diagnostic, HookConfigError, HookMode, HookSpec, HooksConfig, HooksFile, HostSupport,
    OnFailure, load,
};
use hook_contract::{HookEvent, Kind, Kinds, ToolKnowledge};
use proptest::{collection::vec, option, prelude::*, sample::select};

/// Pieces that hooks files are made of, so that arbitrary text gets past the first brace.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\n",
    "\u{feff}",
    "ä",
    "null",
    "true",
    "1",
    "-0",
    "1e9",
    "\"schema\"",
    "\"schema\":1",
    "\"hooks\":[",
    "\"name\":\"g\"",
    "\"command\":[\"x\"]",
    "\"evnt\":",
    "\"event\":\"Stop\"",
    "\"tools\":[\"*\"]",
    "\"kinds\":[\"shell\"]",
    "\"facts\":",
    "\"timeout_ms\":",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "{\"schema\":1,\"hooks\":[{\"name\":\"g\",\"command\":[\"x\"],",
];

/// A host that knows its tools, so that no field of an entry is beyond it.
fn knowing() -> HostSupport {
    struct Tools;

    impl ToolKnowledge for Tools {
        fn kinds(&self, _tool_name: &str) -> Kinds {
            Kinds::NONE
        }

        fn knows_facts(&self) -> bool {
            true
        }
    }

    HostSupport::new().with_tools(&Tools)
}

fn pieces() -> impl Strategy<Value = String> {
    vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

/// A file that loads but for one byte.
fn spoilt() -> impl Strategy<Value = Vec<u8>> {
    let text = r#"{"schema": 1, "hooks": [{"name": "g", "command": ["x"], "tools": ["a"], "kinds": ["mcp"],
        "facts": true, "event": "pre_tool_use", "timeout_ms": 5000, "on_failure": "deny", "mode": "oneshot"}]}"#;
    (0..text.len(), any::<u8>()).prop_map(move |(at, byte)| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.splice(at..=at, [byte]);
        bytes
    })
}

fn spec() -> impl Strategy<Value = HookSpec> {
    let word = any::<String>().prop_map(|word| word.replace('\0', ""));
    let filled = word
        .clone()
        .prop_filter("not empty", |word| !word.is_empty());
    (
        (filled.clone(), filled, vec(word, 0..4)),
        (
            option::of(vec(any::<String>(), 0..4)),
            option::of(vec(select(Kind::ALL), 1..4)),
            any::<bool>(),
        ),
        select(HookEvent::ALL),
        1_u64..=86_400_000,
        select(OnFailure::ALL.as_slice()),
        select(HookMode::ALL.as_slice()),
    )
        .prop_map(
            |(
                (name, program, arguments),
                (tools, kinds, facts),
                event,
                timeout,
                on_failure,
                mode,
            )| {
                let command = std::iter::once(program).chain(arguments);
                let hook = HookSpec::new(name, command)
                    .with_event(event)
                    .with_timeout(Duration::from_millis(timeout))
                    .with_on_failure(on_failure)
                    .with_mode(mode);
                let hook = match mode {
                    HookMode::Worker => hook
                        .with_max_questions(timeout)
                        .with_max_age(Duration::from_millis(timeout))
                        .with_max_idle(Duration::from_millis(timeout)),
                    HookMode::Oneshot => hook,
                };
                let hook = match tools {
                    Some(tools) => hook.with_tools(tools),
                    None => hook,
                };
                let hook = match kinds {
                    Some(kinds) => hook.with_kinds(kinds),
                    None => hook,
                };
                if facts { hook.with_facts() } else { hook }
            },
        )
}

fn span(found: &Diagnostic) -> std::ops::Range<usize> {
    let place = found.place.as_ref().map(|place| place.span.clone());
    place.unwrap_or(usize::MAX..usize::MAX)
}

/// Whoever underlines a problem finds text there, and every message is one line.
fn are_shown(problems: &[Diagnostic], text: &str) {
    assert!(!problems.is_empty());
    for problem in problems {
        assert!(text.get(span(problem)).is_some(), "{problem:?}");
        assert_eq!(problem.to_string().lines().count(), 1, "{problem:?}");
        assert!(problem.help.is_some());
    }
    assert!(problems.is_sorted_by_key(|problem| span(problem).start));
}

fn is_read_or_refused(text: &str) {
    for host in [HostSupport::new(), knowing()] {
        is_read_or_refused_by(&host, text);
    }
}

fn is_read_or_refused_by(host: &HostSupport, text: &str) {
    let shown = text.strip_prefix('\u{feff}').unwrap_or(text);
    for entry in HooksFile::examine_for(text, host).entries {
        assert!(shown.get(entry.span.clone()).is_some(), "{entry:?}");
        for word in &entry.command {
            let written = shown.get(word.span.clone()).unwrap_or_default();
            let read: Option<String> = serde_json::from_str(written).ok();
            assert_eq!(read.as_ref(), Some(&word.text), "{entry:?}");
        }
    }
    match HooksFile::parse_for(text, host) {
        Err(error) => are_shown(&error.problems, shown),
        Ok(file) => {
            for hook in &file.hooks {
                assert_eq!(hook_config::validate(hook), Ok(()));
            }
            for warning in &file.warnings {
                assert!(shown.get(span(warning)).is_some());
            }
            let again = HooksFile::parse_for(&file.to_json(), host).map(|file| file.hooks);
            assert_eq!(again, Ok(file.hooks));
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        is_read_or_refused(&text);
    }

    #[test]
    fn any_pieces_of_a_file_are_read_or_refused(text in pieces()) {
        is_read_or_refused(&text);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop_oneof![vec(any::<u8>(), 0..200), spoilt()]) {
        let root = tempfile::tempdir().expect("a directory");
        fs::write(root.path().join("f"), &bytes).expect("a file");
        match load(root.path(), &HooksConfig::new().with_workspace_file("f")) {
            Ok(loaded) => is_read_or_refused(&loaded.sources[0].text),
            Err(HookConfigError::Invalid { text, problems, .. }) => are_shown(&problems, &text),
            Err(error) => panic!("another error: {error}"),
        }
    }

    #[test]
    fn what_is_written_is_what_is_read(hooks in vec(spec(), 0..5)) {
        let text = HooksFile::new(hooks.clone()).to_json();
        let read = HooksFile::parse_for(&text, &knowing()).expect("a file");
        prop_assert_eq!(read.hooks, hooks);
    }
}
