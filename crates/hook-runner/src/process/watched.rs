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

/// An owned descriptor in the poller of the runtime it was registered in. It is only lent, never
/// replaced; taking it out ends the watching.
#[derive(Debug)]
pub(super) struct Watched {
    poller: AsyncFd<OwnedFd>,
    interest: Interest,
}

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
        let poller = unsafe { AsyncFd::register_with_interest(descriptor, interest) }?;
        Ok(Self { poller, interest })
    }

    /// Moves to the runtime that is current now.
    pub(super) fn move_here(&mut self) -> io::Result<()> {
        // A copy, so that nothing is lost when it cannot be registered.
        let copy = self.descriptor().try_clone()?;
        *self = Self::register(copy, self.interest)?;
        Ok(())
    }

    /// The descriptor, which nobody watches any more.
    pub(super) fn into_descriptor(self) -> OwnedFd {
        self.poller.into_inner()
    }

    pub(super) fn descriptor(&self) -> &OwnedFd {
        self.poller.get_ref()
    }

    pub(super) fn poll_readable(
        &self,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<AsyncFdReadyGuard<'_, OwnedFd>>> {
        self.poller.poll_read_ready(cx)
    }

    pub(super) fn poll_writable(
        &self,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<AsyncFdReadyGuard<'_, OwnedFd>>> {
        self.poller.poll_write_ready(cx)
    }
}
