//! That the tables say what they are there to say.

use std::collections::HashSet;

use super::*;

#[test]
fn every_event_stands_there_once() {
    for (dialect, events) in [(Dialect::CLAUDE, 34), (Dialect::CODEX, 14)] {
        let names: HashSet<_> = dialect.events.iter().map(|row| row.name).collect();
        assert_eq!((names.len(), dialect.events.len()), (events, events));
        assert_eq!(
            Dialect::named(dialect.name).map(|d| d.title),
            Some(dialect.title)
        );
    }
}

#[test]
fn a_row_is_whole() {
    for dialect in Dialect::ALL {
        for row in dialect.events {
            let (title, name) = (dialect.title, row.name);
            assert!(!row.fires.is_empty(), "{title} {name}");
            let facts: Vec<_> = row.payload.iter().map(|field| field.fact).collect();
            let once: HashSet<_> = facts.iter().collect();
            assert_eq!(once.len(), facts.len(), "{title} {name}");
            assert!(facts.contains(&Fact::HookEventName), "{title} {name}");
            if let Subject::Fact(fact) | Subject::FileName(fact) = row.subject {
                assert!(facts.contains(&fact), "{title} {name}: {}", fact.name());
            }
            if row.subject == Subject::Tool {
                assert!(facts.contains(&Fact::ToolName), "{title} {name}");
            }
            let can_say = |field| row.top.contains(&field) || row.specific.contains(&field);
            for (honour, field) in [
                (Honours::BLOCK, AnswerField::Decision),
                (Honours::PERMISSION, AnswerField::PermissionDecision),
                (Honours::BEHAVIOR, AnswerField::Behavior),
                (Honours::REPLACE, AnswerField::UpdatedToolOutput),
                (Honours::CONTEXT, AnswerField::AdditionalContext),
                (Honours::MESSAGE, AnswerField::SystemMessage),
            ] {
                let plain = honour == Honours::CONTEXT && row.plain_text == PlainText::Context;
                let said = !row.honours.has(honour) || can_say(field) || plain;
                assert!(said, "{title} {name}: {}", field.name());
            }
            assert!(
                row.timeout
                    .at_most
                    .is_none_or(|most| most >= row.timeout.default)
            );
        }
    }
}

#[test]
fn names_are_found_again() {
    for fact in Fact::ALL {
        assert_eq!(Fact::named(fact.name()), Some(*fact));
    }
    for field in AnswerField::ALL {
        assert_eq!(AnswerField::named(field.name()), Some(*field));
    }
    assert_eq!(Fact::named("nonsense"), None);
}

#[test]
fn former_names_of_tools_still_match() {
    let event = Dialect::CLAUDE.event("PreToolUse").expect("an event");
    let asks = |pattern| {
        let matcher = Dialect::CLAUDE.matcher(event, Some(pattern));
        Dialect::CLAUDE
            .names_of("Agent")
            .any(|name| matcher.matches(name))
    };
    assert!(asks("Task") && asks("Agent") && asks("^Task$"));
    assert!(!asks("Bash"));
}

#[test]
fn an_event_without_a_matcher_ignores_one() {
    for (dialect, event) in [
        (Dialect::CLAUDE, "Stop"),
        (Dialect::CODEX, "UserPromptSubmit"),
    ] {
        let event = dialect.event(event).expect("an event");
        for pattern in ["nonsense", "["] {
            let matcher = dialect.matcher(event, Some(pattern));
            assert!(matcher.is_all() && matcher.problem().is_none());
        }
    }
}

#[test]
fn file_names_and_errors_have_a_narrower_list_of_names() {
    let event = Dialect::CLAUDE.event("FileChanged").expect("an event");
    let matcher = Dialect::CLAUDE.matcher(event, Some("a-b"));
    assert!(matcher.names().is_none() && matcher.matches("xa-by"));
}
