//! Rooms of balls among boxes and spheres at rest: whatever happens, the energy is never above that at the
//! start.

use carom::balls::{Ball, Rules, Setup, Table, Wall};
use carom::mesh::Mesh;
use carom::num::ops::rotation_about;
use carom::{Body, Cuboid, Layers, Pose, Sphere, World};
use glam::DVec3;

use super::{Dice, deepest_overlap};

/// Half the room.
const ROOM: DVec3 = DVec3::new(2.0, 1.5, 1.2);

/// Twelve triangles.
fn mesh_of_a_box(half: DVec3) -> Mesh {
    let vertices = Cuboid::new(half).unwrap().corners().map(|corner| corner.as_vec3().to_array());
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Mesh::from_triangles(vertices.to_vec(), triangles).unwrap()
}

fn random_room(seed: u64) -> (Table, String) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 5);
    (0..9).for_each(|_| {
        dice.unit();
    });
    let of = |dice: &mut Dice, values: &[f64]| values[(dice.unit() * values.len() as f64) as usize];
    let mut world = World::new();
    for _ in 0..(dice.unit() * 4.0) as usize {
        let half = (dice.vector().abs() + 0.1) * 0.5;
        let turn =
            rotation_about((dice.vector() + DVec3::X * 1e-3).normalize(), of(&mut dice, &[0.0, 0.3, 2.0]));
        let pose = Pose::at(dice.vector() * ROOM).unwrap().with_rotation(turn).unwrap();
        let body = match (dice.unit() * 3.0) as u32 {
            0 => Body::fixed(Sphere::new(half.x).unwrap()),
            1 => Body::fixed(Cuboid::new(half).unwrap()),
            _ => Body::fixed(mesh_of_a_box(half)),
        };
        world.add(body.at(pose));
    }
    let walls = DVec3::AXES
        .into_iter()
        .flat_map(|axis| [axis, -axis])
        .map(|normal| Wall::Plane { point: -normal * ROOM, normal })
        .collect();
    let restitution = of(&mut dice, &[0.0, 0.2, 0.5, 0.8, 0.95, 1.0]);
    let wall_restitution = of(&mut dice, &[restitution, restitution, 0.0, 0.5, 1.0]);
    let gravity = dice.vector() * of(&mut dice, &[0.0, 0.0, 1.0, 9.81]);
    let spread = of(&mut dice, &[0.0, 1.0, 3.0]);
    let wanted = of(&mut dice, &[1.0, 2.0, 5.0, 12.0, 24.0]) as usize;
    let mut balls: Vec<Ball> = Vec::new();
    for _ in 0..20 * wanted {
        let radius = 0.05 + 0.2 * dice.unit() * dice.unit();
        let place = dice.vector() * (ROOM - radius - 1e-6);
        let apart = |ball: &Ball| (ball.position - place).length() > ball.radius + radius + 1e-6;
        let grown = Sphere::new(radius + 1e-6).unwrap();
        let is_free = world.overlaps(grown, place, Layers::ALL).unwrap().is_empty();
        if is_free && balls.iter().all(apart) && balls.len() < wanted {
            let mass =
                (1.0 + dice.unit()) * of(&mut dice, &[1.0, 0.1_f64.max(1.0 - spread), 1.0 + 300.0 * spread]);
            balls.push(Ball::new(place, dice.vector() * 3.0, radius, mass).unwrap());
        }
    }
    let name = format!(
        "seed {seed}: restitution {restitution} and {wall_restitution} of walls, gravity {gravity}, {} balls, {} bodies",
        balls.len(),
        world.bodies().count()
    );
    let rules = Rules { gravity, restitution, wall_restitution, ..Rules::default() };
    (Table::new(Setup { balls, walls, rules, obstacles: world, ..Setup::default() }).unwrap(), name)
}

/// Plays a room: the number of events, or the fault.
fn play(seed: u64) -> Result<u64, String> {
    let (mut table, name) = random_room(seed);
    let weight: f64 = (0..table.len()).map(|i| table.mass(i) * 9.81 * ROOM.length()).sum();
    let start = table.energy();
    // Kinetic and potential energy are rounded by what each of them is.
    let rounding = 1e-12 * (start.abs() + weight);
    let mut events = 0;
    while table.next_event(5.0).is_some() {
        events += 1;
        let gained = table.energy() - start;
        if gained > rounding {
            return Err(format!("{name}: {gained:e} of {start} J gained by {} s", table.time()));
        }
        if events > 2_000_000 {
            return Err(format!("{name}: {events} events by {} s", table.time()));
        }
    }
    let deepest = deepest_overlap(&table);
    let outside = (0..table.len()).any(|i| {
        let gap = ROOM - table.ball(i).position.abs() - table.radius(i);
        gap.min_element() < -1e-9
    });
    if deepest > 1e-9 || outside {
        return Err(format!("{name}: {deepest:e} radii deep, outside: {outside}"));
    }
    Ok(events)
}

fn hunt(seeds: core::ops::Range<u64>) {
    let count = seeds.end - seeds.start;
    let (mut events, mut wrong) = (0, Vec::new());
    for seed in seeds {
        match play(seed) {
            Ok(own) => events += own,
            Err(line) => wrong.push(line),
        }
    }
    println!("{events} events in {count} rooms");
    assert!(wrong.is_empty(), "{} of {count} rooms: {wrong:#?}", wrong.len());
}

#[test]
fn among_bodies_at_rest_no_energy_is_gained() {
    hunt(0..60);
}

#[test]
#[ignore = "minutes: the same law in thousands of rooms"]
fn in_thousands_of_rooms_no_energy_is_gained() {
    hunt(1000..3000);
}
