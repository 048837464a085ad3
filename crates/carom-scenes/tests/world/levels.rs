//! Real levels.

use std::fs;

use carom::mesh::Mesh;
use carom_formats::{Format, LoadOptions, load};
use carom_scenes::real;

/// Every file of `CAROM_DATA` that is a mesh, one after the other, with its name; none, with a word about it,
/// where that is not set.
pub(crate) fn for_each_level(mut visit: impl FnMut(&str, Mesh)) {
    let Some(data) = real::folder() else { return };
    let mut files = real::files_below(&data, |path| Format::from_path(path).is_some()).unwrap();

    let unpacked = tempfile::tempdir().unwrap();
    let archive = fs::File::open(data.join("conference_room/conference.zip")).unwrap();
    let mut archive = zip::ZipArchive::new(archive).unwrap();
    let path = unpacked.path().join("conference.obj");
    std::io::copy(&mut archive.by_name("conference.obj").unwrap(), &mut fs::File::create(&path).unwrap())
        .unwrap();
    files.push(path);

    for path in files {
        let name = path.strip_prefix(&data).unwrap_or(&path).display().to_string();
        let mesh = load(&path, &LoadOptions::default())
            .map_err(|error| error.to_string())
            .and_then(|level| level.into_mesh().map_err(|error| error.to_string()));
        match mesh {
            Ok(mesh) => visit(&name, mesh),
            Err(error) => println!("{name}: no level: {error}"),
        }
    }
}
