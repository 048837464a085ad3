//! Tables drawn at random, six kinds of them.

use carom::balls::{Ball, Cloth, Dimensions, Rules, Setup, Wall};
use carom::num::ops::{rotation_about, sqrt};
use carom::world::{Body, BodyId, Layers, Pose, World};
use carom::{Cuboid, Sphere};
use glam::{DVec3, dvec3};

use crate::workload::Terrain;
use crate::{Random, balls};

/// Balls begin this far apart, and this far from everything else, in meters.
const APART: f64 = 1e-6;

/// A table, and what the player and the judge must know about it.
pub(super) struct Drawn {
    pub(super) setup: Setup,
    pub(super) name: String,
    /// The body that is driven.
    pub(super) driven: Option<BodyId>,
    /// How far from the origin the middle of the driven body goes, in meters.
    pub(super) range: f64,
    /// How fast it turns at most, in rad/s.
    pub(super) spin: f64,
    /// Circles, not spheres.
    pub(super) is_flat: bool,
    /// Nothing takes energy away.
    pub(super) is_elastic: bool,
    /// The greatest speed of a struck ball, in m/s.
    pub(super) fastest: f64,
}

/// One of the six kinds.
pub(super) fn table(random: &mut Random) -> Drawn {
    match random.below(6) {
        0 => gas(random),
        1 => cloth(random),
        2 => arcs(random),
        3 => room(random),
        4 => hills(random),
        _ => driven(random),
    }
}

fn of<T: Copy>(random: &mut Random, values: &[T]) -> T {
    values[random.below(values.len())]
}

/// Balls of radii around `radius` in a box about the origin, where they overlap nothing. Masses as their
/// volumes, some of them `spread` times as large or as small.
struct Filling<'a> {
    half: DVec3,
    radius: f64,
    wanted: usize,
    fastest: f64,
    spread: f64,
    /// Periodic sides, 0 for open ones; the box begins at the origin then.
    periodic: DVec3,
    is_free: &'a dyn Fn(DVec3, f64) -> bool,
}

impl Filling<'_> {
    fn fill(&self, random: &mut Random) -> Vec<Ball> {
        let mut balls: Vec<Ball> = Vec::new();
        let has_periods = self.periodic.cmpgt(DVec3::ZERO);
        for _ in 0..20 * self.wanted {
            if balls.len() == self.wanted {
                break;
            }
            let radius = self.radius * of(random, &[1.0, 1.0, 0.5, 1.7]);
            let unit = dvec3(random.unit(), random.unit(), random.unit());
            let inside = (2.0 * unit - 1.0) * (self.half - radius - APART).max(DVec3::ZERO);
            let position = DVec3::select(has_periods, unit * self.periodic, inside);
            let flat = self.half.cmpgt(DVec3::ZERO);
            let velocity = random.direction() * random.between(0.0, self.fastest);
            let mass = radius * radius * radius * of(random, &[1.0, 1.0, 1.0 / self.spread, self.spread]);
            let velocity = DVec3::select(flat, velocity, DVec3::ZERO);
            let apart = |ball: &Ball| {
                let mut way = ball.position - position;
                let turns = (way / self.periodic).round() * self.periodic;
                way -= DVec3::select(has_periods, turns, DVec3::ZERO);
                way.length() > ball.radius + radius + APART
            };
            if (self.is_free)(position, radius + APART) && balls.iter().all(apart) {
                balls.push(Ball { position, velocity, radius, mass });
            }
        }
        balls
    }
}

