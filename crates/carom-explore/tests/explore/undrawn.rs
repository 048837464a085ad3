//! Floor that is never drawn is not meant to be reached, unless nothing of the level is drawn.

use crate::said;
use crate::sky::{cuboid, explored, level, slab, walls};

/// A hall, and a room of the same height behind one of its walls, with floors and ceilings of these textures.
fn hall_and_room(hall: &str, room: &str) -> String {
    let behind = |[low, high]: [i32; 2]| cuboid([256, -128, low], [512, 128, high], room);
    [
        slab(256, [-16, 0], hall),
        slab(256, [128, 144], hall),
        walls(256, [0, 128], hall),
        behind([-16, 0]),
        behind([128, 144]),
        cuboid([512, -128, 0], [528, 128, 128], room),
        cuboid([256, -144, 0], [512, -128, 128], room),
        cuboid([256, 128, 0], [512, 144, 128], room),
    ]
    .concat()
}

#[test]
fn rooms_of_caulk_are_folded_where_the_rest_has_textures() {
    for (hall, room, is_expected) in [
        ("base_floor/tiles", "base_floor/tiles", true),
        ("base_floor/tiles", "common/caulk", false),
        ("common/caulk", "common/caulk", true),
    ] {
        let (listed, ..) = explored(&level(&hall_and_room(hall, room), ""));
        let found = said(&listed);
        assert_eq!(listed.len(), usize::from(is_expected), "{hall}, {room}:\n{found}");
        assert!(!is_expected || found.contains("a room behind a thin wall"), "{found}");
    }
}
