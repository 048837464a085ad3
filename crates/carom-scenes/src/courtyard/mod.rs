//! The built-in level: a small walled courtyard with a bit of everything to walk on.

mod defects;
mod furniture;
mod grounds;
mod movers;
mod standing;

use glam::{DVec2, DVec3};

pub use defects::{BrokenCourtyard, PlantedDefect, courtyard_with_defects};
pub use movers::MovingBox;

use crate::{PlacedBox, SceneMesh};

/// The body that the courtyard is laid out for: radii of an upright ellipsoid, in meters.
pub const BODY: DVec3 = DVec3::new(0.4, 0.9, 0.4);

/// A place on the tour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayPoint {
    /// The name of the place.
    pub name: &'static str,
    /// The center of [`BODY`] standing there, a millimeter above the ground, in meters.
    pub position: DVec3,
    /// The machine that must be at rest before the tour continues from there.
    pub waits: Option<Wait>,
}

/// Something that moves has to be somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wait {
    /// Its number among [`Courtyard::movers`].
    pub mover: usize,
    /// Where its middle has to come to rest, in meters. A character that finds it there already waits until
    /// it comes again: else it may be about to leave.
    pub place: DVec3,
}

/// A courtyard of 40 × 40 m within walls that cannot be climbed.
///
/// Paved ground with two mounds and a dish; a terrace (1.5 m) with stairs, a ramp and a portico; a pool as
/// deep, with steps out of it, a lift, and a bridge over it that can be passed under; an arch with a door; a
/// tower (3.75 m) with stairs around it; trees, an obelisk, crates. Everything without an overhang is one
/// closed solid; the rest are closed solids sunk into it.
///
/// Steps are 0.125 m and 0.156 m high. All floor that looks walkable can be reached on foot; the rest is
/// ridged, steeper than 50°.
#[derive(Clone, Debug, PartialEq)]
pub struct Courtyard {
    /// All triangles. The sections are called ground, lawn, pool, terrace, stairs, ramp, tower, north wall,
    /// east wall, south wall, west wall, bridge, arch, portico, column, tree, obelisk, flag and crate; some
    /// more than once.
    pub mesh: SceneMesh,
    /// The crates once more, as bodies: the sections called crate, in the same order.
    pub crates: Vec<PlacedBox>,
    /// The moving bodies, which are not part of the mesh: the lift and the two leaves of the door.
    pub movers: Vec<MovingBox>,
    /// The center of [`BODY`], a millimeter above level ground, with room all around.
    pub spawn: DVec3,
    /// A tour on foot: from each point to the next, and from the last to the spawn, it is a straight path
    /// that rises by ramps and small steps only. It waits for the door.
    pub tour: Vec<WayPoint>,
    /// From the spawn down into the pool and up with the lift; from the last point it is a straight path to
    /// the spawn.
    pub ride: Vec<WayPoint>,
}

/// The courtyard.
pub fn courtyard() -> Courtyard {
    let mut mesh = grounds::solid();
    let crates = furniture::crates();
    furniture::furnish(&mut mesh, &crates);
    let stand =
        |feet| standing::above(&mesh, BODY, feet, 0.001).expect("the tour keeps clear of what stands about");
    let spawn = stand(DVec3::new(-0.5, 0.0, -4.5));
    let way_point = |(name, feet)| {
        let waits =
            (name == BEFORE_THE_DOOR).then(|| Wait { mover: movers::DOOR, place: movers::leaf_places()[0] });
        WayPoint { name, position: stand(feet), waits }
    };
    let tour = tour().into_iter().map(way_point).collect();
    let ride = ride(stand);
    Courtyard { mesh, crates, movers: movers::movers(), spawn, tour, ride }
}

const BEFORE_THE_DOOR: &str = "before the door";

/// Into the pool and up again, with a place to stand found for feet on fixed ground.
fn ride(stand: impl Fn(DVec3) -> DVec3) -> Vec<WayPoint> {
    let [below, above] = movers::lift_places();
    let lift_at = |place: DVec3| Some(Wait { mover: movers::LIFT, place });
    let stop = |name, feet| WayPoint { name, position: stand(feet), waits: None };
    let depth = -grounds::TERRACE;
    vec![
        stop("pool steps", DVec3::new(-11.5, 0.0, 0.0)),
        stop("pool", DVec3::new(-11.5, depth, 6.0)),
        WayPoint { waits: lift_at(below), ..stop("before the lift", DVec3::new(-7.0, depth, below.z)) },
        WayPoint {
            name: "on the lift",
            position: movers::on_the_lift() + DVec3::Y * (BODY.y + 0.001),
            waits: lift_at(above),
        },
        stop("off the lift", DVec3::new(-1.5, 0.0, above.z)),
    ]
}

