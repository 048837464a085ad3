//! From components to bodies: only what has changed since the last tick.

use bevy::prelude::*;
use carom::Body;
use carom::glam::DVec3;
use carom::shape::ShapeError;
use carom::world::Pose;
use core::cmp::Ordering;

use crate::body_recipe::{BodyRecipe, Kind};
use crate::collider::Built;
use crate::convert::{pose, wide};
use crate::link::{BodyLink, OfEngine};
use crate::simulation::CaromWorld;
use crate::{CharacterController, Collider, CollisionLayers, EntityRefused, RigidMotion, Sensor, Surface};

type Parts = (
    Entity,
    Ref<'static, Collider>,
    &'static Transform,
    &'static GlobalTransform,
    Has<ChildOf>,
    Has<OfEngine>,
    Option<Ref<'static, RigidMotion>>,
    Has<Sensor>,
    Option<&'static CollisionLayers>,
    Option<&'static Surface>,
    &'static mut BodyLink,
);
type Changes = Or<(
    Changed<Collider>,
    Changed<Transform>,
    Changed<GlobalTransform>,
    Changed<RigidMotion>,
    Added<Sensor>,
    Changed<CollisionLayers>,
    Changed<Surface>,
    Changed<ChildOf>,
)>;
type Seen = <Parts as bevy::ecs::query::QueryData>::ReadOnly;
type Item<'w, 's> = <Parts as bevy::ecs::query::QueryData>::Item<'w, 's>;

/// Where a body should be by its components.
fn place(transform: &Transform, global: &GlobalTransform, is_child: bool, is_scaled: bool) -> Transform {
    // A root's own transform has its rotation and scale to the bit.
    let place = if is_child { global.compute_transform() } else { *transform };
    if is_scaled { place.with_scale(Vec3::ONE) } else { place }
}

fn numbers(t: &Transform) -> [f32; 10] {
    let [x, y, z] = t.translation.to_array();
    let [i, j, k, w] = t.rotation.to_array();
    let [p, q, r] = t.scale.to_array();
    [x, y, z, i, j, k, w, p, q, r]
}

/// To the bit: a NaN that was refused is not looked at again.
fn is_same_place(a: &Transform, b: &Transform) -> bool {
    numbers(a).map(f32::to_bits) == numbers(b).map(f32::to_bits)
}

/// The order in which changes are made: by place, so that the order of spawning changes nothing.
fn by_place(a: &(Transform, Entity), b: &(Transform, Entity)) -> Ordering {
    let (left, right) = (numbers(&a.0), numbers(&b.0));
    let differs = left.iter().zip(&right).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
    differs.unwrap_or_else(|| a.1.cmp(&b.1))
}

/// Makes, changes and places bodies.
pub(crate) fn sync_bodies(
    mut carom: ResMut<CaromWorld>,
    mut queries: ParamSet<(
        Query<Seen, (Changes, Without<CharacterController>)>,
        Query<Seen, Without<CharacterController>>,
        Query<Parts, Without<CharacterController>>,
    )>,
    mut refused: MessageWriter<EntityRefused>,
    mut changed: Local<Vec<(Transform, Entity)>>,
) {
    carom.synced = 0;
    changed.clear();
    for item in &queries.p0() {
        let (entity, collider, transform, global, is_child, is_scaled, ..) = item;
        let (.., motion, is_sensor, layers, surface, link) = item;
        let place = place(transform, global, is_child, is_scaled);
        let recipe = BodyRecipe::new(motion.as_deref(), is_sensor, layers, surface, place.scale);
        // Most of those that the change filters let through are bodies that the last tick moved.
        let is_known = is_same_place(&place, &link.placed) && !link.is_shifted && link.recipe == Some(recipe);
        let is_changed = collider.is_changed() || motion.as_ref().is_some_and(Ref::is_changed);
        if !is_known || is_changed {
            changed.push((place, entity));
        }
    }
    let all = queries.p1();
    for (entity, _, transform, global, is_child, is_scaled, ..) in all.iter_many(carom.stripped.drain(..)) {
        changed.push((place(transform, global, is_child, is_scaled), entity));
    }
    changed.sort_unstable_by(by_place);
    changed.dedup_by_key(|(_, entity)| *entity);
    let mut all = queries.p2();
    for (_, entity) in &*changed {
        let Ok(item) = all.get_mut(*entity) else { continue };
        if let Err(reason) = sync(&mut carom, item) {
            log::error!("{entity} takes no part: {reason}");
            refused.write(EntityRefused { entity: *entity, reason });
        }
    }
}

