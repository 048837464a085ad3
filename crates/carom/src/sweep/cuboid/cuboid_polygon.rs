//! A moving cuboid against a triangle or any flat convex outline.
//!
//! Source: Akenine-Möller, *Fast 3D triangle–box overlap testing* (2001), for the 13 axes; Bobic 2000 for the
//! velocities. Idea: the cuboid's three axes first (they reject most), then the outline's normal, then every
//! edge with every axis. All lengths in the cuboid's frame, where an edge pair is two products; the normal
//! and the speed on it in the world, so that a cuboid that slides over a plane sees it as flat as it is,
//! however it is turned and however far away the corners are.
//!
//! Complete for outlines without area too: the axes of a segment (3 + 3) and of a point (3) are among these.
//! The normal of a sliver is good down to a height of 8 roundings of its length; below that it is a segment
//! to within rounding. Error: δ of `moving_cuboid`. Cost: 3 turned corners and 6 divisions for most misses; a
//! hit takes 13 axes and a cut outline, some five times as long. Never gives up.

use alloc::vec;
use core::cell::OnceCell;

use glam::DVec3;

use crate::shape::{ConvexPolygon, Cuboid, Triangle};
use crate::sweep::cuboid::cuboid_outline::{CUTS, CornerOrder, Window, normal};
use crate::sweep::cuboid::moving_cuboid::{MovingCuboid, largest, sum_of_components, without_dust};
use crate::sweep::cuboid::separating_axis::{
    Axis, Pair, Rank, Touch, Visitor, first_contact, greater, least_depth, lesser,
};
use crate::sweep::{Contact, Feature, Hit, Path};

/// The first contact of a moving cuboid with a triangle, both sides of it.
///
/// Free up to `fraction`, and touching there to within a few δ + 64u·way, δ = 64u·(distance of the farthest
/// corner from the start + half extents) + 2u·|start|, u = 2⁻⁵³. A cuboid that touches at the start (to
/// within δ) is stopped if it moves deeper. One that overlaps by more is stopped, with `start_overlap`, if it
/// moves deeper on the axis on which it overlaps least; equal depths are settled by rank: the triangle's
/// face, the cuboid's axes x, y, z, the edge pairs; and of two equal sides, the one that is moved towards.
///
/// The corners may be given in any order: the answer has the same bits. The point lies on the triangle; its
/// feature is a corner, the edge of two corners, or the face, as the triangle touches with one, two or all. A
/// path of no length hits nothing.
pub fn cuboid_triangle(cuboid: &Cuboid, path: &Path, triangle: &Triangle) -> Option<Hit> {
    MovingCuboid::new(cuboid, path, 0.0)?.triangle(&triangle.corners())
}

/// The first contact of a moving cuboid with a convex polygon, both sides of it; the same in everything as
/// with a triangle.
///
/// Allocates for polygons of more than 16 corners.
pub fn cuboid_polygon(cuboid: &Cuboid, path: &Path, polygon: &ConvexPolygon) -> Option<Hit> {
    MovingCuboid::new(cuboid, path, 0.0)?.outline(polygon.vertices())
}

impl MovingCuboid {
    /// The first contact with a triangle, given by its corners.
    pub(crate) fn triangle(&self, corners: &[DVec3; 3]) -> Option<Hit> {
        let mut local = [DVec3::ZERO; 3];
        let outline = Outline::new(self, corners, &mut local);
        if let Some(refitted) = outline.refitted() {
            return refitted.triangle(corners);
        }
        let touch = outline.first_contact()?;
        Some(outline.answer(&touch, &mut [DVec3::ZERO; 3 + CUTS], &mut [DVec3::ZERO; 3 + CUTS]))
    }

    /// The contact of the cuboid with a triangle, given by its corners, if the gap is at most `within`.
    /// `None`: the numbers left the range of f64.
    pub(crate) fn triangle_contact(&self, corners: &[DVec3; 3], within: f64) -> Option<Contact> {
        let mut local = [DVec3::ZERO; 3];
        let outline = Outline::new(self, corners, &mut local);
        if let Some(refitted) = outline.refitted() {
            return refitted.triangle_contact(corners, within);
        }
        let touch = least_depth(&outline, self.delta(outline.reach()), within * self.scale)?;
        if touch.gap / self.scale > within {
            return None;
        }
        let hit = outline.answer(&touch, &mut [DVec3::ZERO; 3 + CUTS], &mut [DVec3::ZERO; 3 + CUTS]);
        Some(self.contact(&hit, &touch, outline.reach()))
    }

