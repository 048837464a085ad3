//! Trees against asking everything: the same answers, to the bit.

use std::time::{Duration, Instant};

use carom::mesh::Mesh;
use carom::world::{Body, Cast, CastHit, Collider, World};
use carom_scenes::courtyard::courtyard;
use carom_scenes::workload::{BLOB_SEEDS, City, Terrain, blob};
use glam::DVec3;
use rayon::prelude::*;

use crate::levels::for_each_level;
use crate::questions::{Questions, bits};

/// A thousand casts, fewer where that would be more than 5·10⁷ triangles asked, but never less than a hundred.
fn affordable(mesh: &Mesh) -> usize {
    (50_000_000 / mesh.triangle_count().max(1) as usize).clamp(100, 1000)
}

/// No set of questions takes much longer: in the long test the largest levels have fewer.
const PATIENCE: Duration = Duration::from_secs(12);

/// Whether two lists are the same, to the bit where a number could hide a sign.
fn same(a: &[CastHit], b: &[CastHit]) -> bool {
    let key = |hit: &CastHit| hit.fraction.to_bits();
    a == b && a.iter().map(key).eq(b.iter().map(key))
}

fn asked_in_full(name: &str, mesh: Mesh, seed: u64) {
    let casts = affordable(&mesh);
    let count = mesh.triangle_count();
    compare(name, mesh, seed, casts, |_, _| 0..count);
}

/// Puts `casts` questions to the world of one mesh, with its tree and over the triangles that `among` names.
fn compare<P: IntoIterator<Item = u32>>(
    name: &str,
    mesh: Mesh,
    seed: u64,
    casts: usize,
    among: impl Fn(&Mesh, &Cast) -> P + Sync,
) {
    let start = Instant::now();
    let mut world = World::new();
    let body = world.add(Body::fixed(mesh));
    let Collider::Mesh(tree) = world.body(body).unwrap().collider() else { unreachable!("a mesh was added") };
    let mesh = tree.mesh();
    let questions = Questions::about(mesh);
    let ask = |i: usize| {
        let cast = questions.cast(seed, i);
        let exhaustive = world.cast_all_among(&cast, |_| among(mesh, &cast));
        let first = world.cast(&cast);
        assert_eq!(
            first.as_ref().map(bits),
            exhaustive.first().map(bits),
            "{name}, cast {i}: {cast:?}\n{first:?}\n{:?}",
            exhaustive.first()
        );
        let all = world.cast_all(&cast);
        assert!(same(&all, &exhaustive), "{name}, cast {i}: {cast:?}: {} of {}", all.len(), exhaustive.len());
        let overlap = first.is_some_and(|hit| hit.start_overlap);
        (usize::from(first.is_some()), usize::from(overlap), all.len())
    };
    let (mut done, mut hits, mut overlaps, mut met) = (0, 0, 0, 0);
    // In rounds, each of them on all cores.
    while done < casts && start.elapsed() < PATIENCE {
        let round = done..(done + 1000).min(casts);
        done = round.end;
        let found =
            round.into_par_iter().map(ask).reduce(|| (0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2));
        (hits, overlaps, met) = (hits + found.0, overlaps + found.1, met + found.2);
    }
    println!(
        "{name}: {} triangles, {done} casts, {hits} hits, {overlaps} overlapping, {met} triangles met, {:.1?}",
        mesh.triangle_count(),
        start.elapsed()
    );
    // Otherwise nothing was tested.
    assert!(mesh.triangle_count() == 0 || hits > done / 10, "{name}: {hits} hits");
}

/// Triangles by the box around each and around each sixteen of them in a row, in f64: a way to leave out what is far away that
/// shares nothing with the trees.
struct Boxes {
    rows: Vec<(DVec3, DVec3)>,
    triangles: Vec<(DVec3, DVec3)>,
    largest: f64,
}

const ROW: usize = 16;