/// Names and places underfoot.
fn tour() -> Vec<(&'static str, DVec3)> {
    let on_ground = |x: f64, z: f64| DVec3::new(x, grounds::relief(DVec2::new(x, z)), z);
    let on_terrace = |x: f64, z: f64| DVec3::new(x, grounds::TERRACE, z);
    let in_pool = |x: f64, z: f64| DVec3::new(x, -grounds::TERRACE, z);
    let up = grounds::tower_way();
    let named = |name: &'static str| move |feet: &DVec3| (name, *feet);
    let mut tour = vec![
        ("foot of the stairs", on_ground(-4.0, -7.0)),
        ("head of the stairs", on_terrace(-4.0, -13.25)),
        ("portico", on_terrace(-6.5, -15.25)),
        ("under the beams", on_terrace(-16.0, -15.25)),
        ("portico", on_terrace(-6.5, -15.25)),
        ("head of the ramp", on_terrace(3.25, -17.5)),
        ("foot of the ramp", on_ground(13.0, -17.5)),
        ("behind the tower", on_ground(16.75, -12.0)),
        ("crates", on_ground(16.75, -2.0)),
        ("before the tower", on_ground(7.25, -3.5)),
        ("before the tower", on_ground(7.25, -6.0)),
    ];
    tour.extend(up.iter().map(named("tower")));
    tour.extend(up.iter().rev().skip(1).map(named("tower")));
    tour.extend([
        ("before the tower", on_ground(7.25, -6.0)),
        ("before the tower", on_ground(7.25, -3.5)),
        ("mound", on_ground(10.0, 9.25)),
        (BEFORE_THE_DOOR, on_ground(6.0, 9.25)),
        ("arch", on_ground(3.5, 9.25)),
        ("foot of the bridge", on_ground(-0.5, 9.25)),
        ("crest of the bridge", DVec3::new(-8.0, 1.0, 9.25)),
        ("foot of the bridge", on_ground(-15.25, 9.25)),
        ("between the trees", on_ground(-14.75, 0.0)),
        ("pool steps", on_ground(-11.5, 0.0)),
        ("pool", in_pool(-11.5, 6.0)),
        ("under the bridge", in_pool(-8.0, 9.25)),
        ("pool", in_pool(-11.5, 6.0)),
        ("pool steps", on_ground(-11.5, 0.0)),
    ]);
    tour
}

#[cfg(test)]
mod tests {
    use super::standing::Nearby;
    use super::*;
    use crate::census::Census;

    #[test]
    fn is_closed_as_a_whole_and_of_moderate_size() {
        let courtyard = courtyard();
        let census = Census::of(&courtyard.mesh);
        assert!(census.is_closed() && census.volume > 0.0 && census.slivers == 0, "{census:?}");
        let count = courtyard.mesh.triangles.len();
        assert!((2000..10_000).contains(&count), "{count}");
    }

    #[test]
    fn keeps_its_bits() {
        assert_eq!(courtyard().mesh.checksum(), 0xAE6A_81EC_8756_95E0);
    }

    #[test]
    fn the_crates_are_the_parts_called_crate() {
        let courtyard = courtyard();
        let mut bodies = SceneMesh::new();
        courtyard.crates.iter().for_each(|placed| bodies.append_part("crate", &placed.mesh()));
        let crates_of_mesh = courtyard.mesh.only(|name| name == "crate");
        assert!(crates_of_mesh.iter_corners().eq(bodies.iter_corners()));
        assert_eq!(crates_of_mesh.sections, bodies.sections);
    }

    #[test]
    fn what_moves_is_clear_of_the_ground_and_hidden_or_below_at_first() {
        let courtyard = courtyard();
        let lift = &courtyard.movers[movers::LIFT];
        for (_, place) in &lift.stations {
            let (low, high) = (*place - lift.half_extents, *place + lift.half_extents);
            let meets =
                |[a, b, c]: [DVec3; 3]| a.min(b).min(c).cmple(high).all() && a.max(b).max(c).cmpge(low).all();
            assert!(!courtyard.mesh.iter_corners().any(meets), "{place}");
        }
        // The jambs of the gate are 1.25 m from its middle.
        for leaf in &courtyard.movers[movers::DOOR..] {
            let PlacedBox { position, half_extents, .. } = leaf.at_start();
            let off = (position.z - 9.25).abs();
            assert!(off - half_extents.z > 1.25 && off + half_extents.z < 3.0, "{position}");
        }
    }

    #[test]
    fn spawn_and_way_points_are_free_and_a_millimeter_above_the_ground() {
        let courtyard = courtyard();
        let on_foot = courtyard.ride.iter().filter(|stop| stop.name != "on the lift");
        let points = courtyard.tour.iter().chain(on_foot).map(|stop| stop.position).chain([courtyard.spawn]);
        for center in points {
            let near = Nearby::of(&courtyard.mesh, center - 2.0, center + 2.0);
            assert!(near.clearance(BODY, center) > 1.0, "{center}");
            assert!(near.clearance(BODY, center - DVec3::Y * 0.0011) < 1.0, "{center}");
        }
        let room = Nearby::of(&courtyard.mesh, courtyard.spawn - 4.0, courtyard.spawn + 4.0);
        assert!(room.clearance(BODY.with_x(1.5).with_z(1.5), courtyard.spawn + DVec3::Y * 0.05) > 1.0);
    }

    #[test]
    fn the_tour_is_walked_in_straight_lines_over_ramps_and_small_steps() {
        let courtyard = courtyard();
        let mut at = courtyard.spawn;
        let mut length = 0.0;
        let legs = courtyard.tour.iter().map(|stop| (stop.name, stop.position));
        for (name, goal) in legs.chain([("spawn", courtyard.spawn)]) {
            let steps = ((goal - at).with_y(0.0).length() / 0.1).ceil();
            let stride = (goal - at).with_y(0.0) / steps;
            for _ in 0..steps as usize {
                let feet = at + stride - DVec3::Y * BODY.y;
                let next = standing::above(&courtyard.mesh, BODY, feet, 0.001);
                let Some(next) = next else { panic!("to {name}: no room at {feet}") };
                assert!((next.y - at.y).abs() < 0.175, "to {name}: {at} to {next}");
                at = next;
            }
            assert!((at - goal).length() < 1e-6, "to {name}: {at} instead of {goal}");
            length += stride.length() * steps;
        }
        assert!((150.0..300.0).contains(&length), "{length}");
    }
}
