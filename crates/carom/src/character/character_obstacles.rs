//! Characters as obstacles of each other: each keeps to its side of a plane.
//!
//! Source: `docs/crowds.md`. Two convex bodies that are apart have a plane between them. At the start of a
//! tick both know the position and the desired velocity of the other. So both find the same plane and the
//! same share of the gap for each: as much as it approaches. A character that stays on its own side touches
//! no other, whatever the other does. So all can move at once, in any order, with the same answer. Error:
//! none beyond rounding, but a plane is larger than the other's body: a character that passes another closely
//! and fast may be slowed for a tick. Cost: one contact per neighbor and tick.

use glam::DVec3;

use super::above::Above;
use super::neighbor::{Neighbor, StackLink};
use super::report::Obstacle;
use super::support::{Contacts, LEVEL};
use crate::num::bound::{APPROACH, STANDOFF, UNIT_ROUNDOFF, reach};
use crate::respond::{Obstacles, SurfaceContact, SweepHit, WorldObstacles};
use crate::sweep::{Contact, Feature};
use crate::world::World;

/// The side of a plane that a character keeps to: `normal · x ≥ offset + speed · time`.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeparatingPlane {
    pub(super) character: u32,
    /// The number and the user number of the other.
    pub(super) user_data: u64,
    normal: DVec3,
    offset: f64,
    /// The motion of the plane along its normal in the tick: with the body that carries both, and pushed by
    /// the lower of two that stand on each other.
    speed: f64,
    /// Whether the other is above this one.
    pub(super) bears: bool,
    /// The touched point of the other, for reports.
    point: DVec3,
    rounding: f64,
}

/// The plane between two characters, seen from one of them.
struct Parted {
    /// The unit normal, towards that one.
    normal: DVec3,
    /// How far that one may go towards the other by the end of the tick.
    share: f64,
    /// The motion of the plane along the normal in the tick: negative if a body lifts that one.
    recedes: f64,
    point: DVec3,
    rounding: f64,
}

impl Parted {
    fn of(own: &Neighbor, other: &Neighbor) -> Option<Self> {
        let Contact { gap, normal, point, rounding, .. } = own.contact(other)?;
        // A receding character may still be stopped, so only approaching counts.
        let both = own.carried_with(other);
        let way = |one: &Neighbor| one.translation + one.stack.borne + (one.carried - both);
        let (mine, theirs) = (-normal.dot(way(own)), normal.dot(way(other)));
        let (mine, theirs) = (mine.max(0.0), theirs.max(0.0));
        let gap = gap - 2.0 * STANDOFF * rounding;
        let share = if gap <= 0.0 || mine + theirs == 0.0 {
            0.5 * gap
        } else if mine + theirs <= gap {
            mine + 0.5 * (gap - mine - theirs)
        } else {
            gap * (mine / (mine + theirs))
        };
        // A character that is lifted against one in the air above moves the whole way: it cannot wait.
        let (lifted, lifts) = (lift(own, other, -normal), lift(other, own, normal));
        let share = if lifted > 0.0 { share.max(lifted) } else { share };
        let share = if lifts > 0.0 { share.min(gap - lifts) } else { share };
        Some(Self { normal, share, recedes: lifts - lifted, point, rounding })
    }
}

/// How far a body lifts `lower` towards `upper`, if that is in the air above it; else 0.
fn lift(lower: &Neighbor, upper: &Neighbor, toward: DVec3) -> f64 {
    let StackLink { up, least_upright, stands_on, .. } = upper.stack;
    let is_above = toward.dot(up) >= least_upright && toward.dot(lower.stack.up) > LEVEL;
    let flies = upper.carrier.is_none() && stands_on.is_none();
    if is_above && flies { toward.dot(lower.carried).max(0.0) } else { 0.0 }
}

impl SeparatingPlane {
    /// Whether it stops a character at a place at the end of the tick.
    pub(super) fn stops(&self, at: DVec3, velocity: DVec3) -> bool {
        let gap = self.contact(at, 1.0).gap;
        gap <= STANDOFF * self.rounding && self.normal.dot(velocity) < 0.0
    }

