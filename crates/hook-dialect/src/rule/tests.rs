use super::*;

fn rule(text: &str) -> IfRule {
    let base = RuleBase::new(Some("/home/ada".into()), Some("/repo".into()), false);
    IfRule::parse(text, base).expect("a rule")
}

fn strict(text: &str) -> IfRule {
    let base = RuleBase::new(Some("/home/ada".into()), Some("/repo".into()), true);
    IfRule::parse(text, base).expect("a rule")
}

#[track_caller]
fn input(field: &str, value: &str) -> Json {
    let object = serde_json::json!({ field: value });
    Json::parse(&object.to_string()).expect("an object")
}

#[track_caller]
fn check_command(text: &str, yes: &[&str], no: &[&str]) {
    for (commands, expected) in [(yes, true), (no, false)] {
        for command in commands {
            let held = rule(text).holds("Bash", &input("command", command), "/repo".as_ref());
            assert_eq!(held, expected, "{text} and {command}");
        }
    }
}

#[track_caller]
fn check_path(text: &str, yes: &[&str], no: &[&str]) {
    for (paths, expected) in [(yes, true), (no, false)] {
        for path in paths {
            let held = rule(text).holds("Write", &input("file_path", path), "/repo/sub".as_ref());
            assert_eq!(held, expected, "{text} and {path}");
        }
    }
}

#[test]
fn every_command_of_a_line_is_looked_at() {
    check_command(
        "Bash(sh *)",
        &[
            "sh tool.sh",
            "sh",
            "sh  tool.sh",
            "FOO=1 BAR= sh tool.sh",
            "true | sh tool.sh",
            "true |& sh x",
            "echo `sh tool.sh`",
            "echo \"$(sh tool.sh)\"",
            "echo ${X:-$(sh tool.sh)}",
            "(sh tool.sh)",
            "\\sh tool.sh",
            "'sh' tool.sh",
            "if true; then sh tool.sh; fi",
            "for i in 1; do sh tool.sh; done",
            "function f { sh tool.sh; }; f",
            "coproc sh tool.sh",
            "coproc NAME { sh tool.sh; }",
            "time -p sh tool.sh",
            "{sh,tool.sh}",
            "s{h,h} tool.sh",
            "true && sh tool.sh &",
            "sh tool.sh > out.txt",
            "> out.txt sh tool.sh",
            "2>&1 sh x",
            "X=sh; $X tool.sh",
            "cat <<EOF | sh\nsh tool.sh\nEOF",
            "true\nsh tool.sh",
            "# c\nsh tool.sh",
            "! sh x",
            "diff <(sh x) y",
            "s\\\nh x",
            "cat <<EOF\n$(sh x)\nEOF",
        ],
        &[
            "bash -c 'sh tool.sh'",
            "env sh tool.sh",
            "timeout 5 sh tool.sh",
            "/bin/sh tool.sh",
            "echo sh tool.sh",
            "echo 'x; sh tool.sh'",
            "shred x",
            "# sh x",
            "cat <<'EOF'\n$(sh x)\nEOF",
            "cat <<-EOF\nsh x\n\tEOF\ntrue",
            "echo x > sh",
            "SH x",
            "",
        ],
    );
}

#[test]
fn a_rule_of_several_words_holds_where_a_command_puts_words_together() {
    check_command(
        "Bash(git push *)",
        &["git push", "git push -f", "sh x $(echo y)", "echo `date`"],
        &["sh x $HOME", "git pushy", "git pull"],
    );
    check_command(
        "Bash(rm *)",
        &["echo $(rm -r x)"],
        &["echo $(date)", "sh tool.sh $HOME"],
    );
}

