//! Decision records: each number once, each listed, each complete, and none cited that is not there.

use super::Tracked;

const DIRECTORY: &str = "docs/adr/";
const INDEX: &str = "docs/adr/README.md";

/// What every record says, in this order.
const PARTS: [&str; 6] = [
    "- Status: ",
    "- Date: ",
    "## Context",
    "## Decision",
    "## Consequences",
    "## Alternatives",
];

pub(super) fn check(files: &[Tracked]) -> Vec<String> {
    let Some(index) = files.iter().find(|file| file.path == INDEX) else {
        return vec![format!("{INDEX}: it must exist and list every record")];
    };
    let records = files.iter().filter_map(record).collect::<Vec<_>>();
    let mut problems = Vec::new();
    for (position, (number, record)) in records.iter().enumerate() {
        let path = &record.path;
        if records
            .iter()
            .take(position)
            .any(|(other, _)| other == number)
        {
            problems.push(format!(
                "{path}: the number {number} is taken; use the next free one"
            ));
        }
        let name = path.trim_start_matches(DIRECTORY);
        if !index.text.contains(&format!("({name})")) {
            problems.push(format!("{path}: it is not listed in {INDEX}; add it"));
        }
        if !record.text.starts_with(&format!("# {number}. ")) {
            problems.push(format!(
                "{path}: it must begin with `# {number}. ` and its title"
            ));
        }
        problems.extend(missing_part(record));
    }
    let known: Vec<_> = records.iter().map(|(number, _)| *number).collect();
    problems.extend(
        files
            .iter()
            .flat_map(|file| unknown_citations(file, &known)),
    );
    problems
}

/// The number of a record and the record.
fn record(file: &Tracked) -> Option<(&str, &Tracked)> {
    let name = file.path.strip_prefix(DIRECTORY)?;
    let (number, _title) = name.split_once('-')?;
    is_number(number).then_some((number, file))
}

fn is_number(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The first part that is not where it belongs.
fn missing_part(record: &Tracked) -> Option<String> {
    let mut lines = record.text.lines();
    let missing = PARTS
        .into_iter()
        .find(|part| !lines.any(|line| line.starts_with(part)))?;
    Some(format!(
        "{}: `{missing}` is missing or not in its place; a record has {}",
        record.path,
        PARTS.map(str::trim).join(", ")
    ))
}

fn unknown_citations(file: &Tracked, known: &[&str]) -> Vec<String> {
    let unknown = |(line, text): (usize, &str)| {
        let cited = text.split("ADR ").skip(1).filter_map(|rest| rest.get(..4));
        cited
            .filter(|number| is_number(number) && !known.contains(number))
            .map(|number| format!("{}:{line}: there is no ADR {number}", file.path))
            .collect::<Vec<_>>()
    };
    file.lines().flat_map(unknown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Tracked {
        let (path, text) = (path.to_owned(), text.to_owned());
        Tracked { path, text }
    }

    fn complete(number: &str) -> Tracked {
        let text = format!("# {number}. Title\n\n{}\n", PARTS.join("\n"));
        file(&format!("{DIRECTORY}{number}-title.md"), &text)
    }

    #[test]
    fn a_complete_and_listed_record_is_fine() {
        let files = [
            complete("0001"),
            file(INDEX, "[1](0001-title.md)"),
            file("a.rs", "// see ADR 0001"),
        ];
        assert_eq!(check(&files), [""; 0]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let mut twice = complete("0001");
        twice.path = format!("{DIRECTORY}0001-other.md");
        let files = [
            complete("0001"),
            twice,
            file(
                &format!("{DIRECTORY}0002-short.md"),
                "# 0002. Short\n\n- Status: accepted\n",
            ),
            file(INDEX, "[1](0001-title.md) [2](0002-short.md)"),
            file("a.rs", "one\n// see ADR 0003 and ADR 0002"),
        ];
        let problems = check(&files);
        let expected = [
            "docs/adr/0001-other.md: the number 0001 is taken",
            "docs/adr/0001-other.md: it is not listed",
            "docs/adr/0002-short.md: `- Date: ` is missing",
            "a.rs:2: there is no ADR 0003",
        ];
        assert_eq!(problems.len(), expected.len(), "{problems:#?}");
        for (problem, expected) in problems.iter().zip(expected) {
            assert!(problem.starts_with(expected), "{problem}");
        }
    }
}