impl Boxes {
    fn of(mesh: &Mesh) -> Self {
        let triangles: Vec<_> = (0..mesh.triangle_count())
            .map(|i| {
                let [a, b, c] = mesh.corners(i).map(|c| c + mesh.origin());
                (a.min(b).min(c), a.max(b).max(c))
            })
            .collect();
        let union = |boxes: &[(DVec3, DVec3)]| {
            boxes
                .iter()
                .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), b| (low.min(b.0), high.max(b.1)))
        };
        let rows = triangles.chunks(ROW).map(union).collect();
        let (low, high) = union(&triangles);
        Self { rows, triangles, largest: low.abs().max(high.abs()).max_element() }
    }

    /// The triangles whose boxes meet the box of the way, which is a billionth of all lengths too large.
    fn near(&self, cast: &Cast) -> Vec<u32> {
        let (from, to) = (cast.path().from(), cast.path().at(1.0));
        let half = cast.mover().bounds().half_extents();
        let lengths = self.largest + from.abs().max_element() + to.abs().max_element() + half.max_element();
        let grown = half + DVec3::splat(lengths * 1e-9);
        let (low, high) = (from.min(to) - grown, from.max(to) + grown);
        let meets = |b: &(DVec3, DVec3)| b.0.cmple(high).all() && b.1.cmpge(low).all();
        let mut near = Vec::new();
        for (row, bounds) in self.rows.iter().enumerate() {
            if meets(bounds) {
                let first = row * ROW;
                let members = self.triangles[first..].iter().take(ROW).enumerate();
                near.extend(members.filter(|(_, b)| meets(b)).map(|(i, _)| (first + i) as u32));
            }
        }
        near
    }
}

fn asked_nearby(name: &str, mesh: Mesh, seed: u64) {
    let boxes = Boxes::of(&mesh);
    compare(name, mesh, seed, 100_000, |_, cast| boxes.near(cast));
}

#[test]
fn generated_worlds_answer_as_if_every_triangle_were_asked() {
    asked_in_full("terrain", Terrain::new(128).mesh().clone().into_mesh().unwrap(), 1);
    asked_in_full("city", City::new(2_000).mesh().clone().into_mesh().unwrap(), 2);
    asked_in_full("city, whole", City::new(City::BOXES).mesh().clone().into_mesh().unwrap(), 3);
    asked_in_full("blob", blob(BLOB_SEEDS[0]).into_mesh().unwrap(), 4);
    asked_in_full("courtyard", courtyard().mesh.into_mesh().unwrap(), 5);
}

#[test]
fn real_levels_answer_as_if_every_triangle_were_asked() {
    for_each_level(|name, mesh| asked_in_full(name, mesh, 6));
}

#[test]
#[ignore = "minutes: up to 100,000 casts per world"]
fn brute_force_long() {
    asked_nearby("terrain", Terrain::new(512).mesh().clone().into_mesh().unwrap(), 11);
    asked_nearby("city", City::new(City::BOXES).mesh().clone().into_mesh().unwrap(), 12);
    asked_nearby("blob", blob(BLOB_SEEDS[0]).into_mesh().unwrap(), 13);
    asked_nearby("courtyard", courtyard().mesh.into_mesh().unwrap(), 14);
    for_each_level(|name, mesh| asked_nearby(name, mesh, 15));
}

/// A city of which every box is a body of its own: the index of bodies has as little say as the trees of meshes.
#[test]
fn many_bodies_answer_as_if_every_one_were_asked() {
    let city = City::new(600);
    let whole = city.mesh().clone().into_mesh().unwrap();
    let mut world = World::new();
    for placed in city.boxes() {
        world.add(Body::fixed(placed.mesh().into_mesh().unwrap()));
    }
    let questions = Questions::about(&whole);
    let mut hits = 0;
    for i in 0..1000 {
        let cast = questions.cast(21, i);
        let exhaustive: Vec<CastHit> = world.cast_all_among(&cast, |_| 0..12);
        assert_eq!(world.cast(&cast).as_ref().map(bits), exhaustive.first().map(bits), "{cast:?}");
        assert!(world.cast_all(&cast).iter().map(bits).eq(exhaustive.iter().map(bits)), "{cast:?}");
        hits += usize::from(!exhaustive.is_empty());
    }
    assert!(hits > 100, "{hits}");
}
