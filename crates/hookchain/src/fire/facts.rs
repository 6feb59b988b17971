//! What hooks are told about an event.

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::Path,
};

use hook_contract::{
    Json,
    json::{Members, Position},
};
use hook_dialect::{Fact, Facts, dialect::EventRow};
use serde_json::Value;

use super::{
    args::FireArgs,
    facts_error::{FactsError, FactsErrorKind},
};
use crate::{
    cli::usage_error,
    command_error::CommandError,
    consult::{kind_of, syntax_message},
    streams::diagnose,
};

/// The facts that the arguments give; what the event has no place for is told to the operator.
pub(super) fn read(args: &FireArgs, event: &EventRow) -> Result<Facts, CommandError> {
    let mut facts = Facts::new();
    if let Some((mut source, from)) = open(args)? {
        let mut text = Vec::new();
        if let Err(source) = source.read_to_end(&mut text) {
            return Err(CommandError::ReadFacts { from, source });
        }
        facts = parse(&text, event).map_err(|error| CommandError::Facts { from, error })?;
    }
    for written in &args.facts {
        let (fact, value) = option(written, event)
            .map_err(|kind| usage_error("fire", &format!("--fact {written}: {kind}")))?;
        if let Some(fact) = fact {
            facts.set(fact, value);
        }
    }
    for fact in facts.untold(event) {
        diagnose(&format!(
            "warning: hooks of {} are not told `{}`; it has no effect",
            event.name,
            fact.name()
        ));
    }
    Ok(facts)
}

/// Where facts are read from, and how messages call it.
type Source = (Box<dyn Read>, String);

/// Where facts are read from; nothing when there is nowhere to read from.
fn open(args: &FireArgs) -> Result<Option<Source>, CommandError> {
    match &args.file {
        Some(path) if path != Path::new("-") => {
            let from = path.display().to_string();
            match File::open(path) {
                Ok(file) => Ok(Some((Box::new(file), from))),
                Err(source) => Err(CommandError::ReadFacts { from, source }),
            }
        }
        None if !args.facts.is_empty() || io::stdin().is_terminal() => Ok(None),
        Some(_) | None => Ok(Some((Box::new(io::stdin()), "<stdin>".into()))),
    }
}

/// Facts from a JSON object. Nothing at all is no fact.
fn parse(bytes: &[u8], event: &EventRow) -> Result<Facts, FactsError> {
    let text = std::str::from_utf8(bytes).map_err(|_invalid| FactsErrorKind::NotUtf8)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let trimmed = text.trim_matches([' ', '\t', '\r', '\n']);
    if trimmed.is_empty() {
        return Ok(Facts::new());
    }
    let members: Members<'_> = serde_json::from_str(text).map_err(|error| {
        if error.is_data() && !trimmed.starts_with('{') {
            let kind = FactsErrorKind::NotAnObject(kind_of(trimmed));
            FactsError::at(kind, Position::of(text, trimmed))
        } else {
            let kind = FactsErrorKind::NotJson(syntax_message(&error));
            FactsError::at(kind, Position::of_error(text, &error))
        }
    })?;
    let mut facts = Facts::new();
    for member in members {
        let at_name = Position::of(text, member.name_text);
        let fact = named(&member.name).map_err(|kind| FactsError::at(kind, at_name))?;
        if facts.get(fact).is_some() {
            let twice = FactsErrorKind::Twice(fact.name());
            return Err(FactsError::at(twice, at_name));
        }
        let at_value = Position::of(text, member.value);
        let value = Json::parse(member.value).map_err(|error| {
            let kind = FactsErrorKind::Value {
                fact: fact.name(),
                error: error.kind().clone(),
            };
            FactsError::at(kind, at_value)
        })?;
        if is_told_anyway(fact, &value, event).map_err(|kind| FactsError::at(kind, at_value))? {
            continue;
        }
        facts.set(fact, value);
    }
    Ok(facts)
}

/// A fact from an option; nothing when it only says again which event it is.
fn option(written: &str, event: &EventRow) -> Result<(Option<Fact>, Json), FactsErrorKind> {
    let (name, value) = written.split_once('=').ok_or(FactsErrorKind::NoValue)?;
    let (name, value) = match name.strip_suffix(':') {
        Some(name) => {
            let fact = named(name)?;
            let json = Json::parse(value).map_err(|error| FactsErrorKind::Value {
                fact: fact.name(),
                error: error.kind().clone(),
            })?;
            (fact, json)
        }
        None => (named(name)?, Json::from(Value::from(value))),
    };
    let is_told = is_told_anyway(name, &value, event)?;
    Ok(((!is_told).then_some(name), value))
}

