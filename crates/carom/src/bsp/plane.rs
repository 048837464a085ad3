//! Planes and the points where three of them meet, with exact signs.
//!
//! Source: G. Bernstein and D. Fussell, *Fast, exact, linear booleans*, 2009. A corner is three planes, and
//! the only predicate is the side of a corner on which a fourth plane lies: the sign of a 4 × 4 determinant.
//! Idea: a plane is four integers without a common divisor, so equal planes are equal numbers. A sign is
//! decided in f64 if rounding cannot change it, and otherwise in integers. Error: signs have none. Positions
//! of corners are the nearest f64. Cost: a dot product; some microseconds if rounding could decide. It never
//! gives up: integers grow as needed.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::cmp::Ordering;

use dashu_int::IBig;
use glam::DVec3;

use super::normal_form::{normalized, through};
use super::plane_index::PlaneIndex;
use super::whole::{
    FINEST, ROUNDED, Whole, WholePlane, common, fraction_bits, lowest_exponent, meet, meet_whole, meet_wide,
    parts, ratio, small_ratio, wide_ratio,
};
use super::wide::Wide;

/// A plane of a [`PlaneSet`], with the side that it faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlaneId(u32);

impl PlaneId {
    /// The same plane, facing the other way.
    #[must_use]
    pub fn opposite(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The one of the two that equal planes share, whichever way they face.
    #[must_use]
    pub fn unoriented(self) -> Self {
        Self(self.0 & !1)
    }

    /// Whether it faces the other way than the plane that [`Self::unoriented`] names.
    pub fn is_opposite(self) -> bool {
        self.0 & 1 == 1
    }

    fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// Where a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Behind the plane.
    Back,
    /// In it.
    On,
    /// On the side that it faces.
    Front,
}

impl Side {
    /// The side for the plane that faces the other way.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Back => Self::Front,
            Self::On => Self::On,
            Self::Front => Self::Back,
        }
    }

    fn of_sign(sign: Ordering) -> Self {
        match sign {
            Ordering::Less => Self::Back,
            Ordering::Equal => Self::On,
            Ordering::Greater => Self::Front,
        }
    }
}

/// A point where three planes meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    planes: [PlaneId; 3],
    position: DVec3,
    /// The corner is at multiples of 2^−grain; [`ROUNDED`] if the position is rounded.
    grain: u32,
}

/// All multiples of 2^−SUBNORMAL that are not too large are numbers of f64.
const SUBNORMAL: u32 = 1074;

impl Corner {
    /// The nearest f64 to each coordinate.
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// The planes that meet in it.
    pub fn planes(&self) -> [PlaneId; 3] {
        self.planes
    }

    /// The corner at a point that three planes have in common, exactly.
    pub(super) fn at(point: DVec3, planes: [PlaneId; 3]) -> Self {
        let grain = point.to_array().map(fraction_bits).into_iter().max().unwrap_or(ROUNDED);
        Self { planes, position: point, grain }
    }

    /// The same point as the one where three other planes meet.
    pub(super) fn named(self, planes: [PlaneId; 3]) -> Self {
        Self { planes, ..self }
    }

    /// Whether the position is the corner, not only near it.
    fn is_exact(&self) -> bool {
        self.grain <= SUBNORMAL && self.position.is_finite()
    }
}

/// Planes, each once, whichever way it faces.
#[derive(Clone, Debug, Default)]
pub struct PlaneSet {
    planes: Vec<WholePlane>,
    /// Where to find each by its numbers.
    index: PlaneIndex,
    /// The planes across the axes at this distance from the origin, a power of two, belong to the set but
    /// are not stored: they would be most of a small tree. Their numbers begin at [`LIMITS`].
    reach: Option<f64>,
}

/// Along x at the reach, then against x, and so on. They are the highest numbers.
const LIMITS: u32 = (u32::MAX >> 1) - 5;

impl PlaneSet {
    /// No planes.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many planes there are, each counted once for both ways that it faces.
    pub fn len(&self) -> usize {
        self.planes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.planes.is_empty()
    }

    /// The plane normal · x = distance with exactly these numbers. `None` if one is not finite or the normal
    /// is 0.
    pub fn insert(&mut self, normal: DVec3, distance: f64) -> Option<PlaneId> {
        let numbers = [normal.x, normal.y, normal.z, distance];
        if numbers.iter().any(|x| !x.is_finite()) {
            return None;
        }
        Some(self.intern(normalized(common(&numbers.map(parts))?)?))
    }

    /// The plane through three points, facing the side from which they are counterclockwise: exact for these
    /// points. `None` if they are in line or not finite.
    pub fn insert_through(&mut self, points: [DVec3; 3]) -> Option<PlaneId> {
        if points.iter().any(|p| !p.is_finite()) {
            return None;
        }
        Some(self.intern(through(points)?))
    }

