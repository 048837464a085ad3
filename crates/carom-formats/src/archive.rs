//! Archives (.zip) with one level in them, and the buffers that the level needs.

use std::io::{Cursor, Read};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::{LoadError, Location, Resource};
use crate::format::Format;
use crate::gltf::Neighbors;
use crate::options::LoadOptions;

/// Bytes of the files in an archive, together: this, or this many times the archive where that is more. Text
/// packs to a tenth; only what is made to fill a memory packs to a thousandth.
const LEAST_SIZE: u64 = 256 << 20;
const SIZE_PER_BYTE: u64 = 64;
/// Names in an error that lists them.
const MOST_NAMES: usize = 5;

/// Finds the level of an archive and passes on its bytes, with the files beside it if it is a glTF.
pub(crate) fn within<T>(
    bytes: &[u8],
    options: &LoadOptions,
    parse: impl FnOnce(&[u8], Format, Neighbors<'_>) -> Result<T, LoadError>,
) -> Result<T, LoadError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(Location::File, &error))?;
    let parts = archive.len();
    if parts > options.limits.nodes {
        return Err(LoadError::OverLimit { resource: Resource::Nodes, limit: options.limits.nodes as u64 });
    }
    let names: Vec<String> = (0..parts).map(|index| name_of(&archive, index)).collect();
    let levels: Vec<(usize, Format)> =
        names.iter().enumerate().filter_map(|(index, name)| Some((index, format_of(name)?))).collect();
    let &[(index, format)] = levels.as_slice() else {
        return Err(not_one(&levels, &names));
    };
    let mut left =
        (bytes.len() as u64).saturating_mul(SIZE_PER_BYTE).max(LEAST_SIZE).min(options.limits.bytes);
    let level = unpack(&mut archive, index, &names[index], &mut left)?;
    let mut beside = Vec::new();
    if matches!(format, Format::Gltf | Format::Glb) {
        // Names within the archive become names beside the level.
        let folder = names[index].rfind('/').map_or("", |end| &names[index][..=end]);
        for (other, name) in names.iter().enumerate().filter(|(_, name)| name.ends_with(".bin")) {
            let own = name.strip_prefix(folder).unwrap_or(name).to_owned();
            beside.push((own, unpack(&mut archive, other, name, &mut left)?));
        }
    }
    parse(&level, format, Neighbors::Given(&beside))
        .map_err(|fault| LoadError::InArchive { entry: names[index].clone(), fault: Box::new(fault) })
}

fn name_of(archive: &ZipArchive<Cursor<&[u8]>>, index: usize) -> String {
    match archive.name_for_index(index) {
        Some(Ok(name)) => name.replace('\\', "/"),
        _ => format!("entry {index}"),
    }
}

/// The format of an entry that is a level: no folder, no notes of an operating system, no archive.
fn format_of(name: &str) -> Option<Format> {
    let hidden = name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX");
    let format = Format::from_path(Path::new(name)).filter(|&format| format != Format::Zip);
    if hidden || name.ends_with('/') { None } else { format }
}

fn not_one(levels: &[(usize, Format)], names: &[String]) -> LoadError {
    let mut found = match levels.len() {
        0 => format!("none in {} entries: pack a level file in it", names.len()),
        count => {
            let some: Vec<&str> =
                levels.iter().take(MOST_NAMES).map(|&(index, _)| names[index].as_str()).collect();
            format!("{count}: {}", some.join(", "))
        }
    };
    if levels.len() > MOST_NAMES {
        found.push_str(" and more");
    }
    if !levels.is_empty() {
        found.push_str(": unpack it and choose one");
    }
    LoadError::Malformed {
        at: Location::File,
        expected: "one level in the archive",
        found: found.replace(char::is_control, "\u{FFFD}"),
    }
}

/// The bytes of an entry, no more than are left.
fn unpack(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    index: usize,
    name: &str,
    left: &mut u64,
) -> Result<Vec<u8>, LoadError> {
    let at = || Location::Part(name.replace(char::is_control, "\u{FFFD}"));
    let entry = archive.by_index(index).map_err(|error| broken(at(), &error))?;
    let mut bytes = Vec::new();
    // The announced size is not trusted.
    entry.take(left.saturating_add(1)).read_to_end(&mut bytes).map_err(|cause| LoadError::Malformed {
        at: at(),
        expected: "an entry that unpacks",
        found: format!("{cause}: pack it again"),
    })?;
    match left.checked_sub(bytes.len() as u64) {
        Some(rest) => *left = rest,
        None => return Err(LoadError::OverLimit { resource: Resource::Bytes, limit: *left }),
    }
    Ok(bytes)
}

fn broken(at: Location, error: &ZipError) -> LoadError {
    match error {
        ZipError::UnsupportedArchive(what) => LoadError::Unsupported {
            at,
            feature: (*what).to_owned(),
            remedy: "pack it without a password and with the usual compression (deflate)",
        },
        other => LoadError::Malformed {
            at,
            expected: "a .zip archive",
            found: format!("{other}: pack or copy it again"),
        },
    }
}
