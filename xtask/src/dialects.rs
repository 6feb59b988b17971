//! A page of the book for each agent whose hooks run here, from the table of its dialect.

mod asking;
mod differences;
mod words;

use std::{fmt::Write as _, fs, path::PathBuf};

use hook_dialect::{
    Dialect,
    dialect::{EventRow, PayloadField, Presence},
};
use similar::TextDiff;

use self::words::{
    answers, exit_two, held_open, long_texts, matcher, plain_text, subject, timeout, variable,
};
use crate::{Result, command::root};

/// How to mend a page that is out of date.
const REMEDY: &str = "run `cargo xtask dialects` and commit what it changes";

/// What no table knows: which files an agent's hooks are read from.
const FILES: [(&str, &str); 2] = [
    (
        "claude",
        "`~/.claude/settings.json` (or `$CLAUDE_CONFIG_DIR`), `.claude/settings.json` and `.claude/settings.local.json` of the\n\
         workspace, `.claude/settings.local.json` of the root of the repository or worktree that the workspace is in,\n\
         `managed-settings.json` and `managed-settings.d/*.json` of the organisation. Not read: plugins, skills and agents;\n\
         `--settings` and other arguments; server-managed settings, the registry and device profiles.",
    ),
    (
        "codex",
        "`hooks.json` and `[hooks]` in `config.toml` of `~/.codex` (or `$CODEX_HOME`), of `.codex` in every folder from the\n\
         repository's root down to the workspace when the project is trusted, and of `/etc/codex`; `requirements.toml` there. A\n\
         hook that nobody has trusted is not run. Not read: plugins, and settings in arguments.",
    ),
];

fn path(name: &str) -> PathBuf {
    root().join("docs/book/src/dialects").join(name)
}

/// Every page with the name of its file: one for each dialect, and one about asking.
fn pages() -> Result<Vec<(String, String)>> {
    let mut pages = vec![("asking.md".to_owned(), asking::page()?)];
    for dialect in Dialect::ALL {
        pages.push((format!("{}.md", dialect.name), page(dialect)?));
    }
    Ok(pages)
}

/// Writes every page.
pub(crate) fn write() -> Result {
    fs::create_dir_all(root().join("docs/book/src/dialects"))?;
    for (name, page) in pages()? {
        let path = path(&name);
        fs::write(&path, page)?;
        println!("{}", path.display());
    }
    Ok(())
}

/// Whether every committed page is what the tables say.
pub(crate) fn check() -> Result {
    let mut problems = Vec::new();
    for (name, fresh) in pages()? {
        let committed = fs::read_to_string(path(&name)).unwrap_or_default();
        if committed != fresh {
            let diff = TextDiff::from_lines(&committed, &fresh);
            let mut diff = diff.unified_diff();
            let name = format!("docs/book/src/dialects/{name}");
            let diff = diff.header(&name, "as the table says").to_string();
            problems.push(format!(
                "{name} is out of date; {REMEDY}\n{}",
                diff.trim_end()
            ));
        }
    }
    if problems.is_empty() {
        println!("pages of dialects: up to date");
        return Ok(());
    }
    Err(problems.join("\n\n").into())
}

fn page(dialect: &Dialect) -> Result<String> {
    let mut page = String::new();
    let Dialect {
        title,
        checked_against,
        ..
    } = dialect;
    let events = dialect.events.len();
    writeln!(
        page,
        "# Hooks of {title}\n\n\
         <!-- Written by `cargo xtask dialects` from the table in hook-dialect. -->\n\n\
         What is here was compared with {title} {checked_against}: recorded runs of the program itself, each of which is played\n\
         in a test. All {events} events of it are known. Its own programs and settings are used as they are.\n"
    )?;
    files(&mut page, dialect)?;
    table(&mut page, dialect)?;
    started(&mut page, dialect)?;
    told(&mut page, dialect)?;
    differences::write(&mut page, dialect)?;
    Ok(page)
}

