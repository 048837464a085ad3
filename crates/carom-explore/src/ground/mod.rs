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
pub(crate) use soup::{Facet, Met, Sides, Soup, point};
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

    /// The sides of all that a ray hits. It is short: a level in tiles reads those around its start.
    pub(crate) fn sides(&self, cast: &Cast) -> Sides {
        let path = cast.path();
        let across = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).dot(path.translation());
        let all = |world: &World, soup: &Soup| {
            let hits = world.cast_all(cast).into_iter().map(|hit| soup.corners(hit.part as usize));
            let (fronts, others): (Vec<_>, Vec<_>) = hits.partition(|corners| across(*corners) < 0.0);
            let backs: Vec<_> = others.into_iter().filter(|corners| across(*corners) > 0.0).collect();
            let is_behind = |[a, b, c]: &[DVec3; 3]| [[*a, *c, *b], [*c, *b, *a], [*b, *a, *c]];
            Sides {
                front: !fronts.is_empty(),
                back: !backs.is_empty(),
                is_sheet: fronts.iter().flat_map(is_behind).any(|corners| backs.contains(&corners)),
            }
        };
        match self {
            Self::Whole { soup, world } => all(world, soup),
            Self::Tiled(tiled) => {
                let tile = tiled.about(cast.mover(), path.from());
                all(&tile.world, &tile.soup)
            }
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

    /// The corners of all triangles that a body touches where its center is.
    pub(crate) fn touching(&self, body: &Mover, center: DVec3, layers: Layers) -> Vec<[DVec3; 3]> {
        let among = |world: &World, soup: &Soup| {
            let mut touched = Vec::new();
            world.contacts(body, center, 0.0, layers, |near| {
                touched.push(soup.corners(near.part.part as usize));
            });
            touched
        };
        match self {
            Self::Whole { world, soup } => among(world, soup),
            Self::Tiled(tiled) => {
                let tile = tiled.about(body, center);
                among(&tile.world, &tile.soup)
            }
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