/// Balls in a box or a square whose sides come round, without loss half of the time.
fn gas(random: &mut Random) -> Drawn {
    let is_flat = random.below(3) == 0;
    let sides = dvec3(random.between(6.0, 9.0), random.between(6.0, 9.0), random.between(6.0, 9.0));
    let periodic = if is_flat { dvec3(sides.x, sides.y, 0.0) } else { sides };
    let restitution = of(random, &[1.0, 1.0, 1.0, 0.99, 0.9, 0.6]);
    let radius = of(random, &[0.1, 0.25, 0.4]);
    let wanted = of(random, &[10, 50, 150, 300]);
    let spread = of(random, &[1.0, 10.0, 1e3]);
    let balls =
        Filling { half: periodic, radius, wanted, fastest: 2.0, spread, periodic, is_free: &|_, _| true }
            .fill(random);
    let dimensions = if is_flat { Dimensions::Two } else { Dimensions::Three };
    let rules =
        Rules { dimensions, restitution, wall_restitution: restitution, periodic, ..Rules::default() };
    Drawn {
        name: format!("gas of {} in {sides}, restitution {restitution}", balls.len()),
        setup: Setup { balls, rules, ..Setup::default() },
        driven: None,
        range: 0.0,
        spin: 0.0,
        is_flat,
        is_elastic: restitution == 1.0,
        fastest: 4.0,
    }
}

/// The cushions and pockets of a pool table, and balls anywhere.
fn cloth(random: &mut Random) -> Drawn {
    let Setup { walls, pockets, .. } = balls::pool_break();
    let [length, width] = balls::TABLE;
    let middle = dvec3(0.5 * length, 0.5 * width, 0.0);
    let radius = of(random, &[0.02, balls::POOL_RADIUS, 0.04]);
    let wanted = of(random, &[2, 8, 16, 40]);
    let half = dvec3(middle.x - 0.1, middle.y - 0.1, 0.0);
    let mut balls = Filling {
        half,
        radius,
        wanted,
        fastest: 6.0,
        spread: of(random, &[1.0, 1.0, 10.0]),
        periodic: DVec3::ZERO,
        is_free: &|_, _| true,
    }
    .fill(random);
    balls.iter_mut().for_each(|ball| ball.position += middle);
    let cloth = Cloth {
        sliding: random.between(0.02, 0.5),
        rolling: random.between(0.002, 0.05),
        weight: random.between(1.0, 20.0),
    };
    let rules = Rules {
        dimensions: Dimensions::Two,
        restitution: of(random, &[1.0, 0.95, 0.7]),
        wall_restitution: of(random, &[1.0, 0.8, 0.3]),
        cloth: Some(cloth),
        ..Rules::default()
    };
    Drawn {
        name: format!("{} on cloth", balls.len()),
        setup: Setup { balls, walls, pockets, rules, ..Setup::default() },
        driven: None,
        range: 0.0,
        spin: 0.0,
        is_flat: true,
        is_elastic: false,
        fastest: 9.0,
    }
}

/// Circles in a circle, among pieces of circles and segments, with and without gravity.
fn arcs(random: &mut Random) -> Drawn {
    const AROUND: f64 = 3.0;
    let mut walls = vec![Wall::Arc { center: DVec3::ZERO, radius: AROUND, from: 0.0, to: 7.0 }];
    for _ in 0..random.below(6) {
        let center = dvec3(random.between(-2.0, 2.0), random.between(-2.0, 2.0), 0.0);
        walls.push(if random.below(2) == 0 {
            let from = random.between(-3.0, 3.0);
            let to = from + random.between(0.1, 7.0);
            Wall::Arc { center, radius: random.between(0.1, 1.0), from, to }
        } else {
            let along = random.heading() * random.between(0.1, 1.0);
            Wall::Segment { a: center, b: center + dvec3(along.x, along.z, 0.0) }
        });
    }
    let restitution = of(random, &[1.0, 1.0, 0.9, 0.5]);
    let wall_restitution = of(random, &[restitution, 1.0, 0.4]);
    let pull = of(random, &[0.0, 0.0, 1.0, 9.81]);
    let gravity = random.heading() * pull;
    let rules = Rules {
        dimensions: Dimensions::Two,
        gravity: dvec3(gravity.x, gravity.z, 0.0),
        restitution,
        wall_restitution,
        ..Rules::default()
    };
    let is_free =
        |place: DVec3, radius: f64| walls.iter().all(|wall| super::judge::gap(wall, place) > radius);
    let balls = Filling {
        half: dvec3(AROUND, AROUND, 0.0),
        radius: of(random, &[0.05, 0.1, 0.2]),
        wanted: of(random, &[1, 6, 25, 60]),
        fastest: 3.0,
        spread: of(random, &[1.0, 10.0, 1e3]),
        periodic: DVec3::ZERO,
        is_free: &|place, radius| place.length() < AROUND - radius && is_free(place, radius),
    }
    .fill(random);
    Drawn {
        name: format!("{} among {} arcs and segments, gravity {pull}", balls.len(), walls.len()),
        setup: Setup { balls, walls, rules, ..Setup::default() },
        driven: None,
        range: 0.0,
        spin: 0.0,
        is_flat: true,
        is_elastic: restitution == 1.0 && wall_restitution == 1.0,
        fastest: 3.0,
    }
}

