//! What shells say of themselves on standard error.

/// Shells by the names under which they speak.
const SHELLS: [&str; 7] = ["sh", "bash", "dash", "ash", "zsh", "ksh", "busybox"];

/// What a shell says when it cannot do what its text says, in any case.
const ERRORS: [&str; 25] = [
    "not found",
    "syntax error",
    "bad substitution",
    "permission denied",
    "parse error",
    "no such file or directory",
    "cannot open",
    "can't open",
    "\" unexpected",
    "unexpected operator",
    "unexpected end of file",
    "operator expected",
    "expression expected",
    "illegal number",
    "numeric argument required",
    "arithmetic expression",
    "ambiguous redirect",
    "cannot execute",
    "not a valid identifier",
    "is a directory",
    "here-document",
    "too many arguments",
    "illegal option",
    "parameter not set",
    "unbound variable",
];

/// The lines in which a shell says that it could not do what its text says: `/bin/sh: 1: [[: not found`.
///
/// The shell says so of dash, bash, zsh and busybox, and in the name of a script. What programs print is none of it, unless it
/// has the same form.
pub(crate) fn own_errors(stderr: &str) -> impl Iterator<Item = &str> {
    stderr.lines().filter(|line| is_own_error(line))
}

fn is_own_error(line: &str) -> bool {
    let Some((speaker, rest)) = line.split_once(':') else {
        return false;
    };
    let message = match after_line_number(rest) {
        Some(message) => message,
        None if is_shell(speaker) => rest,
        None => return false,
    };
    let message = message.to_ascii_lowercase();
    ERRORS.iter().any(|error| message.contains(error))
}

fn is_shell(speaker: &str) -> bool {
    let name = speaker.rsplit('/').next().unwrap_or_default();
    SHELLS.contains(&name.trim_start_matches('-'))
}

/// What follows the number of a line: ` line 3: …`, ` 3: …` and `3: …`.
fn after_line_number(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let rest = rest.strip_prefix("line ").unwrap_or(rest);
    let (number, message) = rest.split_once(':')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && message.starts_with(' ')).then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_is_understood() {
        for line in [
            "/bin/sh: 1: [[: not found",
            "sh: 3: jq: not found",
            "/repo/guard.sh: 2: Bad substitution",
            "guard.sh: 4: Syntax error: \"(\" unexpected",
            "/bin/sh: 1: ./x: Permission denied",
            "sh: 0: cannot open gone.sh: No such file",
            "sh: 1: [: a: unexpected operator",
            "bash: line 1: jq: command not found",
            "/repo/a b.sh: line 12: syntax error near unexpected token `fi'",
            "x.sh: line 3: ${x//}: bad substitution",
            "bash: ./x: Permission denied",
            "zsh:1: command not found: jq",
            "zsh: permission denied: ./x",
            "guard:3: parse error near `}'",
            "sh: jq: not found",
            "-sh: syntax error: unexpected \"(\"",
            "/bin/ash: line 1: syntax error: bad substitution",
        ] {
            let text = format!("looking\n{line}\ndone\n");
            assert_eq!(own_errors(&text).collect::<Vec<_>>(), [line]);
        }
    }

    #[test]
    fn what_programs_say_is_theirs() {
        for line in [
            "checked 3 files",
            "not found",
            "guard: no rule was not found",
            "Warning: jq: not found in cache",
            "12:30:01: nothing",
            "policy.json: 3 rules, none unexpected",
            "",
        ] {
            assert_eq!(own_errors(line).count(), 0, "{line}");
        }
    }
}
