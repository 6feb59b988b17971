//! What a hook, a host or a machine may do to a consultation, beyond the other tests.
#![cfg(target_os = "linux")]

#[path = "attacks/files.rs"]
mod files;
#[path = "attacks/hosts.rs"]
mod hosts;
#[path = "attacks/streams.rs"]
mod streams;
