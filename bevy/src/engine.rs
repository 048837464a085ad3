//! Bodies from the colliders of a physics engine: what avian and rapier have in common.

use core::marker::PhantomData;

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::transform::helper::TransformHelper;
use bevy::transform::systems::mark_dirty_trees;

use crate::link::OfEngine;
use crate::{
    CaromSystems, CharacterController, Collider, CollisionLayers, EntityRefused, RigidMotion, Sensor,
};

/// How the engine moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EngineBody {
    Static,
    Kinematic,
    Dynamic,
}

/// The components of a physics engine.
pub(crate) trait Engine: Copy + PartialEq + Send + Sync + 'static {
    const NAME: &'static str;
    type Collider: Component;
    type Body: Component;
    type Layers: Component;
    type Sensor: Component;
    type ColliderDisabled: Component;
    type BodyDisabled: Component;
    /// A component that says how the scale of the transform counts.
    type ScaleRule: Component;
    /// A shape, shared by clones.
    type Shape;

    fn body(body: &Self::Body) -> EngineBody;
    fn layers(layers: &Self::Layers) -> CollisionLayers;
    fn scale(rule: Option<&Self::ScaleRule>, of_transform: Vec3) -> Vec3;
    /// The shape as the engine scales it; `None` if it cannot.
    fn scaled(collider: &Self::Collider, scale: Vec3) -> Option<Self::Shape>;
    /// Where the shape is in memory: the same for clones.
    fn address(shape: &Self::Shape) -> usize;
    fn translate(shape: &Self::Shape) -> Result<Collider, String>;
}

/// The settings of an engine, and the entities that lost a component since the last tick.
#[derive(Resource)]
pub(crate) struct Adoption<E> {
    follows_dynamic: bool,
    stripped: Vec<Entity>,
    engine: PhantomData<E>,
}

/// The state of a collider of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The entity has one of Carom's.
    Given,
    Refused,
    /// It is disabled, or not to be followed, or belongs to a character.
    LeftOut,
}

/// The components that an entity was given because of its engine's collider.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Adopted<E> {
    state: State,
    scale: Vec3,
    /// Components that the entity had before are the game's.
    gives_motion: bool,
    gives_sensor: bool,
    gives_layers: bool,
    engine: PhantomData<E>,
}

/// Adds the systems of an engine.
pub(crate) fn build<E: Engine>(app: &mut App, follows_dynamic: bool) {
    app.insert_resource(Adoption::<E> { follows_dynamic, stripped: Vec::new(), engine: PhantomData })
        .add_observer(on_remove::<E, E::Collider>)
        .add_observer(on_remove::<E, E::Body>)
        .add_observer(on_remove::<E, E::Layers>)
        .add_observer(on_remove::<E, E::Sensor>)
        .add_observer(on_remove::<E, E::ColliderDisabled>)
        .add_observer(on_remove::<E, E::BodyDisabled>)
        .add_observer(on_remove::<E, E::ScaleRule>)
        .add_observer(on_remove::<E, ChildOf>)
        .add_observer(on_remove::<E, CharacterController>)
        // The colliders that it gives are placed in the same tick, those of children after their parents.
        .add_systems(FixedUpdate, adopt::<E>.in_set(CaromSystems::Prepare).before(mark_dirty_trees));
}

fn on_remove<E: Engine, C: Component>(removed: On<Remove, C>, mut adoption: ResMut<Adoption<E>>) {
    adoption.stripped.push(removed.entity);
}

type Changes<E> = Or<(
    Changed<<E as Engine>::Collider>,
    Changed<Transform>,
    Changed<GlobalTransform>,
    Changed<<E as Engine>::Layers>,
    Added<<E as Engine>::Sensor>,
    Added<<E as Engine>::ColliderDisabled>,
    Changed<<E as Engine>::ScaleRule>,
    Changed<ChildOf>,
)>;
type BodyChanges<E> =
    Or<(Changed<<E as Engine>::Body>, Added<<E as Engine>::BodyDisabled>, Added<CharacterController>)>;

type Parts<'a, E> = (
    Option<Ref<'a, <E as Engine>::Collider>>,
    Option<&'a <E as Engine>::Layers>,
    Has<<E as Engine>::Sensor>,
    Has<<E as Engine>::ColliderDisabled>,
    Option<&'a <E as Engine>::ScaleRule>,
    Option<&'a Adopted<E>>,
    (Has<Collider>, Has<CharacterController>, Has<RigidMotion>, Has<Sensor>, Option<&'a CollisionLayers>),
);

