//! What the user of Codex trusts.
//!
//! Codex runs a hook that somebody has looked at, and recognises it by a hash under a name made of its file, its event and
//! its place there. [`hook_dialect::config`] knows both.

use std::path::{Path, PathBuf};

use hook_dialect::config::WhyNotRun;
use toml_edit::{DocumentMut, Item, TableLike};

use super::{
    change::Change,
    error::SettingsError,
    file::File,
    guard::Guard,
    json,
    place::{Place, Syntax},
    toml,
};

/// Writes down that the bridge's hooks are trusted, where they are not. It was said in so many words.
pub(super) fn given(guard: &Guard) -> Result<Option<Change>, SettingsError> {
    let wanted: Vec<(&str, &str)> = guard
        .refused()
        .filter_map(|why| {
            if let WhyNotRun::NotTrusted { key, hash, .. }
            | WhyNotRun::ChangedSinceTrusted { key, hash, .. } = why
            {
                Some((key.as_str(), hash.as_str()))
            } else {
                None
            }
        })
        .collect();
    let Some(place) = guard.trust_place().filter(|_| !wanted.is_empty()) else {
        return Ok(None);
    };
    let file = File::read(&place.path)?;
    let mut text = file.text.clone().unwrap_or_default();
    for (key, hash) in wanted {
        text = trusting(&place, &text, key, hash)?;
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
    let (key, hash) = (toml::literal(key), toml::literal(hash));
    format!("\n[hooks.state.{key}]\ntrusted_hash = {hash}\n")
}

fn state(document: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    let hooks = document.get_mut("hooks")?.as_table_like_mut()?;
    hooks.get_mut("state")?.as_table_like_mut()
}

/// Forgets that the bridge's hooks in this file are trusted: another hook may come to stand in their place.
pub(super) fn taken_back(place: &Place) -> Result<Option<Change>, SettingsError> {
    let Some(trust) = &place.trust else {
        return Ok(None);
    };
    let kept = Place {
        path: trust.clone(),
        format: Syntax::Toml,
        ..place.clone()
    };
    let names = names(place)?;
    let file = File::read(&kept.path)?;
    let Some(text) = file.text.clone().filter(|_| !names.is_empty()) else {
        return Ok(None);
    };
    let mut new = text.clone();
    for name in &names {
        new = forgetting(&kept, &new, name)?;
    }
    if new == text {
        return Ok(None);
    }
    // What was added was added at the end, after a line end that may have been missing.
    let before = file.before().filter(|before| {
        let mut again = before.clone();
        if !again.is_empty() && !again.ends_with('\n') {
            again.push_str(toml::line_end(before));
        }
        again == new
    });
    Ok(Some(Change::back_to(file, before.unwrap_or(new))))
}

fn forgetting(place: &Place, text: &str, name: &str) -> Result<String, SettingsError> {
    let mut document = toml::parse(place, text)?;
    let Some(state) = state(&mut document) else {
        return Ok(text.to_owned());
    };
    let Some(entry) = state.get(name) else {
        return Ok(text.to_owned());
    };
    let hash = entry
        .get("trusted_hash")
        .and_then(Item::as_str)
        .unwrap_or_default();
    let lines = lines(name, hash).replace('\n', toml::line_end(text));
    if let Some((before, after)) = text.split_once(&lines)
        && (after.is_empty() || after.starts_with(['\r', '\n', '[']))
    {
        return Ok(format!("{before}{after}"));
    }
    if text.contains('\r') {
        return Err(SettingsError::TouchesMore {
            path: place.path.clone(),
        });
    }
    state.remove(name);
    Ok(document.to_string())
}

/// The names under which trust in the bridge's hooks in this file is kept.
fn names(place: &Place) -> Result<Vec<String>, SettingsError> {
    let Some(text) = File::read(&place.path)?.text else {
        return Ok(Vec::new());
    };
    let mut paths: Vec<PathBuf> = std::path::absolute(&place.path).into_iter().collect();
    paths.extend(
        place
            .path
            .canonicalize()
            .ok()
            .filter(|real| !paths.contains(real)),
    );
    let spots = match place.format {
        Syntax::Json => json::spots(place, &text)?,
        Syntax::Toml => toml::spots(place, &text)?,
    };
    let named = |path: &Path| {
        let path = path.display().to_string();
        let names = spots.iter().map(move |spot| format!("{path}:{spot}"));
        names.collect::<Vec<_>>()
    };
    Ok(paths.iter().flat_map(|path| named(path)).collect())
}
