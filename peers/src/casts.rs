//! W1, W2, W3 and W8: balls and capsules; W4: rays.

use carom_scenes::workload::{
    BLOB_SEEDS, City, Proximity, SHORT_CASTS_CITY_SEED, SHORT_CASTS_TERRAIN_SEED, Terrain, blob,
    casts_at_blob, casts_in_city, casts_over_terrain, short_casts,
};
use carom_scenes::{SceneMesh, SphereCast};
use glam::DVec3;

use crate::Options;
use crate::engines::carom::Level;
use crate::engines::{Batch, CAPSULE_HALF_HEIGHT, CastShape, Caster, casters, single};
use crate::judge::{Judge, STARTS_FREE};
use crate::rounds::{Contestant, Times, timed};
use crate::table::{Subject, Table};

/// Balls that are checked twice, to judge the reference.
const WALKED: usize = 2000;
/// Capsules at the blob: as a share of the balls, because some libraries take milliseconds for each.
const CAPSULES_AT_BLOB: usize = 10;

/// How Carom is asked where it is handed all casts at once.
const TOGETHER: &str = "cast_many";
/// How others are asked where the casts were put in order before the clock started.
pub const SORTED: &str = "sorted beforehand";

/// One set of casts.
struct Work<'a> {
    workload: &'static str,
    variant: String,
    shape: CastShape,
    casts: &'a [SphereCast],
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

/// A mesh, the libraries that cast at it, and their judge.
struct Stage<'a> {
    options: &'a Options,
    judge: Level,
    all: Vec<Box<dyn Caster>>,
    near: Proximity,
}

impl<'a> Stage<'a> {
    /// The grid has cells of this many meters.
    fn new(options: &'a Options, mesh: &SceneMesh, cell: f64) -> Self {
        Self { options, judge: Level::new(mesh), all: casters(mesh), near: Proximity::new(mesh, cell) }
    }

    fn spheres(&self, table: &mut Table, workload: &'static str, place: &str, casts: &[SphereCast]) {
        let near = Some(&self.near);
        let variant = format!("{place}, sphere");
        Work { workload, variant, shape: CastShape::Sphere, casts, near }.measure(self, table);
    }

    fn capsules(&self, table: &mut Table, workload: &'static str, place: &str, casts: &[SphereCast]) {
        let casts = &starting_free(&self.judge, casts);
        let variant = format!("{place}, capsule");
        Work { workload, variant, shape: CastShape::Capsule, casts, near: None }.measure(self, table);
    }

    fn rays(&self, table: &mut Table, workload: &'static str, place: &str, casts: &[SphereCast]) {
        let variant = format!("{place}, ray");
        Work { workload, variant, shape: CastShape::Ray, casts, near: None }.measure(self, table);
    }
}

fn terrain(options: &Options, table: &mut Table) {
    let terrain = Terrain::new(512);
    let mesh = terrain.mesh();
    let stage = Stage::new(options, mesh, 2.0);
    let long = casts_over_terrain(&terrain, options.casts, stage.near.up_to(1.0));
    let short = short_casts(mesh, SHORT_CASTS_TERRAIN_SEED, options.casts);
    in_level(&stage, table, ["W1", "terrain"], &long, &short);
}

fn city(options: &Options, table: &mut Table) {
    let city = City::new(City::BOXES);
    let mesh = city.mesh();
    let stage = Stage::new(options, mesh, 2.0);
    let long = casts_in_city(&city, options.casts, stage.near.up_to(1.0));
    let short = short_casts(mesh, SHORT_CASTS_CITY_SEED, options.casts);
    in_level(&stage, table, ["W2", "city"], &long, &short);
}

