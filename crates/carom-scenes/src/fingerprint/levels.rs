//! Curved patches, and BSP trees with their cells.

use carom::bsp::{Bsp, BspError, Cells};
use carom::shape::{BezierPatch, PatchNet, ShapeError};
use carom::world::{Body, Cast, Layers, Pose, World};
use glam::{DVec3, dvec3};

use super::casts::mover;
use super::hash::Hash;
use crate::Random;
use crate::workload::City;

/// Casts at patches of both degrees that lie about at random, and contacts beside them.
pub(super) fn curved(hash: &mut Hash, seed: u64) -> Result<(), ShapeError> {
    let mut random = Random::scattered(seed);
    for number in 0..24usize {
        let side = 3 + number % 2;
        let points: Vec<DVec3> = (0..side * side)
            .map(|at| {
                let (row, column) = ((at / side) as f64, (at % side) as f64);
                dvec3(column, random.between(-1.0, 1.0), row) * 2.0
            })
            .collect();
        let patch = BezierPatch::new([side - 1; 2], &points)?;
        let rotation = random.rotation();
        let middle = rotation * (DVec3::splat(side as f64 - 1.0) * dvec3(1.0, 0.0, 1.0));
        let mut world = World::new();
        world.add(Body::fixed(PatchNet::from(patch)).at(Pose::at(-middle)?.with_rotation(rotation)?));
        for kind in 0..20 {
            let size = random.between(0.1, 0.8);
            let mover = mover(&mut random, kind, size)?;
            let from = random.direction() * random.between(2.0, 8.0);
            let cast = Cast::new(mover, from, -from * random.between(0.5, 2.0))?;
            let hit = world.cast(&cast);
            hash.bits(u64::from(hit.is_some()));
            if let Some(hit) = hit {
                hash.number(hit.fraction);
                hash.vector(hit.point);
                hash.vector(hit.normal);
                let mut gaps = Vec::new();
                let end = cast.path().at(hit.fraction);
                world.contacts(&mover, end, size, Layers::ALL, |near| gaps.push(near.contact.gap.to_bits()));
                gaps.sort_unstable();
                gaps.into_iter().for_each(|bits| hash.bits(bits));
            }
        }
    }
    Ok(())
}

/// The tree of sixty boxes that stand in each other: points, segments, cells and portals.
pub(super) fn divided(hash: &mut Hash, seed: u64) -> Result<(), BspError> {
    let mut random = Random::scattered(seed);
    let boxes = super::mesh(City::new(60).mesh());
    let bsp = Bsp::of_mesh(&boxes)?;
    hash.bits(bsp.nodes().len() as u64);
    let mut place = || random.direction() * random.between(0.0, 60.0) + dvec3(200.0, 15.0, 200.0);
    for _ in 0..2000 {
        let (from, to) = (place(), place());
        hash.bits(u64::from(bsp.leaf_at(from)) << 1 | u64::from(bsp.meets_segment(from, to)));
    }
    let cells = Cells::of(&bsp);
    for portal in cells.portals() {
        hash.number(portal.area());
        hash.vector(cells.center(portal));
    }
    Ok(())
}
