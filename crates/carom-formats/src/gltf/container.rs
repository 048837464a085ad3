//! The binary container of glTF 2.0: a header, a chunk of JSON, a chunk of data.

use crate::error::{LoadError, Location};
use crate::format::Format;

/// The JSON, and the data if there is any.
pub(crate) fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), LoadError> {
    let not_glb = |expected| LoadError::NotThisFormat { format: Format::Glb, expected };
    if !bytes.starts_with(b"glTF") {
        return Err(not_glb("`glTF` as its first four bytes"));
    }
    let header = "a header of 12 bytes";
    let version = word(bytes, 4).ok_or_else(|| ends("header", header))?;
    let length = word(bytes, 8).ok_or_else(|| ends("header", header))?;
    if version != 2 {
        return Err(LoadError::Unsupported {
            at: Location::Part("header".to_owned()),
            feature: format!("glTF version {version}"),
            remedy: "export it as glTF 2.0",
        });
    }
    // Bytes after the announced length are not part of the file.
    let mut rest =
        bytes.get(12..length as usize).ok_or_else(|| ends("header", "the length that its header says"))?;
    let (kind, json) = chunk(&mut rest)?.ok_or_else(|| ends("chunk 0", "a chunk of JSON"))?;
    if kind != *b"JSON" {
        return Err(not_glb("a chunk of JSON after its header"));
    }
    // Only the second chunk is data; others are for readers that know them.
    let blob = chunk(&mut rest)?.and_then(|(kind, data)| (kind == *b"BIN\0").then_some(data));
    Ok((json, blob))
}

/// A kind and its data.
type Chunk<'a> = ([u8; 4], &'a [u8]);

/// The next chunk; `None` at the end.
fn chunk<'a>(rest: &mut &'a [u8]) -> Result<Option<Chunk<'a>>, LoadError> {
    if rest.is_empty() {
        return Ok(None);
    }
    let whole = "the length that its chunk says";
    let length = word(rest, 0).ok_or_else(|| ends("chunk", whole))?;
    let kind = *rest.get(4..).and_then(|rest| rest.first_chunk()).ok_or_else(|| ends("chunk", whole))?;
    let (data, after) = rest[8..].split_at_checked(length as usize).ok_or_else(|| ends("chunk", whole))?;
    *rest = after;
    Ok(Some((kind, data)))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn ends(part: &str, missing: &'static str) -> LoadError {
    LoadError::EndsEarly { at: Location::Part(part.to_owned()), missing }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(version: u32, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut body = Vec::new();
        for (kind, data) in chunks {
            body.extend((data.len() as u32).to_le_bytes());
            body.extend(*kind);
            body.extend(*data);
        }
        let mut bytes = b"glTF".to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend((12 + body.len() as u32).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    #[test]
    fn the_chunks_are_found() {
        let json: &[u8] = b"{} ";
        assert_eq!(split(&glb(2, &[(b"JSON", json)])).unwrap(), (json, None));
        assert_eq!(
            split(&glb(2, &[(b"JSON", json), (b"BIN\0", b"data")])).unwrap(),
            (json, Some(b"data".as_slice()))
        );
        assert_eq!(split(&glb(2, &[(b"JSON", json), (b"NOTE", b"data")])).unwrap(), (json, None));
        let mut followed = glb(2, &[(b"JSON", json), (b"BIN\0", b"data")]);
        followed.extend(b"more");
        assert_eq!(split(&followed).unwrap().1, Some(b"data".as_slice()));
    }

    #[test]
    fn what_is_no_container_is_refused() {
        assert!(matches!(split(b"glT"), Err(LoadError::NotThisFormat { .. })));
        assert!(matches!(split(&glb(1, &[])), Err(LoadError::Unsupported { .. })));
        assert!(matches!(split(&glb(2, &[(b"BIN\0", b"")])), Err(LoadError::NotThisFormat { .. })));
        assert!(matches!(split(&glb(2, &[])), Err(LoadError::EndsEarly { .. })));
        for length in [0, 11, u32::MAX] {
            let mut bytes = glb(2, &[(b"JSON", b"{}")]);
            bytes[8..12].copy_from_slice(&u32::to_le_bytes(length));
            assert!(matches!(split(&bytes), Err(LoadError::EndsEarly { .. })), "{length}");
            let mut bytes = glb(2, &[(b"JSON", b"{}")]);
            bytes[12..16].copy_from_slice(&u32::to_le_bytes(length.max(3)));
            assert!(matches!(split(&bytes), Err(LoadError::EndsEarly { .. })), "{length}");
        }
        let whole = glb(2, &[(b"JSON", b"{}"), (b"BIN\0", b"data")]);
        for length in 0..whole.len() {
            assert!(split(&whole[..length]).is_err(), "{length}");
        }
    }
}
