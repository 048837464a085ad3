//! W1, W2, W3 and W8: balls and capsules; W4: rays.

use carom_scenes::workload::{
    BLOB_SEEDS, City, Proximity, SHORT_CASTS_CITY_SEED, SHORT_CASTS_TERRAIN_SEED, Terrain, blob,
    casts_at_blob, casts_in_city, casts_over_terrain, short_casts,
};
use carom_scenes::{SceneMesh, SphereCast};
use glam::DVec3;

use crate::Options;
use crate::engines::carom::Level;
use crate::engines::{Batch, CAPSULE_HALF_HEIGHT, Caster, Thrown, casters, single};
use crate::judge::{Judge, STARTS_FREE};
use crate::rounds::{Contestant, Times, timed};
use crate::table::{Subject, Table};

/// So many balls are looked at twice, to judge the reference.
const WALKED: usize = 2000;
/// Capsules at the blob: a tenth of the balls, because Carom takes a millisecond for each.
const CAPSULES_AT_BLOB: usize = 10;

/// One set of casts.
struct Work<'a> {
    workload: &'static str,
    variant: &'static str,
    thrown: Thrown,
    casts: &'a [SphereCast],
    /// Beside the rays: the same ways as balls, Carom's alone.
    with_balls: bool,
    /// The grid for the walk, for balls.
    near: Option<&'a Proximity>,
}

/// Everything on the terrain, in the city and at the blob that was asked for.
pub fn run(options: &Options, table: &mut Table) {
    if options.wants(&["W1", "W3", "W4"]) {
        terrain(options, table);
    }
    if options.wants(&["W2", "W3", "W4"]) {
        city(options, table);
    }
    if options.wants(&["W8"]) {
        at_blob(options, table);
    }
}

fn terrain(options: &Options, table: &mut Table) {
    let terrain = Terrain::new(512);
    let mesh = terrain.mesh();
    let near = Proximity::new(mesh, 2.0);
    let long = casts_over_terrain(&terrain, options.casts, near.up_to(1.0));
    let short = short_casts(mesh, SHORT_CASTS_TERRAIN_SEED, options.casts);
    level(options, table, mesh, &near, ["W1", "terrain"], &long, &short);
}

fn city(options: &Options, table: &mut Table) {
    let city = City::new(City::BOXES);
    let mesh = city.mesh();
    let near = Proximity::new(mesh, 2.0);
    let long = casts_in_city(&city, options.casts, near.up_to(1.0));
    let short = short_casts(mesh, SHORT_CASTS_CITY_SEED, options.casts);
    level(options, table, mesh, &near, ["W2", "city"], &long, &short);
}

