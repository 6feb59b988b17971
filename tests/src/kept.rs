//! A hook program that is kept, without a runner between it and the test.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use hook_contract::HookRequest;
use hook_wire::{HookResponse, decode_response, encode_request};

/// A program that is asked line by line, and the pipes to it.
#[derive(Debug)]
pub struct Kept {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Kept {
    /// Starts it.
    #[must_use]
    pub fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("started");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self {
            child,
            input,
            output,
        }
    }

    /// Asks and waits: the answer must not wait in a buffer for the next question.
    pub fn ask(&mut self, request: &HookRequest) -> HookResponse {
        let line = encode_request(request).expect("a request");
        self.input.write_all(&line).expect("it reads");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("it answers");
        assert!(answer.ends_with('\n'), "{answer:?}");
        decode_response(answer.as_bytes())
            .expect("an answer")
            .response
    }

    /// Ends its input, at which it must end well.
    pub fn end(mut self) {
        drop(self.input);
        let status = self.child.wait().expect("a child");
        assert!(status.success(), "{status} at the end of its input");
    }
}
