//! What the user of Codex trusts.
//!
//! Codex runs a hook that somebody has looked at, and recognises it by a hash under a name made of its file, its event and
//! its place there. [`hook_dialect::config`] knows both.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
};

use hook_dialect::config::WhyNotRun;
use toml_edit::{DocumentMut, Item, TableLike};

use super::{
    change::{Change, find},
    entry::{Entry, Spot},
    error::SettingsError,
    file::File,
    guard::Guard,
    known::Known,
    place::Place,
    record::Record,
    toml,
};

/// Writes down that the entry is trusted at its places in this file, where it is not. It was said in so many words, and of
/// nothing else.
pub(super) fn given(
    guard: &Guard,
    place: &Place,
    entry: &Entry,
) -> Result<Option<Change>, SettingsError> {
    let names: HashSet<String> = names(place, |found| found == entry)?.into_iter().collect();
    let mut wanted: Vec<(&str, &str)> = Vec::new();
    for why in guard.refused() {
        if let WhyNotRun::NotTrusted { key, hash, .. }
        | WhyNotRun::ChangedSinceTrusted { key, hash, .. } = why
            && names.contains(key)
        {
            wanted.push((key, hash));
        }
    }
    let Some(kept) = place.trust_place().filter(|_| !wanted.is_empty()) else {
        return Ok(None);
    };
    let file = kept.read()?;
    let mut text = file.text.clone().unwrap_or_default();
    for (key, hash) in wanted {
        text = trusting(&kept, &text, key, hash)?;
    }
    Ok(Some(Change::to(file, text)))
}

fn trusting(place: &Place, text: &str, key: &str, hash: &str) -> Result<String, SettingsError> {
    let mut document = toml::parse(place, text)?;
    if let Some(known) =
        state(&mut document).and_then(|state| state.get_mut(key)?.as_table_like_mut())
    {
        if text.contains('\r') {
            return Err(SettingsError::TouchesMore {
                path: place.path.clone(),
            });
        }
        known.insert("trusted_hash", toml_edit::value(hash));
        return Ok(document.to_string());
    }
    let new = toml::append(text, &lines(key, hash));
    toml::parse(place, &new).map_err(|_inline| SettingsError::Inline {
        path: place.path.clone(),
    })?;
    Ok(new)
}

fn lines(key: &str, hash: &str) -> String {
    let (header, hash) = (header(key), toml::literal(hash));
    format!("\n{header}\ntrusted_hash = {hash}\n")
}

fn header(key: &str) -> String {
    format!("[hooks.state.{}]", toml::literal(key))
}

fn state(document: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    let hooks = document.get_mut("hooks")?.as_table_like_mut()?;
    hooks.get_mut("state")?.as_table_like_mut()
}

/// Forgets that the bridge's hooks in this file are trusted: another hook may come to stand in their place.
pub(super) fn taken_back(
    place: &Place,
    program: Option<&str>,
) -> Result<Option<Change>, SettingsError> {
    let Some(kept) = place.trust_place() else {
        return Ok(None);
    };
    let names = names_with(place, program, |_any| true)?;
    if names.is_empty() {
        return Ok(None);
    }
    let file = kept.read()?;
    let Some(text) = file.text.clone() else {
        return Ok(None);
    };
    let new = forgetting(&kept, &text, &names)?;
    if new == text {
        return Ok(None);
    }
    // What was added was added at the end, after a line end that may have been missing.
    let before = before(&file, &new);
    Ok(Some(Change::back_to(file, before.unwrap_or(new))))
}

fn before(file: &File, new: &str) -> Option<String> {
    let mut copies = file.copies().into_iter().map(|(_, copy)| copy).rev();
    copies.find(|before| {
        let mut again = before.clone();
        if !again.is_empty() && !again.ends_with('\n') {
            again.push_str(toml::line_end(before));
        }
        again == new
    })
}

fn forgetting(place: &Place, text: &str, names: &[String]) -> Result<String, SettingsError> {
    let mut document = toml::parse(place, text)?;
    let Some(state) = state(&mut document) else {
        return Ok(text.to_owned());
    };
    let end = toml::line_end(text);
    // What was written, by its first line.
    let mut written = HashMap::new();
    for name in names {
        if let Some(entry) = state.get(name) {
            let hash = entry.get("trusted_hash").and_then(Item::as_str);
            let lines = lines(name, hash.unwrap_or_default()).replace('\n', end);
            written.insert(header(name), (name, lines));
        }
    }
    let mut new = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in text.match_indices(&format!("{end}[")) {
        let rest = text.get(at..).unwrap_or_default();
        let line = rest.trim_start().lines().next().unwrap_or_default();
        if let Some((_, lines)) = written.get(line)
            && let Some(after) = rest.strip_prefix(lines.as_str())
            && (after.is_empty() || after.starts_with(['\r', '\n', '[']))
        {
            let lines = lines.len();
            written.remove(line);
            new.push_str(text.get(from..at).unwrap_or_default());
            from = at + lines;
        }
    }
    new.push_str(text.get(from..).unwrap_or_default());
    for name in names {
        state.remove(name);
    }
    // The lines may have stood in a text; what is meant is what the document says.
    if written.is_empty() && toml::parse(place, &new).is_ok_and(|new| toml::same(&new, &document)) {
        return Ok(new);
    }
    // It was laid out anew since.
    if text.contains('\r') {
        return Err(SettingsError::TouchesMore {
            path: place.path.clone(),
        });
    }
    Ok(document.to_string())
}

/// The names under which trust in such entries of this file is kept.
fn names(place: &Place, wanted: impl Fn(&Entry) -> bool) -> Result<Vec<String>, SettingsError> {
    names_with(place, None, wanted)
}

fn names_with(
    place: &Place,
    program: Option<&str>,
    wanted: impl Fn(&Entry) -> bool,
) -> Result<Vec<String>, SettingsError> {
    let file = place.read()?;
    let Some(text) = &file.text else {
        return Ok(Vec::new());
    };
    let record = Record::of(&file.real);
    let programs = record.programs.into_iter();
    let known = Known::with(programs.chain(program.map(str::to_owned)));
    let mut paths: Vec<PathBuf> = std::path::absolute(&place.path).into_iter().collect();
    paths.extend(Some(file.real.clone()).filter(|real| !paths.contains(real)));
    let ours = find(place, &known, text)?.ours;
    let spots: Vec<Spot> = ours
        .into_iter()
        .filter(|ours| wanted(&ours.entry))
        .map(|ours| ours.spot)
        .collect();
    let named = |path: &Path| {
        let path = path.display().to_string();
        let names = spots.iter().map(move |spot| format!("{path}:{spot}"));
        names.collect::<Vec<_>>()
    };
    Ok(paths.iter().flat_map(|path| named(path)).collect())
}
