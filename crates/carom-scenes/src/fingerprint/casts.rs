//! Casts and contacts of every kind of mover.

use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, ShapeError, Sphere};
use carom::world::{Cast, Layers, Pose, World};
use glam::{DVec3, dvec3};

use super::hash::Hash;
use crate::{Random, SceneMesh};

/// A mover of about this size, of the kind that is due.
pub(super) fn mover(random: &mut Random, kind: usize, size: f64) -> Result<Mover, ShapeError> {
    let rotation = random.rotation();
    let radii = dvec3(random.between(0.4, 1.0), random.between(0.4, 1.0), random.between(0.4, 1.0)) * size;
    Ok(match kind % 5 {
        0 => Mover::Point,
        1 => Sphere::new(size)?.into(),
        2 => Ellipsoid::new(radii)?.with_rotation(rotation)?.into(),
        3 => Capsule::new(radii.x * 0.5, radii.y)?.with_rotation(rotation)?.into(),
        _ => Cuboid::new(radii)?.with_rotation(rotation)?.into(),
    })
}

/// Casts from near the corners of a mesh that is posed, and how the mover stands where it starts and where it
/// is stopped.
pub(super) fn asked(
    hash: &mut Hash,
    world: &World,
    near: &SceneMesh,
    pose: &Pose,
    seed: u64,
) -> Result<(), ShapeError> {
    let mut random = Random::scattered(seed);
    for kind in 0..1500 {
        let size = random.between(0.05, 1.5);
        let mover = mover(&mut random, kind, size)?;
        let corner = near.vertices[random.below(near.vertices.len())].map(f64::from);
        let corner = pose.position() + pose.rotation() * (DVec3::from_array(corner) * pose.scale());
        let from = corner + random.direction() * (size * random.between(0.0, 3.0));
        let translation = random.direction() * (size * random.between(0.0, 8.0));
        let cast = Cast::new(mover, from, translation)?;
        let hits = world.cast_all(&cast);
        hash.bits(hits.len() as u64);
        for hit in world.cast(&cast).iter().chain(&hits) {
            hash.number(hit.fraction);
            hash.vector(hit.point);
            hash.vector(hit.normal);
            hash.text(&std::format!("{:?} {} {}", hit.feature, hit.start_overlap, hit.part));
        }
        let end = hits.first().map_or(from, |hit| cast.path().at(hit.fraction));
        for place in [from, end] {
            // They come in the order of the trees, which is not part of the answer.
            let mut contacts = Vec::new();
            world.contacts(&mover, place, 0.1 * size, Layers::ALL, |near| {
                let (contact, [a, b, c]) = (near.contact, near.contact.point.to_array());
                let [d, e, f] = contact.normal.to_array();
                contacts.push([contact.gap, a, b, c, d, e, f].map(f64::to_bits));
            });
            contacts.sort_unstable();
            contacts.into_iter().flatten().for_each(|bits| hash.bits(bits));
        }
    }
    Ok(())
}
