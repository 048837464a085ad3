//! Many characters in one tick.
//!
//! Each sees the others as they are at the start, and keeps to its side ([`Neighbor`]). So none needs the
//! result of another, and one thread gives the same bits as many.

use alloc::vec::Vec;

use glam::DVec3;

use super::nearby::Nearby;
use super::neighbor::Neighbor;
use super::stack::link_nearby;
use super::tick::{self, Outputs, TickWorld};
use super::{Character, CrowdInput, Input, Obstacle, Report, TickInput};
use crate::shape::Aabb;
use crate::trace::Trace;
use crate::world::{Neighborhood, World};

/// Moves many characters at once, on all cores. Use it instead of [`Character::step`] for characters that
/// collide with each other.
///
/// It keeps its working memory from tick to tick, so a tick allocates nothing once its lists have grown,
/// except where characters stand on each other. It also keeps the gathered surroundings of each character,
/// about five kilobytes each where the ground has triangles of a meter. That saves a fifth of the work or
/// more, as long as each character keeps its place in the list. Nothing in it changes an answer: do not save
/// it, and use one for any list.
///
/// ```
/// use carom::character::{Character, Crowd, Input, Settings};
/// use carom::{Body, Capsule, Cuboid, Pose, World, glam::dvec3};
///
/// let mut world = World::new();
/// world.add(Body::fixed(Cuboid::new(dvec3(99.0, 1.0, 99.0))?).at(Pose::at(dvec3(0.0, -1.0, 0.0))?));
/// let hero = Character::new(Capsule::new(0.3, 0.6)?, Settings::default())?;
/// let mut two = [hero.at(dvec3(-3.0, 1.0, 0.0))?, hero.at(dvec3(3.0, 1.0, 0.0))?];
/// let desired_velocities = [Input::walk(dvec3(4.0, 0.0, 0.0)), Input::walk(dvec3(-4.0, 0.0, 0.0))];
/// let mut crowd = Crowd::new();
/// for _ in 0..120 {
///     let reports = crowd.step_all(&world, &mut two, &desired_velocities, 1.0 / 60.0);
///     assert!(reports.iter().all(|report| !report.crushed()));
/// }
/// // They meet half way, and neither gives way.
/// let apart = two[1].position().x - two[0].position().x;
/// assert!((0.6..0.7).contains(&apart), "{apart}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    neighbors: Vec<Neighbor>,
    /// The box that each can reach in the tick.
    places: Vec<Aabb>,
    nearby: Nearby,
    /// The surroundings of each character.
    near: Vec<Neighborhood>,
    buffers: Vec<WorkBuffers>,
    reports: Vec<Report>,
}

/// Buffers for one stretch of the characters.
#[derive(Clone, Debug, Default)]
struct WorkBuffers {
    numbers: Vec<u32>,
    neighbors: Vec<Neighbor>,
}

impl Crowd {
    /// An empty crowd.
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves all characters by one tick of `dt` seconds, each by its own input: the first `min` of both
    /// lists. With the feature `parallel` it uses all cores, with the same bits. The reports are in the order
    /// of the characters. Reports and neighbors name characters by their index in the list.
    pub fn step_all(
        &mut self,
        world: &World,
        characters: &mut [Character],
        inputs: &[Input],
        dt: f64,
    ) -> &[Report] {
        // They have no size, so they use no memory.
        let mut deaf = alloc::vec![(); characters.len()];
        self.step_all_traced(world, characters, CrowdInput { inputs, dt }, &mut deaf)
    }

