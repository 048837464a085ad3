//! When two meshes that slide and turn first come together, by conservative advancement.
//!
//! Source: Mirtich, *Impulse-based dynamic simulation of rigid body systems* (1996); over trees: Tang, Kim,
//! Manocha, *C²A* (2009). Two triangles that lie apart along n stay so as long as no corner of the one passes
//! a corner of the other along it. With p a corner seen from the origin of its body, the height n·p grows at
//! n·(v + ω × p) now, and bends by at most |ω|²·|p|: for each pair of corners that is a quadratic, and its
//! first root a time before which they do not pass. For volumes, which are convex too, the fastest point
//! along the separating axis is used in place of the corners. Both meshes may advance by the least of these
//! times over all pairs, and the query is repeated there. Near contact that is Newton's step; in a shell that
//! a ball turns in, a step goes by the root of the gap.
//!
//! A step need not be the longest: pairs that allow half as long a time as the shortest known are not opened,
//! and the step is halved (if few pairs are near, it is not).
//!
//! Error: where it stops, no triangles are farther apart than the tolerance; before, none share a point: a
//! step ends half the tolerance before. The tolerance must cover rounding: one below a few dozen roundings of
//! the coordinates is raised to that. Cost: a walk over both trees for each step. After
//! [`Advance::MOST_STEPS`], or when the caller stops it, the place reached is the answer, marked as such:
//! early, never late.

use core::ops::Range;

use glam::{DQuat, DVec3};

use super::{Counters, MeshPair, MeshVolume, PoseMotion, TriangleTree};
use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::num::ops::sqrt;
use crate::shape::{Aabb, TriangleDistance};
use crate::tree::Obb;

/// Two meshes that move at the same time.
#[derive(Clone, Copy, Debug)]
pub struct Advance<'a, V = Obb> {
    /// The first mesh.
    pub first: &'a TriangleTree<V>,
    /// Its motion.
    pub first_motion: PoseMotion,
    /// The second mesh.
    pub second: &'a TriangleTree<V>,
    /// Its motion.
    pub second_motion: PoseMotion,
    /// The distance that counts as contact, in meters.
    pub tolerance: f64,
}

/// The first contact of two moving meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advanced {
    /// The share of both motions until then, 0 … 1.
    pub fraction: f64,
    /// Their distance there, in meters: 0 only if they touch at the very start.
    pub gap: f64,
    /// The nearest point of the first mesh there, in the world.
    pub point: DVec3,
    /// That of the second.
    pub other_point: DVec3,
    /// The triangles that these are on.
    pub triangles: [u32; 2],
    /// Whether the gap is within the tolerance; if not, the steps were used up before contact.
    pub converged: bool,
}

/// The outcome of a search for the first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// They touch there.
    Contact(Advanced),
    /// The path is free.
    Clear,
    /// The caller has stopped it.
    Stopped {
        /// Up to this share of both motions the path is free, 0 … 1.
        clear_until: f64,
    },
}

