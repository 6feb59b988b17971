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
    frame::{Head, MAX_BODY},
    memory::Memory,
    message::{self, Question, Reply},
    record::Secret,
};
use crate::bridge::Prepared;

/// How long a bridge may take to greet, and to begin its question. It does so at once; what does not is no bridge, and not to
/// take the place of one.
const GREETING: Duration = Duration::from_secs(1);

/// How long a bridge may take to say what it wants, or to hear the answer. A stuck one is not to keep the server.
const PATIENCE: Duration = Duration::from_secs(10);

/// What all sessions share.
#[derive(Debug)]
pub(super) struct Shared {
    /// The name of the server.
    pub(super) name: String,
    pub(super) secret: Secret,
    pub(super) chain: Chain,
    pub(super) memory: Memory,
}

/// Hears a bridge and answers it. Whatever goes wrong ends the connection, and the bridge decides by itself.
pub(super) async fn session(stream: UnixStream, shared: Arc<Shared>) {
    let _the_bridge_sees_the_end = serve(stream, &shared).await;
}

async fn serve(mut stream: UnixStream, shared: &Shared) -> io::Result<()> {
    let user = rustix::process::geteuid().as_raw();
    if stream.peer_cred()?.uid() != user {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let welcome = message::welcome(&mut stream, &shared.name, &shared.secret);
    let mut seal = timeout(GREETING, welcome).await??;
    let head = timeout(GREETING, Head::read(&mut stream, MAX_BODY)).await??;
    // Until the answer is written: the hooks are asked with copies of the body.
    let Some(_kept) = shared.memory.take(head.length()).await else {
        return timeout(PATIENCE, Reply::Busy.write(&mut stream, &mut seal)).await?;
    };
    let body = timeout(PATIENCE, head.body(&mut stream)).await??;
    let question = Question::open(&body, &mut seal)?;
    let Reading::Tool(asked) = question
        .bridge
        .read(question.payload)
        .map_err(io::Error::other)?
    else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let (asked, within) = (asked.with_attendance(question.attendance), question.within);
    drop(body);
    timeout(PATIENCE, Reply::Taken.write(&mut stream, &mut seal)).await??;
    let (mut incoming, mut outgoing) = stream.split();
    let answer = tokio::select! {
        biased;
        // It has nothing more to say: the agent has given the call up. What was started for it is killed with the other branch.
        () = gone(&mut incoming) => return Err(io::ErrorKind::ConnectionAborted.into()),
        answer = answer(&asked, &shared.chain, within) => answer,
    };
    let answer = Reply::Answer(answer);
    timeout(PATIENCE, answer.write(&mut outgoing, &mut seal)).await?
}

/// Waits for the end of the connection, or for a word that is not expected.
async fn gone(incoming: &mut (impl AsyncRead + Unpin)) {
    let _end_or_word = incoming.read(&mut [0]).await;
}

/// What the bridge would answer by itself.
async fn answer(asked: &Asked, chain: &Chain, within: Duration) -> Answer {
    let runner = match chain.runner() {
        Ok(runner) => runner,
        Err(error) => {
            return asked.refusal(error.reason());
        }
    };
    match Prepared::of(asked, &runner) {
        Prepared::Answered(answer) => answer,
        Prepared::Request(request) => {
            let consultation = runner.consult_within(*request, within).await;
            asked.answer(&consultation)
        }
    }
}