    /// A plane across an axis, facing along it (0 to 2). `None` for a distance that is not finite.
    pub fn insert_axial(&mut self, axis: usize, distance: f64) -> Option<PlaneId> {
        self.insert(DVec3::AXES[axis], distance)
    }

    fn intern(&mut self, (whole, flipped): (Whole, bool)) -> PlaneId {
        PlaneId(self.place(WholePlane::new(whole)) << 1 | u32::from(flipped))
    }

    /// The [`Self::limits`] at a power of two. The first such distance is the reach.
    pub(super) fn bounded(&mut self, reach: f64) -> Option<[PlaneId; 6]> {
        self.reach.get_or_insert(reach);
        self.limits(reach)
    }

    /// The planes across the axes at a distance from the origin, facing out: along x, against x, and so on.
    pub(super) fn limits(&mut self, distance: f64) -> Option<[PlaneId; 6]> {
        Some([
            self.insert_axial(0, distance)?,
            self.insert_axial(0, -distance)?.opposite(),
            self.insert_axial(1, distance)?,
            self.insert_axial(1, -distance)?.opposite(),
            self.insert_axial(2, distance)?,
            self.insert_axial(2, -distance)?.opposite(),
        ])
    }

    /// A plane at the reach.
    #[cold]
    fn limit(&self, number: u32) -> WholePlane {
        let which = number.checked_sub(LIMITS).expect("the plane is of this set");
        let reach = self.reach.expect("a set with limits has a reach");
        // A power of two, not below 1.
        let (_, exponent) = parts(reach);
        let distance = IBig::ONE << exponent as usize;
        let mut numbers =
            [IBig::ZERO, IBig::ZERO, IBig::ZERO, if which.is_multiple_of(2) { distance } else { -distance }];
        numbers[which as usize / 2] = IBig::ONE;
        WholePlane::new(numbers.into())
    }

    /// The number of a plane at the reach, unless it is stored: a plane has one number.
    fn limit_like(&mut self, plane: &WholePlane) -> Option<u32> {
        // Of a plane across an axis the normal is 1/2.
        let may_be = self.reach.is_some_and(|reach| plane.near[3].abs() == 0.5 * reach);
        if !may_be || self.index.find(&self.planes, &plane.whole).is_some() {
            return None;
        }
        (LIMITS..LIMITS + 6).find(|number| self.limit(*number).whole == plane.whole)
    }

    /// The number of a plane.
    fn place(&mut self, plane: WholePlane) -> u32 {
        if let Some(limit) = self.limit_like(&plane) {
            return limit;
        }
        let next = self.planes.len() as u32;
        let number = self.index.find_or_insert(&self.planes, &plane.whole);
        if number == next {
            self.planes.push(plane);
        }
        number
    }

