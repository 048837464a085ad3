//! Levels with a sky, written as a .map, and with a shell of sky, as an .obj: it holds bodies, and is no
//! floor for them.

use carom_explore::{Code, Explorer, Finding, Level, Rules, Stage, Volumes, preset};
use carom_formats::{Format, LoadOptions, parse};
use glam::DVec3;

/// The sides of a brush, in units.
pub(crate) fn cuboid([x, y, z]: [i32; 3], [u, v, w]: [i32; 3], texture: &str) -> String {
    let sides = [
        [[x, y, z], [x, v, z], [x, y, w]],
        [[u, v, w], [u, v, z], [u, y, w]],
        [[x, y, z], [x, y, w], [u, y, z]],
        [[u, v, w], [x, v, w], [u, v, z]],
        [[x, y, z], [u, y, z], [x, v, z]],
        [[u, v, w], [u, y, w], [x, v, w]],
    ];
    let point = |[x, y, z]: [i32; 3]| format!("( {x} {y} {z} ) ");
    let side = |points: [[i32; 3]; 3]| points.map(point).concat() + texture + " 0 0 0 1 1\n";
    format!("{{\n{}}}\n", sides.map(side).concat())
}

/// Walls around a square about the origin, from one height to another.
pub(crate) fn walls(reach: i32, [low, high]: [i32; 2], texture: &str) -> String {
    let r = reach;
    [
        cuboid([-r - 16, -r, low], [-r, r, high], texture),
        cuboid([r, -r, low], [r + 16, r, high], texture),
        cuboid([-r - 16, -r - 16, low], [r + 16, -r, high], texture),
        cuboid([-r - 16, r, low], [r + 16, r + 16, high], texture),
    ]
    .concat()
}

pub(crate) fn slab(reach: i32, [low, high]: [i32; 2], texture: &str) -> String {
    cuboid([-reach, -reach, low], [reach, reach, high], texture)
}

pub(crate) fn level(world: &str, entities: &str) -> Level {
    let text = format!("{{ \"classname\" \"worldspawn\"\n{world} }}\n{entities}");
    read(&text, Format::Map)
}

fn read(text: &str, format: Format) -> Level {
    let mut raw = parse(text.as_bytes(), format, &LoadOptions::default()).unwrap();
    let (volumes, skies) = (std::mem::take(&mut raw.volumes), std::mem::take(&mut raw.skies));
    let surfaces = raw.surfaces.clone();
    let level = Level::new("sky", raw.into_mesh_data()).unwrap();
    let mut level = level.with_skies(skies).with_surfaces(surfaces);
    level.volumes = Volumes::new(volumes);
    level
}

/// The listed and the folded findings, and the heights of all floor.
pub(crate) fn explored(level: &Level) -> (Vec<Finding>, Vec<Finding>, Vec<f64>) {
    explored_by(&preset("quake").unwrap().unwrap(), level)
}

fn explored_by(rules: &Rules, level: &Level) -> (Vec<Finding>, Vec<Finding>, Vec<f64>) {
    let spawn = DVec3::new(2.0, 1.0, 2.0);
    let mut explorer = Explorer::new(level, rules, &[spawn]).unwrap();
    while explorer.advance() == Stage::Flooding {}
    let findings = explorer.finish();
    let heights = explorer.floor().iter().map(|sample| sample.height).collect();
    let (folded, listed) = findings.into_iter().partition(|finding| finding.folded.is_some());
    (listed, folded, heights)
}

/// A hall with a hole of 2 m in its floor, and sky 8 m below and above.
fn hall() -> String {
    [
        walls(256, [-272, 272], "stone"),
        cuboid([-256, -256, -16], [-32, 256, 0], "stone"),
        cuboid([32, -256, -16], [256, 256, 0], "stone"),
        cuboid([-32, -256, -16], [32, -32, 0], "stone"),
        cuboid([-32, 32, -16], [32, 256, 0], "stone"),
        slab(256, [-272, -256], "sky1"),
        slab(256, [256, 272], "textures/skies/evening"),
    ]
    .concat()
}

#[test]
fn sky_is_no_floor_and_a_hole_over_it_is_a_fall() {
    let (listed, _, heights) = explored(&level(&hall(), ""));
    assert_eq!(listed.len(), 1, "{}", super::said(&listed));
    assert_eq!((listed[0].code, listed[0].cause), (Code::FallOut, Some("a hole over the sky")));
    // The body of the witness stands on the sky: 8 m below, and half of its height above that.
    assert!((listed[0].witness.end.y - (-8.0 + 0.875)).abs() < 0.05, "{}", listed[0].witness.end);
    // Floor is the floor of the hall and the tops of its walls.
    assert!(heights.iter().all(|height| *height == 0.0 || *height == 8.5), "{heights:?}");
}

#[test]
fn what_kills_above_the_sky_makes_the_fall_a_death_that_is_meant() {
    let hurt = format!("{{ \"classname\" \"trigger_hurt\"\n{} }}", slab(256, [-250, -240], "trigger"));
    let (listed, folded, _) = explored(&level(&hall(), &hurt));
    let falls = listed.iter().chain(&folded).filter(|finding| finding.code == Code::FallOut);
    assert_eq!(falls.count(), 0);
}

