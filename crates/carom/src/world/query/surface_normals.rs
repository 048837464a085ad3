//! The normals of the surfaces that meet at a touched feature.

use glam::DVec3;

use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::shape::{Aabb, Frustum};
use crate::sweep::{Contact, Feature};
use crate::world::body::collider::Collider;
use crate::world::surface::part_set::PartSet;
use crate::world::{Moment, Neighborhood, Part, World};

impl World {
    /// Visits the unit normals of the surfaces of a body that meet at the touched feature and face the
    /// contact's side, after a share of the tick, each turned to that side: a mover that rests on the edge of
    /// a tread touches the tread and the riser; beside the lowest edge of a wall it does not touch the top of
    /// what lies behind the wall. On the face of a triangle, and for smooth solids, it is the contact's
    /// normal.
    pub fn surface_normals_at(&self, part: Part, contact: &Contact, time: f64, visit: &mut dyn FnMut(DVec3)) {
        let moment = Moment { at: DVec3::ZERO, time };
        self.surface_normals_within(None, part, contact, moment, visit);
    }

    /// The same, looking first in the gathered data, if it covers the center of the mover: a mesh is large,
    /// and reading parts of it that are not in the cache takes long.
    pub(crate) fn surface_normals_within(
        &self,
        near: Option<&Neighborhood>,
        part: Part,
        contact: &Contact,
        Moment { at, time }: Moment,
        visit: &mut dyn FnMut(DVec3),
    ) {
        let Some(whole) = self.body(part.body) else { return };
        let (body, own) = whole.piece_of(part.part, time);
        // On a face the contact's normal is that of the surface.
        if contact.feature == Feature::Face
            && matches!(&body.collider, Collider::Mesh(mesh) if own < mesh.mesh().triangle_count())
        {
            return visit(contact.normal);
        }
        let frame = body.frame_after(time);
        let pose = frame.pose();
        let mut offer = |own: DVec3| {
            let normal = frame.normal_to_world(own);
            visit(if normal.dot(contact.normal) < 0.0 { -normal } else { normal });
        };
        let side = frame.vector_to_local(contact.normal) * pose.scale();
        let round = |frustum: &Frustum, offer: &mut dyn FnMut(DVec3)| {
            let point = frame.point_to_local(contact.point);
            // The error of the point: it belongs to a mover smaller by 2⁻²⁶.
            let off = 4.0 * contact.rounding / pose.scale() + frustum.largest() / f64::from(1u32 << 26);
            frustum.sides_at(point, (side, off), offer);
        };
        match &body.collider {
            Collider::Mesh(mesh) if own < mesh.mesh().triangle_count() => {
                let near = near.filter(|near| near.covers(at, DVec3::ZERO, contact.gap.max(0.0)));
                let known = near.and_then(|near| {
                    let point = frame.point_to_local(contact.point);
                    // The error of the point, and of its map into the frame.
                    let off = 64.0 * (contact.rounding / pose.scale() + UNIT_ROUNDOFF * reach(point));
                    let place = Aabb::new(point, point).ok()?.grown(off);
                    near.normals_in_sight(part, contact.feature, &place, side)
                });
                let normals =
                    known.unwrap_or_else(|| mesh.mesh().normals_in_sight(own, contact.feature, side));
                normals.iter().for_each(|normal| offer(*normal));
            }
            Collider::Hull(hull) if contact.feature != Feature::Face => {
                let normals = hull.boundary().mesh().normals_in_sight(own, contact.feature, side);
                normals.iter().for_each(|normal| offer(*normal));
            }
            Collider::HeightField(field) if contact.feature != Feature::Face => {
                let normals = field.feature_normals(own, contact.feature);
                normals.iter().for_each(|normal| offer(*normal));
            }
            Collider::Cuboid(cuboid) => {
                let to_own = (pose.rotation() * cuboid.rotation()).conjugate();
                let point = to_own * (contact.point - pose.position());
                // The error of the point: the kernel's bound, and that of the map into the box's axes.
                let off = 4.0 * contact.rounding
                    + 32.0 * UNIT_ROUNDOFF * (reach(contact.point) + reach(pose.position()));
                let half = cuboid.half_extents() * pose.scale();
                for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                    let along = point.dot(axis);
                    if along.abs() >= half.dot(axis) - off {
                        offer(cuboid.rotation() * (axis * along.signum()));
                    }
                }
            }
            Collider::Cylinder(cylinder) => round(&cylinder.frustum(), &mut offer),
            Collider::Cone(cone) => round(&cone.frustum(), &mut offer),
            other => {
                let near = |set: &dyn PartSet| set.normal_near(own, frame.point_to_local(contact.point));
                match other.part_set().and_then(near) {
                    Some(normal) => offer(normal),
                    None => visit(contact.normal),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::mesh::Mesh;
    use crate::num::ops::rotation_about;
    use crate::shape::{Mover, Sphere};
    use crate::sweep::Path;
    use crate::world::body::body_at_time::BodyAtTime;
    use crate::world::{Body, Layers, Pose};
    use glam::dvec3;

    /// A floor of squares with steps in it, a wall across it, and triangles that have no area or are there
    /// twice.
    fn yard() -> Mesh {
        const SIDE: u32 = 12;
        let place = |i: u32| {
            let (x, z) = (i % (SIDE + 1), i / (SIDE + 1));
            [x as f32 * 0.5, if x % 4 == 0 && z % 3 == 0 { 0.25 } else { 0.0 }, z as f32 * 0.5]
        };
        let mut vertices: Vec<[f32; 3]> = (0..(SIDE + 1) * (SIDE + 1)).map(place).collect();
        let mut triangles: Vec<[u32; 3]> = (0..SIDE * SIDE)
            .map(|i| i / SIDE * (SIDE + 1) + i % SIDE)
            .flat_map(|a| [[a, a + SIDE + 1, a + SIDE + 2], [a + SIDE + 2, a + 1, a]])
            .collect();
        for i in 0..SIDE {
            // A wall on an edge of the floor: its triangles share corners with it that are given once more.
            let (a, first) = (5 * (SIDE + 1) + i, vertices.len() as u32);
            let [low, next] = [place(a), place(a + 1)];
            vertices.extend([low, next, [low[0], 2.0, low[2]]]);
            triangles.push([first, first + 1, first + 2]);
            triangles.push([a, a, a + 1]);
            if i % 3 == 0 {
                triangles.push([first + 1, first, first + 2]);
            }
        }
        Mesh::from_triangles(vertices, triangles).unwrap()
    }

    #[test]
    fn what_is_near_says_the_same_as_the_mesh() {
        let pose = Pose::at(dvec3(700.0, -3.0, 90.0))
            .and_then(|pose| pose.with_rotation(rotation_about(dvec3(1.0, 2.0, 0.5), 0.7)))
            .and_then(|pose| pose.with_scale(1.5))
            .unwrap();
        let (mut edges, mut vertices, mut known) = (0, 0, 0);
        for pose in [Pose::IDENTITY, pose] {
            let mut world = World::new();
            let id = world.add(Body::fixed(yard()).at(pose));
            let mover = Mover::from(Sphere::new(0.2).unwrap());
            let mut near = Neighborhood::new();
            let own: Vec<_> = (0..1500).map(|i| f64::from(i) * 0.618_033_988_749_895 % 1.0).collect();
            for at in own.windows(3) {
                let at = dvec3(at[0] * 6.2 - 0.1, at[1] * 0.5 - 0.1, at[2] * 6.2 - 0.1);
                let at = pose.position() + pose.rotation() * (at * pose.scale());
                let place = Path::new(at, DVec3::ZERO).unwrap();
                world.gather(&mover, &Aabb::new(at, at).unwrap().grown(0.3), Layers::ALL, &mut near);
                let mut contacts = Vec::new();
                BodyAtTime::now(id, world.body(id).unwrap()).contacts(
                    &mover,
                    &place,
                    0.1,
                    &mut |contact, part| contacts.push((contact, Part { body: id, part })),
                );
                for (contact, part) in contacts {
                    let normals = |near: Option<&Neighborhood>| {
                        let mut normals = Vec::new();
                        world.surface_normals_within(
                            near,
                            part,
                            &contact,
                            Moment { at: place.from(), time: 0.0 },
                            &mut |normal| {
                                normals.push(normal.to_array().map(f64::to_bits));
                            },
                        );
                        normals
                    };
                    assert_eq!(normals(Some(&near)), normals(None), "{contact:?}");
                    edges += usize::from(matches!(contact.feature, Feature::Edge(_)));
                    vertices += usize::from(matches!(contact.feature, Feature::Vertex(_)));
                    let frame = world.body(id).unwrap().frame_at(&pose);
                    let point = frame.point_to_local(contact.point);
                    let place = Aabb::new(point, point).unwrap().grown(1e-9);
                    known += usize::from(
                        near.normals_in_sight(part, contact.feature, &place, contact.normal).is_some(),
                    );
                }
            }
        }
        assert!(edges > 500 && vertices > 100, "{edges} edges, {vertices} corners");
        assert_eq!(known, edges + vertices, "not everything near was found");
    }
}
