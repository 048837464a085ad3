//! Triangles near the mover, copied together for locality.
//!
//! Their boxes are stored separately, by side and axis, so that one comparison per side tests four of them: a
//! query concerns only a few of the triangles near a mover. Numbers are small here, because everything lies
//! about one place. So the f32 error is a share of that region, not of the whole level.

use alloc::vec::Vec;
use core::ops::Range;

use arrayvec::ArrayVec;
use glam::{DVec3, Vec3};

use crate::mesh::FeatureNormals;
use crate::num::bound::{f32_above, f32_below};
use crate::prefetch::{prefetch_all, prefetch_far};
use crate::shape::Aabb;
use crate::sweep::Feature;
use crate::tree::{Area, Boxes, ClippedSweep, WIDTH, lanes_of};
use crate::world::surface::lanes::Lanes;
use crate::world::surface::packed_triangle::PackedTriangle;
use crate::world::surface::triangle_batch::TriangleBatch;
use crate::world::surface::triangle_store::lanes;

/// Triangles of any number of bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct GatheredTriangles {
    triangles: Vec<Line>,
    batches: Vec<Boxes>,
    /// The boxes of groups of four batches.
    groups: Vec<Boxes>,
    /// Copies of the triangles that the next ticks need most, close together.
    active: Vec<Active>,
}

/// A triangle in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line(PackedTriangle);

/// Up to four triangles: their boxes, and their numbers among those of their body. Two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Active {
    boxes: Boxes,
    numbers: [u32; WIDTH],
}

/// The ranges of the triangles of one body.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    triangles: Range<usize>,
    batches: Range<usize>,
    groups: Range<usize>,
    /// The box around all of them.
    bounds: [Vec3; 2],
    /// The range of the copies of triangles that overlap a box, and that box; `None`: queries use all
    /// triangles.
    active: Option<(Range<usize>, [Vec3; 2])>,
}

/// The triangles of one body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangles<'a> {
    triangles: &'a [Line],
    batches: &'a [Boxes],
    /// The box around all of them.
    pub(crate) bounds: [Vec3; 2],
    /// Copies of those that overlap a box, and that box.
    active: Option<(&'a [Active], [Vec3; 2])>,
}

impl GatheredTriangles {
    pub(crate) fn clear(&mut self) {
        self.triangles.clear();
        self.batches.clear();
        self.groups.clear();
        self.active.clear();
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Stores the triangles that `gather` adds. Returns their ranges; `None` if there are none.
    pub(crate) fn add(&mut self, gather: impl FnOnce(&mut dyn FnMut(&PackedTriangle))) -> Option<Stretch> {
        let Self { triangles, batches, groups, .. } = self;
        let (first, first_batch, first_group) = (triangles.len(), batches.len(), groups.len());
        let mut bounds = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        gather(&mut |packed| {
            let lane = (triangles.len() - first) % WIDTH;
            if lane == 0 {
                batches.push(Boxes::NOTHING);
            }
            let [lower, upper] = packed.bounds();
            if let Some(boxes) = batches.last_mut() {
                boxes.put(lane, [lower, upper]);
            }
            bounds = [bounds[0].min(lower), bounds[1].max(upper)];
            triangles.push(Line(*packed));
        });
        for batches in batches[first_batch..].chunks(WIDTH) {
            let mut group = Boxes::NOTHING;
            for (lane, boxes) in batches.iter().enumerate() {
                group.put(lane, boxes.bounds());
            }
            groups.push(group);
        }
        let (triangles, batches) = (first..triangles.len(), first_batch..batches.len());
        let groups = first_group..groups.len();
        (!triangles.is_empty()).then_some(Stretch { triangles, batches, groups, bounds, active: None })
    }

    /// The triangles of a stretch.
    pub(crate) fn stretch(&self, stretch: &Stretch) -> Triangles<'_> {
        Triangles {
            triangles: &self.triangles[stretch.triangles.clone()],
            batches: &self.batches[stretch.batches.clone()],
            bounds: stretch.bounds,
            active: stretch.active.as_ref().map(|(active, area)| (&self.active[active.clone()], *area)),
        }
    }

