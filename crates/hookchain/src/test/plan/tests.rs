use std::{
    fs::{create_dir, create_dir_all, write},
    os::unix::fs::symlink,
};

use tempfile::TempDir;

use super::*;

const SMALL: Extent = Extent {
    with_ignored: false,
    max_bytes: 1024,
};

fn plan(workspace: &Path, extent: Extent) -> Result<Plan, CopyError> {
    Plan::make(workspace, extent, &AtomicBool::new(false))
}

/// A directory with these files; a path that ends in a slash is a directory.
fn with_files(paths: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (path, text) in paths {
        let path = directory.path().join(path);
        create_dir_all(path.parent().expect("a parent")).expect("made");
        write(path, text).expect("written");
    }
    directory
}

/// The paths of the entries, in alphabetical order.
#[track_caller]
fn paths(workspace: &Path, extent: Extent) -> Vec<String> {
    let plan = plan(workspace, extent).expect("a plan");
    let mut paths: Vec<_> = plan
        .entries
        .iter()
        .map(|entry| entry.path.to_str().expect("UTF-8").to_owned())
        .collect();
    paths.sort();
    paths
}

#[test]
fn what_git_ignores_is_left_out_and_what_holds_hooks_is_not() {
    let workspace = with_files(&[
        (".gitignore", "target/\n*.log\n.basis/\n!kept.log\n"),
        ("src/main.rs", ""),
        ("src/.gitignore", "secret\n"),
        ("src/secret", ""),
        ("target/debug/a", ""),
        ("a.log", ""),
        ("kept.log", ""),
        (".hidden", ""),
        (".git/config", ""),
        ("sub/.git", "gitdir: elsewhere"),
        ("sub/file", ""),
        (".basis/hooks.json", ""),
        (".basis/target/a.log", ""),
    ]);
    let expected = [
        ".basis",
        ".basis/hooks.json",
        ".basis/target",
        ".basis/target/a.log",
        ".gitignore",
        ".hidden",
        "kept.log",
        "src",
        "src/.gitignore",
        "src/main.rs",
        "sub",
        "sub/file",
    ];
    assert_eq!(paths(workspace.path(), SMALL), expected);

    let everything = Extent {
        with_ignored: true,
        ..SMALL
    };
    let more = [
        "a.log",
        "src/secret",
        "target",
        "target/debug",
        "target/debug/a",
    ];
    let mut all = [&expected[..], &more].concat();
    all.sort_unstable();
    assert_eq!(paths(workspace.path(), everything), all);
}

#[test]
fn above_the_workspace_only_its_repository_has_a_say() {
    let outer = with_files(&[(".gitignore", "*.log\n"), ("ws/a.log", ""), ("ws/b", "")]);
    let workspace = outer.path().join("ws");
    assert_eq!(paths(&workspace, SMALL), ["a.log", "b"]);
    create_dir(outer.path().join(".git")).expect("made");
    assert_eq!(paths(&workspace, SMALL), ["b"]);
}

#[test]
fn a_link_leads_where_it_led_and_inside_the_workspace_into_the_copy() {
    let workspace = with_files(&[("a/b/file", ""), ("top", "")]);
    let root = fs::canonicalize(workspace.path()).expect("a path");
    let links = [
        ("a/b/near", PathBuf::from("file")),
        ("a/b/up", PathBuf::from("../../top")),
        ("a/b/out", PathBuf::from("../../../outside")),
        ("a/b/dangling", PathBuf::from("nothing")),
        ("absolute", root.join("a/b")),
        ("elsewhere", PathBuf::from("/nowhere/at/all")),
    ];
    for (link, target) in &links {
        symlink(target, root.join(link)).expect("linked");
    }
    let plan = plan(&root, SMALL).expect("a plan");
    let found = |path: &str| {
        let entry = plan
            .entries
            .iter()
            .find(|entry| entry.path == Path::new(path));
        match &entry.expect("an entry").kind {
            Kind::Link { target } => target,
            other @ (Kind::Directory { .. } | Kind::File) => panic!("{path}: {other:?}"),
        }
    };
    let as_it_is = |path: &str| Target::AsItIs(path.into());
    assert_eq!(*found("a/b/near"), as_it_is("file"));
    assert_eq!(*found("a/b/up"), as_it_is("../../top"));
    let outside = root.join("a/b/../../../outside");
    assert_eq!(*found("a/b/out"), Target::AsItIs(outside));
    assert_eq!(*found("a/b/dangling"), as_it_is("nothing"));
    assert_eq!(*found("absolute"), Target::InCopy("a/b".into()));
    assert_eq!(*found("elsewhere"), as_it_is("/nowhere/at/all"));
}