    /// Whether the character at a place is on the wrong side, or will be when the plane has moved.
    pub(super) fn presses(&self, at: DVec3) -> bool {
        let gap = self.gap(at);
        gap < 0.0 || gap < self.speed
    }

    /// Whether a character at a place is on the wrong side at the end of the tick.
    pub(super) fn is_left_at(&self, at: DVec3) -> bool {
        self.contact(at, 1.0).gap < -STANDOFF * self.rounding
    }

    /// The unit normal, towards the side that the character keeps to.
    pub(super) fn normal(&self) -> DVec3 {
        self.normal
    }

    /// How far a character at a place is from leaving its side at the start of the tick.
    pub(super) fn gap(&self, at: DVec3) -> f64 {
        self.contact(at, 0.0).gap
    }

    /// The side of `own` against `other`; `None` if they are too far apart to matter, or the numbers are out
    /// of range.
    pub(super) fn between(world: &World, own: &Neighbor, other: &Neighbor) -> Option<Self> {
        let apart = reach(own.position - other.position);
        if apart > 2.0 * (own.extent() + other.extent()) {
            return None;
        }
        let Parted { normal, share, recedes, point, rounding } = Parted::of(own, other)?;
        let rounding = rounding + 4.0 * UNIT_ROUNDOFF * reach(own.position);
        let speed = normal.dot(own.carried_with(other));
        if own.stack.rests || other.stack.rests {
            let plane = Self {
                character: other.number,
                user_data: other.user_data,
                normal,
                offset: 0.0,
                speed,
                bears: false,
                point,
                rounding,
            };
            if let Some(side) = Self::in_stack(world, own, other, plane) {
                return Some(side);
            }
        }
        Some(Self {
            character: other.number,
            user_data: other.user_data,
            normal,
            offset: normal.dot(own.position) - (share + recedes),
            speed: speed + recedes,
            bears: false,
            point,
            rounding,
        })
    }

    /// How far up `own` can go before it leaves its side against `other`; `None` if `other` is not in its
    /// way, or one of the two gives way to the other.
    pub(super) fn rise_below(own: &Neighbor, other: &Neighbor) -> Option<f64> {
        if !own.is_near(other) || Above::of(own, other).is_some() || Above::of(other, own).is_some() {
            return None;
        }
        let Parted { normal, share, .. } = Parted::of(own, other)?;
        let sinks = -normal.dot(own.stack.up);
        // It is beside the other, and near enough to be in the way across `up`.
        Some(if sinks > 0.0 { share.max(0.0) / sinks } else { f64::MAX })
    }

    /// The side of `own` against `other` where one of them stands on the other: the plane is at the skin of
    /// the lower one and goes with it.
    fn in_stack(world: &World, own: &Neighbor, other: &Neighbor, plane: Self) -> Option<Self> {
        let at = own.position;
        if let Some(above) = Above::of(own, other) {
            let travel = above.push(world, own, other).travel;
            let normal = -above.toward;
            // A character in the middle of a stack rises between two planes, which must move alike. The
            // lowest may climb a step at the end of the tick.
            let (share, speed) = if own.stack.rests { (0.0, travel) } else { (travel, 0.0) };
            return Some(Self {
                normal,
                offset: normal.dot(at) - share,
                speed: plane.speed - speed,
                bears: true,
                ..plane
            });
        }
        let above = Above::of(other, own)?;
        let travel = above.push(world, other, own).travel;
        let normal = above.toward;
        // An overlap is left within the tick: at its start the characters above are still in the way.
        let (apart, deep) = (above.gap.max(0.0), (-above.gap).max(0.0));
        Some(Self { normal, offset: normal.dot(at) - apart, speed: plane.speed + travel + deep, ..plane })
    }

    fn contact(&self, at: DVec3, time: f64) -> Contact {
        Contact {
            gap: self.normal.dot(at) - self.offset - self.speed * time,
            normal: self.normal,
            point: self.point,
            feature: Feature::Face,
            rounding: self.rounding,
        }
    }

