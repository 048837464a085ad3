//! Closed levels, written as a .map: floor on top of their hulls is where no body comes.

use carom_explore::{Explorer, Level, Stage, preset};
use carom_formats::{Format, LoadOptions, parse};
use glam::DVec3;

use crate::sky::{cuboid, slab, walls};

/// The area of all floor of a level of these brushes, with a spawn in the middle, and of what is 2 m high and
/// more.
fn floor(world: &str) -> [f64; 2] {
    let spawn = "{ \"classname\" \"info_player_start\" \"origin\" \"0 0 24\" }";
    let text = format!("{{ \"classname\" \"worldspawn\"\n{world} }}\n{spawn}");
    let options = LoadOptions::default();
    let raw = parse(text.as_bytes(), Format::Map, &options).unwrap();
    let interior = raw.source.as_ref().unwrap().interior();
    let level = Level::new("closed", raw.into_mesh_data()).unwrap().with_interior(interior);
    let rules = preset("quake").unwrap().unwrap();
    let mut explorer = Explorer::new(&level, &rules, &[DVec3::Y]).unwrap();
    while explorer.advance() == Stage::Flooding {}
    explorer.finish();
    let samples = explorer.floor();
    let high = samples.iter().filter(|sample| sample.height > 2.0).count();
    let all = explorer.coverage()[1];
    [all, all * high as f64 / samples.len() as f64]
}

#[test]
fn floor_on_top_of_a_closed_level_is_not_in_the_coverage() {
    let room = [walls(256, [-16, 272], "stone"), slab(256, [-16, 0], "stone")].concat();
    let roof = slab(256, [256, 272], "stone");
    let [all, high] = floor(&(room.clone() + &roof));
    assert!(all > 200.0 && high == 0.0, "{all} m², of which {high} m² are on top");
    // With half a roof it is not closed: a body may come there.
    let half = cuboid([-256, -256, 256], [0, 256, 272], "stone");
    let [_, high] = floor(&(room + &half));
    assert!(high > 10.0, "{high} m² on top");
}
