//! Steps: up, forward and down again, where something low stops a walk.
//!
//! Source: `docs/steps.md`. The step covers the rest of the tick's walk. Whether there is a step is decided
//! by a longer look-ahead, by the smallest radius of the body: so a tick of a thousandth of a second finds
//! the same steps as one of a tenth. Cost: three sweeps, or five with the look-ahead, and only if a wall no
//! higher than a step stops the walk; the same again for each leaning wall beside it. Gives up: if there is
//! no room above, nothing ahead, or no ground that is at most a step higher and not too low.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::Tick;
use super::walk::Gone;
use crate::character::report::{Ground, Obstacle};
use crate::character::stack::Flags;
use crate::character::support::LEVEL;
use crate::num::bound::{APPROACH, reach};
use crate::num::ops;
use crate::respond::{Bend, Obstacles, Slide, SurfaceContact};
use crate::trace::{Decision, Event, Stage, Trace};
use crate::world::Moment;

/// A tick that runs up several steps climbs no more than this many.
const STEPS: usize = 8;

/// Beside no more walls than this a step is tried.
const WALLS: usize = 4;

/// A level step leads farther than the walk by more than this share of it: walls whose corners are in f32
/// lean by less, so that each of their tiles would let it on a little farther.
const FARTHER: f64 = 1.0 / (1u64 << 16) as f64;

/// A step that does not end on ground is halved this many times.
const HALVES: u32 = 4;

/// The directions of a step, up and down again.
#[derive(Clone, Copy)]
struct Lift {
    /// The translation per meter of height: `up`, or along a leaning wall.
    along: DVec3,
    /// How far the feet hang below the support.
    below: f64,
}

/// The result of steps.
#[derive(Clone, Copy)]
pub(super) struct Climbed {
    /// The height gained.
    pub(super) rise: f64,
    /// Whether they made the whole rest of the walk.
    pub(super) is_whole: bool,
}

/// The limits of a step that leads no higher than where it began: over a lip, to ground that falls.
#[derive(Clone, Copy)]
struct Lip {
    /// How far down the ground may be behind it.
    drop: f64,
    /// The translation of a walk that has slid along an obstacle: only a path that is completely free from
    /// there, or a step that leads farther, is better.
    slid: Option<DVec3>,
}

