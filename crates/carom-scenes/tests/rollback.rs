//! Rollback in play: a game goes back some ticks, plays them again with the same inputs, and gets the same
//! bits. Heroes in a crowd, doors that turn, lifts, crates that are pushed, sensors and balls.
//!
//! Every second time the world itself is a copy, else the bodies are put back where they were in the world
//! that went on: its index has another history then, and the answers must not show it.

use carom::balls::{Ball, BallState, Rules, Setup, Table};
use carom::character::{Character, Crowd, CrowdInput, Input, Report, Settings};
use carom::pushed::{PushedBodies, PushedState};
use carom::sensor::{SensorEvent, Sensors, TickPath};
use carom::world::{BodyId, Pose};
use carom::{Body, Capsule, Cuboid, Ellipsoid, Mover, Sphere, World};
use carom_scenes::{MeshBuilder, Random};
use glam::{DQuat, DVec3, dvec3};

/// Snapshots that a game keeps.
const KEPT: usize = 16;

/// A moving body, and its velocities as functions of the tick.
#[derive(Clone, Copy)]
struct Machine {
    body: BodyId,
    linear: DVec3,
    angular: DVec3,
    period: u64,
}

#[derive(Clone)]
struct Game {
    world: World,
    machines: Vec<Machine>,
    heroes: Vec<Character>,
    pushed: PushedBodies,
    sensors: Sensors,
    table: Table,
    dt: f64,
    tick: u64,
}

/// All that a tick came to.
#[derive(Clone, Debug, PartialEq)]
struct Outcome {
    heroes: Vec<Character>,
    reports: Vec<Report>,
    poses: Vec<Pose>,
    crates: PushedState,
    events: Vec<SensorEvent>,
    balls: Vec<BallState>,
}

/// The inputs of the players in a tick.
struct Inputs {
    heroes: Vec<Input>,
    /// A ball that is struck, and its new velocity.
    strike: Option<(usize, DVec3)>,
}

/// A state to go back to: the game, and the ticks that followed.
struct Snapshot {
    game: Game,
    inputs: Inputs,
    outcome: Outcome,
}

fn cuboid(half: DVec3) -> Cuboid {
    Cuboid::new(half).expect("lengths are above 0")
}

impl Game {
    fn new(random: &mut Random) -> Self {
        let mut world = World::new();
        world.add(Body::fixed(cuboid(dvec3(12.0, 1.0, 12.0))).at(dvec3(0.0, -1.0, 0.0)));
        let hill = MeshBuilder::cuboid(dvec3(2.0, 1.0, 2.0))
            .posed(DQuat::from_xyzw(0.0, 0.0, 0.25, 1.0).normalize(), dvec3(-5.0, -0.4, 3.0));
        world.add(Body::fixed(hill.rounded().into_mesh().expect("twelve triangles")));
        world.add(Body::fixed(cuboid(DVec3::splat(1.5))).at(dvec3(3.0, 1.0, -3.0)).sensor());
        let machines = (0..2 + random.below(4))
            .map(|number| {
                let half =
                    dvec3(random.between(0.3, 1.5), random.between(0.1, 1.0), random.between(0.1, 1.5));
                let at = random.heading() * random.between(1.0, 5.0) + DVec3::Y * (half.y + 0.01);
                let is_lift = number % 2 == 0;
                Machine {
                    body: world.add(Body::kinematic(cuboid(half)).at(at)),
                    linear: if is_lift { DVec3::Y * random.between(0.2, 2.0) } else { DVec3::ZERO },
                    angular: if is_lift { DVec3::ZERO } else { DVec3::Y * random.between(-3.0, 3.0) },
                    period: 20 + random.below(60) as u64,
                }
            })
            .collect();
        let mut pushed = PushedBodies::new(dvec3(0.0, -9.81, 0.0))
            .expect("is finite")
            .with_friction(0.4)
            .expect("is above 0");
        for number in 0..1 + random.below(4) {
            let body =
                Body::dynamic(cuboid(DVec3::splat(0.3)), random.between(5.0, 40.0)).expect("has a mass");
            let id = world.add(body.at(dvec3(random.between(-4.0, 4.0), 0.4 + 0.7 * number as f64, 1.0)));
            pushed.add(&world, id).expect("is dynamic and solid");
        }
        let heroes = (0..1 + random.below(8))
            .map(|number| {
                let shape: Mover = match random.below(4) {
                    0 => Sphere::new(0.4).expect("is above 0").into(),
                    1 => Ellipsoid::new(dvec3(0.3, 0.9, 0.4)).expect("are above 0").into(),
                    2 => cuboid(dvec3(0.3, 0.8, 0.3)).into(),
                    _ => Capsule::new(0.3, 0.6).expect("are above 0").into(),
                };
                let hero = Character::new(shape, Settings::default()).expect("are in their ranges");
                let turn = random.heading() * random.between(0.0, 6.0);
                hero.at(turn + DVec3::Y * (1.5 + 1.9 * number as f64)).expect("is finite")
            })
            .collect();
        let table = balls(random);
        let dt = [1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0][random.below(3)];
        Self { world, machines, heroes, pushed, sensors: Sensors::new(), table, dt, tick: 0 }
    }

