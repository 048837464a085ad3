//! Errors of files: what, where, and what to do.

use std::fmt;
use std::io;
use std::path::PathBuf;

use carom::bsp::BspError;
use carom::mesh::MeshError;

use thiserror::Error;

use crate::format::Format;
use crate::tiles::TileError;

/// Why a file gives no level.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Another error, with the file in which it occurred.
    #[error("{}: {fault}", file.display())]
    InFile {
        /// The path as it was given.
        file: PathBuf,
        /// The error.
        fault: Box<LoadError>,
    },
    /// Another error, with the file of an archive in which it occurred.
    #[error("{entry}: {fault}")]
    InArchive {
        /// Its name in the archive.
        entry: String,
        /// The error.
        fault: Box<LoadError>,
    },
    /// The operating system cannot read the file.
    #[error("cannot be read: {cause}")]
    Unreadable {
        /// The operating system's message.
        cause: io::Error,
    },
    /// The extension names no format that is read here.
    #[error(
        "{} is not a level format: use .glb, .gltf, .obj, .stl, .ply, .fbx, .bsp, .map, or a .zip with one of them",
        Extension(extension)
    )]
    UnknownFormat {
        /// The extension without its dot; empty for a name without one.
        extension: String,
    },
    /// A scale is not finite and greater than 0.
    #[error("scale {scale}: it must be finite and greater than 0")]
    UnusableScale {
        /// As it was given.
        scale: f64,
    },
    /// A tolerance is not finite and greater than 0.
    #[error("tolerance {tolerance}: it must be finite and greater than 0")]
    UnusableTolerance {
        /// As it was given.
        tolerance: f64,
    },
    /// The file has no bytes.
    #[error("the file is empty: export or copy it again")]
    Empty,
    /// The file exceeds [`crate::Limits`].
    #[error("more than {limit} {resource}, which is the limit: split the file, or simplify the level")]
    OverLimit {
        /// The exceeded resource.
        resource: Resource,
        /// How much is allowed.
        limit: u64,
    },
    /// The bytes are of another format.
    #[error("this is not a valid {} file: expected {expected}", Name(*format))]
    NotThisFormat {
        /// The format that they were read as.
        format: Format,
        /// The expected bytes.
        expected: &'static str,
    },
    /// The format requires something else here.
    #[error("{at}: expected {expected}, found {found}")]
    Malformed {
        /// Where.
        at: Location,
        /// The requirement of the format.
        expected: &'static str,
        /// The bytes that were found, shortened and in quotes.
        found: String,
    },
    /// The data ends before the level does.
    #[error("{at}: the file ends before {missing}: it is truncated, export or copy it again")]
    EndsEarly {
        /// Where.
        at: Location,
        /// The expected continuation.
        missing: &'static str,
    },
    /// An index refers to something that does not exist, as written in the file.
    #[error("{at}: index {index} is out of range ({kind}: {count}): the file is damaged or truncated")]
    IndexOutOfRange {
        /// Where.
        at: Location,
        /// The index, counted as the format counts.
        index: i64,
        /// How many there are.
        count: u64,
        /// Of what, in the plural.
        kind: &'static str,
    },
    /// glTF: data is outside its part of a buffer.
    #[error("{at}: reaches to byte {needed} of {available}: the file is damaged or truncated")]
    OutOfBounds {
        /// The accessor, buffer view or buffer.
        at: Location,
        /// The end of the data.
        needed: u64,
        /// The end of what it lies in.
        available: u64,
    },
    /// glTF: the JSON does not parse, or is not glTF.
    #[error("JSON line {line}, column {column}: {message}")]
    Json {
        /// From 1, within the JSON (of a .glb: within its first chunk).
        line: usize,
        /// From 1.
        column: usize,
        /// The parser's message.
        message: String,
    },
    /// A part of the format that is not supported.
    #[error("{at}: {feature} is not supported: {remedy}")]
    Unsupported {
        /// Where.
        at: Location,
        /// The part of the format.
        feature: String,
        /// The remedy.
        remedy: &'static str,
    },
    /// glTF: a buffer is missing.
    #[error("buffers[{buffer}]: {reason}")]
    MissingBuffer {
        /// Its index.
        buffer: usize,
        /// Why, and what to do.
        reason: String,
    },
    /// glTF: a node has two parents, or is its own ancestor.
    #[error("nodes[{node}]: has two parents or is its own ancestor: glTF nodes are trees, export again")]
    NotATree {
        /// Its index.
        node: usize,
    },
    /// The triangles do not form a mesh.
    #[error(transparent)]
    NoMesh(#[from] MeshError),
    /// A folder of tiles is not complete.
    #[error(transparent)]
    Tiles(#[from] TileError),
    /// The triangles or brushes do not form a solid.
    #[error(transparent)]
    NoSolid(#[from] BspError),
}

impl LoadError {
    /// The error without the names of files around it.
    pub fn fact(&self) -> &Self {
        let mut error = self;
        while let Self::InFile { fault, .. } | Self::InArchive { fault, .. } = error {
            error = fault;
        }
        error
    }

    pub(crate) fn in_file(self, file: impl Into<PathBuf>) -> Self {
        match self {
            named @ Self::InFile { .. } => named,
            fault => Self::InFile { file: file.into(), fault: Box::new(fault) },
        }
    }

    pub(crate) fn malformed(at: Location, expected: &'static str, found: &[u8]) -> Self {
        Self::Malformed { at, expected, found: excerpt(found) }
    }
}

/// A location in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A line of text, from 1.
    Line(u64),
    /// A part by name and index from 0, such as `face 12` or `accessors[3]`.
    Part(String),
    /// The file as a whole.
    File,
}

impl Location {
    pub(crate) fn part(name: &str, index: impl fmt::Display) -> Self {
        Self::Part(format!("{name}[{index}]"))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Part(part) => f.write_str(part),
            Self::File => f.write_str("the file"),
        }
    }
}

