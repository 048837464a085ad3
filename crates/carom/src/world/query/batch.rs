//! Many casts at once.
//!
//! Each cast is answered independently, so the answers are the same as one by one, to the bit, on any number
//! of threads. Casts are answered along a space-filling curve: a cast finds in the cache what the previous
//! one has read, and takes the same branches through the tree. In levels larger than the cache a batch of
//! 100,000 takes a twentieth to a fifth less time on one thread, including the sorting. In small ones, and
//! for short rays, it takes up to a tenth more (`docs/performance.md`). Threads share the batch.

use alloc::vec::Vec;

use crate::tree::Curve;
use crate::world::World;
use crate::world::query::cast::Cast;
use crate::world::query::cast_hit::CastHit;

/// No thread gets fewer casts: one takes about a microsecond, and so does passing work to a thread.
const BLOCK: usize = 32;

/// How many casts ahead of its turn a cast is prefetched: they lie anywhere in their list.
const AHEAD: usize = 4;

/// How many casts are sampled to find where all of them start.
const SOME: usize = 256;

/// Working memory for many casts at once. Reuse it from batch to batch: a batch that is no larger than an
/// earlier one allocates nothing. It holds nothing of a world, so one serves any world.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The numbers of the casts, along the curve.
    order: Vec<u64>,
    /// The answers in that order.
    found: Vec<Option<CastHit>>,
    answers: Vec<Option<CastHit>>,
}

impl Batch {
    /// An empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// The answers to the last casts, in their order.
    pub fn answers(&self) -> &[Option<CastHit>] {
        &self.answers
    }

    /// Sorts the numbers of the casts by their starts, along the curve.
    fn sort(&mut self, casts: &[Cast]) {
        // A sample is enough to find their extent.
        let some = casts.iter().step_by(casts.len() / SOME + 1);
        let curve = Curve::through(some.map(|cast| cast.path.from()));
        curve.sort(casts.iter().map(|cast| cast.path.from()), &mut self.order);
    }
}

impl World {
    /// The first hit of each of many casts, in their order: [`World::cast`] for each. With the feature
    /// `parallel` it uses all cores. At most 2³² casts.
    ///
    /// ```
    /// use carom::glam::dvec3;
    /// use carom::world::{Batch, Body, Cast, World};
    /// use carom::{Cuboid, Sphere};
    ///
    /// let mut world = World::new();
    /// world.add(Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0))?));
    /// let drop = |x: f64| Cast::new(Sphere::new(0.5)?, dvec3(x, 4.0, 0.0), dvec3(0.0, -5.0, 0.0));
    /// let mut batch = Batch::new();
    /// let answers = world.cast_many(&[drop(0.0)?, drop(20.0)?], &mut batch);
    /// assert!(answers[0].is_some_and(|hit| (hit.fraction - 0.5).abs() < 1e-12));
    /// assert!(answers[1].is_none());
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    pub fn cast_many<'a>(&self, casts: &[Cast], batch: &'a mut Batch) -> &'a [Option<CastHit>] {
        batch.sort(casts);
        let Batch { order, found, answers } = batch;
        let cast_at = |number: &u64| &casts[*number as usize];
        found.resize(casts.len(), None);
        let answer = |(block, found): (usize, &mut [Option<CastHit>])| {
            for (place, found) in (block * BLOCK..).zip(found) {
                if let Some(number) = order.get(place + AHEAD) {
                    cast_at(number).prefetch();
                }
                *found = self.cast(cast_at(&order[place]));
            }
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            found.par_chunks_mut(BLOCK).enumerate().for_each(answer);
        }
        #[cfg(not(feature = "parallel"))]
        found.chunks_mut(BLOCK).enumerate().for_each(answer);
        answers.resize(casts.len(), None);
        for (number, hit) in order.iter().zip(found) {
            answers[*number as usize] = *hit;
        }
        answers
    }
}
