//! Rules about files: patterns as in `.gitignore`.

use std::path::Path;

use super::{
    RuleBase,
    glob::{Glob, Steps},
};

/// A longer path is none that a system would open; the rule holds for it.
const LONGEST_PATH: usize = 16 * 1024;

/// A pattern for paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathPattern {
    from: From,
    /// Whether only folders are meant, and so what is in them.
    folder: bool,
    segments: Vec<Segment>,
}

/// Where the pattern begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    /// `//…`
    Root,
    /// `~/…`
    Home,
    /// `/…`
    Settings,
    /// Anything else.
    Cwd,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// `**`: any number of folders.
    Any,
    /// `..`
    Up,
    One(Glob),
}

impl PathPattern {
    pub(super) fn parse(pattern: &str) -> Self {
        let (from, rest) = if let Some(rest) = pattern.strip_prefix("//") {
            (From::Root, rest)
        } else if let Some(rest) = pattern.strip_prefix("~/") {
            (From::Home, rest)
        } else if let Some(rest) = pattern.strip_prefix('/') {
            (From::Settings, rest)
        } else {
            (From::Cwd, pattern)
        };
        let trimmed = rest.trim_end_matches('/');
        let written: Vec<&str> = trimmed
            .split('/')
            .filter(|segment| !matches!(*segment, "" | "."))
            .collect();
        // A name alone is looked for at any depth; a path is not.
        let anywhere = from == From::Cwd && !trimmed.contains('/');
        let any_depth = anywhere.then_some(Segment::Any);
        let segments = written.into_iter().map(|segment| match segment {
            "**" => Segment::Any,
            ".." => Segment::Up,
            name => Segment::One(Glob::name(name)),
        });
        Self {
            from,
            folder: trimmed.len() < rest.len(),
            segments: any_depth.into_iter().chain(segments).collect(),
        }
    }

    /// Whether a path is meant, or a folder above it.
    pub(super) fn holds(&self, path: &str, cwd: &Path, base: &RuleBase) -> bool {
        let cwd = cwd.to_string_lossy();
        if path.len() > LONGEST_PATH || cwd.len() > LONGEST_PATH {
            return true;
        }
        let text = |path: &Option<std::path::PathBuf>| {
            path.as_ref()
                .map(|path| path.to_string_lossy().into_owned())
        };
        let from = match self.from {
            From::Root => Some(String::new()),
            From::Home => text(&base.home),
            From::Settings => text(&base.settings_root),
            From::Cwd => Some(cwd.clone().into_owned()),
        };
        // Where it begins is not known, so that it may be this path.
        let Some(from) = from else { return true };
        let mut from = resolved(&from);
        let home = base.home.as_ref().map(|home| home.to_string_lossy());
        let path = match (path.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => resolved(&format!("{home}/{rest}")),
            _ if path.starts_with('/') => resolved(path),
            _ => resolved(&format!("{cwd}/{path}")),
        };
        let mut segments = self.segments.as_slice();
        // What is above is compared with names above, so that `../*` is not about what is below.
        if matches!(segments, [Segment::Up, ..]) && path.starts_with(&from) {
            return false;
        }
        while let [Segment::Up, rest @ ..] = segments {
            from.pop();
            segments = rest;
        }
        let Some(below) = path.strip_prefix(from.as_slice()) else {
            return false;
        };
        // With nothing to look for, the folder itself is meant, and all that is in it.
        segments.is_empty() || reaches(segments, below, self.folder)
    }
}

/// The parts of a path, without `.` and `..`.
fn resolved(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part.to_owned()),
        }
    }
    parts
}

/// Whether the pattern is the path or a folder above it, found by going through the path once with all that the pattern
/// may have come to.
fn reaches(pattern: &[Segment], path: &[String], folder: bool) -> bool {
    let mut states = vec![false; pattern.len() + 1];
    if let Some(first) = states.first_mut() {
        *first = true;
    }
    skip_any(pattern, &mut states);
    let mut steps = Steps::default();
    for (index, name) in path.iter().enumerate() {
        let mut next = vec![false; pattern.len() + 1];
        for (at, segment) in pattern.iter().enumerate() {
            if !states.get(at).copied().unwrap_or_default() {
                continue;
            }
            let reached = match segment {
                // At the end it stands for everything in the folder.
                Segment::Any if at + 1 == pattern.len() => at..=at + 1,
                Segment::Any => at..=at,
                Segment::One(glob) if glob.matches_within(name, &mut steps) => at + 1..=at + 1,
                Segment::One(_) | Segment::Up => continue,
            };
            next.get_mut(reached)
                .into_iter()
                .flatten()
                .for_each(|state| *state = true);
        }
        skip_any(pattern, &mut next);
        states = next;
        let last = index + 1 == path.len();
        if states.last().copied().unwrap_or_default() && !(folder && last) {
            return true;
        }
    }
    false
}

/// Any number of folders may be none.
fn skip_any(pattern: &[Segment], states: &mut [bool]) {
    for (at, segment) in pattern.iter().enumerate() {
        // A `**` at the end stands for what is in the folder, and not for the folder.
        let last = at + 1 == pattern.len();
        let skipped = *segment == Segment::Any && !last && states.get(at) == Some(&true);
        if let Some(next) = states.get_mut(at + 1).filter(|_| skipped) {
            *next = true;
        }
    }
}
