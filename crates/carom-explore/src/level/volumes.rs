//! The effect of volumes on a body, tick by tick. `carom explore` and `carom walk` share this code, so a path
//! through volumes replays.
//!
//! A body touches a volume if its shape reaches into it on the straight path of a tick. So it passes through
//! none unnoticed, however fast it falls.
//!
//! - kill: the walk ends. It also ends when the body leaves all volumes of the kind bounds.
//! - teleport, push: on entry the body is moved and at rest, or gets another velocity. This happens only once
//!   until it has left the volume. A body that is teleported into a push enters it.
//! - ladder: a body that wants to move also rises, at walking speed.
//! - water: a body that jumps rises at walking speed, on ground or not, and so does one that wants to move
//!   and has no ground. Without a desired velocity a body sinks as it falls.

use carom::character::{Character, Input};
use carom::shape::Mover;
use carom_formats::{Convex, Extents, Volume, VolumeKind};
use glam::DVec3;

/// No level is deeper, in meters.
const DEEP: f64 = 1e6;
/// Boxes are larger by this, in meters: more than rounding, up to 10¹² m from the origin. It changes no
/// answer: a volume that is near is still asked by its planes.
const MARGIN: f64 = 1e-3;

/// The volumes of a level.
#[derive(Clone, Debug, Default)]
pub struct Volumes {
    list: Vec<Volume>,
    /// A box around each.
    boxes: Vec<Extents>,
    has_bounds: bool,
}

/// The volumes that a tick entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entered {
    /// The number of the volume that killed; of bounds that were left, `None` in `Some`.
    pub over: Option<Option<usize>>,
    /// Whether the body was put elsewhere.
    pub is_elsewhere: bool,
    /// Whether it was pushed.
    pub is_pushed: bool,
}

impl Volumes {
    /// Those of a level.
    pub fn new(list: Vec<Volume>) -> Self {
        let has_bounds = list.iter().any(|volume| volume.kind == VolumeKind::Bounds);
        let boxes =
            list.iter().map(|volume| volume.pieces.iter().map(around).fold(Extents::NONE, Extents::around));
        Self { boxes: boxes.collect(), list, has_bounds }
    }