    /// Drops the copies of all stretches.
    pub(crate) fn widen(&mut self) {
        self.active.clear();
    }

    /// Copies the triangles of a stretch whose boxes overlap an area, as those that queries need most.
    pub(crate) fn narrow(&mut self, stretch: &mut Stretch, area: &Aabb) {
        let Self { batches, groups, active, .. } = self;
        let batches = &batches[stretch.batches.clone()];
        let bounds = [f32_above(area.min()), f32_below(area.max())];
        let (area, first) = (Area::new(bounds), active.len());
        let mut count = 0;
        for (group, boxes) in groups[stretch.groups.clone()].iter().enumerate() {
            for lane in lanes_of(boxes.meeting(&area)) {
                let batch = WIDTH * group + lane;
                for lane in lanes_of(batches[batch].meeting(&area)) {
                    let place = count % WIDTH;
                    if place == 0 {
                        active.push(Active { boxes: Boxes::NOTHING, numbers: [0; WIDTH] });
                    }
                    if let Some(active) = active.last_mut() {
                        active.boxes.put(place, batches[batch].lane(lane));
                        active.numbers[place] = (WIDTH * batch + lane) as u32;
                    }
                    count += 1;
                }
            }
        }
        stretch.active = Some((first..active.len(), bounds));
    }

    /// Prefetches its memory.
    pub(crate) fn prefetch(&self) {
        prefetch_far(&self.triangles);
        prefetch_far(&self.active);
    }

    /// Prefetches the boxes of the copies,
    pub(crate) fn prefetch_active(&self) {
        for active in &self.active {
            prefetch_far(&active.boxes);
            prefetch_far(&active.numbers);
        }
    }

    /// and then their triangles.
    pub(crate) fn prefetch_triangles(&self) {
        let numbers = self.active.iter().flat_map(|active| active.numbers);
        prefetch_all(numbers.filter_map(|number| self.triangles.get(number as usize)));
    }
}

/// At most this many triangles at a place are distinguished.
const MOST: usize = 16;

/// How many batches of four are tested before the first hit is passed on.
const BLOCK: usize = u64::BITS as usize / WIDTH;

