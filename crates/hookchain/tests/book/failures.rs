//! The guide to failures and the messages of the code: each has what the other has.

use std::collections::BTreeSet;

use super::{
    messages,
    page::{Page, page},
};

/// Messages that are not those of an error type, each with its file.
const OTHERS: [(&str, &str); 68] = [
    (
        "hookchain/src/bridge/error.rs",
        "hookchain cannot judge this, and so it is blocked: {self}",
    ),
    (
        "hookchain/src/serve/doubt.rs",
        "hookchain has decided this without the resident chain: {self}",
    ),
    (
        "hookchain/src/bridge/install/entry.rs",
        "hookchain gave no answer (exit status $s), and so this is blocked",
    ),
    (
        "hookchain/src/bridge/install/guard.rs",
        "its matcher `{pattern}` leaves other tools out; take the matcher away",
    ),
    (
        "hookchain/src/bridge/install/guard.rs",
        "in the background it decides nothing; take `async` away",
    ),
    (
        "hookchain/src/bridge/install/guard.rs",
        "it is not written as `hookchain bridge install` writes it, so that what it does is not known and it was left alone; remove it, and install the bridge",
    ),
    (
        "hookchain/src/bridge/install/page.rs",
        "left alone: it has words of the bridge, and is not what this program writes there; remove it by hand, or name its program with --program if it is an installation of yours",
    ),
    (
        "hookchain/src/bridge/install/change.rs",
        "note: what was done is not kept on record ({error}): `uninstall` leaves copies where they are, and finds another program than this one with --program",
    ),
    ("hook-runner/src/chain.rs", "denied by {who}: {reason}"),
    ("hook-runner/src/chain.rs", "denied by {who}"),
    ("hook-runner/src/chain.rs", "denied, because {who} {}"),
    (
        "hook-runner/src/walk.rs",
        "denied before any hook was asked: the input can be read as two different calls ({ambiguity})",
    ),
    (
        "hook-runner/src/walk.rs",
        "the result is withheld before any hook was asked: the input can be read as two different calls ({ambiguity})",
    ),
    (
        "hook-runner/src/walk.rs",
        "it was passed over (on_failure is allow)",
    ),
    ("hook-runner/src/walk.rs", "the call was denied"),
    ("hook-runner/src/walk.rs", "it printed on stderr:"),
    (
        "hook-runner/src/hook.rs",
        "its status was taken by somebody else: the host ignores SIGCHLD, or waits for children that are not its own",
    ),
    (
        "hook-runner/src/hook.rs",
        "its `#!` line ends in a carriage return (CRLF line ends); save the script with LF line ends",
    ),
    (
        "hook-runner/src/hook.rs",
        "126 mostly means that a program it called is not executable",
    ),
    (
        "hook-runner/src/hook.rs",
        "127 mostly means that a program it called was not found",
    ),
    (
        "hook-runner/src/hook.rs",
        "left a background process that held its output open; its process group was killed, and the answer counts. \
         Detach such a process with `>/dev/null 2>&1 &`",
    ),
    (
        "hook-runner/src/process.rs",
        "a word of the command holds a NUL byte, or the command is empty",
    ),
    ("hook-runner/src/process.rs", "the path {} holds a NUL byte"),
    (
        "hook-runner/src/process/inspect/fault.rs",
        "{path} can be changed by {writers} (mode {mode:04o})",
    ),
    (
        "hook-runner/src/process/inspect/fault.rs",
        "the directory {path} can be changed by {writers} (mode {mode:04o}), who can put something else in the place of \
         what is in it",
    ),
    (
        "hook-runner/src/process/inspect/fault.rs",
        "the directory {path} can be changed by {writers} (mode {mode:04o}) and stands in the PATH before the one with \
         the program, so that another program can be put first",
    ),
    (
        "hook-runner/src/worker.rs",
        "had ended with {exit} after {answered} answers, and was started again for this question{advice}",
    ),
    (
        "hook-runner/src/worker.rs",
        "a worker reads one line after the other until the end of its input, a program that answers once is declared \
         without a mode",
    ),
    (
        "hook-runner/src/worker/verdict.rs",
        "printed more than one line for a question, and was replaced; after its denial came `{rest}`",
    ),
    (
        "hook-runner/src/worker/pool.rs",
        "was replaced before this question, because {} has changed",
    ),
    (
        "hook-runner/src/worker/failure.rs",
        "it has read nothing of the question: a worker reads one line from its standard input for each",
    ),
    (
        "hook-runner/src/worker/failure.rs",
        "it has read the question and printed nothing: if it reads to the end of its input, let it read one line at a \
         time, because a worker's input stays open; if it prints through a buffer, let it flush after each answer; a program \
         that answers once is declared without a mode",
    ),
    (
        "hook-runner/src/worker/failure.rs",
        "what it has printed is no whole line: end each answer with a line end, and flush",
    ),
    (
        "hook-runner/src/worker/failure.rs",
        "before it answered; a worker answers one line after the other until the end of its input",
    ),
    (
        "hook-runner/src/worker/failure.rs",
        "in the middle of its answer; an answer ends with a line end",
    ),
    (
        "hook-runner/src/runner.rs",
        "it is tried again when it is asked",
    ),
    (
        "hook-runner/src/process/start_error.rs",
        "the command and its environment are larger than the system allows",
    ),
    (
        "hook-runner/src/failure.rs",
        "`{decision}`, which is no answer {when}; {words} are",
    ),
    (
        "hook-runner/src/failure.rs",
        "`ask` about an `{other}`, which is no rewrite {when}; an `{own}` is",
    ),
    ("hook-runner/src/failure.rs", "could not answer"),
    ("hook-runner/src/failure.rs", "cannot be asked by this host"),
    (
        "hook-runner/src/walk.rs",
        "denied, because {who} and {other} do not agree on the form of the {what}: each rewrites what the other left",
    ),
    (
        "hook-runner/src/walk.rs",
        "denied, because {who} rewrites the {what} anew each time that it is asked about it",
    ),
    (
        "hook-runner/src/walk.rs",
        "denied, because the hooks of this host are closed: no hook can be asked any more",
    ),
    (
        "hook-runner/src/walk/approval.rs",
        "not approved: {reason} (asked by {reasons})",
    ),
    (
        "hook-runner/src/walk/approval.rs",
        "not approved by the person who was asked (asked by {reasons})",
    ),
    (
        "hook-runner/src/walk/approval.rs",
        "{withheld}, because a person has to agree, and {why} (asked by {reasons}){by_hand}",
    ),
    ("hook-runner/src/walk/approval.rs", "the call was not made"),
    ("hook-runner/src/walk/approval.rs", "the result is withheld"),
    ("hook-runner/src/walk/approval.rs", "none can be asked here"),
    (
        "hook-runner/src/consultation/asked.rs",
        "a person can run it by hand: {}",
    ),
    (
        "hook-runner/src/consultation/asked.rs",
        "a person can do it by hand",
    ),
    (
        "hook-dialect/src/bridge/saying/before.rs",
        "if no person is asked here, {by_hand}",
    ),
    (
        "hook-runner/src/guarded.rs",
        "the host's way to ask one failed",
    ),
    ("hook-runner/src/guarded.rs", "none answered within {} s"),
    ("hook-runner/src/guarded.rs", "the approver failed: {error}"),
    (
        "hook-runner/src/guarded.rs",
        "the approver panicked: {words}",
    ),
    (
        "hook-runner/src/guarded.rs",
        "panicked when it was closed: {words}",
    ),
    ("hook-runner/src/guarded.rs", "was not closed within {} s"),
    (
        "hook-runner/src/guarded.rs",
        "the approver did not answer within {} s",
    ),
    (
        "hook-runner/src/approver.rs",
        "the approver's program ended with {exit}{stderr}",
    ),
    (
        "hook-runner/src/approver.rs",
        "the approver's program had not ended within {seconds} s",
    ),
    (
        "hook-runner/src/approver.rs",
        "the approver's program printed more than is read",
    ),
    (
        "hook-runner/src/approver.rs",
        "the approver's program gave no answer ({error})",
    ),
    (
        "hook-runner/src/chain/context.rs",
        "said {given} bytes for the model, of which {left_out} are left out: one answer may say {MAX_CONTEXT_BYTES}, and all \
         together {MAX_ALL_BYTES}",
    ),
    (
        "hookchain/src/consult/on_ask.rs",
        "no person is asked {obstacle}, as {by} wants it; choose deny or report",
    ),
    (
        "hookchain/src/consult/on_ask.rs",
        "{VARIABLE} is '{found}'; set it to {words}, or unset it",
    ),
    (
        "hookchain/src/consult/terminal.rs",
        "the person at the terminal said no",
    ),
];

