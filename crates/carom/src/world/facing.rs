//! Which way the surfaces face that meet where something was touched.

use glam::DVec3;

use super::body::Collider;
use super::{Neighbourhood, Part, World};
use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::shape::Aabb;
use crate::sweep::{Contact, Feature};

impl World {
    /// Visits the unit normals of all surfaces of a part's body that share what a contact touched, after a share of the tick, each
    /// turned to the contact's side: a mover that rests on the edge of a tread touches the tread and the riser. For smooth solids
    /// that is the contact's normal.
    pub fn facing(&self, part: Part, contact: &Contact, time: f64, visit: &mut dyn FnMut(DVec3)) {
        self.facing_within(None, part, contact, time, visit);
    }

    /// The same, looking among what was gathered about the contact first: a mesh is large, and what of it is not near at hand
    /// takes long to come.
    pub(crate) fn facing_within(
        &self,
        near: Option<&Neighbourhood>,
        part: Part,
        contact: &Contact,
        time: f64,
        visit: &mut dyn FnMut(DVec3),
    ) {
        let Some(body) = self.body(part.body) else { return };
        let pose = body.pose_at(time);
        let frame = body.frame_at(&pose);
        let mut offer = |own: DVec3| {
            let normal = frame.normal_to_world(own);
            visit(if normal.dot(contact.normal) < 0.0 { -normal } else { normal });
        };
        match &body.collider {
            Collider::Mesh(mesh) if part.part < mesh.mesh().triangle_count() => {
                // On a face the contact's own is that of the surface.
                if contact.feature == Feature::Face {
                    return visit(contact.normal);
                }
                let known = near.and_then(|near| {
                    let point = frame.point_to_local(contact.point);
                    // What the point is off by, and its way into the frame.
                    let off = 64.0 * (contact.rounding / pose.scale() + UNIT_ROUNDOFF * reach(point));
                    let place = Aabb::new(point, point).ok()?.grown(off);
                    near.feature_normals(part, contact.feature, &place)
                });
                let normals =
                    known.unwrap_or_else(|| mesh.mesh().feature_normals(part.part, contact.feature));
                normals.iter().for_each(|normal| offer(*normal));
            }
            Collider::Polygons(set) if (part.part as usize) < set.polygons().len() => {
                offer(set.polygons()[part.part as usize].normal());
            }
            Collider::Cuboid(cuboid) => {
                let to_own = (pose.rotation() * cuboid.rotation()).conjugate();
                let point = to_own * (contact.point - pose.position());
                // What the point is off by: the kernel's bound, and the way into the box's axes.
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
            _ => visit(contact.normal),
        }
    }
}
