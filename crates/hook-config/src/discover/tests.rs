use std::{error::Error as _, fs};

use tempfile::TempDir;

use super::*;
use crate::MAX_FILE_BYTES;

const NO_HOOKS: &str = r#"{"schema": 1, "hooks": []}"#;

/// A workspace, and a global directory beside it that does not exist yet.
struct Place {
    root: TempDir,
    config: HooksConfig,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a directory");
        fs::create_dir(root.path().join("ws")).expect("a workspace");
        let config = HooksConfig::new().with_global_dir(root.path().join("global"));
        Self { root, config }
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.root.path().join(relative)
    }

    fn write(&self, relative: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        let directory = path.parent().expect("a directory");
        fs::create_dir_all(directory).expect("directories");
        fs::write(&path, text).expect("a file");
        path
    }

    fn discover(&self) -> Result<Vec<HooksSource>, HookConfigError> {
        discover(&self.path("ws"), &self.config)
    }

    /// The message and its causes, without the directory everything is in.
    fn error(&self) -> String {
        let error = self.discover().expect_err("an error");
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        text.replace(&format!("{}/", self.root.path().display()), "")
    }
}

#[test]
fn where_there_is_no_file_there_are_no_hooks() {
    let place = Place::new();
    assert_eq!(place.discover().expect("nothing"), []);
    fs::create_dir(place.path("ws/.basis")).expect("a directory");
    fs::create_dir(place.path("global")).expect("a directory");
    assert_eq!(place.discover().expect("nothing"), []);
}

#[test]
fn the_operator_speaks_before_the_workspace() {
    let place = Place::new();
    let workspace = place.write("ws/.basis/hooks.json", NO_HOOKS);
    let global = place.write("global/hooks.json", "not looked at here");
    let source = |path: PathBuf, scope, text: &str| HooksSource {
        directory: (scope == HooksScope::Global).then(|| place.path("global")),
        path,
        scope,
        text: text.to_owned(),
        host: HostSupport::new(),
    };
    assert_eq!(
        place.discover().expect("two files"),
        [
            source(global, HooksScope::Global, "not looked at here"),
            source(workspace, HooksScope::Workspace, NO_HOOKS),
        ]
    );
}

