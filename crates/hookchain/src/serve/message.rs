//! What a bridge and its server say to each other.
//!
//! The bridge asks once. The server first says that it takes the call, before anybody is asked, and then what its answer is.

use std::io;

use hook_dialect::bridge::{Answer, Attendance, Bridge};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

use super::frame;

/// A call that an agent asks about.
#[derive(Debug)]
pub(crate) struct Question {
    /// The name of the server that it is for.
    pub(crate) name: String,
    pub(crate) bridge: &'static Bridge,
    /// Whether a person sits before the agent, which the agent's own process alone can tell.
    pub(crate) attendance: Attendance,
    /// As the agent sent it.
    pub(crate) payload: Vec<u8>,
}

/// What the server says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// It asks the hooks now.
    Taken,
    /// What came of it, in the agent's words.
    Answer(Answer),
}

impl Question {
    /// As it is sent, unless it is too large for that.
    pub(crate) fn encoded(&self) -> Option<Vec<u8>> {
        let words = [
            &self.name,
            self.bridge.dialect.name,
            self.attendance.as_str(),
        ];
        let [name, agent, attendance] = words.map(str::as_bytes);
        frame::encode(&[name, agent, attendance, &self.payload])
    }

    pub(super) async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Self> {
        let fields = <[Vec<u8>; 4]>::try_from(frame::read(from).await?);
        let Ok([name, agent, attendance, payload]) = fields else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let bridge = Bridge::named(&text(agent)?).ok_or(io::ErrorKind::InvalidData)?;
        let attendance = Attendance::named(&text(attendance)?);
        let attendance = attendance.ok_or(io::ErrorKind::InvalidData)?;
        let name = text(name)?;
        Ok(Self {
            name,
            bridge,
            attendance,
            payload,
        })
    }
}

impl Reply {
    /// Reads the next; nothing is said by half.
    pub(crate) async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Self> {
        let fields = frame::read(from).await?.into_iter().map(text);
        let fields = fields.collect::<io::Result<Vec<String>>>()?;
        let words: Vec<&str> = fields.iter().map(String::as_str).collect();
        Ok(match words.as_slice() {
            ["taken"] => Self::Taken,
            ["nothing", stdout] => Self::Answer(Answer::Nothing {
                stdout: (*stdout).to_owned(),
            }),
            ["said", stdout, otherwise] => Self::Answer(Answer::Said {
                stdout: (*stdout).to_owned(),
                otherwise: (*otherwise).to_owned(),
            }),
            ["refused", stdout, stderr] => Self::Answer(Answer::Refused {
                stdout: (*stdout).to_owned(),
                stderr: (*stderr).to_owned(),
            }),
            _ => return Err(io::ErrorKind::InvalidData.into()),
        })
    }

    pub(super) async fn write(&self, to: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        let fields: &[&str] = match self {
            Self::Taken => &["taken"],
            Self::Answer(Answer::Nothing { stdout }) => &["nothing", stdout],
            Self::Answer(Answer::Said { stdout, otherwise }) => &["said", stdout, otherwise],
            Self::Answer(Answer::Refused { stdout, stderr }) => &["refused", stdout, stderr],
        };
        let fields: Vec<&[u8]> = fields.iter().map(|field| field.as_bytes()).collect();
        let bytes = frame::encode(&fields).ok_or(io::ErrorKind::FileTooLarge)?;
        to.write_all(&bytes).await
    }
}

fn text(field: Vec<u8>) -> io::Result<String> {
    String::from_utf8(field).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.expect("a runtime").block_on(future)
    }

    #[test]
    fn what_is_asked_comes_back() {
        for bridge in Bridge::ALL {
            for attendance in Attendance::ALL {
                let question = Question {
                    name: "n".to_owned(),
                    bridge,
                    attendance,
                    payload: b"{}\xff".to_vec(),
                };
                let bytes = question.encoded().expect("small");
                let read = run(Question::read(&mut bytes.as_slice())).expect("read");
                assert_eq!(read.name, question.name);
                assert!(std::ptr::eq(read.bridge, bridge));
                assert_eq!(read.attendance, attendance);
                assert_eq!(read.payload, question.payload);
            }
        }
    }

    #[test]
    fn a_question_of_another_version_is_none() {
        for fields in [
            // As versions before asks were handed on said it.
            &[&b"n"[..], b"claude", b"{}"][..],
            &[b"n", b"claude", b"perhaps", b"{}"],
            &[b"n", b"claude", b"", b"{}"],
            &[b"n", b"other", b"attended", b"{}"],
            &[b"n", b"claude", b"attended", b"{}", b""],
        ] {
            let bytes = frame::encode(fields).expect("small");
            let read = run(Question::read(&mut bytes.as_slice()));
            assert!(read.is_err(), "{fields:?}");
        }
    }

    #[test]
    fn what_is_said_comes_back() {
        let (stdout, other) = (|| "{}\n".to_owned(), || "no\n".to_owned());
        for reply in [
            Reply::Taken,
            Reply::Answer(Answer::Nothing { stdout: stdout() }),
            Reply::Answer(Answer::Said {
                stdout: stdout(),
                otherwise: other(),
            }),
            Reply::Answer(Answer::Refused {
                stdout: stdout(),
                stderr: other(),
            }),
        ] {
            let mut bytes = Vec::new();
            run(reply.write(&mut bytes)).expect("written");
            assert_eq!(
                run(Reply::read(&mut bytes.as_slice())).expect("read"),
                reply
            );
        }
    }

    #[test]
    fn what_is_not_known_is_no_answer() {
        for fields in [
            &[][..],
            &[&b"allow"[..]],
            &[b"nothing"],
            &[b"nothing", b"\xff"],
        ] {
            let bytes = frame::encode(fields).expect("small");
            assert!(
                run(Reply::read(&mut bytes.as_slice())).is_err(),
                "{fields:?}"
            );
        }
    }
}
