//! What differs from the agent, and why. Each line is there because the table of the agent says so.

use std::fmt::Write as _;

use hook_dialect::{
    Dialect,
    dialect::{EventName, ExitTwo, HeldOpen, Null, Oddity, ReadOn, Refused},
};

use crate::Result;

/// One difference: whether an agent has it, what it does, and what is done here.
struct Difference {
    holds: fn(&Dialect) -> bool,
    at_home: &'static str,
    here: &'static str,
    why: &'static str,
}

const SOLELY: &str = "somebody wrote it down to guard something";

const DIFFERENCES: &[Difference] = &[
    Difference {
        holds: |_| true,
        at_home: "a hook that could not answer before something happens (not started, 126, 127, killed, too slow, an answer that is \
                  void) lets it happen",
        here: "it denies, unless its settings say otherwise",
        why: "a guard that broke has cleared nothing",
    },
    Difference {
        holds: |_| true,
        at_home: "text before or after the object, or the same key twice, loses a denial",
        here: "it denies",
        why: "what clearly says no is a no",
    },
    Difference {
        holds: |dialect| !refuses(dialect, Refused::Ask),
        at_home: "an ask is lost in the same places: the same key twice, another spelling or place of the field, a wrong \
                  `hookEventName`, an allow or `async` beside it",
        here: "before something happens it is an ask with its reason; a denial wins, and `onFailure` makes no allow of it",
        why: "what clearly asks is no allow",
    },
    Difference {
        holds: |dialect| refuses(dialect, Refused::Ask),
        at_home: "an ask is not supported, and the call goes on",
        here: "before something happens it is an ask with its reason, in any place where a denial counts; a denial wins",
        why: "what clearly asks is no allow",
    },
    Difference {
        holds: |_| true,
        at_home: "an ask with other text around it, or at an event that has none, is lost",
        here: "before something happens it denies, whatever the settings say about failures",
        why: "the person who is to be asked would not be",
    },
    Difference {
        holds: |dialect| dialect.answers.unknown_key == Oddity::Fails,
        at_home: "a field that is not known makes the whole answer void, a denial too",
        here: "the denial counts; an allow or a rewrite does not",
        why: "what clearly says no is a no",
    },
    Difference {
        holds: |dialect| dialect.answers.wrong_type == Oddity::Fails,
        at_home: "one field of the wrong type makes the whole answer void, a denial too",
        here: "the denial counts; an allow or a rewrite does not",
        why: "what clearly says no is a no",
    },
    Difference {
        holds: |dialect| dialect.answers.null == Null::WrongType,
        at_home: "`null` for a text or an object is a wrong type",
        here: "the same, but a denial counts",
        why: "what clearly says no is a no",
    },
    Difference {
        holds: |dialect| dialect.answers.event_name != EventName::ScopesTheRest,
        at_home: "an answer without a right `hookEventName` is void",
        here: "a denial in it counts",
        why: "what clearly says no is a no",
    },
    Difference {
        holds: |dialect| dialect.answers.needs_reason,
        at_home: "a denial without a reason does not count",
        here: "it counts",
        why: "a missing text is no consent",
    },
    Difference {
        holds: |dialect| dialect.answers.read == ReadOn::Success,
        at_home: "what is printed with another exit status than 0 is not read",
        here: "a denial in it counts",
        why: "what clearly says no is a no",
    },
    Difference {
        holds: |dialect| has_exit(dialect, ExitTwo::RefusesWithReason),
        at_home: "exit status 2 without a reason on standard error does not count",
        here: "it denies what is about to happen",
        why: "a missing text is no consent",
    },
    Difference {
        holds: |dialect| refuses(dialect, Refused::LoneRewrite),
        at_home: "`updatedInput` without `permissionDecision: allow` is left out, and the original runs",
        here: "the call is denied and told why",
        why: "the hook believed that it had changed the call",
    },
    Difference {
        holds: |dialect| dialect.events.iter().any(|event| event.first_decides),
        at_home: "at some events the first decision counts, and the other hooks are killed",
        here: "all are waited for, and a denial wins",
        why: "which hook is quicker must not decide",
    },
    Difference {
        holds: |_| true,
        at_home: "of several rewrites, that of the hook which finishes last counts",
        here: "the last one that is written down",
        why: "which hook is slower must not decide",
    },
    Difference {
        holds: |dialect| {
            dialect.running.held_open != HeldOpen::Waits(std::time::Duration::from_millis(100))
        },
        at_home: "output that something in the background holds open delays the turn",
        here: "it is read for 100 ms more",
        why: "a turn must not hang on what a hook left behind",
    },
    Difference {
        holds: |_| true,
        at_home: "settings that are wrong (a type, an expression, a key twice, a misspelt name) lose a hook or the whole file in silence",
        here: "they are an error, and nothing is run until they are mended",
        why: SOLELY,
    },
];

fn has_exit(dialect: &Dialect, exit: ExitTwo) -> bool {
    dialect.events.iter().any(|event| event.exit_two == exit)
}

fn refuses(dialect: &Dialect, refused: Refused) -> bool {
    let mut events = dialect.events.iter();
    events.any(|event| event.refused.contains(&refused))
}

pub(super) fn write(page: &mut String, dialect: &Dialect) -> Result {
    writeln!(
        page,
        "## What differs, and why\n\n\
         With `--as-at-home`, nothing of this: the agent is followed to the letter, also where that lets a call pass that a guard\n\
         meant to stop. The decisions are in the repository's `docs/adr`: 0017 about answers, 0019 about settings, 0020 about\n\
         running; which recorded runs come out otherwise is in 0017.\n\n\
         | {} | here | why |\n|---|---|---|",
        dialect.title
    )?;
    for difference in DIFFERENCES
        .iter()
        .filter(|difference| (difference.holds)(dialect))
    {
        let Difference {
            at_home, here, why, ..
        } = difference;
        writeln!(page, "| {at_home} | {here} | {why} |")?;
    }
    Ok(())
}
