//! Collide and slide: move as far as desired, along obstacles.
//!
//! Source: Fauerby, *Improved collision detection and response* (2003), and `docs/slide.md`. The loop sweeps,
//! stops at the contact, gathers all contacts there, and continues with the feasible motion nearest to the
//! *desired* one over all contacts so far. It does not start from the result of the last contact, so a ball
//! between two edges comes to rest instead of flipping from one to the other. Error: never deeper than a
//! sweep allows, nor faster than desired, but for a box that moves aside by the contact distance. Cost: one
//! gather and one sweep on free ground, and one of each more for every further contact. Gives up: after
//! [`Slide::SWEEPS`] sweeps the mover stays where it is, and the result says so.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::constraint::COINCIDENT;
use super::contact_list::ContactList;
use super::depenetrate::depenetrate_across;
use super::obstacles::{Obstacles, SurfaceContact};
use super::planes::{ContactPlane, NearestMotion, nearest_feasible};
use super::slide::{Bend, Climbing, Slide, SlideEnd, SlideResult};
use super::{bounce, friction};
use crate::num::bound::{APPROACH, STANDOFF, UNIT_ROUNDOFF, reach};
use crate::sweep::{Contact, Feature};
use crate::trace::{Event, Holding, SweepHit, Trace};
use crate::world::Moment;

/// Moves a mover as far as it wants among obstacles, and along them.
///
/// Use it for projectiles, cameras and anything that slides without legs. For a player use a
/// [`Character`](crate::character::Character), which adds ground, slopes, steps and platforms. It applies no
/// gravity: add that to the translation once per tick.
pub fn collide_and_slide<O: Obstacles>(obstacles: &O, slide: &Slide) -> SlideResult<O::Key> {
    collide_and_slide_traced(obstacles, slide, &mut ())
}

/// Like [`collide_and_slide`], and reports each sweep, contact and projection.
pub fn collide_and_slide_traced<O: Obstacles, T: Trace<O::Key>>(
    obstacles: &O,
    slide: &Slide,
    trace: &mut T,
) -> SlideResult<O::Key> {
    let mut slid = SlideResult::new();
    slid.run(obstacles, slide, trace);
    slid
}

impl<K: Copy + Ord> SlideResult<K> {
    /// Computes the slide in place: it is too large to be moved in every tick.
    pub(crate) fn run<O: Obstacles<Key = K>, T: Trace<K>>(
        &mut self,
        obstacles: &O,
        slide: &Slide,
        trace: &mut T,
    ) {
        (self.position, self.motion) = (slide.from, slide.translation);
        (self.end, self.sweeps, self.remaining, self.bent) = (SlideEnd::Done, 0, 0.0, None);
        self.pressing = [None; 4];
        self.touches.clear();
        self.bends.clear();
        let mut state = State {
            slid: self,
            wanted: slide.translation,
            remaining: 1.0,
            is_stopped: false,
            follows: false,
            obstacles,
            slide,
            trace,
        };
        state.run();
        if state.slid.end != SlideEnd::Done {
            state.slid.remaining = state.remaining;
        }
    }
}

/// The longest way out of an overlap that came up on the path, as a multiple of its depth.
const OUT: f64 = 4.0;

/// The number of looks ahead along a curved surface: each one squares the remaining error.
const LOOKS: usize = 3;
/// Where the sweep along a curved surface got nowhere, the places at ½, ¼ … of its way down to this power are
/// looked at too.
const NEARER: u32 = 6;
/// A sweep that is free for no larger share of its way got nowhere.
const NOWHERE: f64 = 1.0 / (1u64 << NEARER) as f64;
/// The most planes that are kept of surfaces ahead.
const AHEAD: usize = 32;
/// A surface ahead continues a contact if its normal leans from it by no more than 60°.
const SMOOTH: f64 = 0.5;
/// And if the motion goes no deeper than this share of its length.
const DEEPEST: f64 = 0.5;

/// A motion that is no longer than this share of the desired one is solved for again. A solution violates its
/// planes by up to 2 ulp of the desired motion, and a sweep allows 64 unit roundoffs of its own: 1/16 of the
/// desired length, and half of that is the spread of [`reach`].
const SHORT: f64 = 1.0 / 8.0;

/// A share of the depth that a chord stays clear by: 2⁻¹⁸.
const SPARE: f64 = 1.0 / (1u64 << 18) as f64;

