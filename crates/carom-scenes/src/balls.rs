//! Tables of balls, ready to run: for `carom pool`, the examples and the measurements.
//!
//! Lengths of the pool table: World Pool-Billiard Association, equipment specifications (table of nine feet).
//! Draws come from [`Random`] in the order in which each function states them.

use carom::balls::{Ball, Cloth, Dimensions, Pocket, Rules, Setup, Wall};
use carom::num::ops::{cos, sin, sqrt};
use carom::world::{Body, BodyId, World};
use glam::{DVec3, dvec3};

use crate::workload::Terrain;
use crate::{Random, SceneMesh};

/// The playing surface, from cushion to cushion, in meters: 100 by 50 inches.
pub const TABLE: [f64; 2] = [2.54, 1.27];
/// Of a pool ball: 2¼ inches across.
pub const POOL_RADIUS: f64 = 0.028_575;
/// In kilograms: 6 ounces.
pub const POOL_MASS: f64 = 0.17;
/// How wide the corner pockets are between the tips of the cushions, in meters: 4½ inches.
const CORNER_MOUTH: f64 = 0.1143;
/// The side pockets: 5 inches.
const SIDE_MOUTH: f64 = 0.127;
/// How far the cushions turn into a corner pocket and into a side pocket, in degrees.
const CORNER_CUT: f64 = 142.0;
const SIDE_CUT: f64 = 104.0;

/// How long the built-in tables run, in seconds.
pub const POOL_SECONDS: f64 = 15.0;
/// The cradles.
pub const NEWTON_SECONDS: f64 = 12.0;
/// The landslide.
pub const LANDSLIDE_SECONDS: f64 = 12.0;

/// A break on a table of nine feet: ball 0 is the cue ball, 1 to 15 are racked with the eight in the middle.
/// It comes at 9 m/s, a little off the middle. Racked balls are about 20 µm apart, as real ones are: two
/// draws for each, row by row, of how far x and y are off the pattern, by up to 5 µm.
pub fn pool_break() -> Setup {
    let [length, width] = TABLE;
    let mut balls = vec![Ball {
        position: dvec3(0.25 * length - 0.1, 0.5 * width + 0.004, 0.0),
        velocity: dvec3(9.0, 0.0, 0.0),
        radius: POOL_RADIUS,
        mass: POOL_MASS,
    }];
    let rows: [&[usize]; 5] = [&[1], &[9, 2], &[10, 8, 3], &[11, 7, 14, 4], &[5, 13, 15, 6, 12]];
    let mut random = Random::new(15);
    let mut racked = [DVec3::ZERO; 16];
    let spacing = 2.0 * POOL_RADIUS + 2e-5;
    for (row, numbers) in rows.iter().enumerate() {
        for (place, &number) in numbers.iter().enumerate() {
            let across = place as f64 - 0.5 * row as f64;
            let ahead = row as f64 * 0.5 * sqrt(3.0);
            let foot_spot = dvec3(0.75 * length, 0.5 * width, 0.0);
            let off = dvec3(random.between(-5e-6, 5e-6), random.between(-5e-6, 5e-6), 0.0);
            racked[number] = foot_spot + dvec3(ahead, across, 0.0) * spacing + off;
        }
    }
    for position in &racked[1..] {
        balls.push(Ball { position: *position, velocity: DVec3::ZERO, ..balls[0] });
    }
    let (walls, pockets) = cushions();
    let rules = Rules {
        dimensions: Dimensions::Two,
        restitution: 0.95,
        wall_restitution: 0.8,
        cloth: Some(Cloth { sliding: 0.2, rolling: 0.01, weight: 9.81 }),
        ..Rules::default()
    };
    Setup { balls, walls, pockets, rules, ..Setup::default() }
}

