//! Why a bridge decides by itself although there seems to be a server.

use std::io;

use thiserror::Error;

use super::{error::ServeError, identity::Identity, process, record::Record};

/// Why a bridge decides by itself although there seems to be a server. The user is told so, because it takes longer, and
/// because something may be wrong with this machine.
#[derive(Debug, Error)]
pub(crate) enum Doubt {
    /// What is in the place of its files cannot be its own.
    #[error(transparent)]
    Place(#[from] ServeError),
    /// The system says that another process listens.
    #[error(
        "another process than the one of the record answers there; find out which one it is, and end it"
    )]
    OtherProcess,
    /// It does not know the secret.
    #[error(
        "what answers there does not prove that it has the secret of the record; find out which process it is, and end it"
    )]
    Unproven,
    /// Hooks would be started with other limits.
    #[error(
        "it has other limits (ulimit) than this call has; end it with `kill`, and the next call starts one with these"
    )]
    OtherLimits,
    /// Others have its memory.
    #[error("it has no memory left for this call, because too much is asked of it at once")]
    Busy,
    /// It is stopped, or has no time.
    #[error("it did not take the call in time; if it is stuck, end it with `kill`")]
    Silent,
    /// It ended while it asked the hooks.
    #[error("it was lost after it had taken the call, and so hooks may have been asked twice")]
    Lost,
    /// The system refuses.
    #[error("it cannot be asked: {0}")]
    Unreachable(io::Error),
}

impl Doubt {
    /// What the user reads.
    pub(crate) fn remark(&self) -> String {
        format!("hookchain has decided this without the resident chain: {self}")
    }
}

impl Record {
    /// Whether the process that the system names for the other end of a connection is the one that wrote this record, and has the
    /// program and the limits of this one.
    pub(crate) fn is_of(&self, peer: Option<u32>, identity: &Identity) -> Result<(), Doubt> {
        // Some systems name no process. There its user and the secret count.
        let is_named = peer.is_none_or(|peer| peer == self.pid);
        let runs = process::is_running(self.pid, self.started, identity.program());
        if !is_named || self.program != identity.program() || !matches!(runs, Ok(true)) {
            return Err(Doubt::OtherProcess);
        }
        if self.limits != identity.limits() {
            return Err(Doubt::OtherLimits);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_of_one_process_with_one_program_and_its_limits() {
        let workspace = tempfile::tempdir().expect("made");
        let identity = Identity::of(workspace.path()).expect("named");
        let record = || Record::new(&identity).expect("made");
        let own = Some(std::process::id());
        let of = |record: Record, peer| record.is_of(peer, &identity);
        assert!(of(record(), own).is_ok());
        assert!(of(record(), None).is_ok(), "as far as the system says");
        let mut wrong = vec![(record(), Some(1)), (record(), Some(u32::MAX))];
        let mut other = record();
        other.pid = 1;
        wrong.push((other, Some(1)));
        if cfg!(target_os = "linux") {
            // A process that has ended, and whose id another one has got.
            let mut reused = record();
            reused.started = reused.started.map(|since| since - 1);
            wrong.push((reused, own));
            let mut unsaid = record();
            unsaid.started = None;
            wrong.push((unsaid, own));
        }
        let mut replaced = record();
        replaced.program.push('0');
        wrong.push((replaced, own));
        for (record, peer) in wrong {
            let shown = format!("{record:?} {peer:?}");
            let doubt = of(record, peer);
            assert!(matches!(doubt, Err(Doubt::OtherProcess)), "{shown}");
        }
        let mut limited = record();
        limited.limits.push('0');
        assert!(matches!(of(limited, own), Err(Doubt::OtherLimits)));
    }
}
