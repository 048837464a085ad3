//! Trees against asking everything: the same answers, to the bit.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use carom::mesh::Mesh;
use carom::world::{Body, Cast, CastHit, Collider, World};
use carom_scenes::courtyard::courtyard;
use carom_scenes::workload::{BLOB_SEEDS, City, Terrain, blob};
use glam::DVec3;
use rayon::prelude::*;

use crate::levels::for_each_level;
use crate::questions::{Questions, bits};

/// A thousand casts, fewer where that would be more than 2·10⁷ triangles asked, but never less than a
/// hundred.
fn affordable(mesh: &Mesh) -> usize {
    (20_000_000 / mesh.triangle_count().max(1) as usize).clamp(100, 1000)
}

/// Whether two lists are the same, to the bit where a number could hide a sign.
fn same(a: &[CastHit], b: &[CastHit]) -> bool {
    let key = |hit: &CastHit| hit.fraction.to_bits();
    a == b && a.iter().map(key).eq(b.iter().map(key))
}

/// The results of a set of queries.
#[derive(Clone, Copy, Default)]
struct Tally {
    casts: usize,
    hits: usize,
    overlaps: usize,
    /// Triangles met by all casts together that were asked for all of them.
    met: usize,
    differences: usize,
}

impl Tally {
    fn and(self, other: Self) -> Self {
        Self {
            casts: self.casts + other.casts,
            hits: self.hits + other.hits,
            overlaps: self.overlaps + other.overlaps,
            met: self.met + other.met,
            differences: self.differences + other.differences,
        }
    }
}

/// How many differences of one kind are described; all are counted.
const DESCRIBED: usize = 5;

fn asked_in_full(name: &str, mesh: Mesh, seed: u64) {
    let casts = affordable(&mesh);
    let count = mesh.triangle_count();
    let tally = compare(name, mesh, seed, casts, 1, |_, _| 0..count);
    assert_eq!(tally.differences, 0, "{name}");
}

/// Puts `casts` queries to the world of one mesh, with its tree and over the triangles that `among` names for
/// the cast of a number. First hits are compared for each of them, all hits for runs of six, as the kinds of
/// movers take turns of six, `every` so many runs.
fn compare<P: IntoIterator<Item = u32>>(
    name: &str,
    mesh: Mesh,
    seed: u64,
    casts: usize,
    every: usize,
    among: impl Fn(usize, &Cast) -> P + Sync,
) -> Tally {
    let start = Instant::now();
    let mut world = World::new();
    let body = world.add(Body::fixed(mesh));
    let Collider::Mesh(tree) = world.body(body).unwrap().collider() else { unreachable!("a mesh was added") };
    let mesh = tree.mesh();
    let questions = Questions::about(mesh);
    let described = AtomicUsize::new(0);
    let ask = |i: usize| {
        let cast = questions.cast(seed, i);
        let first = world.cast(&cast);
        let exhaustive = world.cast_among(&cast, |_| among(i, &cast));
        let mut agreed = first.as_ref().map(bits) == exhaustive.as_ref().map(bits);
        let mut met = 0;
        if (i / 6).is_multiple_of(every) {
            let all = world.cast_all(&cast);
            agreed &= same(&all, &world.cast_all_among(&cast, |_| among(i, &cast)));
            agreed &= all.first().map(bits) == first.as_ref().map(bits);
            met = all.len();
        }
        if !agreed && described.fetch_add(1, Relaxed) < DESCRIBED {
            println!("{name}, cast {i}: {cast:?}\n  first {first:?}\n  not {exhaustive:?}");
        }
        Tally {
            casts: 1,
            hits: first.is_some().into(),
            overlaps: first.is_some_and(|hit| hit.start_overlap).into(),
            met,
            differences: (!agreed).into(),
        }
    };
    let tally = (0..casts).into_par_iter().map(ask).reduce(Tally::default, Tally::and);
    println!(
        "{name}: {} triangles, {} casts, {} hits, {} overlapping, {} triangles met, {} differences, {:.1?}",
        mesh.triangle_count(),
        tally.casts,
        tally.hits,
        tally.overlaps,
        tally.met,
        tally.differences,
        start.elapsed()
    );
    // Otherwise nothing was tested.
    assert!(mesh.triangle_count() == 0 || tally.hits > casts / 10, "{name}: {} hits", tally.hits);
    tally
}