/// Six walls.
fn walls_around(half: DVec3) -> Vec<Wall> {
    DVec3::AXES
        .into_iter()
        .flat_map(|axis| [axis, -axis])
        .map(|normal| Wall::Plane { point: -normal * half, normal })
        .collect()
}

/// Whether a ball is in none of the bodies.
fn is_clear(world: &World, place: DVec3, radius: f64) -> bool {
    let ball = Sphere::new(radius).expect("a radius is positive");
    world.overlaps(ball, place, Layers::ALL).is_ok_and(|found| found.is_empty())
}

/// A room with bodies at rest, and gravity in any direction.
fn room(random: &mut Random) -> Drawn {
    let half = dvec3(2.0, 1.5, 1.2);
    let mut world = World::new();
    for _ in 0..random.below(5) {
        let size = dvec3(random.between(0.05, 0.6), random.between(0.05, 0.6), random.between(0.05, 0.6));
        let turn = random.rotation();
        let place = (dvec3(random.unit(), random.unit(), random.unit()) * 2.0 - 1.0) * half;
        let pose = Pose::from((place, if random.below(3) == 0 { glam::DQuat::IDENTITY } else { turn }));
        let body = if random.below(3) == 0 {
            Body::fixed(Sphere::new(size.x).expect("a radius is positive"))
        } else {
            Body::fixed(Cuboid::new(size).expect("sizes are positive"))
        };
        world.add(body.at(pose));
    }
    let restitution = of(random, &[0.0, 0.3, 0.6, 0.9, 1.0]);
    let wall_restitution = of(random, &[restitution, 0.0, 0.5, 1.0]);
    let gravity = random.direction() * of(random, &[0.0, 1.0, 9.81]);
    let balls = Filling {
        half,
        radius: of(random, &[0.05, 0.1, 0.2]),
        wanted: of(random, &[1, 5, 20, 60]),
        fastest: 3.0,
        spread: of(random, &[1.0, 10.0, 1e3]),
        periodic: DVec3::ZERO,
        is_free: &|place, radius| is_clear(&world, place, radius),
    }
    .fill(random);
    let rules = Rules { gravity, restitution, wall_restitution, ..Rules::default() };
    Drawn {
        name: format!(
            "{} in a room of {} bodies, restitution {restitution} and {wall_restitution}, gravity {gravity}",
            balls.len(),
            world.bodies().count()
        ),
        setup: Setup { balls, walls: walls_around(half), obstacles: world, rules, ..Setup::default() },
        driven: None,
        range: 0.0,
        spin: 0.0,
        is_flat: false,
        is_elastic: restitution == 1.0 && wall_restitution == 1.0,
        fastest: 3.0,
    }
}

