//! Real levels.

use std::fs;
use std::path::{Path, PathBuf};

use carom::mesh::Mesh;
use carom_formats::{Format, LoadOptions, load};

fn level_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            level_files(&path, files);
        } else if Format::from_path(&path).is_some() {
            files.push(path);
        }
    }
}

/// Every file of `CAROM_DATA` that is a mesh, one after the other, with its name; none, with a word about it, where that is not set.
pub(crate) fn for_each_level(mut visit: impl FnMut(&str, Mesh)) {
    let Some(data) = std::env::var_os("CAROM_DATA").map(PathBuf::from) else {
        println!("skipped: CAROM_DATA is not set");
        return;
    };
    let mut files = Vec::new();
    level_files(&data, &mut files);

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
