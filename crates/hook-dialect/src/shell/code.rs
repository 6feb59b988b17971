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

/// The variables that a text names as Python, JavaScript, Ruby, Perl, PowerShell, jq and `printenv` do, with whether it has
/// a value at hand for one that is not set.
pub(crate) fn names_in_code(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let in_list = asked_for(text)
        .chain(taken_apart(text))
        .map(|name| (name, false));
    let after = MARKERS.into_iter().flat_map(move |marker| {
        let after = text.match_indices(marker);
        after.filter_map(move |(at, _)| {
            let rest = text.get(at + marker.len()..)?;
            let rest = rest.trim_start_matches(['"', '\'', '`', ' ']);
            let (name, rest) = name_of(rest)?;
            let rest = rest
                .trim_start_matches(['"', '\'', '`', ']', '}'])
                .trim_start();
            let default = ["||", "??"]
                .into_iter()
                .find_map(|sign| rest.strip_prefix(sign));
            let default =
                default.or_else(|| rest.strip_prefix(',').filter(|_| marker.ends_with('(')));
            let is_spare = default.is_some_and(|value| {
                let value = value.trim_start();
                !value.starts_with("\"\"") && !value.starts_with("''")
            });
            Some((name, is_spare))
        })
    });
    after.chain(in_list)
}

/// `"NAME" in os.environ`
fn asked_for(text: &str) -> impl Iterator<Item = &str> {
    let before = text.match_indices(" in os.environ");
    before.filter_map(|(at, _)| {
        let before = text.get(..at)?.trim_end_matches(" not");
        let quote = before
            .chars()
            .next_back()
            .filter(|c| matches!(c, '"' | '\''))?;
        let name = before.strip_suffix(quote)?.rsplit(quote).next()?;
        name_of(name).filter(|(_, rest)| rest.is_empty())?;
        Some(name)
    })
}

/// `const { NAME, OTHER: own } = process.env`
fn taken_apart(text: &str) -> impl Iterator<Item = &str> {
    let before = text.match_indices("} = process.env");
    let lists = before.filter_map(|(at, _)| text.get(..at)?.rsplit('{').next());
    let fields = lists.flat_map(|list| list.split(','));
    fields.filter_map(|field| {
        let (name, rest) = name_of(field.trim())?;
        (!rest.contains('=')).then_some(name)
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
            ("if 'A_B' not in os.environ: pass", "A_B"),
            ("const { A_B } = process.env;", "A_B"),
            ("printenv A_B | jq .", "A_B"),
            ("process.env.A_B || ''", "A_B"),
            ("os.environ.get(\"A_B\", \"\")", "A_B"),
        ] {
            assert_eq!(
                names_in_code(text).collect::<Vec<_>>(),
                [(name, false)],
                "{text}"
            );
        }
        for text in [
            "os.environ.get('A_B', '{}')",
            "process.env.A_B || 'x'",
            "process.env.A_B ?? 'x'",
            "A_B",
            "environ[name]x",
        ] {
            let mut found = names_in_code(text).filter(|(name, _)| *name == "A_B");
            assert!(found.all(|(_, is_spare)| is_spare), "{text}");
        }
    }
}
