//! Chains made by chance.

use hook_contract::{HookEvent, Json};
use hookchain_tests::Workspace;

use crate::runners::Said;

/// A generator of numbers that gives the same ones for the same seed on every machine.
#[derive(Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).expect("below a size")
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// One call or result, and who is asked about it.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) input: String,
    /// Only after the call.
    pub(crate) output: Option<String>,
    pub(crate) is_error: bool,
    /// Interceptors come first.
    pub(crate) parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Its place, which names what it prints.
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) event: HookEvent,
    pub(crate) tools: Option<Vec<&'static str>>,
    pub(crate) fails_open: bool,
    pub(crate) does: Does,
}

/// What somebody does when asked.
#[derive(Clone, Debug)]
pub(crate) enum Does {
    /// An interceptor that answers with this, an answer as it stands on the wire.
    Answers(&'static str),
    /// An interceptor that gives back what it saw.
    Echoes,
    /// An interceptor that returns an error.
    Errs,
    /// An interceptor that panics.
    Panics,
    /// A hook that prints this and ends with this status.
    Prints(Printed, u8),
    /// A hook, or an interceptor, that denies when this word stands in what it is asked.
    DeniesWhenItSees(&'static str, bool),
    /// A hook whose program does not exist.
    IsAbsent,
}

/// What a program prints.
#[derive(Clone, Debug)]
pub(crate) struct Printed {
    pub(crate) bytes: &'static [u8],
    /// Where the two runners read it differently on purpose: what this one takes it for, and why.
    pub(crate) meant: Option<(&'static [u8], &'static str)>,
    /// Whether it leaves a background process that holds its output open.
    pub(crate) holds: bool,
}

const fn plain(text: &'static str) -> Printed {
    Printed {
        bytes: text.as_bytes(),
        meant: None,
        holds: false,
    }
}

const fn odd(bytes: &'static [u8], meant: &'static str, why: &'static str) -> Printed {
    Printed {
        bytes,
        meant: Some((meant.as_bytes(), why)),
        holds: false,
    }
}

const ALLOW: &str = r#"{"decision":"allow"}"#;

/// Answers, good and bad, that both runners must take for the same, but for one that is new here.
const PLAIN: [Printed; 44] = [
    plain(ALLOW),
    plain(ALLOW),
    plain("\r\n {\"decision\":\"allow\"}\t\r\n"),
    plain(r#"{"decision":"allow","reason":"fine","more":{"a":[1]}}"#),
    plain(r#"{"decision":"allow","input":{"a":1},"output":2}"#),
    plain(r#"{"decision":"allow","reason":null}"#),
    plain(r#"{"decision":"deny"}"#),
    plain(r#"{"decision":"deny","reason":"no"}"#),
    plain(r#"{"decision":"deny","reason":""}"#),
    plain(r#"{"decision":"deny","reason":null,"is_error":3}"#),
    plain(r#"{"decision":"modify","input":{"a":"ant"}}"#),
    plain(r#"{"decision":"modify","input":{"a":"bee","n":1}}"#),
    plain(r#"{"decision":"modify","input":{"a":"ant"},"reason":"first"}"#),
    plain(r#"{"decision":"modify","input":{},"reason":"second"}"#),
    plain(r#"{"decision":"modify","input":{"b":["bee",null,{"c":true}]},"reason":""}"#),
    plain(r#"{"reason":"order","input":{"a":"cow"},"decision":"modify"}"#),
    plain(r#"{"decision":"replace","output":"ant"}"#),
    plain(r#"{"decision":"replace","output":"bee","is_error":true,"reason":"third"}"#),
    plain(r#"{"decision":"replace","output":{"a":"cow"},"is_error":false}"#),
    plain(r#"{"decision":"replace","output":[],"is_error":null}"#),
    plain(r#"{"decision":"replace","output":"ant","reason":"first"}"#),
    plain(r#"{"is_error":true,"output":7,"decision":"replace"}"#),
    plain(""),
    plain(" \n"),
    plain("allow"),
    plain("{"),
    plain("{}"),
    plain("null"),
    plain("[]"),
    plain(r#""allow""#),
    plain(r#"{"decision":"Allow"}"#),
    // Here a person has to agree; until one is asked, the call stays as it is.
    odd(br#"{"decision":"ask"}"#, ALLOW, ASK),
    plain(r#"{"decision":"approve"}"#),
    plain(r#"{"decision":true}"#),
    plain(r#"{"Decision":"deny"}"#),
    plain(r#"{"decision":"allow","reason":5}"#),
    plain(r#"{"decision":"modify"}"#),
    plain(r#"{"decision":"modify","input":"ls"}"#),
    plain(r#"{"decision":"modify","input":null}"#),
    plain(r#"{"decision":"replace"}"#),
    plain(r#"{"decision":"replace","output":1,"is_error":"no"}"#),
    plain("{\"decision\":\"allow\"}\ndone"),
    plain(r#"{"decision":"deny"}{"decision":"allow"}"#),
    plain(r#"{"decision":"allow",}"#),
];

/// Answers that this runner means to read differently, each with an answer that both take for what it means.
const ODD: [Printed; 14] = [
    odd(
        b"\xef\xbb\xbf{\"decision\":\"deny\",\"reason\":\"no\"}",
        r#"{"decision":"deny","reason":"no"}"#,
        "byte order mark",
    ),
    odd(
        br#"{"decision":"deny","reason":["no"]}"#,
        r#"{"decision":"deny"}"#,
        "deny with a reason that is no text",
    ),
    odd(
        br#"{"decision":"deny","reason":5}"#,
        r#"{"decision":"deny"}"#,
        "deny with a reason that is no text",
    ),
    odd(
        br#"{"decision":"deny","reason":"no","reason":"yes"}"#,
        r#"{"decision":"deny","reason":"no"}"#,
        "key twice",
    ),
    odd(
        br#"{"decision":"modify","input":{"a":"ant","a":"bee"}}"#,
        "",
        "key twice",
    ),
    odd(
        br#"{"decision":"replace","output":{"a":1,"a":2}}"#,
        "",
        "key twice",
    ),
    odd(
        br#"{"decision":"allow","more":{"a":1,"a":2}}"#,
        "",
        "key twice",
    ),
    odd(
        b"{\"decision\":\"deny\",\"reason\":\"\xff\"}",
        "",
        "not UTF-8",
    ),
    odd(
        b"{\"decision\":\"modify\",\"input\":{\"a\":\"\xff\"}}",
        "",
        "not UTF-8",
    ),
    odd(
        b"{\"decision\":\"allow\"}\xe2\x80\x83",
        "x",
        "white space beyond JSON's",
    ),
    odd(
        br#"{"decision":"modify","input":{"$serde_json::private::Number":"1"}}"#,
        "",
        "reserved key",
    ),
    odd(
        br#"{"decision":"replace","output":{"$serde_json::private::RawValue":"1"}}"#,
        "",
        "reserved key",
    ),
    odd(
        br#"{"decision":"allow","more":1e999}"#,
        "",
        "value that cannot be passed on",
    ),
    odd(br#"["allow"]"#, "x", "array read by position"),
];

/// Why an ask is read differently.
pub(crate) const ASK: &str = "a person has to agree";

/// Rewrites whose numbers a rounding runner cannot keep; both take the same value for them.
const EXACT: [Printed; 3] = [
    plain(r#"{"decision":"modify","input":{"id":123456789012345678901234567890,"a":"ant"}}"#),
    plain(r#"{"decision":"replace","output":{"ratio":0.1000000000000000000000000001,"n":1.50}}"#),
    plain(r#"{"decision":"modify","input":{"n":1e2,"z":-0}}"#),
];

const ANSWERS: [&str; 12] = [
    ALLOW,
    ALLOW,
    ALLOW,
    r#"{"decision":"deny","reason":"policy"}"#,
    r#"{"decision":"modify","input":{"a":"ant","by":"host"}}"#,
    r#"{"decision":"modify","input":{"a":"bee"},"reason":"narrowed"}"#,
    r#"{"decision":"modify","input":["ant"]}"#,
    r#"{"decision":"modify","input":{"id":12345678901234567890123,"a":"ant"}}"#,
    r#"{"decision":"replace","output":"ant","is_error":true}"#,
    r#"{"decision":"replace","output":{"a":"bee"},"is_error":false,"reason":"cut"}"#,
    r#"{"decision":"replace","output":null,"is_error":true}"#,
    r#"{"decision":"allow"}"#,
];

const INPUTS: [&str; 12] = [
    r#"{"command":"ls"}"#,
    r#"{"command":"ls","a":"ant"}"#,
    r#"{ "command" : "ls -l" , "n" : [ 1, 2.5, -3 ] }"#,
    "{}",
    "null",
    r#"["ant"]"#,
    r#""bee""#,
    "ls -l ant",
    "",
    r#"{"id":123456789012345678901234567890,"a":"cow"}"#,
    r#"{"ratio":0.1000000000000000000000000001,"n":1.50}"#,
    "{\"a\":\"ant\"",
];

/// Input that two parsers can read as two calls.
const AMBIGUOUS: [&str; 2] = [r#"{"a":"ant","a":"bee"}"#, r#"{"b":{"c":1,"c":2}}"#];

const OUTPUTS: [&str; 6] = [
    r#""total 0""#,
    r#""ant""#,
    r#"{"lines":["bee"],"n":3}"#,
    "null",
    r#"{"id":123456789012345678901234567890}"#,
    r#""{\"looks\":\"like JSON\"}""#,
];

const WORDS: [&str; 3] = ["ant", "bee", "cow"];

impl Part {
    /// Whether it is an interceptor; those come first.
    pub(crate) const fn is_in_process(&self) -> bool {
        match self.does {
            Does::Answers(_) | Does::Echoes | Does::Errs | Does::Panics => true,
            Does::DeniesWhenItSees(_, is_program) => !is_program,
            Does::Prints(..) | Does::IsAbsent => false,
        }
    }

    /// Whether it asks for a person's agreement.
    pub(crate) fn asks(&self) -> bool {
        matches!(&self.does, Does::Prints(printed, 0) if printed.meant.is_some_and(|(_, why)| why == ASK))
    }
}

impl Chain {
    /// When it is asked.
    pub(crate) const fn event(&self) -> HookEvent {
        match self.output {
            None => HookEvent::PreToolUse,
            Some(_) => HookEvent::PostToolUse,
        }
    }

    /// The form that is asked about first.
    pub(crate) fn form(&self) -> Json {
        let text = self.output.as_ref().unwrap_or(&self.input);
        Json::parse(text).unwrap_or_else(|_no_json| serde_json::Value::from(text.as_str()).into())
    }

    /// The same call or result in the form that was left of it.
    pub(crate) fn with_form(&self, left: &Said) -> Self {
        let text = left.value.as_ref().expect("a rewrite").text().to_owned();
        match self.output {
            None => Self {
                input: text,
                ..self.clone()
            },
            Some(_) => Self {
                output: Some(text),
                is_error: left.is_error.expect("of a result"),
                ..self.clone()
            },
        }
    }

    /// Those that are asked; an interceptor says nothing of events and tools.
    pub(crate) fn concerned(&self) -> impl Iterator<Item = &Part> {
        let event = self.event();
        self.parts.iter().filter(move |part| {
            let tools = part.tools.as_ref();
            let is_meant = tools.is_none_or(|tools| tools.contains(&"shell"));
            part.is_in_process() || part.event == event && is_meant
        })
    }

    pub(crate) fn random(chance: &mut Chance) -> Self {
        let event = chance.of(HookEvent::ALL);
        let interceptors = chance.below(3);
        let hooks = chance.below(4);
        let mut parts = Vec::new();
        for index in 0..interceptors + hooks {
            let does = if index < interceptors {
                in_process(chance)
            } else {
                program(chance)
            };
            let other = HookEvent::ALL
                .iter()
                .copied()
                .find(|other| *other != event)
                .expect("another");
            parts.push(Part {
                index,
                name: format!("{}{index}", chance.of(&["guard", "pin", "look é", "it's"])),
                event: if chance.one_in(10) { other } else { event },
                tools: chance.of(&[
                    None,
                    None,
                    None,
                    Some(vec!["shell", "edit"]),
                    Some(vec!["Shell", "shel", "*"]),
                    Some(vec![]),
                ]),
                fails_open: chance.one_in(2),
                does,
            });
        }
        let inputs: &[&str] = if chance.one_in(25) {
            &AMBIGUOUS
        } else {
            &INPUTS
        };
        Self {
            input: chance.of(inputs).to_owned(),
            output: (event == HookEvent::PostToolUse).then(|| chance.of(&OUTPUTS).to_owned()),
            is_error: chance.one_in(2),
            parts,
        }
    }

    /// Writes what the programs print, both as it is and as it is meant.
    pub(crate) fn write_programs(&self, workspace: &Workspace) {
        for part in &self.parts {
            let index = part.index;
            if let Does::Prints(printed, _) = &part.does {
                let (meant, _) = printed.meant.unwrap_or((printed.bytes, ""));
                workspace.write(&format!("printed/{index}"), printed.bytes, 0o644);
                workspace.write(&format!("meant/{index}"), meant, 0o644);
            }
        }
    }
}

fn in_process(chance: &mut Chance) -> Does {
    match chance.below(12) {
        0 => Does::Errs,
        1 => Does::Panics,
        2 | 3 => Does::Echoes,
        4 | 5 => Does::DeniesWhenItSees(chance.of(&WORDS), false),
        _ => Does::Answers(chance.of(&ANSWERS)),
    }
}

fn program(chance: &mut Chance) -> Does {
    match chance.below(24) {
        0 => Does::IsAbsent,
        1..=3 => Does::DeniesWhenItSees(chance.of(&WORDS), true),
        4..=6 => Does::Prints(chance.of(&ODD), 0),
        7 => Does::Prints(chance.of(&EXACT), 0),
        8 => Does::Prints(chance.of(&PLAIN), chance.of(&[1, 2, 127])),
        9 if chance.one_in(6) => Does::Prints(
            Printed {
                holds: true,
                ..chance.of(&PLAIN)
            },
            0,
        ),
        // Most of what there is to print is wrong; most of what is printed should not be.
        10..=16 => Does::Prints(chance.of(&PLAIN[..22]), 0),
        _ => Does::Prints(chance.of(&PLAIN), 0),
    }
}
