//! Collide and slide: move as far as wanted, along whatever is in the way.
//!
//! Source: Fauerby, *Improved collision detection and response* (2003), and `docs/slide.md`. Sweep, stop at the contact, gather all that
//! is touched there, and go on with the feasible motion nearest to the *wanted* one over everything touched so far, not to
//! what was left after the last contact: so a ball between two edges comes to rest instead of flipping from one to the other.
//! Error: never deeper than a sweep allows, nor faster than wanted. Cost: one gather and one sweep on free ground, one of each more
//! for every further contact. Gives up: after [`Slide::SWEEPS`] sweeps the mover stays where it is, and says so.

use glam::DVec3;

use super::obstacles::{Obstacles, Touch};
use super::planes::{ContactPlane, Motion, nearest_feasible};
use super::{bounce, friction};
use crate::num::bound::{APPROACH, STANDOFF, UNIT_ROUNDOFF, reach};
use crate::sweep::Contact;

/// A wish: from where, and how far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// The centre at the start, in metres.
    pub from: DVec3,
    /// The wanted motion, in metres.
    pub translation: DVec3,
    /// Surfaces within this distance of the mover are taken into account before they are met, in metres: a quarter of the skin.
    pub contact_distance: f64,
    /// The coefficient of friction of surfaces that have none of their own.
    pub friction: f64,
    /// Surfaces met with no more than this motion towards them, in metres, do not bounce: what rests on them would tremble.
    pub bounce_above: f64,
}

/// How a slide ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlideEnd {
    /// All of the motion was made, wanted or bent.
    Done,
    /// What was touched left no way to go on.
    Blocked,
    /// What was touched leaves no feasible motion: surfaces that move press the mover from opposite sides.
    Crushed,
    /// The most sweeps were made; the mover stopped at the last contact.
    TooManySweeps,
}

/// What came of a slide. At most [`Slide::TOUCHES`] contacts are kept.
#[derive(Clone, Debug)]
pub struct Slid<K> {
    /// The centre at the end, in metres.
    pub position: DVec3,
    /// The motion that all touched surfaces leave of the wanted one, in metres per whole motion: the next velocity.
    pub motion: DVec3,
    /// How it ended.
    pub end: SlideEnd,
    /// How many sweeps it took.
    pub sweeps: u32,
    touches: [Option<Touch<K>>; Slide::TOUCHES],
    count: usize,
}

impl<K: Copy> Slid<K> {
    /// Everything touched on the way, in the order of touching, with gap and normal as they were when it was last looked at.
    pub fn touches(&self) -> impl Iterator<Item = Touch<K>> + '_ {
        self.touches[..self.count].iter().filter_map(|touch| *touch)
    }
}

impl Slide {
    /// No more sweeps than this for one motion; one to three are usual.
    pub const SWEEPS: u32 = 8;
    /// No more contacts than this are kept. Beyond, those with the smallest gaps are.
    pub const TOUCHES: usize = 48;
}

/// Moves a mover as far as it wants among obstacles, along what it meets.
pub fn collide_and_slide<O: Obstacles>(obstacles: &O, slide: &Slide) -> Slid<O::Key> {
    let mut state = State {
        slid: Slid {
            position: slide.from,
            motion: slide.translation,
            end: SlideEnd::Done,
            sweeps: 0,
            touches: [None; Slide::TOUCHES],
            count: 0,
        },
        wanted: slide.translation,
        remaining: 1.0,
        obstacles,
        slide,
    };
    state.run();
    state.slid
}

struct State<'a, O: Obstacles> {
    slid: Slid<O::Key>,
    /// The wish, turned back by whatever bounced.
    wanted: DVec3,
    /// The share of the time that is left.
    remaining: f64,
    obstacles: &'a O,
    slide: &'a Slide,
}