/// Six cushions, the two facings of each pocket, and the pockets: a ball whose center is in one is gone.
fn cushions() -> (Vec<Wall>, Vec<Pocket>) {
    let [length, width] = TABLE;
    let corner = CORNER_MOUTH / sqrt(2.0);
    let side = 0.5 * SIDE_MOUTH;
    let turn = |degrees: f64| (180.0 - degrees).to_radians();
    let mut walls = Vec::new();
    let mut pockets = Vec::new();
    // By quarters of the table: along the long rail, then the short one. Signs mirror them.
    for (x, along) in [(0.0, 1.0), (length, -1.0)] {
        for (y, up) in [(0.0, 1.0), (width, -1.0)] {
            let place = |a: f64, b: f64| dvec3(x + along * a, y + up * b, 0.0);
            walls.push(Wall::Segment { a: place(corner, 0.0), b: place(0.5 * length - side, 0.0) });
            if up > 0.0 {
                walls.push(Wall::Segment { a: place(0.0, corner), b: place(0.0, width - corner) });
            }
            let (long, cut) = (0.05, turn(CORNER_CUT));
            let (forth, out) = (long * cos(cut), long * sin(cut));
            walls.push(Wall::Segment { a: place(corner, 0.0), b: place(corner - forth, -out) });
            walls.push(Wall::Segment { a: place(0.0, corner), b: place(-out, corner - forth) });
            let (long, cut) = (0.04, turn(SIDE_CUT));
            let tip = 0.5 * length - side;
            walls.push(Wall::Segment {
                a: place(tip, 0.0),
                b: place(tip + long * cos(cut), -long * sin(cut)),
            });
            pockets.push(Pocket { position: place(0.0, 0.0), radius: 0.5 * CORNER_MOUTH });
        }
    }
    for (y, out) in [(0.0, -0.045), (width, 0.045)] {
        pockets.push(Pocket { position: dvec3(0.5 * length, y + out, 0.0), radius: 0.045 });
    }
    (walls, pockets)
}

/// Three cradles of seven balls between walls, without loss: one, two and three balls come in, and as many
/// continue, for ever.
pub fn newton() -> Setup {
    const RADIUS: f64 = 0.0625;
    let mut balls = Vec::new();
    let mut walls = Vec::new();
    for moving in 1..=3usize {
        let y = -0.5 * (moving as f64 - 1.0);
        for i in 0..7 {
            let comes = i < moving;
            let x = 2.0 * RADIUS * i as f64 - if comes { 0.5 } else { 0.0 };
            let velocity = if comes { DVec3::X } else { DVec3::ZERO };
            balls.push(Ball { position: dvec3(x, y, 0.0), velocity, radius: RADIUS, mass: 1.0 });
        }
        for x in [-0.75, 1.5] {
            walls.push(Wall::Segment { a: dvec3(x, y - 0.125, 0.0), b: dvec3(x, y + 0.125, 0.0) });
        }
    }
    let rules = Rules { dimensions: Dimensions::Two, ..Rules::default() };
    Setup { balls, walls, rules, ..Setup::default() }
}

/// How wide the terrain of the landslide is, in meters and quads.
const SLIDE_QUADS: usize = 40;
/// How many meters it falls per meter.
const SLIDE_SLOPE: f64 = 0.5;
/// Of its marbles.
const MARBLE_RADIUS: f64 = 0.2;

