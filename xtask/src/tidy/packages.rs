//! What a reader of a published crate finds in its package: a README, a licence, and where the source is.

use std::ops::RangeInclusive;

use super::Tracked;

/// How long the README of a crate is: what it is, the smallest example, where more is.
const README_LINES: RangeInclusive<usize> = 15..=40;

/// Lines of a manifest without which the package would lack something.
const MANIFEST: [&str; 3] = [
    "license.workspace = true",
    "readme = \"README.md\"",
    "repository.workspace = true",
];

pub(super) fn check(files: &[Tracked]) -> Vec<String> {
    let manifests = files
        .iter()
        .filter_map(|file| Some((crate_of(file)?, file)));
    manifests
        .flat_map(|(directory, manifest)| problems_of(directory, manifest, files))
        .collect()
}

/// The directory of a crate that is published, if the file is its manifest.
fn crate_of(file: &Tracked) -> Option<&str> {
    let directory = file.path.strip_suffix("/Cargo.toml")?;
    let name = directory.strip_prefix("crates/")?;
    (!name.contains('/')).then_some(directory)
}

fn problems_of(directory: &str, manifest: &Tracked, files: &[Tracked]) -> Vec<String> {
    let mut problems = Vec::new();
    for line in MANIFEST {
        if !manifest.text.lines().any(|found| found == line) {
            problems.push(format!("{}: it lacks `{line}`", manifest.path));
        }
    }
    let text_of = |name: &str| {
        let path = format!("{directory}/{name}");
        let file = files.iter().find(|file| file.path == path);
        file.map(|file| file.text.as_str())
    };
    let (least, most) = (README_LINES.start(), README_LINES.end());
    match text_of("README.md").map(|text| text.lines().count()) {
        Some(lines) if README_LINES.contains(&lines) => {}
        Some(lines) => problems.push(format!(
            "{directory}/README.md: {lines} lines; {least} to {most} are what a reader of the package needs"
        )),
        None => problems.push(format!(
            "{directory}: it needs a README.md of {least} to {most} lines: what it is, the smallest example, where more is"
        )),
    }
    if text_of("LICENSE").is_none() {
        problems.push(format!(
            "{directory}: its package would lack the licence; link it with `ln -s ../../LICENSE {directory}/LICENSE`"
        ));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Tracked {
        Tracked {
            path: path.into(),
            text: text.into(),
        }
    }

    fn package(manifest: &str, readme_lines: usize) -> Vec<Tracked> {
        vec![
            file("crates/a/Cargo.toml", manifest),
            file("crates/a/README.md", &"x\n".repeat(readme_lines)),
            file("crates/a/LICENSE", "MIT"),
        ]
    }

    #[test]
    fn a_package_with_everything_is_fine() {
        assert_eq!(
            check(&package(&MANIFEST.join("\n"), 20)),
            Vec::<String>::new()
        );
        let elsewhere = [
            file("bench/Cargo.toml", ""),
            file("crates/a/tests/b/Cargo.toml", ""),
        ];
        assert_eq!(check(&elsewhere), Vec::<String>::new());
    }

    #[test]
    fn everything_that_a_package_lacks_is_said() {
        let whole = MANIFEST.join("\n");
        for line in MANIFEST {
            let problems = check(&package(&whole.replace(line, ""), 20));
            assert_eq!(
                problems,
                [format!("crates/a/Cargo.toml: it lacks `{line}`")]
            );
        }
        for lines in [14, 41] {
            let problems = check(&package(&whole, lines));
            assert!(
                problems.concat().contains(&format!("{lines} lines")),
                "{problems:?}"
            );
        }
        let mut bare = package(&whole, 20);
        bare.truncate(1);
        let problems = check(&bare);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems.concat().contains("it needs a README.md"));
        assert!(problems.concat().contains("would lack the licence"));
    }
}