    fn play(&mut self, inputs: &Inputs) -> Outcome {
        let Self { world, machines, heroes, pushed, sensors, table, dt, tick } = self;
        pushed.advance(world, *dt, |moves| {
            for machine in &*machines {
                let direction = if *tick / machine.period % 2 == 0 { 1.0 } else { -1.0 };
                moves
                    .drive(machine.body, machine.linear * direction, machine.angular * direction)
                    .expect("can move");
            }
        });
        let mut crowd = Crowd::new();
        let mut paths = vec![TickPath::new(); heroes.len()];
        let reports = crowd
            .step_all_traced(world, heroes, CrowdInput { inputs: &inputs.heroes, dt: *dt }, &mut paths)
            .to_vec();
        for report in &reports {
            pushed.push_all(world, report.pushes());
        }
        let events = sensors.update(world, heroes, &paths).to_vec();
        if let Some((ball, velocity)) = inputs.strike {
            assert!(table.strike(ball, velocity));
        }
        table.advance(*dt, |_, _| ());
        *tick += 1;
        Outcome {
            heroes: heroes.clone(),
            reports,
            poses: world.bodies().map(|(_, body)| *body.pose()).collect(),
            crates: pushed.state(world),
            events,
            balls: (0..table.len()).map(|ball| table.ball(ball)).collect(),
        }
    }

    /// Goes back to another game, but in the own world: only what moves is put where it was.
    fn restore(&mut self, then: &Self) {
        self.pushed.restore(&mut self.world, &then.pushed.state(&then.world));
        for machine in &then.machines {
            let pose = *then.world.body(machine.body).expect("nothing is removed").pose();
            self.world.set_pose(machine.body, pose).expect("can be put anywhere");
        }
        self.heroes.clone_from(&then.heroes);
        self.sensors.clone_from(&then.sensors);
        self.table.clone_from(&then.table);
        self.tick = then.tick;
    }
}

/// Balls that fall in a closed box.
fn balls(random: &mut Random) -> Table {
    let mut obstacles = World::new();
    for side in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]) {
        obstacles.add(Body::fixed(cuboid(DVec3::splat(2.0))).at(side * 3.0));
    }
    let mut balls: Vec<Ball> = Vec::new();
    while balls.len() < 5 {
        let at = dvec3(random.between(-0.8, 0.8), random.between(-0.8, 0.8), random.between(-0.8, 0.8));
        if balls.iter().all(|other| (other.position - at).length() > 0.3) {
            let velocity = random.direction() * random.between(0.0, 3.0);
            balls.push(Ball::new(at, velocity, 0.15, random.between(0.5, 2.0)).expect("is a ball"));
        }
    }
    let rules = Rules { gravity: dvec3(0.0, -9.81, 0.0), restitution: 0.8, ..Rules::default() };
    Table::new(Setup { balls, obstacles, rules, ..Setup::default() }).expect("a free start")
}

fn inputs(random: &mut Random, last: Option<&Inputs>, heroes: usize) -> Inputs {
    let heroes = (0..heroes).map(|number| match last {
        Some(last) if random.below(20) > 0 => last.heroes[number],
        _ => Input {
            desired_velocity: (random.below(4) > 0).then(|| random.heading() * random.between(0.5, 6.0)),
            jump: (random.below(3) == 0).then_some(4.0),
        },
    });
    let heroes = heroes.collect();
    let strike = (random.below(30) == 0).then(|| (random.below(5), random.direction() * 3.0));
    Inputs { heroes, strike }
}

/// How often the game went back, how many ticks it played again, and how many came out otherwise.
fn play(seed: u64, ticks: usize) -> [usize; 3] {
    let mut random = Random::scattered(seed);
    let mut game = Game::new(&mut random);
    let mut kept: Vec<Snapshot> = Vec::new();
    let [mut rollbacks, mut again, mut differ] = [0; 3];
    for _ in 0..ticks {
        let inputs = inputs(&mut random, kept.last().map(|last| &last.inputs), game.heroes.len());
        let before = game.clone();
        let outcome = game.play(&inputs);
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push(Snapshot { game: before, inputs, outcome });
        if random.below(8) > 0 {
            continue;
        }
        rollbacks += 1;
        let back = random.below(kept.len());
        let first = kept.len() - 1 - back;
        if random.below(2) == 0 {
            game = kept[first].game.clone();
        } else {
            game.restore(&kept[first].game);
        }
        for snapshot in &kept[first..] {
            again += 1;
            differ += usize::from(game.play(&snapshot.inputs) != snapshot.outcome);
        }
    }
    [rollbacks, again, differ]
}

fn play_many(seeds: core::ops::Range<u64>) {
    let mut sum = [0; 3];
    for seed in seeds {
        let counts = play(seed, 240);
        assert_eq!(counts[2], 0, "seed {seed}: {counts:?}");
        sum = [0, 1, 2].map(|k| sum[k] + counts[k]);
    }
    let [rollbacks, again, _] = sum;
    println!("{rollbacks} rollbacks, {again} ticks played again, 0 differ");
    assert!(rollbacks > 20);
}

#[test]
fn a_game_that_goes_back_plays_on_to_the_same_bits() {
    play_many(0..12);
}

#[test]
#[ignore = "minutes; 10,000 rollbacks"]
fn ten_thousand_games_that_go_back_play_on_to_the_same_bits() {
    play_many(0..400);
}
