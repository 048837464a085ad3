use avian3d::prelude as avian;
use bevy::prelude::*;
use bevy_carom::AvianColliders;

use super::{Engine, Kind, Shape, When};

pub(super) struct Avian;

impl Engine for Avian {
    type Collider = avian::Collider;

    fn add(app: &mut App, when: When) {
        match when {
            When::After => app.add_plugins(avian::PhysicsPlugins::default()),
            When::Before => app.add_plugins(avian::PhysicsPlugins::new(FixedPreUpdate)),
        };
    }

    fn follow(app: &mut App, follows_dynamic: bool) {
        app.add_plugins(AvianColliders { follows_dynamic });
    }

    fn collider(shape: &Shape) -> avian::Collider {
        use avian::Collider as C;
        match shape {
            Shape::Ball(radius) => C::sphere(*radius),
            Shape::Cuboid(half) => C::cuboid(2.0 * half.x, 2.0 * half.y, 2.0 * half.z),
            Shape::Capsule(a, b, radius) => C::capsule_endpoints(*radius, *a, *b),
            Shape::Cylinder(radius, half) => C::cylinder(*radius, 2.0 * half),
            Shape::Cone(radius, half) => C::cone(*radius, 2.0 * half),
            Shape::HalfSpace(normal) => C::half_space(*normal),
            Shape::Hull(points) => C::convex_hull(points.clone()).unwrap(),
            Shape::Mesh(vertices, triangles) => C::trimesh(vertices.clone(), triangles.clone()),
            // Its matrix is column by column, and a column runs along z.
            Shape::Field(rows, size) => {
                let (count, length) = (rows.len(), rows[0].len());
                let heights: Vec<f32> = rows.iter().flatten().copied().collect();
                let grid = avian3d::parry::utils::Array2::new(length, count, heights);
                avian3d::parry::shape::SharedShape::heightfield(grid, *size).into()
            }
            Shape::Compound(pieces) => C::compound(
                pieces.iter().map(|(at, turn, piece)| (*at, *turn, Self::collider(piece))).collect(),
            ),
            Shape::RoundCuboid(half, radius) => {
                C::round_cuboid(2.0 * half.x, 2.0 * half.y, 2.0 * half.z, *radius)
            }
            Shape::Segment(a, b) => C::segment(*a, *b),
        }
    }

    fn body(kind: Kind, entity: &mut EntityWorldMut) {
        match kind {
            Kind::Static => entity.insert(avian::RigidBody::Static),
            Kind::Kinematic(velocity) => {
                entity.insert((avian::RigidBody::Kinematic, avian::LinearVelocity(velocity)))
            }
            Kind::Dynamic => entity.insert(avian::RigidBody::Dynamic),
        };
    }

    fn make_sensor(entity: &mut EntityWorldMut) {
        entity.insert(avian::Sensor);
    }

    fn unmake_sensor(entity: &mut EntityWorldMut) {
        entity.remove::<avian::Sensor>();
    }

    fn set_layers(entity: &mut EntityWorldMut, memberships: u32) {
        entity.insert(avian::CollisionLayers::from_bits(memberships, u32::MAX));
    }

    fn disable_collider(entity: &mut EntityWorldMut) {
        entity.insert(avian::ColliderDisabled);
    }

    fn enable_collider(entity: &mut EntityWorldMut) {
        entity.remove::<avian::ColliderDisabled>();
    }

    fn disable_body(entity: &mut EntityWorldMut) {
        entity.insert(avian::RigidBodyDisabled);
    }

    fn enable_body(entity: &mut EntityWorldMut) {
        entity.remove::<avian::RigidBodyDisabled>();
    }

    fn cast(collider: &avian::Collider, place: &Transform, from: Vec3, way: Vec3) -> Option<f32> {
        let hit = collider.cast_ray(place.translation, place.rotation, from, way, 100.0, false);
        hit.map(|(distance, _)| distance)
    }

    fn apart(collider: &avian::Collider, place: &Transform, point: Vec3) -> f32 {
        collider.project_point(place.translation, place.rotation, point, false).0.distance(point)
    }
}
