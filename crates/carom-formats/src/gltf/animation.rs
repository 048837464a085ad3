//! The effect of animations on nodes: translations and rotations over time.
//!
//! Every track becomes points with straight paths between them (rotations: at constant speed, the short way
//! round). A step is two points as near in time as f64 allows; a cubic spline becomes several points. Only
//! animations that move a node with a mesh in it are read.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use carom::num::ops;
use carom::num::turn::slerp;
use glam::{DQuat, DVec3, DVec4};

use super::accessor::{Accessors, ElementType};
use super::buffer::out_of_range;
use super::schema::{Animated, Animation, Document, Sampler};
use crate::assembly::Assembly;
use crate::error::{LoadError, Location};

/// The number of points for a piece of a cubic spline: the error is then less than a thousandth of the span
/// of its ends and tangents.
const PIECES: u32 = 32;

/// Values by time, straight between; at least one, their times increase from 0 or later.
#[derive(Clone, Debug)]
pub(super) struct Track<V>(pub(super) Vec<(f64, V)>);

/// The effect of an animation on a node.
#[derive(Clone, Debug)]
pub(super) struct Tracks {
    /// The length of the animation in seconds, after which it repeats.
    pub(super) period: f64,
    pub(super) translation: Option<Track<DVec3>>,
    pub(super) rotation: Option<Track<DQuat>>,
    /// One that stays.
    pub(super) scale: Option<DVec3>,
}

/// A value that a track can animate.
pub(super) trait Value: Copy + PartialEq + Default {
    fn between(self, to: Self, share: f64) -> Self;
}

impl Value for DVec3 {
    fn between(self, to: Self, share: f64) -> Self {
        self + (to - self) * share
    }
}

impl Value for DQuat {
    fn between(self, to: Self, share: f64) -> Self {
        slerp(self, to, share)
    }
}

impl<V: Value> Track<V> {
    /// The value at a time; before the first that of the first, after the last that of the last.
    pub(super) fn at(&self, time: f64) -> V {
        let Self(points) = self;
        let next = points.partition_point(|(start, _)| *start <= time);
        match (next.checked_sub(1).map(|before| points[before]), points.get(next)) {
            (Some((from, a)), Some((until, b))) => a.between(*b, (time - from) / (until - from)),
            (Some((_, only)), None) | (None, Some(&(_, only))) => only,
            (None, None) => V::default(),
        }
    }

    /// The value, if it is always the same.
    pub(super) fn constant(&self) -> Option<V> {
        let (_, first) = self.0.first()?;
        self.0.iter().all(|(_, value)| value == first).then_some(*first)
    }
}

/// The interpolation between values.
#[derive(Clone, Copy, PartialEq)]
enum Interpolation {
    Linear,
    Step,
    Cubic,
}

impl Interpolation {
    fn of(sampler: &Sampler, at: &str) -> Result<Self, LoadError> {
        match sampler.interpolation.as_deref().unwrap_or("LINEAR") {
            "LINEAR" => Ok(Self::Linear),
            "STEP" => Ok(Self::Step),
            "CUBICSPLINE" => Ok(Self::Cubic),
            other => Err(LoadError::malformed(
                Location::Part(format!("{at}.interpolation")),
                "LINEAR, STEP or CUBICSPLINE",
                other.as_bytes(),
            )),
        }
    }
}

/// The effect of the animations of a document on its nodes.
pub(super) fn read(
    document: &Document,
    animated: &Animated,
    accessors: &Accessors<'_, '_>,
    level: &mut Assembly,
) -> Result<BTreeMap<u32, Tracks>, LoadError> {
    let carries = carries(document);
    let mut all: BTreeMap<u32, Tracks> = BTreeMap::new();
    for (index, animation) in animated.animations.iter().enumerate() {
        let mut reader = Reader { animation, index, accessors, level: &mut *level };
        let Some(period) = reader.period(document, &carries)? else { continue };
        let mut own: BTreeMap<u32, Tracks> = BTreeMap::new();
        let mut seen: BTreeMap<(u32, &str), usize> = BTreeMap::new();
        for (number, channel) in animation.channels.iter().enumerate() {
            let Some(node) = channel.target.node else { continue };
            let (path, at) =
                (channel.target.path.as_str(), format!("animations[{index}].channels[{number}]"));
            if !matches!(path, "translation" | "rotation" | "scale") {
                continue;
            }
            if let Some(earlier) = seen.insert((node, path), number) {
                return Err(LoadError::malformed(
                    Location::Part(at),
                    "one channel for each node and path",
                    format!("channels[{earlier}] again").as_bytes(),
                ));
            }
            if !carries[node as usize] {
                continue;
            }
            if document.nodes[node as usize].matrix.is_some() {
                let expected = "a node with translation, rotation and scale where it is animated";
                return Err(LoadError::malformed(Location::part("nodes", node), expected, b"a matrix"));
            }
            let none = Tracks { period, translation: None, rotation: None, scale: None };
            let tracks = own.entry(node).or_insert(none);
            match path {
                "translation" => tracks.translation = Some(reader.vectors(channel.sampler, &at)?),
                "rotation" => tracks.rotation = Some(reader.rotations(channel.sampler, &at)?),
                _ => {
                    let track = reader.vectors(channel.sampler, &at)?;
                    tracks.scale = track.constant();
                    if tracks.scale.is_none() {
                        reader.level.warn(&unsupported(at, "a scale that changes"));
                    }
                }
            }
        }
        for (node, tracks) in own {
            match all.entry(node) {
                Entry::Vacant(free) => drop(free.insert(tracks)),
                Entry::Occupied(_) => {
                    let at = format!("animations[{index}]: nodes[{node}]");
                    level.warn(&unsupported(at, "a node that an earlier animation moves"));
                }
            }
        }
    }
    Ok(all)
}