    /// The set of these planes alone, and their new names.
    pub(super) fn keep<'a>(&self, named: impl Iterator<Item = &'a mut PlaneId>) -> Self {
        let mut kept = Self::new();
        let mut names = alloc::vec![u32::MAX; self.planes.len()];
        for plane in named {
            let mut place = || kept.place(self.exact(*plane).into_owned());
            let name = match names.get_mut(plane.index()) {
                Some(name) if *name == u32::MAX => {
                    *name = place();
                    *name
                }
                Some(name) => *name,
                None => place(),
            };
            *plane = PlaneId(name << 1 | plane.0 & 1);
        }
        kept
    }

    /// A plane of another set.
    pub(super) fn adopt(&mut self, of: &Self, plane: PlaneId) -> PlaneId {
        PlaneId(self.place(of.exact(plane).into_owned()) << 1 | plane.0 & 1)
    }

    /// Leaves no room for more planes, and no table to find planes in: the next plane builds it again.
    pub(super) fn shrink_to_fit(&mut self) {
        self.planes.shrink_to_fit();
        self.index = PlaneIndex::default();
    }

    /// Normal and distance in integers, for the way that it faces.
    pub(super) fn whole(&self, plane: PlaneId) -> [IBig; 4] {
        let whole = self.exact(plane).integers();
        if plane.is_opposite() { whole.map(|x| -x) } else { whole }
    }

    /// Where three planes meet, in homogeneous coordinates.
    pub(super) fn meet(&self, planes: [PlaneId; 3]) -> Option<[IBig; 4]> {
        meet_whole(planes.map(|plane| self.exact(plane).integers()))
    }

    fn exact(&self, plane: PlaneId) -> Cow<'_, WholePlane> {
        match self.planes.get(plane.index()) {
            Some(stored) => Cow::Borrowed(stored),
            None => Cow::Owned(self.limit(plane.index() as u32)),
        }
    }

    /// Calls with planes. Mostly all are stored.
    #[inline(always)]
    fn with<const N: usize, R>(&self, planes: [PlaneId; N], answer: impl FnOnce([&WholePlane; N]) -> R) -> R {
        let stored = planes.map(|plane| self.planes.get(plane.index()));
        if stored.iter().any(Option::is_none) {
            return self.with_limits(planes, answer);
        }
        answer(stored.map(|plane| plane.unwrap_or_else(|| unreachable!("all are stored"))))
    }

    #[cold]
    #[inline(never)]
    fn with_limits<const N: usize, R>(
        &self,
        planes: [PlaneId; N],
        answer: impl FnOnce([&WholePlane; N]) -> R,
    ) -> R {
        let planes = planes.map(|plane| self.exact(plane));
        answer(planes.each_ref().map(|plane| &**plane))
    }

    /// The numbers of a plane, rounded.
    fn near(&self, plane: PlaneId) -> [f64; 4] {
        match self.planes.get(plane.index()) {
            Some(stored) => stored.near,
            None => self.limit(plane.index() as u32).near,
        }
    }

    /// The unit normal, rounded, and the distance from the origin along it.
    pub fn plane(&self, plane: PlaneId) -> (DVec3, f64) {
        let [x, y, z, d] = self.near(plane);
        let normal = DVec3::new(x, y, z);
        let length = crate::num::ops::sqrt(normal.length_squared());
        let sign = if plane.is_opposite() { -1.0 } else { 1.0 };
        (normal / length * sign, d / length * sign)
    }

    /// A normal and a distance that are a common multiple of the plane's, each rounded once: the largest
    /// component of the normal is from 1/2 to 1. For culling.
    pub(crate) fn rounded(&self, plane: PlaneId) -> (DVec3, f64) {
        let [x, y, z, d] = self.near(plane);
        let sign = if plane.is_opposite() { -1.0 } else { 1.0 };
        (DVec3::new(x, y, z) * sign, d * sign)
    }

    /// The bytes that it holds on the heap, but for the integers of planes with numbers of more than 126
    /// bits.
    pub fn memory(&self) -> usize {
        self.planes.capacity() * size_of::<WholePlane>() + self.index.memory()
    }

    /// Whether the plane is across an axis, and which.
    pub fn axis(&self, plane: PlaneId) -> Option<usize> {
        match self.near(plane) {
            [_, 0.0, 0.0, _] => Some(0),
            [0.0, _, 0.0, _] => Some(1),
            [0.0, 0.0, _, _] => Some(2),
            _ => None,
        }
    }

    /// Where three planes meet; `None` if they do not meet in one point.
    pub fn corner(&self, planes: [PlaneId; 3]) -> Option<Corner> {
        self.with(planes, |exact| {
            if let Some(position) = axial_corner(exact) {
                return Some(Corner::at(position, planes));
            }
            let coordinates = match some_of(exact.map(|plane| plane.whole.small())) {
                Some(small) => {
                    let [x, y, z, w] = meet(small)?;
                    [x, y, z].map(|x| small_ratio(x, w))
                }
                None => match some_of(exact.map(|plane| plane.whole.wide())) {
                    Some(wide) => {
                        let [x, y, z, w] = meet_wide(wide)?;
                        match some_of([x, y, z].map(|x| wide_ratio(&x, &w))) {
                            Some(coordinates) => coordinates,
                            None => self.long_coordinates(planes)?,
                        }
                    }
                    None => self.long_coordinates(planes)?,
                },
            };
            let grain = coordinates.iter().map(|(_, grain)| *grain).max().unwrap_or(ROUNDED);
            Some(Corner { planes, position: DVec3::from_array(coordinates.map(|(x, _)| x)), grain })
        })
    }

    /// Each coordinate and its grain, in integers of any length.
    #[cold]
    fn long_coordinates(&self, planes: [PlaneId; 3]) -> Option<[(f64, u32); 3]> {
        let [x, y, z, w] = self.meet(planes)?;
        Some([x, y, z].map(|x| ratio(&x, &w)))
    }

    /// On which side of a plane a corner lies.
    pub fn side(&self, corner: &Corner, plane: PlaneId) -> Side {
        let side = self.side_unoriented(corner, plane);
        if plane.is_opposite() { side.opposite() } else { side }
    }

    fn side_unoriented(&self, corner: &Corner, plane: PlaneId) -> Side {
        if corner.planes.iter().any(|of| of.index() == plane.index()) {
            return Side::On;
        }
        self.with([plane], |[exact]| {
            exact.filtered(corner.position).unwrap_or_else(|| self.side_exactly(corner, exact))
        })
    }

    /// Where rounding could decide.
    #[cold]
    fn side_exactly(&self, corner: &Corner, exact: &WholePlane) -> Side {
        if let (Some((axis, at)), true) = (exact.crossing(), corner.is_exact()) {
            return match corner.position[axis].partial_cmp(&at) {
                Some(order) => Side::of_sign(order),
                None => Side::On,
            };
        }
        if let (Some([nx, ny, nz, d]), true) = (exact.whole.small(), corner.grain <= FINEST) {
            let unit = f64::from(1u32 << corner.grain);
            let scaled = corner.position * unit;
            // Integers that f64 holds exactly.
            if scaled.abs().max_element() < 9e15 {
                let [x, y, z] = scaled.to_array().map(|x| x as i128);
                let value = nx * x + ny * y + nz * z - (d << corner.grain);
                return Side::of_sign(value.cmp(&0));
            }
        }
        if corner.is_exact() {
            // As corners of meshes are: there is no need to compute where the planes meet.
            return Side::of_sign(exact.side_of(corner.position));
        }
        self.with(corner.planes, |planes| {
            if let Some(small) = some_of(planes.map(|plane| plane.whole.small()))
                && let Some([nx, ny, nz, d]) = exact.whole.small()
            {
                let Some([x, y, z, w]) = meet(small) else { return Side::On };
                let value = nx * x + ny * y + nz * z - d * w;
                return Side::of_sign(if w < 0 { 0.cmp(&value) } else { value.cmp(&0) });
            }
            if let Some(wide) = some_of(planes.map(|plane| plane.whole.wide()))
                && let Some([nx, ny, nz, d]) = exact.whole.wide()
            {
                let Some([x, y, z, w]) = meet_wide(wide) else { return Side::On };
                let value: Wide<8> = nx.times(&x) + ny.times(&y) + nz.times(&z) - d.times(&w);
                let sign = value.sign();
                return Side::of_sign(if w.sign() == Ordering::Less { sign.reverse() } else { sign });
            }
            let Some([x, y, z, w]) = self.meet(corner.planes) else { return Side::On };
            let [nx, ny, nz, d] = exact.integers();
            let sign = (nx * x + ny * y + nz * z - d * &w).cmp(&IBig::ZERO);
            Side::of_sign(if w < IBig::ZERO { sign.reverse() } else { sign })
        })
    }

    /// On which side of a plane a point lies, exactly; a point that is not finite lies in front.
    pub fn side_of_point(&self, point: DVec3, plane: PlaneId) -> Side {
        let side = self.point_unoriented(point, plane);
        if plane.is_opposite() { side.opposite() } else { side }
    }

    fn point_unoriented(&self, p: DVec3, plane: PlaneId) -> Side {
        if !p.is_finite() {
            return Side::Front;
        }
        self.with([plane], |[exact]| exact.filtered(p).unwrap_or_else(|| Side::of_sign(exact.side_of(p))))
    }

    /// How far two points that are finite lie in front of a plane, in a common unit of integers.
    pub(super) fn heights(&self, points: [DVec3; 2], plane: PlaneId) -> [IBig; 2] {
        let lowest = lowest_exponent(points);
        let heights = points.map(|point| self.exact(plane).height(point, lowest));
        if plane.is_opposite() { heights.map(|height| -height) } else { heights }
    }
}

