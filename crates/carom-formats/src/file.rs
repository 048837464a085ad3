//! Files and bytes: selects the parser, and limits how much of a file is read.

use std::path::Path;

#[cfg(not(all(feature = "fbx", feature = "zip")))]
use crate::error::Location;
use crate::error::{LoadError, Resource};
#[cfg(feature = "fbx")]
use crate::fbx;
use crate::format::Format;
use crate::gltf::Neighbors;
use crate::level::RawLevel;
use crate::options::LoadOptions;
use crate::read_file::read_file;
use crate::source::Source;
use crate::tiles::TileFolder;
use crate::{gltf, obj, ply, quake, stl};

/// Reads a level file; its extension names the format. Buffers beside a glTF file are read from its folder. A
/// folder is one of tiles, of which all are read.
///
/// # Errors
/// [`LoadError::InFile`] around whatever is wrong; [`LoadError::UnusableScale`] without a file;
/// [`LoadError::Tiles`], which names its file.
pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<RawLevel, LoadError> {
    if path.as_ref().is_dir() {
        options.validate()?;
        return TileFolder::open(path.as_ref())?.whole(options);
    }
    read_level(path.as_ref(), options, |bytes, format, neighbors| {
        parse_beside(bytes, format, options, neighbors)
    })
}

/// Reads a file and passes it on with its format and the files beside it.
pub(crate) fn read_level<T>(
    path: &Path,
    options: &LoadOptions,
    parse: impl FnOnce(&[u8], Format, Neighbors<'_>) -> Result<T, LoadError>,
) -> Result<T, LoadError> {
    options.validate()?;
    let read = || {
        let format = Format::from_path(path).ok_or_else(|| LoadError::UnknownFormat {
            extension: path.extension().unwrap_or_default().to_string_lossy().into_owned(),
        })?;
        let bytes = read_file(path, options.limits.bytes)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        parse(&bytes, format, Neighbors::Folder(folder))
    };
    read().map_err(|fault: LoadError| fault.in_file(path))
}

/// Reads a level from bytes, without a file system: a glTF whose buffers are in other files is refused by
/// their names.
///
/// # Errors
/// Whatever is wrong, with its line, index or part.
pub fn parse(bytes: &[u8], format: Format, options: &LoadOptions) -> Result<RawLevel, LoadError> {
    options.validate()?;
    parse_beside(bytes, format, options, Neighbors::None)
}

/// Reads a level from bytes, and the buffers that a glTF names from files given with their names: as a
/// browser has them.
///
/// # Errors
/// Whatever is wrong, with its line, index or part; a buffer that was not given.
pub fn parse_with(
    bytes: &[u8],
    format: Format,
    options: &LoadOptions,
    files: &[(String, Vec<u8>)],
) -> Result<RawLevel, LoadError> {
    options.validate()?;
    parse_beside(bytes, format, options, Neighbors::Given(files))
}

pub(crate) fn parse_beside(
    bytes: &[u8],
    format: Format,
    options: &LoadOptions,
    neighbors: Neighbors<'_>,
) -> Result<RawLevel, LoadError> {
    if bytes.is_empty() {
        return Err(LoadError::Empty);
    }
    if bytes.len() as u64 > options.limits.bytes {
        return Err(LoadError::OverLimit { resource: Resource::Bytes, limit: options.limits.bytes });
    }
    match format.settled_by(bytes) {
        Format::Obj => obj::parse(bytes, options),
        Format::Stl => stl::parse(bytes, options),
        Format::Ply => ply::parse(bytes, options),
        Format::Bsp => Ok(with_source(quake::parse_bsp(bytes, options)?, bytes)),
        Format::Map => Ok(with_source(quake::parse_map(bytes, options)?, bytes)),
        format @ (Format::Gltf | Format::Glb) => gltf::parse(bytes, format, options, neighbors),
        #[cfg(feature = "fbx")]
        Format::Fbx => fbx::parse(bytes, options),
        #[cfg(not(feature = "fbx"))]
        Format::Fbx => Err(LoadError::Unsupported {
            at: Location::File,
            feature: "FBX".to_owned(),
            remedy: "convert it to .glb, or build carom-formats with its feature `fbx`",
        }),
        Format::Zip => {
            unpacked(bytes, options, |bytes, format, beside| parse_beside(bytes, format, options, beside))
        }
    }
}

fn with_source(level: RawLevel, bytes: &[u8]) -> RawLevel {
    let RawLevel { format, up, scale, .. } = level;
    RawLevel { source: Some(Source { bytes: bytes.to_vec(), format, up, scale }), ..level }
}

/// Passes on the one level in an archive.
#[cfg(feature = "zip")]
pub(crate) use crate::archive::within as unpacked;

/// Archives are not read.
#[cfg(not(feature = "zip"))]
pub(crate) fn unpacked<T>(
    _bytes: &[u8],
    _options: &LoadOptions,
    _parse: impl FnOnce(&[u8], Format, Neighbors<'_>) -> Result<T, LoadError>,
) -> Result<T, LoadError> {
    Err(LoadError::Unsupported {
        at: Location::File,
        feature: "an archive".to_owned(),
        remedy: "unpack it, or build carom-formats with its feature `zip`",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Limits;

    #[test]
    fn the_error_names_the_file_and_what_to_do() {
        let missing = load("no/such.obj", &LoadOptions::default()).unwrap_err();
        assert!(missing.to_string().starts_with("no/such.obj: cannot be read: "), "{missing}");
        let unknown = load("level.off", &LoadOptions::default()).unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "level.off: .off is not a level format: \
             use .glb, .gltf, .obj, .stl, .ply, .fbx, .bsp, .map, or a .zip with one of them"
        );
    }

    #[test]
    fn the_file_itself_is_read_and_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Level.OBJ");
        std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
        assert_eq!(load(&path, &LoadOptions::default()).unwrap().triangles, [[0, 1, 2]]);
        std::fs::write(&path, "v 0 0 0\nv 1 0 zero\n").unwrap();
        let error = load(&path, &LoadOptions::default()).unwrap_err();
        assert_eq!(error.to_string(), format!("{}: line 2: expected a number, found `zero`", path.display()));
    }

    #[test]
    fn no_bytes_are_an_error_in_every_format() {
        for format in Format::ALL {
            assert!(matches!(parse(b"", format, &LoadOptions::default()), Err(LoadError::Empty)));
        }
    }

    #[test]
    fn no_more_bytes_are_read_than_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("level.obj");
        std::fs::write(&path, "v 0 0 0\n").unwrap();
        let options =
            |bytes| LoadOptions { limits: Limits { bytes, ..Limits::default() }, ..LoadOptions::default() };
        assert!(load(&path, &options(8)).is_ok());
        let over = load(&path, &options(7)).unwrap_err();
        assert!(
            matches!(over.fact(), LoadError::OverLimit { resource: Resource::Bytes, limit: 7 }),
            "{over}"
        );
        assert!(parse(b"v 0 0 0\n", Format::Obj, &options(7)).is_err());
    }

    #[test]
    fn a_scale_that_is_no_length_is_refused_before_reading() {
        let options = LoadOptions { scale: Some(0.0), ..LoadOptions::default() };
        assert!(matches!(load("no/such.obj", &options), Err(LoadError::UnusableScale { .. })));
        assert!(matches!(parse(b"", Format::Ply, &options), Err(LoadError::UnusableScale { .. })));
    }

    #[test]
    fn a_gltf_finds_its_buffers_among_the_files_given_and_names_what_is_missing() {
        let gltf = br#"{"asset":{"version":"2.0"},"buffers":[{"uri":"parts/my%20corners.bin","byteLength":36}],
            "bufferViews":[{"buffer":0,"byteLength":36}],
            "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
            "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}]}"#;
        let corners: Vec<u8> =
            [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let read = |name: &str, bytes: &[u8], options: &LoadOptions| {
            parse_with(gltf, Format::Gltf, options, &[(name.to_owned(), bytes.to_vec())])
        };
        let options = LoadOptions::default();
        for name in ["parts/my corners.bin", "my corners.bin", "elsewhere/my corners.bin"] {
            assert_eq!(read(name, &corners, &options).unwrap().triangles, [[0, 1, 2]], "{name}");
        }
        let missing = read("other.bin", &corners, &options).unwrap_err().to_string();
        assert!(missing.contains("corners.bin") && missing.ends_with("give that file too"), "{missing}");
        assert!(read("my corners.bin", &corners[..20], &options).is_err());
        let limits = Limits { bytes: gltf.len() as u64 + 35, ..Limits::default() };
        let over = read("my corners.bin", &corners, &LoadOptions { limits, ..LoadOptions::default() });
        assert!(matches!(over.unwrap_err().fact(), LoadError::OverLimit { resource: Resource::Bytes, .. }));
    }
}