impl<T: Trace<Obstacle>> Tick<'_, T> {
    /// Climbs the obstacle that stopped a walk of `own`: from the place of its first turn, if that was at a
    /// low obstacle, else from its end. `None` if it took no step.
    pub(super) fn climb(&mut self, own: DVec3, walked: &Gone) -> Option<Climbed> {
        // After a complete motion nothing is left for a step.
        if !walked.is_bent {
            return None;
        }
        let (ended, up) = (self.at, self.ground_rules.up);
        let level = |v: DVec3| v - up * v.dot(up);
        let whole = reach(own);
        if let Some(Bend { position: bent, remaining }) = walked.bent
            && bent != ended
        {
            self.at = bent;
            let fall = (-own.dot(up)).max(0.0) * remaining;
            let lip = Lip { drop: self.deepest_snap() + fall, slid: Some(ended - bent) };
            let climbed = self.climb_on(level(own) * remaining, whole, lip);
            if climbed.is_some() {
                return climbed;
            }
            self.at = ended;
        }
        let missing = own - walked.own;
        let fall = (-missing.dot(up)).max(0.0);
        let lip = Lip { drop: self.deepest_snap() + fall, slid: None };
        self.climb_on(level(missing), whole, lip)
    }

    /// Climbs one step after the other, as long as a low obstacle is in the way.
    fn climb_on(&mut self, mut left: DVec3, whole: f64, lip: Lip) -> Option<Climbed> {
        let start = self.at;
        // A rest that is only rounding is no motion.
        let blur = APPROACH * (whole + reach(start));
        for _ in 0..STEPS {
            if reach(left) <= blur {
                break;
            }
            // On an edge the feet hang below the support: the height of a step counts from the support.
            let below = self.feet_below_support();
            let hangs = below > self.ground_rules.contact_distance;
            let gone = self.try_step(left, 0.0, lip);
            let gone = gone.or_else(|| if hangs { self.try_step(left, below, lip) } else { None });
            let gone = gone.or_else(|| self.try_step_beside_walls(left, lip));
            let Some(gone) = gone else { break };
            left -= gone;
        }
        if self.at == start {
            return None;
        }
        let rise = (self.at - start).dot(self.ground_rules.up).max(0.0);
        self.record(&Event::Decided(Decision::Steps(rise)));
        Some(Climbed { rise, is_whole: reach(left) <= blur })
    }

    /// Climbs one step, if a low obstacle is in the way, for feet that hang `below` the support. Returns the
    /// distance across `up`.
    fn try_step(&mut self, left: DVec3, below: f64, lip: Lip) -> Option<DVec3> {
        if !self.is_stopped_low(left, below) {
            return None;
        }
        let along = self.ground_rules.up;
        self.traced_step(|tick| tick.step_up(left, Lift { along, below }, lip))
    }

    /// Climbs one step beside a wall that leans: up along the wall, forward along it, and down along it.
    /// Straight up it would hit a wall that leans over it, and straight down one that leans back.
    fn try_step_beside_walls(&mut self, left: DVec3, lip: Lip) -> Option<DVec3> {
        self.leaning_walls(left).into_iter().find_map(|(along, left)| {
            if !self.is_stopped_low(left, 0.0) {
                return None;
            }
            self.traced_step(|tick| tick.step_up(left, Lift { along, below: 0.0 }, lip))
        })
    }

    /// For each leaning wall on the path: the translation per meter of height along it, and the path along
    /// it.
    fn leaning_walls(&mut self, left: DVec3) -> ArrayVec<(DVec3, DVec3), WALLS> {
        let (ground_rules, at) = (self.ground_rules, self.at);
        let up = ground_rules.up;
        let mut steep = ArrayVec::<DVec3, { 2 * WALLS }>::new();
        self.look(at, 1.0).distinct_and_faces(|touch| {
            let normal = touch.contact.normal;
            if touch.key.body().is_some() && normal.dot(up).abs() < ground_rules.least_upright {
                let _ = steep.try_push(normal);
            }
        });
        let mut walls = ArrayVec::new();
        for normal in &steep {
            let (rise, into) = (normal.dot(up), normal.dot(left));
            if rise.abs() <= LEVEL || into > 0.0 {
                continue;
            }
            let level = *normal - up * rise;
            let across = level / level.length_squared();
            let mut aside = across * -rise;
            let leads_into = |other: &&DVec3| *other != normal && other.dot(up + aside) < -APPROACH;
            if let Some(other) = steep.iter().find(leads_into) {
                // Up along both.
                let along = up.cross(*other);
                aside = along * (-rise / normal.dot(along));
            }
            if aside.length_squared() <= 1.0 {
                let _ = walls.try_push((up + aside, left - across * into));
            }
        }
        walls
    }

    /// Takes a step, and traces whether there is one. Characters on its head move with the whole step: they
    /// stop it at its end, and not where it is raised.
    fn traced_step(&mut self, step: impl FnOnce(&mut Self) -> Option<DVec3>) -> Option<DVec3> {
        self.record(&Event::Stage(Stage::Step));
        let began = (self.at, self.ahead);
        self.is_stepping = true;
        let gone = step(self);
        self.is_stepping = false;
        let ended = self.at;
        let gone = gone.filter(|_| !self.sides().iter().any(|side| side.bears && side.is_left_at(ended)));
        if gone.is_none() {
            (self.at, self.ahead) = began;
            self.record(&Event::Decided(Decision::CannotStep));
        }
        gone
    }

    /// How far the feet hang below the support. 0 if it stands on nothing.
    fn feet_below_support(&mut self) -> f64 {
        let at = self.at;
        let support = self.lowest_support(Moment::at_end(at)).or_else(|| {
            // The walk has left the edge that it began on, which falls away like the top of a hill.
            let began = Moment { at: self.state.previous, time: 0.0 };
            Some(self.lowest_support(began)? + self.carried * self.dt)
        });
        support.map_or(0.0, |point| self.ground_rules.height(at, point))
    }

    /// The lowest point that it can stand on at a place. Without one: half way up a step the lowest contact
    /// that holds it, and otherwise the most upright of those that hold it together.
    fn lowest_support(&mut self, place: Moment) -> Option<DVec3> {
        let (around, ground_rules) = (self.around([0.0, 1.0]), self.ground_rules);
        let is_climbing = self.state.flags.has(Flags::CLIMBS) || self.ahead.is_some();
        let contacts = self.look(place.at, place.time);
        let lowest = |holds: &dyn Fn(&SurfaceContact<Obstacle>) -> bool| {
            let points = contacts.iter().filter(|touch| holds(touch)).map(|touch| touch.contact.point);
            let height = |point: DVec3| ground_rules.height(place.at, point);
            points.reduce(|low, point| if height(point) < height(low) { point } else { low })
        };
        let nose = |touch: &SurfaceContact<Obstacle>| {
            is_climbing && touch.contact.normal.dot(ground_rules.up) > LEVEL
        };
        let together = || Some(ground_rules.joint_support(&around, contacts, place, |_| true)?.contact.point);
        lowest(&|touch| ground_rules.walked(&around, touch, place).is_some())
            .or_else(|| lowest(&nose))
            .or_else(together)
    }

    /// Whether a face is in the way that is too steep to walk on, and that a step may pass: raised by a step,
    /// along the face where it leans back, the character no longer touches that part. Along a wall the point
    /// that a contact names is one of many, and rounding may decide which: it does not count.
    fn is_stopped_low(&mut self, left: DVec3, below: f64) -> bool {
        let (ground_rules, at, mover) = (self.ground_rules, self.at, *self.mover());
        let up = ground_rules.up;
        // A little more than a step: what is exactly as high may be climbed.
        let height = ground_rules.highest + below + ground_rules.contact_distance;
        let mut low = ArrayVec::<(Obstacle, DVec3, DVec3), { Slide::TOUCHES }>::new();
        for touch in self.look(at, 1.0).iter().filter(|touch| touch.key.body().is_some()) {
            let normal = touch.contact.normal;
            let rise = normal.dot(up);
            if rise >= ground_rules.least_upright || normal.dot(left) >= -APPROACH * reach(left) {
                continue;
            }
            let raised = if rise > LEVEL {
                let level = normal - up * rise;
                up - level * (rise / level.length_squared())
            } else {
                let lowest = mover.support_point(-normal - up * LEVEL).dot(up) + ground_rules.feet;
                if lowest > ground_rules.highest + below {
                    continue;
                }
                up
            };
            low.push((touch.key, normal, at + raised * height));
        }
        low.iter().any(|&(key, normal, raised)| {
            let contact =
                self.place([0.0, 1.0], |place| place.contact(key, raised, 1.0)).map(|it| it.contact);
            // Another part in the same plane does not count: over a sill it may be the lintel.
            !contact.is_some_and(|contact| {
                contact.gap <= ground_rules.contact_distance && contact.normal.dot(normal) > 1.0 - LEVEL
            })
        })
    }

    /// One step: its distance across `up`; `None` if no step leads on.
    fn step_up(&mut self, left: DVec3, lift: Lift, lip: Lip) -> Option<DVec3> {
        let (from, up) = (self.at, self.ground_rules.up);
        let height = self.step_height() + lift.below;
        let share = self.free_fraction(from, lift.along * height);
        let length = ops::sqrt(left.length_squared());
        let direction = left / length;
        // Where something overhead stops the raised body, one that is raised less may pass below.
        let (raised, forward) = (0..=HALVES).find_map(|half| {
            let rise = height * share / f64::from(1u32 << half);
            if rise <= self.ground_rules.contact_distance {
                return None;
            }
            let raised = from + lift.along * rise;
            let forward = self.slide_at_end(raised, left);
            let is_on = forward.dot(direction) > APPROACH * (length + reach(from));
            is_on.then_some((raised, forward))
        })?;
        let gone = forward - up * forward.dot(up);
        let rise = |to: DVec3| (to - from).dot(up);
        let (to, ground) = self.set_down(lift, from, raised + forward, rise(raised + forward));
        // A step must lead higher than the walk that slid along the obstacle, or farther; in the air, higher.
        let farther = gone.dot(direction) - lip.slid.map_or(0.0, |slid| slid.dot(direction));
        let leads_on = self.ground.is_some() && farther > FARTHER * length;
        if rise(to) <= self.ground_rules.contact_distance && !leads_on {
            return None;
        }
        // A rise that is only rounding is none.
        if rise(to) <= APPROACH * (height + reach(from)) {
            if lip.slid.is_some() && length - gone.dot(direction) > APPROACH * (length + reach(from)) {
                return None;
            }
            // Down along a leaning wall leads aside: the ground may only fall as a slope to walk on does.
            let least = self.ground_rules.least_upright;
            let steepest = reach(gone) * ops::sqrt(1.0 - least * least) / least;
            let leans = lift.along != up;
            let drop =
                if leans { lip.drop.min(steepest + self.ground_rules.contact_distance) } else { lip.drop };
            let behind = self.set_down_behind(to, ground, lift, drop);
            // Beyond an edge it walks as it would without the lip: only falling ground leads into the lip.
            let off = |tick: &mut Self| tick.sweep_at_end(from, gone).is_none().then(|| from + gone);
            self.at = behind.or_else(|| off(self))?;
            return Some(gone);
        }
        if ground.is_none()
            && let Some(ahead) = self.find_ahead(lift, from, raised, gone)
        {
            (self.at, self.ahead) = (to, Some(ahead));
            return Some(gone);
        }
        let (to, gone) = match ground {
            Some(_) => (to, gone),
            None => self.shorten(lift, from, raised, gone)?,
        };
        if ground.is_none() && lip.slid.is_some_and(|slid| gone.dot(direction) <= slid.dot(direction)) {
            return None;
        }
        (self.at, self.ahead) = (to, None);
        Some(gone)
    }

    /// A step that ends on ground, although `gone` does not: a shorter one, as a shorter tick would take. The
    /// tread may be narrower than a long tick, or the edge that it gets on may rise along the way.
    fn shorten(&mut self, lift: Lift, from: DVec3, raised: DVec3, gone: DVec3) -> Option<(DVec3, DVec3)> {
        let up = self.ground_rules.up;
        let half = gone * 0.5;
        let longest = half * self.free_fraction(raised, half);
        (0..HALVES).find_map(|halves| {
            let gone = longest * (1.0 / f64::from(1u32 << halves));
            let (to, ground) = self.set_down(lift, from, raised + gone, (raised - from).dot(up));
            let is_up = (to - from).dot(up) > self.ground_rules.contact_distance;
            (ground.is_some() && is_up && self.rests_on_ground(to)).then_some((to, gone))
        })
    }

    /// Whether the nearest surface that pushes up is ground. Where a slope grows too steep, only what lies
    /// behind the nearest surface may still be ground.
    fn rests_on_ground(&mut self, at: DVec3) -> bool {
        let (around, ground_rules) = (self.around([0.0, 1.0]), self.ground_rules);
        let nearest =
            self.look(at, 1.0).iter().find(|touch| touch.contact.normal.dot(ground_rules.up) > LEVEL);
        nearest.is_some_and(|touch| ground_rules.walked(&around, touch, Moment { at, time: 1.0 }).is_some())
    }

    /// The place where it stands behind a lip, at most `drop` below `to`, which is as high as its start:
    /// where the ground falls, a step over a lip no higher than rounding leads down.
    fn set_down_behind(&mut self, to: DVec3, ground: Option<Ground>, lift: Lift, drop: f64) -> Option<DVec3> {
        if ground.is_some() {
            return Some(to);
        }
        let hit = self.sweep_at_end(to, lift.along * -drop)?;
        let down = to - lift.along * (drop * hit.fraction);
        self.surface_at(down, 1.0).map(|_| down)
    }

    /// The ground that an unfinished step leads to: ahead of the raised place, in the direction of the walk,
    /// a surface to stand on that is higher than where the step began.
    fn find_ahead(&mut self, lift: Lift, from: DVec3, raised: DVec3, gone: DVec3) -> Option<Ground> {
        let up = self.ground_rules.up;
        let length = ops::sqrt(gone.length_squared());
        let way = gone * (self.look_ahead().max(length) / length);
        let share = self.free_fraction(raised, way);
        let (to, ground) = self.set_down(lift, from, raised + way * share, (raised - from).dot(up));
        // The floor where it began does not count.
        ground.filter(|_| (to - from).dot(up) > self.ground_rules.contact_distance)
    }

    /// The look-ahead: its smallest radius, which takes it from beside an edge to above it.
    fn look_ahead(&self) -> f64 {
        self.mover().smallest_radius()
    }

    /// Goes down by `drop`: returns the place, and the surface that it stands on there, if that is at most a
    /// step above its support at `from`. Several steep faces together are not a surface: they do not lift a
    /// character.
    fn set_down(&mut self, lift: Lift, from: DVec3, at: DVec3, drop: f64) -> (DVec3, Option<Ground>) {
        let fraction = self.free_fraction(at, lift.along * -drop);
        let to = at - lift.along * (drop * fraction);
        let ground_rules = self.ground_rules;
        let surface = self.surface_at(to, 1.0).filter(|support| {
            ground_rules.height(from, support.contact.point) <= ground_rules.highest + lift.below
        });
        (to, surface.map(|support| support.ground))
    }
}
