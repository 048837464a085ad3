//! Draws Carom's view of the world as lines.

use bevy::ecs::entity::EntityHashMap;
use bevy::gizmos::prelude::*;
use bevy::prelude::*;
use std::collections::VecDeque;

use crate::convert::narrow;
use crate::link::OfEngine;
use crate::{CaromSystems, CaromWorld, CharacterController, Collider, RigidMotion, Sensor};

/// Draws colliders, contacts, the ground and the paths of characters, by [`CaromGizmos`]. Add it beside
/// [`CaromPlugin`](crate::CaromPlugin), with Bevy's `GizmoPlugin`, which `DefaultPlugins` have.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaromGizmosPlugin;

/// The parts that are drawn: `config_store.config_mut::<CaromGizmos>().1.colliders = false`.
#[derive(Clone, Debug, Reflect, GizmoConfigGroup)]
#[reflect(Default)]
pub struct CaromGizmos {
    /// Green if fixed, blue if moving, yellow if a sensor, white if a character.
    pub colliders: bool,
    /// Red, from where a character touches something, along the normal.
    pub contacts: bool,
    /// Green, from a character's center to the ground it stands on, with the ground's normal.
    pub ground: bool,
    /// Where each character's center was in this many ticks; 0: not drawn.
    pub trace_ticks: usize,
    /// Of meshes and height fields with more triangles than this only the box is drawn.
    pub most_triangles: u32,
}

impl Default for CaromGizmos {
    fn default() -> Self {
        Self { colliders: true, contacts: true, ground: true, trace_ticks: 64, most_triangles: 5_000 }
    }
}

/// Where characters were.
#[derive(Resource, Default)]
struct Traces(EntityHashMap<VecDeque<carom::glam::DVec3>>);

impl Plugin for CaromGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<CaromGizmos>()
            .init_resource::<Traces>()
            .add_systems(FixedUpdate, trace.after(CaromSystems::Report))
            .add_systems(
                PostUpdate,
                (draw_colliders, draw_contacts, draw_traces).after(TransformSystems::Propagate),
            );
    }
}

/// Remembers where characters are.
fn trace(
    store: Res<GizmoConfigStore>,
    carom: Res<CaromWorld>,
    characters: Query<Entity, With<CharacterController>>,
    mut traces: ResMut<Traces>,
) {
    let most = store.config::<CaromGizmos>().1.trace_ticks;
    traces.0.retain(|entity, _| characters.contains(*entity));
    for entity in &characters {
        let Some(character) = carom.character(entity) else { continue };
        let trace = traces.0.entry(entity).or_default();
        trace.push_back(character.position());
        while trace.len() > most {
            trace.pop_front();
        }
    }
}

fn draw_traces(mut gizmos: Gizmos<CaromGizmos>, carom: Res<CaromWorld>, traces: Res<Traces>) {
    for trace in traces.0.values() {
        gizmos.linestrip(trace.iter().map(|place| narrow(*place - carom.origin)), Color::srgb(1.0, 0.5, 0.0));
    }
}

fn draw_contacts(
    mut gizmos: Gizmos<CaromGizmos>,
    store: Res<GizmoConfigStore>,
    carom: Res<CaromWorld>,
    characters: Query<(Entity, &Transform), With<CharacterController>>,
) {
    let CaromGizmos { contacts, ground, .. } = *store.config::<CaromGizmos>().1;
    for (entity, transform) in &characters {
        let Some(report) = carom.report(entity) else { continue };
        if contacts {
            for touch in report.touched() {
                let point = narrow(touch.point - carom.origin);
                gizmos.arrow(point, point + 0.3 * narrow(touch.normal), Color::srgb(1.0, 0.1, 0.1));
            }
        }
        if let Some(standing) = report.ground.filter(|_| ground) {
            let center = transform.translation;
            gizmos.arrow(center, center + 0.5 * narrow(standing.normal), Color::srgb(0.1, 1.0, 0.1));
        }
    }
}

fn draw_colliders(
    mut gizmos: Gizmos<CaromGizmos>,
    store: Res<GizmoConfigStore>,
    colliders: Query<(
        &Collider,
        &GlobalTransform,
        Has<Sensor>,
        Has<RigidMotion>,
        Has<CharacterController>,
        Has<OfEngine>,
    )>,
) {
    let config = store.config::<CaromGizmos>().1;
    if !config.colliders {
        return;
    }
    for (collider, place, is_sensor, is_moving, is_character, is_scaled) in &colliders {
        let color = match (is_character, is_sensor, is_moving) {
            (true, ..) => Color::WHITE,
            (_, true, _) => Color::srgb(1.0, 0.9, 0.1),
            (.., true) => Color::srgb(0.2, 0.5, 1.0),
            _ => Color::srgb(0.2, 0.8, 0.3),
        };
        let place = place.compute_transform();
        // A character is upright and in its own size, whatever its transform says.
        let place = if is_character { Transform::from_translation(place.translation) } else { place };
        let place = if is_scaled { place.with_scale(Vec3::ONE) } else { place };
        draw(&mut gizmos, collider, place, color, config.most_triangles);
    }
}

