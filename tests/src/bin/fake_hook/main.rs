//! A hook program that does what its arguments say, in that order, well or badly.
//!
//! | step | what it does |
//! |---|---|
//! | `read`, `read=N` | reads its input to the end, or `N` bytes of it |
//! | `line` | reads one line of its input; where there is none, it ends with status 0 |
//! | `repeat=STEPS` | takes these steps again and again, as a worker does |
//! | `unruly=SEED` | is a worker that answers, or does something else, at random |
//! | `allow`, `deny=REASON`, `modify=JSON`, `replace=JSON` | answers |
//! | `ask=REASON`, `tell=TEXT` | asks for a person's agreement; allows, with words for the model |
//! | `echo` | answers with a rewrite that holds the request it read, under `saw` |
//! | `nonce`, `nonce-of=ID` | answers with a rewrite that holds the number `n` of the input, and names the call it is about, or another one |
//! | `report` | answers with a rewrite that tells what the system gave it |
//! | `print=TEXT`, `hex=DIGITS`, `file=PATH`, `drip=HEX` | prints text, bytes, a file, bytes one at a time |
//! | `answer-of=N` | prints an allow of exactly `N` bytes |
//! | `flood-out=N`, `flood-err=N`, `flood-blank=N` | prints `N` bytes to one stream, or `N` line ends; without end when `N` is `endless` |
//! | `error=TEXT`, `error-hex=DIGITS` | prints to standard error |
//! | `close=0`, `close=1`, `close=2` | lets go of a standard stream |
//! | `exit=N`, `crash`, `signal=N` | ends |
//! | `hang`, `stop` | does not end |
//! | `ignore-term` | ignores polite signals from here on |
//! | `setsid` | leaves its process group |
//! | `spawn-holding=STEPS`, `spawn-detached=STEPS` | starts itself with other steps, with or without its streams |
//! | `breed` | starts a chain of processes in which each starts the next and ends |
//! | `mark=FILE` | adds a line with its process id to a file |
//! | `wait-for=FILE`, `wait-for=FILE:N` | waits until a file has one line, or `N` |
//!
//! Steps in steps are separated by spaces, and one level deeper by `~`.
//!
//! Whatever happens, it ends by itself when it has read no line for half a minute.

mod lifetime;
mod report;
mod steps;
mod unruly;

use std::env;

fn main() {
    lifetime::limit();
    let words: Vec<String> = env::args().skip(1).collect();
    let mut hook = steps::Hook::default();
    for (index, word) in words.iter().enumerate() {
        hook.step(word, words.get(index + 1..).unwrap_or_default());
    }
}
