//! What a bridge and its server say to each other.
//!
//! The bridge greets, and the server proves that it has the secret of its record. Then the bridge asks once, which proves the
//! same of the bridge. The server says that it takes the call, before anybody is asked, and then what its answer is.
//! Everything after the greeting has a mark ([`Seal`]) as its last field.

use std::{io, time::Duration};

use hook_dialect::bridge::{Answer, Attendance, Bridge};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

use super::{
    frame::{self, Body, MAX_BODY, MAX_GREETING},
    record::{self, Secret},
    seal::{Mark, Nonce, Seal, Side},
};

/// A call that an agent asks about.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub(crate) bridge: &'static Bridge,
    /// Whether a person sits before the agent, which the agent's own process alone can tell.
    pub(crate) attendance: Attendance,
    /// How long all hooks together may take.
    pub(crate) within: Duration,
    /// As the agent sent it.
    pub(crate) payload: &'a [u8],
}

/// What the server says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// It asks the hooks now.
    Taken,
    /// It has no memory for the call, and has not heard it. This has no mark: all it does is that the bridge decides by itself,
    /// as every word does that is not understood.
    Busy,
    /// What came of it, in the agent's words.
    Answer(Answer),
}

/// Greets the server of that name, which has to prove that it has the secret.
pub(crate) async fn greet(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    name: &str,
    secret: &Secret,
) -> io::Result<Seal> {
    let nonce = record::random()?;
    write(stream, &[b"hello", name.as_bytes(), &nonce]).await?;
    let body = frame::read(stream, MAX_GREETING).await?;
    let [b"proof", of_server, mark] = *body.fields()? else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let of_server = Nonce::try_from(of_server).map_err(io::Error::other)?;
    let mut seal = Seal::new(secret, name, &nonce, &of_server);
    if !seal.fits(Side::Server, &[b"proof", &of_server], mark) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(seal)
}

/// Hears the greeting of a bridge that looks for the server of that name, and proves to it that this is the server.
pub(crate) async fn welcome(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    name: &str,
    secret: &Secret,
) -> io::Result<Seal> {
    let body = frame::read(stream, MAX_GREETING).await?;
    let [b"hello", wanted, of_bridge] = *body.fields()? else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    if wanted != name.as_bytes() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let of_bridge = Nonce::try_from(of_bridge).map_err(io::Error::other)?;
    let nonce = record::random()?;
    let mut seal = Seal::new(secret, name, &of_bridge, &nonce);
    let mark = seal.mark(Side::Server, &[b"proof", &nonce]);
    write(stream, &[b"proof", &nonce, &mark]).await?;
    Ok(seal)
}

impl<'a> Question<'a> {
    /// As it is sent, unless it is too large for that.
    pub(crate) fn sealed(&self, seal: &mut Seal) -> Option<Vec<u8>> {
        let within = self.within.as_secs().to_string();
        let words = [
            "ask",
            self.bridge.dialect.name,
            self.attendance.as_str(),
            &within,
        ];
        let [ask, agent, attendance, within] = words.map(str::as_bytes);
        sealed(
            seal,
            Side::Bridge,
            &[ask, agent, attendance, within, self.payload],
        )
    }

    /// Whether it is too large to be sent.
    pub(crate) const fn is_too_large(&self) -> bool {
        // The other fields have less than that.
        self.payload.len() > MAX_BODY - MAX_GREETING
    }

    pub(crate) fn open(body: &'a Body, seal: &mut Seal) -> io::Result<Self> {
        let fields = opened(body, seal, Side::Bridge)?;
        let [b"ask", agent, attendance, within, payload] = *fields else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let bridge = Bridge::named(text(agent)?).ok_or(io::ErrorKind::InvalidData)?;
        let attendance = Attendance::named(text(attendance)?);
        let attendance = attendance.ok_or(io::ErrorKind::InvalidData)?;
        let within = text(within)?.parse().map_err(io::Error::other)?;
        Ok(Self {
            bridge,
            attendance,
            within: Duration::from_secs(within),
            payload,
        })
    }
}

impl Reply {
    /// Reads the next; nothing is said by half, and nothing counts without its mark.
    pub(crate) async fn read(
        from: &mut (impl AsyncRead + Unpin),
        seal: &mut Seal,
    ) -> io::Result<Self> {
        let body = frame::read(from, MAX_BODY).await?;
        if let [b"busy"] = *body.fields()? {
            return Ok(Self::Busy);
        }
        let fields = opened(&body, seal, Side::Server)?.into_iter().map(text);
        let words = fields.collect::<io::Result<Vec<&str>>>()?;
        Ok(match *words {
            ["taken"] => Self::Taken,
            ["nothing", stdout] => Self::Answer(Answer::Nothing {
                stdout: stdout.to_owned(),
            }),
            ["said", stdout, otherwise] => Self::Answer(Answer::Said {
                stdout: stdout.to_owned(),
                otherwise: otherwise.to_owned(),
            }),
            ["refused", stdout, stderr] => Self::Answer(Answer::Refused {
                stdout: stdout.to_owned(),
                stderr: stderr.to_owned(),
            }),
            _ => return Err(io::ErrorKind::InvalidData.into()),
        })
    }

    pub(crate) fn sealed(&self, seal: &mut Seal) -> Option<Vec<u8>> {
        let words: &[&str] = match self {
            Self::Taken => &["taken"],
            Self::Busy => return frame::encode(&[b"busy"]),
            Self::Answer(Answer::Nothing { stdout }) => &["nothing", stdout],
            Self::Answer(Answer::Said { stdout, otherwise }) => &["said", stdout, otherwise],
            Self::Answer(Answer::Refused { stdout, stderr }) => &["refused", stdout, stderr],
        };
        let fields: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        sealed(seal, Side::Server, &fields)
    }

    pub(super) async fn write(
        &self,
        to: &mut (impl AsyncWrite + Unpin),
        seal: &mut Seal,
    ) -> io::Result<()> {
        let bytes = self.sealed(seal).ok_or(io::ErrorKind::FileTooLarge)?;
        to.write_all(&bytes).await
    }
}

fn sealed(seal: &mut Seal, side: Side, fields: &[&[u8]]) -> Option<Vec<u8>> {
    let mark = seal.mark(side, fields);
    let mut fields = fields.to_vec();
    fields.push(&mark);
    frame::encode(&fields)
}

/// The fields without the mark, which fits them.
fn opened<'b>(body: &'b Body, seal: &mut Seal, side: Side) -> io::Result<Vec<&'b [u8]>> {
    let mut fields = body.fields()?;
    let mark = fields.pop().filter(|mark| mark.len() == size_of::<Mark>());
    let mark = mark.ok_or(io::ErrorKind::InvalidData)?;
    if !seal.fits(side, &fields, mark) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(fields)
}

async fn write(to: &mut (impl AsyncWrite + Unpin), fields: &[&[u8]]) -> io::Result<()> {
    let bytes = frame::encode(fields).ok_or(io::ErrorKind::FileTooLarge)?;
    to.write_all(&bytes).await
}

fn text(field: &[u8]) -> io::Result<&str> {
    std::str::from_utf8(field).map_err(io::Error::other)
}

#[cfg(test)]
mod tests;
