//! `docs/book`: its examples run, its structure holds, and its guide to failures says every message there is.

#[cfg(test)]
mod commands;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod failures;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod page;
#[cfg(test)]
mod structure;