/// Triangles by the box around each and around each sixteen of them in a row, and by their planes, in f64: a
/// way to leave out what is far away that shares nothing with the trees.
struct Boxes {
    rows: Vec<Bounds>,
    triangles: Vec<Bounds>,
    planes: Vec<Sides>,
    largest: f64,
}

/// A box, by its middle and what it reaches to each side.
#[derive(Clone, Copy)]
struct Bounds {
    center: DVec3,
    half: DVec3,
}

impl Bounds {
    fn around(points: impl Iterator<Item = DVec3>) -> Self {
        let (low, high) =
            points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
        Self { center: (low + high) * 0.5, half: (high - low) * 0.5 }
    }

    fn ends(&self) -> [DVec3; 2] {
        [self.center - self.half, self.center + self.half]
    }
}

/// The plane of a triangle: a corner, twice the area along the normal, and the square of the longest edge.
#[derive(Clone, Copy)]
struct Sides {
    corner: DVec3,
    normal: DVec3,
    longest: f64,
}

impl Sides {
    fn of([a, b, c]: [DVec3; 3]) -> Self {
        let edges = [b - a, c - b, a - c];
        let longest = edges.into_iter().map(DVec3::length_squared).fold(0.0, f64::max);
        Self { corner: a, normal: edges[0].cross(c - a), longest }
    }
}

/// The path of a mover, for boxes: the segment of its center, and the mover's own box grown by a billionth of
/// all lengths, thousands of times more than what rounds here or makes any kernel stop early.
struct SweptBox {
    middle: DVec3,
    half: DVec3,
    reach: DVec3,
}

impl SweptBox {
    /// Whether the box may be hit: no axis of the box and no axis across one of these and the path keeps it
    /// apart from the segment grown by the mover's box.
    fn meets(&self, bounds: &Bounds) -> bool {
        let apart = (self.middle - bounds.center).abs();
        let reach = self.reach + bounds.half;
        let along = self.half.abs();
        if !apart.cmple(reach + along).all() {
            return false;
        }
        let off = (self.middle - bounds.center).cross(self.half).abs();
        off.x <= reach.y * along.z + reach.z * along.y
            && off.y <= reach.z * along.x + reach.x * along.z
            && off.z <= reach.x * along.y + reach.y * along.x
    }

    /// Whether the plane may be hit: the whole path is not on one side of it, farther than the mover's box
    /// reaches; and farther than what a normal is off by that is the difference of products of edges.
    fn crosses(&self, sides: &Sides) -> bool {
        let middle = (self.middle - sides.corner).dot(sides.normal).abs();
        let rounding = 1e-12 * sides.longest * ((self.middle - sides.corner).length() + self.half.length());
        middle <= self.half.dot(sides.normal).abs() + self.reach.dot(sides.normal.abs()) + rounding
    }
}

const ROW: usize = 16;

impl Boxes {
    fn of(mesh: &Mesh) -> Self {
        let corners = |i| mesh.corners(i).map(|corner| corner + mesh.origin());
        let triangles: Vec<_> =
            (0..mesh.triangle_count()).map(|i| Bounds::around(corners(i).into_iter())).collect();
        let planes = (0..mesh.triangle_count()).map(|i| Sides::of(corners(i))).collect();
        let rows =
            triangles.chunks(ROW).map(|row| Bounds::around(row.iter().flat_map(Bounds::ends))).collect();
        let largest =
            triangles.iter().flat_map(Bounds::ends).fold(0.0, |l: f64, p| l.max(p.abs().max_element()));
        Self { rows, triangles, planes, largest }
    }