#[test]
fn the_rim_of_a_platform_in_a_box_of_sky_is_folded() {
    let world = [
        walls(1024, [-528, 528], "sky1"),
        slab(1024, [-528, -512], "sky1"),
        slab(1024, [512, 528], "sky1"),
        slab(192, [-16, 0], "stone"),
    ]
    .concat();
    let (listed, folded, heights) = explored(&level(&world, ""));
    assert!(listed.is_empty(), "{}", super::said(&listed));
    let rims: Vec<&Finding> = folded.iter().filter(|finding| finding.code == Code::FallOut).collect();
    assert_eq!(rims.len(), 1, "{}", super::said(&folded));
    assert_eq!(rims[0].cause, Some("an open rim over the sky"));
    assert!(heights.iter().all(|height| *height == 0.0), "{heights:?}");
}

/// Boxes as an .obj file: the first is seen from within.
fn boxes(list: &[([i32; 3], [i32; 3])]) -> Level {
    let mut text = String::new();
    for (number, (low, high)) in list.iter().enumerate() {
        let ends = [low, high];
        for i in 0..8 {
            text += &format!("v {} {} {}\n", ends[i & 1][0], ends[i >> 1 & 1][1], ends[i >> 2 & 1][2]);
        }
        for mut face in [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]] {
            if number == 0 {
                face.reverse();
            }
            let [a, b, c, d] = face.map(|i| 8 * number + i);
            text += &format!("f {a} {b} {c} {d}\n");
        }
    }
    read(&text, Format::Obj)
}

#[test]
fn a_shell_of_sky_around_a_level_is_the_void() {
    let rules = Rules::default();
    let shell = ([-200, -150, -200], [200, 150, 200]);
    let ground = ([-20, -1, -20], [20, 0, 20]);
    let walls = [
        ([-21, -1, -21], [-20, 3, 21]),
        ([20, -1, -21], [21, 3, 21]),
        ([-20, -1, -21], [20, 3, -20]),
        ([-20, -1, 20], [20, 3, 21]),
    ];
    let level = boxes(&[&[shell, ground][..], &walls].concat());
    let (listed, _, heights) = explored_by(&rules, &level);
    assert!(listed.is_empty(), "{}", super::said(&listed));
    assert!(heights.iter().all(|height| [0.0, 3.0].contains(height)), "{heights:?}");
    let explorer = Explorer::new(&level, &rules, &[]).unwrap();
    // The sky is 300 m high, and the level is not in centimeters.
    assert!(explorer.warnings().is_empty(), "{:?}", explorer.warnings());
    assert!(explorer.spawns()[0].position.y < 2.0, "{:?}", explorer.spawns());
    // Without a wall, a part of the edge is open; without any, the level stands in the void.
    let gap = ([[-20, -1, 20], [4, -1, 20]], [[0, 3, 21], [20, 3, 21]]);
    let open = [shell, ground, walls[0], walls[1], walls[2], (gap.0[0], gap.1[0]), (gap.0[1], gap.1[1])];
    let (listed, folded, _) = explored_by(&rules, &boxes(&open));
    assert_eq!(listed.len(), 1, "{}", super::said(&[listed, folded].concat()));
    // So far below, the sky is not waited for.
    assert_eq!((listed[0].code, listed[0].cause), (Code::FallOut, Some("an open rim")));
    let (listed, folded, _) = explored_by(&rules, &boxes(&[shell, ground]));
    assert!(listed.is_empty() && folded.len() == 1, "{}", super::said(&[listed, folded].concat()));
}

/// A pad at the bottom of a pit throws straight up.
#[test]
fn a_body_that_is_thrown_up_forever_is_at_one_place_for_each_cell_of_the_pad() {
    let pit = |top: i32| {
        [
            walls(256, [-16, 512], "stone"),
            cuboid([-256, -256, -128], [-64, 256, top], "stone"),
            cuboid([64, -256, -128], [256, 256, top], "stone"),
            cuboid([-64, -256, -128], [64, -64, top], "stone"),
            cuboid([-64, 64, -128], [64, 256, top], "stone"),
            slab(256, [-144, -128], "stone"),
            slab(256, [512, 528], "stone"),
        ]
        .concat()
    };
    let pad = format!(
        "{{ \"classname\" \"trigger_push\" \"angle\" \"-1\" \"speed\" \"60\"\n{} }}",
        slab(64, [-128, -120], "trigger")
    );
    let level = level(&pit(0), &pad);
    let rules = preset("quake").unwrap().unwrap();
    let mut explorer = Explorer::new(&level, &rules, &[DVec3::new(4.0, 1.0, 4.0)]).unwrap();
    while explorer.advance() == Stage::Flooding {}
    explorer.finish();
    assert!(!explorer.warnings().iter().any(|warning| warning.code == "GAVE_UP"));
    let thrown = explorer.places(0).filter(|place| place.position.y > 2.0).count();
    assert!((1..=100).contains(&thrown), "{thrown}");
}
