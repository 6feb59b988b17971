//! Reading lines on a thread of its own: a read cannot be interrupted, and a signal must not wait for one.

use std::{
    io::{self, BufRead, BufReader, Read},
    thread,
};

use tokio::sync::mpsc;

use super::places::{Place, Places};

/// How long a line may be. What is longer is passed over, and its beginning is no call.
const LONGEST: u64 = 64 << 20;

/// A line, with its end if it has one.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) bytes: Vec<u8>,
    pub(super) place: Place,
}

/// Starts to read. The thread ends with its source, or with the process.
pub(super) fn start(
    source: Box<dyn Read + Send>,
) -> io::Result<mpsc::Receiver<io::Result<Reading>>> {
    let (sender, receiver) = mpsc::channel(1);
    let places = Places::default();
    thread::Builder::new().name("lines".into()).spawn(move || {
        let mut source = BufReader::with_capacity(64 << 10, source);
        loop {
            let read = match line(&mut source) {
                Ok(None) => return,
                Ok(Some(bytes)) => {
                    let place = places.take(bytes.len());
                    Ok(Reading { bytes, place })
                }
                Err(error) => Err(error),
            };
            let failed = read.is_err();
            if sender.blocking_send(read).is_err() || failed {
                return;
            }
        }
    })?;
    Ok(receiver)
}

fn line(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if source.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
        source.skip_until(b'\n')?;
    }
    Ok(Some(line))
}