impl<'a> Triangles<'a> {
    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'a PackedTriangle> {
        self.triangles.iter().map(|Line(packed)| packed)
    }

    /// Whether the box of one of them shares a point with an area.
    pub(crate) fn any_in(&self, area: &Aabb) -> bool {
        let [lower, upper] = [f32_above(area.min()), f32_below(area.max())];
        let area = Area::new([lower, upper]);
        self.bounds[0].cmple(upper).all()
            && self.bounds[1].cmpge(lower).all()
            && self.batches.iter().any(|batch| batch.meeting(&area) != 0)
    }

    /// The same, but for those with corners that are left out.
    pub(crate) fn any_in_but(&self, area: &Aabb, is_left_out: impl Fn([DVec3; 3]) -> bool) -> bool {
        let [lower, upper] = [f32_above(area.min()), f32_below(area.max())];
        let area = Area::new([lower, upper]);
        let any_of = |(place, batch): (usize, &Boxes)| {
            let met = batch.meeting(&area);
            let mut lanes = (0..WIDTH).filter(|lane| met >> lane & 1 == 1);
            lanes.any(|lane| {
                let triangle = self.triangles.get(WIDTH * place + lane);
                triangle.is_some_and(|Line(triangle)| !is_left_out(triangle.corners().map(Vec3::as_dvec3)))
            })
        };
        self.bounds[0].cmple(upper).all()
            && self.bounds[1].cmpge(lower).all()
            && self.batches.iter().enumerate().any(any_of)
    }

    /// Visits those whose boxes overlap a box, four at a time: the result is unpredictable, so few branches
    /// are better.
    #[inline(always)]
    pub(in crate::world) fn meeting(&self, bounds: [Vec3; 2], mut visit: impl FnMut(&GatheredBatch<'a>)) {
        let Some(first) = self.triangles.first() else { return };
        let area = Area::new(bounds);
        let active = self
            .active
            .filter(|(_, [lower, upper])| lower.cmple(bounds[0]).all() && upper.cmpge(bounds[1]).all());
        let active = active.map(|(active, _)| active);
        let count = active.map_or(self.batches.len(), <[Active]>::len);
        for from in (0..count).step_by(BLOCK) {
            let block = from..count.min(from + BLOCK);
            let bits = |(place, boxes): (usize, &Boxes)| u64::from(boxes.meeting(&area)) << (WIDTH * place);
            let mut met = match active {
                Some(active) => active[block].iter().map(|active| &active.boxes).enumerate().map(bits).sum(),
                None => self.batches[block].iter().enumerate().map(bits).sum::<u64>(),
            };
            let packed = |bit: u32| {
                let (batch, lane) = (from + bit as usize / WIDTH, bit as usize % WIDTH);
                let number = match active {
                    Some(active) => active.get(batch).map_or(0, |active| active.numbers[lane] as usize),
                    None => WIDTH * batch + lane,
                };
                // Without triangles there is nothing to hit.
                &self.triangles.get(number).unwrap_or(first).0
            };
            while met != 0 {
                let mut batch = GatheredBatch { triangles: [&first.0; WIDTH], count: 0 };
                let mut last = 0;
                for triangle in &mut batch.triangles {
                    last = if met == 0 { last } else { met.trailing_zeros() };
                    batch.count += usize::from(met != 0);
                    met &= met.wrapping_sub(1);
                    *triangle = packed(last);
                }
                visit(&batch);
            }
        }
    }

    /// The normals of the triangles that meet at a feature of one of them and face a contact from a
    /// direction; some point of the feature lies in a box. `None` if there are too many to number here. Equal
    /// corners are one vertex, because meshes are welded.
    pub(crate) fn normals_in_sight(
        &self,
        triangle: u32,
        feature: Feature,
        place: &Aabb,
        from: DVec3,
    ) -> Option<FeatureNormals> {
        let mut about = ArrayVec::<[DVec3; 3], MOST>::new();
        let (mut own, mut is_whole) = (None, true);
        self.meeting([f32_below(place.min()), f32_above(place.max())], |batch| {
            for packed in &batch.triangles[..batch.count] {
                let given = packed.facet().given();
                if packed.triangle() == triangle {
                    own = Some(given);
                }
                is_whole &= about.try_push(given).is_ok();
            }
        });
        let corners = own.filter(|_| is_whole)?;
        let shared = match feature {
            Feature::Edge(edge) => [corners[edge as usize % 3], corners[(edge as usize + 1) % 3]],
            Feature::Vertex(vertex) => [corners[vertex as usize % 3]; 2],
            Feature::Face => return None,
        };
        let meeting = about.iter().filter(|corners| shared.iter().all(|shared| corners.contains(shared)));
        Some(FeatureNormals::in_sight(meeting.copied(), shared, from))
    }

    /// Passes on, four at a time, those whose boxes overlap the box around a sweep: most do not, but of four
    /// that are stored together one often does.
    #[inline(always)]
    pub(crate) fn in_batches(&self, clipped: &ClippedSweep, visit: impl FnMut(&GatheredBatch<'a>)) {
        self.meeting(clipped.bounds(), visit);
    }
}

/// One to four of them.
pub(crate) struct GatheredBatch<'a> {
    /// The last of them repeated for missing ones.
    pub(crate) triangles: [&'a PackedTriangle; WIDTH],
    pub(crate) count: usize,
}

impl TriangleBatch for GatheredBatch<'_> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn fetch(&self, lane: usize) -> PackedTriangle {
        *self.triangles[lane]
    }

    #[inline(always)]
    fn corners(&self) -> [Lanes; 3] {
        let [p, q, r, s] = self.triangles.map(PackedTriangle::rows);
        [lanes([p[0], q[0], r[0], s[0]]), lanes([p[1], q[1], r[1], s[1]]), lanes([p[2], q[2], r[2], s[2]])]
    }
}
