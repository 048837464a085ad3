//! The triangles of a level that are at rest: all of them in one world, or tile by tile.
//!
//! A body's hits do not depend on triangles that it cannot touch, so a world of the triangles near it gives
//! the same answers, to the bit, as a world of all. Triangles keep their numbers in the level.

mod cache;
mod loader;
mod soup;
mod tile;
mod tiled;

use std::borrow::Cow;

use carom::mesh::{Mesh, MeshData};
use carom::shape::Mover;
use carom::world::Layers;
use carom::{Body, Cast, World};
use glam::DVec3;

use crate::error::ExploreError;
pub(crate) use soup::{Facet, Met, Soup, point};
pub(crate) use tile::LoadedTile;
pub(crate) use tiled::TiledGround;

/// Triangles at rest.
#[derive(Debug)]
pub(crate) enum Ground {
    Whole { soup: Soup, world: World },
    Tiled(TiledGround),
}

impl Ground {
    pub(crate) fn whole(mut data: MeshData) -> Result<Self, ExploreError> {
        let soup = Soup {
            vertices: data.vertices.clone(),
            triangles: data.triangles.clone(),
            surface_ids: data.surface_ids.clone(),
        };
        // The tag tells whether a character stands on the sky.
        for (tag, surface) in (0..).zip(&mut data.surfaces) {
            surface.tag = tag;
        }
        let mut world = World::new();
        world.add(Body::fixed(Mesh::new(data)?));
        Ok(Self::Whole { soup, world })
    }

    /// The first hit of a cast.
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
