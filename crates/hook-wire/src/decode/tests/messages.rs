//! The message of every way in which something printed is not an answer.

use std::collections::BTreeSet;

use crate::{DecodeError, DecodeErrorKind, decode_response};

/// Every kind's name. Without a catch-all, so that a new kind must be added here and to the table.
fn name(kind: &DecodeErrorKind) -> &'static str {
    match kind {
        DecodeErrorKind::Empty { .. } => "Empty",
        DecodeErrorKind::NotUtf8 { .. } => "NotUtf8",
        DecodeErrorKind::NotJson { .. } => "NotJson",
        DecodeErrorKind::TrailingText { .. } => "TrailingText",
        DecodeErrorKind::NotAnObject { .. } => "NotAnObject",
        DecodeErrorKind::MissingDecision { .. } => "MissingDecision",
        DecodeErrorKind::UnknownDecision { .. } => "UnknownDecision",
        DecodeErrorKind::ClaudeCode { .. } => "ClaudeCode",
        DecodeErrorKind::WrongType { .. } => "WrongType",
        DecodeErrorKind::MissingField { .. } => "MissingField",
        DecodeErrorKind::InputNotAnObject { .. } => "InputNotAnObject",
        DecodeErrorKind::DuplicateKey { .. } => "DuplicateKey",
        DecodeErrorKind::Unreadable { .. } => "Unreadable",
        DecodeErrorKind::TooLarge { .. } => "TooLarge",
    }
}

const KINDS: usize = 14;

const TABLE: &[&[u8]] = &[
    b"",
    b" \r\n\t",
    b"\xef\xbb\xbf\n",
    b"{\"decision\":\"deny\",\"reason\":\"\xff\"}",
    b"\xef\xbb\xbf{\"decision\":\"\xc3\"}",
    b"\xff\xfe{\0\"\0",
    b"allow\n",
    b"denied",
    b"ask",
    b"Prompt",
    b"hmm",
    b"Now using node v22.0.0\n{\"decision\":\"allow\"}\n",
    b"[INFO] checking\n{\"decision\":\"allow\"}",
    b"2026-01-01 checking\n{\"decision\":\"allow\"}",
    b"42 files\n{\"decision\":\"allow\"}",
    b"{\n  \"decision\": \"allow\",\n}",
    b"{\n  \"r\xc3\xa4\": 1, decision: \"allow\"}",
    b"{\"decision\":\"allow\"",
    b"{\"decision\":\"all\n",
    b"{'decision': 'allow'}",
    b"{\"decision\": \"replace\", \"output\": None}",
    b"{\"decision\": \"modify\", \"input\": {\"ratio\": NaN}}",
    b"{\"decision\": \"modify\", \"input\": {\"ratio\": -Infinity}}",
    b"{\"decision\":\"deny\",\"reason\":\"tab\there\"}",
    b"{\"decision\":\"deny\"\x1b[0m}",
    b"{\"decision\":\"deny\"}\n{\"decision\":\"allow\"}\n",
    b"{\"decision\":\"allow\"}\ndone in 3 ms\n",
    b"{\"decision\":\"allow\"}\0",
    b"[{\"decision\":\"allow\"}]",
    b"\"allow\"",
    b"true",
    b"null",
    b"0",
    b"{}",
    b"{\"Decision\":\"allow\"}",
    b"{\"descision\":\"allow\"}",
    b"{\"result\":\"allow\"}",
    b"{\"decision\":\"Allow \"}",
    b"{\"decision\":\"modfy\"}",
    b"{\"decision\":\"redact\"}",
    b"{\"decision\":\"Ask\"}",
    b"{\"decision\":\"confirm\"}",
    b"{\"decision\":\"maybe\"}",
    b"{\"decision\":\"\"}",
    b"{\"decision\":\"approve\"}",
    b"{\"decision\":\"block\",\"reason\":\"no\"}",
    b"{\"decision\":\"defer\",\"continue\":true}",
    b"{\"continue\":false,\"stopReason\":\"no\"}",
    b"{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"allow\"}}",
    b"{\"permissionDecision\":\"deny\"}",
    b"{\"decision\":true}",
    b"{\"decision\":null}",
    b"{\"decision\":{\"behavior\":\"deny\"}}",
    b"{\"decision\":\"allow\",\"reason\":[\"a\"]}",
    b"{\"decision\":\"modify\",\"input\":{},\"reason\":3}",
    b"{\"decision\":\"replace\",\"output\":\"\",\"is_error\":\"no\"}",
    b"{\"decision\":\"replace\",\"output\":\"\",\"is_error\":0}",
    b"{\"decision\":\"modify\"}",
    b"{\"decision\":\"modify\",\"tool_input\":{}}",
    b"{\"decision\":\"replace\",\"reason\":\"a token\"}",
    b"{\"decision\":\"replace\",\"Output\":\"x\"}",
    b"{\"decision\":\"modify\",\"input\":null}",
    b"{\"decision\":\"modify\",\"input\":[\"ls\"]}",
    b"{\"decision\":\"modify\",\"input\":\"{\\\"command\\\":\\\"ls\\\"}\"}",
    b"{\"decision\":\"modify\",\"input\":\"ls\"}",
    b"{\"decision\":\"deny\",\"reason\":\"policy\",\"decision\":\"allow\"}",
    b"{\"decision\":\"modify\",\n\"input\":{\"command\":\"ls\",\n  \"command\":\"rm\"}}",
    b"{\"decision\":\"modify\",\"input\":{\"$serde_json::private::Number\":\"1\"}}",
    b"{\"decision\":\"replace\",\"output\":[1e999]}",
    b"{\"decision\":\"replace\",\"output\":\"\\ud83d\"}",
    b"{\"decision\":\"allow\",\"reason\":\"\\ud83d\"}",
    b"{\"decision\":\"\\ud83d\"}",
    b"{\"\\ud83d\":1,\"decision\":\"allow\"}",
];

