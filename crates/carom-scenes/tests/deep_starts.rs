//! Deep starts: from any start a hero ends where it fits, by a way of at most twice the least one, without
//! getting through anything. The judge knows nothing of the crate's contacts: overlaps are in closed form,
//! and the least way is searched for in all directions.

use carom::character::{Character, Input, Outcome, Settings};
use carom::num::ops;
use carom::world::{Body, Pose, World};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom_scenes::machines::overlap::{Solid, depth};
use carom_scenes::{MeshBuilder, Random};
use glam::{DQuat, DVec3, dvec3};

const DT: f64 = 1.0 / 60.0;

/// A box that stays where it is: a solid, or twelve triangles.
#[derive(Clone, Copy, Debug)]
struct Block {
    half: DVec3,
    at: DVec3,
    rotation: DQuat,
    is_mesh: bool,
}

impl Block {
    fn new(half: DVec3, at: DVec3, rotation: DQuat) -> Self {
        Self { half, at, rotation, is_mesh: false }
    }

    fn body(&self) -> Body {
        let pose = Pose::at(self.at).and_then(|pose| pose.with_rotation(self.rotation)).expect("is a pose");
        if self.is_mesh {
            let mesh = MeshBuilder::cuboid(self.half).rounded();
            return Body::fixed(mesh.into_mesh().expect("twelve triangles")).at(pose);
        }
        Body::fixed(Cuboid::new(self.half).expect("is above 0")).at(pose)
    }

    fn holds(&self, point: DVec3) -> bool {
        let seen = self.rotation.conjugate() * (point - self.at);
        (self.half - seen.abs()).min_element() > 1e-9
    }
}

fn deepest(shape: &Mover, at: DVec3, blocks: &[Block]) -> f64 {
    blocks
        .iter()
        .map(|block| depth(shape, at, Solid::Box(block.half), block.at, block.rotation))
        .fold(0.0, f64::max)
}

fn is_free(shape: &Mover, at: DVec3, blocks: &[Block]) -> bool {
    blocks.iter().all(|block| depth(shape, at, Solid::Box(block.half), block.at, block.rotation) <= 1e-9)
}

/// Directions spread evenly over a sphere.
fn directions(count: u32) -> impl Iterator<Item = DVec3> {
    (0..count).map(move |i| {
        let y = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(count);
        let (sin, cos) = ops::sin_cos(f64::from(i) * 2.399_963_229_728_653);
        let radius = ops::sqrt(1.0 - y * y);
        dvec3(radius * cos, y, radius * sin)
    })
}