/// The warning about an animation that is left out.
pub(super) fn unsupported(at: String, feature: &str) -> LoadError {
    LoadError::Unsupported {
        at: Location::Part(at),
        feature: feature.to_owned(),
        remedy: "animate the node's translation and rotation, in one animation",
    }
}

/// Which nodes have a mesh in them, or in what is in them. A skinned mesh is where its bones are.
fn carries(document: &Document) -> Vec<bool> {
    let nodes = &document.nodes;
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            if let Some(parent) = parents.get_mut(child as usize) {
                *parent = Some(index);
            }
        }
    }
    let mut carries = vec![false; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let mut next = (node.mesh.is_some() && node.skin.is_none()).then_some(index);
        // Ends at what is marked, so in a cycle, too.
        while let Some(at) = next.filter(|at| !carries[*at]) {
            carries[at] = true;
            next = parents[at];
        }
    }
    carries
}

struct Reader<'a, 'b, 'c> {
    animation: &'a Animation,
    index: usize,
    accessors: &'a Accessors<'b, 'c>,
    level: &'a mut Assembly,
}

impl Reader<'_, '_, '_> {
    /// Its length; `None` if it moves no node with a mesh.
    fn period(&mut self, document: &Document, carries: &[bool]) -> Result<Option<f64>, LoadError> {
        let mut matters = false;
        for (number, channel) in self.animation.channels.iter().enumerate() {
            let Some(node) = channel.target.node else { continue };
            let carried = carries.get(node as usize).ok_or_else(|| {
                let at = format!("animations[{}].channels[{number}].target", self.index);
                out_of_range(Location::Part(at), node, document.nodes.len(), "nodes")
            })?;
            matters |= carried & matches!(channel.target.path.as_str(), "translation" | "rotation" | "scale");
        }
        if !matters {
            return Ok(None);
        }
        let mut last: BTreeMap<u32, f64> = BTreeMap::new();
        for (number, channel) in self.animation.channels.iter().enumerate() {
            let at = format!("animations[{}].channels[{number}]", self.index);
            let input = self.sampler(channel.sampler, &at)?.input;
            if let Entry::Vacant(free) = last.entry(input) {
                free.insert(self.times(input, &at)?.last().copied().unwrap_or(0.0));
            }
        }
        Ok(Some(last.values().copied().fold(0.0, f64::max)))
    }

    fn sampler(&self, index: u32, at: &str) -> Result<&'_ Sampler, LoadError> {
        let samplers = &self.animation.samplers;
        samplers.get(index as usize).ok_or_else(|| {
            out_of_range(Location::Part(at.to_owned()), index, samplers.len(), "samplers of the animation")
        })
    }

    fn times(&mut self, input: u32, at: &str) -> Result<Vec<f64>, LoadError> {
        let accessor = self.accessors.numbers(input, ElementType::SCALAR, at)?;
        self.level.count_keyframes(self.accessors.entry(input, at)?.count)?;
        let mut times: Vec<f64> = Vec::new();
        accessor.each_numbers(|[time]: [f64; 1]| {
            let follows = times.last().is_none_or(|before| time > *before);
            if !(time.is_finite() && time >= 0.0 && follows) {
                let here = format!("{at}: accessors[{input}]: time {}", times.len());
                let expected = "finite times from 0 on, each later than the one before";
                return Err(LoadError::malformed(
                    Location::Part(here),
                    expected,
                    time.to_string().as_bytes(),
                ));
            }
            times.push(time);
            Ok(())
        })?;
        if times.is_empty() {
            let here = Location::Part(format!("{at}: accessors[{input}]"));
            return Err(LoadError::malformed(here, "at least one time", b"none"));
        }
        Ok(times)
    }

    fn vectors(&mut self, sampler: u32, at: &str) -> Result<Track<DVec3>, LoadError> {
        let points =
            self.points(sampler, ElementType::VEC3, at, |[x, y, z]: [f64; 3]| DVec4::new(x, y, z, 0.0))?;
        Ok(Track(points.into_iter().map(|(time, value)| (time, value.truncate())).collect()))
    }

    fn rotations(&mut self, sampler: u32, at: &str) -> Result<Track<DQuat>, LoadError> {
        let points = self.points(sampler, ElementType::VEC4, at, DVec4::from_array)?;
        let unit = |(time, value): (f64, DVec4)| {
            let length = ops::sqrt(value.length_squared());
            if length > 0.0 && length.is_finite() {
                return Ok((time, DQuat::from_vec4(value / length)));
            }
            let here = Location::Part(format!("{at}: rotation at {time} s"));
            Err(LoadError::malformed(here, "a quaternion that is not zero", value.to_string().as_bytes()))
        };
        Ok(Track(points.into_iter().map(unit).collect::<Result<_, _>>()?))
    }

    /// The points of a track.
    fn points<const N: usize>(
        &mut self,
        sampler: u32,
        shape: ElementType,
        at: &str,
        vector: impl Fn([f64; N]) -> DVec4,
    ) -> Result<Vec<(f64, DVec4)>, LoadError> {
        let Sampler { input, output, .. } = *self.sampler(sampler, at)?;
        let interpolation = Interpolation::of(self.sampler(sampler, at)?, at)?;
        let times = self.times(input, at)?;
        let each = if interpolation == Interpolation::Cubic { 3 } else { 1 };
        let count = self.accessors.entry(output, at)?.count;
        if count != times.len() as u64 * each {
            let here = Location::Part(format!("{at}: accessors[{output}]"));
            let expected = match interpolation {
                Interpolation::Cubic => "three values for each time",
                _ => "one value for each time",
            };
            let found = format!("{count} values, {} times", times.len());
            return Err(LoadError::malformed(here, expected, found.as_bytes()));
        }
        let mut values: Vec<DVec4> = Vec::with_capacity(times.len());
        self.accessors.numbers(output, shape, at)?.each_numbers(|numbers: [f64; N]| {
            let value = vector(numbers);
            if !value.is_finite() {
                let here = Location::Part(format!("{at}: accessors[{output}]: value {}", values.len()));
                return Err(LoadError::malformed(here, "finite numbers", value.to_string().as_bytes()));
            }
            values.push(value);
            Ok(())
        })?;
        match interpolation {
            Interpolation::Linear => Ok(times.into_iter().zip(values).collect()),
            Interpolation::Step => Ok(steps(&times, &values)),
            Interpolation::Cubic => {
                self.level.count_keyframes(u64::from(PIECES) * times.len() as u64)?;
                Ok(spline(&times, &values))
            }
        }
    }
}