/// A plane of a curved surface at the end of the motion, and the contact that it continues.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    plane: ContactPlane,
    owner: usize,
}

/// A surface that a walk stands on.
struct Ground {
    /// The rise that it requires of a motion.
    rise: f64,
    /// The plane that keeps a motion from leaving it, if any does.
    above: Option<ContactPlane>,
}

struct State<'a, O: Obstacles, T> {
    /// A reference, because it is too large to be moved.
    slid: &'a mut SlideResult<O::Key>,
    /// The desired motion, changed by bounces.
    wanted: DVec3,
    /// The share of the time that is left.
    remaining: f64,
    /// Whether the last sweep got nowhere.
    is_stopped: bool,
    /// Whether the motion is the desired one but for the curved surfaces ahead.
    follows: bool,
    obstacles: &'a O,
    slide: &'a Slide,
    trace: &'a mut T,
}

impl<O: Obstacles, T: Trace<O::Key>> State<'_, O, T> {
    fn run(&mut self) {
        self.gather(None);
        let mut is_followed = false;
        loop {
            if !self.solve() {
                self.slid.end = SlideEnd::Crushed;
                return;
            }
            self.step_aside();
            // A rest that is only rounding is no motion. But if surfaces move, time must continue.
            let still = reach(self.slid.motion) <= APPROACH * reach(self.wanted);
            let is_blocked = still && !self.obstacles.may_move();
            if still && self.slid.sweeps == 0 && self.wanted != DVec3::ZERO && self.passes() {
                return;
            }
            if self.slid.motion != self.slide.translation {
                let bend = Bend { position: self.slid.position, remaining: self.remaining };
                // On curved ground a walk bends at its start: only another bend is at something in its way.
                if self.slid.bent.is_none() || is_followed && !self.follows {
                    self.slid.bent = Some(bend);
                    is_followed = self.follows;
                }
                self.slid.bends.push(bend);
            }
            let ends_still = if self.wanted == DVec3::ZERO { SlideEnd::Done } else { SlideEnd::Blocked };
            if still {
                self.slid.motion = DVec3::ZERO;
            }
            if is_blocked {
                self.slid.end = ends_still;
                return;
            }
            let step = self.slid.motion * self.remaining;
            if self.slid.sweeps == Slide::SWEEPS {
                self.slid.end = SlideEnd::TooManySweeps;
                return;
            }
            self.slid.sweeps += 1;
            let from = self.slid.position;
            let hit = self.obstacles.sweep(from, step, [1.0 - self.remaining, 1.0]);
            self.trace.event(&Event::Sweep { from, translation: step, hit });
            let Some(SweepHit { fraction, key }) = hit else {
                if still {
                    self.slid.end = ends_still;
                } else {
                    self.slid.position += step;
                }
                return;
            };
            self.slid.position += step * fraction;
            self.remaining *= 1.0 - fraction;
            self.is_stopped = fraction <= NOWHERE;
            let known = self.slid.touches.len();
            self.gather(Some(key));
            if self.obstacles.may_move() {
                let is_more = self.slid.touches.len() != known || self.slid.touches.is_full();
                let gets_on = fraction > 0.0 || is_more;
                if !self.get_out() && !gets_on {
                    // The next sweep would be the same.
                    self.slid.end = SlideEnd::TooManySweeps;
                    return;
                }
            }
            self.bounce(key);
            if self.remaining <= 0.0 {
                // The path ends in contact: later steps must know of it.
                if !self.solve() {
                    self.slid.end = SlideEnd::Crushed;
                }
                return;
            }
        }
    }

    /// Makes the whole desired motion if nearby planes forbid all of it, but no obstacle is in the way.
    ///
    /// Corner to corner, each of several planes separates a mover from a part, and any one of them is enough.
    /// A contact gives one, which may be one that the motion need not keep: a sweep decides.
    fn passes(&mut self) -> bool {
        let translation = self.wanted;
        if self.met_on(translation, [0.0, 1.0]).is_some() {
            return false;
        }
        self.slid.position += translation;
        self.slid.motion = translation;
        true
    }

    /// Moves aside, by no more than the contact distance, from what meets only the last of a flat side, if
    /// the motion gets farther from there.
    ///
    /// The faces of a wall are flush but for the rounding of their corners. Without this a box that slides
    /// along one would stop at the next, which stands out by 10⁻⁷ m. Round movers slide over it.
    fn step_aside(&mut self) {
        let (at, time, width) = (self.slid.position, 1.0 - self.remaining, self.slide.contact_distance);
        let is_free = self.slid.motion == self.wanted;
        if is_free || width == 0.0 || self.remaining <= 0.0 || self.slid.sweeps > Slide::SWEEPS / 2 {
            return;
        }
        let Self { obstacles, wanted, .. } = *self;
        let aside = |touch: &SurfaceContact<O::Key>| {
            let stops = touch.contact.normal.dot(wanted) < 0.0;
            if stops { obstacles.aside(at, &touch.contact, width) } else { None }
        };
        // Where the same is met elsewhere too, it stops the motion in any case.
        let all = &self.slid.touches;
        let is_alone = |touch: &SurfaceContact<O::Key>| {
            all.iter().all(|other| !other.is_along(touch) || aside(other).is_some())
        };
        let mut narrow = all.iter().filter_map(|touch| Some((touch, aside(touch)?)));
        let Some((_, way)) = narrow.find(|(touch, _)| is_alone(touch)) else { return };
        let share = self.met_on(way * width, [time, time]).unwrap_or(1.0);
        let before = (self.slid.motion, self.slid.pressing, self.slid.touches.clone());
        self.slid.position = at + way * width * share;
        self.slid.touches.clear();
        self.gather(None);
        let gain = |motion: DVec3| motion.dot(wanted);
        if self.solve() && gain(self.slid.motion) - gain(before.0) > APPROACH * reach(wanted) * reach(wanted)
        {
            let way = self.slid.motion * self.remaining;
            if self.met_on(way, [time, 1.0]).is_none_or(|share| share > NOWHERE) {
                return;
            }
        }
        self.slid.position = at;
        (self.slid.motion, self.slid.pressing, self.slid.touches) = before;
        self.follows = self.slid.motion == self.slide.translation;
    }

    /// The share of a translation from here after which something is met, if anything is.
    fn met_on(&mut self, translation: DVec3, times: [f64; 2]) -> Option<f64> {
        let from = self.slid.position;
        self.slid.sweeps += 1;
        let hit = self.obstacles.sweep(from, translation, times);
        self.trace.event(&Event::Sweep { from, translation, hit });
        Some(hit?.fraction)
    }

    /// Moves out of the overlaps that a turning body has made: sweeps among turning bodies use a smaller
    /// mover, and an overlap that stays would stop the next sweep at its start. Returns whether the mover has
    /// moved. Overlaps with bodies at rest count only beside one with a body that moves.
    fn get_out(&mut self) -> bool {
        let (at, time) = (self.slid.position, 1.0 - self.remaining);
        let deep = |touch: SurfaceContact<O::Key>| {
            let Contact { gap, point, .. } = touch.contact;
            if -gap > 64.0 * UNIT_ROUNDOFF * (reach(at) + reach(point)) { -gap } else { 0.0 }
        };
        let (mut depth, mut is_in_moving) = (0.0f64, false);
        for touch in self.slid.touches() {
            depth = depth.max(deep(touch));
            is_in_moving |= deep(touch) > 0.0 && touch.motion != DVec3::ZERO;
        }
        if !is_in_moving {
            return false;
        }
        let out = depenetrate_across(self.obstacles, Moment { at, time }, None);
        let way = reach(out.position - at);
        if way == 0.0 || way > OUT * depth {
            return false;
        }
        self.slid.position = out.position;
        self.gather(None);
        true
    }

    /// Updates all contacts, and adds those at this place: always the part that was hit, and of the others
    /// those that no nearer one shadows.
    fn gather(&mut self, met: Option<O::Key>) {
        let position = self.slid.position;
        let time = 1.0 - self.remaining;
        let touches = &mut self.slid.touches;
        touches.renew(|key| self.obstacles.contact(key, position, time));
        if let Some(touch) = met.and_then(|key| self.obstacles.contact(key, position, time)) {
            touches.push(touch);
        }
        let mut found = ContactList::new();
        found.gather(self.obstacles, position, time, self.slide.contact_distance);
        for (i, touch) in found.iter().enumerate() {
            let is_curved = self.obstacles.is_curved(touch.key);
            // On a smooth surface the nearest point represents its surroundings; the surface ahead is tested
            // once the motion is known.
            let continues = |nearer: &SurfaceContact<O::Key>| {
                is_curved
                    && nearer.contact.normal.dot(touch.contact.normal) > SMOOTH
                    && self.obstacles.is_curved(nearer.key)
            };
            let shadowed = found[..i].iter().any(|nearer| {
                touch.is_behind(nearer) && touch.contact.normal != nearer.contact.normal || continues(nearer)
            });
            if !shadowed {
                touches.push(*touch);
            }
        }
    }

    /// The motion nearest to the desired one that all contacts allow, and the curved surfaces ahead of it.
    /// False if there is none.
    fn solve(&mut self) -> bool {
        if !self.solve_with(&[]) {
            return false;
        }
        self.follows = self.slid.motion == self.slide.translation;
        let curved = |touch: &SurfaceContact<O::Key>| self.obstacles.is_curved(touch.key);
        if self.remaining > 0.0 && self.slid.touches.iter().any(curved) {
            self.look_ahead();
        }
        true
    }

    /// Bends the motion along touched curved surfaces.
    ///
    /// In a hollow a tangent enters the surface at once, by little, and a motion along it would end there. At
    /// its end the surface has another plane: with that one as well the motion is a chord, from contact to
    /// contact. Where the surface falls away before the end, nothing is in the way there, and a sweep gets
    /// nowhere: then nearer places are looked at too, and the motion leads over what is met at them. Only a
    /// smooth continuation of the touched surface counts, and a sweep still decides.
    fn look_ahead(&mut self) {
        let mut ahead = ArrayVec::<Ahead, AHEAD>::new();
        let mut deepest = 0.0f64;
        let nearer = if self.is_stopped { NEARER } else { 0 };
        for _ in 0..LOOKS {
            let known = ahead.len();
            for halves in 0..=nearer {
                self.look_ahead_at(1.0 / f64::from(1u32 << halves), &mut deepest, &mut ahead);
            }
            if ahead.len() == known {
                return;
            }
            if !self.solve_with(&ahead) {
                self.slid.pressing = [None; 4];
                self.solve_with(&[]);
                return;
            }
        }
    }

    /// Adds the planes of what the motion has entered at a share of its way.
    fn look_ahead_at(&self, share: f64, deepest: &mut f64, ahead: &mut ArrayVec<Ahead, AHEAD>) {
        let Self { slid, wanted, remaining, obstacles, slide, .. } = self;
        let (motion, time) = (slid.motion, remaining * share);
        let (step, moment) = (motion * time, 1.0 - (remaining - time));
        obstacles.contacts(slid.position + step, moment, 0.0, &mut |touch| {
            let Contact { normal, gap, rounding, .. } = touch.contact;
            let continues = |other: &SurfaceContact<O::Key>| {
                obstacles.is_curved(other.key) && normal.dot(other.contact.normal) > SMOOTH
            };
            let counts = obstacles.is_curved(touch.key)
                && touch.motion == DVec3::ZERO
                && -gap <= DEEPEST * reach(step);
            if let (true, Some(owner)) = (counts, slid.touches.iter().position(continues)) {
                let kept = 2.0 * STANDOFF * (rounding + 8.0 * UNIT_ROUNDOFF * reach(*wanted));
                // A little more, so that a sweep that stops early does not end the chord.
                *deepest = deepest.max(-gap);
                let more = (kept + *deepest * SPARE - gap) / time;
                let climbing = slide.climbing.filter(|_| obstacles.is_wall(touch.key));
                let wall = climbing.and_then(|climbing| climbing.wall(normal));
                for (normal, more) in Self::with_wall(normal, more, wall) {
                    let bound = normal.dot(motion) + more;
                    let _ = ahead.try_push(Ahead { plane: ContactPlane { normal, bound }, owner });
                }
            }
        });
    }

    /// A face and the way along its normal, and the same of the wall that stands for it, if one does.
    fn with_wall(normal: DVec3, way: f64, wall: Option<DVec3>) -> impl Iterator<Item = (DVec3, f64)> {
        core::iter::once((normal, way)).chain(wall.map(|wall| (wall, way / normal.dot(wall))))
    }

    /// The same with some more planes.
    fn solve_with(&mut self, ahead: &[Ahead]) -> bool {
        let mut planes = SlidePlanes::default();
        for (owner, touch) in self.slid.touches.iter().enumerate() {
            let Contact { normal, gap, rounding, .. } = touch.contact;
            // A gap may be closed in the remaining time, up to the distance at which a sweep reports contact;
            // an overlap may not become deeper.
            let kept = 2.0 * STANDOFF * (rounding + 8.0 * UNIT_ROUNDOFF * reach(self.wanted));
            let room = if gap > kept && self.remaining > 0.0 { (gap - kept) / self.remaining } else { 0.0 };
            // The error of the normal: the contact's rounding, divided by the arm whose direction it is.
            let arm = reach(touch.contact.point - self.slid.position);
            let blur = 0.5 * COINCIDENT + if arm > 0.0 { 8.0 * rounding / arm } else { 0.0 };
            let climbing = self.slide.climbing.filter(|_| self.obstacles.is_wall(touch.key));
            let wall = climbing.and_then(|climbing| climbing.wall(normal));
            for (normal, room) in Self::with_wall(normal, room, wall) {
                let normal = planes.opposite_of(normal, blur).unwrap_or(normal);
                planes.add(ContactPlane { normal, bound: normal.dot(touch.motion) - room }, owner, blur);
            }
        }
        for Ahead { plane, owner } in ahead {
            planes.add(*plane, *owner, 0.5 * COINCIDENT);
        }
        let found = nearest_feasible(self.wanted, &planes.planes);
        let (motion, held) = match found {
            Ok(NearestMotion::Feasible { velocity, planes: held }) => {
                let motion = self.slowed(velocity, held.as_slice(), &planes);
                let motion = self.along_ground(motion, held.as_slice(), &planes);
                (self.sharpened(motion, &planes), Some(held))
            }
            Ok(NearestMotion::Crushed { planes: pressing, .. }) => {
                for (key, plane) in self.slid.pressing.iter_mut().zip(pressing.as_slice()) {
                    *key = Some(self.slid.touches[planes.owners[*plane]].key);
                }
                self.trace.event(&Event::Crushed);
                return false;
            }
            // Numbers beyond the range of f64: the mover stays.
            Err(_) => (DVec3::ZERO, None),
        };
        self.slid.motion = motion;
        self.trace_solution(held.unwrap_or_default().as_slice(), &planes);
        true
    }

    fn trace_solution(&mut self, held: &[usize], planes: &SlidePlanes) {
        let mut holding = [None; 4];
        let mut count = 0;
        for plane in held {
            let ContactPlane { normal, bound } = planes.planes[*plane];
            let key = self.slid.touches[planes.owners[*plane]].key;
            holding[count] = Some(Holding { key, normal, bound });
            count += 1;
        }
        self.trace.event(&Event::Solved {
            wanted: self.wanted,
            motion: self.slid.motion,
            held: &holding[..count],
        });
    }

    /// The motion after the friction of the surfaces that hold it, relative to their motion.
    fn slowed(&self, velocity: DVec3, held: &[usize], planes: &SlidePlanes) -> DVec3 {
        let rough = held.iter().map(|plane| &self.slid.touches[planes.owners[*plane]]).fold(
            None,
            |most: Option<(f64, DVec3)>, touch| {
                let coefficient = touch.friction.unwrap_or(self.slide.friction);
                let more = coefficient > most.map_or(0.0, |(coefficient, _)| coefficient);
                if more { Some((coefficient, touch.surface_motion())) } else { most }
            },
        );
        let Some((coefficient, surface)) = rough else { return velocity };
        let slowed = friction(self.wanted - surface, velocity - surface, coefficient) + surface;
        // Friction keeps the demand of all surfaces together, not that of each: if they move differently, or
        // one is not reached yet, the resulting motion may lead into another.
        if planes.planes.len() == 1 {
            return slowed;
        }
        match nearest_feasible(slowed, &planes.planes) {
            Ok(NearestMotion::Feasible { velocity, .. }) => velocity,
            _ => slowed,
        }
    }

    /// The same motion with the planes kept to within the rounding of its own length. If little is left of
    /// the desired motion, its rounding may lead into a surface that it should only follow, and every sweep
    /// would stop at once.
    fn sharpened(&self, motion: DVec3, planes: &SlidePlanes) -> DVec3 {
        let (length, wanted) = (reach(motion), reach(self.wanted));
        if length > SHORT * wanted || length <= APPROACH * wanted {
            return motion;
        }
        // Nor does rounding close a gap: a sweep may see less of a gap than the solution did.
        let mut sharp = planes.planes.clone();
        for plane in &mut sharp {
            let into = -plane.normal.dot(motion);
            if into > 0.0 && into <= APPROACH * wanted {
                plane.bound = plane.bound.max(0.0);
            }
        }
        match nearest_feasible(motion, &sharp) {
            Ok(NearestMotion::Feasible { velocity, .. }) => velocity,
            _ => motion,
        }
    }

    /// The motion of a walk whose heading a wall has changed: it stays on the ground. The rise of the desired
    /// motion is that of the ground on its own heading; kept beside a wall, it would lift the mover off the
    /// ground, and so does a wall that leans back. With no ground in contact, it rises in proportion to its
    /// way, unless something moves it.
    fn along_ground(&self, motion: DVec3, held: &[usize], planes: &SlidePlanes) -> DVec3 {
        let Some(Climbing { up, least_upright }) = self.slide.climbing else { return motion };
        let is_wall = |normal: DVec3| normal.dot(up) < least_upright;
        let mut touches = self.slid.touches();
        let Some(moves) = touches.next().map(|touch| touch.motion) else { return motion };
        // Surfaces that move apart may lift it or push it.
        let moves_as_one = touches.all(|touch| touch.motion == moves);
        if !(moves_as_one && held.iter().any(|plane| is_wall(planes.planes[*plane].normal))) {
            return motion;
        }
        let (wanted, rise) = (self.wanted.dot(up), motion.dot(up));
        let level = motion - up * rise;
        let blur = APPROACH * reach(self.wanted);
        let required = |(plane, owner): (&ContactPlane, &usize)| {
            let along = plane.normal.dot(moves);
            let rise = (along - plane.normal.dot(level)) / plane.normal.dot(up);
            // Over an edge it goes straight on, but up an edge no higher than that requires.
            let above = if self.slid.touches[*owner].contact.feature == Feature::Face {
                Some(ContactPlane { normal: -plane.normal, bound: -along })
            } else {
                (wanted > blur).then_some(ContactPlane { normal: -up, bound: -rise.max(0.0) })
            };
            (!is_wall(plane.normal)).then_some(Ground { rise, above })
        };
        let grounds = planes.planes.iter().zip(&planes.owners).filter_map(required);
        match grounds.reduce(|most, other| if other.rise > most.rise { other } else { most }) {
            Some(Ground { rise: required, above: Some(above) }) if rise - required > blur => {
                let mut planes = planes.planes.clone();
                match planes.try_push(above).map(|()| nearest_feasible(self.wanted, &planes)) {
                    Ok(Ok(NearestMotion::Feasible { velocity, .. })) => velocity,
                    _ => motion,
                }
            }
            None if wanted > blur && moves == DVec3::ZERO => {
                let heading = self.wanted - up * wanted;
                let share = heading.dot(level) / heading.length_squared();
                level + up * rise.min(wanted * share.max(0.0))
            }
            _ => motion,
        }
    }

    /// Reflects the desired motion at the surface that was hit, if it bounces.
    fn bounce(&mut self, key: O::Key) {
        let Some(touch) = self.slid.touches().find(|touch| touch.key == key) else { return };
        let relative = self.wanted - touch.motion;
        if touch.restitution > 0.0 && -touch.contact.normal.dot(relative) > self.slide.bounce_above {
            self.wanted = bounce(relative, touch.contact.normal, touch.restitution) + touch.motion;
        }
    }
}

