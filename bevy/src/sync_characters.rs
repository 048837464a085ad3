//! From components to characters: what has changed since the last tick, and the inputs.

use bevy::prelude::*;
use carom::Mover;
use carom::character::{Character, CharacterError};

use crate::collider::ColliderError;
use crate::convert::{narrow, wide};
use crate::link::CharacterLink;
use crate::simulation::CaromWorld;
use crate::{CharacterController, CharacterInput, Collider, CollisionLayers, EntityRefused};

type Parts = (
    Entity,
    Ref<'static, Collider>,
    Ref<'static, CharacterController>,
    Ref<'static, CollisionLayers>,
    Has<ChildOf>,
    &'static mut Transform,
    &'static mut CharacterInput,
    &'static mut CharacterLink,
);
type Item<'w, 's> = <Parts as bevy::ecs::query::QueryData>::Item<'w, 's>;

/// The shape of a character.
fn shape(collider: &Collider) -> Result<Mover, String> {
    let shape = collider.mover().map_err(|error| format!("its collider: {error}"))?;
    shape.ok_or_else(|| ColliderError::NotSwept.to_string())
}

/// Makes, changes and places characters, and takes their inputs.
pub(crate) fn sync_characters(
    mut carom: ResMut<CaromWorld>,
    mut characters: Query<Parts>,
    mut refused: MessageWriter<EntityRefused>,
    mut new: Local<Vec<(Vec3, Entity)>>,
) {
    carom.remove_gone();
    new.clear();
    let count = carom.characters.len();
    carom.inputs.clear();
    carom.inputs.resize(count, carom::Input::IDLE);
    let mut refuse = |entity: Entity, reason: String| {
        log::error!("{entity}: {reason}");
        refused.write(EntityRefused { entity, reason });
    };
    for item in &mut characters {
        let entity = item.0;
        let Some(place) = carom.places.get(&entity).copied() else {
            // One that was refused waits for another component.
            if item.1.is_changed() || item.2.is_changed() || item.5.is_changed() {
                new.push((item.5.translation, entity));
            }
            continue;
        };
        if let Err(reason) = update(&mut carom, place as usize, item) {
            refuse(entity, reason);
        }
    }
    // By place, so that the order of spawning changes nothing.
    new.sort_unstable_by(|(a, left), (b, right)| {
        let order = [a.x.total_cmp(&b.x), a.y.total_cmp(&b.y), a.z.total_cmp(&b.z)];
        order.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| left.cmp(right))
    });
    for (_, entity) in new.drain(..) {
        let Ok(item) = characters.get_mut(entity) else { continue };
        if let Err(reason) = add(&mut carom, item) {
            refuse(entity, reason);
        }
    }
}

/// Takes a new character in.
fn add(carom: &mut CaromWorld, item: Item<'_, '_>) -> Result<(), String> {
    let (entity, collider, controller, layers, is_child, transform, mut input, mut link) = item;
    if is_child {
        return Err("a character must have no parent: take ChildOf away".into());
    }
    let text = |error: CharacterError| error.to_string();
    let character = Character::new(shape(&collider)?, controller.settings(layers.meets())).map_err(text)?;
    let character = character.on(layers.on()).with_user_data(entity.to_bits());
    let character = character.at(carom.origin + wide(transform.translation)).map_err(text)?;
    let place = carom.characters.len();
    carom.characters.push(character);
    carom.entities.push(entity);
    carom.places.insert(entity, place as u32);
    carom.touching.push(Vec::new());
    carom.inputs.push(carom::Input::IDLE);
    carom.synced += 1;
    link.written = transform.translation;
    link.drawn = transform.translation;
    take_input(carom, place, &mut input)
}

/// Changes what was changed of a character, and takes its input.
fn update(carom: &mut CaromWorld, place: usize, item: Item<'_, '_>) -> Result<(), String> {
    let (_, collider, controller, layers, _, mut transform, mut input, mut link) = item;
    let text = |error: CharacterError| error.to_string();
    let mut outcome = Ok(());
    let before = carom.characters[place];
    if controller.is_changed() || layers.is_changed() {
        let mut changed = before.on(layers.on());
        match changed.set_settings(controller.settings(layers.meets())) {
            Ok(()) => carom.characters[place] = changed,
            Err(error) => outcome = Err(format!("its settings stay as they were: {error}")),
        }
    }
    if collider.is_changed() || link.has_pending_shape {
        link.has_pending_shape = false;
        let CaromWorld { world, characters, .. } = &mut *carom;
        match shape(&collider).and_then(|shape| {
            if *characters[place].shape() == shape {
                return Ok(false);
            }
            match characters[place].resize(world, shape) {
                Ok(()) => Ok(true),
                // It rises as soon as there is room.
                Err(CharacterError::DoesNotFit) => {
                    link.has_pending_shape = true;
                    Ok(false)
                }
                Err(error) => Err(text(error)),
            }
        }) {
            Ok(_) => {}
            Err(error) => outcome = Err(format!("its shape stays as it was: {error}")),
        }
    }
    let own = narrow(carom.characters[place].position() - carom.origin);
    if transform.translation != link.written {
        let goal = carom.origin + wide(transform.translation);
        match carom.characters[place].teleport(goal) {
            Ok(()) => link.written = transform.translation,
            Err(error) => {
                transform.translation = own;
                link.written = own;
                outcome = Err(format!("it stays where it was: {error}"));
            }
        }
    } else if transform.translation != own {
        // Another shape stands on the same feet, about another center.
        transform.translation = own;
        link.written = own;
    }
    carom.synced += usize::from(carom.characters[place] != before);
    take_input(carom, place, &mut input)?;
    outcome
}

/// Takes what a player wants. A jump and a launch are done once.
fn take_input(
    carom: &mut CaromWorld,
    place: usize,
    input: &mut Mut<'_, CharacterInput>,
) -> Result<(), String> {
    carom.inputs[place] = input.input();
    if input.jump.is_some() || input.launch.is_some() {
        input.jump = None;
        if let Some(velocity) = input.launch.take() {
            carom.characters[place].launch(wide(velocity)).map_err(|error| format!("its launch: {error}"))?;
        }
    }
    Ok(())
}

/// A character has gone, or its controller or collider.
pub(crate) fn on_remove_controller(removed: On<Remove, CharacterController>, mut carom: ResMut<CaromWorld>) {
    forget(&mut carom, removed.entity);
}

/// See [`on_remove_controller`].
pub(crate) fn on_remove_shape(removed: On<Remove, Collider>, mut carom: ResMut<CaromWorld>) {
    forget(&mut carom, removed.entity);
}

fn forget(carom: &mut CaromWorld, entity: Entity) {
    if carom.places.contains_key(&entity) && !carom.gone.contains(&entity) {
        carom.gone.push(entity);
    }
}
