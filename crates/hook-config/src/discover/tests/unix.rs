//! What only Unix puts in a file's place.

use std::os::unix::{fs::symlink, net::UnixListener};

use hook_source::FileError;

use super::*;

#[test]
fn a_file_reached_through_a_link_is_read_once() {
    let place = Place::new();
    let global = place.write("global/hooks.json", NO_HOOKS);
    fs::create_dir(place.path("ws/.basis")).expect("a directory");
    symlink(&global, place.path("ws/.basis/hooks.json")).expect("a link");
    let found = place.discover().expect("one file");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path, global);
    let directory = found[0].directory.as_deref();
    assert_eq!(directory, global.parent(), "no link has it run elsewhere");
}

#[test]
fn a_file_of_the_workspace_that_leads_out_of_it_is_an_error() {
    let place = Place::new();
    place.write("elsewhere/hooks.json", "not to be shown");
    place.write("ws/.basis/inside.json", NO_HOOKS);
    let link = place.path("ws/.basis/hooks.json");
    symlink("../../elsewhere/hooks.json", &link).expect("a link");
    assert_eq!(
        place.error(),
        "ws/.basis/hooks.json leads out of ws; put the file itself there"
    );
    fs::remove_file(&link).expect("removed");
    symlink("inside.json", &link).expect("a link");
    assert_eq!(place.discover().expect("a file").len(), 1);
    fs::remove_dir_all(place.path("ws/.basis")).expect("removed");
    symlink("../elsewhere", place.path("ws/.basis")).expect("a link");
    let error = place.discover().expect_err("an error");
    assert_eq!(error.code(), "outside");
    // The host itself looks elsewhere.
    let config = HooksConfig::new().with_workspace_file("../elsewhere/hooks.json");
    let found = discover(&place.path("ws"), &config).expect("a file");
    assert_eq!(found[0].text, "not to be shown");
}

#[test]
fn a_file_under_two_names_is_read_once() {
    let place = Place::new();
    let global = place.write("global/hooks.json", NO_HOOKS);
    fs::create_dir(place.path("ws/.basis")).expect("a directory");
    fs::hard_link(&global, place.path("ws/.basis/hooks.json")).expect("a link");
    let found = place.discover().expect("one file");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].directory.as_deref(), global.parent());
}

#[test]
fn a_file_that_is_the_global_and_the_workspace_one_is_read_once() {
    let mut place = Place::new();
    place.write("ws/.basis/hooks.json", NO_HOOKS);
    symlink(place.path("ws"), place.path("alias")).expect("a link");
    let same = place.path("alias/./.basis/../.basis");
    place.config = place.config.with_global_dir(same);
    let found = place.discover().expect("one file");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].scope, HooksScope::Global);
}

#[test]
fn two_equal_files_are_two() {
    let place = Place::new();
    place.write("global/hooks.json", NO_HOOKS);
    place.write("ws/.basis/hooks.json", NO_HOOKS);
    assert_eq!(place.discover().expect("two files").len(), 2);
}

#[test]
fn a_link_to_nothing_is_an_error() {
    let place = Place::new();
    fs::create_dir(place.path("ws/.basis")).expect("a directory");
    symlink("gone.json", place.path("ws/.basis/hooks.json")).expect("a link");
    assert_eq!(
        place.error(),
        "ws/.basis/hooks.json cannot be reached: ws/.basis/hooks.json is a symbolic link to nothing; \
         repair or remove the link"
    );
}

#[test]
fn a_link_to_nothing_above_the_file_is_an_error() {
    let place = Place::new();
    symlink("gone", place.path("ws/.basis")).expect("a link");
    symlink("gone", place.path("global")).expect("a link");
    assert_eq!(
        place.error(),
        "global/hooks.json cannot be reached: global is a symbolic link to nothing; repair or remove the link\n\
         ws/.basis/hooks.json cannot be reached: ws/.basis is a symbolic link to nothing; repair or remove the link"
    );
}

#[test]
fn a_link_to_a_directory_without_the_file_means_that_there_is_none() {
    let place = Place::new();
    fs::create_dir(place.path("real")).expect("a directory");
    symlink("../real", place.path("ws/.basis")).expect("a link");
    assert_eq!(place.discover().expect("nothing"), []);
}

#[test]
fn links_in_a_circle_are_an_error() {
    let place = Place::new();
    fs::create_dir(place.path("ws/.basis")).expect("a directory");
    symlink("hooks.json", place.path("ws/.basis/hooks.json")).expect("a link");
    let error = place.discover().expect_err("an error");
    assert!(
        matches!(&error, HookConfigError::Unreadable(FileError::Read { source, .. }) if source.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())),
        "{error:?}"
    );
}

#[test]
fn a_file_in_a_directorys_place_is_an_error() {
    let place = Place::new();
    place.write("ws/.basis", "");
    assert_eq!(
        place.error(),
        "cannot read ws/.basis/hooks.json; repair the path, or its permissions: \
         Not a directory (os error 20)"
    );
}

#[test]
fn a_name_that_no_file_can_have_is_an_error() {
    let mut place = Place::new();
    place.config = place.config.with_workspace_file("x".repeat(300));
    assert!(place.error().contains("File name too long"));
    place.config = place.config.with_workspace_file("a\0b");
    assert!(place.error().starts_with("cannot read ws/a\0b;"));
}

// Without a call to make one on Apple's systems.
#[cfg(not(target_vendor = "apple"))]
#[test]
fn a_pipe_without_a_writer_is_an_error_and_not_a_wait() {
    let place = Place::new();
    fs::create_dir(place.path("ws/.basis")).expect("a directory");
    let pipe = place.path("ws/.basis/hooks.json");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).expect("a pipe");
    assert_eq!(
        place.error(),
        "ws/.basis/hooks.json is a named pipe, not a hooks file; remove it or put the file in its place"
    );
}

#[test]
fn a_device_or_a_socket_is_an_error() {
    let place = Place::new();
    fs::create_dir(place.path("ws/.basis")).expect("a directory");
    let path = place.path("ws/.basis/hooks.json");
    symlink("/dev/zero", &path).expect("a link");
    assert_eq!(
        place.error(),
        "ws/.basis/hooks.json is a device, not a hooks file; remove it or put the file in its place"
    );
    fs::remove_file(&path).expect("removed");
    let _listener = UnixListener::bind(&path).expect("a socket");
    assert_eq!(
        place.error(),
        "ws/.basis/hooks.json is a socket, not a hooks file; remove it or put the file in its place"
    );
}