    /// Like [`Crowd::step_all`], and reports the events of each character to its [`Trace`]. It moves the
    /// first `min` of all three lists.
    pub fn step_all_traced<T: Trace<Obstacle> + Send>(
        &mut self,
        world: &World,
        characters: &mut [Character],
        CrowdInput { inputs, dt }: CrowdInput<'_>,
        traces: &mut [T],
    ) -> &[Report] {
        let count = characters.len().min(inputs.len()).min(traces.len());
        let (characters, inputs, traces) = (&mut characters[..count], &inputs[..count], &mut traces[..count]);
        self.gather(world, characters, inputs, dt);
        let Self { neighbors, nearby, near, buffers, reports, .. } = self;
        let step = |number: usize, one: One<'_, T>, buffers: &mut WorkBuffers| {
            // In the order of the list, not that in which they were found. Numbers are sorted, because
            // neighbors are large.
            buffers.numbers.clear();
            buffers.numbers.extend_from_slice(nearby.of(number));
            buffers.numbers.sort_unstable();
            buffers.neighbors.clear();
            buffers.neighbors.extend(buffers.numbers.iter().map(|other| neighbors[*other as usize]));
            let ((character, trace), report, near) = one;
            let given = TickInput::new(inputs[number], dt).among(&buffers.neighbors).numbered(number as u32);
            tick::step(character, TickWorld { world, near }, given, Outputs { trace, report });
        };
        reports.truncate(count);
        reports.resize_with(count, || Report::new(DVec3::ZERO, DVec3::ZERO));
        near.resize_with(count, Neighborhood::new);
        let stretch = stretch(count);
        buffers.resize_with(count.div_ceil(stretch), WorkBuffers::default);
        let work = |(part, ((((characters, traces), reports), near), buffers)): (usize, Stretch<'_, T>)| {
            for place in 0..characters.len() {
                look_ahead(place, characters, reports, near);
                let one = (&mut characters[place], &mut traces[place]);
                step(part * stretch + place, (one, &mut reports[place], &mut near[place]), buffers);
            }
        };
        // A few characters are one stretch: no other thread is asked.
        #[cfg(feature = "parallel")]
        if buffers.len() > 1 {
            use rayon::prelude::*;
            let characters = characters.par_chunks_mut(stretch).zip(traces.par_chunks_mut(stretch));
            let all = characters.zip(reports.par_chunks_mut(stretch)).zip(near.par_chunks_mut(stretch));
            let all = all.zip(buffers.par_iter_mut());
            all.enumerate().for_each(work);
            return &self.reports;
        }
        let characters = characters.chunks_mut(stretch).zip(traces.chunks_mut(stretch));
        let all = characters.zip(reports.chunks_mut(stretch)).zip(near.chunks_mut(stretch));
        let all = all.zip(buffers.iter_mut());
        all.enumerate().for_each(work);
        &self.reports
    }

    /// The reports of the last tick, in the order of the characters.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// Collects the positions and desired velocities of all characters.
    fn gather(&mut self, world: &World, characters: &[Character], inputs: &[Input], dt: f64) {
        let Self { neighbors, places, nearby, .. } = self;
        let seen = |(number, (character, input)): (usize, (&Character, &Input))| {
            let neighbor = character.neighbor(number as u32, world, *input, dt);
            (neighbor, neighbor.place())
        };
        let rests = |neighbor: &Neighbor| neighbor.stack.rests;
        neighbors.clear();
        places.clear();
        #[cfg(feature = "parallel")]
        if characters.len() > LEAST {
            use rayon::prelude::*;
            let both = characters.par_iter().zip(inputs).enumerate().with_min_len(LEAST);
            both.map(seen).unzip_into_vecs(neighbors, places);
        }
        if places.is_empty() {
            for (neighbor, place) in characters.iter().zip(inputs).enumerate().map(seen) {
                neighbors.push(neighbor);
                places.push(place);
            }
        }
        nearby.find(places);
        if neighbors.iter().any(rests) {
            link_nearby(world, neighbors, nearby);
            let mut is_moved = false;
            for (place, neighbor) in places.iter_mut().zip(&*neighbors) {
                let linked = neighbor.place();
                is_moved |= *place != linked;
                *place = linked;
            }
            if is_moved {
                nearby.find(places);
            }
        }
    }
}

/// Prefetches the data of the next characters: that of thousands exceeds the cache, and each would wait for
/// all of its own.
fn look_ahead(place: usize, characters: &[Character], reports: &[Report], near: &[Neighborhood]) {
    near.get(place + 3).map(Neighborhood::prefetch);
    near.get(place + 2).map(Neighborhood::prefetch_lists);
    characters.get(place + 2).map(Character::prefetch);
    reports.get(place + 2).map(Report::prefetch);
    near.get(place + 1).map(Neighborhood::prefetch_triangles);
}

/// A thread is not worth it for fewer characters than this, to collect their positions.
#[cfg(feature = "parallel")]
const LEAST: usize = 256;

/// A character with its trace, report and neighborhood.
type One<'a, T> = ((&'a mut Character, &'a mut T), &'a mut Report, &'a mut Neighborhood);

/// A stretch of them, and the buffers of a worker.
type Stretch<'a, T> =
    ((((&'a mut [Character], &'a mut [T]), &'a mut [Report]), &'a mut [Neighborhood]), &'a mut WorkBuffers);

/// The number of characters in one stretch, at least 1: so small that no thread waits long for the last
/// stretch of another.
fn stretch(count: usize) -> usize {
    #[cfg(feature = "parallel")]
    {
        count.div_ceil(16 * rayon::current_num_threads()).max(4)
    }
    #[cfg(not(feature = "parallel"))]
    {
        count.max(1)
    }
}
