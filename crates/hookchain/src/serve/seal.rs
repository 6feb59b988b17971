//! How a bridge and its server prove to each other that they have read the same record.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::record::Secret;

/// A number that is used once.
pub(super) type Nonce = [u8; 32];

/// What stands below a message.
pub(super) type Mark = [u8; 32];

/// Which of the two speaks. What one has said cannot be handed back to it as the other's.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Bridge,
    Server,
}

/// The marks of one connection, one after the other.
///
/// A mark is an HMAC-SHA-256, keyed with the secret, over the side that speaks, the mark before it and each field of the
/// message with its length. The first is made over the name of the server and a nonce of each side. So a mark proves
/// the secret without telling it, and holds for its place in its connection alone.
#[derive(Debug)]
pub(crate) struct Seal {
    secret: Secret,
    last: Mark,
}

impl Seal {
    /// The seal of the connection in which these were said.
    pub(super) fn new(secret: &Secret, name: &str, bridge: &Nonce, server: &Nonce) -> Self {
        let mut seal = Self {
            secret: secret.clone(),
            last: Mark::default(),
        };
        let fields: [&[u8]; 3] = [name.as_bytes(), bridge, server];
        seal.last = seal
            .over(Side::Bridge, &fields)
            .finalize()
            .into_bytes()
            .into();
        seal
    }

    /// The mark below the next message, which has these fields.
    pub(super) fn mark(&mut self, side: Side, fields: &[&[u8]]) -> Mark {
        self.last = self.over(side, fields).finalize().into_bytes().into();
        self.last
    }

    /// Whether this is the mark below the next message.
    pub(super) fn fits(&mut self, side: Side, fields: &[&[u8]], mark: &[u8]) -> bool {
        // Compared in the same time, wherever the two differ.
        let fits = self.over(side, fields).verify_slice(mark).is_ok();
        if fits {
            self.mark(side, fields);
        }
        fits
    }

    fn over(&self, side: Side, fields: &[&[u8]]) -> Hmac<Sha256> {
        // A key is filled up with zeros to the size of a block (RFC 2104).
        let mut key = [0; 64];
        for (place, byte) in key.iter_mut().zip(self.secret.bytes()) {
            *place = *byte;
        }
        let mut mac = Hmac::<Sha256>::new(&key.into());
        mac.update(&[side as u8]);
        mac.update(&self.last);
        for field in fields {
            let length = u64::try_from(field.len()).unwrap_or(u64::MAX);
            mac.update(&length.to_le_bytes());
            mac.update(field);
        }
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(digit: &str) -> Secret {
        digit.repeat(64).try_into().expect("64 digits")
    }

    fn seal(digit: &str, name: &str, bridge: u8, server: u8) -> Seal {
        Seal::new(&secret(digit), name, &[bridge; 32], &[server; 32])
    }

    #[test]
    fn a_mark_fits_its_message_in_its_place_alone() {
        let said: [&[u8]; 2] = [b"said", b"{}"];
        let mark = seal("a", "n", 1, 2).mark(Side::Server, &said);
        assert!(seal("a", "n", 1, 2).fits(Side::Server, &said, &mark));
        for other in [
            seal("b", "n", 1, 2),
            seal("a", "m", 1, 2),
            seal("a", "n", 3, 2),
            seal("a", "n", 1, 3),
            seal("a", "n", 2, 1),
        ] {
            let mut other = other;
            assert!(!other.fits(Side::Server, &said, &mark));
        }
        let mut same = seal("a", "n", 1, 2);
        assert!(!same.fits(Side::Bridge, &said, &mark));
        let others: [&[&[u8]]; 4] = [&[b"said", b"{}", b""], &[b"said"], &[b"sai", b"d{}"], &[]];
        for other in others {
            assert!(!same.fits(Side::Server, other, &mark));
        }
        assert!(!same.fits(Side::Server, &said, &[]));
        assert!(!same.fits(Side::Server, &said, &mark[..31]));
        assert!(same.fits(Side::Server, &said, &mark));
        assert!(!same.fits(Side::Server, &said, &mark), "once more");
    }

    #[test]
    fn both_sides_follow_each_other() {
        let (mut bridge, mut server) = (seal("a", "n", 1, 2), seal("a", "n", 1, 2));
        for _ in 0..3 {
            let mark = bridge.mark(Side::Bridge, &[b"ask"]);
            assert!(server.fits(Side::Bridge, &[b"ask"], &mark));
            let mark = server.mark(Side::Server, &[b"taken"]);
            assert!(bridge.fits(Side::Server, &[b"taken"], &mark));
        }
    }
}