type Bodies<'w, 's, E> = Query<
    'w,
    's,
    (Option<&'static <E as Engine>::Body>, Has<<E as Engine>::BodyDisabled>, Has<CharacterController>),
>;

/// The body that a collider belongs to: the nearest ancestor that is one, from the collider itself up. A
/// collider without is static. `None`: it belongs to a character, or its body is disabled.
fn owner<E: Engine>(entity: Entity, bodies: &Bodies<E>, parents: &Query<&ChildOf>) -> Option<EngineBody> {
    for entity in core::iter::once(entity).chain(parents.iter_ancestors(entity)) {
        match bodies.get(entity) {
            Ok((_, _, true)) | Ok((Some(_), true, _)) => return None,
            Ok((Some(body), ..)) => return Some(E::body(body)),
            _ => {}
        }
    }
    Some(EngineBody::Static)
}

/// Gives the entities with a collider of the engine a [`Collider`], and takes it away with theirs.
fn adopt<E: Engine>(
    mut commands: Commands,
    mut adoption: ResMut<Adoption<E>>,
    transforms: TransformHelper,
    changed: Query<Entity, (With<E::Collider>, Changes<E>)>,
    changed_bodies: Query<Entity, BodyChanges<E>>,
    children: Query<&Children>,
    parents: Query<&ChildOf>,
    bodies: Bodies<E>,
    roots: Query<&Transform, Without<ChildOf>>,
    parts: Query<Parts<E>>,
    mut refused: MessageWriter<EntityRefused>,
    mut found: Local<Vec<Entity>>,
) {
    found.clear();
    found.extend(&changed);
    for body in changed_bodies.iter().chain(adoption.stripped.drain(..)) {
        found.push(body);
        found.extend(children.iter_descendants(body));
    }
    found.sort_unstable();
    found.dedup();
    // Shapes are kept until the end, so that no other one gets the address of one that has gone.
    let mut known: HashMap<usize, (E::Shape, Collider)> = HashMap::default();
    for entity in found.iter().copied() {
        let Ok((collider, layers, is_sensor, is_disabled, rule, adopted, has)) = parts.get(entity) else {
            continue;
        };
        let (has_collider, is_character, has_motion, has_sensor, has_layers) = has;
        let is_given = adopted.is_some_and(|adopted| adopted.state == State::Given);
        // Another system may have despawned it by the time that these are applied.
        let mut entity_commands = commands.entity(entity);
        let Some(collider) = collider.filter(|_| !is_character && has_collider == is_given) else {
            if let Some(adopted) = adopted {
                // One that becomes a character keeps the shape and the layers.
                withdraw(&mut entity_commands, adopted, is_character);
                entity_commands.try_remove::<Adopted<E>>();
            }
            continue;
        };
        let scale = match roots.get(entity) {
            // To the bit.
            Ok(root) => root.scale,
            Err(_) => match transforms.compute_global_transform(entity) {
                Ok(global) => global.scale(),
                // Without a transform it has no place.
                Err(_) => continue,
            },
        };
        let scale = E::scale(rule, scale);
        let before = adopted.copied().unwrap_or(Adopted {
            state: State::LeftOut,
            scale,
            gives_motion: !has_motion,
            gives_sensor: !has_sensor,
            gives_layers: has_layers.is_none(),
            engine: PhantomData,
        });
        let mut after = before;
        let body = owner::<E>(entity, &bodies, &parents)
            .filter(|body| *body != EngineBody::Dynamic || adoption.follows_dynamic)
            .filter(|_| !is_disabled);
        let Some(body) = body else {
            withdraw(&mut entity_commands, &before, false);
            after.state = State::LeftOut;
            if adopted != Some(&after) {
                entity_commands.try_insert(after);
            }
            continue;
        };
        // The scale of a child that turns is not the same to the bit.
        let is_same_scale = before.state != State::LeftOut && before.scale.abs_diff_eq(scale, 1e-4);
        if collider.is_changed() || !is_same_scale {
            after.scale = scale;
            match make::<E>(&collider, scale, &mut known) {
                Ok(made) => {
                    after.state = State::Given;
                    entity_commands.try_insert((made, OfEngine));
                }
                Err(reason) => {
                    after.state = State::Refused;
                    withdraw(&mut entity_commands, &before, false);
                    let reason = format!("its collider of {}: {reason}", E::NAME);
                    log::error!("{entity} takes no part: {reason}");
                    refused.write(EntityRefused { entity, reason });
                }
            }
        }
        if after.state == State::Given {
            let is_moving = body != EngineBody::Static;
            set(&mut entity_commands, RigidMotion::Follow, after.gives_motion, is_moving, has_motion);
            set(&mut entity_commands, Sensor, after.gives_sensor, is_sensor, has_sensor);
            let layers = layers.map(E::layers).unwrap_or_default();
            if after.gives_layers && has_layers != Some(&layers) {
                entity_commands.try_insert(layers);
            }
        }
        if adopted != Some(&after) {
            entity_commands.try_insert(after);
        }
    }
}

/// The collider of a shape at a scale. Shapes that are shared are translated once.
fn make<E: Engine>(
    collider: &E::Collider,
    scale: Vec3,
    known: &mut HashMap<usize, (E::Shape, Collider)>,
) -> Result<Collider, String> {
    let shape = E::scaled(collider, scale).ok_or_else(|| format!("the engine cannot scale it by {scale}"))?;
    if let Some((_, made)) = known.get(&E::address(&shape)) {
        return Ok(made.clone());
    }
    let made = E::translate(&shape)?;
    known.insert(E::address(&shape), (shape, made.clone()));
    Ok(made)
}

/// Gives a component or takes it away, unless it is the game's.
fn set<C: Component>(entity: &mut EntityCommands, component: C, gives: bool, wants: bool, has: bool) {
    if gives && wants && !has {
        entity.try_insert(component);
    } else if gives && !wants && has {
        entity.try_remove::<C>();
    }
}

/// Takes away what was given, if anything was.
fn withdraw<E: Engine>(entity: &mut EntityCommands, adopted: &Adopted<E>, keeps_shape: bool) {
    if adopted.state != State::Given {
        return;
    }
    entity.try_remove::<OfEngine>();
    if adopted.gives_motion {
        entity.try_remove::<RigidMotion>();
    }
    if adopted.gives_sensor {
        entity.try_remove::<Sensor>();
    }
    if !keeps_shape {
        entity.try_remove::<Collider>();
        if adopted.gives_layers {
            entity.try_remove::<CollisionLayers>();
        }
    }
}
