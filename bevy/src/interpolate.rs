//! Transforms between two ticks.
//!
//! `FixedUpdate` sees transforms of the tick. Everything else sees them interpolated between the last two
//! ticks. Both are written only if they differ. If the game writes a transform in between, that is its wish.

use bevy::prelude::*;

use crate::CharacterController;
use crate::convert::{narrow, transform};
use crate::link::{BodyLink, CharacterLink, OfEngine};
use crate::motion::RigidMotion;
use crate::simulation::CaromWorld;

type Bodies<'w, 's> = Query<
    'w,
    's,
    (Entity, &'static mut Transform, &'static mut BodyLink),
    (With<RigidMotion>, Without<OfEngine>, Without<ChildOf>, Without<CharacterController>),
>;
type Characters<'w, 's> =
    Query<'w, 's, (Entity, &'static mut Transform, &'static mut CharacterLink), With<CharacterController>>;

/// Puts transforms back to where they are at the tick, before the game's own systems of `FixedUpdate` look.
pub(crate) fn restore_transforms(carom: Res<CaromWorld>, mut bodies: Bodies, mut characters: Characters) {
    for (entity, mut shown, mut link) in &mut bodies {
        if carom.body(entity).is_some() && *shown == link.written && link.written != link.placed {
            // Nothing is drawn of it: what is drawn next is compared to what was drawn last.
            *shown.bypass_change_detection() = link.placed;
            link.written = link.placed;
        }
    }
    for (entity, mut shown, mut link) in &mut characters {
        let Some(character) = carom.character(entity) else { continue };
        let place = narrow(character.position() - carom.origin);
        if shown.translation == link.written && link.written != place {
            shown.bypass_change_detection().translation = place;
            link.written = place;
        }
    }
}

/// Shows where bodies and characters are after the share of a tick that has passed.
pub(crate) fn interpolate_transforms(
    time: Res<Time<Fixed>>,
    carom: Res<CaromWorld>,
    mut bodies: Bodies,
    mut characters: Characters,
) {
    let share = time.overstep_fraction_f64().clamp(0.0, 1.0);
    for (entity, mut shown, mut link) in &mut bodies {
        let Some(body) = carom.body(entity) else { continue };
        let between = if body.is_moving() {
            transform(&body.pose_at(share), carom.origin, link.placed.scale)
        } else {
            link.placed
        };
        if *shown == link.written && link.drawn != between {
            *shown = between;
            (link.written, link.drawn) = (between, between);
        }
    }
    for (entity, mut shown, mut link) in &mut characters {
        let Some(character) = carom.character(entity) else { continue };
        let (from, to) = (character.previous_position(), character.position());
        let between = narrow(from + (to - from) * share - carom.origin);
        if shown.translation == link.written && link.drawn != between {
            shown.translation = between;
            (link.written, link.drawn) = (between, between);
        }
    }
}
