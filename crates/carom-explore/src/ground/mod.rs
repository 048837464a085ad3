//! The triangles of a level that are at rest: all of them in one world, or tile by tile.
//!
//! What a body meets does not depend on triangles that it cannot touch, so a world of those near it gives the
//! same answers to the bit as a world of all. Triangles have the numbers that they have in the level.

mod cache;
mod loader;
mod tile;
mod tiled;

use std::borrow::Cow;

use carom::mesh::{Mesh, MeshData};
use carom::shape::Mover;
use carom::world::{CastHit, Layers};
use carom::{Body, Cast, World};
use glam::DVec3;

use crate::error::ExploreError;
pub(crate) use tile::LoadedTile;
pub(crate) use tiled::TiledGround;

/// Triangles as lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Soup {
    pub(crate) vertices: Vec<[f32; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Of each triangle; empty if all are of one surface.
    pub(crate) surface_ids: Vec<u16>,
}

impl Soup {
    pub(crate) fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|i| point(self.vertices[i as usize]))
    }

    pub(crate) fn surface_id(&self, triangle: usize) -> u16 {
        self.surface_ids.get(triangle).copied().unwrap_or(0)
    }
}

pub(crate) fn point(vertex: [f32; 3]) -> DVec3 {
    DVec3::from_array(vertex.map(f64::from))
}

/// What a cast meets first.
pub(crate) struct Met {
    /// Its part is the number of the triangle in the level.
    pub(crate) hit: CastHit,
    pub(crate) corners: [DVec3; 3],
    pub(crate) surface_id: u16,
}

impl Met {
    /// Whether it is seen from the front along a way.
    pub(crate) fn is_front(&self, way: DVec3) -> bool {
        self.normal().dot(way) < 0.0
    }

    /// Across the front, of any length.
    pub(crate) fn normal(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a)
    }
}

/// Triangles at rest.
#[derive(Debug)]
pub(crate) enum Ground {
    Whole { soup: Soup, world: World },
    Tiled(TiledGround),
}

impl Ground {
    pub(crate) fn whole(data: MeshData) -> Result<Self, ExploreError> {
        let soup = Soup {
            vertices: data.vertices.clone(),
            triangles: data.triangles.clone(),
            surface_ids: data.surface_ids.clone(),
        };
        let mut world = World::new();
        world.add(Body::fixed(Mesh::new(data)?));
        Ok(Self::Whole { soup, world })
    }

    /// What a cast meets first.
    pub(crate) fn meet(&self, cast: &Cast) -> Option<Met> {
        match self {
            Self::Whole { soup, world } => {
                let hit = world.cast(cast)?;
                let triangle = hit.part as usize;
                Some(Met { hit, corners: soup.corners(triangle), surface_id: soup.surface_id(triangle) })
            }
            Self::Tiled(tiled) => tiled.meet(cast),
        }
    }

    /// Whether a body fits where its center is: it overlaps nothing.
    pub(crate) fn has_room(&self, body: &Mover, center: DVec3, layers: Layers) -> bool {
        let has_room = |world: &World| {
            let mut fits = true;
            world.contacts(body, center, 0.0, layers, |near| fits &= near.contact.gap >= 0.0);
            fits
        };
        match self {
            Self::Whole { world, .. } => has_room(world),
            Self::Tiled(tiled) => has_room(&tiled.about(body, center).world),
        }
    }

    /// All triangles: of a level in tiles they are read, and gone when they are dropped.
    pub(crate) fn soup(&self) -> Cow<'_, Soup> {
        match self {
            Self::Whole { soup, .. } => Cow::Borrowed(soup),
            Self::Tiled(tiled) => Cow::Owned(tiled.soup()),
        }
    }
}