/// How far it is to the nearest place where a shape fits and to which its center gets through nothing, found
/// by trying everything: never less than the least way, and little more.
fn least_way(shape: &Mover, from: DVec3, blocks: &[Block], far: f64) -> Option<f64> {
    const STEPS: u32 = 48;
    let inside: Vec<bool> = blocks.iter().map(|block| block.holds(from)).collect();
    let mut best: Option<f64> = None;
    let axes =
        blocks.iter().flat_map(|block| [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| block.rotation * axis));
    for direction in axes.flat_map(|axis| [axis, -axis]).chain(directions(500)) {
        let most = best.unwrap_or(far);
        let mut here = 0.0;
        for step in 1..=STEPS {
            let next = most * f64::from(step) / f64::from(STEPS);
            let at = from + direction * next;
            // Into what its center was not in it does not go.
            if blocks.iter().zip(&inside).any(|(block, was)| !was && block.holds(at)) {
                break;
            }
            if is_free(shape, at, blocks) {
                let (mut low, mut high) = (here, next);
                for _ in 0..20 {
                    let middle = 0.5 * (low + high);
                    if is_free(shape, from + direction * middle, blocks) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                best = Some(best.map_or(high, |best| best.min(high)));
                break;
            }
            here = next;
        }
    }
    best
}

fn shapes() -> [Mover; 5] {
    [
        Sphere::new(0.4).expect("is above 0").into(),
        Capsule::new(0.3, 0.6).expect("is above 0").into(),
        Ellipsoid::new(dvec3(0.3, 0.9, 0.4)).expect("is above 0").into(),
        Cuboid::new(dvec3(0.3, 0.9, 0.3)).expect("is above 0").into(),
        Capsule::new(0.25, 0.5)
            .and_then(|shape| shape.with_rotation(ops::rotation_about(DVec3::X, 0.5 * core::f64::consts::PI)))
            .expect("is above 0")
            .into(),
    ]
}

/// A floor of two triangles.
fn sheet(world: &mut World, half: f64) {
    let corner = |x: f64, z: f64| dvec3(x * half, 0.0, z * half);
    let quad = [corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
    let mesh = MeshBuilder::quad(quad).rounded().into_mesh().expect("two triangles");
    world.add(Body::fixed(mesh));
}

/// Four kinds of floor, whose top is at 0.
fn floor(kind: usize) -> World {
    let mut world = World::new();
    match kind {
        0 => {
            world.add(Block::new(dvec3(20.0, 2.0, 20.0), DVec3::NEG_Y * 2.0, DQuat::IDENTITY).body());
        }
        1 => sheet(&mut world, 16.0),
        2 => {
            let mesh = MeshBuilder::cuboid(dvec3(16.0, 2.0, 16.0)).moved(DVec3::NEG_Y * 2.0).rounded();
            world.add(Body::fixed(mesh.into_mesh().expect("twelve triangles")));
        }
        _ => {
            let mesh =
                MeshBuilder::grid(dvec3(-8.0, 0.0, -8.0), [DVec3::Z * 16.0, DVec3::X * 16.0], [16, 16])
                    .rounded();
            world.add(Body::fixed(mesh.into_mesh().expect("has triangles")));
        }
    }
    world
}

#[test]
fn of_520_starts_in_floors_all_end_on_top() {
    let mut random = Random::scattered(520);
    let (mut starts, mut faults) = (0, Vec::new());
    for kind in 0..4 {
        let world = floor(kind);
        for shape in shapes() {
            let tall = shape.bounds().half_extents().y;
            for start in 0..26 {
                // From all but on the floor to its center all but in it.
                let height = tall * (1.0 - (f64::from(start) + 0.5) / 26.0);
                let at = dvec3(random.between(-4.0, 4.0), height, random.between(-4.0, 4.0));
                // Across the diagonal, and just beside it.
                let at = if start % 4 == 0 { dvec3(at.x, at.y, at.x + 0.05 * at.z) } else { at };
                let mut hero = Character::new(shape, Settings::default())
                    .and_then(|hero| hero.at(at))
                    .expect("is finite");
                let first = hero.step(&world, Input::IDLE, DT);
                for _ in 0..59 {
                    hero.step(&world, Input::IDLE, DT);
                }
                let end = hero.position();
                starts += 1;
                let aside = (dvec3(end.x, 0.0, end.z) - dvec3(at.x, 0.0, at.z)).length();
                let first_way = (first.position - at).length();
                let is_on_top = (end.y - tall).abs() < 3e-3 && hero.ground().is_some();
                if !is_on_top || aside > 3e-3 || first_way > (tall - height) + 3e-3 {
                    faults.push(format!(
                        "floor {kind} {shape:?} from {at}: ends at {end}, first {first_way:.3}, {:?}",
                        first.outcome
                    ));
                }
            }
        }
    }
    assert_eq!(starts, 520);
    assert!(faults.is_empty(), "{} of {starts}\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn of_a_thin_floor_the_side_of_the_center_counts_and_between_two_against_gravity() {
    for thickness in [0.0, 0.02, 0.1, 0.2] {
        for shape in shapes() {
            for offset in [-0.2, -0.05, -0.01, 0.0, 0.01, 0.05, 0.2] {
                for gravity in [DVec3::NEG_Y, DVec3::Y] {
                    let mut world = World::new();
                    if thickness == 0.0 {
                        sheet(&mut world, 16.0);
                    } else {
                        let half = dvec3(20.0, 0.5 * thickness, 20.0);
                        world.add(Block::new(half, DVec3::ZERO, DQuat::IDENTITY).body());
                    }
                    let at = dvec3(0.3, offset, -1.1);
                    let settings = Settings { up: -gravity, gravity: gravity * 9.81, ..Settings::default() };
                    let mut hero =
                        Character::new(shape, settings).and_then(|hero| hero.at(at)).expect("is finite");
                    let report = hero.step(&world, Input::IDLE, DT);
                    let tall = shape.bounds().half_extents().y;
                    let is_above = if offset == 0.0 { gravity.y < 0.0 } else { offset > 0.0 };
                    let side = if is_above { 1.0 } else { -1.0 };
                    let stands = side * (0.5 * thickness + tall);
                    let end = hero.position();
                    // A hero that was freed on the lower side has fallen a little already.
                    let gap = side * (end.y - stands);
                    assert!(
                        (-1e-9..0.02).contains(&gap) && (end - at).with_y(0.0).length() < 1e-3,
                        "{thickness} {shape:?} at {offset}, gravity {gravity}: {end}, {report:?}"
                    );
                }
            }
        }
    }
}

/// Steps a hero without gravity from a start, and says what is wrong with where it ends and how it gets
/// there.
fn judge(shape: Mover, at: DVec3, blocks: &[Block]) -> (bool, Vec<String>) {
    let mut world = World::new();
    for block in blocks {
        world.add(block.body());
    }
    let settings = Settings { gravity: DVec3::ZERO, ..Settings::default() };
    let mut hero = Character::new(shape, settings).and_then(|hero| hero.at(at)).expect("is finite");
    let skin = hero.skin();
    let far = 4.0 * shape.bounds().half_extents().max_element();
    let grown = shape.grown(skin).expect("is larger");
    let Some(least) = least_way(&grown, at, blocks, far) else { return (false, Vec::new()) };
    let mut faults = Vec::new();
    for tick in 0..60 {
        let from = hero.position();
        let report = hero.step(&world, Input::IDLE, DT);
        let to = report.position;
        let deep = deepest(&shape, to, blocks);
        let is_reported = report.crushed() || matches!(report.outcome, Outcome::Crushed | Outcome::Recovered);
        if deep > 1e-8 && !is_reported {
            faults.push(format!("tick {tick}: inside by {deep:.1e}, {:?}", report.outcome));
        }
        let went = (to - from).length();
        if went > 2.0 * least + 3.0 * skin {
            faults.push(format!("tick {tick}: went {went:.3}, the least way is {least:.3}"));
        }
    }
    let end = hero.position();
    if deepest(&shape, end, blocks) > 1e-8 {
        faults.push(format!("not free after a second, the least way is {least:.3}"));
    }
    let through = blocks.iter().any(|block| {
        !block.holds(at) && (0..=400).any(|i| block.holds(at + (end - at) * (f64::from(i) / 400.0)))
    });
    if through && (end - at).length() > 2.0 * least {
        faults.push(format!("through, to {end}"));
    }
    let named =
        faults.into_iter().take(2).map(|fault| format!("{shape:?} at {at} among {blocks:?}: {fault}"));
    (least > skin, named.collect())
}

#[test]
fn out_of_a_wedge_over_a_box_nobody_leaps() {
    // As in Jolt's TestInitiallyIntersecting2.
    let slope = 75.0f64.to_radians();
    for shape in shapes() {
        for (x, y) in [(0.0, 1.0), (0.1, 1.0), (0.0, 0.7), (0.3, 1.2), (-0.2, 1.5), (0.0, 0.3)] {
            let tilted = |angle: f64| ops::rotation_about(DVec3::Z, angle);
            let blocks = [
                Block::new(dvec3(2.0, 0.05, 2.0), dvec3(-0.5, 1.0, 0.0), tilted(-slope)),
                Block::new(dvec3(2.0, 0.05, 2.0), dvec3(0.5, 1.0, 0.0), tilted(slope)),
                Block::new(dvec3(5.0, 0.5, 5.0), dvec3(0.0, -0.5, 0.0), DQuat::IDENTITY),
            ];
            let (_, faults) = judge(shape, dvec3(x, y, 0.0), &blocks);
            assert!(faults.is_empty(), "{}", faults.join("\n"));
        }
    }
}

#[test]
fn out_of_a_solid_of_triangles_that_has_no_room_it_leaves_by_the_nearest_way() {
    let mut faults = Vec::new();
    for seed in 0..150 {
        let mut random = Random::scattered(seed);
        let shape = shapes()[random.below(5)];
        // Lengths that f32 has, and one of them too short for any of the shapes.
        let mut half = [0.0; 3].map(|_: f64| f64::from(random.between(0.2, 2.0) as f32));
        half[random.below(3)] = f64::from(random.between(0.03, 0.2) as f32);
        let half = DVec3::from(half);
        let rotation = if random.below(2) == 0 { random.rotation() } else { DQuat::IDENTITY };
        let inside =
            DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let block = Block { is_mesh: true, ..Block::new(half, DVec3::ZERO, rotation) };
        let (is_deep, found) = judge(shape, rotation * (inside * half * 0.98), &[block]);
        assert!(is_deep);
        faults.extend(found.into_iter().map(|fault| format!("seed {seed}: {fault}")));
    }
    assert!(faults.is_empty(), "{}\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn out_of_a_room_that_is_too_low_nobody_is_put_through_its_walls() {
    for shape in shapes() {
        let half = dvec3(6.0, 0.125, 6.0);
        let corner = |i: u32| [1, 2, 4].map(|bit| i & bit != 0);
        let vertices = (0..8).map(|i| {
            let [x, y, z] = corner(i);
            let side = |is_far: bool, half: f64| (if is_far { half } else { -half }) as f32;
            [side(x, half.x), side(y, half.y), side(z, half.z)]
        });
        // As seen from inside.
        let sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let mesh = carom::Mesh::from_triangles(vertices.collect(), triangles).expect("a room");
        assert!(mesh.normal(4).expect("has area").y > 0.0, "its floor looks up");
        let mut world = World::new();
        world.add(Body::fixed(mesh));
        let at = dvec3(0.4, 0.02, -0.3);
        let mut hero =
            Character::new(shape, Settings::default()).and_then(|hero| hero.at(at)).expect("is finite");
        for _ in 0..60 {
            let report = hero.step(&world, Input::IDLE, DT);
            assert!(report.crushed() && hero.position() == at, "{shape:?}: {report:?}");
        }
    }
}

fn hunt(seeds: core::ops::Range<u64>) {
    let (mut judged, mut faults) = (0u32, Vec::new());
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let mut random = Random::scattered(seed);
        let shape = shapes()[random.below(5)];
        let blocks: Vec<Block> = (0..1 + random.below(3))
            .map(|_| {
                let half = match random.below(3) {
                    0 => DVec3::splat(random.between(0.2, 1.5)),
                    1 => dvec3(random.between(0.5, 3.0), random.between(0.02, 0.3), random.between(0.5, 3.0)),
                    _ => dvec3(random.between(0.1, 2.0), random.between(0.1, 2.0), random.between(0.1, 2.0)),
                };
                let turn = if random.below(2) == 0 { random.rotation() } else { DQuat::IDENTITY };
                Block::new(half, random.direction() * random.between(0.0, 1.5), turn)
            })
            .collect();
        let at = random.direction() * random.between(0.0, 0.8);
        let (is_deep, found) = judge(shape, at, &blocks);
        judged += u32::from(is_deep);
        faults.extend(found.into_iter().map(|fault| format!("seed {seed}: {fault}")));
    }
    println!("{judged} of {count} started in something, {} faults", faults.len());
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.iter().take(20).cloned().collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn from_any_start_it_is_freed_by_at_most_twice_the_least_way() {
    hunt(0..120);
}

#[test]
#[ignore = "a soak: minutes"]
fn from_any_start_of_many() {
    hunt(1_000..2_000);
}