    /// The contact at a share of the tick, in a motion that takes the share `span` of it.
    fn touch(&self, at: DVec3, time: f64, span: f64) -> SurfaceContact<Obstacle> {
        SurfaceContact {
            key: Obstacle::Character(self.character),
            contact: self.contact(at, time),
            motion: self.normal * (self.speed * span),
            run: DVec3::ZERO,
            friction: None,
            restitution: 0.0,
        }
    }

    fn sweep(&self, from: DVec3, translation: DVec3, [start, end]: [f64; 2]) -> Option<f64> {
        let gap = self.contact(from, start).gap;
        let approach = self.speed * (end - start) - self.normal.dot(translation);
        let least = APPROACH * (reach(translation) + self.speed.abs());
        let stop = STANDOFF * self.rounding;
        (approach > least && gap - approach < stop).then(|| ((gap - stop) / approach).clamp(0.0, 1.0))
    }
}

/// The bodies and the characters around one character.
#[derive(Clone, Copy)]
pub(super) struct CharacterObstacles<'a> {
    pub(super) around: WorldObstacles<'a>,
    pub(super) sides: &'a [SeparatingPlane],
    /// The shares of the tick at which the motion begins and ends.
    pub(super) span: [f64; 2],
    /// Contacts that are known already.
    pub(super) known: Option<Known<'a>>,
    /// Whether those on its head are ignored: halfway up a step they are in no one's way.
    pub(super) passes_riders: bool,
}

/// All contacts at a place and a time of the same motion.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) contacts: &'a Contacts,
    pub(super) at: DVec3,
    pub(super) time: f64,
    pub(super) distance: f64,
}

impl CharacterObstacles<'_> {
    fn in_tick(&self, time: f64) -> f64 {
        self.span[0] + (self.span[1] - self.span[0]) * time
    }

    fn counting(&self) -> impl Iterator<Item = &SeparatingPlane> {
        self.sides.iter().filter(|side| !(self.passes_riders && side.bears))
    }

    fn touch(&self, side: &SeparatingPlane, at: DVec3, time: f64) -> SurfaceContact<Obstacle> {
        side.touch(at, self.in_tick(time), self.span[1] - self.span[0])
    }
}

impl Obstacles for CharacterObstacles<'_> {
    type Key = Obstacle;

    fn sweep(&self, from: DVec3, translation: DVec3, times: [f64; 2]) -> Option<SweepHit<Obstacle>> {
        let met = self.around.sweep(from, translation, times);
        let met = met.map(|SweepHit { fraction, key }| SweepHit { fraction, key: Obstacle::Body(key) });
        let times = times.map(|time| self.in_tick(time));
        self.counting().fold(met, |best, side| match side.sweep(from, translation, times) {
            Some(fraction) if best.is_none_or(|best| fraction < best.fraction) => {
                Some(SweepHit { fraction, key: Obstacle::Character(side.character) })
            }
            _ => best,
        })
    }

    fn contacts(&self, at: DVec3, time: f64, distance: f64, visit: &mut dyn FnMut(SurfaceContact<Obstacle>)) {
        let known = self.known.filter(|known| (known.at, known.time, known.distance) == (at, time, distance));
        if let Some(known) = known {
            return known.contacts.iter().copied().for_each(visit);
        }
        self.around.contacts(at, time, distance, &mut |touch| visit(touch.named(Obstacle::Body)));
        for side in self.counting() {
            if side.contact(at, self.in_tick(time)).gap <= distance {
                visit(self.touch(side, at, time));
            }
        }
    }

    fn contact(&self, key: Obstacle, at: DVec3, time: f64) -> Option<SurfaceContact<Obstacle>> {
        match key {
            Obstacle::Body(part) => Some(self.around.contact(part, at, time)?.named(Obstacle::Body)),
            Obstacle::Character(number) => {
                let side = self.sides.iter().find(|side| side.character == number)?;
                Some(self.touch(side, at, time))
            }
        }
    }

    fn holds_center(&self, key: Obstacle, at: DVec3, time: f64) -> bool {
        matches!(key, Obstacle::Body(part) if self.around.holds_center(part, at, time))
    }

    fn is_wall(&self, key: Obstacle) -> bool {
        // A character that stands on this one is pushed up, and does not stop its walk.
        let bears = |side: &SeparatingPlane| key == Obstacle::Character(side.character) && side.bears;
        key.body().is_some() || !self.sides.iter().any(bears)
    }

    fn is_curved(&self, key: Obstacle) -> bool {
        match key {
            Obstacle::Body(part) => self.around.is_curved(part),
            Obstacle::Character(_) => false,
        }
    }

    fn aside(&self, at: DVec3, contact: &Contact, width: f64) -> Option<DVec3> {
        self.around.aside(at, contact, width)
    }

    fn may_move(&self) -> bool {
        self.around.may_move() || self.sides.iter().any(|side| side.speed != 0.0)
    }
}