#[test]
fn the_content_is_exact_but_for_its_stars() {
    check_command(
        "Bash(sh tool.sh)",
        &["sh tool.sh", "sh 'tool.sh'"],
        &["sh tool.sh x"],
    );
    check_command("Bash(s*)", &["sh x", "s"], &["x s"]);
    check_command("Bash(^sh)", &["^sh"], &["sh"]);
    check_command("Bash(npm run:*)", &["npm run", "npm run x"], &["npm runs"]);
    check_command("Bash(* --force)", &["git push --force"], &["git push"]);
    check_command("Bash(echo (a) *)", &["'echo (a)' b"], &["echo a"]);
    check_command(
        "Bash(git commit -m \"x*)",
        &["git commit -m \"x y\""],
        &["git commit -m y"],
    );
    for any in ["Bash", "Bash(*)", "Bash()"] {
        check_command(any, &["x", ""], &[]);
    }
}

#[test]
fn a_line_that_no_shell_could_read_holds_unless_strict() {
    let broken = input("command", "sh tool.sh 'unterminated");
    let cwd = "/repo".as_ref();
    assert!(rule("Bash(git *)").holds("Bash", &broken, cwd));
    assert!(!strict("Bash(git *)").holds("Bash", &broken, cwd));
    assert!(strict("Bash(sh *)").holds("Bash", &broken, cwd));
    for line in ["echo $(x", "echo `x", "echo \"x", "echo ${x"] {
        assert!(
            rule("Bash(git *)").holds("Bash", &input("command", line), cwd),
            "{line}"
        );
    }
}

#[test]
fn paths_are_compared_as_in_gitignore() {
    check_path(
        "Write(*.ts)",
        &["/repo/sub/a.ts", "/repo/sub/x/a.ts", "a.ts"],
        &["/repo/a.ts", "a.js"],
    );
    check_path(
        "Write(src/**)",
        &["/repo/sub/src/a.ts", "src/x/y"],
        &["/repo/sub/x/src/a.ts", "src"],
    );
    check_path(
        "Write(**/src/**)",
        &["x/src/a.ts", "src/a.ts"],
        &["x/srcs/a.ts"],
    );
    check_path("Write(./src/a.ts)", &["src/a.ts"], &["x/src/a.ts"]);
    check_path(
        "Write(/src/a.ts)",
        &["/repo/src/a.ts", "../src/a.ts"],
        &["src/a.ts"],
    );
    check_path("Write(src/*)", &["src/a.ts", "src/x/y"], &["x/src/a.ts"]);
    check_path("Write(a.ts)", &["x/a.ts", "a.ts", "a.ts/b"], &["b.ts"]);
    check_path("Write(build/)", &["build/x"], &["build"]);
    check_path(
        "Write(../*)",
        &["/repo/x", "/repo/y/x"],
        &["/other", "/repo/sub/x"],
    );
    check_path(
        "Write(//etc/**)",
        &["/etc/passwd", "/repo/../etc/x"],
        &["etc/x"],
    );
    check_path(
        "Write(~/.ssh/**)",
        &["/home/ada/.ssh/id", "~/.ssh/id"],
        &["/home/bob/.ssh/id"],
    );
    check_path("Edit(*.ts)", &[], &["a.ts"]);
}

#[test]
fn a_place_that_is_not_known_may_be_any() {
    let rule = IfRule::parse("Write(~/x)", RuleBase::default()).expect("a rule");
    assert!(rule.holds("Write", &input("file_path", "/y"), "/repo".as_ref()));
}

#[test]
fn other_tools_are_compared_by_the_field_they_are_known_for() {
    let held = |text: &str, tool: &str, field: &str, value: &str| {
        rule(text).holds(tool, &input(field, value), "/repo".as_ref())
    };
    assert!(held("Agent(Explore)", "Agent", "subagent_type", "Explore"));
    assert!(held("Task(Explore)", "Agent", "subagent_type", "Explore"));
    assert!(!held("Agent(Explore)", "Agent", "subagent_type", "other"));
    assert!(held(
        "WebFetch(domain:Example.com)",
        "WebFetch",
        "url",
        "https://u@EXAMPLE.com:8080/x"
    ));
    assert!(!held(
        "WebFetch(domain:example.com)",
        "WebFetch",
        "url",
        "https://example.com.evil.org"
    ));
    assert!(held("mcp__memory", "mcp__memory__create", "x", "y"));
    assert!(held("mcp__memory__*", "mcp__memory__create", "x", "y"));
    assert!(!held("mcp__memory", "mcp__memory2__create", "x", "y"));
    assert!(held(
        "mcp__memory__create(anything)",
        "mcp__memory__create",
        "x",
        "y"
    ));
    assert!(!held("Bash(x)", "BashOutput", "command", "x"));
}

