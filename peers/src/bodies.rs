//! W9 to W13: worlds that are made of bodies.
//!
//! Beside its time stands how much a library finds. Counts differ where libraries mean different things:
//! Carom counts parts of bodies (triangles of a mesh), the others bodies.

use std::cell::RefCell;
use std::time::Duration;

use carom::num::ops;
use carom_scenes::SphereCast;
use carom_scenes::workload::{
    BodyScene, City, Proximity, SHORT_CASTS_CITY_SEED, Terrain, WALKER_TICKS, casts_in_city, hero_velocity,
    places_in_city, places_over_terrain, room_in_city, short_casts, walkers_in_city,
};
use glam::DVec3;

use crate::Options;
use crate::engines::bodies::{Bodies, Hero, Question, crowds, moving, worlds};
use crate::engines::{CastShape, Crowd};
use crate::rounds::{Contestant, Times, timed};
use crate::table::{Subject, Table};

/// How many places are asked about.
const PLACES: usize = 4000;
/// Ticks of a hero alone.
const HERO_TICKS: usize = 6000;
/// Ticks among driven boxes, and how many of them make a turn.
const DRIVEN_TICKS: usize = 120;
const TICKS_A_TURN: usize = 20;
/// Driven boxes turn round after this many ticks.
const TICKS_A_WAY: usize = 30;
/// How many casts there are in a tick among driven boxes.
const CASTS_A_TICK: usize = 100;

/// All that was asked for.
pub fn run(options: &Options, table: &mut Table) {
    if options.wants(&["W9", "W10", "W12", "W13"]) {
        city(options, table);
    }
    if options.wants(&["W10"]) {
        floors(table);
    }
    if options.wants(&["W11"]) {
        for count in [100, 1000, 10_000] {
            driven(table, count);
        }
    }
    if options.wants(&["W13"]) {
        let terrain = Terrain::new(512);
        let places = places_over_terrain(&terrain, PLACES);
        let scene = BodyScene::terrain(&terrain);
        probe(options, table, "terrain", &worlds(&scene, true), &places);
    }
}

fn city(options: &Options, table: &mut Table) {
    let city = City::new(City::BOXES);
    let near = Proximity::new(city.mesh(), 2.0);
    let scene = BodyScene::city(&city);
    let long = casts_in_city(&city, options.casts, near.up_to(1.0));
    if options.wants(&["W9", "W13"]) {
        let all = worlds(&scene, true);
        if options.wants(&["W9"]) {
            // Those that start in another box meet it at once, or not at all: nothing to be compared.
            let mut short = short_casts(city.mesh(), SHORT_CASTS_CITY_SEED, options.casts);
            short.retain(|cast| !city.is_inside(cast.from) && near.within(cast.from, 0.501).is_none());
            cast(options, table, "W9", "city as bodies", &all, &long);
            ask(
                options,
                table,
                "W9",
                "city as bodies, 0.1 m, sphere",
                &all,
                &Question::Cast(CastShape::Sphere, &short),
            );
        }
        if options.wants(&["W13"]) {
            probe(options, table, "city as bodies", &all, &places_in_city(PLACES));
            ask(options, table, "W13", "city as bodies, all hits", &all, &Question::CastAll(&long));
        }
    }
    if options.wants(&["W10"]) {
        let walkers = walkers_in_city(options.walkers, room_in_city(&city, &near));
        let scene = scene.with_ground();
        let starts: Vec<DVec3> = walkers.iter().map(|walker| walker.start).collect();
        let velocity = |walker: usize, tick: usize| walkers[walker].desired_velocity(tick);
        walk(table, "W10", "city as bodies", crowds(&scene, &starts, Hero::Capsule), WALKER_TICKS, velocity);
    }
    if options.wants(&["W12"]) {
        let scene = BodyScene::blobs().with_ground();
        let all = worlds(&scene, true);
        cast(options, table, "W12", "2,000 instances", &all, &long);
        let walkers = walkers_in_city(options.walkers.min(200), |_| true);
        let starts: Vec<DVec3> = walkers.iter().map(|walker| walker.start).collect();
        let velocity = |walker: usize, tick: usize| walkers[walker].desired_velocity(tick);
        walk(table, "W12", "2,000 instances", crowds(&scene, &starts, Hero::Capsule), WALKER_TICKS, velocity);
    }
}

fn floors(table: &mut Table) {
    let start = [DVec3::Y * 0.95];
    let velocity = |_: usize, tick: usize| hero_velocity(tick);
    let heroes = [
        (Hero::Capsule, "floor of cuboids, capsule"),
        (Hero::Ellipsoid, "floor of cuboids, ellipsoid"),
        (Hero::Sphere, "floor of cuboids, sphere"),
        (Hero::Cuboid, "floor of cuboids, cuboid"),
    ];
    for (hero, variant) in heroes {
        walk(table, "W10", variant, crowds(&BodyScene::floor(), &start, hero), HERO_TICKS, velocity);
    }
    let instances = crowds(&BodyScene::floor_of_instances(), &start, Hero::Capsule);
    walk(table, "W10", "floor of instances, capsule", instances, HERO_TICKS, velocity);
}

type Worlds = [Box<dyn Bodies>];

fn cast(
    options: &Options,
    table: &mut Table,
    workload: &'static str,
    place: &str,
    all: &Worlds,
    casts: &[SphereCast],
) {
    for (shape, name) in
        [(CastShape::Sphere, "sphere"), (CastShape::Capsule, "capsule"), (CastShape::Ray, "ray")]
    {
        ask(options, table, workload, &format!("{place}, {name}"), all, &Question::Cast(shape, casts));
    }
}