impl<O: Obstacles> State<'_, O> {
    fn run(&mut self) {
        self.gather(None);
        loop {
            if !self.solve() {
                self.slid.end = SlideEnd::Crushed;
                return;
            }
            let step = self.slid.motion * self.remaining;
            // What is left by rounding is no motion.
            if reach(self.slid.motion) <= APPROACH * reach(self.wanted) {
                self.slid.motion = DVec3::ZERO;
                self.slid.end = if self.wanted == DVec3::ZERO { SlideEnd::Done } else { SlideEnd::Blocked };
                return;
            }
            if self.slid.sweeps == Slide::SWEEPS {
                self.slid.end = SlideEnd::TooManySweeps;
                return;
            }
            self.slid.sweeps += 1;
            let Some((fraction, key)) = self.obstacles.sweep(self.slid.position, step) else {
                self.slid.position += step;
                return;
            };
            self.slid.position += step * fraction;
            self.remaining *= 1.0 - fraction;
            self.gather(Some(key));
            self.bounce(key);
            if self.remaining <= 0.0 {
                // The way ends in contact: what comes next must know of it.
                if !self.solve() {
                    self.slid.end = SlideEnd::Crushed;
                }
                return;
            }
        }
    }

    /// Looks anew at all that was touched, and adds what is touched here: the part that was met in any case, of the rest what no
    /// nearer one shadows.
    fn gather(&mut self, met: Option<O::Key>) {
        let position = self.slid.position;
        for touch in &mut self.slid.touches[..self.slid.count] {
            *touch = touch.and_then(|touch| self.obstacles.contact(touch.key, position));
        }
        self.compact();
        if let Some(touch) = met.and_then(|key| self.obstacles.contact(key, position)) {
            self.add(touch);
        }
        let mut found: [Option<Touch<O::Key>>; Slide::TOUCHES] = [None; Slide::TOUCHES];
        let mut count = 0;
        self.obstacles.contacts(position, self.slide.contact_distance, &mut |touch| {
            // Kept sorted by gap, then normal; the farthest falls off the end.
            let at =
                found[..count].partition_point(|other| other.is_some_and(|other| !before(&touch, &other)));
            if at < Slide::TOUCHES {
                count = (count + 1).min(Slide::TOUCHES);
                found.copy_within(at..count - 1, at + 1);
                found[at] = Some(touch);
            }
        });
        for i in 0..count {
            let Some(touch) = found[i] else { continue };
            let shadowed = found[..i].iter().flatten().any(|nearer| shadows(nearer, &touch));
            if !shadowed {
                self.add(touch);
            }
        }
    }

    fn compact(&mut self) {
        let mut kept = 0;
        for i in 0..self.slid.count {
            if self.slid.touches[i].is_some() {
                self.slid.touches[kept] = self.slid.touches[i];
                kept += 1;
            }
        }
        self.slid.touches[kept..].fill(None);
        self.slid.count = kept;
    }

    fn add(&mut self, touch: Touch<O::Key>) {
        if self.slid.touches().any(|known| known.key == touch.key) {
            return;
        }
        if self.slid.count < Slide::TOUCHES {
            self.slid.touches[self.slid.count] = Some(touch);
            self.slid.count += 1;
            return;
        }
        // Full: the farthest makes room.
        let gap = |i: usize| self.slid.touches[i].map_or(f64::INFINITY, |touch| touch.contact.gap);
        let farthest = (1..self.slid.count).fold(0, |far, i| if gap(i) > gap(far) { i } else { far });
        if gap(farthest) > touch.contact.gap {
            self.slid.touches[farthest] = Some(touch);
        }
    }

    /// The motion nearest to the wanted one that everything touched allows. False if there is none.
    fn solve(&mut self) -> bool {
        let mut planes = [ContactPlane { normal: DVec3::Y, bound: 0.0 }; Slide::TOUCHES];
        let mut count = 0;
        for touch in self.slid.touches() {
            let Contact { normal, gap, rounding, .. } = touch.contact;
            // A gap may be closed in the time that is left, up to where a sweep would call it contact; an overlap is not made deeper.
            let kept = 2.0 * STANDOFF * (rounding + 8.0 * UNIT_ROUNDOFF * reach(self.wanted));
            let room = if gap > kept && self.remaining > 0.0 { (gap - kept) / self.remaining } else { 0.0 };
            planes[count] = ContactPlane { normal, bound: normal.dot(touch.motion) - room };
            count += 1;
        }
        match nearest_feasible(self.wanted, &planes[..count]) {
            Ok(Motion::Feasible { velocity, planes }) => {
                let coefficient = planes.as_slice().iter().fold(0.0f64, |most, i| {
                    let touch = self.slid.touches().nth(*i);
                    most.max(touch.map_or(0.0, |touch| touch.friction.unwrap_or(self.slide.friction)))
                });
                self.slid.motion =
                    if coefficient > 0.0 { friction(self.wanted, velocity, coefficient) } else { velocity };
                true
            }
            Ok(Motion::Crushed { .. }) => false,
            // Numbers beyond the range of f64: the mover stays.
            Err(_) => {
                self.slid.motion = DVec3::ZERO;
                true
            }
        }
    }

    /// Turns the wish back from what was met, if that gives something back.
    fn bounce(&mut self, key: O::Key) {
        let Some(touch) = self.slid.touches().find(|touch| touch.key == key) else { return };
        let relative = self.wanted - touch.motion;
        if touch.restitution > 0.0 && -touch.contact.normal.dot(relative) > self.slide.bounce_above {
            self.wanted = bounce(relative, touch.contact.normal, touch.restitution) + touch.motion;
        }
    }
}

/// The order of contacts at one place: by gap, then by normal.
fn before<K>(a: &Touch<K>, b: &Touch<K>) -> bool {
    let key = |touch: &Touch<K>| (touch.contact.gap, touch.contact.normal.to_array());
    key(a) < key(b)
}

/// Whether a contact lies on or behind the tangent plane of a nearer one: on a floor of many tiles the edges of the next tiles.
/// Whatever would be met there first meets the nearer surface.
fn shadows<K>(nearer: &Touch<K>, touch: &Touch<K>) -> bool {
    let (a, b) = (&nearer.contact, &touch.contact);
    // What the two points and the normal are off by.
    let rounding = 32.0 * UNIT_ROUNDOFF * (reach(a.point) + reach(b.point));
    a.normal.dot(b.point - a.point) <= rounding && a.normal != b.normal
}
