//! Variables of the environment that a text names in other languages than a shell's.

use super::scanner::name_of;

/// What comes before the name of a variable where a program asks for it.
const MARKERS: [&str; 12] = [
    "environ[",
    "environ.get(",
    "environ.pop(",
    "getenv(",
    "process.env.",
    "process.env[",
    "ENV[",
    "ENV.fetch(",
    "$ENV{",
    "$env:",
    "$ENV.",
    "printenv ",
];

/// The variables that a text names as Python, JavaScript, Ruby, Perl, PowerShell, jq and `printenv` do, except where it has
/// a value at hand for one that is not set.
pub(crate) fn names_in_code(text: &str) -> impl Iterator<Item = &str> {
    MARKERS.into_iter().flat_map(move |marker| {
        let after = text.match_indices(marker);
        after.filter_map(move |(at, _)| {
            let rest = text.get(at + marker.len()..)?;
            let rest = rest.trim_start_matches(['"', '\'', '`', ' ']);
            let (name, rest) = name_of(rest)?;
            let rest = rest
                .trim_start_matches(['"', '\'', '`', ']', '}'])
                .trim_start();
            let has_default = marker.ends_with('(') && rest.starts_with(',');
            (!has_default && !rest.starts_with("||") && !rest.starts_with("??")).then_some(name)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_ask_for_variables_in_many_ways() {
        for (text, name) in [
            ("import os; x = os.environ[\"A_B\"]", "A_B"),
            ("os.environ.get('A_B')", "A_B"),
            ("os.getenv( \"A_B\" )", "A_B"),
            ("const x = process.env.A_B;", "A_B"),
            ("process.env['A_B']", "A_B"),
            ("ENV['A_B']", "A_B"),
            ("$ENV{A_B}", "A_B"),
            ("jq '$ENV.A_B'", "A_B"),
            ("$env:A_B", "A_B"),
            ("printenv A_B | jq .", "A_B"),
        ] {
            assert_eq!(names_in_code(text).collect::<Vec<_>>(), [name], "{text}");
        }
        for text in [
            "os.environ.get('A_B', '{}')",
            "process.env.A_B || 'x'",
            "process.env.A_B ?? 'x'",
            "A_B",
            "environ[name]x",
        ] {
            let found: Vec<_> = names_in_code(text).filter(|name| *name != "name").collect();
            assert!(found.is_empty(), "{text}: {found:?}");
        }
    }
}