fn cases() -> Vec<(String, DecodeError)> {
    let long = b"x: ".repeat(100);
    let long_word = format!("{{\"decision\":\"{}\"}}", "a".repeat(100));
    let printed = TABLE.iter().copied().chain([&*long, long_word.as_bytes()]);
    let decode = |bytes: &[u8]| {
        let error = decode_response(bytes).expect_err("no answer");
        (bytes.escape_ascii().to_string(), error)
    };
    let mut cases: Vec<_> = printed.map(decode).collect();
    let too_large = DecodeError::too_large(crate::MAX_RESPONSE_BYTES, &b"y\n".repeat(5000));
    cases.push(("y\\n, without end".to_owned(), too_large));
    cases
}

#[test]
fn every_message_tells_the_author_what_to_change() {
    let mut table = String::new();
    for (printed, error) in cases() {
        let kind = name(error.kind());
        let printed: String = printed.chars().take(90).collect();
        table.extend([&*printed, "\n  ", kind, ": ", &error.to_string(), "\n"]);
    }
    insta::assert_snapshot!(table);
}

#[test]
fn every_kind_of_error_is_in_the_table() {
    let cases = cases();
    let kinds: BTreeSet<_> = cases.iter().map(|(_, error)| name(error.kind())).collect();
    assert_eq!(kinds.len(), KINDS, "{kinds:?}");
}

#[test]
fn no_message_is_long_or_breaks_the_line() {
    for (printed, error) in cases() {
        let message = error.to_string();
        assert!(message.chars().count() < 700, "{printed}: {message}");
        assert!(!message.contains(char::is_control), "{printed}: {message}");
        assert!(!message.ends_with('.'), "{printed}: {message}");
    }
}

#[test]
fn the_kind_alone_does_not_quote_the_answer() {
    let error = decode_response(br#"{"decision":"replace","result":"hunter2"}"#).expect_err("none");
    assert_eq!(
        error.kind().to_string(),
        "`replace` needs `output`, and there is none (there is `result`); add the whole new result, or print \
         {\"decision\":\"allow\"} to leave it as it is"
    );
    assert_eq!(
        error.printed(),
        r#"{"decision":"replace","result":"hunter2"}"#
    );
}
