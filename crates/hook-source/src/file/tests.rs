use std::{fs, path::Path};

use tempfile::TempDir;

use super::*;

const READER: FileReader = FileReader::new("a list");

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

#[track_caller]
fn refused(reader: &FileReader, path: &Path) -> FileError {
    reader.read(path).expect_err("an error")
}

#[test]
fn a_text_is_read_without_its_mark_and_known_by_its_file() {
    let folder = folder();
    let path = folder.path().join("f");
    fs::write(&path, "\u{feff}x\r\n").expect("a file");
    let file = READER.read(&path).expect("readable").expect("a file");
    assert_eq!(file.text, "x\r\n");
    let again = folder.path().join("./f");
    let again = READER.read(&again).expect("readable").expect("a file");
    assert_eq!(file.id, again.id);
    let other = folder.path().join("g");
    fs::write(&other, "").expect("a file");
    let other = READER.read(&other).expect("readable").expect("a file");
    assert_ne!(file.id, other.id);
}

#[test]
fn only_not_found_means_that_there_is_no_file() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    assert!(READER.read(&at("nothing/f")).expect("no file").is_none());
    fs::create_dir(at("d")).expect("a folder");
    let error = refused(&READER, &at("d"));
    let expected = format!(
        "{} is a directory, not a list; remove it or put the file in its place",
        at("d").display()
    );
    assert_eq!((error.code(), error.to_string()), ("not_a_file", expected));
    fs::write(at("f"), "").expect("a file");
    assert_eq!(refused(&READER, &at("f/g")).code(), "read");
    assert_eq!(refused(&READER, &at("f/g")).path(), at("f/g"));
}

#[test]
fn a_file_has_a_limit_and_is_text() {
    let folder = folder();
    let path = folder.path().join("f");
    let reader = READER.with_limit(4);
    fs::write(&path, "1234").expect("a file");
    assert!(reader.read(&path).expect("readable").is_some());
    fs::write(&path, "12345").expect("a file");
    assert_eq!(refused(&reader, &path).code(), "too_large");
    fs::write(&path, b"a\n\xff").expect("a file");
    let error = refused(&reader, &path);
    assert!(
        error
            .to_string()
            .ends_with("f:2:1: the file is not UTF-8 text; save it as UTF-8")
    );
    let FileError::NotText { text, span, .. } = error else {
        panic!("{error:?}");
    };
    assert_eq!(text.get(span), Some("\u{fffd}"));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_to_nothing_is_not_an_absent_file() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        symlink("nowhere", at("l")).expect("a link");
        for path in ["l", "l/f"] {
            let FileError::DanglingLink { link, .. } = refused(&READER, &at(path)) else {
                panic!("{path}");
            };
            assert_eq!(link, at("l"));
        }
    }

    #[test]
    fn a_pipe_is_not_waited_for() {
        let folder = folder();
        let path = folder.path().join("p");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).expect("a pipe");
        let error = refused(&READER, &path);
        assert!(
            error.to_string().contains("is a named pipe, not a list"),
            "{error}"
        );
    }

    #[test]
    fn no_device_is_opened_and_none_is_read_without_an_end() {
        let folder = folder();
        for device in ["/dev/zero", "/dev/null", "/dev/full", "/dev/random"] {
            let path = folder.path().join("l");
            symlink(device, &path).expect("a link");
            assert_eq!(refused(&READER, &path).code(), "not_a_file", "{device}");
            fs::remove_file(&path).expect("removed");
        }
    }

    #[test]
    fn a_link_is_no_file_where_it_is_asked_for() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("f"), "x").expect("a file");
        symlink("f", at("l")).expect("a link");
        symlink(".", at("way")).expect("a link");
        let reader = READER.without_link();
        for name in ["f", "way/f"] {
            assert!(reader.read(&at(name)).expect(name).is_some());
        }
        let error = refused(&reader, &at("l"));
        assert_eq!(error.code(), "not_a_file");
        assert!(error.to_string().contains("a symbolic link"), "{error}");
    }

    #[test]
    fn what_is_opened_can_be_read_by_others() {
        let folder = folder();
        let path = folder.path().join("f");
        fs::write(&path, "\u{feff}x").expect("a file");
        let opened = READER.open(&path).expect("readable").expect("a file");
        let text = io::read_to_string(opened.into_file()).expect("text");
        assert_eq!(text, "\u{feff}x", "as it is");
    }

    #[test]
    fn a_file_that_must_lie_inside_a_folder_does_not_lead_out_of_it() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("in")).expect("a folder");
        fs::write(at("in/f"), "1").expect("a file");
        fs::write(at("secret"), "2").expect("a file");
        symlink("../secret", at("in/out")).expect("a link");
        symlink("f", at("in/inside")).expect("a link");
        symlink("in", at("way")).expect("a link");
        let reader = READER.within(at("way"));
        for name in ["in/f", "in/inside", "way/f"] {
            assert!(reader.read(&at(name)).expect(name).is_some());
        }
        for name in ["in/out", "secret", "in/../secret"] {
            assert_eq!(refused(&reader, &at(name)).code(), "outside", "{name}");
        }
        assert!(reader.read(&at("in/none")).expect("none").is_none());
    }
}
