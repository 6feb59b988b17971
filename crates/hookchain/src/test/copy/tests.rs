use std::fs::{Metadata, create_dir_all, metadata, read_link, read_to_string, write};

use super::*;
use crate::test::{case::Template, plan::Extent};

static GO_ON: AtomicBool = AtomicBool::new(false);

const ALL: Extent = Extent {
    with_ignored: true,
    max_bytes: 1024 * 1024,
};

fn mode(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o7777
}

fn new_file(path: &str, text: &str, executable: bool) -> NewFile {
    NewFile {
        path: path.into(),
        text: Template(text.into()),
        executable,
    }
}

fn copy_of(workspace: &Path) -> Copy {
    let plan = Plan::make(workspace, ALL, &GO_ON).expect("a plan");
    Copy::of(&plan, &GO_ON).expect("a copy")
}

#[test]
fn a_copy_has_the_same_content_modes_and_links() {
    let original = tempfile::tempdir().expect("a directory");
    let root = original.path().join("ws");
    create_dir_all(root.join("closed/deep")).expect("made");
    let set = |path: &str, mode| {
        fs::set_permissions(root.join(path), Permissions::from_mode(mode)).expect("its mode");
    };
    for (path, mode) in [
        ("run.sh", 0o755),
        ("closed/deep/read-only", 0o440),
        ("plain", 0o604),
    ] {
        write(root.join(path), path).expect("written");
        set(path, mode);
    }
    symlink("plain", root.join("link")).expect("linked");
    symlink(
        fs::canonicalize(&root).expect("a path").join("closed"),
        root.join("absolute"),
    )
    .expect("linked");
    set("closed/deep", 0o555);
    set("closed", 0o550);

    let copy = copy_of(&root);
    assert_ne!(copy.root(), root);
    assert_eq!(copy.root().file_name(), root.file_name());
    for (path, expected) in [
        ("run.sh", 0o755),
        ("closed/deep/read-only", 0o440),
        ("plain", 0o604),
    ] {
        let copied = copy.root().join(path);
        assert_eq!(
            mode(&metadata(&copied).expect("a file")),
            expected,
            "{path}"
        );
        assert_eq!(read_to_string(copied).expect("text"), path);
    }
    for (path, expected) in [("closed", 0o550), ("closed/deep", 0o555)] {
        let found = metadata(copy.root().join(path)).expect("a directory");
        assert_eq!(mode(&found), expected, "{path}");
    }
    assert_eq!(
        read_link(copy.root().join("link")).expect("a link"),
        Path::new("plain")
    );
    let absolute = read_link(copy.root().join("absolute")).expect("a link");
    assert_eq!(absolute, copy.root().join("closed"));
    let directory = copy.directory.clone();
    assert_eq!(mode(&metadata(&directory).expect("there")), 0o700);

    drop(copy);
    assert!(!directory.exists(), "gone with what could not be written");
    set("closed", 0o755);
    set("closed/deep", 0o755);
}

#[test]
fn files_of_a_case_replace_and_never_leave_the_copy() {
    let original = tempfile::tempdir().expect("a directory");
    let outside = original.path().join("outside");
    let root = original.path().join("ws");
    create_dir_all(root.join("dir")).expect("made");
    create_dir_all(&outside).expect("made");
    write(outside.join("precious"), "before").expect("written");
    write(root.join("there"), "before").expect("written");
    symlink(&outside, root.join("way-out")).expect("linked");
    symlink(outside.join("precious"), root.join("link")).expect("linked");

    let copy = copy_of(&root);
    let there = |path: &str| read_to_string(copy.root().join(path)).expect("text");
    copy.create(&new_file("there", "at {{workspace}}", false))
        .expect("created");
    assert_eq!(there("there"), format!("at {}", copy.shown()));
    copy.create(&new_file("new/deep/run", "x", true))
        .expect("created");
    assert_eq!(
        mode(&metadata(copy.root().join("new/deep/run")).expect("a file")),
        0o755
    );
    copy.create(&new_file("link", "after", false))
        .expect("created in place of the link");
    assert_eq!(there("link"), "after");

    let error = copy
        .create(&new_file("way-out/precious", "after", false))
        .expect_err("outside");
    assert_eq!(
        error.to_string(),
        "a directory of its path is a symbolic link"
    );
    let error = copy
        .create(&new_file("there/x", "", false))
        .expect_err("below a file");
    assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
    assert!(
        copy.create(&new_file("dir", "", false)).is_err(),
        "a directory is there"
    );
    assert_eq!(
        read_to_string(outside.join("precious")).expect("text"),
        "before"
    );
    assert_eq!(read_to_string(root.join("there")).expect("text"), "before");
}

#[test]
fn a_copy_that_is_not_finished_leaves_nothing() {
    let original = tempfile::tempdir().expect("a directory");
    write(original.path().join("a"), "").expect("written");
    let plan = Plan::make(original.path(), ALL, &GO_ON).expect("a plan");
    let error = Copy::of(&plan, &AtomicBool::new(true)).expect_err("interrupted");
    assert!(matches!(error, CopyError::Interrupted), "{error:?}");
    // What is gone since it was looked at is no reason to fail.
    fs::remove_file(original.path().join("a")).expect("removed");
    assert!(Copy::of(&plan, &GO_ON).is_ok());
}