/// Every message there is, as the guide writes it.
fn said() -> BTreeSet<String> {
    let mut all: Vec<String> = messages::of_errors()
        .into_iter()
        .map(|(_, message)| message)
        .collect();
    all.extend(messages::of_display(
        "hook-wire/src/decode/error.rs",
        "NotJsonHint",
    ));
    all.extend(messages::of_display(
        "hook-wire/src/decode/note.rs",
        "DecodeNote",
    ));
    all.extend(OTHERS.map(|(file, text)| messages::literal(file, text)));
    // What only puts others together says nothing by itself.
    let says = |message: &String| message.chars().filter(|c| c.is_alphabetic()).count() > 3;
    all.iter().filter(|m| says(m)).map(|m| plain(m)).collect()
}

/// Without backticks, which a code span of the guide may have lost, and with single spaces.
fn plain(message: &str) -> String {
    let words: Vec<_> = message
        .replace('`', "")
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    words.join(" ").replace("……", "…")
}

/// The code spans that the bullets of the guide begin with.
fn explained(guide: &Page) -> BTreeSet<String> {
    let mut bullets: Vec<String> = Vec::new();
    let mut inside = false;
    for line in guide.text.lines() {
        let text = line.trim_start();
        if let Some(bullet) = text.strip_prefix("- ") {
            bullets.push(bullet.to_owned());
            inside = true;
        } else if line.starts_with("  ") && inside {
            let bullet = bullets.last_mut().expect("a bullet");
            bullet.push(' ');
            bullet.push_str(text);
        } else {
            inside = false;
        }
    }
    let spans = bullets.iter().filter_map(|bullet| {
        let rest = bullet.trim_start_matches('`');
        let fence = "`".repeat(bullet.len() - rest.len());
        (!fence.is_empty()).then(|| {
            let (span, _) = rest.split_once(&fence).expect("the end of a code span");
            plain(span)
        })
    });
    spans.collect()
}

#[test]
fn the_guide_explains_every_message_and_no_other() {
    let explained = explained(&page("failures.md"));
    let said = said();
    let missing: Vec<_> = said.difference(&explained).collect();
    assert!(
        missing.is_empty(),
        "explain in docs/book/src/failures.md: {missing:#?}"
    );
    let invented: Vec<_> = explained.difference(&said).collect();
    assert!(invented.is_empty(), "nothing says any more: {invented:#?}");
}

#[test]
fn the_guide_leads_from_each_kind_of_failure_to_its_section() {
    let guide = page("failures.md");
    for word in messages::words_of_kinds() {
        let row = format!("| `{word}` | [");
        assert!(guide.text.contains(&row), "{word}");
    }
}
