//! Texts that are too long for the model.

use std::{io::Write, path::Path};

use super::new_file::new_file;
use crate::{HookOutput, config::Handler, dialect::LongTexts};

/// How many bytes a token has, as the agents reckon.
const TOKEN_BYTES: u64 = 4;

/// Puts texts that are too long into files of the folder, and says in their place where they are and how they begin.
pub(super) fn shorten(output: &mut HookOutput, handler: &Handler, long: LongTexts, folder: &Path) {
    let context = output.additional_context.as_mut();
    match long {
        LongTexts::Characters { most, shown } => {
            for text in context.into_iter().chain(output.system_message.as_mut()) {
                if text.chars().nth(most).is_some() {
                    *text = beginning(text, shown, folder);
                }
            }
        }
        LongTexts::Tokens(tokens) => {
            let most = handler.context_limit.unwrap_or(tokens);
            let bytes = usize::try_from(most.saturating_mul(TOKEN_BYTES)).unwrap_or(usize::MAX);
            if let Some(text) = context.filter(|text| most > 0 && text.len() > bytes) {
                *text = both_ends(text, bytes, folder);
            }
        }
    }
}

/// Where the whole text is; nothing where it could not be kept.
fn kept(text: &str, folder: &Path) -> Option<String> {
    let (path, mut file) = new_file(folder, "hook-text").ok()?;
    file.write_all(text.as_bytes()).ok()?;
    Some(path.display().to_string())
}

fn beginning(text: &str, shown: usize, folder: &Path) -> String {
    let start: String = text.chars().take(shown).collect();
    let place = match kept(text, folder) {
        Some(path) => format!("the full text is in {path}"),
        None => "the rest could not be kept".to_owned(),
    };
    let bytes = text.len();
    format!(
        "<persisted-output>\nThis text has {bytes} bytes, which is too long; {place}.\n\nIt begins with:\n{start}\n...\n\
         </persisted-output>"
    )
}

fn both_ends(text: &str, bytes: usize, folder: &Path) -> String {
    let place = match kept(text, folder) {
        Some(path) => format!("the full text is in {path}"),
        None => "it could not be kept".to_owned(),
    };
    let left = format!("\n[... {} bytes in all; {place} ...]\n", text.len());
    let half = bytes.saturating_sub(left.len()) / 2;
    let boundary = |place: &usize| text.is_char_boundary(*place);
    let head = (0..=half).rev().find(boundary).unwrap_or_default();
    let tail = (text.len().saturating_sub(half)..text.len()).find(boundary);
    let head = text.get(..head).unwrap_or_default();
    let tail = tail.and_then(|tail| text.get(tail..)).unwrap_or_default();
    format!("{head}{left}{tail}")
}

#[cfg(test)]
mod tests {
    use std::{fs, time::Duration};

    use super::*;
    use crate::{
        Dialect,
        config::{CommandForm, Shell},
    };

    fn handler() -> Handler {
        let (text, shell) = (String::new(), Shell::Posix);
        Handler::new(CommandForm::Shell { text, shell }, Duration::MAX)
    }

    fn shortened(dialect: &Dialect, handler: &Handler, text: &str, folder: &Path) -> HookOutput {
        let mut output = HookOutput {
            additional_context: Some(text.to_owned()),
            system_message: Some(text.to_owned()),
            reason: Some(text.to_owned()),
            ..HookOutput::default()
        };
        shorten(&mut output, handler, dialect.running.long, folder);
        // What somebody decided is never cut.
        assert_eq!(output.reason.as_deref(), Some(text));
        output
    }

    #[test]
    fn a_long_text_of_claude_code_is_kept_and_its_beginning_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let shown = |text: &str| {
            let output = shortened(Dialect::CLAUDE, &handler(), text, folder.path());
            let cut = |text: Option<String>| text.map(|text| text.len());
            assert_eq!(
                cut(output.additional_context.clone()),
                cut(output.system_message)
            );
            output.additional_context.expect("a text")
        };
        let most = "\u{e9}".repeat(10_000);
        assert_eq!(shown(&most), most);
        let long = format!("{most}.");
        let text = shown(&long);
        assert!(
            text.starts_with("<persisted-output>\nThis text has 20001 bytes"),
            "{text}"
        );
        assert_eq!(text.matches('\u{e9}').count(), 2_000);
        let files = fs::read_dir(folder.path()).expect("files");
        let kept: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        assert_eq!(kept.len(), 2);
        for path in kept {
            assert_eq!(fs::read_to_string(path).expect("a text"), long);
        }
        let gone = folder.path().join("gone");
        let output = shortened(Dialect::CLAUDE, &handler(), &long, &gone);
        let text = output.additional_context.expect("a text");
        assert!(text.contains("the rest could not be kept"), "{text}");
    }

    #[test]
    fn a_long_context_of_codex_is_shown_from_both_ends_within_its_own_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = format!("begin{}end", "\u{20ac}".repeat(4_000));
        let shown = |handler: Handler| {
            let output = shortened(Dialect::CODEX, &handler, &text, folder.path());
            assert_eq!(output.system_message.as_deref(), Some(&*text));
            output.additional_context.expect("a text")
        };
        let cut = shown(handler());
        assert!(cut.len() <= 10_000, "{}", cut.len());
        assert!(cut.starts_with("begin") && cut.ends_with("end") && cut.contains("hook-text-"));
        assert_eq!(shown(handler().with_context_limit(0)), text);
        assert_eq!(shown(handler().with_context_limit(4_000)), text);
        assert!(shown(handler().with_context_limit(50)).len() <= 400);
    }
}
