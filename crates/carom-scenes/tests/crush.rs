//! Crushed and released: lifts that come down, doors that close, flaps on hinges and blades about their
//! middle, of solids and of meshes. A hero that is pressed is in nothing that the report does not name, leaps
//! nowhere, is free when what pressed it has gone back, and stands on the side on which it was.

use carom::character::{Character, Input, Settings};
use carom::num::ops;
use carom::world::{Body, BodyId, Pose, World};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom_scenes::machines::overlap::{Solid, depth};
use carom_scenes::{MeshBuilder, Random};
use glam::{DQuat, DVec3, dvec3};

/// A box that presses, as it is and as it goes.
struct Press {
    id: BodyId,
    /// From the body's position to its middle.
    offset: DVec3,
    linear: DVec3,
    angular: DVec3,
}

impl Press {
    fn middle(&self, world: &World) -> (DVec3, DQuat) {
        let pose = world.body(self.id).expect("is there").pose();
        (pose.position() + pose.rotation() * self.offset, pose.rotation())
    }
}

fn press(world: &mut World, half: DVec3, offset: DVec3, at: Pose, is_mesh: bool) -> BodyId {
    let body = if is_mesh || offset != DVec3::ZERO {
        let mesh = MeshBuilder::cuboid(half).posed(DQuat::IDENTITY, offset).rounded();
        Body::kinematic(mesh.into_mesh().expect("twelve triangles"))
    } else {
        Body::kinematic(Cuboid::new(half).expect("is above 0"))
    };
    world.add(body.at(at))
}

fn shape(random: &mut Random) -> Mover {
    let (radius, height) = (random.between(0.15, 0.5), random.between(0.1, 0.6));
    let shape: Result<Mover, _> = match random.below(4) {
        0 => Ellipsoid::new(dvec3(radius, radius + height, random.between(0.15, 0.5))).map(Into::into),
        1 => Capsule::new(radius, height).map(Into::into),
        2 => Sphere::new(radius).map(Into::into),
        _ => Cuboid::new(dvec3(radius, height.max(0.2), random.between(0.15, 0.5))).map(Into::into),
    };
    shape.expect("lengths are above 0")
}

/// To a 1024th: f32 holds it.
fn coarse(x: f64) -> f64 {
    (x * 1024.0).round() / 1024.0
}

/// Whether a straight path meets a box.
fn meets(from: DVec3, to: DVec3, half: DVec3, (middle, rotation): (DVec3, DQuat)) -> bool {
    let seen = |at: DVec3| rotation.conjugate() * (at - middle);
    let (from, way) = (seen(from), seen(to) - seen(from));
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for axis in 0..3 {
        let (a, b) = ((-half[axis] - from[axis]) / way[axis], (half[axis] - from[axis]) / way[axis]);
        if way[axis] == 0.0 {
            if from[axis].abs() >= half[axis] {
                return false;
            }
        } else {
            (low, high) = (low.max(a.min(b)), high.min(a.max(b)));
        }
    }
    low < high
}

