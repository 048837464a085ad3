//! The tick, and its messages to the game.

use bevy::prelude::*;
use carom::character::{CrowdInput, Report};
use carom::sensor::{SensorEvent, SensorEventKind, TickPath};

use crate::convert::{narrow, transform};
use crate::link::{BodyLink, CharacterLink};
use crate::simulation::{CaromWorld, Presence, Touching};
use crate::{
    BodyPressed, CharacterController, CharacterCrushed, CharacterReport, CharacterTouch, EntityRefused,
    RigidMotion, SensorTouch, SensorVisitors, TouchPhase,
};

type Moved<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static RigidMotion,
        &'static Transform,
        &'static GlobalTransform,
        Has<ChildOf>,
        &'static mut BodyLink,
    ),
    Without<CharacterController>,
>;

/// Moves bodies, then characters among them, then finds what is in which sensor.
pub(crate) fn step(
    time: Res<Time>,
    mut carom: ResMut<CaromWorld>,
    mut bodies: Moved,
    mut refused: MessageWriter<EntityRefused>,
) {
    let dt = time.delta_secs_f64();
    if dt <= 0.0 {
        return;
    }
    let CaromWorld { world, pushed, bodies: ids, elapsed, origin, .. } = &mut *carom;
    *elapsed += dt;
    pushed.advance(world, dt, |moves| {
        for (entity, motion, shown, global, is_child, mut link) in &mut bodies {
            let Some(id) = ids.get(&entity) else { continue };
            let sent = match motion {
                RigidMotion::Follow => {
                    let target = if is_child { global.compute_transform() } else { *shown };
                    // Another scale is another body, and made before the tick.
                    let target = target.with_scale(link.placed.scale);
                    if target == link.placed {
                        continue;
                    }
                    (link.placed, link.written) = (target, *shown);
                    moves.move_to(*id, crate::convert::pose(&target, *origin))
                }
                RigidMotion::Velocity { linear, angular } => {
                    moves.drive(*id, crate::convert::wide(*linear), crate::convert::wide(*angular))
                }
                RigidMotion::Path(_) => match &link.path {
                    Some((keyframes, began)) => moves.move_to(*id, keyframes.pose_at(*elapsed - began)),
                    None => continue,
                },
                RigidMotion::Pushed { .. } => continue,
            };
            if let Err(error) = sent {
                let reason = format!("its motion: {error}; it stays in this tick");
                log::error!("{entity}: {reason}");
                refused.write(EntityRefused { entity, reason });
            }
        }
    });
    let CaromWorld { world, crowd, characters, inputs, paths, yaws, sensors, sensor_count, .. } = &mut *carom;
    yaws.clear();
    yaws.extend(characters.iter().map(carom::Character::yaw));
    paths.iter_mut().for_each(TickPath::clear);
    paths.resize_with(characters.len(), TickPath::new);
    if *sensor_count == 0 {
        crowd.step_all(world, characters, inputs, dt);
    } else {
        crowd.step_all_traced(world, characters, CrowdInput { inputs, dt }, paths);
    }
    sensors.update(world, characters, paths);
    let CaromWorld { world, crowd, pushed, targets, characters, .. } = &mut *carom;
    targets.update(characters);
    for report in crowd.reports() {
        pushed.push_all(world, report.pushes());
    }
    carom.ticks += 1;
}

/// Writes the transforms of bodies that moved.
pub(crate) fn write_bodies(
    carom: Res<CaromWorld>,
    mut bodies: Query<
        (Entity, &RigidMotion, &mut Transform, &mut BodyLink),
        (Without<ChildOf>, Without<CharacterController>),
    >,
) {
    for (entity, motion, mut shown, mut link) in &mut bodies {
        let Some(body) = carom.body(entity).filter(|body| body.is_moving()) else { continue };
        if *motion == RigidMotion::Follow {
            continue;
        }
        let place = transform(body.pose(), carom.origin, link.placed.scale);
        if *shown != place {
            *shown = place;
        }
        (link.placed, link.written) = (place, place);
    }
}

/// Reports which crates have no room.
pub(crate) fn write_presses(carom: Res<CaromWorld>, mut presses: MessageWriter<BodyPressed>) {
    let entity = |id| Entity::try_from_bits(carom.world.body(id)?.user_data());
    for carom::pushed::PressedBody { body, by } in carom.pushed.pressed() {
        if let (Some(body), Some(by)) = (entity(body), entity(by)) {
            presses.write(BodyPressed { body, by });
        }
    }
}

