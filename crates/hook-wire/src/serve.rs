//! The author's side as a loop: one request per line in, one response per line out.

#[cfg(feature = "async")]
pub(crate) mod asynchronous;
#[cfg(all(unix, feature = "own-streams"))]
mod streams;

use std::{
    error::Error,
    fmt,
    io::{self, BufRead, Write},
};

use hook_contract::HookRequest;

use crate::{HookResponse, RequestError, decode_request, encode_response_to};

/// What the function that [`serve`] calls may return: a response, or a result with any error.
///
/// An error answers nothing: the loop ends and the program fails, which a chain takes as a failure of the hook.
///
/// ```
/// use std::error::Error;
///
/// use hook_wire::{HookResponse, IntoAnswer};
///
/// struct Refused(&'static str);
///
/// impl IntoAnswer for Refused {
///     fn into_answer(self) -> Result<HookResponse, Box<dyn Error + Send + Sync>> {
///         Ok(HookResponse::deny(self.0))
///     }
/// }
///
/// assert_eq!(Refused("not here").into_answer()?, HookResponse::deny("not here"));
/// let undecided = Err::<HookResponse, _>("the call has no command").into_answer();
/// assert_eq!(undecided.unwrap_err().to_string(), "the call has no command");
/// # Ok::<(), Box<dyn Error + Send + Sync>>(())
/// ```
pub trait IntoAnswer {
    /// The response to print, or why there is none.
    ///
    /// # Errors
    ///
    /// When no decision could be made.
    fn into_answer(self) -> Result<HookResponse, Box<dyn Error + Send + Sync>>;
}

impl IntoAnswer for HookResponse {
    fn into_answer(self) -> Result<HookResponse, Box<dyn Error + Send + Sync>> {
        Ok(self)
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>> IntoAnswer for Result<HookResponse, E> {
    fn into_answer(self) -> Result<HookResponse, Box<dyn Error + Send + Sync>> {
        self.map_err(Into::into)
    }
}

/// Why a hook stopped answering. Return it from `main`, so that the program exits with a status other than zero.
///
/// Its `Debug` form, which is what `main` prints on stderr, is the message with all its causes.
///
/// ```
/// use hook_wire::{HookResponse, serve_on};
///
/// let error = serve_on("ls\n".as_bytes(), Vec::new(), |_| HookResponse::allow()).unwrap_err();
/// assert_eq!(error.to_string(), "question 1 is not a request");
/// let printed = format!("{error:?}");
/// assert!(printed.starts_with("question 1 is not a request: the request stops being JSON at line 1, column 1:"));
/// ```
pub struct ServeError {
    kind: ServeErrorKind,
    /// The question at which it stopped, from 1.
    question: usize,
}

impl ServeError {
    #[cfg(all(unix, feature = "own-streams"))]
    const fn at_the_start(kind: ServeErrorKind) -> Self {
        Self { kind, question: 1 }
    }

    /// What went wrong.
    #[must_use]
    pub const fn kind(&self) -> &ServeErrorKind {
        &self.kind
    }
}

/// What stops a hook from answering.
///
/// ```
/// use std::path::Path;
///
/// use hook_contract::HookEvent;
/// use hook_wire::{HookCall, HookRequest, HookResponse, ServeErrorKind, encode_request, serve_on};
///
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
/// let hook = |_| Err::<HookResponse, _>("the call has no command");
/// let error = serve_on(encode_request(&request)?.as_slice(), Vec::new(), hook).unwrap_err();
/// assert!(matches!(error.kind(), ServeErrorKind::Hook(why) if why.to_string() == "the call has no command"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeErrorKind {
    /// Standard input could not be read.
    Read(io::Error),
    /// What was read is not a request.
    Request(RequestError),
    /// The hook itself could not decide.
    Hook(Box<dyn Error + Send + Sync>),
    /// The response could not be written; most likely nobody waits for it any more.
    Write(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let question = self.question;
        match &self.kind {
            ServeErrorKind::Read(_) => write!(f, "could not read question {question}"),
            ServeErrorKind::Request(_) => write!(f, "question {question} is not a request"),
            ServeErrorKind::Hook(_) => write!(f, "the hook could not decide question {question}"),
            ServeErrorKind::Write(_) => {
                write!(f, "could not write the answer to question {question}")
            }
        }
    }
}

impl fmt::Debug for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        let mut cause = self.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl Error for ServeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(match &self.kind {
            ServeErrorKind::Read(error) | ServeErrorKind::Write(error) => error,
            ServeErrorKind::Request(error) => error,
            ServeErrorKind::Hook(error) => error.as_ref(),
        })
    }
}