fn probe(options: &Options, table: &mut Table, place: &str, all: &Worlds, places: &[DVec3]) {
    let questions = [
        (Question::Closest(places), "closest"),
        (Question::Overlaps(places), "overlaps"),
        (Question::Contacts(places), "contacts"),
    ];
    for (question, name) in questions {
        ask(options, table, "W13", &format!("{place}, {name}"), all, &question);
    }
}

/// Puts one query to all that know it.
fn ask(
    options: &Options,
    table: &mut Table,
    workload: &'static str,
    variant: &str,
    all: &Worlds,
    question: &Question,
) {
    let found: Vec<_> = all.iter().map(|_| RefCell::new(0)).collect();
    let mut contestants = Vec::new();
    let mut counts = Vec::new();
    for (bodies, found) in all.iter().zip(&found) {
        if let Some(mut asked) = bodies.ask(question) {
            let run = Box::new(move || timed(|| *found.borrow_mut() = asked()));
            contestants.push(Contestant { engine: bodies.engine(), setup: bodies.setup(), run });
            counts.push(found);
        }
    }
    let times = Times::measure(&mut contestants, options.rounds);
    for (i, one) in contestants.iter().enumerate() {
        let subject = Subject { workload, variant, engine: one.engine, setup: one.setup };
        let numbers = [
            ("time", times.median(i) / question.len() as f64 * 1e6, "µs"),
            ("carom / this", times.ratio(0, i), ""),
            ("found", *counts[i].borrow() as f64, ""),
        ];
        table.add(&subject, &numbers);
    }
}

fn walk(
    table: &mut Table,
    workload: &'static str,
    variant: &str,
    mut all: Vec<Box<dyn Crowd>>,
    ticks: usize,
    velocity: impl Fn(usize, usize) -> DVec3,
) {
    let count = all[0].positions().len();
    let mut spent = vec![Duration::ZERO; all.len()];
    for first in (0..ticks).step_by(TICKS_A_TURN) {
        let velocities: Vec<Vec<DVec3>> = (first..first + TICKS_A_TURN)
            .map(|tick| (0..count).map(|walker| velocity(walker, tick)).collect())
            .collect();
        for (crowd, spent) in all.iter_mut().zip(&mut spent) {
            *spent += timed(|| velocities.iter().for_each(|velocities| crowd.tick(velocities)));
        }
    }
    for (crowd, time) in all.iter().zip(&spent) {
        let lowest = crowd.positions().iter().fold(f64::INFINITY, |lowest, at| lowest.min(at.y));
        let subject = Subject { workload, variant, engine: crowd.engine(), setup: crowd.setup() };
        let numbers = [
            ("time", time.as_secs_f64() / (count * ticks) as f64 * 1e6, "µs"),
            ("carom / this", spent[0].as_secs_f64() / time.as_secs_f64(), ""),
            ("lowest at the end", lowest, "m"),
        ];
        table.add(&subject, &numbers);
    }
}

/// W11: everything moves, a hero and a hundred casts among it.
fn driven(table: &mut Table, count: usize) {
    let scene = BodyScene::driven(count).with_ground();
    let mut all = moving(&scene, count, DVec3::new(1.5, 0.95, 1.5));
    let casts: Vec<SphereCast> = (0..CASTS_A_TICK)
        .map(|i| {
            let angle = std::f64::consts::TAU * i as f64 / CASTS_A_TICK as f64;
            let way = DVec3::new(ops::cos(angle), 0.0, ops::sin(angle));
            SphereCast { from: way * 20.0 + DVec3::Y * 0.5, translation: way * -5.0, radius: 0.3 }
        })
        .collect();
    let mut spent = vec![[Duration::ZERO; 3]; all.len()];
    let mut found = vec![0; all.len()];
    for first in (0..DRIVEN_TICKS).step_by(TICKS_A_TURN) {
        for ((one, spent), found) in all.iter_mut().zip(&mut spent).zip(&mut found) {
            for tick in first..first + TICKS_A_TURN {
                let way = if (tick / TICKS_A_WAY).is_multiple_of(2) { DVec3::X } else { DVec3::NEG_X };
                spent[0] += timed(|| one.advance(way));
                spent[1] += timed(|| one.hero(DVec3::new(2.0, 0.0, 1.0)));
                spent[2] += timed(|| *found += one.cast(&casts));
            }
        }
    }
    let parts = [("advance", 1.0), ("hero", 1.0), ("a cast", CASTS_A_TICK as f64)];
    for (part, (name, times)) in parts.into_iter().enumerate() {
        for ((one, spent_by), found) in all.iter().zip(&spent).zip(&found) {
            if part == 1 && !one.has_hero() {
                continue;
            }
            let variant = format!("{count} driven, {name}");
            let subject =
                Subject { workload: "W11", variant: &variant, engine: one.engine(), setup: one.setup() };
            let seconds = spent_by[part].as_secs_f64();
            let numbers = [
                ("time", seconds / (DRIVEN_TICKS as f64 * times) * 1e6, "µs"),
                ("carom / this", spent[0][part].as_secs_f64() / seconds, ""),
                ("casts that met", *found as f64, ""),
            ];
            table.add(&subject, &numbers);
        }
    }
}