/// One press that closes, holds, and opens again.
fn play(seed: u64) -> (u32, Vec<String>) {
    let mut random = Random::scattered(seed);
    let mut faults = Vec::new();
    let mut world = World::new();
    let fixed = |world: &mut World, half: DVec3, at: DVec3| {
        world.add(Body::fixed(Cuboid::new(half).expect("is above 0")).at(Pose::at(at).expect("is finite")))
    };
    fixed(&mut world, dvec3(20.0, 1.0, 20.0), dvec3(0.0, -1.0, 0.0));
    // A wall whose face is at x = 0.
    fixed(&mut world, dvec3(1.0, 4.0, 20.0), dvec3(-1.0, 4.0, 0.0));
    let shape = shape(&mut random);
    let extents = shape.bounds().half_extents();
    let start = dvec3(extents.x + random.between(0.01, 0.6), extents.y + 0.01, random.between(-0.5, 0.5));
    let hero = Character::new(shape, Settings::default()).and_then(|hero| hero.at(start));
    let mut hero = hero.expect("the settings are in their ranges");
    let (thick, wide) = (coarse(random.between(0.03, 0.6)), coarse(random.between(1.0, 2.5)));
    let is_mesh = random.below(2) == 0;
    let rate = random.between(0.3, 4.0);
    let dt = [1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0][random.below(3)];
    let kind = random.below(4);
    let turned = |at: DVec3, angle: f64| {
        Pose::at(at)
            .and_then(|pose| pose.with_rotation(ops::rotation_about(DVec3::Z, angle)))
            .expect("a pose")
    };
    let (pose, half, offset, linear, angular, whole) = match kind {
        // A lift that comes down to the floor, or nearly.
        0 => {
            let top = 2.0 * extents.y + 0.3;
            let way = top - random.between(0.0, 1.0) * extents.y;
            (
                turned(dvec3(0.0, top + thick, 0.0), 0.0),
                dvec3(wide, thick, wide),
                DVec3::ZERO,
                DVec3::NEG_Y * rate,
                DVec3::ZERO,
                way / rate,
            )
        }
        // A door that closes against the wall.
        1 => {
            let far = start.x + extents.x + 0.3;
            let way = far - random.between(0.0, 1.0) * extents.x;
            (
                turned(dvec3(far + thick, 1.0, 0.0), 0.0),
                dvec3(thick, 2.0, wide),
                DVec3::ZERO,
                DVec3::NEG_X * rate,
                DVec3::ZERO,
                way / rate,
            )
        }
        // A flap with its hinge beyond the hero that falls on it towards the wall.
        2 => {
            let far = start.x + extents.x + thick + 0.1;
            let turn = random.between(0.8, 1.5);
            (
                turned(dvec3(far, 0.0, 0.0), 0.0),
                dvec3(thick, wide, wide),
                DVec3::Y * wide,
                DVec3::ZERO,
                DVec3::Z * rate,
                turn / rate,
            )
        }
        // A blade about its middle, above and beyond the hero, that turns its lower half against the wall.
        _ => {
            let far = start.x + extents.x + thick + 0.1;
            let turn = random.between(0.2, 1.2);
            (
                turned(dvec3(far, 1.2 * extents.y + 0.5, 0.0), 0.0),
                dvec3(thick, 1.2 * extents.y + 0.4, wide),
                DVec3::ZERO,
                DVec3::ZERO,
                DVec3::NEG_Z * rate,
                turn / rate,
            )
        }
    };
    let id = press(&mut world, half, offset, pose, is_mesh);
    let press = Press { id, offset, linear, angular };
    let ticks = (whole / dt) as u32;
    let fastest = linear.length().max(angular.length() * 2.0 * half.length());
    let mut crushed = 0;
    for tick in 0..2 * ticks + 20 {
        let way = if tick < ticks {
            1.0
        } else if tick < ticks + 10 || tick >= 2 * ticks + 10 {
            0.0
        } else {
            -1.0
        };
        world.advance(dt, |moves| {
            moves.drive(press.id, press.linear * way, press.angular * way).expect("can move");
        });
        let from = hero.position();
        let report = hero.step(&world, Input::IDLE, dt);
        crushed += u32::from(report.crushed());
        let (middle, rotation) = press.middle(&world);
        let deep = depth(hero.shape(), hero.position(), Solid::Box(half), middle, rotation);
        let is_named = report.crushed_by().any(|by| by.obstacle.body() == Some(press.id));
        let name = || format!("seed {seed} kind {kind} tick {tick} of {ticks} {shape:?}, mesh {is_mesh}");
        if deep > 1e-8 && !is_named {
            faults.push(format!("{}: inside by {deep:.1e}, {:?}", name(), report.outcome));
        }
        let went = (hero.position() - from).length();
        // As fast as it is pressed, out at a walk, and down as what it stood on gives way.
        if went > 4.0 * (fastest + 1.5 + 9.81 * dt) * dt {
            faults.push(format!("{}: leaps {went:.2} m, {:?}", name(), report.outcome));
        }
    }
    let at = hero.position();
    let report = hero.step(&world, Input::IDLE, dt);
    if report.crushed() {
        faults.push(format!(
            "seed {seed} kind {kind} {shape:?}, mesh {is_mesh}: still crushed at {at} from {start}"
        ));
    }
    if meets(start, at, half, press.middle(&world)) {
        faults.push(format!(
            "seed {seed} kind {kind} {shape:?}, mesh {is_mesh}: behind it at {at} from {start}"
        ));
    }
    if at.y < 0.0 || at.x < 0.0 {
        faults.push(format!("seed {seed} kind {kind} {shape:?}: through floor or wall at {at}"));
    }
    (crushed, faults)
}

fn play_all(seeds: core::ops::Range<u64>) {
    let (mut crushed, mut faults) = (0, Vec::new());
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let (ticks, found) = play(seed);
        crushed += u64::from(ticks > 0);
        faults.extend(found.into_iter().take(2));
    }
    println!("{crushed} of {count} were crushed, {} faults", faults.len());
    assert!(crushed > count / 3, "{crushed}");
    assert!(
        faults.is_empty(),
        "{}\n{}",
        faults.len(),
        faults.iter().take(30).cloned().collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn a_crushed_hero_stays_on_its_side_and_is_free_when_the_press_goes_back() {
    play_all(0..400);
}

#[test]
#[ignore = "a soak: some minutes"]
fn the_same_of_many_more() {
    play_all(0..10_000);
}
