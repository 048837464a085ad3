//! Floor behind a teleporter is not meant to be reached.

use crate::said;
use crate::sky::{cuboid, explored, level, slab};

#[test]
fn floor_behind_a_teleporter_is_folded() {
    // A hall with an opening in one of its walls, and 2 m of floor behind it.
    let hall = |front: &str| {
        [
            slab(256, [-16, 0], "tiles"),
            slab(256, [128, 144], "tiles"),
            cuboid([-272, -256, 0], [-256, 256, 128], "tiles"),
            cuboid([-272, -272, 0], [272, -256, 128], "tiles"),
            cuboid([-272, 256, 0], [272, 272, 128], "tiles"),
            cuboid([256, -256, 0], [272, -128, 128], "tiles"),
            cuboid([256, 128, 0], [272, 256, 128], "tiles"),
            cuboid([256, -128, -16], [336, 128, 0], "tiles"),
            cuboid([256, -128, 128], [336, 128, 144], "tiles"),
            cuboid([336, -128, 0], [352, 128, 128], "tiles"),
            cuboid([272, -144, 0], [352, -128, 128], "tiles"),
            cuboid([272, 128, 0], [352, 144, 128], "tiles"),
            front.to_owned(),
        ]
        .concat()
    };
    let teleporter = format!(
        "{{ \"classname\" \"trigger_teleport\" \"target\" \"there\"\n{} }}\n\
         {{ \"classname\" \"info_teleport_destination\" \"targetname\" \"there\" \"origin\" \"-128 0 32\" }}\n",
        cuboid([256, -128, 0], [272, 128, 128], "trigger")
    );
    let (listed, folded, _) = explored(&level(&hall(""), &teleporter));
    assert!(listed.is_empty() && !folded.is_empty(), "{}{}", said(&listed), said(&folded));
    let wall = cuboid([256, -128, 0], [272, 128, 128], "tiles");
    let (listed, ..) = explored(&level(&hall(&wall), ""));
    assert!(said(&listed).contains("a room behind a thin wall"), "{}", said(&listed));
}
