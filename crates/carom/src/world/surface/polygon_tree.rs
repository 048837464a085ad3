//! A set of convex polygons with a tree over them.

use alloc::vec::Vec;

use glam::DVec3;

use crate::shape::{Aabb, ConvexPolygon, Mover};
use crate::sweep::mover::AnySweep;
use crate::sweep::{Contact, Hit};
use crate::tree::{Settings, Tree};
use crate::world::query::nearest::nearest;
use crate::world::surface::local::Local;
use crate::world::surface::part_set::{AsParts, PartSet};

/// A set of convex polygons and the tree over them. They are plates, not a solid: a mover inside a closed set
/// is free.
#[derive(Clone, Debug)]
pub struct PolygonTree {
    polygons: Vec<ConvexPolygon>,
    tree: Tree<Aabb>,
    largest: f64,
    as_parts: AsParts<Self>,
}

impl PolygonTree {
    /// Builds the tree.
    pub fn new(polygons: Vec<ConvexPolygon>) -> Self {
        let bounds = |polygon: u32| polygons[polygon as usize].bounds();
        let tree = Tree::build(polygons.len() as u32, bounds, &Settings::default());
        let largest =
            tree.bounds().map_or(0.0, |bounds| bounds.min().abs().max(bounds.max().abs()).max_element());
        Self { polygons, tree, largest, as_parts: |set| set }
    }

    /// The polygons.
    pub fn polygons(&self) -> &[ConvexPolygon] {
        &self.polygons
    }

    /// The largest absolute coordinate, in meters; 0 if there are no polygons.
    pub fn largest_coordinate(&self) -> f64 {
        self.largest
    }

    /// The tree over them.
    pub fn tree(&self) -> &Tree<Aabb> {
        &self.tree
    }

    pub(in crate::world) fn as_parts(&self) -> &dyn PartSet {
        (self.as_parts)(self)
    }
}

impl PartSet for PolygonTree {
    fn parts(&self) -> u32 {
        self.polygons.len() as u32
    }

    fn largest_of_all(&self) -> f64 {
        self.largest
    }

    fn boxes(&self) -> &Tree<Aabb> {
        &self.tree
    }

    fn box_of(&self, part: u32) -> Aabb {
        self.polygons[part as usize].bounds()
    }

    fn hit_part(&self, sweep: AnySweep<'_>, local: &Local<'_>, part: u32, _: f64) -> Option<Hit> {
        local.polygon(&self.polygons[part as usize], |polygon| sweep.polygon(polygon))
    }

    fn contact_part(&self, sweep: AnySweep<'_>, local: &Local<'_>, part: u32, _: f64) -> Option<Contact> {
        local.polygon(&self.polygons[part as usize], |polygon| sweep.polygon_contact(polygon))
    }

    fn normal_near(&self, part: u32, _: DVec3) -> Option<DVec3> {
        self.polygons.get(part as usize).map(ConvexPolygon::normal)
    }

    fn nearest_to(&self, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)> {
        Some(nearest(mover, &self.polygons[part as usize], -center))
    }
}
