//! What hooks are told about an event.

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::Path,
    sync::LazyLock,
};

use hook_contract::Json;
use hook_dialect::{Fact, FactShape, Facts, dialect::EventRow};
use hook_source::{Diagnostic, Field, Found, Standing, Table};
use serde_json::Value;

use super::args::FireArgs;
use crate::{
    cli::usage_error,
    command_error::CommandError,
    handed::{Sort, Wrong, quoted},
    streams::diagnose,
};

const SORT: Sort = Sort {
    no: "no facts",
    is: "facts are one, such as {\"prompt\":\"carry on\"}",
};

/// Every fact that there is; its type is for the payload to judge.
static FACTS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    Fact::ALL
        .iter()
        .map(|fact| Field::new(fact.name()))
        .collect()
});

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
        let (fact, value) = option(written, event).map_err(|wrong| {
            usage_error("fire", &format!("--fact {written}: {}", wrong.sentence()))
        })?;
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
fn parse(bytes: &[u8], event: &EventRow) -> Result<Facts, Wrong> {
    let text = SORT.text(bytes).map_err(|mut wrong| {
        wrong.place = None;
        wrong
    })?;
    let mut facts = Facts::new();
    if text.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
        return Ok(facts);
    }
    let node = SORT.read(text)?;
    let mut wrong = None;
    Table::new(&FACTS).read(&node, |found| {
        if wrong.is_none() {
            wrong = take(&mut facts, text, &found, event).err();
        }
    });
    wrong.map_or(Ok(facts), Err)
}

/// Takes over what a member says.
fn take(facts: &mut Facts, text: &str, found: &Found<'_>, event: &EventRow) -> Result<(), Wrong> {
    let member = found.member;
    let at_name = |wrong: Diagnostic| wrong.at(text, member.span.clone());
    let meant = if let Standing::Meant(meant) = found.standing {
        Some(meant)
    } else {
        None
    };
    let fact = Fact::named(&member.name).ok_or_else(|| at_name(unknown(&member.name, meant)))?;
    if found.first.is_some() {
        let message = format!("the fact `{}` stands twice", fact.name());
        let twice = Diagnostic::error("duplicate_key", message).with_help("keep one");
        return Err(at_name(twice).into());
    }
    let raw = text.get(member.node.span.clone()).unwrap_or_default();
    let value = json(fact, raw).and_then(|value| {
        let told = is_told_anyway(fact, &value, event)?;
        Ok((!told).then_some(value))
    });
    if let Some(value) = value.map_err(|wrong| wrong.at(text, member.node.span.clone()))? {
        facts.set(fact, value);
    }
    Ok(())
}

/// A fact from an option; nothing when it only says again which event it is.
fn option(written: &str, event: &EventRow) -> Result<(Option<Fact>, Json), Wrong> {
    let (name, value) = written
        .split_once('=')
        .ok_or_else(|| Diagnostic::error("missing_value", "a fact is NAME=TEXT or NAME:=JSON"))?;
    let (name, is_json) = match name.strip_suffix(':') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let fact = Fact::named(name).ok_or_else(|| unknown(name, Table::new(&FACTS).meant(name)))?;
    let value = match (is_json, fact.shape()) {
        (true, _) => json(fact, value)?,
        (false, FactShape::Flag) => of_shape(fact, value, "true or false", |value| {
            matches!(value, Value::Bool(_))
        })?,
        (false, FactShape::Number) => of_shape(fact, value, "a number", Value::is_number)?,
        (false, _) => Json::from(Value::from(value)),
    };
    let is_told = is_told_anyway(fact, &value, event)?;
    Ok(((!is_told).then_some(fact), value))
}

/// A value that is no text to any agent, written as one.
fn of_shape(
    fact: Fact,
    text: &str,
    wanted: &str,
    is_it: impl Fn(&Value) -> bool,
) -> Result<Json, Wrong> {
    if serde_json::from_str(text).is_ok_and(|value| is_it(&value)) {
        return json(fact, text);
    }
    let name = fact.name();
    let wrong = Diagnostic::error("wrong_type", format!("`{name}` is {wanted}"));
    let help =
        format!("write it without quotes, or as {name}:=JSON to have hooks told something else");
    Err(wrong.with_help(help).into())
}

fn json(fact: Fact, text: &str) -> Result<Json, Wrong> {
    Json::parse(text).map_err(|error| {
        let message = format!("`{}` cannot be handed on: {}", fact.name(), error.kind());
        Diagnostic::error("unreadable", message).into()
    })
}

/// Whether a fact is the name of the event, which hooks are told anyway.
fn is_told_anyway(fact: Fact, value: &Json, event: &EventRow) -> Result<bool, Wrong> {
    if fact != Fact::HookEventName {
        return Ok(false);
    }
    if value.as_str() == Some(event.name) {
        return Ok(true);
    }
    let other = Diagnostic::error("other_event", "these are the facts of another event");
    Err(other
        .with_help(format!("the event is {}", event.name))
        .into())
}

fn unknown(name: &str, meant: Option<&str>) -> Diagnostic {
    let help = meant.map_or_else(
        || "see the agent's documentation for the fields of the event".to_owned(),
        |meant| format!("write `{meant}`"),
    );
    let message = format!("hooks are never told {}", quoted(name));
    Diagnostic::error("unknown_field", message).with_help(help)
}

#[cfg(test)]
mod tests {
    use hook_dialect::Dialect;

    use super::*;
    use crate::handed::located;

    fn stop() -> &'static EventRow {
        Dialect::event(Dialect::CLAUDE, "Stop").expect("an event")
    }

    #[track_caller]
    fn refused(text: &str) -> String {
        let error = parse(text.as_bytes(), stop()).expect_err("no facts");
        located(&error, "facts.json", 1)
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
            located(&not_text, "x", 1),
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
        let code = |written| told(written).map_err(|wrong| wrong.code).err();
        assert_eq!(code("prompt"), Some("missing_value"));
        assert_eq!(code("prompt:=x"), Some("unreadable"));
        assert_eq!(code("Prompt=x"), Some("unknown_field"));
    }
}