impl<V: MeshVolume> Advance<'_, V> {
    /// The most steps.
    pub const MOST_STEPS: u32 = 1000;

    /// The first contact on the path; `None` if the path is free. Meshes nearer than the tolerance at the
    /// start are in contact there.
    pub fn first_contact(&self) -> Option<Advanced> {
        self.first_contact_counted(&mut Counters::default())
    }

    /// The same; the cost is added to the counters.
    pub fn first_contact_counted(&self, counters: &mut Counters) -> Option<Advanced> {
        match self.search(counters, |_, _| true) {
            Search::Contact(contact) => Some(contact),
            Search::Clear | Search::Stopped { .. } => None,
        }
    }

    /// The same, with a caller that may stop it: `goes_on` gets the share of the motions that is known to be
    /// free, 0 … 1, and the tests made so far. It is called before each step and after each 64 pairs of
    /// leaves. If it returns `false`, the search ends as [`Search::Stopped`] with that share, which is never
    /// too long.
    ///
    /// ```
    /// use carom::mesh_pair::{Advance, Counters, PoseMotion, Search, TriangleTree};
    /// use carom::{Mesh, Pose};
    /// use glam::dvec3;
    /// let plate = Mesh::from_triangles(
    ///     vec![[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]],
    ///     vec![[0, 1, 2], [0, 2, 3]],
    /// )?;
    /// let [lower, upper] = [plate.clone(), plate].map(TriangleTree::new);
    /// let [from, to] = [3.0, -1.0].map(|y| Pose::at(dvec3(0.1, y, 0.2)));
    /// let advance = Advance {
    ///     first: &lower,
    ///     first_motion: PoseMotion::rest(Pose::IDENTITY),
    ///     second: &upper,
    ///     second_motion: PoseMotion::new(from?, to?)?,
    ///     tolerance: 1e-6,
    /// };
    /// let Search::Contact(contact) = advance.search(&mut Counters::default(), |_, _| true) else { panic!() };
    /// assert!((contact.fraction - 0.75).abs() < 1e-6);
    /// // Stopped before the first step, it says what it knows: nothing yet.
    /// let stopped = advance.search(&mut Counters::default(), |_, _| false);
    /// assert_eq!(stopped, Search::Stopped { clear_until: 0.0 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search(&self, counters: &mut Counters, mut goes_on: impl FnMut(f64, &Counters) -> bool) -> Search {
        let tolerance = self.tolerance.max(self.rounding());
        let swept = |tree: &TriangleTree<V>, motion: &PoseMotion| {
            let origin = tree.mesh().origin();
            let bounds = tree.mesh().bounds()?;
            motion.swept_bounds(&Aabb::new(bounds.min() + origin, bounds.max() + origin).ok()?)
        };
        // Without bounds there is no answer.
        if let (Some(first), Some(second)) =
            (swept(self.first, &self.first_motion), swept(self.second, &self.second_motion))
            && !first.grown(tolerance).overlaps_aabb(&second)
        {
            return Search::Clear;
        }
        let pair_at = |fraction: f64| {
            let (first, second) = (self.first_motion.at(fraction), self.second_motion.at(fraction));
            MeshPair::new(self.first, first, self.second, second)
        };
        let (mut fraction, mut share) = (0.0, 1.0);
        for _ in 0..Self::MOST_STEPS {
            if !goes_on(fraction, counters) {
                return Search::Stopped { clear_until: fraction };
            }
            let before = counters.triangle_tests;
            let pair = pair_at(fraction);
            let step = Step::of(&pair, self, tolerance, share, counters, |so_far| goes_on(fraction, so_far));
            match step {
                Step::Near(near) => return Search::Contact(Advanced { fraction, ..near }),
                Step::Free(step) => fraction += step * (1.0 - 8.0 * UNIT_ROUNDOFF),
                Step::Stopped => return Search::Stopped { clear_until: fraction },
            }
            // A NaN continues until it counts as a contact.
            if fraction >= 1.0 {
                return Search::Clear;
            }
            share = if counters.triangle_tests - before > MANY { SHORTER } else { 1.0 };
        }
        let Some(near) = pair_at(fraction).distance_counted(f64::INFINITY, counters) else {
            return Search::Clear;
        };
        Search::Contact(Advanced {
            fraction,
            gap: near.distance,
            point: near.point,
            other_point: near.other_point,
            triangles: near.triangles,
            converged: near.distance <= tolerance,
        })
    }

    /// 256 roundings of the coordinates: the error bound of the distance of two triangles.
    fn rounding(&self) -> f64 {
        let size = |tree: &TriangleTree<V>, motion: &PoseMotion| {
            let pose = motion.at(0.0);
            (tree.mesh().largest_coordinate() + reach(tree.mesh().origin())) * pose.scale()
        };
        let apart = [0.0, 1.0]
            .map(|end| reach(self.first_motion.at(end).position() - self.second_motion.at(end).position()));
        let far = reach(self.first_motion.at(0.0).position()) + reach(self.second_motion.at(0.0).position());
        256.0
            * UNIT_ROUNDOFF
            * (size(self.first, &self.first_motion)
                + size(self.second, &self.second_motion)
                + apart[0].max(apart[1])
                + far)
    }
}

/// The time that one test of both meshes allows.
enum Step {
    Near(Advanced),
    /// The share of their motions by which they may advance.
    Free(f64),
    Stopped,
}

/// More pairs of triangles than these in a step, and the next is shortened.
const MANY: u64 = 2000;
/// To this share of the longest.
const SHORTER: f64 = 0.5;
/// The caller may stop the search after each of this many pairs of leaves.
const ASKS: u32 = 64;