    /// All of them.
    pub fn list(&self) -> &[Volume] {
        &self.list
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether nothing at a point is to be reported.
    pub fn ignores(&self, point: DVec3) -> bool {
        self.holds(point, VolumeKind::Ignore) || self.has_bounds && !self.holds(point, VolumeKind::Bounds)
    }

    pub(crate) fn is_water(&self, point: DVec3) -> bool {
        self.holds(point, VolumeKind::Water)
    }

    fn holds(&self, point: DVec3, kind: VolumeKind) -> bool {
        let same = |volume: &&Volume| volume.kind == kind;
        self.list.iter().filter(same).any(|volume| volume.pieces.iter().any(|piece| piece.contains(point)))
    }

    /// Whether a body touches a volume of the kind water where it is.
    pub fn is_in_water(&self, hero: &Character) -> bool {
        self.touches(hero, VolumeKind::Water)
    }

    fn touches(&self, hero: &Character, kind: VolumeKind) -> bool {
        self.touch(hero.shape(), hero.position(), |other| *other == kind)
    }

    fn touch(&self, shape: &Mover, at: DVec3, is_meant: impl Fn(&VolumeKind) -> bool) -> bool {
        self.near(shape, at, at)
            .filter(|(_, volume)| is_meant(&volume.kind))
            .any(|(_, volume)| volume.pieces.iter().any(|piece| first_touch(piece, shape, at, at).is_some()))
    }

    /// The volumes whose boxes a body meets on a straight path, and maybe others, by their numbers.
    fn near(&self, shape: &Mover, from: DVec3, to: DVec3) -> impl Iterator<Item = (usize, &Volume)> {
        let own = shape.bounds();
        let (low, high) = (from.min(to) + own.min(), from.max(to) + own.max());
        let numbered = self.boxes.iter().zip(&self.list).enumerate();
        numbered
            .filter(move |(_, (about, _))| low.cmple(about.high).all() && high.cmpge(about.low).all())
            .map(|(number, (_, volume))| (number, volume))
    }

    /// The velocity of the first push that a body touches.
    fn push_at(&self, shape: &Mover, at: DVec3) -> Option<DVec3> {
        self.near(shape, at, at).find_map(|(_, volume)| match volume.kind {
            VolumeKind::Push { velocity } => {
                let mut pieces = volume.pieces.iter();
                pieces.any(|piece| first_touch(piece, shape, at, at).is_some()).then_some(velocity)
            }
            _ => None,
        })
    }

    /// Whether a body with its center there stays there: nothing kills it, throws it or takes it elsewhere.
    pub(crate) fn lets_stay(&self, shape: &Mover, at: DVec3) -> bool {
        !self.touch(shape, at, |kind| {
            matches!(kind, VolumeKind::Kill | VolumeKind::Teleport { .. } | VolumeKind::Push { .. })
        })
    }

    /// Whether a body that falls straight down from where it is falls into a volume that kills, however deep.
    pub(crate) fn kill_below(&self, hero: &Character) -> bool {
        let (from, to) = (hero.position(), hero.position() - DVec3::Y * DEEP);
        self.list.iter().filter(|volume| volume.kind == VolumeKind::Kill).any(|volume| {
            volume.pieces.iter().any(|piece| first_touch(piece, hero.shape(), from, to).is_some())
        })
    }

    /// Before a tick: climbing and swimming, at this speed.
    pub fn before(&self, hero: &mut Character, input: &mut Input, speed: f64) {
        if self.list.is_empty() {
            return;
        }
        let wants = input.desired_velocity.is_some_and(|desired_velocity| desired_velocity != DVec3::ZERO);
        let climbs = wants && self.touches(hero, VolumeKind::Ladder);
        let swims = (input.jump.is_some() || wants && hero.ground().is_none()) && self.is_in_water(hero);
        if climbs || swims {
            // Finite: so are the velocity and the speed.
            let _ = hero.launch(hero.velocity().with_y(speed));
            input.jump = None;
        }
    }

    /// After a tick that began there: what the body touched first on its path.
    pub fn after(&self, hero: &mut Character, from: DVec3) -> Entered {
        let mut entered = Entered::default();
        if self.list.is_empty() {
            return entered;
        }
        let to = hero.position();
        let mut first: Option<(f64, usize)> = None;
        for (number, volume) in self.near(hero.shape(), from, to) {
            let acts_inside = volume.kind == VolumeKind::Kill;
            if !acts_inside && !matches!(volume.kind, VolumeKind::Teleport { .. } | VolumeKind::Push { .. }) {
                continue;
            }
            for piece in &volume.pieces {
                let touch = first_touch(piece, hero.shape(), from, to);
                if let Some(share) = touch.filter(|share| acts_inside || *share > 0.0)
                    && first.is_none_or(|(least, _)| share < least)
                {
                    first = Some((share, number));
                }
            }
        }
        if let Some((_, number)) = first {
            match self.list[number].kind {
                VolumeKind::Teleport { to } => {
                    entered.is_elsewhere = hero.teleport(to).is_ok();
                    // It enters what is there.
                    if let Some(velocity) = self.push_at(hero.shape(), hero.position()) {
                        entered.is_pushed = hero.launch(velocity).is_ok();
                    }
                }
                VolumeKind::Push { velocity } => entered.is_pushed = hero.launch(velocity).is_ok(),
                _ => entered.over = Some(Some(number)),
            }
        }
        if self.has_bounds && entered.over.is_none() && !self.holds(hero.position(), VolumeKind::Bounds) {
            entered.over = Some(None);
        }
        entered
    }
}

/// A box around a piece, by its planes across the axes.
fn around(piece: &Convex) -> Extents {
    let mut found = Extents { low: DVec3::NEG_INFINITY, high: DVec3::INFINITY };
    for side in piece.planes() {
        for axis in 0..3 {
            if side.normal == DVec3::AXES[axis] {
                found.high[axis] = found.high[axis].min(side.offset + MARGIN);
            } else if side.normal == -DVec3::AXES[axis] {
                found.low[axis] = found.low[axis].max(-side.offset - MARGIN);
            }
        }
    }
    found
}

fn first_touch(piece: &Convex, shape: &Mover, from: DVec3, to: DVec3) -> Option<f64> {
    piece.first_touch(from, to, |direction| shape.support_point(direction).dot(direction))
}

#[cfg(test)]
mod tests {
    use carom::character::Settings;
    use carom::shape::Sphere;

