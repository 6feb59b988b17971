use super::*;

#[track_caller]
fn outside(text: &str) -> Vec<String> {
    let named = Named::by(text);
    let needed = named.taken().filter(|(_, is_spare)| !is_spare);
    needed.map(|(name, _)| name.to_owned()).collect()
}

#[track_caller]
fn odd(text: &str) -> Vec<&'static str> {
    Named::by(text).odd.into_iter().map(Odd::shown).collect()
}

#[test]
fn a_variable_is_named_wherever_a_shell_expands_it() {
    for text in [
        "$A_B",
        "echo \"$A_B\"",
        "echo x${A_B}y",
        "echo \"$(jq . <<E\n$A_B\nE\n)\"",
        "case $A_B in *x*) exit 2;; esac",
        "echo `cat $A_B`",
        "[ ${#A_B} -gt 3 ]",
        "echo \"${A_B%.x}\" >$X_Y",
        "bash -c 'echo \"$A_B\"'",
        "timeout 5 /bin/sh -ec 'exec x \"$A_B\"' x",
        "cat <<E\nit is $A_B\nE",
        "echo $((A + $A_B))",
        "A_BC=1; x $A_B",
        "echo \"${C:-$A_B}\"",
        "echo \"${A_B:-}\"",
        "A_B=\"$A_B\" ./x",
    ] {
        assert!(
            outside(text).contains(&"A_B".to_owned()),
            "{text}: {:?}",
            outside(text)
        );
    }
}

#[test]
fn a_variable_with_a_value_of_the_texts_own_is_not_from_outside() {
    for text in [
        "echo '$A_B'",
        "echo \\$A_B",
        "jq '$A_B'",
        "A_B=$(cat); echo $A_B",
        "export A_B=x && y $A_B",
        "echo ${A_B:-none}",
        "echo ${A_B-none} $A_B",
        ": ${A_B:=none}; echo $A_B",
        "echo ${A_B:?is missing}",
        "for A_B in x y; do echo $A_B; done",
        "while IFS= read -r A_B; do echo \"$A_B\"; done",
        "x | { read A_B REST; echo $A_B$REST; }",
        "cat <<'E'\n$A_B\nE",
        ". ./policy.env; echo $A_B",
        "eval \"$(policy)\"; echo $A_B",
        "# $A_B",
        "env A_B=1 sh -c 'echo $A_B'",
        "bash -c 'A_B=1; echo $A_B'",
        "echo $1 $? $$ $@ ${@} ${1} $",
        "echo $$A_B$",
    ] {
        let found: Vec<_> = outside(text)
            .into_iter()
            .filter(|name| name == "A_B")
            .collect();
        assert!(found.is_empty(), "{text}");
    }
}

#[test]
fn what_a_posix_shell_does_not_have_is_found() {
    for (text, expected) in [
        ("[[ $x == y ]] && exit 2", "[["),
        ("if [[ -n $x ]]; then :; fi", "[["),
        ("! [[ a ]]", "[["),
        ("x=$(if [[ a ]]; then b; fi)", "[["),
        ("[ \"$x\" == y ]", "=="),
        ("test a == b", "=="),
        ("jq . <<< \"$x\"", "<<<"),
        ("diff <(a) <(b)", "<("),
        ("while read x; do :; done < <(a)", "<("),
        ("x &> log", "&>"),
        ("x &>/dev/null", "&>"),
        ("x |& y", "|&"),
        ("a=(1 2); echo", "a=(…)"),
        ("echo ${a[0]}", "a=(…)"),
        ("echo \"${x//a/b}\"", "${x/a/b}"),
        ("echo ${x:0:3}", "${x:0:3}"),
        ("echo ${x^^}", "${x^^}"),
        ("echo ${!x}", "${!x}"),
        ("source ./x", "source"),
        ("function f { :; }", "function"),
        ("set -euo pipefail; x", "set -o pipefail"),
        ("shopt -s nullglob", "shopt"),
        ("((x > 1)) && exit 2", "(("),
        ("sh -c '[[ a ]]'", "[["),
    ] {
        assert_eq!(odd(text), [expected], "{text}");
    }
}

#[test]
fn what_a_posix_shell_has_is_nothing_odd() {
    for text in [
        "[ \"$x\" = y ] && exit 2",
        "echo '[[ a ]]' \"[[ b ]]\"",
        "bash -c '[[ a ]] && exit 2'",
        "/usr/bin/env bash -ec 'a=(1); x <<< y'",
        "echo source function <<E\n[[ x ]]\nE",
        "cat <<'E'\n[[ x == y ]]\nE\nexit 0",
        "( (a); b )",
        "x >&2 2>&1 >/dev/null &",
        "f() { echo $((1 + (2))); }; f",
        "echo ${x:-[[} ${x%%/*} ${x#a} ${x:+y} ${#x}",
        "case $x in [[:alpha:]]*) exit 2;; (b) :;; esac",
        "grep -E '(a|b)' | awk '{ print $1 == 2 }'",
        "jq -e '.a == \"b\"'",
        "python3 -c \"x = {'a': 1}\"",
        "# [[ a ]]\necho b",
        "echo a == b; exit 0",
    ] {
        assert!(odd(text).is_empty(), "{text}: {:?}", odd(text));
    }
}

#[test]
fn a_text_that_does_not_end_is_read_to_its_end() {
    for text in [
        "\"", "'", "$(", "${", "${a", "`", "<<", "<<E", "<<E\n", "a=(", "((", "$((", "\\", "case",
        "&>", "<(", "é$é",
    ] {
        let _ends = Named::by(text);
    }
    let deep = "$(".repeat(10_000);
    let _ends = Named::by(&deep);
    let deep = "${a:-".repeat(10_000);
    let _ends = Named::by(&deep);
}

#[test]
fn the_commands_of_a_text_are_known_by_their_words() {
    let named = Named::by("cd \"$P\" && X=1 bash -e \"${P}/a b.sh\" 2>/dev/null || { ./c 'd e'; }");
    assert_eq!(
        named.commands,
        [
            vec!["cd", "$P"],
            vec!["bash", "-e", "$P/a b.sh"],
            vec!["./c", "d e"],
        ]
    );
    let spare = Named::by("x \"${A:-b}\"");
    assert_eq!(spare.taken().collect::<Vec<_>>(), [("A", true)]);
}