/// One body. An error says why it takes no part.
fn sync(carom: &mut CaromWorld, item: Item<'_, '_>) -> Result<(), String> {
    let (entity, collider, transform, global, is_child, is_scaled, ..) = item;
    let (.., motion, is_sensor, layers, surface, mut link) = item;
    let target = place(transform, global, is_child, is_scaled);
    if core::mem::take(&mut link.bypass_change_detection().is_shifted) && link.recipe.is_some() {
        (link.placed, link.written) = (target, *transform);
        return Ok(());
    }
    let recipe = BodyRecipe::new(motion.as_deref(), is_sensor, layers, surface, target.scale);
    let is_motion_changed = motion.as_ref().is_some_and(DetectChanges::is_changed);
    let is_same = link.recipe == Some(recipe) && !collider.is_changed() && !is_motion_changed;
    if is_same && is_same_place(&target, &link.placed) {
        return Ok(());
    }
    carom.synced += 1;
    let is_known =
        link.recipe == Some(recipe) && !collider.is_changed() && carom.bodies.contains_key(&entity);
    if is_motion_changed {
        link.path_origin = carom.last_origin;
    }
    if !is_known || is_motion_changed {
        let moves_itself = !matches!(motion.as_deref(), None | Some(RigidMotion::Follow));
        let path = match motion.as_deref() {
            _ if is_child && moves_itself => {
                Err("a body that moves by itself must have no parent: take ChildOf away, or use \
                    RigidMotion::Follow"
                    .to_string())
            }
            Some(RigidMotion::Path(path)) => {
                let keyframes =
                    path.keyframes(link.path_origin).map_err(|error| format!("its path: {error}"));
                keyframes.map(|keyframes| Some((keyframes, carom.elapsed)))
            }
            _ => Ok(None),
        };
        // A tested item is not tested again, refused or not, until it changes.
        link.recipe = Some(recipe);
        if !is_known {
            (link.placed, link.written, link.drawn) = (target, *transform, *transform);
        }
        let velocity = carom.pushed_velocity(entity);
        if !is_known || path.is_err() {
            carom.remove_body(entity);
        }
        link.path = path?;
        if !is_known {
            let body = make(carom.origin, &collider, &recipe, &target)?.with_user_data(entity.to_bits());
            add(carom, entity, body, velocity)?;
        }
    }
    // A body that follows goes there in the tick.
    if !is_same_place(&target, &link.placed) && !matches!(motion.as_deref(), Some(RigidMotion::Follow)) {
        let Some(id) = carom.body_id(entity) else { return Ok(()) };
        let scale = carom.world.body(id).map_or(1.0, |body| body.pose().scale());
        let goal = pose(&target, carom.origin);
        let goal = goal.with_scale(scale).unwrap_or(goal);
        if let Err(error) = carom.world.set_pose(id, goal) {
            link.placed = target;
            return Err(format!("its transform: {error}; it stays where it was"));
        }
        (link.placed, link.written) = (target, *transform);
    }
    Ok(())
}

/// Puts a body into the world, and among the pushed ones at this velocity if it has a mass.
fn add(carom: &mut CaromWorld, entity: Entity, body: Body, velocity: Option<DVec3>) -> Result<(), String> {
    let (mass, is_sensor) = (body.mass(), body.is_sensor());
    let id = carom.world.try_add(body).map_err(|error| format!("its transform: {error}"))?;
    carom.bodies.insert(entity, id);
    carom.sensor_count += usize::from(is_sensor);
    if let Some(mass) = mass.filter(|_| !is_sensor) {
        let CaromWorld { world, pushed, .. } = &mut *carom;
        if let Err(error) = pushed.add(world, id) {
            carom.remove_body(entity);
            return Err(error.to_string());
        }
        pushed.push(world, id, velocity.unwrap_or(DVec3::ZERO) * mass);
    }
    Ok(())
}

/// The body of a recipe.
fn make(origin: DVec3, collider: &Collider, recipe: &BodyRecipe, at: &Transform) -> Result<Body, String> {
    let text = |error: ShapeError| error.to_string();
    let Built { collider, scale } =
        collider.build(recipe.scale).map_err(|error| format!("its collider: {error}"))?;
    let body = match recipe.kind {
        Kind::Fixed => Body::fixed(collider),
        Kind::Kinematic => Body::kinematic(collider),
        Kind::Pushed(mass) => Body::dynamic(collider, f64::from(mass)).map_err(text)?,
    };
    let at: Pose = pose(at, origin);
    let at = at.with_scale(scale).map_err(text)?;
    let mut body = body.at(at);
    if let Some(surface) = recipe.surface {
        let material = surface.material();
        let is_valid = material.restitution >= 0.0
            && material.restitution.is_finite()
            && material.friction.is_none_or(|friction| friction >= 0.0 && friction.is_finite());
        if !is_valid {
            return Err("its surface: friction and restitution must be finite and at least 0".into());
        }
        body = body.with_surface(material).with_surface_velocity(wide(surface.velocity)).map_err(text)?;
    }
    let layers = recipe.layers;
    Ok(if recipe.is_sensor { body.on(layers.meets()).sensor() } else { body.on(layers.on()) })
}

/// A component has been taken from an entity that may be a body still. Bevy's `RemovedComponents` forgets
/// within two frames, and there may be more between two ticks.
pub(crate) fn on_remove_part<C: Component>(removed: On<Remove, C>, mut carom: ResMut<CaromWorld>) {
    carom.stripped.push(removed.entity);
}

/// A collider has gone, with its entity or without.
pub(crate) fn on_remove_collider(
    removed: On<Remove, Collider>,
    mut carom: ResMut<CaromWorld>,
    mut links: Query<&mut BodyLink>,
) {
    carom.remove_body(removed.entity);
    if let Ok(mut link) = links.get_mut(removed.entity) {
        link.recipe = None;
    }
}

/// A body has become a character.
pub(crate) fn on_add_controller(
    added: On<Add, CharacterController>,
    mut carom: ResMut<CaromWorld>,
    mut links: Query<&mut BodyLink>,
) {
    carom.remove_body(added.entity);
    if let Ok(mut link) = links.get_mut(added.entity) {
        link.recipe = None;
    }
}
