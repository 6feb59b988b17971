//! `hookchain serve`: a chain that stays, for bridges that would otherwise put one together for each call.
//!
//! A bridge with `--connect` hands its call to the server of its workspace, whose workers are warm; without one it starts one
//! and decides by itself, as it does whenever anything is not as it should be. So a server only ever saves time.
//!
//! - [`identity`] says which server is the right one: everything that a decision depends on is in its name.
//! - [`state`] is the folder in which it listens, and what must not lie on the way there; [`place`] are its files in it.
//! - [`seat`] makes it the only one of its name, and [`room`] bounds how many a user has.
//! - [`record`] is what a bridge knows it by: the [`process`], and the secret behind the [`seal`] on what is said.
//! - [`doubt`] says why a bridge did not believe one, or was not heard.
//! - [`chain`] are its hooks, as the files say now.
//! - [`frame`] and [`message`] are what is said; [`session`] is one call, from the server's side, and [`memory`] what all of
//!   them may have kept.

mod args;
mod chain;
mod doubt;
mod error;
mod frame;
mod identity;
mod memory;
mod message;
mod place;
mod process;
mod record;
mod room;
mod seal;
mod seat;
mod session;
mod state;

use std::{pin::pin, sync::Arc, time::Duration};

use tokio::{task::JoinSet, time::sleep};

pub(crate) use self::{
    args::ServeArgs,
    doubt::Doubt,
    error::ServeError,
    identity::{Identity, is_within_a_hook, variables},
    message::{Question, Reply, greet},
    place::Place,
    record::Record,
    seal::Seal,
};
use self::{chain::Chain, memory::Memory, seat::Seat, session::Shared};
#[cfg(test)]
pub(crate) use self::{
    frame::{MAX_BODY, read},
    message::welcome,
};
use crate::{command_error::CommandError, signals::Signals, status::Status, streams::Output};

/// Sessions beyond these are not taken up; the bridges decide by themselves.
const MAX_SESSIONS: usize = 256;

/// How long nobody is listened to after the system has refused a connection, for want of descriptors most likely.
const OUT_OF_BREATH: Duration = Duration::from_millis(50);

/// Runs the command.
pub(crate) fn run(args: &ServeArgs, output: Output) -> Result<Status, CommandError> {
    if args.detached {
        // What ends the agent's terminal or process group is not meant for it. It leads no group itself, so that it works.
        let _alone_or_not = rustix::process::setsid();
    }
    if is_within_a_hook() {
        return Err(ServeError::WithinHook.into());
    }
    let identity = Identity::of(&args.workspace)?;
    let place = Place::make(&identity)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CommandError::Setup)?;
    runtime.block_on(async {
        let mut signals = Signals::listen().map_err(CommandError::Setup)?;
        let seat = Seat::take(place, &identity)?;
        if !args.detached {
            let line = format!("listening on {}\n", seat.shown().display());
            output.styled(&line).map_err(CommandError::Write)?;
        }
        let shared = Arc::new(Shared {
            name: identity.name().to_owned(),
            secret: seat.secret().clone(),
            chain: Chain::new(identity.workspace()),
            memory: Memory::new(),
        });
        listen(&seat, &shared, args.idle(), &mut signals).await;
        // Nobody finds it any more. Whoever did and was not heard yet is told so by the end of the connection.
        drop(seat);
        shared.chain.shutdown().await;
        Ok(Status::Done)
    })
}

/// Until nobody has asked for so long, or somebody wants it to end. What is being asked then is dropped, and the hooks with it.
async fn listen(seat: &Seat, shared: &Arc<Shared>, idle: Duration, signals: &mut Signals) {
    let mut sessions = JoinSet::new();
    loop {
        let forgotten = pin!(sleep(idle));
        tokio::select! {
            biased;
            _signal = signals.received() => break,
            Some(_over) = sessions.join_next(), if !sessions.is_empty() => {}
            accepted = seat.listener().accept() => match accepted {
                Ok((stream, _nameless)) if sessions.len() < MAX_SESSIONS => {
                    sessions.spawn(session::session(stream, Arc::clone(shared)));
                }
                Ok(_too_many) => {}
                Err(_for_now) => sleep(OUT_OF_BREATH).await,
            },
            () = forgotten, if sessions.is_empty() => break,
        }
    }
    seat.leave();
    sessions.shutdown().await;
}