fn in_level(
    stage: &Stage,
    table: &mut Table,
    [workload, place]: [&'static str; 2],
    long: &[SphereCast],
    short: &[SphereCast],
) {
    for (workload, casts) in [(workload, long), ("W3", short)] {
        if stage.options.wants(&[workload]) {
            stage.spheres(table, workload, place, casts);
            stage.capsules(table, workload, place, casts);
        }
    }
    if stage.options.wants(&["W4"]) {
        stage.rays(table, "W4", place, long);
    }
}

fn at_blob(options: &Options, table: &mut Table) {
    let stage = Stage::new(options, &blob(BLOB_SEEDS[0]), 0.1);
    let casts = casts_at_blob(options.casts / 10);
    let free: Vec<SphereCast> = casts
        .iter()
        .filter(|cast| stage.judge.clearance(CastShape::Sphere, cast.from) > STARTS_FREE)
        .copied()
        .collect();
    stage.spheres(table, "W8", "blob", &casts);
    stage.spheres(table, "W8", "blob, free starts", &free);
    stage.capsules(table, "W8", "blob, free starts", &casts[..casts.len() / CAPSULES_AT_BLOB]);
}

/// Capsules in the place of the balls: the lower end is where the ball was. Only those that have room to
/// start.
fn starting_free(judge: &Level, casts: &[SphereCast]) -> Vec<SphereCast> {
    casts
        .iter()
        .map(|cast| {
            // To the nearest f32, as the others have it.
            let from = DVec3::from_array(single(cast.from + DVec3::Y * CAPSULE_HALF_HEIGHT).map(f64::from));
            SphereCast { from, ..*cast }
        })
        .filter(|cast| judge.clearance(CastShape::Capsule, cast.from) > STARTS_FREE)
        .collect()
}

/// The numbers of casts, column by column of the level, each four meters wide.
fn columns(casts: &[SphereCast]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..casts.len()).collect();
    order.sort_by_cached_key(|number| (casts[*number].from / 4.0).floor().as_ivec3().to_array());
    order
}

impl Work<'_> {
    fn measure(&self, stage: &Stage, table: &mut Table) {
        let Stage { options, judge, all, .. } = stage;
        // Beside the rays: the same ways as balls, Carom's alone.
        let with_balls = self.shape == CastShape::Ray;
        let mut batches: Vec<(&'static str, &'static str, Batch)> = Vec::new();
        for caster in all {
            if let Some(batch) = caster.batch(self.shape, self.casts) {
                batches.push((caster.engine(), caster.setup(), batch));
            }
        }
        let own = all[0].engine();
        let together = batches.len();
        batches.push((own, TOGETHER, judge.together(self.shape, self.casts)));
        // The gain of other libraries from the order alone.
        let order = columns(self.casts);
        let sorted: Vec<SphereCast> = order.iter().map(|number| self.casts[*number]).collect();
        for caster in all.iter().filter(|caster| caster.is_tried_sorted()) {
            if let Some(mut batch) = caster.batch(self.shape, &sorted) {
                let (order, mut found) = (order.clone(), vec![0.0; self.casts.len()]);
                let batch: Batch = Box::new(move |fractions: &mut [f64]| {
                    batch(&mut found);
                    for (number, fraction) in order.iter().zip(&found) {
                        fractions[*number] = *fraction;
                    }
                });
                batches.push((caster.engine(), SORTED, batch));
            }
        }
        if with_balls {
            let balls = all[0].batch(CastShape::Sphere, self.casts).expect("Carom casts balls");
            batches.push((own, "sphere", balls));
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
        let court = Judge::new(judge, self.shape, self.casts, &answers[0]);
        for (i, (engine, setup)) in names.into_iter().enumerate() {
            let is_ball_among_rays = with_balls && setup == "sphere";
            let mut numbers = vec![
                ("time", times.median(i) / self.casts.len() as f64 * 1e6, "µs"),
                ("carom / this", times.ratio(0, i), ""),
                ("carom's batch / this", times.ratio(together, i), ""),
            ];
            if with_balls {
                numbers.push(("carom's sphere / this", times.ratio(answers.len() - 1, i), ""));
            }
            if !is_ball_among_rays {
                let verdict = court.verdict(&answers[i]);
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
                let walked = court.contradicted(near, options.walked(WALKED, self.workload));
                numbers.push(("contradicted", walked as f64, ""));
            }
            let subject = Subject { workload: self.workload, variant: &self.variant, engine, setup };
            table.add(&subject, &numbers);
        }
    }
}