/// Writes the transforms and the reports of characters.
pub(crate) fn write_characters(
    carom: Res<CaromWorld>,
    mut characters: Query<(Entity, &mut Transform, &mut CharacterLink, &mut CharacterReport)>,
) {
    for (entity, mut shown, mut link, mut report) in &mut characters {
        let Some(place) = carom.places.get(&entity).copied() else { continue };
        let character = &carom.characters[place as usize];
        let position = narrow(character.position() - carom.origin);
        if shown.translation != position {
            shown.translation = position;
        }
        link.written = position;
        let before = carom.yaws.get(place as usize).copied().unwrap_or(character.yaw());
        if let Some(came_to) = carom.crowd.reports().get(place as usize) {
            report.set_if_neq(CharacterReport::new(came_to, character.yaw() - before));
        }
    }
}

/// The contacts of a character, by entity.
fn touched(report: &Report, into: &mut Vec<Touching>) {
    into.clear();
    for touch in report.touched() {
        let Some(other) = Entity::try_from_bits(touch.user_data) else { continue };
        if !into.iter().any(|known| known.other == other) {
            into.push(Touching { other, point: touch.point, normal: touch.normal });
        }
    }
    into.sort_unstable_by_key(|touch| touch.other);
}

/// Reports what characters began and ceased to touch, and which are crushed.
pub(crate) fn write_touches(
    mut carom: ResMut<CaromWorld>,
    mut touches: MessageWriter<CharacterTouch>,
    mut crushed: MessageWriter<CharacterCrushed>,
    mut now: Local<Vec<Touching>>,
) {
    let CaromWorld { crowd, entities, touching, origin, .. } = &mut *carom;
    let origin = *origin;
    for ((character, report), before) in entities.iter().zip(crowd.reports()).zip(touching) {
        touched(report, &mut now);
        let mut tell = |touch: &Touching, phase| {
            let (point, normal) = (narrow(touch.point - origin), narrow(touch.normal));
            touches.write(CharacterTouch { character: *character, other: touch.other, phase, point, normal });
        };
        for ended in before.iter().filter(|old| !now.iter().any(|new| new.other == old.other)) {
            tell(ended, TouchPhase::Ended);
        }
        for started in now.iter().filter(|new| !before.iter().any(|old| old.other == new.other)) {
            tell(started, TouchPhase::Started);
        }
        core::mem::swap(before, &mut now);
        if report.crushed() {
            let by = report.crushed_by().filter_map(|by| Entity::try_from_bits(by.user_data));
            crushed.write(CharacterCrushed { character: *character, by: by.collect() });
        }
    }
}

/// The pair of an event, by entity.
fn presence(event: &SensorEvent) -> Option<Presence> {
    let sensor = Entity::try_from_bits(event.sensor_user_data)?;
    Some(Presence { sensor, visitor: Entity::try_from_bits(event.visitor_user_data)? })
}

/// Reports what entered sensors and what left. Compared by entity: a body that was made again, of another
/// collider, has left nothing.
pub(crate) fn write_sensors(
    mut carom: ResMut<CaromWorld>,
    mut touches: MessageWriter<SensorTouch>,
    mut visitors: Query<&mut SensorVisitors>,
    mut now: Local<Vec<Presence>>,
) {
    if carom.sensor_count == 0 && carom.inside.is_empty() {
        return;
    }
    let CaromWorld { sensors, inside, .. } = &mut *carom;
    now.clear();
    let mut tell = |Presence { sensor, visitor }, phase, time: f64| {
        touches.write(SensorTouch { sensor, visitor, phase, time: time as f32 });
    };
    let was_in = |pair: &Presence| inside.binary_search(pair).is_ok();
    for event in sensors.events() {
        let Some(pair) = presence(event) else { continue };
        match event.kind {
            SensorEventKind::Entered | SensorEventKind::Stayed => {
                now.push(pair);
                if !was_in(&pair) {
                    tell(pair, TouchPhase::Started, event.time);
                }
            }
            SensorEventKind::Left if now.last() == Some(&pair) => {
                now.pop();
                // A visit that began before this tick ends once, below, even if its body was made again.
                if !was_in(&pair) {
                    tell(pair, TouchPhase::Ended, event.time);
                }
            }
            SensorEventKind::Left => {}
        }
    }
    now.sort_unstable();
    for pair in inside.iter().filter(|pair| now.binary_search(pair).is_err()) {
        let is_end = |event: &&SensorEvent| {
            event.kind == SensorEventKind::Left && presence(event).as_ref() == Some(pair)
        };
        let time = sensors.events().iter().filter(is_end).map(|event| event.time).fold(0.0, f64::max);
        tell(*pair, TouchPhase::Ended, time);
    }
    if *inside != *now {
        let mut changed: Vec<Entity> = inside.iter().chain(&*now).map(|pair| pair.sensor).collect();
        changed.dedup();
        for sensor in changed {
            if let Ok(mut list) = visitors.get_mut(sensor) {
                let first = now.partition_point(|pair| pair.sensor < sensor);
                let own = now[first..].iter().take_while(|pair| pair.sensor == sensor);
                list.set_if_neq(SensorVisitors(own.map(|pair| pair.visitor).collect()));
            }
        }
        core::mem::swap(inside, &mut now);
    }
}
