//! Where calls come from.

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::Path,
};

use super::call::Call;
use crate::{
    cli::{CallArgs, usage_error},
    command_error::CommandError,
};

/// What is put through the chain.
pub(crate) enum Calls {
    One(Box<Call>),
    EachLine {
        source: Box<dyn Read + Send>,
        from: String,
    },
}

impl Calls {
    /// The calls that the arguments of `command` give.
    pub(crate) fn of(
        command: &str,
        args: &CallArgs,
        each_line: bool,
    ) -> Result<Self, CommandError> {
        if let Some(call) = Call::from_flags(args) {
            let call = call.map_err(|error| usage_error(command, &error.sentence()))?;
            return Ok(Self::One(Box::new(call)));
        }
        let (mut source, from) = open(command, args)?;
        if each_line {
            return Ok(Self::EachLine { source, from });
        }
        let mut text = Vec::new();
        if let Err(source) = source.read_to_end(&mut text) {
            return Err(CommandError::Read { from, source });
        }
        let call = Call::parse(&text).map_err(|error| CommandError::Call { from, error })?;
        Ok(Self::One(Box::new(call)))
    }
}

/// Where calls are read from, and how messages call it.
fn open(command: &str, args: &CallArgs) -> Result<(Box<dyn Read + Send>, String), CommandError> {
    match &args.file {
        Some(path) if path != Path::new("-") => {
            let from = path.display().to_string();
            match File::open(path) {
                Ok(file) => Ok((Box::new(file), from)),
                Err(source) => Err(CommandError::Read { from, source }),
            }
        }
        None if io::stdin().is_terminal() => Err(usage_error(
            command,
            "no call: give it with --tool and --input, with --call FILE, or on standard input",
        )),
        Some(_) | None => Ok((Box::new(io::stdin()), "<stdin>".into())),
    }
}
