use std::{fs, path::PathBuf};

use tempfile::TempDir;

use super::*;

/// A folder with a file of settings, and what is to take its place.
struct Scene {
    root: TempDir,
    folder: OwnedFd,
    updates: usize,
}

impl Scene {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let folder = folder(root.path()).expect("opened");
        let scene = Self {
            root,
            folder,
            updates: 0,
        };
        scene.write("seat", "before");
        scene.write("staged", "ours");
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("written");
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }

    /// What another program does that saves the settings: a new file is renamed over the old one.
    fn update(&mut self) {
        self.updates += 1;
        self.write("theirs", &format!("update {}", self.updates));
        fs::rename(self.path("theirs"), self.path("seat")).expect("renamed");
    }

    fn last_update(&self) -> String {
        format!("update {}", self.updates)
    }
}

fn exchanged(scene: &mut Scene, mut acts: impl FnMut(&mut Scene, usize)) -> Swapped {
    let folder = scene.folder.try_clone().expect("the folder");
    let seat = Seat {
        folder: &folder,
        name: OsStr::new("seat"),
    };
    let mut step = 0;
    let mut between = |_step: Step| {
        step += 1;
        acts(scene, step);
    };
    seat.exchange(OsStr::new("staged"), b"before", &mut between)
        .expect("done")
}

#[test]
fn what_was_expected_comes_out() {
    let mut scene = Scene::new();
    assert_eq!(exchanged(&mut scene, |_, _| {}), Swapped::Done);
    assert_eq!(scene.read("seat").as_deref(), Some("ours"));
    assert_eq!(scene.read("staged").as_deref(), Some("before"));
}

/// Another program acts before the swap, and at any of its steps: whatever it wrote last is in the seat at the end, unless
/// that was before a swap that found what it expected.
#[test]
fn an_update_is_never_lost_whenever_it_comes() {
    for acts in 0_u32..1 << 7 {
        let acts_at = |step: usize| acts >> step & 1 == 1;
        let mut scene = Scene::new();
        if acts_at(0) {
            scene.update();
        }
        let ended = exchanged(&mut scene, |scene, step| {
            if acts_at(step) {
                scene.update();
            }
        });
        let seat = scene.read("seat");
        if scene.updates > 0 {
            assert_eq!(seat, Some(scene.last_update()), "{acts:b}");
        } else {
            assert_eq!(seat.as_deref(), Some("ours"), "{acts:b}");
        }
        // The last look before the swap is step 1.
        let early = acts_at(0) || acts_at(1);
        assert_eq!(ended == Swapped::Changed, early, "{acts:b}");
    }
}

#[test]
fn a_file_that_is_removed_meanwhile_is_not_made_again() {
    let mut scene = Scene::new();
    fs::remove_file(scene.path("seat")).expect("removed");
    assert_eq!(exchanged(&mut scene, |_, _| {}), Swapped::Changed);
    assert_eq!(scene.read("seat"), None);
    // An update, and then the removal of what was put in its place: the update is kept.
    let mut scene = Scene::new();
    let ended = exchanged(&mut scene, |scene, step| match step {
        1 => scene.update(),
        3 => fs::remove_file(scene.path("seat")).expect("removed"),
        _ => {}
    });
    assert_eq!(ended, Swapped::Changed);
    assert_eq!(scene.read("seat"), Some(scene.last_update()));
}

#[test]
fn another_kind_of_file_goes_back() {
    let mut scene = Scene::new();
    scene.write("elsewhere", "before");
    let ended = exchanged(&mut scene, |scene, step| {
        if step == 1 {
            fs::remove_file(scene.path("seat")).expect("removed");
            std::os::unix::fs::symlink("elsewhere", scene.path("seat")).expect("linked");
        }
    });
    assert_eq!(ended, Swapped::Changed);
    assert!(scene.path("seat").is_symlink());
    assert_eq!(scene.read("elsewhere").as_deref(), Some("before"));
}

#[test]
fn a_seat_is_filled_only_when_it_is_empty() {
    let scene = Scene::new();
    let seat = Seat {
        folder: &scene.folder,
        name: OsStr::new("seat"),
    };
    let staged = OsStr::new("staged");
    assert_eq!(seat.fill(staged).expect("done"), Swapped::Changed);
    assert_eq!(scene.read("seat").as_deref(), Some("before"));
    fs::remove_file(scene.path("seat")).expect("removed");
    assert_eq!(seat.fill(staged).expect("done"), Swapped::Done);
    assert_eq!(scene.read("seat").as_deref(), Some("ours"));
}

#[test]
fn a_seat_is_emptied_only_of_what_was_expected() {
    for (late, early) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut scene = Scene::new();
        if early {
            scene.update();
        }
        let folder = scene.folder.try_clone().expect("the folder");
        let seat = Seat {
            folder: &folder,
            name: OsStr::new("seat"),
        };
        let mut between = |step: Step| {
            if late && step == Step::Compared {
                scene.update();
            }
        };
        let ended = seat.empty(OsStr::new("aside"), b"before", &mut between);
        let ended = ended.expect("done");
        assert_eq!(ended == Swapped::Changed, early);
        let kept = (early || late).then(|| scene.last_update());
        assert_eq!(scene.read("seat"), kept, "{early} {late}");
    }
}
