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
const MAX_BODY: usize = 64 << 20;

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

/// Reads one message.
pub(super) async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<Vec<u8>>> {
    let (mut magic, mut length, mut end) = ([0; 8], [0; 4], [0; 4]);
    from.read_exact(&mut magic).await?;
    from.read_exact(&mut length).await?;
    let length = u32::from_le_bytes(length);
    let wanted = usize::try_from(length).unwrap_or(usize::MAX);
    if magic != *MAGIC || wanted > MAX_BODY {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = Vec::new();
    // Room is made for what arrives, and not for what is announced.
    let got = from.take(length.into()).read_to_end(&mut body).await?;
    if got != wanted {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    from.read_exact(&mut end).await?;
    if end != *END {
        return Err(io::ErrorKind::InvalidData.into());
    }
    fields(&body).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

fn fields(mut body: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut fields = Vec::new();
    while !body.is_empty() {
        let (length, rest) = body.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (field, rest) = rest.split_at_checked(length)?;
        fields.push(field.to_owned());
        body = rest;
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(mut bytes: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        runtime.block_on(read(&mut bytes))
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
}
