//! Many casts at once.
//!
//! Each is answered by itself, so the answers are those of one by one, to the bit, on however many threads.

use alloc::vec::Vec;

use super::World;
use super::cast::{Cast, CastHit};

/// No thread is handed fewer casts than this: a cast takes about a microsecond, and so does handing over.
#[cfg(feature = "parallel")]
const LEAST: usize = 64;

impl World {
    /// What each of many casts meets first, in their order: [`World::cast`] of each. What was in `answers` is gone; its room is used
    /// again, so that the same list for batch after batch allocates once. With the feature `parallel` on all cores.
    ///
    /// ```
    /// use carom::glam::dvec3;
    /// use carom::world::{Body, Cast, World};
    /// use carom::{Cuboid, Sphere};
    ///
    /// let mut world = World::new();
    /// world.add(Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0))?));
    /// let drop = |x: f64| Cast::new(Sphere::new(0.5)?, dvec3(x, 4.0, 0.0), dvec3(0.0, -5.0, 0.0));
    /// let mut answers = Vec::new();
    /// world.cast_many(&[drop(0.0)?, drop(20.0)?], &mut answers);
    /// assert!(answers[0].is_some_and(|hit| (hit.fraction - 0.5).abs() < 1e-12));
    /// assert!(answers[1].is_none());
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn cast_many(&self, casts: &[Cast], answers: &mut Vec<Option<CastHit>>) {
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            casts.par_iter().with_min_len(LEAST).map(|cast| self.cast(cast)).collect_into_vec(answers);
        }
        #[cfg(not(feature = "parallel"))]
        {
            answers.clear();
            answers.extend(casts.iter().map(|cast| self.cast(cast)));
        }
    }
}
