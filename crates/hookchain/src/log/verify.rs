//! `hookchain log --verify`: whether recorded lines are as they were written.

use std::path::Path;

use hook_audit::{Digest, Verified, VerifyError, verify};
use serde_json::json;

use super::print_line;
use crate::{
    cli::Format,
    command_error::CommandError,
    page::{BOLD, DIM, GREEN, PLAIN, Page, RED},
    status::Status,
    streams::Output,
};

pub(super) fn run(
    directory: &Path,
    kept: Option<Digest>,
    format: Format,
    output: Output,
) -> Result<Status, CommandError> {
    match verify(directory, kept) {
        Ok(verified) => {
            match format {
                Format::Json => print_line(&report(&verified).to_string())?,
                Format::Human => output
                    .styled(&holds(&verified).text)
                    .map_err(CommandError::Write)?,
            }
            Ok(Status::Done)
        }
        Err(error @ (VerifyError::Broken { .. } | VerifyError::Cut { .. })) => {
            match format {
                Format::Json => print_line(&problem(&error).to_string())?,
                Format::Human => output
                    .styled(&broken(&error).text)
                    .map_err(CommandError::Write)?,
            }
            Ok(Status::Trouble)
        }
        Err(error) => Err(CommandError::Verify(error)),
    }
}

fn report(verified: &Verified) -> serde_json::Value {
    json!({
        "holds": true,
        "lines": verified.links,
        "cut_off": verified.cut_off,
        "first": verified.first,
        "last": verified.last,
    })
}

fn problem(error: &VerifyError) -> serde_json::Value {
    match error {
        VerifyError::Broken {
            path, number, what, ..
        } => json!({
            "holds": false,
            "file": path.display().to_string(),
            "line": number,
            "problem": what.to_string(),
        }),
        VerifyError::Read(_) | VerifyError::NoChain { .. } | VerifyError::Cut { .. } | _ => {
            json!({"holds": false, "problem": error.to_string()})
        }
    }
}

fn holds(verified: &Verified) -> Page {
    let mut page = Page::default();
    let count = format!("{} lines", verified.links);
    page.line(&[
        (GREEN.bold(), &count),
        (
            PLAIN,
            " are as they were written, in the order in which they were",
        ),
    ]);
    if verified.cut_off > 0 {
        let text = format!(
            "{} more were cut off when their writers were killed",
            verified.cut_off
        );
        page.line(&[(PLAIN, &text)]);
    }
    if verified.first != Digest::NONE {
        page.line(&[(
            PLAIN,
            "the first one was written after others, which are not there any more",
        )]);
    }
    page.line(&[(DIM, "last digest: "), (BOLD, &verified.last.to_string())]);
    page.line(&[(
        DIM,
        "(keep it somewhere else: with --kept it shows later that the end was not cut off)",
    )]);
    page
}

fn broken(error: &VerifyError) -> Page {
    let mut page = Page::default();
    page.paragraph(
        "",
        &[(RED.bold(), "not as it was written: ")],
        &error.to_string(),
    );
    page
}
