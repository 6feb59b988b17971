//! Puts an agent's tool calls through the hooks of a workspace, from the command line.
//!
//! Every command is one module: it takes its arguments from [`cli`], prints results on standard output and what the
//! operator must know on standard error, and says how the process ends. Nothing else ends it.

mod agents;
mod approver;
mod bridge;
mod check;
mod cli;
mod command_error;
mod consult;
mod explain;
mod fire;
mod handed;
mod init;
mod log;
mod manual;
mod page;
mod progress;
mod replay;
mod schema;
mod seclusion;
mod serve;
mod signals;
mod since;
mod sources;
mod state;
mod stats;
mod status;
mod streams;
mod test;

use std::process::ExitCode;

use clap::Parser;

use crate::{
    cli::{Cli, Command},
    command_error::CommandError,
    status::Status,
    streams::Output,
};

fn main() -> ExitCode {
    seclusion::close_to_hooks();
    // An agent waits for it at every call: what the other commands take is not even put together.
    if let Some(status) = bridge::answer_at_once() {
        return status.into();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let output = Output::new(cli.color);
    let result = match &cli.command {
        Command::Consult(args) => consult::run(args, output),
        Command::Check(args) => check::run(args, output),
        Command::Explain(args) => explain::run(args, output),
        Command::Fire(args) => fire::run(args, output),
        Command::Test(args) => test::run(args, output),
        Command::Log(args) => log::run(args, output),
        Command::Stats(args) => stats::run(args, output),
        Command::Replay(args) => replay::run(args, output),
        Command::Bridge(args) => bridge::run(args, output),
        Command::Serve(args) => serve::run(args, output),
        Command::Init(args) => init::run(args, output),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::man(args),
    };
    match result {
        Ok(status) => status.into(),
        Err(CommandError::Usage(error)) => usage(&error),
        Err(error) => {
            if let Some(message) = error.message() {
                streams::diagnose(&message);
            }
            Status::Trouble.into()
        }
    }
}

/// Prints help, the version, or what is wrong with the arguments.
fn usage(error: &clap::Error) -> ExitCode {
    match error.print() {
        Ok(()) if error.use_stderr() => Status::WrongUsage.into(),
        Ok(()) => Status::Done.into(),
        Err(_closed) => Status::Trouble.into(),
    }
}