#[test]
fn no_way_back_into_the_workspace_leads_to_the_original() {
    let outer = with_files(&[("ws/top", ""), ("ws/a/b/file", ""), ("aside", "")]);
    let outer = fs::canonicalize(outer.path()).expect("a path");
    let root = outer.join("ws");
    symlink(&outer, outer.join("alias")).expect("linked");
    let links = [
        ("a/around", PathBuf::from("../../ws/top"), "top"),
        ("a/new", PathBuf::from("../../ws/a/not-yet"), "a/not-yet"),
        ("whole", PathBuf::from("../ws"), ""),
        ("alias", outer.join("alias/ws/top"), "top"),
        ("there-and-back", root.join("../ws/a/b"), "a/b"),
        ("deep", PathBuf::from("a/b"), ""),
        ("through", PathBuf::from("deep/../../top"), "top"),
        ("out", root.join("../aside"), ""),
    ];
    for (link, target, _) in &links {
        symlink(target, root.join(link)).expect("linked");
    }
    let plan = plan(&root, SMALL).expect("a plan");
    for (link, target, below) in links {
        let entry = plan
            .entries
            .iter()
            .find(|entry| entry.path == Path::new(link));
        let expected = match link {
            "deep" | "out" => Target::AsItIs(target),
            _ => Target::InCopy(below.into()),
        };
        let kind = Kind::Link { target: expected };
        assert_eq!(entry.expect(link).kind, kind, "{link}");
    }
}

#[test]
fn a_hooks_directory_elsewhere_stays_a_link() {
    let elsewhere = with_files(&[("hooks.json", "")]);
    let workspace = with_files(&[(".gitignore", ".basis\n")]);
    symlink(elsewhere.path(), workspace.path().join(".basis")).expect("linked");
    assert_eq!(paths(workspace.path(), SMALL), [".basis", ".gitignore"]);
}

#[test]
fn more_than_is_wanted_is_refused() {
    let workspace = with_files(&[("a", &"x".repeat(600)), ("b", &"x".repeat(424))]);
    assert_eq!(paths(workspace.path(), SMALL), ["a", "b"]);
    write(workspace.path().join("c"), "x").expect("written");
    let error = plan(workspace.path(), SMALL).expect_err("too large");
    assert!(matches!(error, CopyError::TooLarge { mib: 0 }), "{error:?}");
    write(workspace.path().join(".gitignore"), "a\n").expect("written");
    assert_eq!(paths(workspace.path(), SMALL), [".gitignore", "b", "c"]);
}

#[test]
fn a_workspace_that_is_none_is_named() {
    let directory = with_files(&[("file", "")]);
    for path in ["file", "missing"] {
        let path = directory.path().join(path);
        let error = plan(&path, SMALL).expect_err("no workspace");
        let expected = format!(
            "cannot look into the workspace {}; pass the root of one",
            path.display()
        );
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn looking_ends_when_the_run_does() {
    let workspace = with_files(&[("a", "")]);
    let error = Plan::make(workspace.path(), SMALL, &AtomicBool::new(true));
    assert!(matches!(error, Err(CopyError::Interrupted)), "{error:?}");
}
