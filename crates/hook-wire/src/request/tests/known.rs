//! What is known about a call, for hooks that ask for it.

use hook_contract::{
    Access, CommandFact, Coverage, Facts, Kind, PathFact, Redirect, Tool, UrlFact,
};

use super::*;
use crate::RequestLine;

const MEMBERS: [&str; 6] = ["cwd", "session_id", "extensions", "tool", "facts", "again"];

fn facts() -> Facts {
    let mut push = CommandFact::new("git", ["git", "push"], [5, 13]);
    push.argv.push(None);
    push.exact = false;
    push.through = vec!["sudo".into()];
    push.redirects = vec![Redirect::new(">", "out")];
    push.stdin = Some("heredoc".into());
    push.cwd = Some("/repo/sub".into());
    let mut path = PathFact::new("/abs/x", "x", Access::Delete).within_workspace();
    path.base = Some("assumed".into());
    Facts::new()
        .with_unread("a variable")
        .with_command(push)
        .with_path(path)
        .with_url(UrlFact::new("HTTPS://H/x", Some("h".into())))
}

fn tool() -> Tool {
    Tool::new([Kind::Shell, Kind::Mcp])
        .with_agent("claude-code")
        .with_mcp(Some("files".into()), "run")
}

/// A request of which everything is known.
fn known() -> HookRequest {
    let mut request = ask("{}")
        .with_knowledge(tool(), Some(facts()))
        .asked_again();
    request.cwd = Some("/repo/é".into());
    request.session_id = Some("session \"1\"".into());
    let extensions = Json::parse(r#"{"turn":123456789012345678901234567890,"rate":0.10}"#);
    request.extensions = Some(extensions.expect("JSON"));
    request
}

fn with_facts(request: &HookRequest) -> Vec<u8> {
    let line = RequestLine::with_facts(request).expect("UTF-8");
    assert_eq!(line.len(), line.to_bytes().len());
    line.to_bytes()
}

/// The request that everything else is compared with, with these members behind the rest.
fn asked(members: &str) -> String {
    let object = BEFORE.strip_suffix('}').expect("an object");
    format!("{object},{members}}}")
}

#[test]
fn a_hook_that_does_not_ask_for_it_gets_the_line_that_it_always_got() {
    let large = json!("x".repeat(64 * 1024));
    for request in [
        known(),
        known().with_output(json!(null), true),
        known().with_output(large, false),
    ] {
        let line = RequestLine::new(&request).expect("UTF-8").to_bytes();
        assert_eq!(Ok(&line), encode_request(&request).as_ref());
        let told = decode_request(&line).expect("a request");
        let mut plain = ask("{}");
        plain.output.clone_from(&request.output);
        plain.is_error = request.is_error;
        assert_eq!(told, plain);
        let object: Value = serde_json::from_slice(&line).expect("JSON");
        for member in MEMBERS {
            assert_eq!(object.get(member), None);
        }
    }
}

#[test]
fn a_hook_that_asks_for_it_gets_what_is_known_behind_the_rest_and_in_a_fixed_order() {
    let more = concat!(
        r#","cwd":"/repo/é","session_id":"session \"1\"","#,
        r#""extensions":{"turn":123456789012345678901234567890,"rate":0.10},"#,
        r#""tool":{"kinds":["shell","mcp"],"agent":"claude-code","server":"files","name":"run"},"#,
        r#""facts":{"coverage":"partial","unread":["a variable"],"#,
        r#""commands":[{"program":"git","argv":["git","push",null],"exact":false,"through":["sudo"],"#,
        r#""redirects":[{"op":">","path":"out"}],"stdin":"heredoc","cwd":"/repo/sub","span":[5,13]}],"#,
        r#""paths":[{"path":"/abs/x","as_written":"x","access":"delete","in_workspace":true,"base":"assumed"}],"#,
        r#""urls":[{"url":"HTTPS://H/x","host":"h"}]},"again":true}"#,
        "\n"
    );
    let large = json!({"text": "x".repeat(64 * 1024)});
    for request in [
        known(),
        known().with_output(json!("x"), true),
        known().with_output(large.clone(), false),
        known()
            .with_input(large)
            .with_knowledge(tool(), Some(facts())),
    ] {
        let plain = RequestLine::new(&request).expect("UTF-8").to_bytes();
        let plain = plain.strip_suffix(b"}\n").expect("an object on a line");
        assert!(with_facts(&request) == [plain, more.as_bytes()].concat());
        // So does the contract itself write it.
        let by_serde = serde_json::to_vec(&request).expect("JSON");
        assert!(with_facts(&request) == [&by_serde[..], b"\n"].concat());
    }
}

#[test]
fn what_is_not_known_is_left_out() {
    assert_eq!(
        with_facts(&ask("{}")),
        encode_request(&ask("{}")).expect("UTF-8")
    );
    let tool = ask("{}").with_knowledge(Tool::new([]), None);
    let again = ask("{}").asked_again();
    let mut cwd = ask("{}");
    cwd.cwd = Some(String::new());
    for (request, end) in [
        (tool, r#""input":{},"tool":{"kinds":[]}}"#),
        (again, r#""input":{},"again":true}"#),
        (cwd, r#""input":{},"cwd":""}"#),
    ] {
        let line = String::from_utf8(with_facts(&request)).expect("UTF-8");
        assert!(line.trim_end().ends_with(end), "{line}");
        assert_eq!(decode_request(line.as_bytes()), Ok(request));
    }
}

#[test]
fn what_is_known_is_read_back() {
    for request in [known(), known().with_output(json!(1), false)] {
        assert_eq!(decode_request(&with_facts(&request)), Ok(request));
    }
    let again_is_false = decode_request(asked(r#""again":false"#).as_bytes());
    assert_eq!(again_is_false, decode_request(BEFORE.as_bytes()));
}

#[test]
fn what_is_known_may_come_from_a_later_version() {
    let line = asked(
        r#""facts":{"coverage":"full","of":1,"urls":[{"url":"x:","port":1}]},"tool":{"kinds":["run"],"is_new":true}"#,
    );
    let request = decode_request(line.as_bytes()).expect("a request");
    assert_eq!(request.tool, Some(Tool::new([Kind::Other])));
    let facts = Facts::new().with_url(UrlFact::new("x:", None));
    assert_eq!(request.facts, Some(facts));
}

#[test]
fn a_member_of_the_wrong_type_is_refused() {
    for field in ["cwd", "session_id"] {
        for (value, found) in [("7", "a number"), ("null", "null"), ("[]", "an array")] {
            check(
                &asked(&format!(r#""{field}":{value}"#)),
                &format!("`{field}` is {found}; it must be a string"),
            );
        }
    }
    check(
        &asked(r#""cwd":"\ud800""#),
        "`cwd` cannot be kept as it was written: a string that is not valid Unicode at line 1, column 178; send \
         something simpler",
    );
    for (value, found) in [("7", "a number"), ("null", "null"), ("\"{}\"", "a string")] {
        check(
            &asked(&format!(r#""extensions":{value}"#)),
            &format!("`extensions` is {found}; it must be an object"),
        );
    }
    for (value, found) in [
        ("0", "a number"),
        ("null", "null"),
        ("\"true\"", "a string"),
    ] {
        check(
            &asked(&format!(r#""again":{value}"#)),
            &format!("`again` is {found}; it must be true or false"),
        );
    }
    for (member, place, said) in [
        (r#""tool":null"#, 182, "an object is expected"),
        (r#""tool":{}"#, 180, "missing field `kinds`"),
        (r#""tool":{"kinds":"shell"}"#, 194, "a sequence is expected"),
        (r#""tool":{"kinds":[7]}"#, 189, "a string is expected"),
        (
            r#""tool":{"kinds":[],"agent":7}"#,
            199,
            "a string is expected",
        ),
        (r#""facts":null"#, 183, "an object is expected"),
        (r#""facts":{}"#, 181, "missing field `coverage`"),
        (r#""facts":{"coverage":7}"#, 192, "expected value"),
    ] {
        let field = member.split('"').nth(1).expect("a name");
        check(
            &asked(member),
            &format!(
                "`{field}` cannot be read: {said} at line 1, column {place}; send it as the schema of the request says"
            ),
        );
    }
}

#[test]
fn an_error_about_facts_says_where_and_never_what_the_call_holds() {
    let secret = "hunter2, expected one of at line 7";
    for facts in [
        format!(r#""{secret}""#),
        format!(r#"{{"coverage":"full","commands":"{secret}"}}"#),
        format!(r#"{{"coverage":"full","paths":[{{"path":"{secret}","access":"{secret}"}}]}}"#),
        format!(r#"{{"coverage":"full","urls":["{secret}"]}}"#),
        format!(
            r#"{{"coverage":"full","commands":[{{"program":"a","argv":["{secret}"],"span":"{secret}"}}]}}"#
        ),
    ] {
        let line = asked(&format!(r#""facts":{facts}"#));
        let error = decode_request(line.as_bytes()).expect_err("no facts");
        let text = error.to_string();
        assert!(text.starts_with("`facts` cannot be read: "), "{text}");
        assert!(!text.contains("hunter2"), "{text}");
        assert!(text.contains(" expected at line 1, column "), "{text}");
    }
    // A line of its own for each member: the place is that of the whole request.
    let line = asked("\n\"facts\":{\"coverage\":\n\"full\",\"urls\":7}");
    check(
        &line,
        "`facts` cannot be read: a sequence is expected at line 3, column 15; send it as the schema of the request says",
    );
}

#[test]
fn what_is_known_has_one_reading_too() {
    check(
        &asked(r#""tool":{"kinds":[],"kinds":["shell"]}"#),
        "the key `kinds` stands twice in one object, again at line 1, column 191; send it once",
    );
    check(
        &asked(r#""extensions":{"a":[{"b":1,"b":2}]}"#),
        "the key `b` stands twice in one object, again at line 1, column 198; send it once",
    );
    check(
        &asked(r#""again":true,"again":true"#),
        "the key `again` stands twice in one object, again at line 1, column 185; send it once",
    );
    check(
        &asked(r#""facts":{"coverage":"full","x":1e999}"#),
        "`facts` cannot be kept as it was written: a number that is out of range at line 1, column 203; send something \
         simpler",
    );
}

fn any_tool() -> impl Strategy<Value = Tool> {
    let kinds = proptest::sample::subsequence(Kind::ALL, 0..=Kind::ALL.len());
    (
        kinds,
        any::<Option<String>>(),
        any::<Option<(Option<String>, String)>>(),
    )
        .prop_map(|(kinds, agent, mcp)| {
            let mut tool = Tool::new(kinds);
            tool.agent = agent;
            match mcp {
                Some((server, name)) => tool.with_mcp(server, name),
                None => tool,
            }
        })
}

fn any_command() -> impl Strategy<Value = CommandFact> {
    let words = proptest::collection::vec(any::<Option<String>>(), 0..3);
    let texts = proptest::collection::vec(any::<String>(), 0..3);
    let redirects = proptest::collection::vec(any::<(String, Option<String>)>(), 0..2);
    let rest = any::<(String, Option<String>, Option<String>, bool, [usize; 2])>();
    (words, texts, redirects, rest).prop_map(|(argv, through, redirects, rest)| {
        let (program, stdin, cwd, exact, span) = rest;
        let mut command = CommandFact::new(program, [""; 0], span);
        (command.argv, command.through, command.exact) = (argv, through, exact);
        (command.stdin, command.cwd) = (stdin, cwd);
        command.redirects = redirects
            .into_iter()
            .map(|(op, path)| {
                let mut redirect = Redirect::new(op, "");
                redirect.path = path;
                redirect
            })
            .collect();
        command
    })
}

fn any_facts() -> impl Strategy<Value = Facts> {
    let access = prop_oneof![
        Just(Access::Read),
        Just(Access::Write),
        Just(Access::Delete),
        Just(Access::List),
    ];
    let path = (access, any::<(String, String, bool, Option<String>)>());
    let path = path.prop_map(|(access, (path, as_written, in_workspace, base))| {
        let mut path = PathFact::new(path, as_written, access);
        (path.in_workspace, path.base) = (in_workspace, base);
        path
    });
    let url = any::<(String, Option<String>)>().prop_map(|(url, host)| UrlFact::new(url, host));
    (
        any::<(bool, Vec<String>)>(),
        proptest::collection::vec(any_command(), 0..3),
        proptest::collection::vec(path, 0..3),
        proptest::collection::vec(url, 0..3),
    )
        .prop_map(|((is_full, unread), commands, paths, urls)| {
            let mut facts = Facts::new();
            facts.coverage = if is_full {
                Coverage::Full
            } else {
                Coverage::Partial
            };
            (facts.unread, facts.commands, facts.paths, facts.urls) =
                (unread, commands, paths, urls);
            facts
        })
}

proptest! {
    #[test]
    fn whatever_is_known_survives_the_way_there(
        cwd: Option<String>,
        session_id: Option<String>,
        extensions: Option<std::collections::BTreeMap<String, Option<String>>>,
        tool in proptest::option::of(any_tool()),
        facts in proptest::option::of(any_facts()),
        output: Option<String>,
        again: bool,
    ) {
        let mut request = ask("{}");
        (request.cwd, request.session_id, request.again) = (cwd, session_id, again);
        request.extensions = extensions.map(|members| json!(members).into());
        (request.tool, request.facts) = (tool, facts);
        if let Some(output) = output {
            request = request.with_output(Value::from(output), again);
        }
        let line = with_facts(&request);
        prop_assert_eq!(line.split(|byte| *byte == b'\n').count(), 2, "one line");
        let read = decode_request(&line);
        prop_assert_eq!(read.as_ref(), Ok(&request));
        let mut by_serde = serde_json::to_vec(&request).expect("JSON");
        by_serde.push(b'\n');
        prop_assert_eq!(line, by_serde, "byte for byte");
    }

    #[test]
    fn one_wrong_byte_in_what_is_known_is_an_error_or_a_request(at: usize, byte: u8) {
        let mut line = with_facts(&known());
        let at = at % line.len();
        line[at] = byte;
        if let Err(error) = decode_request(&line) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
