//! Messages between processes outside the flood: a kind, a length, and that many bytes.

use std::io::{self, Read, Write};

/// Longer frames are refused: no message is that long.
const MOST: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A process says which it is.
    Hello = 0xC1,
    /// It has the level, and says what it explores.
    Ready,
    /// All are there: where each listens.
    Go,
    /// It cannot continue, or must not.
    Failed,
    /// It lives.
    Beat,
    /// The first on a connection for the flood.
    Link,
}

const KINDS: [Kind; 6] = [Kind::Hello, Kind::Ready, Kind::Go, Kind::Failed, Kind::Beat, Kind::Link];

pub(crate) fn send(mut to: impl Write, kind: Kind, bytes: &[u8]) -> io::Result<()> {
    let mut out = vec![kind as u8];
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
    to.write_all(&out)
}

pub(crate) fn receive(mut from: impl Read) -> io::Result<(Kind, Vec<u8>)> {
    let mut head = [0; 5];
    from.read_exact(&mut head)?;
    let [kind, length @ ..] = head;
    let kind = KINDS.into_iter().find(|known| *known as u8 == kind);
    let length = u32::from_le_bytes(length) as usize;
    match kind.filter(|_| length <= MOST) {
        None => Err(io::Error::new(io::ErrorKind::InvalidData, "not a carom process")),
        Some(kind) => {
            let mut bytes = vec![0; length];
            from.read_exact(&mut bytes)?;
            Ok((kind, bytes))
        }
    }
}

/// Texts as one: each after its length.
pub(crate) fn join(texts: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    for text in texts {
        out.extend((text.len() as u32).to_le_bytes());
        out.extend(text.as_bytes());
    }
    out
}

/// The texts of [`join`]; `None` if it is something else.
pub(crate) fn split(mut bytes: &[u8]) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk()?;
        let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        texts.push(String::from_utf8(text.to_vec()).ok()?);
        bytes = rest;
    }
    Some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_texts_come_back_and_others_are_refused() {
        let mut bytes = Vec::new();
        let texts = ["a", "", "größer"];
        send(&mut bytes, Kind::Hello, &join(&texts)).unwrap_or_default();
        let (kind, said) = receive(bytes.as_slice()).unwrap_or((Kind::Beat, Vec::new()));
        assert_eq!(
            (kind, split(&said).unwrap_or_default()),
            (Kind::Hello, texts.map(str::to_owned).to_vec())
        );
        assert!(receive(&bytes[..9]).is_err());
        assert!(receive(b"GET / HTTP/1.1\r\n".as_slice()).is_err());
        assert!(receive([0xC1, 255, 255, 255, 255].as_slice()).is_err());
        assert_eq!(split(&[9, 0, 0, 0, 1]), None);
        assert_eq!(split(&[1]), None);
    }
}
