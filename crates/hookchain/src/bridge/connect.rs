//! Asking a resident chain in place of putting one together.
//!
//! Everything that is not a whole answer of the right server leads back to deciding here. The right one is the process that the
//! record of the server names, and it proves that it has the secret in there; before that it is told nothing of the call. Until
//! the server has said that it takes the call, no hook has been asked. After that a server which is lost has asked some of the
//! hooks perhaps, and they are asked once more: a hook must bear that as it bears an agent that repeats a call, and a guess would
//! be no answer.

use std::{
    io,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use hook_dialect::bridge::{Answer, Attendance, Bridge};
use tokio::{
    io::AsyncWriteExt,
    net::UnixStream,
    time::{error::Elapsed, timeout},
};

use super::error::BridgeError;
use crate::{
    serve::{
        Doubt, Identity, Place, Question, Record, Reply, Seal, ServeError, greet, is_within_a_hook,
        variables,
    },
    signals::Signals,
};

/// How long a server may take to say that it takes the call. It does nothing before that, so that one which needs longer is
/// stopped, or has no time.
const TAKING: Duration = Duration::from_millis(500);

/// What the server gets on top of the limit of its hooks, to kill what it started and say so. The watchdog comes later.
const GRACE: Duration = Duration::from_secs(3);

/// A question as the agent put it.
pub(super) struct Put {
    pub(super) bridge: &'static Bridge,
    /// Whether a person sits before the agent. The server has the environment of another process.
    pub(super) attendance: Attendance,
    pub(super) payload: Vec<u8>,
}

/// What a server says to it.
pub(super) enum Heard {
    Answer(Answer),
    /// There is none, or it is about to end, and the bridge decides by itself. Then there may be one at the next call.
    Nothing,
    /// The bridge decides by itself as well, and the user is told why.
    Doubt(Doubt),
}

/// What came of it.
enum Exchange {
    Answered(Answer),
    /// There is no server.
    Nobody,
    /// It ended before it took the call.
    Gone,
    /// There is something, and it is not to be believed or not to be had.
    Doubt(Doubt),
    /// It has taken the call and said nothing in the time of all hooks.
    Late,
}

impl From<Doubt> for Exchange {
    fn from(doubt: Doubt) -> Self {
        Self::Doubt(doubt)
    }
}

/// What the workspace's server says.
pub(super) fn ask(
    question: &Put,
    workspace: &Path,
    within: Duration,
) -> Result<Heard, BridgeError> {
    if is_within_a_hook() {
        return Ok(Heard::Nothing);
    }
    let Ok(identity) = Identity::of(workspace) else {
        return Ok(Heard::Nothing);
    };
    let question = Question {
        bridge: question.bridge,
        attendance: question.attendance,
        within,
        payload: &question.payload,
    };
    let exchange = match find(&identity) {
        Ok(Some((place, record))) => connect(&place, &record, &identity, &question)?,
        Ok(None) => Exchange::Nobody,
        Err(doubt) => Exchange::Doubt(doubt),
    };
    Ok(match exchange {
        Exchange::Answered(answer) => Heard::Answer(answer),
        Exchange::Late => return Err(BridgeError::Late(within.as_secs())),
        Exchange::Nobody => {
            // It is not waited for, and when it does not start, everything is as without it.
            drop(start(identity.workspace()));
            Heard::Nothing
        }
        Exchange::Gone => Heard::Nothing,
        Exchange::Doubt(doubt) => {
            // A server that finds no other one clears away what is left of one.
            if matches!(doubt, Doubt::Place(ServeError::Record { .. })) {
                drop(start(identity.workspace()));
            }
            Heard::Doubt(doubt)
        }
    })
}

/// The server of that identity, if there is one.
fn find(identity: &Identity) -> Result<Option<(Place, Record)>, Doubt> {
    let Some(place) = Place::find(identity)? else {
        return Ok(None);
    };
    let record = place.look()?;
    Ok(record.map(|record| (place, record)))
}

fn connect(
    place: &Place,
    record: &Record,
    identity: &Identity,
    question: &Question<'_>,
) -> Result<Exchange, BridgeError> {
    if question.is_too_large() {
        return Ok(Exchange::Gone);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(BridgeError::Setup)?;
    let address = place.address();
    runtime.block_on(async {
        let mut signals = Signals::listen().map_err(BridgeError::Setup)?;
        // The server kills what it started when the connection is dropped.
        tokio::select! {
            biased;
            signal = signals.received() => Err(BridgeError::Signal(signal)),
            exchange = exchange(&address, record, identity, question) => Ok(exchange),
        }
    })
}

async fn exchange(
    socket: &Path,
    record: &Record,
    identity: &Identity,
    question: &Question<'_>,
) -> Exchange {
    let taken = timeout(TAKING, taken(socket, record, identity, question)).await;
    let (mut stream, mut seal) = match taken {
        Ok(Ok(taken)) => taken,
        Ok(Err(exchange)) => return exchange,
        Err(Elapsed { .. }) => return Doubt::Silent.into(),
    };
    let answer = Reply::read(&mut stream, &mut seal);
    match timeout(question.within + GRACE, answer).await {
        Ok(Ok(Reply::Answer(answer))) => Exchange::Answered(answer),
        Ok(Ok(Reply::Taken | Reply::Busy) | Err(_)) => Doubt::Lost.into(),
        Err(Elapsed { .. }) => Exchange::Late,
    }
}

/// Hands the question over, to the process that the record is of and that proves it.
async fn taken(
    socket: &Path,
    record: &Record,
    identity: &Identity,
    question: &Question<'_>,
) -> Result<(UnixStream, Seal), Exchange> {
    let mut stream = UnixStream::connect(socket).await.map_err(unheard)?;
    let peer = stream.peer_cred().map_err(unheard)?;
    if peer.uid() != rustix::process::geteuid().as_raw() {
        return Err(Doubt::OtherProcess.into());
    }
    let pid = peer.pid().and_then(|pid| u32::try_from(pid).ok());
    record.is_of(pid, identity)?;
    let greeted = greet(&mut stream, identity.name(), record.secret()).await;
    let mut seal = greeted.map_err(unheard)?;
    let Some(bytes) = question.sealed(&mut seal) else {
        return Err(Exchange::Gone);
    };
    let (mut incoming, mut outgoing) = stream.split();
    // A server that has no memory for it says so before it has heard it all.
    let reply = tokio::select! {
        biased;
        reply = Reply::read(&mut incoming, &mut seal) => reply,
        Err(error) = outgoing.write_all(&bytes) => Err(error),
    };
    match reply.map_err(unheard)? {
        Reply::Taken => Ok((stream, seal)),
        Reply::Busy => Err(Doubt::Busy.into()),
        Reply::Answer(_) => Err(Doubt::Unproven.into()),
    }
}

/// What it means that a server was not heard before it has taken the call.
fn unheard(error: io::Error) -> Exchange {
    use io::ErrorKind::{
        BrokenPipe, ConnectionAborted, ConnectionRefused, ConnectionReset, InvalidData,
        InvalidInput, NotFound, Other, PermissionDenied, UnexpectedEof,
    };

    let kind = error.kind();
    if matches!(kind, NotFound | ConnectionRefused) {
        // There is no socket, or one on which nothing listens any more.
        Exchange::Nobody
    } else if matches!(
        kind,
        UnexpectedEof | BrokenPipe | ConnectionAborted | ConnectionReset
    ) {
        Exchange::Gone
    } else if matches!(kind, PermissionDenied | InvalidData | InvalidInput | Other) {
        Doubt::Unproven.into()
    } else {
        Doubt::Unreachable(error).into()
    }
}

/// Where the hooks of a server have their temporary files.
const TEMPORARY: &str = "/tmp";

/// Starts the server. It gets what a decision depends on, and none of what else the agent has in its environment.
#[expect(
    clippy::disallowed_methods,
    reason = "it outlives this process, which hook-runner's programs must not"
)]
fn start(workspace: &Path) -> io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["serve", "--socket", "--detached", "--workspace"])
        .arg(workspace)
        .env_clear()
        .envs(variables())
        // The one of this call may be gone at the next.
        .env("TMPDIR", TEMPORARY);
    if let Some(state) = std::env::var_os("XDG_STATE_HOME") {
        command.env("XDG_STATE_HOME", state);
    }
    command
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().map(drop)
}

#[cfg(test)]
mod tests;
