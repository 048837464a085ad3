//! Which game a level belongs to: by default the body of that game walks there.

use std::io::Read;
use std::path::Path;

use carom_explore::preset_names;
use carom_formats::{Format, TileFolder};

/// The names of doors and lifts in .bsp and .map files. A player opens doors, by coming near, with a button
/// or a key; the shafts of lifts are ladders.
pub(crate) const MOVING: [&str; 2] = ["func_door*", "func_plat*"];

/// The preset of the game that a level was compiled or drawn for; `None` if its format says nothing of a
/// game, or the file cannot be read, which is reported when it is loaded.
pub(crate) fn preset_of(level: &Path) -> Option<&'static str> {
    if level.is_dir() {
        // A level in tiles says what was cut.
        let name = TileFolder::open(level).ok()?.level().preset.clone()?;
        return preset_names().find(|known| *known == name);
    }
    match Format::from_path(level)? {
        // To open a pipe is to wait for its writer, perhaps for ever.
        Format::Bsp if level.is_file() => {
            let mut head = [0; 8];
            std::fs::File::open(level).and_then(|mut file| file.read_exact(&mut head)).ok()?;
            compiled_for(head)
        }
        // Brushes and entities of a .map file are Quake's, whatever game has added to them.
        Format::Map => Some("quake"),
        _ => None,
    }
}

/// By the magic number and the version of a .bsp file.
fn compiled_for(head: [u8; 8]) -> Option<&'static str> {
    let [magic, version] =
        [0, 4].map(|at| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
    match (&magic.to_le_bytes(), version) {
        (b"BSP2", _) | ([29, 0, 0, 0], _) => Some("quake"),
        ([30, 0, 0, 0], _) => Some("goldsrc"),
        (b"IBSP" | b"QBSP", 38) => Some("quake2"),
        (b"IBSP", 46 | 47) => Some("quake3"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiled_level_names_its_game() {
        for (head, preset) in [
            (*b"\x1D\0\0\0\0\0\0\0", Some("quake")),
            (*b"BSP2\0\0\0\0", Some("quake")),
            (*b"\x1E\0\0\0\0\0\0\0", Some("goldsrc")),
            (*b"IBSP\x26\0\0\0", Some("quake2")),
            (*b"QBSP\x26\0\0\0", Some("quake2")),
            (*b"IBSP\x2E\0\0\0", Some("quake3")),
            (*b"VBSP\x14\0\0\0", None),
        ] {
            assert_eq!(compiled_for(head), preset, "{head:?}");
            if let Some(name) = preset {
                assert!(carom_explore::preset(name).is_some(), "{name}");
            }
        }
        assert_eq!(preset_of(Path::new("castle.glb")), None);
        assert_eq!(preset_of(Path::new("no/such.bsp")), None);
    }
}