/// The planes that a slide must satisfy, and their contacts.
#[derive(Default)]
struct SlidePlanes {
    planes: ArrayVec<ContactPlane, { 2 * Slide::TOUCHES }>,
    /// The contact of each.
    owners: ArrayVec<usize, { 2 * Slide::TOUCHES }>,
    /// The error of each normal.
    blurs: ArrayVec<f64, { 2 * Slide::TOUCHES }>,
}

impl SlidePlanes {
    /// Adds a plane, if there is room.
    fn add(&mut self, plane: ContactPlane, owner: usize, blur: f64) {
        if self.planes.try_push(plane).is_ok() {
            self.owners.push(owner);
            self.blurs.push(blur);
        }
    }

    /// The exact opposite of a plane, if the normal is opposite to it to within the errors of both.
    ///
    /// The walls of a groove may be some ulp from parallel, and then the line they share leads out of the
    /// groove, or nowhere. Treated as parallel, they allow motions within their rounding, which no sweep
    /// stops.
    fn opposite_of(&self, normal: DVec3, blur: f64) -> Option<DVec3> {
        let is_opposite = |(other, other_blur): &(&ContactPlane, &f64)| {
            let most = blur + **other_blur;
            (other.normal + normal).length_squared() <= most * most
        };
        self.planes.iter().zip(&self.blurs).find(is_opposite).map(|(other, _)| -other.normal)
    }
}
