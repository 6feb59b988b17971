use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

/// A folder beside this test, or in the user's own where the build is below a folder into which everybody may write.
fn own_folder() -> tempfile::TempDir {
    let test = std::env::current_exe().expect("its path");
    let beside = test.parent().expect("a folder").to_owned();
    let is_closed = |path: &PathBuf| {
        let mut ways = path.ancestors().filter_map(|path| path.metadata().ok());
        ways.all(|found| found.mode() & 0o002 == 0)
    };
    let places = [Some(beside.clone()), std::env::home_dir()];
    let place = places.into_iter().flatten().find(is_closed);
    tempfile::tempdir_in(place.unwrap_or(beside)).expect("a folder")
}

/// A home and a workspace beside it.
fn home() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = own_folder();
    let [base, workspace] = ["state", "workspace"].map(|name| folder.path().join(name));
    fs::create_dir(&workspace).expect("made");
    (folder, base, workspace)
}

fn make(base: &Path) -> PathBuf {
    let path = base.join("hookchain/serve");
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&path)
        .expect("made");
    path
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("its mode");
}

#[track_caller]
fn refused(base: &Path, workspace: &Path) -> String {
    match State::below(base, workspace) {
        Err(error) => error.to_string(),
        Ok(state) => panic!("{state:?}"),
    }
}

#[test]
fn what_is_the_users_own_is_used() {
    let (_folder, base, workspace) = home();
    assert!(State::below(&base, &workspace).expect("fine").is_none());
    let path = make(&base);
    let state = State::below(&base, &workspace).expect("fine");
    let state = state.expect("there");
    assert_eq!(
        state.shown("f"),
        path.canonicalize().expect("there").join("f")
    );
    fs::write(state.at("f"), "x").expect("written");
    assert_eq!(state.files().expect("read"), ["f"]);
    assert_eq!(fs::read_to_string(path.join("f")).expect("read"), "x");
    state.remove("f").expect("removed");
    state.remove("f").expect("nothing to remove");
}

#[test]
fn a_folder_that_is_replaced_is_not_the_one_that_was_opened() {
    let (_folder, base, workspace) = home();
    let path = make(&base);
    let state = State::below(&base, &workspace).expect("fine");
    let state = state.expect("there");
    fs::rename(&path, base.join("moved")).expect("moved");
    let planted = make(&base);
    fs::write(planted.join("f"), "").expect("written");
    assert!(state.look("f").expect("looked").is_none());
}

#[test]
fn a_folder_that_lets_others_in_is_refused_and_not_repaired() {
    let (_folder, base, workspace) = home();
    let path = make(&base);
    for bits in [0o750, 0o707, 0o701, 0o770] {
        mode(&path, bits);
        let said = refused(&base, &workspace);
        assert!(said.contains("its mode lets other users in"), "{said}");
        let now = path.metadata().expect("there").mode() & 0o777;
        assert_eq!(now, bits);
    }
    mode(&path, 0o700);
    mode(&base.join("hookchain"), 0o770);
    let said = refused(&base, &workspace);
    assert!(said.contains("its mode lets other users in"), "{said}");
    // Others may read what there is beside it.
    mode(&base.join("hookchain"), 0o755);
    assert!(State::below(&base, &workspace).expect("fine").is_some());
}

#[test]
fn a_link_or_a_file_in_its_place_is_refused() {
    let (folder, base, workspace) = home();
    let path = make(&base);
    let elsewhere = folder.path().join("elsewhere");
    fs::rename(&path, &elsewhere).expect("moved");
    symlink(&elsewhere, &path).expect("linked");
    let said = refused(&base, &workspace);
    assert!(said.contains(UNEXPECTED), "{said}");
    fs::remove_file(&path).expect("removed");
    fs::write(&path, "").expect("written");
    let said = refused(&base, &workspace);
    assert!(said.contains(UNEXPECTED), "{said}");
}

#[test]
fn no_way_leads_through_what_an_agent_may_write_to() {
    let (folder, base, workspace) = home();
    make(&base);
    // Links of the user's own are followed.
    let link = folder.path().join("link");
    symlink("state", &link).expect("linked");
    assert!(State::below(&link, &workspace).expect("fine").is_some());
    // The workspace, also behind a link that leads out of it again.
    make(&workspace.join("state"));
    let said = refused(&workspace.join("state"), &workspace);
    assert!(said.contains("where the workspace is"), "{said}");
    symlink(&base, workspace.join("out")).expect("linked");
    for way in [workspace.join("out"), workspace.join("../workspace/out")] {
        let said = refused(&way, &workspace);
        assert!(said.contains("where the workspace is"), "{said}");
    }
    symlink(workspace.join("out"), folder.path().join("round")).expect("linked");
    let said = refused(&folder.path().join("round"), &workspace);
    assert!(said.contains("where the workspace is"), "{said}");
    // A folder of everybody, with the bit that keeps others from removing what is not theirs.
    let open = folder.path().join("open");
    make(&open.join("state"));
    mode(&open, 0o1777);
    let said = refused(&open.join("state"), &workspace);
    assert!(said.contains("where everybody may write"), "{said}");
    symlink("round-and-round", folder.path().join("round-and-round")).expect("linked");
    let said = refused(&folder.path().join("round-and-round"), &workspace);
    assert!(said.contains("a link that leads nowhere"), "{said}");
}