    use super::*;

    fn volume(kind: VolumeKind, min: DVec3, max: DVec3) -> Volume {
        let piece = Convex::from_box(min, max).expect("a box");
        Volume { name: String::new(), kind, pieces: vec![piece] }
    }

    fn ball(at: DVec3) -> Character {
        let ball = Sphere::new(0.5).expect("a ball");
        Character::new(ball, Settings::default()).and_then(|hero| hero.at(at)).expect("a character")
    }

    #[test]
    fn a_fast_fall_does_not_pass_through_a_thin_volume() {
        let thin = volume(VolumeKind::Kill, DVec3::new(-9.0, 0.0, -9.0), DVec3::new(9.0, 0.01, 9.0));
        let entered = Volumes::new(vec![thin]).after(&mut ball(DVec3::Y * -50.0), DVec3::Y * 50.0);
        assert_eq!(entered.over, Some(Some(0)));
    }

    #[test]
    fn a_teleporter_acts_on_entry_only_and_the_first_that_is_met_wins() {
        let to = DVec3::new(0.0, 0.0, 90.0);
        let near =
            volume(VolumeKind::Teleport { to }, DVec3::new(1.0, -1.0, -1.0), DVec3::new(2.0, 1.0, 1.0));
        let far = volume(VolumeKind::Kill, DVec3::new(3.0, -1.0, -1.0), DVec3::new(4.0, 1.0, 1.0));
        let volumes = Volumes::new(vec![far, near]);
        let mut hero = ball(DVec3::X * 9.0);
        assert!(volumes.after(&mut hero, DVec3::ZERO).is_elsewhere);
        assert_eq!(hero.position(), to);
        let mut inside = ball(DVec3::X * 1.6);
        assert_eq!(volumes.after(&mut inside, DVec3::X * 1.5), Entered::default());
    }

    #[test]
    fn a_body_that_is_teleported_into_a_push_is_pushed() {
        let (to, velocity) = (DVec3::X * 50.0, DVec3::Y * 7.0);
        let door =
            volume(VolumeKind::Teleport { to }, DVec3::new(1.0, -1.0, -1.0), DVec3::new(2.0, 1.0, 1.0));
        let push = volume(VolumeKind::Push { velocity }, to - DVec3::ONE, to + DVec3::ONE);
        let mut hero = ball(DVec3::X * 1.5);
        let entered = Volumes::new(vec![push, door]).after(&mut hero, DVec3::ZERO);
        assert!(entered.is_elsewhere && entered.is_pushed);
        assert_eq!((hero.position(), hero.velocity()), (to, velocity));
    }

    #[test]
    fn nobody_stays_where_a_volume_acts() {
        let (min, max) = (DVec3::ZERO, DVec3::splat(2.0));
        let to = DVec3::splat(9.0);
        let ball = Mover::from(Sphere::new(0.5).expect("a ball"));
        for (kind, stays) in [
            (VolumeKind::Kill, false),
            (VolumeKind::Teleport { to }, false),
            (VolumeKind::Push { velocity: to }, false),
            (VolumeKind::Water, true),
            (VolumeKind::Ladder, true),
        ] {
            let volumes = Volumes::new(vec![volume(kind, min, max)]);
            assert_eq!(volumes.lets_stay(&ball, DVec3::new(-0.4, 1.0, 1.0)), stays, "{kind:?}");
            assert!(volumes.lets_stay(&ball, DVec3::new(-0.6, 1.0, 1.0)), "{kind:?}");
        }
    }

    #[test]
    fn what_leaves_the_bounds_is_out_and_nothing_there_is_reported() {
        let bounds = volume(VolumeKind::Bounds, DVec3::NEG_ONE, DVec3::ONE);
        let volumes = Volumes::new(vec![bounds]);
        assert_eq!(volumes.after(&mut ball(DVec3::X * 2.0), DVec3::ZERO).over, Some(None));
        assert!(volumes.ignores(DVec3::X * 2.0) && !volumes.ignores(DVec3::ZERO));
    }
}
