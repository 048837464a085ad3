//! Real levels.

use carom::mesh::Mesh;
use carom_formats::{Format, LoadOptions, load};
use carom_scenes::real;

/// Every file of `CAROM_DATA` that is a mesh, one after the other, with its name; none, with a word about it,
/// where that is not set.
pub(crate) fn for_each_level(mut visit: impl FnMut(&str, Mesh)) {
    let Some(data) = real::folder() else { return };
    let files = real::files_below(&data, |path| Format::from_path(path).is_some()).unwrap();

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
