//! What the values of a table mean, in words.

use hook_dialect::{
    MatcherMode, RegexLanguage,
    dialect::{
        EventRow, ExitTwo, HeldOpen, Honours, LongTexts, PlainText, Stop, Subject, Timeout,
        Variable, VariableValue,
    },
};

/// A value that this task does not know yet.
const NEW: &str = "(a value that `cargo xtask dialects` has no words for)";

pub(super) fn matcher(mode: MatcherMode) -> String {
    let language = |language| match language {
        RegexLanguage::EcmaScript => "JavaScript",
        RegexLanguage::Rust => "Rust",
        _ => NEW,
    };
    match mode {
        MatcherMode::Regex { language: of, .. } => {
            format!("a regular expression of {}", language(of))
        }
        MatcherMode::LiteralOrRegex {
            literal_chars,
            separators,
            language: of,
            ..
        } => {
            let separators: Vec<_> = separators
                .iter()
                .map(|c| format!("`{}`", shown(*c)))
                .collect();
            let chars: Vec<_> = literal_chars
                .chars()
                .map(|c| format!("`{}`", shown(c)))
                .collect();
            format!(
                "a list of exact names, divided by {}, when it has only letters, digits and {}; otherwise a regular expression of\n{} that is looked for anywhere in the name",
                separators.join(" or "),
                chars.join(" "),
                language(of)
            )
        }
        _ => NEW.to_owned(),
    }
}

fn shown(c: char) -> String {
    if c == ' ' {
        return "\u{2423}".to_owned();
    }
    c.to_string()
}

pub(super) fn subject(event: &EventRow) -> String {
    match event.subject {
        Subject::Nothing => "nothing".to_owned(),
        Subject::Tool => "the tool".to_owned(),
        Subject::Fact(fact) => format!("`{}`", fact.name()),
        Subject::FileName(fact) => format!("the file name in `{}`", fact.name()),
        _ => NEW.to_owned(),
    }
}

pub(super) fn timeout(event: &EventRow) -> String {
    let Timeout {
        default,
        at_most,
        together,
        ..
    } = event.timeout;
    let most = at_most.map_or(String::new(), |most| {
        format!(", at most {} s", most.as_secs_f64())
    });
    let together = if together.is_some() {
        ", for all together"
    } else {
        ""
    };
    format!("{} s{most}{together}", default.as_secs_f64())
}

pub(super) fn answers(event: &EventRow) -> String {
    const NAMES: [(Honours, &str); 10] = [
        (Honours::BLOCK, "block"),
        (Honours::APPROVE, "approve"),
        (Honours::PERMISSION, "allow, deny and ask"),
        (Honours::DEFER, "defer"),
        (Honours::BEHAVIOR, "a verdict on permission"),
        (Honours::REWRITE, "another input"),
        (Honours::REPLACE, "another result"),
        (Honours::REPLACE_MCP, "another result of a server's tool"),
        (Honours::CONTEXT, "context"),
        (Honours::MESSAGE, "a message"),
    ];
    let named = NAMES
        .iter()
        .filter(|(honour, _)| event.honours.has(*honour));
    let mut words: Vec<&str> = named.map(|(_, name)| *name).collect();
    if event.stop == Stop::Ends {
        words.push("stop");
    } else if event.stop == Stop::Replaces {
        words.push("stop, which only replaces the result");
    }
    if words.is_empty() {
        return "none".to_owned();
    }
    words.join(", ")
}

pub(super) fn plain_text(event: &EventRow) -> &'static str {
    match event.plain_text {
        PlainText::Nothing => "nothing",
        PlainText::Context => "context",
        PlainText::Fails => "a failure",
        _ => NEW,
    }
}

pub(super) fn exit_two(event: &EventRow) -> &'static str {
    match event.exit_two {
        ExitTwo::Refuses => "refuses",
        ExitTwo::RefusesAsAny => "refuses, as any but 0 does",
        ExitTwo::RefusesWithReason => "refuses, with a reason",
        ExitTwo::Fails => "a failure",
        ExitTwo::Nothing => "nothing",
        _ => NEW,
    }
}

pub(super) fn variable(variable: &Variable) -> String {
    match variable.value {
        VariableValue::Fixed(text) => format!("`{text}`"),
        VariableValue::Project => "the workspace".to_owned(),
        VariableValue::WorkingDirectory => "the directory that the hook runs in".to_owned(),
        VariableValue::Fact(fact) => format!("`{}` of what it is told", fact.name()),
        VariableValue::Member(fact, member) => {
            format!("`{}.{member}` of what it is told", fact.name())
        }
        _ => NEW.to_owned(),
    }
}

pub(super) fn held_open(held: HeldOpen) -> String {
    match held {
        HeldOpen::Waits(time) => format!(
            "{} waits {} ms for it; here it is 100 ms",
            "the agent",
            time.as_millis()
        ),
        HeldOpen::Loses => {
            "the agent waits until the time limit, and the answer is lost; here it is 100 ms, and the answer counts".to_owned()
        }
        _ => NEW.to_owned(),
    }
}

pub(super) fn long_texts(long: LongTexts) -> String {
    match long {
        LongTexts::Characters { most, shown } => format!(
            "Contexts and messages of more than {most} characters are kept in a file and shown with their first {shown}, where the\n  embedder has a place for such files."
        ),
        LongTexts::Tokens(tokens) => format!(
            "Contexts of more than {tokens} tokens, unless the hook's settings say another number, are kept in a file and shown from\n  both ends, where the embedder has a place for such files."
        ),
        _ => NEW.to_owned(),
    }
}