fn level(
    options: &Options,
    table: &mut Table,
    mesh: &SceneMesh,
    near: &Proximity,
    [workload, place]: [&'static str; 2],
    long: &[SphereCast],
    short: &[SphereCast],
) {
    let judge = Level::new(mesh);
    let all = casters(mesh);
    let in_city = place == "city";
    let variants = if in_city {
        ["city, sphere", "city, capsule", "city, sphere", "city, capsule", "city, ray"]
    } else {
        ["terrain, sphere", "terrain, capsule", "terrain, sphere", "terrain, capsule", "terrain, ray"]
    };
    for (i, (workload, casts)) in [(workload, long), ("W3", short)].into_iter().enumerate() {
        if options.wants(&[workload]) {
            let standing = starting_free(&judge, casts);
            let near = Some(near);
            let (thrown, with_balls) = (Thrown::Sphere, false);
            let ball = Work { workload, variant: variants[2 * i], thrown, casts, with_balls, near };
            ball.measure(options, table, &judge, &all);
            let thrown = Thrown::Capsule;
            let casts = &standing;
            Work { workload, variant: variants[2 * i + 1], thrown, casts, with_balls, near: None }
                .measure(options, table, &judge, &all);
        }
    }
    if options.wants(&["W4"]) {
        let (thrown, with_balls) = (Thrown::Ray, true);
        Work { workload: "W4", variant: variants[4], thrown, casts: long, with_balls, near: None }
            .measure(options, table, &judge, &all);
    }
}

fn at_blob(options: &Options, table: &mut Table) {
    let mesh = blob(BLOB_SEEDS[0]);
    let near = Proximity::new(&mesh, 0.1);
    let judge = Level::new(&mesh);
    let all = casters(&mesh);
    let casts = casts_at_blob(options.casts / 10);
    let free: Vec<SphereCast> = casts
        .iter()
        .filter(|cast| judge.clearance(Thrown::Sphere, cast.from) > STARTS_FREE)
        .copied()
        .collect();
    let standing = starting_free(&judge, &casts[..casts.len() / CAPSULES_AT_BLOB]);
    let work = |variant, thrown, casts, near| Work {
        workload: "W8",
        variant,
        thrown,
        casts,
        with_balls: false,
        near,
    };
    work("blob, sphere", Thrown::Sphere, &casts, None).measure(options, table, &judge, &all);
    work("blob, sphere, free starts", Thrown::Sphere, &free, Some(&near))
        .measure(options, table, &judge, &all);
    work("blob, capsule, free starts", Thrown::Capsule, &standing, None)
        .measure(options, table, &judge, &all);
}

/// Capsules in the place of the balls: the lower end is where the ball was. Only those that have room to start.
fn starting_free(judge: &Level, casts: &[SphereCast]) -> Vec<SphereCast> {
    casts
        .iter()
        .map(|cast| {
            // To the nearest f32, as the others have it.
            let from = DVec3::from_array(single(cast.from + DVec3::Y * CAPSULE_HALF_HEIGHT).map(f64::from));
            SphereCast { from, ..*cast }
        })
        .filter(|cast| judge.clearance(Thrown::Capsule, cast.from) > STARTS_FREE)
        .collect()
}

impl Work<'_> {
    fn measure(&self, options: &Options, table: &mut Table, level: &Level, all: &[Box<dyn Caster>]) {
        let mut batches: Vec<(&'static str, &'static str, Batch)> = Vec::new();
        for caster in all {
            if let Some(batch) = caster.batch(self.thrown, self.casts) {
                batches.push((caster.engine(), caster.setup(), batch));
            }
        }
        if self.with_balls {
            let balls = all[0].batch(Thrown::Sphere, self.casts).expect("Carom casts balls");
            batches.push((all[0].engine(), "sphere", balls));
        }
        let mut answers = vec![vec![0.0; self.casts.len()]; batches.len()];
        let mut contestants: Vec<Contestant> = batches
            .iter_mut()
            .zip(&mut answers)
            .map(|((engine, setup, batch), answers)| Contestant {
                engine,
                setup,
                run: Box::new(move || timed(|| batch(answers))),
            })
            .collect();
        let times = Times::measure(&mut contestants, options.rounds);
        let names: Vec<_> = contestants.iter().map(|one| (one.engine, one.setup)).collect();
        drop(contestants);
        let judge = Judge::new(level, self.thrown, self.casts, &answers[0]);
        for (i, (engine, setup)) in names.into_iter().enumerate() {
            let is_ball_among_rays = self.with_balls && setup == "sphere";
            let mut numbers = vec![
                ("time", times.median(i) / self.casts.len() as f64 * 1e6, "µs"),
                ("carom / this", times.ratio(0, i), ""),
            ];
            if self.with_balls {
                numbers.push(("carom's sphere / this", times.ratio(answers.len() - 1, i), ""));
            }
            if !is_ball_among_rays {
                let verdict = judge.verdict(&answers[i]);
                numbers.extend([
                    ("judged", verdict.judged as f64, ""),
                    ("hits", verdict.hits as f64, ""),
                    ("wrong hits", verdict.wrong_hits as f64, ""),
                    ("misses", verdict.misses as f64, ""),
                    ("short", verdict.short, "m"),
                    ("deep", verdict.deep, "m"),
                ]);
            }
            if let Some(near) = self.near.filter(|_| i == 0) {
                let walked = judge.contradicted(near, options.walked(WALKED, self.workload));
                numbers.push(("contradicted", walked as f64, ""));
            }
            let subject = Subject { workload: self.workload, variant: self.variant, engine, setup };
            table.add(&subject, &numbers);
        }
    }
}
