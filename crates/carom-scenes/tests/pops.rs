//! No character leaps out of a crush: in one tick it gets no farther than the bound on its speed allows, its
//! own walk, and what carries and presses it.

use carom::character::{Character, Input, Settings};
use carom::num::ops;
use carom::world::{Body, BodyId, Pose, World};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom_scenes::{MeshBuilder, Random};
use glam::{DQuat, DVec3, dvec3};

const GRAVITY: f64 = 9.81;

/// The least speed out of a crush by default, in m/s.
const WALK: f64 = 1.5;

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

/// A door, how it goes as it closes, and for how long.
struct Door {
    id: BodyId,
    velocity: DVec3,
    closes: f64,
}

/// The farthest of a run in one tick out of a crush: how many times what is allowed, and where.
struct Farthest {
    share: f64,
    tell: String,
}

/// Two doors that close on a hero, hold, and open again. `None` if it was never crushed.
fn play(seed: u64) -> Option<Farthest> {
    let mut random = Random::scattered(seed);
    let mut world = World::new();
    let fixed = |world: &mut World, half: DVec3, at: DVec3| {
        world.add(Body::fixed(Cuboid::new(half).expect("is above 0")).at(Pose::at(at).expect("is finite")))
    };
    fixed(&mut world, dvec3(20.0, 1.0, 20.0), dvec3(0.0, -1.0, 0.0));
    let shape = shape(&mut random);
    let extents = shape.bounds().half_extents();
    if random.below(3) == 0 {
        let ceiling = 2.0 * extents.y + random.between(0.02, 1.0);
        fixed(&mut world, dvec3(20.0, 1.0, 20.0), dvec3(0.0, ceiling + 1.0, 0.0));
    }
    let reach = extents.max_element();
    let start = dvec3(0.0, extents.y + 0.01, 0.0);
    let escape_speed = match random.below(3) {
        0 => Some(random.between(0.1, 4.0)),
        _ => None,
    };
    let settings = Settings { escape_speed, ..Settings::default() };
    let hero = Character::new(shape, settings).and_then(|hero| hero.at(start));
    let mut hero = hero.expect("the settings are in their ranges");
    let yaw = random.between(0.0, core::f64::consts::TAU);
    let is_single = random.below(4) == 0;
    let doors: Vec<Door> = (0..2)
        .map(|side| {
            let thick = coarse(random.between(0.05, 0.5));
            let half = dvec3(thick, coarse(random.between(0.2, 2.0)), coarse(random.between(0.2, 2.0)));
            let turn = ops::rotation_about(DVec3::Y, yaw + f64::from(side) * core::f64::consts::PI);
            let out = turn * DVec3::X;
            let aside = turn * DVec3::Z * (random.between(-1.0, 1.0) * (half.z + 0.5 * reach));
            let far = thick + reach * random.between(1.0, 1.5) + 0.1;
            let low = random.between(-1.0, 1.0) * half.y;
            let middle =
                out * far + aside + DVec3::Y * (extents.y + low).max(half.y * random.between(0.5, 1.1));
            let pose = Pose::at(middle).and_then(|pose| pose.with_rotation(turn)).expect("a pose");
            let body = if random.below(2) == 0 {
                let mesh = MeshBuilder::cuboid(half).posed(DQuat::IDENTITY, DVec3::ZERO).rounded();
                Body::kinematic(mesh.into_mesh().expect("twelve triangles"))
            } else {
                Body::kinematic(Cuboid::new(half).expect("is above 0"))
            };
            let speed = if is_single && side == 1 { 0.0 } else { random.between(0.2, 4.0) };
            let stop = random.between(-1.0, 1.0) * extents.x;
            let closes = if speed > 0.0 { (far - thick - stop) / speed } else { 0.0 };
            Door { id: world.add(body.at(pose)), velocity: -out * speed, closes }
        })
        .collect();
    let fastest = doors.iter().map(|door| door.velocity.length()).fold(0.0, f64::max);
    let closed = doors.iter().map(|door| door.closes).fold(0.0, f64::max);
    let holds = random.between(0.0, 1.0);
    let rate = [20.0, 30.0, 60.0, 144.0, 240.0, 1000.0, 0.0][random.below(7)];
    let walks = random.below(2) == 0;
    let mut input = Input::IDLE;
    let (mut time, mut key) = (0.0, 0.0);
    let (mut crushed, mut farthest) = (false, None::<Farthest>);
    while time < 2.0 * closed + holds + 1.0 {
        let dt = if rate == 0.0 { random.between(0.001, 0.05) } else { 1.0 / rate };
        if walks && time >= key {
            let (sin, cos) = ops::sin_cos(random.between(0.0, core::f64::consts::TAU));
            input = Input::walk(dvec3(cos, 0.0, sin) * random.between(0.5, 4.0));
            key += 0.5;
        }
        world.advance(dt, |moves| {
            for Door { id, velocity, closes } in &doors {
                let back = closed + holds;
                let way = if time < *closes {
                    1.0
                } else if time >= back && time < back + closes {
                    -1.0
                } else {
                    0.0
                };
                moves.drive(*id, *velocity * way, DVec3::ZERO).expect("can move");
            }
        });
        let from = hero.position();
        let report = hero.step(&world, input, dt);
        let went = hero.position() - from;
        let own = input.desired_velocity.map_or(0.0, DVec3::length);
        let escape = escape_speed.unwrap_or(fastest.max(WALK));
        if crushed {
            // As fast as it may, and pressed meanwhile; down as what it stood on gives way; and a step up.
            let allowed = (escape.max(own) + fastest) * dt + 0.5 * GRAVITY * dt * dt + 2.0 * hero.skin();
            let share = (went.length() - report.stepped) / allowed;
            if farthest.as_ref().is_none_or(|most| share > most.share) {
                let tell = format!(
                    "seed {seed}: {share:.2} at {time:.4}, dt {dt:.4}, went {went:.4?} {:.4} escape {escape_speed:?} \
                     fastest {fastest:.2} own {own:.2} {:?} stepped {} {shape:?}",
                    went.length(),
                    report.outcome,
                    report.stepped
                );
                farthest = Some(Farthest { share, tell });
            }
        }
        crushed = report.crushed();
        time += dt;
    }
    farthest
}

fn play_all(seeds: core::ops::Range<u64>) {
    let count = seeds.end - seeds.start;
    let mut found: Vec<Farthest> = seeds.filter_map(play).collect();
    found.sort_by(|a, b| b.share.total_cmp(&a.share));
    println!("{} of {count} were crushed", found.len());
    assert!(found.len() as u64 > count / 5, "{}", found.len());
    let faults: Vec<&str> =
        found.iter().take_while(|most| most.share > 1.0).map(|most| most.tell.as_str()).collect();
    assert!(faults.is_empty(), "{}\n{}", faults.len(), faults[..faults.len().min(30)].join("\n"));
}

#[test]
fn out_of_a_crush_nobody_gets_farther_in_a_tick_than_the_bound_allows() {
    play_all(0..60);
}

#[test]
#[ignore = "a soak: two minutes"]
fn the_same_of_many_more() {
    play_all(0..2_500);
}
