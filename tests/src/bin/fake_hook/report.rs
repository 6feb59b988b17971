//! What the system gave this process.

use std::{collections::BTreeMap, env, fs};

use serde_json::{Value, json};

/// Environment, directory, arguments, descriptors, group and session.
pub(crate) fn report() -> Value {
    let variables: BTreeMap<String, String> = env::vars().collect();
    let words: Vec<String> = env::args().collect();
    let directory = env::current_dir().map(|path| path.display().to_string());
    let session = rustix::process::getsid(None).expect("a session");
    json!({
        "environment": variables,
        "words": words,
        "directory": directory.unwrap_or_default(),
        "descriptors": descriptors(),
        "process": rustix::process::getpid().as_raw_nonzero().get(),
        "group": rustix::process::getpgrp().as_raw_nonzero().get(),
        "session": session.as_raw_nonzero().get(),
    })
}

/// What the open descriptors are, by number; without the one that is opened to look.
fn descriptors() -> BTreeMap<String, String> {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else {
        return BTreeMap::new();
    };
    entries
        .flatten()
        .filter_map(|entry| {
            let target = fs::read_link(entry.path()).ok()?.display().to_string();
            let kind = target.split(':').next().unwrap_or_default().to_owned();
            let own = target.contains("/proc/") && target.ends_with("/fd");
            (!own).then(|| (entry.file_name().to_string_lossy().into_owned(), kind))
        })
        .collect()
}
