//! Casts by a BSP tree and from cell to cell, beside those by the tree of boxes over the same triangles, on
//! the levels in the folder that `CAROM_DATA` names. `CAROM_CASTS` says how many on each (200 by default).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod random;

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use carom::bsp::{Bsp, BspError, Cells};
use carom::num::ops::rotation_about;
use carom::world::{CastHit, MeshTree};
use carom::{Body, Capsule, Cast, Cuboid, Ellipsoid, Mesh, Mover, Sphere, World};
use carom_formats::{Format, LoadOptions, load};
use carom_scenes::real;
use glam::{DVec3, dvec3};
use random::Random;

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.bits() as usize % bound
    }

    fn mover(&mut self, size: f64) -> Mover {
        let mut length = || size * (0.05 + self.unit().abs());
        let sizes = dvec3(length(), length(), length());
        let turn = rotation_about(self.vector() + DVec3::splat(1e-3), 3.0 * self.unit());
        match self.below(6) {
            0 => Mover::Point,
            1 => Sphere::new(sizes.x).unwrap().into(),
            2 => Ellipsoid::new(sizes).unwrap().with_rotation(turn).unwrap().into(),
            3 => Capsule::new(sizes.x, sizes.y).unwrap().with_rotation(turn).unwrap().into(),
            4 => Cuboid::new(sizes).unwrap().into(),
            _ => Cuboid::new(sizes).unwrap().with_rotation(turn).unwrap().into(),
        }
    }
}

/// The parts of a hit that do not depend on the index of the world, to the bit.
fn key(hit: Option<&CastHit>) -> String {
    hit.map_or_else(String::new, |hit| format!("{} {:?}", hit.part, hit.hit))
}

/// Processor time of this thread, in seconds; the time of day where the system does not say.
fn processor_time() -> f64 {
    let own = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = own.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64(),
        |nanoseconds| nanoseconds * 1e-9,
    )
}

struct Stage {
    name: &'static str,
    world: World,
    spent: f64,
}

fn stage(name: &'static str, tree: MeshTree) -> Stage {
    let mut world = World::new();
    world.add(Body::fixed(tree));
    Stage { name, world, spent: 0.0 }
}

/// The solid that a mesh encloses; without one, a tree of one leaf.
fn tree_of(mesh: &Mesh) -> (Bsp, &'static str) {
    match Bsp::of_mesh(mesh) {
        Ok(bsp) => (bsp, "solid"),
        Err(BspError::NotClosed { .. }) => (Bsp::of_surface(mesh), "open"),
        Err(BspError::TooManyPieces { .. }) => (Bsp::of_surface(mesh), "too many pieces"),
        Err(error) => panic!("{error}"),
    }
}

/// The results for one level.
struct Compared {
    hits: usize,
    /// The processor time to build the tree and its cells.
    seconds: f64,
    bytes_per_piece: f64,
}