/// Marbles let go over a terrain between four walls.
fn hills(random: &mut Random) -> Drawn {
    const QUADS: usize = 12;
    let terrain = Terrain::new(QUADS);
    let mesh = terrain.mesh().clone().into_mesh().expect("the vertices of a terrain are finite");
    let mut world = World::new();
    world.add(Body::fixed(mesh));
    let far = QUADS as f64 - 1.0;
    let wall = |point: DVec3, normal: DVec3| Wall::Plane { point, normal };
    let walls = vec![
        wall(DVec3::ONE, DVec3::X),
        wall(DVec3::splat(far), DVec3::NEG_X),
        wall(DVec3::ONE, DVec3::Z),
        wall(DVec3::splat(far), DVec3::NEG_Z),
    ];
    let middle = dvec3(0.5 * QUADS as f64, 0.0, 0.5 * QUADS as f64);
    let highest = terrain.mesh().vertices.iter().map(|vertex| f64::from(vertex[1])).fold(f64::MIN, f64::max);
    let lift = middle + DVec3::Y * (highest + 3.0);
    let radius = of(random, &[0.1, 0.2, 0.35]);
    let mut balls = Filling {
        half: dvec3(middle.x - 1.0, 2.0, middle.z - 1.0),
        radius,
        wanted: of(random, &[1, 10, 40, 120]),
        fastest: 2.0,
        spread: of(random, &[1.0, 1.0, 10.0]),
        periodic: DVec3::ZERO,
        is_free: &|_, _| true,
    }
    .fill(random);
    balls.iter_mut().for_each(|ball| ball.position += lift);
    let (restitution, wall_restitution) = (of(random, &[0.3, 0.5, 0.8]), of(random, &[0.1, 0.3, 0.7]));
    let rules = Rules {
        gravity: dvec3(random.between(-1.0, 1.0), -9.81, random.between(-1.0, 1.0)),
        restitution,
        wall_restitution,
        rest_share: of(random, &[1.0 / 1024.0, 1.0 / 64.0]),
        ..Rules::default()
    };
    Drawn {
        name: format!("{} marbles of {radius} on hills, {restitution} and {wall_restitution}", balls.len()),
        setup: Setup { balls, walls, obstacles: world, rules, ..Setup::default() },
        driven: None,
        range: 0.0,
        spin: 0.0,
        is_flat: false,
        is_elastic: false,
        fastest: 5.0,
    }
}

/// A body that is driven about in a room: half of the time so that there is room for a ball between it and
/// the walls, else up to them, so that it crushes.
fn driven(random: &mut Random) -> Drawn {
    const HALF: f64 = 2.0;
    /// Half of the longest side.
    const LONGEST: f64 = 0.5;
    let mut world = World::new();
    let mut side = || random.between(0.1, LONGEST);
    let size = dvec3(side(), side(), side());
    let spin = of(random, &[0.0, 4.0]);
    let turn = rotation_about(random.direction(), random.between(0.0, spin));
    let pose = Pose::from((DVec3::ZERO, turn));
    let body = match random.below(3) {
        0 => Body::kinematic(Sphere::new(size.x).expect("a radius is positive")),
        _ => Body::kinematic(Cuboid::new(size).expect("sizes are positive")),
    };
    let body = world.add(body.at(pose));
    let radius = of(random, &[0.05, 0.1, 0.15]);
    let restitution = of(random, &[0.0, 0.3, 0.9, 1.0]);
    let gravity = random.direction() * of(random, &[0.0, 0.0, 1.0, 9.81]);
    let balls = Filling {
        half: DVec3::splat(HALF),
        radius,
        wanted: of(random, &[1, 5, 20, 60]),
        fastest: 1.0,
        spread: of(random, &[1.0, 10.0]),
        periodic: DVec3::ZERO,
        is_free: &|place, radius| is_clear(&world, place, radius),
    }
    .fill(random);
    let rules = Rules { gravity, restitution, wall_restitution: restitution, ..Rules::default() };
    Drawn {
        name: format!("{} of {radius} beside a driven body, {restitution}, gravity {gravity}", balls.len()),
        setup: Setup {
            balls,
            walls: walls_around(DVec3::splat(HALF)),
            obstacles: world,
            rules,
            ..Setup::default()
        },
        driven: Some(body),
        range: of(random, &[HALF - sqrt(3.0) * LONGEST - 3.4 * radius, HALF]),
        spin,
        is_flat: false,
        is_elastic: false,
        fastest: 2.0,
    }
}
