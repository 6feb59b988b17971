//! A descriptor whose readiness the async runtime watches.

#![expect(
    unsafe_code,
    reason = "ADR 0007: tokio cannot know that a type keeps its descriptor; an OwnedFd does"
)]

use std::{
    io,
    os::fd::OwnedFd,
    task::{Context, Poll},
};

use tokio::io::{
    Interest,
    unix::{AsyncFd, AsyncFdReadyGuard},
};

/// An owned descriptor in the runtime's poller. It is only lent, never replaced or taken out.
#[derive(Debug)]
pub(super) struct Watched(AsyncFd<OwnedFd>);

impl Watched {
    /// Watches a descriptor that becomes readable.
    pub(super) fn readable(descriptor: OwnedFd) -> io::Result<Self> {
        Self::register(descriptor, Interest::READABLE)
    }

    /// Watches a descriptor that becomes writable.
    pub(super) fn writable(descriptor: OwnedFd) -> io::Result<Self> {
        Self::register(descriptor, Interest::WRITABLE)
    }

    fn register(descriptor: OwnedFd, interest: Interest) -> io::Result<Self> {
        // SAFETY: an `OwnedFd` is one open descriptor from its creation to its drop and always answers with that
        // descriptor; the field is private and never borrowed mutably, so nothing can put another in its place.
        let watched = unsafe { AsyncFd::register_with_interest(descriptor, interest) };
        Ok(Self(watched?))
    }

    pub(super) fn descriptor(&self) -> &OwnedFd {
        self.0.get_ref()
    }

    pub(super) fn poll_readable(
        &self,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<AsyncFdReadyGuard<'_, OwnedFd>>> {
        self.0.poll_read_ready(cx)
    }

    pub(super) fn poll_writable(
        &self,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<AsyncFdReadyGuard<'_, OwnedFd>>> {
        self.0.poll_write_ready(cx)
    }
}