/// `None` if a file has no triangles.
fn compare(path: &Path, count: usize) -> Option<Compared> {
    let mesh = load(path, &LoadOptions::default()).ok()?.into_mesh().ok()?;
    let bounds = mesh.bounds()?;
    let start = processor_time();
    let (bsp, kind) = tree_of(&mesh);
    let solid = processor_time() - start;
    let plain = MeshTree::new(mesh.clone());
    let start = processor_time();
    let by_bsp = MeshTree::with_bsp(mesh.clone(), bsp.clone());
    let built = processor_time() - start;
    let start = processor_time();
    let cells = Cells::of(by_bsp.bsp().unwrap());
    let celled = processor_time() - start;
    let pieces = by_bsp.bsp_pieces();
    let bytes = (by_bsp.memory() - plain.memory()) as f64 / pieces.max(1) as f64;
    assert!(bytes <= 200.0, "{}: {bytes} bytes a piece", path.display());
    println!(
        "{}: {} triangles, {kind}; {} nodes, {pieces} pieces, {bytes:.0} bytes each; solid {solid:.2} s, tree {built:.2} s, \
         {} cells and {} portals {celled:.2} s, {:.0} bytes a portal or wall",
        path.file_name().unwrap().display(),
        mesh.triangle_count(),
        by_bsp.bsp().unwrap().nodes().len(),
        cells.cells().count(),
        cells.portals().len(),
        cells.memory() as f64 / (cells.portals().len() + cells.walls().len()).max(1) as f64,
    );
    let by_cells = MeshTree::with_cells(mesh.clone(), bsp);
    let mut stages = [stage("boxes", plain), stage("BSP", by_bsp), stage("cells", by_cells)];
    let mut random = Random(mesh.triangle_count().into());
    let size = (bounds.max() - bounds.min()).max_element();
    let middle = 0.5 * (bounds.max() + bounds.min());
    let casts: Vec<Cast> = (0..count)
        .map(|round| {
            let mover = random.mover(size * [0.01, 0.002, 0.05][round % 3]);
            let corner = mesh.corners(random.below(mesh.triangle_count() as usize) as u32)[0];
            let near = size * [0.03, 0.003, 1e-9][random.below(3)];
            let from = match round % 4 {
                0 => middle + 0.6 * (bounds.max() - bounds.min()) * random.vector(),
                _ => corner + random.vector() * near,
            };
            let way = random.vector() * size * [1.0, 0.1, 0.01, 0.0][random.below(7).min(3)];
            let way = if random.below(3) == 0 { way * DVec3::AXES[random.below(3)] } else { way };
            Cast::new(mover, from + mesh.origin(), way).unwrap()
        })
        .collect();
    let mut expected: Vec<Option<CastHit>> = Vec::new();
    for Stage { name, world, spent } in &mut stages {
        let start = processor_time();
        let found: Vec<Option<CastHit>> = casts.iter().map(|cast| world.cast(cast)).collect();
        *spent = processor_time() - start;
        if expected.is_empty() {
            expected = found;
            continue;
        }
        for ((cast, found), expected) in casts.iter().zip(&found).zip(&expected) {
            assert_eq!(key(found.as_ref()), key(expected.as_ref()), "{name}, {}: {cast:?}", path.display());
        }
    }
    let hits = expected.iter().flatten().count();
    let each = |stage: &Stage| stage.spent * 1e6 / count as f64;
    println!(
        "    {hits} of {count} casts hit; µs each: {}",
        stages
            .iter()
            .map(|stage| format!("{} {:.1}", stage.name, each(stage)))
            .collect::<Vec<_>>()
            .join(", ")
    );
    Some(Compared { hits, seconds: solid + built + celled, bytes_per_piece: bytes })
}

/// Every level of Quake and its descendants, and every other level or archive below a number of bytes.
fn levels(data: &Path, most: u64) -> Vec<PathBuf> {
    let wanted = |path: &Path| match Format::from_path(path) {
        Some(Format::Bsp | Format::Map) => true,
        Some(Format::Gltf) => false,
        None if path.extension().is_none_or(|extension| extension != "zip") => false,
        _ => std::fs::metadata(path).is_ok_and(|file| file.len() < most),
    };
    let only = std::env::var("CAROM_ONLY").unwrap_or_default();
    let mut files = real::files_below(data, wanted).unwrap();
    files.retain(|path| path.to_string_lossy().contains(&only));
    files
}

#[test]
fn casts_by_a_tree_and_by_cells_have_the_bits_of_the_world() {
    let Some(data) = real::folder() else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let casts = number("CAROM_CASTS").unwrap_or(200);
    let most = number("CAROM_BYTES").unwrap_or(300_000);
    let compared: Vec<Compared> =
        levels(&data, most as u64).iter().filter_map(|path| compare(path, casts)).collect();
    let hits: usize = compared.iter().map(|level| level.hits).sum();
    assert!(hits > casts.min(100), "{hits}");
}

#[test]
#[ignore = "1,000,000 casts: about 2 minutes"]
fn a_million_casts_over_all_levels_have_the_bits_of_the_world() {
    let Some(data) = real::folder() else { return };
    let files = levels(&data, 300_000);
    let (mut casts, mut hits, mut slowest, mut largest) = (0usize, 0, 0.0f64, 0.0f64);
    for (number, path) in files.iter().enumerate() {
        // Files without triangles leave their share to those that follow.
        let share = (1_000_000 - casts).div_ceil(files.len() - number);
        if let Some(level) = compare(path, share) {
            casts += share;
            hits += level.hits;
            slowest = slowest.max(level.seconds);
            largest = largest.max(level.bytes_per_piece);
        }
    }
    println!(
        "{casts} casts, {hits} hits, no bit differs; built in {slowest:.2} s, {largest:.0} bytes a piece at most"
    );
    assert!(casts >= 1_000_000 && hits > 100_000, "{casts} casts, {hits} hits");
}
