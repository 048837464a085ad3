//! `--held`: which keys do not move a hero, in the levels of `CAROM_DATA` and in random worlds.

use carom::character::{Character, TickInput};
use carom::world::{Body, Neighborhood, World};
use carom_scenes::Random;
use carom_scenes::held::{Class, Counts, Finding, Run, solids, worlds};
use glam::DVec3;
use rayon::prelude::*;

use crate::Printer;
use crate::judge::depth;
use crate::levels::Level;

/// A kind of random worlds: its name, and how a seed makes one.
pub(crate) type RandomWorlds = (&'static str, fn(u64) -> World);

/// All kinds.
pub(crate) const RANDOM_WORLDS: [RandomWorlds; 2] =
    [("random worlds", worlds::world), ("random worlds of solids", solids::world)];

/// Plays in random worlds: a seed each, one to four heroes.
pub(crate) fn in_random_worlds(
    (name, world): RandomWorlds,
    seeds: core::ops::Range<u64>,
    (ticks, verbose): (u64, bool),
) -> Counts {
    let play = |seed: u64| {
        let world = world(seed);
        let heroes = [1, 1, 2, 4][(seed / 4 % 4) as usize];
        let run = Run { seed, ticks, lowest: worlds::LOWEST };
        let played = run.play(&world, heroes, &mut |random| worlds::spawn(&world, random));
        played.1.iter().filter(|_| verbose).for_each(|found| trace(&world, found));
        played
    };
    tell(name, &seeds.into_par_iter().map(play).collect::<Vec<_>>())
}

/// Plays in a level: a seed a hero.
pub(crate) fn in_level(level: &Level, seeds: core::ops::Range<u64>, (ticks, verbose): (u64, bool)) -> Counts {
    let mut world = World::new();
    world.add(Body::fixed(level.mesh.clone()));
    let lowest = level.lowest - 10.0;
    let play = |seed: u64| {
        let run = Run { seed, ticks, lowest };
        let played = run.play(&world, 1, &mut |random| spawn(&world, level, random));
        played.1.iter().filter(|_| verbose).for_each(|found| trace(&world, found));
        played
    };
    tell(&level.name, &seeds.into_par_iter().map(play).collect::<Vec<_>>())
}

/// Somewhere on the ground of a level where it fits; `None` if it fits nowhere.
fn spawn(world: &World, level: &Level, random: &mut Random) -> Option<Character> {
    (0..200).find_map(|_| {
        let hero = worlds::hero(random);
        let ground = level.ground(random.unit(), [random.unit(), random.unit()])?;
        let half = hero.shape().bounds().half_extents();
        let at = ground + DVec3::Y * (half.y + hero.skin() + random.unit() * half.x);
        hero.at(at).ok().filter(|hero| depth(world, hero, at) == 0.0)
    })
}

pub(crate) fn heading() {
    print!("{:42} {:>10} {:>8}", "level", "ticks", "keys");
    Class::ALL.iter().for_each(|class| print!(" {:>8}", format!("{class:?}").to_lowercase()));
    println!(" {:>12}", "faults/1e6");
}

pub(crate) fn row(name: &str, counts: &Counts) {
    let share = counts.faults() as f64 * 1e6 / (counts.ticks as f64).max(1.0);
    println!("{name:42} {counts} {share:>12.1}");
}

fn tell(name: &str, runs: &[(Counts, Vec<Finding>)]) -> Counts {
    /// Findings of a class that are printed.
    const SHOWN: usize = 6;
    let mut counts = Counts::default();
    runs.iter().for_each(|(run, _)| counts.add(run));
    row(name, &counts);
    for class in Class::ALL.into_iter().filter(|class| !class.is_lawful()) {
        let found = runs.iter().flat_map(|(_, found)| found).filter(|found| found.class == class);
        found.take(SHOWN).for_each(|found| println!("    {}", found.tell));
    }
    counts
}

/// One tick more of a finding, alone in its world, with every event.
fn trace(world: &World, found: &Finding) {
    println!("    {}", found.tell);
    let mut hero = found.hero;
    hero.step_with(world, TickInput::new(found.input, found.dt), &mut Neighborhood::new(), &mut Printer(0));
    println!("    ends at {:?} on {:?}", hero.position(), hero.ground());
}