/// Whether a fact is the name of the event, which hooks are told anyway.
fn is_told_anyway(fact: Fact, value: &Json, event: &EventRow) -> Result<bool, FactsErrorKind> {
    if fact != Fact::HookEventName {
        return Ok(false);
    }
    if value.as_str() == Some(event.name) {
        Ok(true)
    } else {
        Err(FactsErrorKind::OtherEvent(event.name))
    }
}

fn named(name: &str) -> Result<Fact, FactsErrorKind> {
    Fact::named(name).ok_or_else(|| {
        // A long name is nobody's slip, and comparing it would cost.
        let known = Fact::ALL.iter().filter(|_| name.len() <= 40);
        let fold = |name: &str| name.replace(['_', '-'], "").to_lowercase();
        let written = fold(name);
        let edits = |fact: &&Fact| strsim::damerau_levenshtein(&fold(fact.name()), &written);
        let nearest = known.min_by_key(edits).filter(|fact| edits(fact) <= 2);
        FactsErrorKind::Unknown {
            written: name.to_owned(),
            nearest: nearest.map(|fact| fact.name()),
        }
    })
}

#[cfg(test)]
mod tests {
    use hook_dialect::Dialect;

    use super::*;

    fn stop() -> &'static EventRow {
        Dialect::event(Dialect::CLAUDE, "Stop").expect("an event")
    }

    #[track_caller]
    fn refused(text: &str) -> String {
        let error = parse(text.as_bytes(), stop()).expect_err("no facts");
        error.located("facts.json")
    }

    #[test]
    fn numbers_keep_their_digits_and_the_name_of_the_event_may_stand_there() {
        let text = "\u{feff}{\"hook_event_name\":\"Stop\",\"context_tokens\":1.10}\n";
        let facts = parse(text.as_bytes(), stop()).expect("facts");
        assert_eq!(facts.get(Fact::ContextTokens).map(Json::text), Some("1.10"));
        assert!(facts.get(Fact::HookEventName).is_none());
        assert_eq!(parse(b" \n", stop()), Ok(Facts::new()));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, expected) in [
            (
                "[1]",
                "facts.json:1:1: no facts: an array is not a JSON object; facts are one, such as {\"prompt\":\"carry on\"}",
            ),
            (
                "{\"prompt\":\n1",
                "facts.json:2:1: no facts: not JSON: EOF while parsing an object",
            ),
            (
                "{\"promt\":\"x\"}",
                "facts.json:1:2: hooks are never told `promt`; write `prompt`",
            ),
            (
                "{\"colour\":1}",
                "facts.json:1:2: hooks are never told `colour`; see the agent's documentation for the fields of the event",
            ),
            (
                "{\"prompt\":\"a\",\"prompt\":\"b\"}",
                "facts.json:1:15: the fact `prompt` stands twice; keep one",
            ),
            (
                "{\"hook_event_name\":\"PreToolUse\"}",
                "facts.json:1:20: these are the facts of another event; the event is Stop",
            ),
            (
                "{\"tool_input\":{\"a\":1,\"a\":2}}",
                "facts.json:1:15: `tool_input` cannot be handed on: the key \"a\" stands twice in one object",
            ),
        ] {
            assert_eq!(refused(text), expected);
        }
        let not_text = parse(b"{\"prompt\":\"\xff\"}", stop()).expect_err("no facts");
        assert_eq!(
            not_text.located("x"),
            "x:1: no facts: the text is not UTF-8; save it as UTF-8"
        );
    }

    #[test]
    fn an_option_is_text_or_json() {
        let told = |written| option(written, stop());
        assert_eq!(
            told("prompt=1=2"),
            Ok((Some(Fact::Prompt), Json::from(Value::from("1=2"))))
        );
        let json = Json::parse("false").expect("JSON");
        assert_eq!(
            told("stop_hook_active:=false"),
            Ok((Some(Fact::StopHookActive), json))
        );
        assert_eq!(told("hook_event_name=Stop").map(|(fact, _)| fact), Ok(None));
        assert_eq!(told("prompt"), Err(FactsErrorKind::NoValue));
        assert!(matches!(
            told("prompt:=x"),
            Err(FactsErrorKind::Value { .. })
        ));
        assert!(matches!(
            told("Prompt=x"),
            Err(FactsErrorKind::Unknown { .. })
        ));
    }
}