/// 2,000 marbles let go at the top of [`Terrain`] on a slope, between four walls: they run down and pile up
/// at the lower one. One draw for each marble: how high above the ground it is let go, besides its layer.
pub fn landslide() -> Setup {
    let terrain = Terrain::new(SLIDE_QUADS);
    let ground = |x: f64, z: f64| terrain.surface(x, z) - SLIDE_SLOPE * x;
    let mesh = slope(&terrain);
    let mut random = Random::new(2000);
    let mut balls = Vec::with_capacity(2000);
    // Columns half a meter apart, five marbles in each.
    for column in 0..400 {
        let (x, z) = (2.0 + 0.5 * (column % 8) as f64, 7.5 + 0.5 * (column / 8) as f64);
        for layer in 0..5 {
            let height = 0.8 + 0.6 * f64::from(layer) + 0.1 * random.unit();
            let position = dvec3(x, ground(x, z) + height, z);
            balls.push(Ball { position, velocity: DVec3::ZERO, radius: MARBLE_RADIUS, mass: 0.1 });
        }
    }
    let far = SLIDE_QUADS as f64 - 1.0;
    let wall = |point: DVec3, normal: DVec3| Wall::Plane { point, normal };
    let walls = vec![
        wall(dvec3(1.0, 0.0, 0.0), DVec3::X),
        wall(dvec3(far, 0.0, 0.0), -DVec3::X),
        wall(dvec3(0.0, 0.0, 1.0), DVec3::Z),
        wall(dvec3(0.0, 0.0, far), -DVec3::Z),
    ];
    let mut obstacles = World::new();
    let mesh =
        mesh.into_mesh().expect("the vertices of a terrain are finite, and its indices those of its grid");
    obstacles.add(Body::fixed(mesh));
    let rules = Rules {
        gravity: dvec3(0.0, -9.81, 0.0),
        restitution: 0.5,
        wall_restitution: 0.3,
        rest_share: 1.0 / 64.0,
        ..Rules::default()
    };
    Setup { balls, walls, obstacles, rules, ..Setup::default() }
}

/// The terrain, tilted: each vertex lower by its share of the slope, rounded once more.
fn slope(terrain: &Terrain) -> SceneMesh {
    let mut mesh = terrain.mesh().clone();
    for vertex in &mut mesh.vertices {
        let lower = f64::from(vertex[1]) - SLIDE_SLOPE * f64::from(vertex[0]);
        vertex[1] = lower as f32;
    }
    mesh
}

/// How long the drum is played, in seconds.
pub const DRUM_SECONDS: f64 = 60.0;
/// The radius of the drum, half its length, and how far its baffles reach inward, in meters.
const DRUM: [f64; 3] = [1.0, 0.6, 0.25];
/// How many flat sides the drum has; every fourth edge carries a baffle.
const DRUM_SIDES: u32 = 24;

/// A scene with a body that is driven.
#[derive(Clone, Debug)]
pub struct DrivenScene {
    /// Balls, obstacles and rules.
    pub setup: Setup,
    /// The body.
    pub body: BodyId,
    /// How it turns about its position, in rad/s.
    pub angular: DVec3,
}

/// A closed drum with six baffles that turns about a level axis, and 500 marbles in it. Three draws for each
/// marble, its shift.
pub fn drum() -> DrivenScene {
    let [radius, half, _] = DRUM;
    let mut obstacles = World::new();
    let mesh =
        drum_mesh().into_mesh().expect("the corners of the drum are finite, and its indices their own");
    let body = obstacles.add(Body::kinematic(mesh));
    let mut random = Random::new(500);
    let mut balls = Vec::with_capacity(500);
    let marble = 0.04;
    // Layers from below the axis upward, clear of the baffles.
    'fill: for layer in 0.. {
        let y = 0.1 * f64::from(layer) - 0.4;
        for (row, column) in (0..11).flat_map(|row| (0..11).map(move |column| (row, column))) {
            let (x, z) = (0.1 * f64::from(column) - 0.5, 0.1 * f64::from(row) - 0.5);
            let shift = dvec3(random.unit(), random.unit(), random.unit()) * 0.01;
            let position = dvec3(x, y, z) + shift;
            let reach = radius - DRUM[2] - 2.0 * marble;
            if x * x + y * y > reach * reach || z.abs() > half - 2.0 * marble {
                continue;
            }
            balls.push(Ball { position, velocity: DVec3::ZERO, radius: marble, mass: 0.1 });
            if balls.len() == 500 {
                break 'fill;
            }
        }
    }
    let rules = Rules {
        gravity: dvec3(0.0, -9.81, 0.0),
        restitution: 0.5,
        wall_restitution: 0.3,
        rest_share: 1.0 / 16.0,
        ..Rules::default()
    };
    DrivenScene {
        setup: Setup { balls, obstacles, rules, ..Setup::default() },
        body,
        angular: dvec3(0.0, 0.0, 0.8),
    }
}

