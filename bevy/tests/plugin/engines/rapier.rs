use bevy::prelude::*;
use bevy_carom::RapierColliders;
use bevy_rapier3d::prelude as rapier;

use super::{Engine, Kind, Shape, When};
use crate::TICK;

pub(super) struct Rapier;

impl Engine for Rapier {
    type Collider = rapier::Collider;

    fn add(app: &mut App, when: When) {
        app.insert_resource(rapier::TimestepMode::Fixed { dt: TICK.as_secs_f32(), substeps: 1 });
        let plugin = rapier::RapierPhysicsPlugin::<rapier::NoUserData>::default();
        match when {
            When::After => app.add_plugins(plugin),
            When::Before => app.add_plugins(plugin.in_schedule(FixedPreUpdate)),
        };
    }

    fn follow(app: &mut App, follows_dynamic: bool) {
        app.add_plugins(RapierColliders { follows_dynamic });
    }

    fn collider(shape: &Shape) -> rapier::Collider {
        use rapier::Collider as C;
        match shape {
            Shape::Ball(radius) => C::ball(*radius),
            Shape::Cuboid(half) => C::cuboid(half.x, half.y, half.z),
            Shape::Capsule(a, b, radius) => C::capsule(*a, *b, *radius),
            Shape::Cylinder(radius, half) => C::cylinder(*half, *radius),
            Shape::Cone(radius, half) => C::cone(*half, *radius),
            Shape::HalfSpace(normal) => C::halfspace(*normal).unwrap(),
            Shape::Hull(points) => C::convex_hull(points).unwrap(),
            Shape::Mesh(vertices, triangles) => C::trimesh(vertices.clone(), triangles.clone()).unwrap(),
            // Its matrix is column by column, and a column runs along z.
            Shape::Field(rows, size) => {
                let heights = rows.iter().flatten().copied().collect();
                C::heightfield(heights, rows[0].len(), rows.len(), *size)
            }
            Shape::Compound(pieces) => C::compound(
                pieces.iter().map(|(at, turn, piece)| (*at, *turn, Self::collider(piece))).collect(),
            ),
            Shape::RoundCuboid(half, radius) => C::round_cuboid(half.x, half.y, half.z, *radius),
            Shape::Segment(a, b) => C::segment(*a, *b),
        }
    }

    fn body(kind: Kind, entity: &mut EntityWorldMut) {
        match kind {
            Kind::Static => entity.insert(rapier::RigidBody::Fixed),
            Kind::Kinematic(velocity) => {
                entity.insert((rapier::RigidBody::KinematicVelocityBased, rapier::Velocity::linear(velocity)))
            }
            Kind::Dynamic => entity.insert(rapier::RigidBody::Dynamic),
        };
    }

    fn make_sensor(entity: &mut EntityWorldMut) {
        entity.insert(rapier::Sensor);
    }

    fn unmake_sensor(entity: &mut EntityWorldMut) {
        entity.remove::<rapier::Sensor>();
    }

    fn set_layers(entity: &mut EntityWorldMut, memberships: u32) {
        let memberships = rapier::Group::from_bits_retain(memberships);
        entity.insert(rapier::CollisionGroups::new(memberships, rapier::Group::ALL));
    }

    fn disable_collider(entity: &mut EntityWorldMut) {
        entity.insert(rapier::ColliderDisabled);
    }

    fn enable_collider(entity: &mut EntityWorldMut) {
        entity.remove::<rapier::ColliderDisabled>();
    }

    fn disable_body(entity: &mut EntityWorldMut) {
        entity.insert(rapier::RigidBodyDisabled);
    }

    fn enable_body(entity: &mut EntityWorldMut) {
        entity.remove::<rapier::RigidBodyDisabled>();
    }

    fn cast(collider: &rapier::Collider, place: &Transform, from: Vec3, way: Vec3) -> Option<f32> {
        collider.cast_ray(place.translation, place.rotation, from, way, 100.0, false)
    }

    fn apart(collider: &rapier::Collider, place: &Transform, point: Vec3) -> f32 {
        collider.project_point(place.translation, place.rotation, point, false).point.distance(point)
    }
}
