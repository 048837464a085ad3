//! Bodies that move in a scene: driven at a speed, by keyframes, or pushed.
//!
//! Pushed bodies are no rigid bodies: they do not turn, fall or rub. An impulse adds to the velocity, and in
//! the next tick the body goes as far as its shape can among the others where they are at the start of the
//! tick, along what is in the way; what is blocked of its velocity is lost. They go in the order of the
//! scene, and each sees those before it at the ends of their ways, so that no two of them end in each other.

use carom::respond::{Obstacles, Slide, SurfaceContact, WorldObstacles, collide_and_slide};
use carom::shape::Mover;
use carom::world::{BodyId, Cast, Keyframes, Layers, Part, Pose, World};
use glam::DVec3;

/// A body that may move, and how.
#[derive(Debug)]
pub(crate) struct Moving {
    pub(crate) id: BodyId,
    pub(crate) motion: Motion,
}

#[derive(Clone, Debug)]
pub(crate) enum Motion {
    /// In m/s and rad/s, in world axes, about the body's position.
    Driven {
        linear: DVec3,
        angular: DVec3,
    },
    /// The scale is not planned: it stays.
    Planned {
        plan: Keyframes,
        scale: f64,
    },
    Pushed(Pushed),
}

/// A body that is moved by pushes only.
#[derive(Clone, Debug)]
pub(crate) struct Pushed {
    /// Its shape as it stands in the world: turned, and as large as it is there.
    pub(crate) mover: Mover,
    /// In kilograms.
    pub(crate) mass: f64,
    /// In m/s.
    pub(crate) velocity: DVec3,
}

impl Motion {
    pub(crate) fn is_pushed(&self) -> bool {
        matches!(self, Self::Pushed(_))
    }
}

/// Sends all bodies on their way through the tick that ends at the time `end`. A body whose way leaves the
/// range of f64 stays.
pub(crate) fn advance(world: &mut World, moving: &mut [Moving], end: f64, dt: f64) {
    let mut ways: Vec<(BodyId, Pose, Pose)> = Vec::new();
    for Moving { id, motion } in &mut *moving {
        let Motion::Pushed(pushed) = motion else { continue };
        let Some(start) = world.body(*id).map(|body| *body.pose()) else { continue };
        if let Some(goal) = pushed.goes(world, *id, start, dt)
            && world.set_pose(*id, goal).is_ok()
        {
            ways.push((*id, start, goal));
        }
    }
    for (id, start, _) in &ways {
        let _ = world.set_pose(*id, *start);
    }
    world.advance(dt, |moves| {
        for (id, _, goal) in ways {
            let _ = moves.move_to(id, goal);
        }
        for Moving { id, motion } in moving {
            match motion {
                Motion::Driven { linear, angular } => {
                    let _ = moves.drive(*id, *linear, *angular);
                }
                Motion::Planned { plan, scale } => {
                    if let Ok(pose) = plan.pose_at(end).with_scale(*scale) {
                        let _ = moves.move_to(*id, pose);
                    }
                }
                Motion::Pushed(_) => {}
            }
        }
    });
}

/// Adds an impulse, in newton seconds, to the velocity of a body that can be pushed.
pub(crate) fn push(moving: &mut [Moving], body: BodyId, impulse: DVec3) {
    if let Some(Motion::Pushed(pushed)) =
        moving.iter_mut().find(|moving| moving.id == body).map(|moving| &mut moving.motion)
    {
        let velocity = pushed.velocity + impulse / pushed.mass;
        if velocity.is_finite() {
            pushed.velocity = velocity;
        }
    }
}

impl Pushed {
    /// Where a body gets in a tick; `None` if it stays.
    fn goes(&mut self, world: &World, own: BodyId, start: Pose, dt: f64) -> Option<Pose> {
        if self.velocity == DVec3::ZERO {
            return None;
        }
        let others = Others { around: WorldObstacles::new(world, self.mover, Layers::ALL), world, own };
        let slide = Slide {
            from: start.position(),
            translation: self.velocity * dt,
            // A quarter of what a character of its size would keep clear.
            contact_distance: 0.25e-3 * self.mover.smallest_radius(),
            friction: 0.0,
            bounce_above: f64::INFINITY,
            climbing: None,
        };
        let slid = collide_and_slide(&others, &slide);
        self.velocity = slid.motion / dt + DVec3::ZERO;
        let goal = Pose::at(slid.position)
            .and_then(|pose| pose.with_rotation(start.rotation()))
            .and_then(|pose| pose.with_scale(start.scale()));
        match goal {
            Ok(goal) if self.velocity.is_finite() => (goal != start).then_some(goal),
            _ => {
                self.velocity = DVec3::ZERO;
                None
            }
        }
    }
}

/// All bodies but one, at rest.
struct Others<'a> {
    around: WorldObstacles<'a>,
    world: &'a World,
    own: BodyId,
}

impl Others<'_> {
    /// Nothing rubs and nothing bounces.
    fn smooth(touch: SurfaceContact<Part>) -> SurfaceContact<Part> {
        SurfaceContact { friction: None, restitution: 0.0, ..touch }
    }
}

impl Obstacles for Others<'_> {
    type Key = Part;

    fn sweep(&self, from: DVec3, translation: DVec3, _times: [f64; 2]) -> Option<(f64, Part)> {
        let Ok(cast) = Cast::new(*self.around.mover(), from, translation) else {
            // A way that is not finite is no way.
            return Some((0.0, Part { body: self.own, part: 0 }));
        };
        let hits = self.world.cast_all(&cast);
        let first = hits.iter().find(|hit| hit.body != self.own)?;
        Some((first.fraction, Part { body: first.body, part: first.part }))
    }

    fn contacts(&self, at: DVec3, time: f64, distance: f64, visit: &mut dyn FnMut(SurfaceContact<Part>)) {
        self.around.contacts(at, time, distance, &mut |touch| {
            if touch.key.body != self.own {
                visit(Self::smooth(touch));
            }
        });
    }

    fn contact(&self, key: Part, at: DVec3, time: f64) -> Option<SurfaceContact<Part>> {
        if key.body == self.own {
            return None;
        }
        self.around.contact(key, at, time).map(Self::smooth)
    }

    fn may_move(&self) -> bool {
        false
    }
}
