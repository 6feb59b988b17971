//! A little HTTP server that behaves as a test wants.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::Duration,
};

/// How long a test waits at most for what must happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// What the server does with the one request that it takes.
pub(crate) enum Manner {
    /// Answers with this status, these further header lines and this body.
    Answers(&'static str, String, &'static str),
    /// Answers nothing until the test lets it go.
    Hangs,
    /// Sends a whole answer, a byte each second.
    Drips(&'static str),
}

impl Manner {
    pub(crate) fn says(body: &'static str) -> Self {
        Self::Answers("200 OK", String::new(), body)
    }
}

/// A server that takes one request.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    question: Receiver<Question>,
    /// Dropped to let a server go that hangs.
    release: Sender<()>,
    ended: JoinHandle<io::Result<Ending>>,
}

/// What the server was asked.
pub(crate) struct Question {
    /// The request line and the header lines, in lower case.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// How the exchange ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The server sent all that it had to send.
    Sent,
    /// The client closed the connection before that.
    GivenUp,
}

impl Server {
    pub(crate) fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its number");
        let (tell, question) = mpsc::channel();
        let (release, released) = mpsc::channel();
        let ended = thread::spawn(move || {
            let (stream, _from) = listener.accept()?;
            let asked = read_question(&stream)?;
            // A test that does not look at the question is gone.
            drop(tell.send(asked));
            manner.answer(stream, &released)
        });
        Self {
            address,
            question,
            release,
            ended,
        }
    }

    /// The question that it was asked.
    pub(crate) fn asked(&self) -> Question {
        self.question.recv_timeout(PATIENCE).expect("a question")
    }

    /// Lets it go, and says how the exchange ended.
    pub(crate) fn end(self) -> Ending {
        drop(self.release);
        let ended = self.ended.join().expect("no panic");
        ended.expect("an exchange")
    }

    /// Says how the exchange ended that the server itself is still at.
    pub(crate) fn end_by_itself(self) -> Ending {
        let ended = self.ended.join().expect("no panic");
        drop(self.release);
        ended.expect("an exchange")
    }
}

impl Manner {
    fn answer(self, mut stream: TcpStream, released: &Receiver<()>) -> io::Result<Ending> {
        match self {
            Self::Answers(status, headers, body) => {
                stream.write_all(response(status, &headers, body).as_bytes())?;
                Ok(Ending::Sent)
            }
            Self::Hangs => {
                // Nothing is ever sent on it: it ends when the test drops its side.
                while released.recv().is_ok() {}
                until_closed(&mut stream)
            }
            Self::Drips(body) => Ok(drip(&mut stream, &response("200 OK", "", body), released)),
        }
    }
}

/// Sends the text, a byte each second, until the client is gone or the test lets the server go.
fn drip(stream: &mut TcpStream, text: &str, released: &Receiver<()>) -> Ending {
    for byte in text.bytes() {
        if stream.write_all(&[byte]).is_err() {
            return Ending::GivenUp;
        }
        if released.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Disconnected) {
            break;
        }
    }
    Ending::Sent
}

fn response(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

/// Waits until the client closes the connection.
fn until_closed(stream: &mut TcpStream) -> io::Result<Ending> {
    stream.set_read_timeout(Some(PATIENCE))?;
    match stream.read(&mut [0]) {
        Ok(0) => Ok(Ending::GivenUp),
        Ok(_more) => Err(io::Error::other("the client said more")),
        Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(Ending::GivenUp),
        Err(error) => Err(error),
    }
}

fn read_question(stream: &TcpStream) -> io::Result<Question> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    let head = head.to_ascii_lowercase();
    let mut lines = head.lines();
    let length = lines.find_map(|line| line.strip_prefix("content-length:"));
    let length = length.and_then(|length| length.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    Ok(Question { head, body })
}
