//! Buffers: the location of their bytes, and the parts that buffer views cut out of them.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::schema::Document;
use crate::error::{LoadError, Location, Resource, excerpt};
use crate::read_file::read_file;

/// Padding at the end is optional: not every exporter writes it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

#[cfg(not(feature = "meshopt"))]
pub(super) const NO_MESHOPT: &str =
    "export it without compression, or build carom-formats with its feature `meshopt`";

/// Where files that a glTF names may be.
#[derive(Clone, Copy)]
pub(crate) enum Neighbors<'a> {
    /// Nowhere: bytes alone were given.
    None,
    /// In this folder and those within.
    Folder(&'a Path),
    /// Here: names as in the file or without their folders, and bytes.
    Given(&'a [(String, Vec<u8>)]),
}

/// The buffers of a document, each read when it is first wanted.
pub(crate) struct Buffers<'a> {
    document: &'a Document,
    blob: Option<&'a [u8]>,
    neighbors: Neighbors<'a>,
    read: Vec<OnceCell<Cow<'a, [u8]>>>,
    /// Of every buffer view that is compressed: its data, decoded.
    #[cfg(feature = "meshopt")]
    decoded: Vec<OnceCell<Vec<u8>>>,
    /// How many more bytes may be read.
    left: Cell<u64>,
}

/// A piece of a buffer.
pub(crate) struct View<'a> {
    pub(crate) bytes: &'a [u8],
    /// From one element to the next; 0 if they follow each other.
    pub(crate) stride: u64,
}

impl<'a> Buffers<'a> {
    pub(crate) fn new(
        document: &'a Document,
        blob: Option<&'a [u8]>,
        neighbors: Neighbors<'a>,
        left: u64,
    ) -> Self {
        Self {
            document,
            blob,
            neighbors,
            read: document.buffers.iter().map(|_| OnceCell::new()).collect(),
            #[cfg(feature = "meshopt")]
            decoded: document.buffer_views.iter().map(|_| OnceCell::new()).collect(),
            left: Cell::new(left),
        }
    }

    /// How many more bytes may be read or decoded.
    #[cfg(any(feature = "draco", feature = "meshopt"))]
    pub(crate) fn left(&self) -> u64 {
        self.left.get()
    }

    /// Counts bytes that were decoded against what may be read.
    #[cfg(any(feature = "draco", feature = "meshopt"))]
    pub(crate) fn charge(&self, bytes: u64) -> Result<(), LoadError> {
        let left = self.left.get();
        let rest = left.checked_sub(bytes);
        self.left.set(rest.ok_or(LoadError::OverLimit { resource: Resource::Bytes, limit: left })?);
        Ok(())
    }

