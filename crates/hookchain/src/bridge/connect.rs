//! Asking a resident chain in place of putting one together.
//!
//! Everything that is not a whole answer of the right server leads back to deciding here. Until the server has said that it
//! takes the call, nobody has been asked. After that a server which is lost has asked some of the hooks perhaps, and they are
//! asked once more: a hook must bear that as it bears an agent that repeats a call, and a guess would be no answer.

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
    serve::{Found, Identity, Place, Question, Reply, is_within_a_hook, variables},
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

/// What came of it.
enum Exchange {
    Answered(Answer),
    /// There is no server.
    Nobody,
    /// There is something, and it is not to be had.
    Lost,
    /// It has taken the call and said nothing in the time of all hooks.
    Late,
}

/// The answer of the workspace's server; nothing, when the bridge has to decide by itself. Then there may be one at the
/// next call.
pub(super) fn ask(
    question: Put,
    workspace: &Path,
    within: Duration,
) -> Result<Option<Answer>, BridgeError> {
    if is_within_a_hook() {
        return Ok(None);
    }
    let Ok(identity) = Identity::of(workspace, within) else {
        return Ok(None);
    };
    let place = Place::of(&identity);
    let exchange = match place.look() {
        Ok(Found::Socket) => connect(question, &identity, &place, within)?,
        Ok(Found::Nothing) => Exchange::Nobody,
        Err(_distrusted) => Exchange::Lost,
    };
    match exchange {
        Exchange::Answered(answer) => return Ok(Some(answer)),
        Exchange::Late => return Err(BridgeError::Late(within.as_secs())),
        // Nobody waits for it, and when it does not start, everything is as without it.
        Exchange::Nobody => drop(start(identity.workspace(), within)),
        Exchange::Lost => {}
    }
    Ok(None)
}

fn connect(
    question: Put,
    identity: &Identity,
    place: &Place,
    within: Duration,
) -> Result<Exchange, BridgeError> {
    let question = Question {
        name: identity.name().to_owned(),
        bridge: question.bridge,
        attendance: question.attendance,
        payload: question.payload,
    };
    let Some(question) = question.encoded() else {
        return Ok(Exchange::Lost);
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(BridgeError::Setup)?;
    runtime.block_on(async {
        let mut signals = Signals::listen().map_err(BridgeError::Setup)?;
        // The server kills what it started when the connection is dropped.
        tokio::select! {
            biased;
            signal = signals.received() => Err(BridgeError::Signal(signal)),
            exchange = exchange(place.socket(), &question, within) => Ok(exchange),
        }
    })
}

async fn exchange(socket: &Path, question: &[u8], within: Duration) -> Exchange {
    let mut stream = match timeout(TAKING, taken(socket, question)).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) if is_absence(&error) => return Exchange::Nobody,
        Ok(Err(_)) | Err(_) => return Exchange::Lost,
    };
    match timeout(within + GRACE, Reply::read(&mut stream)).await {
        Ok(Ok(Reply::Answer(answer))) => Exchange::Answered(answer),
        Ok(Ok(Reply::Taken) | Err(_)) => Exchange::Lost,
        Err(Elapsed { .. }) => Exchange::Late,
    }
}

/// Hands the question over, to nobody but this user.
async fn taken(socket: &Path, question: &[u8]) -> io::Result<UnixStream> {
    let mut stream = UnixStream::connect(socket).await?;
    if stream.peer_cred()?.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    stream.write_all(question).await?;
    match Reply::read(&mut stream).await? {
        Reply::Taken => Ok(stream),
        Reply::Answer(_) => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Whether there is no socket, or one that nobody listens on any more.
fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused
    )
}

/// Starts the server. It gets what a decision depends on, and none of what else the agent has in its environment.
#[expect(
    clippy::disallowed_methods,
    reason = "it outlives this process, which hook-runner's programs must not"
)]
fn start(workspace: &Path, within: Duration) -> io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["serve", "--socket", "--detached", "--workspace"])
        .arg(workspace)
        .args(["--within", &within.as_secs().to_string()])
        .env_clear()
        .envs(variables());
    if let Some(runtime) = std::env::var_os("XDG_RUNTIME_DIR") {
        command.env("XDG_RUNTIME_DIR", runtime);
    }
    command
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().map(drop)
}
