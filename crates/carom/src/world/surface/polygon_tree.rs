//! A set of convex polygons with a tree over them.

use alloc::vec::Vec;

use crate::shape::{Aabb, ConvexPolygon};
use crate::sweep::mover::AnySweep;
use crate::sweep::{Contact, Hit};
use crate::tree::{Settings, Tree};
use crate::world::surface::local::Local;
use crate::world::surface::part_set::PartSet;

/// A set of convex polygons and the tree over them. They are plates, not a solid: a mover inside a closed set
/// is free.
#[derive(Clone, Debug)]
pub struct PolygonTree {
    polygons: Vec<ConvexPolygon>,
    tree: Tree<Aabb>,
    largest: f64,
}

impl PolygonTree {
    /// Builds the tree.
    pub fn new(polygons: Vec<ConvexPolygon>) -> Self {
        let bounds = |polygon: u32| polygons[polygon as usize].bounds();
        let tree = Tree::build(polygons.len() as u32, bounds, &Settings::default());
        let largest =
            tree.bounds().map_or(0.0, |bounds| bounds.min().abs().max(bounds.max().abs()).max_element());
        Self { polygons, tree, largest }
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

    fn hit_part(&self, sweep: &dyn AnySweep, local: &Local<'_>, part: u32, _: f64) -> Option<Hit> {
        local.polygon(&self.polygons[part as usize], |polygon| sweep.polygon(polygon))
    }

    fn contact_part(&self, sweep: &dyn AnySweep, local: &Local<'_>, part: u32, _: f64) -> Option<Contact> {
        local.polygon(&self.polygons[part as usize], |polygon| sweep.polygon_contact(polygon))
    }
}