fn files(page: &mut String, dialect: &Dialect) -> Result {
    let files = FILES.iter().find(|(name, _)| *name == dialect.name);
    let (_, files) =
        files.ok_or("an agent without files; say in xtask/src/dialects.rs which it has")?;
    writeln!(page, "## What is read\n\n{files}\n")?;
    writeln!(
        page,
        "Of the types of handlers, commands are run. The others need the agent itself; they are listed with that reason, and so is\n\
         every hook that is switched off.\n"
    )?;
    let pattern = matcher(dialect.matcher);
    writeln!(page, "A matcher is {pattern}.\n")?;
    if !dialect.aliases.is_empty() {
        writeln!(page, "| tool | also matched as |\n|---|---|")?;
        for alias in dialect.aliases {
            let also: Vec<_> = alias.also.iter().map(|name| format!("`{name}`")).collect();
            writeln!(page, "| `{}` | {} |", alias.tool, also.join(", "))?;
        }
        writeln!(page)?;
    }
    Ok(())
}

fn table(page: &mut String, dialect: &Dialect) -> Result {
    writeln!(
        page,
        "## Events\n\n\
         | event | when | a matcher is compared with | time | answers that count | plain text | exit status 2 |\n\
         |---|---|---|---|---|---|---|"
    )?;
    for event in dialect.events {
        writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {} | {} |",
            event.name,
            event.fires,
            subject(event),
            timeout(event),
            answers(event),
            plain_text(event),
            exit_two(event),
        )?;
    }
    writeln!(page)?;
    let named = |which: fn(&EventRow) -> bool| {
        let names = dialect.events.iter().filter(|event| which(event));
        let names: Vec<_> = names.map(|event| format!("`{}`", event.name)).collect();
        names.join(", ")
    };
    let guarded = named(|event| event.before);
    writeln!(
        page,
        "A hook that could not answer denies at these events, because something is about to happen: {guarded}.\n"
    )?;
    let blocking = named(|event| event.failure_can_block);
    if !blocking.is_empty() {
        writeln!(page, "`\"onFailure\": \"block\"` counts at: {blocking}.\n")?;
    }
    Ok(())
}

fn started(page: &mut String, dialect: &Dialect) -> Result {
    let running = &dialect.running;
    writeln!(page, "## How hooks are started\n")?;
    let end = if dialect.newline {
        "a line end"
    } else {
        "nothing"
    };
    writeln!(
        page,
        "- They are told one JSON object on standard input, with {end} after it."
    )?;
    let place = if running.follows_cwd {
        "where the session is at the moment"
    } else {
        "in the workspace"
    };
    writeln!(page, "- They run {place}, all hooks of one event at once.")?;
    writeln!(
        page,
        "- They have the environment of the host, less what looks like a credential: by its name (`…_TOKEN`, `SSHPASS`, `BW_SESSION`), or by a\n  value that is a key, a token or a password, or sets one (`Server=…;Password=…`). A secret that looks like none of these is handed on."
    )?;
    if dialect.name == Dialect::CLAUDE.name {
        writeln!(
            page,
            "- Variables that settings give to hooks (`env`) reach those of files that rank no higher: the organisation's, the\n  \
             user's, then the two of the project. The same holds of `disableAllHooks`."
        )?;
    }
    for own in running.variables {
        writeln!(page, "- `{}` is {}.", own.name, variable(own))?;
    }
    if let Some(name) = running.exports {
        writeln!(
            page,
            "- `{name}` is a file of their own for variables of the commands that follow, where the event has one."
        )?;
    }
    writeln!(
        page,
        "- Output that something holds open: {}.",
        held_open(running.held_open)
    )?;
    let limit = if running.background_timed {
        "their time limit holds"
    } else {
        "without a time limit"
    };
    writeln!(
        page,
        "- At most {} run in the background at once, {limit}.",
        running.background_at_once
    )?;
    writeln!(page, "- {}\n", long_texts(running.long))?;
    Ok(())
}

fn told(page: &mut String, dialect: &Dialect) -> Result {
    writeln!(
        page,
        "## What hooks are told\n\n\
         In this order. `?` is there when it is known, `|null` is always there.\n\n\
         | event | fields |\n|---|---|"
    )?;
    for event in dialect.events {
        let fields: Vec<_> = event.payload.iter().copied().map(field).collect();
        writeln!(page, "| `{}` | {} |", event.name, fields.join(", "))?;
    }
    writeln!(page)?;
    Ok(())
}

fn field(field: PayloadField) -> String {
    let name = field.fact.name();
    let mark = if field.presence == Presence::Optional {
        "?"
    } else if field.presence == Presence::Nullable {
        "\\|null"
    } else {
        ""
    };
    format!("`{name}`{mark}")
}
