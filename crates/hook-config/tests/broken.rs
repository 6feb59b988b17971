//! What is said about broken files, and about odd ones: a snapshot beside each.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::{
    ffi::OsStr,
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use hook_config::{Diagnostic, HookConfigError, HooksConfig, load};

/// Every file of a directory below `tests`, as a workspace's hooks file.
fn each(directory: &str, show: impl Fn(&Path, &HooksConfig) -> String) {
    // Relative to the package, where tests are started, so that no machine's paths get into a snapshot.
    let workspace = Path::new("tests").join(directory);
    let entries = fs::read_dir(&workspace).expect("the directory of cases");
    let mut names: Vec<PathBuf> = entries
        .map(|entry| PathBuf::from(entry.expect("an entry").file_name()))
        .filter(|name| {
            name.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    names.sort();
    assert!(!names.is_empty(), "no cases in {directory}");
    for name in names {
        let config = HooksConfig::new().with_workspace_file(&name);
        let shown = show(&workspace, &config);
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(directory);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let name = name.file_stem().and_then(OsStr::to_str).expect("a name");
        settings.bind(|| insta::assert_snapshot!(name, shown));
    }
}

fn place(found: &Diagnostic) -> Range<usize> {
    let place = found.place.as_ref().expect("a place");
    place.span.clone()
}

/// A message, and below it the text it is about.
fn underlined(message: &str, text: &str, span: &Range<usize>) -> String {
    let part = text.get(span.clone()).expect("a span of the text");
    format!("{message}\n    >{}<\n", part.escape_debug())
}

#[test]
fn a_broken_file_is_refused_with_every_problem_in_its_place() {
    each("broken", |workspace, config| {
        let error = load(workspace, config).expect_err("a broken file");
        let HookConfigError::Invalid {
            path,
            text,
            problems,
            warnings,
            ..
        } = &error
        else {
            panic!("another error: {error}");
        };
        let path = path.display();
        let lines: Vec<String> = problems
            .iter()
            .map(|problem| format!("{path}:{problem}"))
            .collect();
        assert_eq!(error.to_string(), lines.join("\n"));
        let problems = problems
            .iter()
            .map(|problem| underlined(&problem.to_string(), text, &place(problem)));
        let warnings = warnings
            .iter()
            .map(|warning| underlined(&warning.to_string(), text, &place(warning)));
        let said: String = problems.chain(warnings).collect();
        format!("{path}\n{said}")
    });
}

#[test]
fn an_odd_file_loads_with_warnings() {
    each("odd", |workspace, config| {
        let loaded = load(workspace, config).expect("an odd file");
        let text = &loaded.sources[0].text;
        let warnings: String = loaded
            .warnings
            .iter()
            .map(|found| underlined(&found.to_string(), text, &place(&found.warning)))
            .collect();
        let hooks: Vec<String> = loaded
            .hooks
            .iter()
            .map(|hook| format!("{} of {}", hook.name, hook.origin()))
            .collect();
        format!("{}\n{warnings}", hooks.join("\n"))
    });
}
