//! The id of a body, and how a world recognizes its own.
//!
//! Every body that is added to a world gets a unique birth number in the process. An id carries it, and a
//! world accepts an id only for a body with the same birth number. A clone of a world has the bodies of the
//! original, so their ids name the same bodies in both.

use core::fmt;

use crate::world::Body;

/// Names a body of one world. Never used again after the body is removed.
///
/// A world refuses the id of a body of another world, as it refuses that of a removed body. Ids of bodies
/// that a clone has too are good in the clone. Ids compare, hash and serialize by their number alone, so that
/// reports of two worlds that were built alike are equal. An id that was read back is therefore taken by
/// every world that has a body of that number: the world it belonged to has to be built again in any case.
#[derive(Clone, Copy)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "u32", into = "u32")
)]
pub struct BodyId {
    number: u32,
    /// [`ANY`], or the birth of the body.
    birth: u32,
}

/// Its number.
impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)
    }
}

/// By its number alone, as in comparisons.
impl fmt::Debug for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BodyId({})", self.number)
    }
}

/// The birth in an id that was read back.
const ANY: u32 = 0;

impl BodyId {
    /// The id of no body.
    pub(crate) const NOWHERE: Self = Self { number: u32::MAX, birth: ANY };

    #[inline(always)]
    pub(in crate::world) fn new(number: u32, birth: u32) -> Self {
        Self { number, birth }
    }

    /// The number of the body: 0 for the first that was added, and so on.
    #[inline]
    pub fn index(self) -> u32 {
        self.number
    }

    /// The id as one number, for code that cannot store a `BodyId`: user data of engines, other languages.
    ///
    /// ```
    /// use carom::world::{Body, BodyId, World};
    /// let mut world = World::new();
    /// let ball = world.add(Body::fixed(carom::Sphere::new(1.0)?));
    /// assert!(world.contains(BodyId::from_bits(ball.to_bits())));
    /// assert!(!World::new().contains(BodyId::from_bits(ball.to_bits())));
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn to_bits(self) -> u64 {
        u64::from(self.birth) << 32 | u64::from(self.number)
    }

    /// The id of a number that [`BodyId::to_bits`] returned. Any other number names no body; but if its upper
    /// half is 0, it names the body whose number is its lower half.
    pub fn from_bits(bits: u64) -> Self {
        Self { number: bits as u32, birth: (bits >> 32) as u32 }
    }

    /// Whether this may be the id of a body of that birth.
    #[inline(always)]
    pub(in crate::world) fn fits(self, birth: u32) -> bool {
        self.birth == birth || self.birth == ANY
    }

    /// Whether both name the same body of the same world.
    pub(crate) fn is(self, other: Self) -> bool {
        self.number == other.number && self.fits(other.birth)
    }

    /// The body in the slot of the id's number, if the id names it.
    pub(in crate::world) fn names_mut(self, slot: &mut Option<Body>) -> Option<&mut Body> {
        slot.as_mut().filter(|body| self.fits(body.birth))
    }
}

impl PartialEq for BodyId {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for BodyId {}

impl PartialOrd for BodyId {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BodyId {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.number.cmp(&other.number)
    }
}

impl core::hash::Hash for BodyId {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl From<BodyId> for u32 {
    fn from(id: BodyId) -> Self {
        id.number
    }
}

#[cfg(feature = "serde")]
impl From<u32> for BodyId {
    fn from(number: u32) -> Self {
        Self { number, birth: ANY }
    }
}

/// A birth that no body has had since the last four billion.
#[cfg(target_has_atomic = "32")]
pub(in crate::world) fn next_birth() -> u32 {
    use core::sync::atomic::{AtomicU32, Ordering};
    static LAST: AtomicU32 = AtomicU32::new(ANY);
    // Only that they differ matters, not their order: no result depends on it.
    let birth = LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
    if birth == ANY { 1 } else { birth }
}

/// Without atomics, every id is compared by number alone.
#[cfg(not(target_has_atomic = "32"))]
pub(in crate::world) fn next_birth() -> u32 {
    ANY
}

#[cfg(test)]
mod tests {
    use crate::shape::Sphere;
    use crate::world::{Body, MoveError, Pose, World};
    use glam::DVec3;

    #[test]
    fn an_id_of_another_world_is_refused_and_one_of_a_clone_is_not() {
        let ball = || Body::kinematic(Sphere::new(1.0).unwrap());
        let (mut a, mut b) = (World::new(), World::new());
        let (in_a, in_b) = (a.add(ball()), b.add(ball()));
        assert_eq!((in_a, in_a.index()), (in_b, in_b.index()));
        let elsewhere = Pose::at(DVec3::X).unwrap();
        assert!(b.body(in_a).is_none() && b.set_pose(in_a, elsewhere).is_err() && b.remove(in_a).is_none());
        assert!(b.surface(in_a, 0).is_none());
        b.advance(1.0, |moves| {
            assert_eq!(moves.drive(in_a, DVec3::X, DVec3::ZERO), Err(MoveError::NoSuchBody));
            assert_eq!(moves.move_to(in_a, elsewhere), Err(MoveError::NoSuchBody));
            assert_eq!(moves.drive(in_b, DVec3::X, DVec3::ZERO), Ok(()));
        });
        let mut clone = a.clone();
        let later = clone.add(ball());
        a.add(ball());
        assert!(clone.set_pose(in_a, elsewhere).is_ok() && clone.body(later).is_some());
        assert!(a.body(later).is_none(), "added to the clone after the two parted");
        // Taken out and put back, it is another body.
        let body = a.remove(in_a).unwrap();
        let again = a.add(body);
        assert!(a.body(in_a).is_none() && a.body(again).is_some());
    }

    #[test]
    fn as_a_number_an_id_is_its_place() {
        let mut world = World::new();
        for place in 0..5u32 {
            let id = world.add(Body::fixed(Sphere::new(1.0).unwrap()));
            assert_eq!((u32::from(id), id.index()), (place, place));
        }
    }
}