#[test]
fn an_input_that_does_not_have_the_field_may_be_meant() {
    let cwd = "/repo".as_ref();
    for text in ["[]", "{}", r#"{"command": 5}"#, r#"{"command": null}"#] {
        let input = Json::parse(text).expect("JSON");
        assert!(rule("Bash(git *)").holds("Bash", &input, cwd), "{text}");
        assert!(rule("Bash").holds("Bash", &input, cwd), "{text}");
    }
}

#[test]
fn what_is_no_rule_says_why() {
    let problem = |text: &str| IfRule::parse(text, RuleBase::default()).expect_err(text);
    assert_eq!(problem("*"), RuleProblem::NoTool);
    assert_eq!(problem("sh *"), RuleProblem::NoTool);
    assert_eq!(problem("["), RuleProblem::NoTool);
    assert_eq!(problem(""), RuleProblem::NoTool);
    assert_eq!(problem("(x)"), RuleProblem::NoTool);
    assert_eq!(problem("Bash(sh *"), RuleProblem::NotClosed);
    assert_eq!(problem("Bash(sh *) x"), RuleProblem::NotClosed);
    assert_eq!(
        problem("Bash(sh *) || Bash(git *)"),
        RuleProblem::SeveralRules
    );
    assert_eq!(problem(" Bash(sh *) "), RuleProblem::Blanks);
    assert_eq!(problem("Write(!x)"), RuleProblem::Negated);
    assert_eq!(
        problem(&format!("Bash({})", "x".repeat(5000))),
        RuleProblem::TooLarge
    );
}

mod any {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn text_gives_an_answer(rule in ".{0,40}", command in ".{0,60}", strict: bool) {
            let base = RuleBase::new(None, Some("/repo".into()), strict);
            for text in [rule.clone(), format!("Bash({rule})"), format!("Write({rule})")] {
                if let Ok(rule) = IfRule::parse(&text, base.clone()) {
                    let _answered: bool = rule.holds("Bash", &input("command", &command), "/repo".as_ref());
                    let _answered: bool = rule.holds("Write", &input("file_path", &command), "/repo".as_ref());
                }
            }
        }

        #[test]
        fn shell_like_text_gives_an_answer(command in r#"[a-c$`'"(){}<>|&;#\\ \n*~/.]{0,80}"#) {
            for rule in [rule("Bash(a b *)"), strict("Bash(a*)"), strict("Bash(*(*)")] {
                let _answered: bool = rule.holds("Bash", &input("command", &command), "/repo".as_ref());
            }
        }

        #[test]
        fn a_command_with_another_before_it_is_found(before in "[a-z ]{0,20}", args in "[a-z0-9./ -]{0,20}") {
            for between in [";", "&&", "||", "|", "\n", "&"] {
                let line = format!("x{before}{between}git {args}");
                let held = strict("Bash(git *)").holds("Bash", &input("command", &line), "/repo".as_ref());
                prop_assert!(held, "{line}");
            }
        }
    }

    #[test]
    fn a_hostile_line_holds_rather_than_taking_long() {
        let deep = "$(".repeat(100_000) + &")".repeat(100_000);
        assert!(rule("Bash(git *)").holds("Bash", &input("command", &deep), "/repo".as_ref()));
        let long = "a".repeat(300 * 1024);
        assert!(rule("Bash(git *)").holds("Bash", &input("command", &long), "/repo".as_ref()));
        let star = format!("Bash(*{}b*)", "a".repeat(4000));
        assert!(rule(&star).holds(
            "Bash",
            &input("command", &"a".repeat(200_000)),
            "/repo".as_ref()
        ));
    }
}
