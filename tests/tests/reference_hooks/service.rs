//! The service that some of the hooks ask.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
};

/// A server on this machine that judges calls, until it is dropped.
pub(crate) struct Service {
    address: SocketAddr,
    /// What it says to everybody; nothing: it judges.
    script: Arc<Mutex<Option<Said>>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Clone, Copy)]
enum Said {
    This(&'static str),
    Farewell,
}

impl Service {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let script = Arc::new(Mutex::new(None));
        let read = Arc::clone(&script);
        let thread = thread::spawn(move || {
            let calls = listener.incoming().map(|stream| stream.expect("a caller"));
            let said = || *read.lock().unwrap_or_else(PoisonError::into_inner);
            for (stream, said) in calls.map(|stream| (stream, said())) {
                match said {
                    Some(Said::Farewell) => return,
                    Some(Said::This(text)) => answer(&stream, Some(text)),
                    None => answer(&stream, None),
                }
            }
        });
        Self {
            address,
            script,
            thread: Some(thread),
        }
    }

    /// The arguments of the hook in bash: host, port and path.
    pub(crate) fn words(&self) -> Vec<String> {
        vec![
            self.address.ip().to_string(),
            self.address.port().to_string(),
            "/judge".into(),
        ]
    }

    pub(crate) fn url(&self) -> Vec<String> {
        vec![format!("http://{}/judge", self.address)]
    }

    pub(crate) fn will_say(&self, text: &'static str) {
        self.set(Some(Said::This(text)));
    }

    pub(crate) fn will_judge(&self) {
        self.set(None);
    }

    fn set(&self, said: Option<Said>) {
        *self.script.lock().unwrap_or_else(PoisonError::into_inner) = said;
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.set(Some(Said::Farewell));
        // Somebody has to call for it to notice.
        if TcpStream::connect(self.address).is_ok()
            && let Some(thread) = self.thread.take()
        {
            assert!(thread.join().is_ok(), "the service panicked");
        }
    }
}

/// Reads one question; answers `text`, or that the call is allowed unless it forces something.
fn answer(mut stream: &TcpStream, text: Option<&str>) {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).expect("a header");
        if header.trim().is_empty() {
            break;
        }
        if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("the whole question");
    let question = String::from_utf8(body).expect("UTF-8");
    let verdict = if question.contains("--force") {
        r#"{"allowed":false,"reason":"not today"}"#
    } else {
        "{ \"allowed\": true }\n"
    };
    let judged = format!(
        "HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{verdict}",
        verdict.len()
    );
    // A hook that was told nonsense may be gone before all of it was said.
    let _gone = stream.write_all(text.unwrap_or(&judged).as_bytes());
}