    /// The contact of the cuboid with a flat convex outline. `None`: it has no corners.
    pub(crate) fn outline_contact(&self, corners: &[DVec3]) -> Option<Contact> {
        if corners.is_empty() {
            return None;
        }
        let mut local = vec![DVec3::ZERO; corners.len()];
        let outline = Outline::new(self, corners, &mut local);
        if let Some(refitted) = outline.refitted() {
            return refitted.outline_contact(corners);
        }
        let touch = least_depth(&outline, self.delta(outline.reach()), f64::INFINITY)?;
        let count = corners.len() + CUTS;
        let hit = outline.answer(&touch, &mut vec![DVec3::ZERO; count], &mut vec![DVec3::ZERO; count]);
        Some(self.contact(&hit, &touch, outline.reach()))
    }

    /// The first contact with a flat convex outline of any number of corners, collinear and doubled ones
    /// included: without area it is the segment or the point that it is; without corners, nothing.
    pub(crate) fn outline(&self, corners: &[DVec3]) -> Option<Hit> {
        const ON_STACK: usize = 16;
        let count = corners.len();
        if count == 0 {
            None
        } else if count <= ON_STACK {
            let mut local = [DVec3::ZERO; ON_STACK];
            let outline = Outline::new(self, corners, &mut local[..count]);
            if let Some(refitted) = outline.refitted() {
                return refitted.outline(corners);
            }
            let touch = outline.first_contact()?;
            Some(outline.answer(
                &touch,
                &mut [DVec3::ZERO; ON_STACK + CUTS],
                &mut [DVec3::ZERO; ON_STACK + CUTS],
            ))
        } else {
            let mut local = vec![DVec3::ZERO; count];
            let outline = Outline::new(self, corners, &mut local);
            if let Some(refitted) = outline.refitted() {
                return refitted.outline(corners);
            }
            let touch = outline.first_contact()?;
            Some(outline.answer(
                &touch,
                &mut vec![DVec3::ZERO; count + CUTS],
                &mut vec![DVec3::ZERO; count + CUTS],
            ))
        }
    }
}

/// An outline in the frame of the cuboid.
struct Outline<'a> {
    moving: &'a MovingCuboid,
    corners: &'a [DVec3],
    /// The corners in the cuboid's frame.
    local: &'a [DVec3],
    low: DVec3,
    high: DVec3,
    /// The order of the corners, and the normal in the world, in units.
    read: OnceCell<(CornerOrder, DVec3)>,
}

impl<'a> Outline<'a> {
    #[inline(always)]
    fn new(moving: &'a MovingCuboid, corners: &'a [DVec3], local: &'a mut [DVec3]) -> Self {
        for (local, corner) in local.iter_mut().zip(corners) {
            *local = moving.local(moving.relative(*corner));
        }
        let (mut low, mut high) = (local[0], local[0]);
        for corner in &local[1..] {
            low = DVec3::new(lesser(low.x, corner.x), lesser(low.y, corner.y), lesser(low.z, corner.z));
            high =
                DVec3::new(greater(high.x, corner.x), greater(high.y, corner.y), greater(high.z, corner.z));
        }
        Self { moving, corners, local, low, high, read: OnceCell::new() }
    }

    /// At least the distance of the farthest corner from the start.
    #[inline(always)]
    fn reach(&self) -> f64 {
        greater(-self.low.x, self.high.x)
            + greater(-self.low.y, self.high.y)
            + greater(-self.low.z, self.high.z)
    }

    #[inline(always)]
    fn refitted(&self) -> Option<MovingCuboid> {
        self.moving.refitted(self.reach(), || self.corners.iter().copied().map(largest).fold(0.0, f64::max))
    }

    #[inline(always)]
    fn first_contact(&self) -> Option<Touch> {
        first_contact(self, self.moving.pace, self.moving.delta(self.reach()))
    }

    #[inline(always)]
    fn read(&self) -> &(CornerOrder, DVec3) {
        self.read.get_or_init(|| {
            let order = CornerOrder::of(self.corners);
            let corner = |k: usize| without_dust(self.corners[order.index(k)] * self.moving.scale);
            (order, normal(corner, self.corners.len()))
        })
    }

    /// The distance of the k-th corner from the mover on the axis of contact.
    fn height(&self, order: &CornerOrder, touch: &Touch, k: usize) -> f64 {
        touch.direction.dot(self.local[order.index(k)])
    }

    #[inline(always)]
    fn visit_face(&self, normal: DVec3, visitor: &mut impl Visitor) -> Option<()> {
        let span = sum_of_components(normal);
        if span == 0.0 {
            return Some(());
        }
        let moving = self.moving;
        let direction = moving.turned(normal);
        let (low, high) = span_of(self.corners, |corner| moving.relative(corner).dot(normal));
        visitor.visit(Axis {
            rank: Rank::OtherFace,
            index: 0,
            direction,
            span,
            radius: moving.radius(direction),
            low,
            high,
            speed: moving.velocity.dot(normal),
        })
    }

