use hook_contract::{Kind, Kinds, ToolKnowledge};
use hook_source::fold;

use super::KIND_HABITS;
use crate::{HookSpec, HooksConfig, HooksFile, HostSupport, InvalidFile, load, validate};

/// Knowledge of kinds, with facts or without.
struct Tools {
    has_facts: bool,
}

impl ToolKnowledge for Tools {
    fn kinds(&self, _tool_name: &str) -> Kinds {
        Kinds::NONE
    }

    fn knows_facts(&self) -> bool {
        self.has_facts
    }
}

fn knowing(has_facts: bool) -> HostSupport {
    HostSupport::new().with_tools(&Tools { has_facts })
}

fn entry(rest: &str) -> String {
    format!("{{\"schema\": 1, \"hooks\": [\n{{\"name\": \"g\", \"command\": [\"x\"]{rest}}}]}}")
}

/// The entry for a host that knows kinds and facts.
fn read(rest: &str) -> Result<HooksFile, InvalidFile> {
    HooksFile::parse_for(&entry(rest), &knowing(true))
}

#[track_caller]
fn declares(rest: &str, expected: HookSpec) {
    let file = read(rest).expect("a file");
    assert_eq!(file.hooks, [expected]);
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
    let again = HooksFile::parse_for(&file.to_json(), &knowing(true)).expect("a file");
    assert_eq!(again.hooks, file.hooks);
}

