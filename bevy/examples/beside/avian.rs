//! Avian's `MoveAndSlide` as its example `kinematic_character_3d` uses it, with the slope of the others, the
//! speed of the keys and no jumps. It climbs no steps.

use avian3d::character_controller::move_and_slide::MoveAndSlideHitResponse;
use avian3d::prelude::*;
use bevy::prelude::*;

use crate::contest::{Clock, Controller, HALF_HEIGHT, RADIUS, Walker};
use crate::level::Piece;

/// The steepest ground, in radians.
const MAX_SLOPE: f32 = core::f32::consts::FRAC_PI_4;

pub(crate) fn add(app: &mut App) {
    app.add_plugins(PhysicsPlugins::default()).add_systems(FixedPreUpdate, walk);
}

pub(crate) fn level_body(piece: &Piece) -> impl Bundle {
    let collider = match piece {
        Piece::Mesh(vertices, triangles) => Collider::trimesh(vertices.clone(), triangles.clone()),
        Piece::Cuboid(half) => Collider::cuboid(2.0 * half.x, 2.0 * half.y, 2.0 * half.z),
    };
    (collider, RigidBody::Static)
}

pub(crate) fn character() -> impl Bundle {
    (
        RigidBody::Kinematic,
        CustomPositionIntegration,
        SpeculativeMargin(0.0),
        Collider::capsule(RADIUS, 2.0 * HALF_HEIGHT),
    )
}

/// A velocity as a surface sees it.
struct Parts {
    normal: Vec3,
    across: Vec3,
    /// Along the surface, up or down.
    along: Vec3,
}

fn split(velocity: Vec3, normal: Vec3) -> Parts {
    let against = normal * normal.dot(velocity);
    let tangent = velocity - against;
    let sideways = normal.cross(Vec3::Y).normalize_or_zero();
    let across = tangent.dot(sideways) * sideways;
    Parts { normal: against, across, along: tangent - across }
}

fn walk(
    mut clock: ResMut<Clock>,
    mut walkers: Query<(Entity, &Walker, &mut Transform, &mut LinearVelocity, &Collider)>,
    move_and_slide: MoveAndSlide,
    time: Res<Time>,
) {
    clock.begin();
    for (entity, walker, mut transform, mut velocity, collider) in &mut walkers {
        velocity.0 = walker.wish.with_y(velocity.y - 9.81 * time.delta_secs());
        let own = velocity.0;
        let mut has_ground_or_ceiling = false;
        let output = move_and_slide.move_and_slide(
            collider,
            transform.translation,
            transform.rotation,
            own,
            time.delta(),
            &MoveAndSlideConfig::default(),
            &SpatialQueryFilter::from_excluded_entities([entity]),
            |hit| {
                let normal = **hit.normal;
                let is_ground = Vec3::Y.angle_between(normal) <= MAX_SLOPE;
                let wanted = split(own.with_y(0.0), normal);
                let parts = split(*hit.velocity, normal);
                let wants_down = wanted.along.y < -0.001;
                let (is_climbing, is_slipping) = (parts.along.y > 0.0, parts.along.y < -0.001);
                let stays =
                    (!is_ground && is_climbing && own.y <= 0.0) || (is_ground && is_slipping && !wants_down);
                let along = if stays { Vec3::ZERO } else { parts.along };
                *hit.velocity = parts.across + along + parts.normal;
                has_ground_or_ceiling |= is_ground;
                MoveAndSlideHitResponse::Accept
            },
        );
        transform.translation = output.position;
        if has_ground_or_ceiling {
            velocity.y = output.projected_velocity.y;
        }
    }
    clock.end(Controller::Avian);
}