impl Step {
    /// At least `share` of the longest step that the bounds allow.
    fn of<V: MeshVolume>(
        pair: &MeshPair<V>,
        advance: &Advance<V>,
        tolerance: f64,
        share: f64,
        counters: &mut Counters,
        mut goes_on: impl FnMut(&Counters) -> bool,
    ) -> Self {
        let scale = pair.poses[0].scale();
        let pace = Pace::new(pair, advance);
        let counted = core::cell::Cell::new(*counters);
        let mut nearest: Option<Advanced> = None;
        let mut stopped = false;
        let mut asked = 0u32;
        let free = pair.first.tree().leaf_pairs_in_order(
            pair.second.tree(),
            pair.factor(),
            |first, second| {
                let Counters { volume_tests, triangle_tests } = counted.get();
                counted.set(Counters { volume_tests: volume_tests + 1, triangle_tests });
                let gap = first.gap(second, &pair.between) * scale;
                // The tolerance is tested against all pairs that could be within it.
                if gap <= tolerance {
                    return 0.0;
                }
                let radii = [first.reach_from(pace.centers[0]), second.reach_from(pace.centers[1])];
                let radii = [radii[0] * pace.scales[0], radii[1] * pace.scales[1]];
                let at_any = gap / pace.bound(radii);
                let (along, normal) = first.separation(second, &pair.between);
                if along <= 0.0 || along.is_nan() {
                    return at_any / share;
                }
                let room = along * scale * (1.0 - SKEW);
                at_any.max(pace.volumes_part(first, second, normal, room, radii)) / share
            },
            // Twice the whole path.
            2.0 / share,
            |first: Range<u32>, second: Range<u32>, best| {
                asked += 1;
                if asked.is_multiple_of(ASKS) && !goes_on(&counted.get()) {
                    stopped = true;
                }
                if stopped {
                    return 0.0;
                }
                let mut least = best;
                // Farther apart than this they outlast the best, at the speed of the fastest of all.
                let within = pace.way_within(pair, best) / scale;
                pair.nearest_of(first, second, within.max(tolerance / scale), |found, triangles| {
                    let Counters { volume_tests, triangle_tests } = counted.get();
                    counted.set(Counters { volume_tests, triangle_tests: triangle_tests + 1 });
                    let gap = found.distance * scale;
                    if gap <= tolerance
                        && nearest.is_none_or(|near| (gap, triangles) < (near.gap, near.triangles))
                    {
                        nearest = Some(Advanced {
                            fraction: 0.0,
                            gap,
                            point: pair.place_in_world(found.point),
                            other_point: pair.place_in_world(found.other_point),
                            triangles,
                            converged: true,
                        });
                        least = 0.0;
                        return;
                    }
                    let time = pace.triangles_part(pair, triangles, &found, 0.5 * tolerance);
                    // The lower of two; a NaN stops them.
                    if time < least || time.is_nan() {
                        least = if time > 0.0 { time } else { 0.0 };
                    }
                });
                least
            },
        );
        *counters = counted.get();
        match nearest {
            _ if stopped => Self::Stopped,
            Some(near) => Self::Near(near),
            None => Self::Free(free * share),
        }
    }
}

/// The motions of both bodies in the world, with the whole motion as the unit of time.
struct Pace {
    /// The second's origin relative to the first's.
    velocity: DVec3,
    speed: f64,
    /// Angles and scales of both.
    spins: [DVec3; 2],
    angles: [f64; 2],
    scales: [f64; 2],
    /// The rotations of the bodies, and their origins in the frames of the meshes.
    turns: [DQuat; 2],
    centers: [DVec3; 2],
}

impl Pace {
    fn new<V: MeshVolume>(pair: &MeshPair<V>, advance: &Advance<V>) -> Self {
        let motions = [&advance.first_motion, &advance.second_motion];
        let velocity = motions[1].translation() - motions[0].translation();
        Self {
            velocity,
            speed: sqrt(velocity.length_squared()) * (1.0 + 8.0 * UNIT_ROUNDOFF),
            spins: motions.map(|motion| motion.axis() * motion.angle()),
            angles: motions.map(PoseMotion::angle),
            scales: pair.poses.map(|pose| pose.scale()),
            turns: pair.poses.map(|pose| pose.rotation()),
            centers: [-pair.first.mesh().origin(), -pair.second.mesh().origin()],
        }
    }

    /// The largest closing speed of two volumes with these extents from the origins of their bodies.
    fn bound(&self, radii: [f64; 2]) -> f64 {
        let turning = self.angles[0] * radii[0] + self.angles[1] * radii[1];
        (self.speed + turning) * (1.0 + 16.0 * UNIT_ROUNDOFF)
    }

    /// The most by which any two points of the meshes approach in a time.
    fn way_within<V: MeshVolume>(&self, pair: &MeshPair<V>, time: f64) -> f64 {
        let reach = |tree: &TriangleTree<V>, i: usize| {
            let size = tree.mesh().largest_coordinate() + reach(tree.mesh().origin());
            2.0 * size * self.scales[i]
        };
        self.bound([reach(pair.first, 0), reach(pair.second, 1)]) * time * (1.0 + 16.0 * UNIT_ROUNDOFF)
    }

    /// The vector whose product with a point of a mesh, from the origin of its body, is how fast the point
    /// rises along a normal of the first's frame, in the frame of that mesh.
    fn rise(&self, normal: DVec3, i: usize) -> DVec3 {
        let normal = self.turns[0] * normal;
        self.turns[i].conjugate() * normal.cross(self.spins[i]) * self.scales[i]
    }

    /// The largest change of the speed along any direction in a unit of time, for points with these extents
    /// from the origins of their bodies.
    fn bend(&self, radii: [f64; 2]) -> f64 {
        let [first, second] = self.angles;
        (first * first * radii[0] + second * second * radii[1]) * (1.0 + 16.0 * UNIT_ROUNDOFF)
    }

