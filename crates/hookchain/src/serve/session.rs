//! One call, from the server's side.

use std::{io, sync::Arc, time::Duration};

use hook_dialect::bridge::{Answer, Asked, Reading};
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    net::UnixStream,
    time::timeout,
};

use super::{
    chain::Chain,
    message::{Question, Reply},
};
use crate::bridge::Prepared;

/// How long a bridge may take to say what it wants, or to hear the answer. A stuck one is not to keep the server.
const PATIENCE: Duration = Duration::from_secs(10);

/// Hears a bridge and answers it. Whatever goes wrong ends the connection, and the bridge decides by itself.
pub(super) async fn session(stream: UnixStream, name: Arc<str>, chain: Arc<Chain>) {
    let _the_bridge_sees_the_end = serve(stream, &name, &chain).await;
}

async fn serve(mut stream: UnixStream, name: &str, chain: &Chain) -> io::Result<()> {
    let user = rustix::process::geteuid().as_raw();
    if stream.peer_cred()?.uid() != user {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let question = timeout(PATIENCE, Question::read(&mut stream)).await??;
    let Reading::Tool(asked) = question
        .bridge
        .read(&question.payload)
        .map_err(io::Error::other)?
    else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    if question.name != name {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let asked = asked.with_attendance(question.attendance);
    timeout(PATIENCE, Reply::Taken.write(&mut stream)).await??;
    let (mut incoming, mut outgoing) = stream.split();
    let answer = tokio::select! {
        biased;
        // It has nothing more to say: the agent has given the call up. What was started for it is killed with the other branch.
        () = gone(&mut incoming) => return Err(io::ErrorKind::ConnectionAborted.into()),
        answer = answer(&asked, chain) => answer,
    };
    timeout(PATIENCE, Reply::Answer(answer).write(&mut outgoing)).await?
}

/// Waits for the end of the connection, or for a word that is not expected.
async fn gone(incoming: &mut (impl AsyncRead + Unpin)) {
    let _end_or_word = incoming.read(&mut [0]).await;
}

/// What the bridge would answer by itself.
async fn answer(asked: &Asked, chain: &Chain) -> Answer {
    let runner = match chain.runner() {
        Ok(runner) => runner,
        Err(error) => {
            return asked.refusal(error.reason());
        }
    };
    match Prepared::of(asked, &runner) {
        Prepared::Answered(answer) => answer,
        Prepared::Request(request) => {
            let consultation = runner.consult(*request).await;
            asked.answer(&consultation)
        }
    }
}