/// Answers every request on standard input, one per line, with one line on standard output, until the input ends.
///
/// So one and the same program serves a single question (one line, then the end of input) and, as a worker, many.
/// Both belong to the conversation from then on: what the rest of the program prints, and what programs print that it
/// starts, goes to standard error, and they find nothing to read. (Only Unix has the means, and the feature `own-streams`, which
/// is on by default; without them, nothing else may use either.) Each answer names the call that it is about, so that a chain never takes it for the answer to another question.
///
/// Call it once, and read nothing from standard input before: what was read ahead is lost to the loop.
///
/// A panic in `hook` passes through. Like an error, it leaves that question without an answer and makes the program
/// fail, which the chain takes as a failure of the hook.
///
/// ```no_run
/// use hook_wire::{HookRequest, HookResponse, ServeError, serve};
///
/// fn main() -> Result<(), ServeError> {
///     serve(|request: HookRequest| {
///         // What cannot be read is no command that was cleared: the error makes the hook fail.
///         let command = request.input["command"].as_str().ok_or("the call has no command")?;
///         Ok::<_, &str>(if command.contains("--force") {
///             HookResponse::deny("force-push is not allowed in this workspace")
///         } else {
///             HookResponse::allow()
///         })
///     })
/// }
/// ```
///
/// # Errors
///
/// When a line is not a request, the hook returns an error, or reading or writing fails. Nothing is printed for that
/// question, and none after it is answered.
pub fn serve<A: IntoAnswer>(hook: impl FnMut(HookRequest) -> A) -> Result<(), ServeError> {
    #[cfg(all(unix, feature = "own-streams"))]
    {
        let own = streams::Streams::take().map_err(ServeError::at_the_start)?;
        serve_on(io::BufReader::new(own.questions), own.answers, hook)
    }
    #[cfg(not(all(unix, feature = "own-streams")))]
    serve_on(io::stdin().lock(), io::stdout(), hook)
}

/// [`serve`], on any reader and writer.
///
/// ```
/// use std::path::Path;
///
/// use hook_contract::HookEvent;
/// use hook_wire::{HookCall, HookRequest, HookResponse, encode_request, serve_on};
///
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
/// let mut printed = Vec::new();
/// serve_on(encode_request(&request)?.as_slice(), &mut printed, |_| HookResponse::allow())?;
/// assert_eq!(printed, b"{\"decision\":\"allow\",\"tool_call_id\":\"call-1\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As [`serve`].
pub fn serve_on<A: IntoAnswer>(
    mut reader: impl BufRead,
    mut writer: impl Write,
    mut hook: impl FnMut(HookRequest) -> A,
) -> Result<(), ServeError> {
    let mut line = Vec::new();
    let mut question = 1;
    loop {
        let fail = |kind| ServeError { kind, question };
        line.clear();
        let read = reader.read_until(b'\n', &mut line);
        if read.map_err(|error| fail(ServeErrorKind::Read(error)))? == 0 {
            return Ok(());
        }
        if blank(&line) {
            continue;
        }
        let request = decode_request(&line).map_err(|e| fail(ServeErrorKind::Request(e)))?;
        let call = request.tool_call_id.clone();
        let answer = hook(request).into_answer();
        let answer = answer.map_err(|e| fail(ServeErrorKind::Hook(e)))?;
        let answer = encode_response_to(&call, &answer);
        let written = writer.write_all(&answer).and_then(|()| writer.flush());
        written.map_err(|error| fail(ServeErrorKind::Write(error)))?;
        question += 1;
    }
}

/// Whether a line is no question at all, such as the empty last line of a file.
fn blank(line: &[u8]) -> bool {
    line.iter().all(|byte| b" \t\n\r".contains(byte))
}

#[cfg(test)]
mod tests;