    /// A time before which two volumes with this room along a normal stay apart.
    fn volumes_part<V: MeshVolume>(
        &self,
        first: &V,
        second: &V,
        normal: DVec3,
        room: f64,
        radii: [f64; 2],
    ) -> f64 {
        let rounding = SKEW * self.bound(radii);
        let [own, other] = [0, 1].map(|i| self.rise(normal, i));
        let fastest = first.support(own) - own.dot(self.centers[0]);
        let slowest = -second.support(-other) - other.dot(self.centers[1]);
        let pace = (self.turns[0] * normal).dot(self.velocity) + slowest - fastest - rounding;
        lasts(room, pace, self.bend(radii))
    }

    /// A time before which two triangles stay apart by `margin`.
    fn triangles_part<V: MeshVolume>(
        &self,
        pair: &MeshPair<V>,
        triangles: [u32; 2],
        found: &TriangleDistance,
        margin: f64,
    ) -> f64 {
        let corners = [pair.first.mesh().corners(triangles[0]), pair.second.mesh().corners(triangles[1])];
        let radius = |i: usize| {
            let most = |most: f64, corner: &DVec3| most.max((*corner - self.centers[i]).length_squared());
            sqrt(corners[i].iter().fold(0.0, most)) * self.scales[i]
        };
        let radii = [radius(0), radius(1)];
        let bend = self.bend(radii);
        let rounding = 64.0 * UNIT_ROUNDOFF * self.bound(radii);
        // From the nearest point, so that nothing large cancels.
        let places = [corners[0], corners[1].map(|corner| pair.between.place(corner))]
            .map(|all| all.map(|place| place - found.point));
        let normal =
            parting_normal(&places, (found.other_point - found.point) / found.distance, found.distance);
        let across = (self.turns[0] * normal).dot(self.velocity) - rounding;
        let rises = [self.rise(normal, 0), self.rise(normal, 1)];
        let paces = [0, 1].map(|i| corners[i].map(|corner| rises[i].dot(corner - self.centers[i])));
        let heights = places.map(|all| all.map(|place| normal.dot(place) * self.scales[0]));
        let mut least = f64::INFINITY;
        for other in 0..3 {
            for own in 0..3 {
                let room = heights[1][other] - heights[0][own] - margin;
                let time = lasts(room, across + paces[1][other] - paces[0][own], bend);
                // A NaN stops them.
                if time < least || time.is_nan() {
                    least = time;
                }
            }
        }
        least
    }
}

/// A direction from one triangle to another along which they lie apart by nearly their distance.
///
/// The direction between their nearest points is off by a rounding of the coordinates over the distance.
/// Close to contact that is more than the distance, seen from the far corners; there the normals of faces, of
/// edges that cross, and of edges beside points are better known.
fn parting_normal(places: &[[DVec3; 3]; 2], between: DVec3, distance: f64) -> DVec3 {
    let room = |normal: DVec3| {
        let [own, other] = places.map(|all| all.map(|place| normal.dot(place)));
        other[0].min(other[1]).min(other[2]) - own[0].max(own[1]).max(own[2])
    };
    let mut best = (room(between), between);
    if best.0 >= 0.75 * distance {
        return between;
    }
    let mut offer = |normal: DVec3| {
        let normal = normal.normalize_or_zero();
        let normal = if normal.dot(between) < 0.0 { -normal } else { normal };
        let room = room(normal);
        if room > best.0 {
            best = (room, normal);
        }
    };
    let edges = places.map(|[a, b, c]| [b - a, c - b, a - c]);
    for all in &edges {
        offer(all[0].cross(all[1]));
        for edge in all {
            offer(edge.cross(between.cross(*edge)));
        }
    }
    for own in &edges[0] {
        for other in &edges[1] {
            offer(own.cross(*other));
        }
    }
    best.1
}

/// How long a gap stays open that grows at this speed now, if the speed falls by at most `bend` in a unit of
/// time.
fn lasts(room: f64, pace: f64, bend: f64) -> f64 {
    if room <= 0.0 || room.is_nan() {
        return 0.0;
    }
    if bend <= 0.0 && pace >= 0.0 {
        return f64::INFINITY;
    }
    // Nothing cancels: of the two forms of the root the one whose terms have one sign.
    let root = sqrt(pace * pace + 2.0 * bend * room);
    let time = if pace < 0.0 { 2.0 * room / (root - pace) } else { (pace + root) / bend };
    time * (1.0 - 16.0 * UNIT_ROUNDOFF)
}

/// 2⁻¹⁸: the error bound of the axes of oriented boxes, and of lengths along them.
const SKEW: f64 = 1.0 / (1u64 << 18) as f64;