#[track_caller]
fn refused(file: Result<HooksFile, InvalidFile>, expected: &str) {
    let error = file.expect_err("a problem");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn kinds_and_facts_are_read_where_the_host_knows_its_tools() {
    let hook = || HookSpec::new("g", ["x"]);
    declares(
        r#", "kinds": ["shell", "web_search"]"#,
        hook().with_kinds([Kind::Shell, Kind::WebSearch]),
    );
    declares(
        r#", "tools": ["t"], "kinds": ["mcp"], "facts": true"#,
        hook()
            .with_tools(["t"])
            .with_kinds([Kind::Mcp])
            .with_facts(),
    );
    declares(r#", "facts": true"#, hook().with_facts());
    declares(r#", "kinds": null, "facts": false"#, hook());
    for kind in Kind::ALL {
        declares(
            &format!(r#", "kinds": ["{kind}"]"#),
            hook().with_kinds([*kind]),
        );
    }
}

#[test]
fn a_hook_without_names_is_asked_about_its_kinds() {
    declares(
        r#", "tools": [], "kinds": ["shell"]"#,
        HookSpec::new("g", ["x"])
            .with_tools([""; 0])
            .with_kinds([Kind::Shell]),
    );
    let file = read(r#", "tools": [], "kinds": null"#).expect("a file");
    assert_eq!(file.warnings[0].code, "never_asked");
}

#[test]
fn a_host_that_does_not_know_its_tools_refuses_the_entry() {
    let kinds = "2:33: hook `g`: this host does not know the kinds of its tools, and `kinds` asks for them; remove `kinds` \
                 and list each tool by its exact name in `tools`, or use a host that knows the kinds";
    let facts = |column: usize| {
        format!(
            "2:{column}: hook `g`: this host knows no facts about calls, and `facts` asks for them; remove `facts` and let \
             the hook read `tool_name` and `input`, or use a host that knows facts"
        )
    };
    refused(HooksFile::parse(&entry(r#", "kinds": ["shell"]"#)), kinds);
    // Names beside them are no remedy: a call of another name and of that kind would pass unasked.
    let with_names = r#", "kinds": ["shell"], "tools": ["run"]"#;
    refused(HooksFile::parse(&entry(with_names)), kinds);
    refused(HooksFile::parse(&entry(r#", "facts": true"#)), &facts(33));
    refused(
        HooksFile::parse_for(&entry(r#", "facts": true"#), &knowing(false)),
        &facts(33),
    );
    refused(
        HooksFile::parse(&entry(r#", "kinds": ["shell"], "facts": true"#)),
        &format!("{kinds}\n{}", facts(53)),
    );
    let nothing_asked = HooksFile::parse(&entry(r#", "kinds": null, "facts": false"#));
    assert_eq!(
        nothing_asked.expect("a file").hooks,
        [HookSpec::new("g", ["x"])]
    );
}

#[test]
fn a_kind_that_is_none_is_refused_with_the_one_that_is_meant() {
    for (word, meant) in [
        ("Shell", "shell"),
        ("shel", "shell"),
        ("bash", "shell"),
        ("webSearch", "web_search"),
        ("web-fetch", "fetch"),
        ("sub_agent", "agent"),
        ("edits", "edit"),
    ] {
        let error = read(&format!(r#", "kinds": ["read", "{word}"]"#)).expect_err("a problem");
        let told = &error.problems[0];
        assert_eq!(told.code, "unknown_word");
        let start = format!(
            "2:51: hook `g`: `kinds[1]` cannot be \"{word}\"; did you mean \"{meant}\"? The kinds are \"shell\", "
        );
        assert!(told.to_string().starts_with(&start), "{told}");
    }
    let error = read(r#", "kinds": ["*"]"#).expect_err("a problem");
    assert_eq!(
        error.to_string(),
        "2:43: hook `g`: `kinds[0]` cannot be \"*\"; write one of \"shell\", \"shell_input\", \"shell_output\", \"read\", \
         \"write\", \"edit\", \"delete\", \"search\", \"list\", \"fetch\", \"web_search\", \"mcp\", \"agent\", \"skill\", \
         \"memory\", \"plan\", \"other\""
    );
}

#[test]
fn a_habit_is_never_a_kind_of_tool() {
    for (habit, kind) in KIND_HABITS {
        assert_eq!(*habit, fold(habit), "{kind}: listed as it is compared");
        let is_known = Kind::ALL.iter().any(|kind| fold(kind.as_str()) == *habit);
        assert!(!is_known, "{habit}");
    }
}

#[test]
fn values_of_other_types_are_refused() {
    refused(
        read(r#", "kinds": "shell""#),
        "2:42: hook `g`: `kinds` must be an array, not a string; put the word into an array: [\"…\"]",
    );
    refused(
        read(r#", "kinds": {}"#),
        "2:42: hook `g`: `kinds` must be an array, not an object; list kinds of tools, such as [\"shell\"], or leave the \
         field out",
    );
    refused(
        read(r#", "kinds": ["shell", 1]"#),
        "2:52: hook `g`: `kinds[1]` must be a string, not a number; write it in double quotes",
    );
    refused(
        read(r#", "kinds": []"#),
        "2:42: hook `g`: `kinds` is empty; list kinds of tools, such as [\"shell\"], or leave the field out",
    );
    for (value, kind) in [
        ("\"true\"", "a string"),
        ("null", "null"),
        ("1", "a number"),
    ] {
        refused(
            read(&format!(r#", "facts": {value}"#)),
            &format!(
                "2:42: hook `g`: `facts` must be true or false, not {kind}; write it without quotes, or leave the field out"
            ),
        );
    }
}

#[test]
fn a_kind_that_is_listed_twice_is_told() {
    let file = read(r#", "kinds": ["shell", "shell"]"#).expect("a file");
    assert_eq!(
        file.warnings[0].to_string(),
        "2:52: warning: hook `g`: the kind `shell` is listed twice; remove one of the two"
    );
}

#[test]
fn what_the_host_knows_reaches_the_files_that_are_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f"), entry(r#", "kinds": ["shell"]"#)).expect("a file");
    let config = HooksConfig::new().with_workspace_file("f");
    let error = load(folder.path(), &config).expect_err("no knowledge");
    assert!(
        error.to_string().contains("f:2:33: hook `g`: this host"),
        "{error}"
    );
    let config = config.with_tools(&Tools { has_facts: false });
    assert!(config.host().knows_kinds() && !config.host().knows_facts());
    let loaded = load(folder.path(), &config).expect("a file");
    assert_eq!(loaded.hooks[0].kinds, Some(vec![Kind::Shell]));
}

#[test]
fn a_value_with_an_empty_list_of_kinds_is_no_hook_either() {
    let hook = HookSpec::new("g", ["x"]).with_kinds([]);
    let error = validate(&hook).expect_err("a problem");
    assert_eq!(error.problems[0].code, "empty_kinds");
}