    /// The triangles whose boxes and planes the mover may meet on its path.
    fn near(&self, cast: &Cast) -> Vec<u32> {
        let (from, to) = (cast.path().from(), cast.path().at(1.0));
        let mover = cast.mover().bounds().half_extents();
        let lengths = self.largest + from.abs().max_element() + to.abs().max_element() + mover.max_element();
        let reach = mover + DVec3::splat(lengths * 1e-9);
        let swept = SweptBox { middle: (from + to) * 0.5, half: (to - from) * 0.5, reach };
        let mut near = Vec::new();
        for (row, _) in self.rows.iter().enumerate().filter(|(_, bounds)| swept.meets(bounds)) {
            let first = row * ROW;
            let members = (first..self.triangles.len()).take(ROW);
            let met = members.filter(|i| swept.meets(&self.triangles[*i]) && swept.crosses(&self.planes[*i]));
            near.extend(met.map(|i| i as u32));
        }
        near
    }
}

/// Casts beside the triangles near each; a tenth of them for all that is hit, and six of a thousand over all
/// triangles, so that the boxes have no say.
fn asked_nearby(name: &str, mesh: Mesh, seed: u64, casts: usize) -> Tally {
    let boxes = Boxes::of(&mesh);
    let count = mesh.triangle_count();
    compare(
        name,
        mesh,
        seed,
        casts,
        10,
        |i, cast| {
            if i % 1000 < 6 { (0..count).collect() } else { boxes.near(cast) }
        },
    )
}

#[test]
fn generated_worlds_answer_as_if_every_triangle_were_asked() {
    asked_in_full("terrain", Terrain::new(128).mesh().clone().into_mesh().unwrap(), 1);
    asked_in_full("city", City::new(2_000).mesh().clone().into_mesh().unwrap(), 2);
    asked_in_full("blob", blob(BLOB_SEEDS[0]).into_mesh().unwrap(), 4);
    asked_in_full("courtyard", courtyard().mesh.into_mesh().unwrap(), 5);
    let whole = City::new(City::BOXES).mesh().clone().into_mesh().unwrap();
    assert_eq!(asked_nearby("city, whole", whole, 3, 1000).differences, 0);
}

#[test]
fn real_levels_answer_as_if_every_triangle_were_asked() {
    for_each_level(|name, mesh| {
        assert_eq!(asked_nearby(name, mesh, 6, 500).differences, 0, "{name}");
    });
}

/// With `CAROM_ONLY` set to a few parts of names with commas between, only the worlds whose names contain one
/// of them.
#[test]
#[ignore = "an hour: 100,000 casts at each of some 70 worlds"]
fn brute_force_long() {
    let only = std::env::var("CAROM_ONLY").unwrap_or_default();
    let mut sets = Vec::new();
    let mut ask = |name: &str, mesh: Mesh, seed: u64| {
        if only.split(',').any(|part| name.contains(part)) {
            sets.push(asked_nearby(name, mesh, seed, 100_000));
        }
    };
    ask("terrain", Terrain::new(512).mesh().clone().into_mesh().unwrap(), 11);
    ask("city", City::new(City::BOXES).mesh().clone().into_mesh().unwrap(), 12);
    ask("blob", blob(BLOB_SEEDS[0]).into_mesh().unwrap(), 13);
    ask("courtyard", courtyard().mesh.into_mesh().unwrap(), 14);
    for_each_level(|name, mesh| ask(name, mesh, 15));
    let all = sets.iter().fold(Tally::default(), |all, set| all.and(*set));
    println!("{} sets, {} casts, {} hits, {} differences", sets.len(), all.casts, all.hits, all.differences);
    assert_eq!(all.differences, 0);
}

/// A city of which every box is a body of its own: the index of bodies has as little say as the trees of
/// meshes.
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