/// Each value lasts until just before the next.
fn steps(times: &[f64], values: &[DVec4]) -> Vec<(f64, DVec4)> {
    let mut points: Vec<(f64, DVec4)> = Vec::with_capacity(2 * times.len());
    for (time, value) in times.iter().zip(values) {
        if let Some((start, held)) = points.last().copied()
            && held != *value
            && start < time.next_down()
        {
            points.push((time.next_down(), held));
        }
        points.push((*time, *value));
    }
    points
}

/// Of each time there are a tangent that comes in, a value and a tangent that goes out.
fn spline(times: &[f64], values: &[DVec4]) -> Vec<(f64, DVec4)> {
    let mut points = Vec::with_capacity(PIECES as usize * times.len());
    for (k, span) in times.windows(2).enumerate() {
        let (length, from, leaves) = (span[1] - span[0], values[3 * k + 1], values[3 * k + 2]);
        let (arrives, to) = (values[3 * k + 3], values[3 * k + 4]);
        // f32 times: between two of them f64 has many more than the pieces.
        for piece in 0..PIECES {
            let u = f64::from(piece) / f64::from(PIECES);
            let (square, cube) = (u * u, u * u * u);
            let value = from * (2.0 * cube - 3.0 * square + 1.0)
                + leaves * (length * (cube - 2.0 * square + u))
                + to * (3.0 * square - 2.0 * cube)
                + arrives * (length * (cube - square));
            points.push((span[0] + u * length, value));
        }
    }
    if let (Some(last), Some(value)) = (times.last(), values.len().checked_sub(2).map(|i| values[i])) {
        points.push((*last, value));
    }
    points
}
