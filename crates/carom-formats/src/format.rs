//! The formats, by name and by first bytes.

use std::fmt;
use std::path::Path;

use crate::byte_order_mark::without_byte_order_mark;
use crate::up::Up;

/// A file format that holds triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Wavefront OBJ, text.
    Obj,
    /// glTF 2.0, JSON with its buffers beside it or inside.
    Gltf,
    /// glTF 2.0, binary container.
    Glb,
    /// Stereolithography, text or binary.
    Stl,
    /// Polygon file format, text or binary of either byte order.
    Ply,
    /// A compiled level of Quake, `GoldSrc`, Quake II or Quake III.
    Bsp,
    /// The source of such a level, text.
    Map,
    /// Autodesk's exchange format, text or binary.
    Fbx,
    /// An archive with one file of the other formats in it. A level never has this format: it has that of the
    /// file.
    Zip,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 9] =
        [Self::Obj, Self::Gltf, Self::Glb, Self::Stl, Self::Ply, Self::Bsp, Self::Map, Self::Fbx, Self::Zip];

    /// The format's extension, in lower case and without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Gltf => "gltf",
            Self::Glb => "glb",
            Self::Stl => "stl",
            Self::Ply => "ply",
            Self::Bsp => "bsp",
            Self::Map => "map",
            Self::Fbx => "fbx",
            Self::Zip => "zip",
        }
    }

    /// The format of this extension (without the dot, in any case); `None` for an unsupported format.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }

    /// The format that the extension of a path names.
    pub fn from_path(path: &Path) -> Option<Self> {
        Self::from_extension(path.extension()?.to_str()?)
    }

    /// The axis that points up in files of this format, unless the options or an .fbx file say otherwise.
    pub const fn up(self) -> Up {
        match self {
            Self::Bsp | Self::Map => Up::Z,
            _ => Up::Y,
        }
    }

    /// Meters per unit of files of this format, unless the options or an .fbx file say otherwise. Quake's
    /// player of 56 units is 1.75 m tall at 1/32.
    pub const fn scale(self) -> f64 {
        match self {
            Self::Bsp | Self::Map => 1.0 / 32.0,
            _ => 1.0,
        }
    }

    /// The extensions `.gltf` and `.glb` are often mixed up: the first bytes decide.
    pub(crate) fn settled_by(self, bytes: &[u8]) -> Self {
        match self {
            Self::Gltf if bytes.starts_with(b"glTF") => Self::Glb,
            Self::Glb if !bytes.starts_with(b"glTF") && first_visible(bytes) == Some(b'{') => Self::Gltf,
            other => other,
        }
    }
}

/// The extension, as `carom inspect` prints it.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

fn first_visible(bytes: &[u8]) -> Option<u8> {
    without_byte_order_mark(bytes).iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_names_the_format_in_any_case() {
        for format in Format::ALL {
            assert_eq!(Format::from_path(Path::new(&format!("a/b.c.{format}"))), Some(format));
            assert_eq!(Format::from_extension(&format.to_string().to_uppercase()), Some(format));
        }
        for path in ["level", "level.off", "obj", ".obj", "level.obj/level", ""] {
            assert_eq!(Format::from_path(Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn the_first_bytes_settle_a_mixed_up_gltf() {
        assert_eq!(Format::Gltf.settled_by(b"glTF\x02\0\0\0"), Format::Glb);
        assert_eq!(Format::Glb.settled_by(b"\xEF\xBB\xBF \n{}"), Format::Gltf);
        assert_eq!(Format::Glb.settled_by(b"nonsense"), Format::Glb);
        assert_eq!(Format::Obj.settled_by(b"glTF"), Format::Obj);
    }
}