    /// The bytes of a buffer view; `at` names what refers to it.
    pub(crate) fn view(&self, index: u32, at: impl Fn() -> Location) -> Result<View<'_>, LoadError> {
        let views = &self.document.buffer_views;
        let view =
            views.get(index as usize).ok_or_else(|| out_of_range(at(), index, views.len(), "bufferViews"))?;
        #[cfg(feature = "meshopt")]
        if let Some(meshopt) = &view.extensions.meshopt {
            let slot = &self.decoded[index as usize];
            let bytes = match slot.get() {
                Some(bytes) => bytes,
                None => {
                    let source =
                        self.piece(meshopt.buffer, meshopt.byte_offset, meshopt.byte_length, index)?;
                    let bytes = super::meshopt::decode(source, view, meshopt, index, self.left())?;
                    self.charge(bytes.len() as u64)?;
                    slot.get_or_init(|| bytes)
                }
            };
            return Ok(View { bytes, stride: meshopt.byte_stride });
        }
        let bytes = self.piece(view.buffer, view.byte_offset, view.byte_length, index).map_err(|error| {
            match error {
                // To a reader without the extension a compressed view looks like a fallback without data.
                #[cfg(not(feature = "meshopt"))]
                LoadError::MissingBuffer { .. } if view.extensions.meshopt.is_some() => {
                    LoadError::Unsupported {
                        at: Location::part("bufferViews", index),
                        feature: "meshopt compression".to_owned(),
                        remedy: NO_MESHOPT,
                    }
                }
                other => other,
            }
        })?;
        Ok(View { bytes, stride: view.byte_stride })
    }

    /// Bytes of a buffer; `view` is what they are for.
    pub(super) fn piece(&self, buffer: u32, offset: u64, length: u64, view: u32) -> Result<&[u8], LoadError> {
        let at = || Location::part("bufferViews", view);
        let bytes = self.bytes(buffer, at)?;
        let end = offset.checked_add(length);
        let piece = end.and_then(|end| bytes.get(usize::try_from(offset).ok()?..usize::try_from(end).ok()?));
        piece.ok_or_else(|| LoadError::OutOfBounds {
            at: at(),
            needed: end.unwrap_or(u64::MAX),
            available: bytes.len() as u64,
        })
    }

    fn bytes(&self, buffer: u32, at: impl Fn() -> Location) -> Result<&[u8], LoadError> {
        let count = self.read.len();
        let slot =
            self.read.get(buffer as usize).ok_or_else(|| out_of_range(at(), buffer, count, "buffers"))?;
        if let Some(bytes) = slot.get() {
            return Ok(bytes);
        }
        let bytes = self.fetch(buffer as usize)?;
        Ok(slot.get_or_init(|| bytes))
    }

    /// All bytes that the document says the buffer has, and no more.
    fn fetch(&self, index: usize) -> Result<Cow<'a, [u8]>, LoadError> {
        let buffer = &self.document.buffers[index];
        let missing = |reason: String| LoadError::MissingBuffer { buffer: index, reason };
        let mut bytes = match (&buffer.uri, self.blob) {
            (None, Some(blob)) if index == 0 => Cow::Borrowed(blob),
            (None, _) => {
                return Err(missing(
                    "has no `uri` and no data: export it as .glb or with its buffers".to_owned(),
                ));
            }
            (Some(uri), _) => Cow::Owned(match uri.strip_prefix("data:") {
                Some(data) => inline(data).map_err(missing)?,
                None => self.neighbor(index, uri)?,
            }),
        };
        let available = bytes.len() as u64;
        if available < buffer.byte_length {
            return Err(LoadError::OutOfBounds {
                at: Location::part("buffers", index),
                needed: buffer.byte_length,
                available,
            });
        }
        let length = buffer.byte_length as usize;
        match &mut bytes {
            Cow::Borrowed(bytes) => *bytes = &bytes[..length],
            Cow::Owned(bytes) => bytes.truncate(length),
        }
        Ok(bytes)
    }

    /// Reads a file beside the document, at most what is left of the limit.
    fn neighbor(&self, index: usize, uri: &str) -> Result<Vec<u8>, LoadError> {
        let missing = |reason: String| LoadError::MissingBuffer { buffer: index, reason };
        let named = excerpt(uri.as_bytes());
        let folder = match self.neighbors {
            Neighbors::Folder(folder) => folder,
            Neighbors::None => {
                let advice = "load the file by its path, or export it as .glb";
                return Err(missing(format!("is in {named}: {advice}")));
            }
            Neighbors::Given(files) => return self.given(index, uri, files),
        };
        let relative = relative_path(uri).ok_or_else(|| {
            missing(format!(
                "{named} is not a file in the folder of the level: move it there, or export as .glb"
            ))
        })?;
        let path = folder.join(relative);
        // Anything else than a file may wait for ever, or never end.
        if path.exists() && !path.is_file() {
            return Err(missing(format!("{named} is not a file: export it again")));
        }
        let bytes = read_file(&path, self.left.get()).map_err(|error| match error {
            LoadError::Unreadable { cause } => missing(format!("{named} cannot be read: {cause}")),
            other => other.in_file(path),
        })?;
        self.left.set(self.left.get() - bytes.len() as u64);
        Ok(bytes)
    }

    /// The bytes of a file that came with the document: by its whole name, else by the name without folders.
    fn given(&self, index: usize, uri: &str, files: &'a [(String, Vec<u8>)]) -> Result<Vec<u8>, LoadError> {
        let decoded = percent_encoding::percent_decode_str(uri).decode_utf8_lossy();
        let wanted = decoded.strip_prefix("./").unwrap_or(&decoded);
        let last = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
        let found = files
            .iter()
            .find(|(name, _)| name == wanted)
            .or_else(|| files.iter().find(|(name, _)| last(name) == last(wanted)));
        let Some((_, bytes)) = found else {
            let reason = format!("is in {}: give that file too", excerpt(uri.as_bytes()));
            return Err(LoadError::MissingBuffer { buffer: index, reason });
        };
        let Some(left) = self.left.get().checked_sub(bytes.len() as u64) else {
            return Err(LoadError::OverLimit { resource: Resource::Bytes, limit: self.left.get() });
        };
        self.left.set(left);
        Ok(bytes.clone())
    }
}

/// An index of a list in the document that is not there.
pub(crate) fn out_of_range(at: Location, index: u32, count: usize, kind: &'static str) -> LoadError {
    LoadError::IndexOutOfRange { at, index: index.into(), count: count as u64, kind }
}

/// The bytes of a `data:` URI, of which this is what follows the colon.
fn inline(data: &str) -> Result<Vec<u8>, String> {
    let again = "export it as .glb";
    let (media, text) =
        data.split_once(',').ok_or_else(|| format!("its `data:` URI has no comma: {again}"))?;
    if !media.ends_with(";base64") {
        return Err(format!("its `data:` URI is not in base64: {again}"));
    }
    BASE64.decode(text).map_err(|error| format!("its `data:` URI is not in base64 ({error}): {again}"))
}

/// The path that a URI reference names, if it stays within the folder that it starts from.
fn relative_path(uri: &str) -> Option<PathBuf> {
    // A scheme, a host, a query or a drive letter: not a file beside this one.
    if uri.is_empty() || uri.contains([':', '?', '#', '\\']) {
        return None;
    }
    let name = percent_encoding::percent_decode_str(uri).decode_utf8().ok()?;
    let path = PathBuf::from(name.as_ref());
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_uri_is_base64_with_or_without_padding() {
        assert_eq!(inline("application/octet-stream;base64,AAEC/w=="), Ok(vec![0, 1, 2, 255]));
        assert_eq!(inline(";base64,AAEC/w"), Ok(vec![0, 1, 2, 255]));
        for wrong in ["", ";base64", ",abc", "text/plain,abc", ";base64,A", ";base64,AA EC", ";base64,AA*="] {
            assert!(inline(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_path_stays_within_the_folder() {
        assert_eq!(relative_path("my%20level%C3%A4.bin"), Some(PathBuf::from("my levelä.bin")));
        assert_eq!(relative_path("./a/b.bin"), Some(PathBuf::from("./a/b.bin")));
        for outside in [
            "",
            "/etc/passwd",
            "../a.bin",
            "a/../../b.bin",
            "%2e%2e/a.bin",
            "%2Fetc/passwd",
            "http://x/a.bin",
            "file:a.bin",
            "//host/a.bin",
            "C:/a.bin",
            "a.bin?x",
            "..\\a.bin",
            "%FF.bin",
        ] {
            assert_eq!(relative_path(outside), None, "{outside}");
        }
    }
}
