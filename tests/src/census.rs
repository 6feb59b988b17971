//! Who is running, and which descriptors are open. By `/proc`, so on Linux only.

use std::{
    fs,
    path::Path,
    process,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use crate::PATIENCE;

/// One process of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub id: u32,
    /// The number of the process that must wait for it.
    pub parent: u32,
    /// Its process group.
    pub group: u32,
    /// The system's letter for its state; `Z` for one that has ended and was not waited for.
    pub state: char,
}

impl Process {
    fn read(directory: &Path) -> Option<Self> {
        let id = directory.file_name()?.to_str()?.parse().ok()?;
        let stat = fs::read_to_string(directory.join("stat")).ok()?;
        // The name stands in parentheses and may hold anything.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        Some(Self {
            id,
            state: fields.next()?.chars().next()?,
            parent: fields.next()?.parse().ok()?,
            group: fields.next()?.parse().ok()?,
        })
    }

    fn of(id: u32) -> Option<Self> {
        Self::read(&Path::new("/proc").join(id.to_string()))
    }

    /// Whether it was killed, and has not been running since.
    fn is_killed(&self) -> bool {
        const SIGKILL: u64 = 1 << 8;
        let status = fs::read_to_string(format!("/proc/{}/status", self.id)).unwrap_or_default();
        status.lines().any(|line| {
            let pending = ["SigPnd:", "ShdPnd:"]
                .iter()
                .find_map(|name| line.strip_prefix(name));
            let pending = pending.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            pending.is_some_and(|mask| mask & SIGKILL != 0)
        })
    }

    /// Whether it can still do something.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        !matches!(self.state, 'Z' | 'X')
    }
}

/// Every process there is.
#[must_use]
pub fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").expect("/proc");
    entries
        .flatten()
        .filter_map(|entry| Process::read(&entry.path()))
        .collect()
}

/// Only one test of a process may count what the process has.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What this process has: its children, ended ones included, and its open descriptors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    children: Vec<Process>,
    descriptors: Vec<String>,
}

impl Census {
    /// Counts now.
    #[must_use]
    pub fn take() -> Self {
        let own = process::id();
        let mut children: Vec<_> = processes()
            .into_iter()
            .filter(|one| one.parent == own)
            .collect();
        children.sort_by_key(|child| child.id);
        let mut descriptors: Vec<_> = fs::read_dir("/proc/self/fd")
            .expect("/proc")
            .flatten()
            .filter_map(|entry| {
                let target = fs::read_link(entry.path()).ok()?.display().to_string();
                // The one that is opened to look has another number each time.
                let own = target.starts_with("/proc/") && target.ends_with("/fd");
                (!own).then(|| format!("{} {target}", entry.file_name().display()))
            })
            .collect();
        descriptors.sort();
        Self {
            children,
            descriptors,
        }
    }

    /// How many children there are, ended ones included.
    #[must_use]
    pub fn children(&self) -> usize {
        self.children.len()
    }

    /// How many descriptors are open.
    #[must_use]
    pub fn descriptors(&self) -> usize {
        self.descriptors.len()
    }

    /// Nothing came to what there was: no child, no zombie, no descriptor.
    ///
    /// A machine that is busy may leave a killed child no time to die in; that one is waited for here. It is reaped by
    /// the next start, so the next census finds out if it is not.
    #[track_caller]
    pub fn assert_unchanged(&self, after: &str) {
        let mut now = Self::take();
        now.children.retain(|child| {
            let is_killed = child.is_killed();
            if is_killed {
                assert_none(|| Process::of(child.id).filter(Process::is_alive));
            }
            !is_killed
        });
        assert_eq!(now, *self, "after {after}");
    }
}

/// Waits until that process is gone, or has ended and waits only for its parent to notice.
#[track_caller]
pub fn assert_gone(id: &str) {
    let id: u32 = id.trim().parse().expect("a process id");
    let alive = || {
        processes()
            .into_iter()
            .find(|one| one.id == id && one.is_alive())
    };
    assert_none(alive);
}

/// Waits until nobody is left in that process group.
#[track_caller]
pub fn assert_group_gone(group: &str) {
    let group: u32 = group.trim().parse().expect("a process group");
    assert_none(|| {
        processes()
            .into_iter()
            .find(|one| one.group == group && one.is_alive())
    });
}

/// Waits until nobody has that directory, or one below it, as working directory.
#[track_caller]
pub fn assert_nobody_in(directory: &Path) {
    assert_none(|| somebody_in(directory));
}

/// Whether nobody has that directory, or one below it, as working directory at this moment.
#[must_use]
pub fn is_nobody_in(directory: &Path) -> bool {
    somebody_in(directory).is_none()
}

fn somebody_in(directory: &Path) -> Option<Process> {
    processes().into_iter().find(|one| {
        let place = fs::read_link(format!("/proc/{}/cwd", one.id));
        one.is_alive() && place.is_ok_and(|place| place.starts_with(directory))
    })
}

/// Whether that process is there and can do something.
#[must_use]
pub fn is_alive(id: &str) -> bool {
    let id: Option<u32> = id.trim().parse().ok();
    processes()
        .into_iter()
        .any(|one| Some(one.id) == id && one.is_alive())
}

/// A process that was killed dies on its own time; it has far less than a fake hook lives.
#[track_caller]
fn assert_none(find: impl Fn() -> Option<Process>) {
    let until = Instant::now() + PATIENCE;
    while let Some(process) = find() {
        assert!(Instant::now() < until, "{process:?} is still there");
        thread::sleep(Duration::from_millis(2));
    }
}