#[cfg(test)]
mod tests {
    use glam::dvec3;

    use super::*;
    use crate::character::{Character, Input, Settings};
    use crate::num::ops;
    use crate::num::random::Random;
    use crate::shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
    use crate::world::Body;

    fn shape(random: &mut Random) -> Mover {
        // Many are turned by a multiple of 90°.
        let quarter = 0.5 * core::f64::consts::PI * random.pick(&[0.0, 1.0, 2.0, 3.0]);
        let lean = ops::rotation_about(DVec3::X, random.pick(&[0.0, 0.0, 1.0]));
        let turn = lean * ops::rotation_about(DVec3::Y, quarter);
        let size = random.vector().abs() + DVec3::splat(0.15);
        let shape: Result<Mover, _> = match random.pick(&[0, 1, 2, 3]) {
            0 => Sphere::new(size.x).map(Into::into),
            1 => Capsule::new(size.x, size.y).and_then(|shape| shape.with_rotation(turn)).map(Into::into),
            2 => Cuboid::new(size).and_then(|shape| shape.with_rotation(turn)).map(Into::into),
            _ => Ellipsoid::new(size).and_then(|shape| shape.with_rotation(turn)).map(Into::into),
        };
        shape.unwrap()
    }

    /// Two characters that keep to their sides overlap only if the sides overlap. Earlier they did for two
    /// ellipsoids, whose contact is the nearest in the space of one of them, and for two on a turning body,
    /// where the plane of each moved with the carrier of that one alone.
    #[test]
    fn two_that_keep_to_their_sides_are_not_in_each_other_at_the_end_of_a_tick() {
        let mut random = Random(17);
        let (dt, mut seen) = (1.0 / 60.0, 0);
        for _ in 0..4_000 {
            let mut world = World::new();
            let floor = Cuboid::new(dvec3(9.0, 1.0, 9.0)).unwrap();
            let floor = world.add(Body::kinematic(floor).at(dvec3(0.0, -1.0, 0.0)));
            let (linear, angular) = (random.vector() * 3.0, random.vector() * 6.0);
            world.advance(dt, |moves| moves.drive(floor, linear, angular).unwrap());
            let body = world.body(floor).filter(|_| random.number() < 0.5);
            let two = [0, 1].map(|number| {
                let hero = Character::new(shape(&mut random), Settings::default()).unwrap();
                let hero = hero.at(random.vector() * 1.5).unwrap();
                let input = Input::walk(random.vector() * 8.0);
                let mut neighbor = hero.neighbor(number, &world, input, dt);
                neighbor.stack.rests = random.number() < 0.0;
                neighbor.carrier = body.map(|_| floor);
                let carried = |body: &Body| body.displacement(hero.position(), [0.0, 1.0]);
                neighbor.carried = body.map_or(DVec3::ZERO, carried);
                neighbor
            });
            let side = |own: &Neighbor, other: &Neighbor| SeparatingPlane::between(&world, own, other);
            let (Some(one), Some(other)) = (side(&two[0], &two[1]), side(&two[1], &two[0])) else { continue };
            assert_eq!(one.normal, -other.normal, "{two:?}");
            let gap = two[0].contact(&two[1]).unwrap().gap;
            let touching = one.normal.dot(two[0].position - two[1].position) - gap;
            let nearest = one.offset + one.speed + other.offset + other.speed;
            assert!(nearest >= touching - 1e-13, "{}: {one:?} {other:?}", touching - nearest);
            seen += 1;
        }
        assert!(seen > 2_000, "{seen}");
    }
}