/// How far from the walls of the drum, which has turned by an angle, a place inside is: below 0 outside.
pub fn inside_drum(place: DVec3, angle: f64) -> f64 {
    let [radius, half, _] = DRUM;
    let side = core::f64::consts::TAU / f64::from(DRUM_SIDES);
    let flat = radius * carom::num::ops::cos(0.5 * side);
    (0..DRUM_SIDES)
        .map(|i| {
            let (sin, cos) = carom::num::ops::sin_cos(angle + side * (f64::from(i) + 0.5));
            flat - (place.x * cos + place.y * sin)
        })
        .fold(half - place.z.abs(), f64::min)
}

fn drum_mesh() -> SceneMesh {
    let [radius, half, baffle] = DRUM;
    let mut mesh = SceneMesh::default();
    let corner = |i: u32, radius: f64, z: f64| {
        let angle = core::f64::consts::TAU * f64::from(i % DRUM_SIDES) / f64::from(DRUM_SIDES);
        let (sin, cos) = carom::num::ops::sin_cos(angle);
        [radius * cos, radius * sin, z].map(|x| x as f32)
    };
    let mut add = |corners: [[f32; 3]; 3]| {
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(corners);
        mesh.triangles.push([first, first + 1, first + 2]);
    };
    for i in 0..DRUM_SIDES {
        let rim = |i: u32, z: f64| corner(i, radius, z);
        let (a, b, c, d) = (rim(i, -half), rim(i + 1, -half), rim(i + 1, half), rim(i, half));
        add([a, b, c]);
        add([a, c, d]);
        add([[0.0, 0.0, -half as f32], a, b]);
        add([[0.0, 0.0, half as f32], c, d]);
        if i.is_multiple_of(4) {
            let (e, f) = (corner(i, radius - baffle, half), corner(i, radius - baffle, -half));
            add([a, d, e]);
            add([a, e, f]);
        }
    }
    mesh
}