fn draw(gizmos: &mut Gizmos<CaromGizmos>, collider: &Collider, place: Transform, color: Color, most: u32) {
    let point = |p: carom::glam::DVec3| place.transform_point(narrow(p));
    let triangle = |gizmos: &mut Gizmos<CaromGizmos>, corners: [carom::glam::DVec3; 3]| {
        gizmos.lineloop(corners.map(point), color);
    };
    let boxed = |gizmos: &mut Gizmos<CaromGizmos>, ends: [carom::glam::DVec3; 2]| {
        let [low, high] = ends.map(narrow);
        let inner = Transform::from_translation(0.5 * (low + high)).with_scale(high - low);
        gizmos.cube(place.mul_transform(inner), color);
    };
    match collider {
        Collider::Sphere { radius } => ellipsoid(gizmos, place, Vec3::splat(*radius), color),
        Collider::Ellipsoid { half_extents } => ellipsoid(gizmos, place, *half_extents, color),
        Collider::Capsule { radius, half_height } => {
            let caps = radius * place.scale.x.abs();
            let reach = (radius + half_height) * place.scale.y.abs();
            let capsule = Capsule3d::new(caps, 2.0 * (reach - caps).max(0.0));
            gizmos.primitive_3d(&capsule, place.to_isometry(), color);
        }
        Collider::Cuboid { half_extents } => {
            gizmos.cube(place.with_scale(2.0 * *half_extents * place.scale), color);
        }
        Collider::Cylinder { radius, half_height } => {
            let scale = place.scale.abs();
            let cylinder = Cylinder::new(radius * scale.x, 2.0 * half_height * scale.y);
            gizmos.primitive_3d(&cylinder, place.to_isometry(), color);
        }
        Collider::Cone { radius, half_height } => {
            let cone = Cone::new(radius * place.scale.x.abs(), 2.0 * half_height * place.scale.y);
            gizmos.primitive_3d(&cone, place.to_isometry(), color);
        }
        Collider::Compound(compound) => {
            for (inner, piece) in compound.pieces() {
                draw(gizmos, piece, place.mul_transform(*inner), color, most);
            }
        }
        Collider::HalfSpace { normal } => {
            if let Ok(normal) = Dir3::new(place.rotation * *normal) {
                gizmos.primitive_3d(&Plane3d::new(*normal, Vec2::splat(10.0)), place.translation, color);
            }
        }
        Collider::Hull(hull) => {
            let vertices = hull.0.hull().vertices();
            for face in hull.0.hull().faces() {
                triangle(gizmos, face.map(|corner| vertices[corner as usize]));
            }
        }
        Collider::Mesh(mesh) if mesh.0.mesh().triangle_count() > most => {
            let mesh = mesh.0.mesh();
            if let Some(bounds) = mesh.bounds() {
                boxed(gizmos, [bounds.min(), bounds.max()].map(|corner| corner + mesh.origin()));
            }
        }
        Collider::Mesh(mesh) => {
            let mesh = mesh.0.mesh();
            for number in 0..mesh.triangle_count() {
                triangle(gizmos, mesh.corners(number).map(|corner| corner + mesh.origin()));
            }
        }
        Collider::HeightField(field) if field.0.triangle_count() > most => {
            let bounds = field.0.bounds();
            boxed(gizmos, [bounds.min(), bounds.max()]);
        }
        Collider::HeightField(field) => {
            for part in (0..field.0.triangle_count()).filter(|part| field.0.has_triangle(*part)) {
                triangle(gizmos, field.0.corners(part));
            }
        }
    }
}

/// Three ellipses.
fn ellipsoid(gizmos: &mut Gizmos<CaromGizmos>, place: Transform, half_extents: Vec3, color: Color) {
    const SIDES: usize = 24;
    for axis in 0..3 {
        let around = (0..=SIDES).map(|step| {
            let (sin, cos) = (step as f32 * core::f32::consts::TAU / SIDES as f32).sin_cos();
            let mut point = Vec3::ZERO;
            point[axis] = cos;
            point[(axis + 1) % 3] = sin;
            place.transform_point(point * half_extents)
        });
        gizmos.linestrip(around, color);
    }
}