/// The resources that [`crate::Limits`] limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Bytes read.
    Bytes,
    /// Vertices of the level.
    Vertices,
    /// Triangles of the level.
    Triangles,
    /// Nodes, objects, groups and other parts.
    Nodes,
    /// Nesting depth of nodes.
    Depth,
    /// Keyframes of animations.
    Keyframes,
    /// Bytes of memory.
    Memory,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytes => "bytes",
            Self::Vertices => "vertices",
            Self::Triangles => "triangles",
            Self::Nodes => "nodes or parts",
            Self::Depth => "nodes within nodes",
            Self::Keyframes => "keyframes",
            Self::Memory => "bytes of memory",
        })
    }
}

struct Extension<'a>(&'a str);

impl fmt::Display for Extension<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("a name without extension") } else { write!(f, ".{}", self.0) }
    }
}

struct Name(Format);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Format::Obj => "OBJ",
            Format::Gltf => "glTF",
            Format::Glb => "GLB",
            Format::Stl => "STL",
            Format::Ply => "PLY",
            Format::Bsp => "BSP",
            Format::Map => "MAP",
            Format::Fbx => "FBX",
            Format::Zip => "ZIP",
        })
    }
}

/// The start of some bytes, in quotes, fit for a terminal and for one line.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    if bytes.is_empty() {
        return "nothing".to_owned();
    }
    let start = &bytes[..bytes.len().min(LONGEST)];
    let text: String = String::from_utf8_lossy(start)
        .chars()
        .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })
        .collect();
    format!("`{text}{}`", if bytes.len() > LONGEST { "…" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_short_and_on_one_line() {
        assert_eq!(excerpt(b""), "nothing");
        assert_eq!(excerpt(b"1,5"), "`1,5`");
        assert_eq!(excerpt(b"a\n\x1B[31m\xFF"), "`a\u{FFFD}\u{FFFD}[31m\u{FFFD}`");
        assert_eq!(excerpt(&[b'x'; 1000]).chars().count(), 43);
    }

    #[test]
    fn a_file_is_named_once() {
        let error = LoadError::Empty.in_file("buffer.bin").in_file("level.gltf");
        assert_eq!(error.to_string(), "buffer.bin: the file is empty: export or copy it again");
        assert!(matches!(error.fact(), LoadError::Empty));
    }

    #[test]
    fn a_missing_extension_is_said() {
        let said = |extension: &str| LoadError::UnknownFormat { extension: extension.into() }.to_string();
        assert!(said("off").starts_with(".off is not"));
        assert!(said("").starts_with("a name without extension is not"));
    }
}