/// `sides` balls of radius ½ and mass 1 on a cubic lattice at this packing, in a box that comes round: they
/// melt into a gas or a fluid. Three draws for each ball, x fastest: each coordinate of the velocity is the
/// difference of two.
pub fn gas(sides: [usize; 3], packing: f64, seed: u64) -> Setup {
    let [nx, ny, nz] = sides;
    let volume = core::f64::consts::PI / 6.0 / packing;
    let mut spacing = 1.0f64;
    for _ in 0..100 {
        // Newton, for the cube root.
        spacing -= (spacing * spacing * spacing - volume) / (3.0 * spacing * spacing);
    }
    let mut random = Random::new(seed);
    let balls = (0..nx * ny * nz)
        .map(|i| {
            let place = dvec3((i % nx) as f64, (i / nx % ny) as f64, (i / nx / ny) as f64) + 0.5;
            let mut one = || random.unit() - random.unit();
            let velocity = dvec3(one(), one(), one());
            Ball { position: place * spacing, velocity, radius: 0.5, mass: 1.0 }
        })
        .collect();
    let periodic = dvec3(nx as f64, ny as f64, nz as f64) * spacing;
    Setup { balls, rules: Rules { periodic, ..Rules::default() }, ..Setup::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::balls::{BallMotion, EventKind, Table};

    #[test]
    fn the_break_spreads_the_rack_pockets_some_and_comes_to_rest_on_the_table() {
        let mut table = Table::new(pool_break()).unwrap();
        let mut pocketed = 0;
        let events = table.advance(POOL_SECONDS, |_, event| {
            pocketed += u64::from(matches!(event.kind, EventKind::Pocket { .. }));
        });
        assert!(events > 40, "{events}");
        let moved = |i: &usize| {
            (table.ball(*i).position - pool_break().balls[*i].position).length_squared() > 0.1 * 0.1
        };
        let spread = (1..16).filter(moved).count();
        assert!(spread >= 8, "{spread} of the rack went farther than 10 cm");
        for i in 0..16 {
            let ball = table.ball(i);
            assert!(matches!(ball.motion, BallMotion::Resting | BallMotion::Pocketed), "{i}: {ball:?}");
            let p = ball.position;
            assert!(
                ball.motion == BallMotion::Pocketed
                    || ((0.0..=TABLE[0]).contains(&p.x) && (0.0..=TABLE[1]).contains(&p.y)),
                "{i} left the table: {p}"
            );
        }
        println!("{events} events, {pocketed} pocketed");
    }

    #[test]
    fn no_ball_leaves_the_table_past_a_pocket() {
        // Many times as many strokes as a break has, from everywhere to everywhere.
        let mut random = Random::scattered(7);
        for _ in 0..300 {
            let mut setup = pool_break();
            setup.rules.cloth = None;
            setup.rules.wall_restitution = 1.0;
            setup.balls.truncate(1);
            let [length, width] = TABLE;
            setup.balls[0].position =
                dvec3(random.between(0.1, length - 0.1), random.between(0.1, width - 0.1), 0.0);
            let (sin, cos) = carom::num::ops::sin_cos(random.between(0.0, core::f64::consts::TAU));
            setup.balls[0].velocity = dvec3(cos, sin, 0.0);
            let mut table = Table::new(setup).unwrap();
            table.advance(1000.0, |_, _| ());
            let ball = table.ball(0);
            assert!(
                ball.motion == BallMotion::Pocketed
                    || ((0.0..=length).contains(&ball.position.x)
                        && (0.0..=width).contains(&ball.position.y)),
                "{ball:?}"
            );
        }
    }

    #[test]
    fn as_many_balls_go_on_from_a_cradle_as_came() {
        let mut table = Table::new(newton()).unwrap();
        let energy = table.energy();
        table.advance(0.9, |_, _| ());
        for moving in 1..=3usize {
            let speeds: Vec<f64> = (0..7).map(|i| table.ball(7 * (moving - 1) + i).velocity.x).collect();
            let wanted: Vec<f64> = (0..7).map(|i| if i >= 7 - moving { 1.0 } else { 0.0 }).collect();
            assert_eq!(speeds, wanted);
        }
        table.advance(NEWTON_SECONDS, |_, _| ());
        assert_eq!(table.energy(), energy);
    }

    #[test]
    fn the_drum_keeps_all_its_marbles() {
        keeps_all_marbles(2.0);
    }

    #[test]
    #[ignore = "a minute of the drum takes about one"]
    fn the_drum_keeps_all_its_marbles_for_a_minute() {
        keeps_all_marbles(DRUM_SECONDS);
    }

    fn keeps_all_marbles(seconds: f64) {
        let DrivenScene { setup, body, angular } = drum();
        assert_eq!(setup.balls.len(), 500);
        let mut table = Table::new(setup).unwrap();
        assert!(table.drive(body, DVec3::ZERO, angular));
        let (mut events, mut crushed) = (0, 0);
        for tick in 1..=(seconds * 10.0) as u32 {
            events += table.advance(f64::from(tick) * 0.1 - table.time(), |_, event| {
                crushed += u32::from(matches!(event.kind, EventKind::Crushed { .. }));
            });
            for i in 0..500 {
                let inside = inside_drum(table.ball(i).position, angular.z * table.time());
                // Corners are rounded to f32.
                assert!(inside > table.radius(i) - 1e-6, "{i} is {inside} inside at {}", table.time());
            }
        }
        println!("{events} events, {crushed} crushed");
        assert_eq!(crushed, 0);
    }

    #[test]
    fn the_landslide_is_set_up_without_overlaps_and_above_its_ground() {
        let setup = landslide();
        assert_eq!(setup.balls.len(), 2000);
        let mut table = Table::new(setup).unwrap();
        assert!(table.advance(0.5, |_, _| ()) > 0);
    }
}