    #[inline(never)]
    fn answer(&self, touch: &Touch, here: &mut [DVec3], there: &mut [DVec3]) -> Hit {
        let moving = self.moving;
        let &(order, normal) = self.read();
        let direction = match touch.rank {
            Rank::OtherFace => normal * touch.sign,
            Rank::MoverFace | Rank::EdgePair => moving.axes * touch.direction,
        };
        let corner = |k: usize| self.local[order.index(k)];
        let count = self.corners.len();
        let window = moving.window(touch, self.reach());
        let mut middle_of = |run: &Support, window: &Window| {
            for (k, place) in here[..run.count].iter_mut().enumerate() {
                *place = corner(run.first + k);
            }
            window.middle_of(here, run.count, there)
        };
        // The first contact may lie beside the mover, if the two are so nearly parallel that more of them
        // touches.
        let mut support = Support::new(self, &order, touch, 4.0 * touch.tolerance);
        let point = loop {
            match middle_of(&support, &window) {
                Some(point) => break point,
                None if support.count == count => break moving.nearest(touch, self.reach(), count, corner),
                None => support = support.wider(self, &order, touch),
            }
        };
        if support.is_one_place(self.corners, &order) {
            let index = order.index(support.first);
            return moving.hit(touch, direction, self.corners[index], Feature::Vertex(index as u32));
        }
        let feature = if support.count == count && normal != DVec3::ZERO {
            Feature::Face
        } else {
            let edges = support.first..support.first + support.count - 1;
            let beside = |&k: &usize| (point - corner(k + 1)).dot(corner(k + 1) - corner(k)) <= 0.0;
            let edge = edges.clone().find(beside).unwrap_or(edges.end - 1);
            Feature::Edge(order.edge(edge))
        };
        // Bodies that overlap do so in more than the part that touches first.
        let mut inside = || {
            let window = moving.window(&Touch { gap: 0.0, ..*touch }, self.reach());
            middle_of(&Support { first: 0, count }, &window)
        };
        let point = if touch.start_overlap { inside().unwrap_or(point) } else { point };
        moving.hit(touch, direction, moving.world(point), feature)
    }
}

impl Pair for Outline<'_> {
    #[inline(always)]
    fn walk(&self, visitor: &mut impl Visitor) -> Option<()> {
        self.moving.visit_own_axes(self.low, self.high, visitor)?;
        let &(order, normal) = self.read();
        self.visit_face(normal, visitor)?;
        let count = self.corners.len();
        // Two corners have one edge, one has none.
        for k in 0..if count > 2 { count } else { count - 1 } {
            let (from, to) = (self.corners[order.index(k)], self.corners[order.index(k + 1)]);
            // From the corners themselves: the difference of two places far away has lost the edge's own
            // digits.
            let edge = self.moving.local(to * self.moving.scale - from * self.moving.scale);
            self.moving.visit_edge_pairs(k, edge, self, visitor)?;
        }
        Some(())
    }

    #[inline(always)]
    fn ends(&self, along: impl Fn(DVec3) -> f64) -> (f64, f64) {
        span_of(self.local, along)
    }
}

/// The least and the greatest value over all corners.
#[inline(always)]
fn span_of(corners: &[DVec3], along: impl Fn(DVec3) -> f64) -> (f64, f64) {
    let first = along(corners[0]);
    corners[1..]
        .iter()
        .map(|&corner| along(corner))
        .fold((first, first), |(low, high), x| (lesser(low, x), greater(high, x)))
}

/// The corners with which an outline touches: a run of them, by their place in the order.
struct Support {
    first: usize,
    count: usize,
}

impl Support {
    /// The corners at most `rise` farther from the mover than the nearest. Two corners that stand on the
    /// mover's face are different by their rounding only.
    fn new(outline: &Outline, order: &CornerOrder, touch: &Touch, rise: f64) -> Self {
        let count = outline.local.len();
        let height = |k: usize| outline.height(order, touch, k);
        let lowest = (0..count).map(height).fold(f64::INFINITY, f64::min);
        let touches = |k: usize| height(k) <= lowest + rise;
        let first = (0..count).find(|&k| touches(k) && !touches(k + count - 1));
        let Some(first) = first else { return Self { first: 0, count } };
        let count = (first..first + count).take_while(|&k| touches(k)).count();
        Self { first, count }
    }

    /// With the nearest of the other corners, of which there is at least one.
    fn wider(&self, outline: &Outline, order: &CornerOrder, touch: &Touch) -> Self {
        let count = outline.local.len();
        let height = |k: usize| outline.height(order, touch, k);
        let (before, after) = (self.first + count - 1, self.first + self.count);
        let first = if height(before) < height(after) { before % count } else { self.first };
        Self { first, count: self.count + 1 }
    }

    fn is_one_place(&self, corners: &[DVec3], order: &CornerOrder) -> bool {
        let mut run = (self.first..self.first + self.count).map(|k| corners[order.index(k)]);
        let first = run.next();
        run.all(|corner| Some(corner) == first)
    }
}