impl WholePlane {
    /// On which side a point lies whose coordinates may be rounded; `None` if rounding could decide.
    #[inline(always)]
    fn filtered(&self, p: DVec3) -> Option<Side> {
        // The error of each term: 1 unit roundoff for the position, 1 for the coefficient, 1 for the product,
        // 3 for the sum; rounded up.
        const FILTER: f64 = 4.0 * f64::EPSILON;
        let [x, y, z, d] = self.near;
        let [x, y, z] = [x * p.x, y * p.y, z * p.z];
        let size = x.abs() + y.abs() + z.abs() + d.abs();
        let value = x + y + z - d;
        // A number that underflows is off by less than the least normal number.
        let bound = FILTER * size + f64::MIN_POSITIVE;
        if value > bound {
            Some(Side::Front)
        } else if value < -bound {
            Some(Side::Back)
        } else {
            None
        }
    }
}

/// Where three planes meet that are across the three axes, at numbers of f64.
fn axial_corner(planes: [&WholePlane; 3]) -> Option<DVec3> {
    let mut position = DVec3::NAN;
    for (axis, at) in some_of(planes.map(WholePlane::crossing))? {
        position[axis] = at;
    }
    (!position.is_nan()).then_some(position)
}

/// All three, if there are all three.
fn some_of<T>([a, b, c]: [Option<T>; 3]) -> Option<[T; 3]> {
    Some([a?, b?, c?])
}
