//! The bodies around a pushed one, as obstacles that move through the tick.

use glam::DVec3;

use crate::num::bound::reach;
use crate::respond::{
    Obstacles, Slide, SlideResult, SurfaceContact, SweepHit, WorldObstacles, collide_and_slide,
    depenetrate_across,
};
use crate::shape::Mover;
use crate::sweep::Contact;
use crate::world::{Body, BodyId, Layers, Moment, Part, World};

/// An overlap beyond rounding.
pub(super) fn is_deep(touch: &SurfaceContact<Part>) -> bool {
    touch.contact.gap < -touch.contact.rounding
}

/// A slanting contact presses a body aside by up to this multiple of its motion.
pub(super) const SLANT: f64 = 2.0;

/// A moving body that ends the tick in a pushed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Press {
    pub(super) by: BodyId,
    /// From the press to the body, when it began.
    pub(super) normal: DVec3,
    /// How deep the body is in it, in meters.
    pub(super) depth: f64,
}

/// All bodies but some.
pub(super) struct Others<'a> {
    around: WorldObstacles<'a>,
    left_out: &'a [BodyId],
}

impl<'a> Others<'a> {
    pub(super) fn new(world: &'a World, mover: Mover, seconds: f64, left_out: &'a [BodyId]) -> Self {
        let around =
            WorldObstacles::new(world, mover, Layers::ALL).during([0.0, 1.0], seconds).past(left_out);
        Self { around, left_out }
    }

    pub(super) fn world(&self) -> &World {
        self.around.world()
    }

    /// Slides, and then out of what a turning body has entered: a slide meets a turn to first order only.
    pub(super) fn slide(&self, slide: &Slide) -> SlideResult<Part> {
        let mut slid = collide_and_slide(self, slide);
        if let Some(press) = self.press(slid.position, None) {
            let end = Moment { at: slid.position, time: 1.0 };
            let out = depenetrate_across(self, end, None);
            if out.free && reach(out.position - slid.position) <= SLANT * press.depth {
                slid.position = out.position;
            }
        }
        slid
    }

    /// Whether bodies that have moved end the tick in the mover at `at`.
    pub(super) fn overrun(&self, at: DVec3) -> bool {
        self.press(at, None).is_some()
    }

    /// Of the bodies that have moved and end the tick in the mover at `at`, the one that it is deepest in. A
    /// press that it knows already counts at rest, too, and keeps its direction.
    pub(super) fn press(&self, at: DVec3, known: Option<Press>) -> Option<Press> {
        let mut deepest: Option<(f64, Part, DVec3)> = None;
        let world = self.around.world();
        if known.is_none() && !world.has_moving_near(self.around.mover(), at) {
            return None;
        }
        self.contacts(at, 1.0, 0.0, &mut |touch| {
            let (gap, key) = (touch.contact.gap, touch.key);
            let counts = || {
                known.is_some_and(|press| press.by.is(key.body))
                    || world.body(key.body).is_some_and(Body::is_moving)
            };
            let deeper = |(other, part, _): (f64, Part, DVec3)| gap < other || (gap == other && key < part);
            if is_deep(&touch) && deepest.is_none_or(deeper) && counts() {
                deepest = Some((gap, key, touch.contact.normal));
            }
        });
        let (gap, part, normal) = deepest?;
        let normal = known.filter(|press| press.by.is(part.body)).map_or(normal, |press| press.normal);
        Some(Press { by: part.body, normal, depth: -gap })
    }

    /// The depth of the deepest overlap of the mover at `at` at the end of the tick; 0 if there is none.
    pub(super) fn depth(&self, at: DVec3) -> f64 {
        let mut depth = 0.0f64;
        self.contacts(at, 1.0, 0.0, &mut |touch| {
            if is_deep(&touch) {
                depth = depth.max(-touch.contact.gap);
            }
        });
        depth
    }
}

impl Obstacles for Others<'_> {
    type Key = Part;

    fn sweep(&self, from: DVec3, translation: DVec3, times: [f64; 2]) -> Option<SweepHit<Part>> {
        self.around.sweep(from, translation, times)
    }

    fn contacts(&self, at: DVec3, time: f64, distance: f64, visit: &mut dyn FnMut(SurfaceContact<Part>)) {
        self.around.contacts(at, time, distance, &mut |touch| {
            if !self.left_out.contains(&touch.key.body) {
                visit(touch);
            }
        });
    }

    fn contact(&self, key: Part, at: DVec3, time: f64) -> Option<SurfaceContact<Part>> {
        if self.left_out.contains(&key.body) { None } else { self.around.contact(key, at, time) }
    }

    fn is_curved(&self, key: Part) -> bool {
        self.around.is_curved(key)
    }

    fn aside(&self, at: DVec3, contact: &Contact, width: f64) -> Option<DVec3> {
        self.around.aside(at, contact, width)
    }

    fn may_move(&self) -> bool {
        self.around.may_move()
    }
}
