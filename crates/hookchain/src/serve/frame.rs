//! One message on the socket: all of it, or nothing.
//!
//! ```text
//! magic (8)  length of the body (4)  { length of a field (4)  field }  end (4)
//! ```
//!
//! Numbers are little-endian. A message counts when its end is there and its fields fill the body: whatever is cut off or
//! mixed up is an error, and an error is never an answer.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

const MAGIC: &[u8; 8] = b"hookch\x01\n";
const END: &[u8; 4] = b"end\n";

/// The largest body. Agents cut their results long before, and a bridge decides about larger ones by itself.
pub(crate) const MAX_BODY: usize = 16 << 20;

/// The largest body before the two know each other.
pub(super) const MAX_GREETING: usize = 256;

/// More than any message has. A body of empty fields is not to become a list of millions.
const MAX_FIELDS: usize = 8;

/// What comes before a body.
#[derive(Debug)]
pub(super) struct Head {
    length: usize,
}

/// A whole body.
#[derive(Debug)]
pub(crate) struct Body(Vec<u8>);

/// The message with these fields, unless it is too large.
pub(super) fn encode(fields: &[&[u8]]) -> Option<Vec<u8>> {
    let body: usize = fields.iter().map(|field| field.len() + 4).sum();
    let length = u32::try_from(body).ok().filter(|_| body <= MAX_BODY)?;
    let mut bytes = Vec::with_capacity(body + 16);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&length.to_le_bytes());
    for field in fields {
        bytes.extend_from_slice(&u32::try_from(field.len()).ok()?.to_le_bytes());
        bytes.extend_from_slice(field);
    }
    bytes.extend_from_slice(END);
    Some(bytes)
}

/// Reads one message, whose body has at most so many bytes.
pub(crate) async fn read(from: &mut (impl AsyncRead + Unpin), limit: usize) -> io::Result<Body> {
    Head::read(from, limit).await?.body(from).await
}

impl Head {
    /// Reads what comes before a body, which has at most so many bytes.
    pub(super) async fn read(
        from: &mut (impl AsyncRead + Unpin),
        limit: usize,
    ) -> io::Result<Self> {
        let (mut magic, mut length) = ([0; 8], [0; 4]);
        from.read_exact(&mut magic).await?;
        from.read_exact(&mut length).await?;
        let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
        if magic != *MAGIC || length > limit {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(Self { length })
    }

    /// How many bytes the body is to have.
    pub(super) const fn length(&self) -> usize {
        self.length
    }

    /// Reads the body. Room is made for what arrives, and not for what is announced.
    pub(super) async fn body(self, from: &mut (impl AsyncRead + Unpin)) -> io::Result<Body> {
        let mut body = Vec::new();
        let announced = u64::try_from(self.length).unwrap_or(u64::MAX);
        let got = (&mut *from).take(announced).read_to_end(&mut body).await?;
        if got != self.length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut end = [0; 4];
        from.read_exact(&mut end).await?;
        if end != *END {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(Body(body))
    }
}

impl Body {
    /// Its fields, which fill it.
    pub(super) fn fields(&self) -> io::Result<Vec<&[u8]>> {
        self.split()
            .ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn split(&self) -> Option<Vec<&[u8]>> {
        let mut body = &*self.0;
        let mut fields = Vec::with_capacity(MAX_FIELDS);
        while !body.is_empty() {
            let (length, rest) = body.split_first_chunk()?;
            let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
            let (field, rest) = rest.split_at_checked(length)?;
            if fields.len() == MAX_FIELDS {
                return None;
            }
            fields.push(field);
            body = rest;
        }
        Some(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(mut bytes: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        let body = runtime.block_on(read(&mut bytes, MAX_BODY))?;
        let fields = body.fields()?.into_iter();
        Ok(fields.map(<[u8]>::to_owned).collect())
    }

    #[test]
    fn a_message_comes_back() {
        for fields in [vec![], vec![&b"a"[..], b"", b"\0\xff\n"]] {
            let bytes = encode(&fields).expect("small");
            assert_eq!(decoded(&bytes).expect("whole"), fields);
        }
    }

    #[test]
    fn no_part_of_a_message_is_one_nor_is_a_changed_one() {
        let bytes = encode(&[b"said", b"allow"]).expect("small");
        for end in 0..bytes.len() {
            assert!(decoded(&bytes[..end]).is_err(), "{end}");
        }
        // Everything but what the fields themselves hold.
        for at in (0..16).chain(20..24).chain(29..33) {
            let mut changed = bytes.clone();
            changed[at] ^= 0x11;
            assert!(decoded(&changed).is_err(), "{at}");
        }
    }

    #[test]
    fn what_is_too_large_is_not_written() {
        assert_eq!(encode(&[&vec![0; MAX_BODY]]), None);
    }

    #[test]
    fn what_is_larger_than_may_be_is_not_read() {
        let bytes = encode(&[b"12345678"]).expect("small");
        let read = |limit| {
            let mut bytes = &*bytes;
            let runtime = tokio::runtime::Builder::new_current_thread().build();
            let read = runtime
                .expect("a runtime")
                .block_on(read(&mut bytes, limit));
            (read.is_ok(), bytes.len())
        };
        assert_eq!(read(12), (true, 0));
        let (is_read, left) = read(11);
        assert!(!is_read);
        assert_eq!(left, bytes.len() - 12, "the body was left alone");
    }

    #[test]
    fn many_empty_fields_are_no_message() {
        let some = vec![&b""[..]; MAX_FIELDS];
        assert_eq!(
            decoded(&encode(&some).expect("small")).expect("whole"),
            some
        );
        let many = vec![&b""[..]; MAX_FIELDS + 1];
        assert!(decoded(&encode(&many).expect("small")).is_err());
    }
}