#[test]
fn what_the_operator_declares_belongs_to_the_folder_of_the_file() {
    let place = Place::new();
    let hooks = r#"{"schema": 1, "hooks": [{"name": "guard", "command": ["./guard"]}]}"#;
    place.write("ws/.basis/hooks.json", hooks);
    place.write("global/hooks.json", hooks);
    let directories = |config: &HooksConfig| {
        let found = discover(&place.path("ws"), config).expect("files");
        let hooks = found
            .iter()
            .flat_map(|source| source.parse().expect("hooks").hooks);
        hooks
            .map(|hook| hook.program().expect("a program").directory.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        directories(&place.config),
        [Some(place.path("global")), None]
    );
    let both = place
        .config
        .clone()
        .with_global_dir(place.path("ws/.basis"));
    assert_eq!(
        directories(&both),
        [None],
        "it was written for the workspace"
    );
}

#[test]
fn both_file_names_can_be_chosen() {
    let mut place = Place::new();
    let workspace = place.write("ws/guards.json", NO_HOOKS);
    let global = place.write("global/all.json", NO_HOOKS);
    place.config = place
        .config
        .with_workspace_file("guards.json")
        .with_global_file("all.json");
    let found = place.discover().expect("two files");
    let paths: Vec<_> = found.into_iter().map(|source| source.path).collect();
    assert_eq!(paths, [global, workspace]);
}

#[test]
fn nothing_is_looked_for_when_only_supplied_hooks_are_wanted() {
    let place = Place::new();
    place.write("global/hooks.json", NO_HOOKS);
    let config = place.config.clone().supplied_only();
    assert_eq!(
        discover(&place.path("nowhere"), &config).expect("nothing"),
        []
    );
}

#[test]
fn a_workspace_that_is_no_directory_is_an_error() {
    let place = Place::new();
    fs::remove_dir(place.path("ws")).expect("removed");
    assert_eq!(
        place.error(),
        "cannot look for hooks in the workspace ws; pass an existing directory: \
         No such file or directory (os error 2)"
    );
    place.write("ws", "");
    assert_eq!(
        place.error(),
        "cannot look for hooks in the workspace ws; pass an existing directory: not a directory"
    );
}

#[test]
fn a_byte_order_mark_is_left_out() {
    let place = Place::new();
    place.write("ws/.basis/hooks.json", format!("\u{feff}{NO_HOOKS}"));
    assert_eq!(place.discover().expect("a file")[0].text, NO_HOOKS);
    place.write("ws/.basis/hooks.json", "\u{feff}\u{feff}");
    assert_eq!(
        place.discover().expect("a file")[0].text,
        "\u{feff}",
        "one mark only"
    );
}

#[test]
fn a_file_that_is_not_utf8_is_an_error_with_its_place() {
    let place = Place::new();
    place.write("ws/.basis/hooks.json", b"{\n\xff\xfe}");
    let error = place.discover().expect_err("an error");
    let HookConfigError::Invalid { text, problems, .. } = error else {
        panic!("another error: {error}");
    };
    assert_eq!(text, "{\n\u{fffd}\u{fffd}}");
    assert_eq!(problems[0].code, "not_utf8");
    let place = problems[0].place.as_ref().expect("a place");
    assert_eq!(text.get(place.span.clone()), Some("\u{fffd}"));
}

#[test]
fn a_file_may_hold_a_mebibyte_and_not_a_byte_more() {
    let place = Place::new();
    let path = place.write("ws/.basis/hooks.json", " ".repeat(MAX_FILE_BYTES));
    assert_eq!(
        place.discover().expect("a file")[0].text.len(),
        MAX_FILE_BYTES
    );
    fs::write(path, " ".repeat(MAX_FILE_BYTES + 1)).expect("written");
    assert_eq!(
        place.error(),
        "ws/.basis/hooks.json is larger than 1048576 bytes; remove what does not belong there"
    );
}

#[test]
fn a_relative_global_directory_is_refused_when_it_comes_from_the_environment() {
    let mut place = Place::new();
    place.config = HooksConfig::in_environment("BASIS_CONFIG_DIR", "config");
    assert_eq!(
        place.error(),
        "BASIS_CONFIG_DIR names config as the hooks directory, which is not an absolute path; \
         set an absolute one, or unset it"
    );
}

#[test]
fn every_file_that_cannot_be_read_is_told_of_at_once() {
    let place = Place::new();
    fs::create_dir_all(place.path("global/hooks.json")).expect("a directory");
    fs::create_dir_all(place.path("ws/.basis/hooks.json")).expect("a directory");
    assert_eq!(
        place.error(),
        "global/hooks.json is a directory, not a hooks file; remove it or put the file in its place\n\
         ws/.basis/hooks.json is a directory, not a hooks file; remove it or put the file in its place"
    );
}

#[test]
fn each_place_where_a_file_is_looked_for_is_told_of() {
    let place = Place::new();
    place.write("ws/.basis/hooks.json", NO_HOOKS);
    let survey = |config: &HooksConfig| {
        let candidates = survey(&place.path("ws"), config).into_iter();
        let shown = candidates.map(|candidate| {
            let found = match candidate.found {
                Found::Nothing => "nothing".to_owned(),
                Found::Same { first } => format!("the same as {}", first.display()),
                Found::File(source) => source.text,
                Found::Unusable(error) => error.code().to_owned(),
            };
            format!("{} {found}", candidate.path.display())
        });
        let shown = shown.collect::<Vec<_>>().join("\n");
        shown.replace(&format!("{}/", place.root.path().display()), "")
    };
    let workspace = format!("ws/.basis/hooks.json {NO_HOOKS}");
    assert_eq!(
        survey(&place.config),
        format!("global/hooks.json nothing\n{workspace}")
    );
    let without = place.config.clone().without_global_dir();
    assert_eq!(survey(&without), workspace);
    let both = place
        .config
        .clone()
        .with_global_dir(place.path("ws/.basis"));
    assert_eq!(
        survey(&both),
        format!("{workspace}\nws/.basis/hooks.json the same as ws/.basis/hooks.json")
    );
    fs::create_dir_all(place.path("global/hooks.json")).expect("a directory");
    assert_eq!(
        survey(&place.config),
        format!("global/hooks.json not_a_file\n{workspace}")
    );
}

#[cfg(unix)]
mod unix;
