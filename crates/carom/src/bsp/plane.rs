//! Planes and the points where three of them meet, with exact signs.
//!
//! Source: G. Bernstein and D. Fussell, *Fast, exact, linear booleans*, 2009. A corner is three planes, and
//! the only predicate is the side of a corner on which a fourth plane lies: the sign of a 4 × 4 determinant.
//! Idea: a plane is four integers without a common divisor, so equal planes are equal numbers. A sign is
//! decided in f64 if rounding cannot change it, and otherwise in integers. Error: signs have none. Positions
//! of corners are the nearest f64. Cost: a dot product; some microseconds if rounding could decide. It never
//! gives up: integers grow as needed.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use dashu_int::ops::{Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use glam::DVec3;

use super::whole::{
    FINEST, ROUNDED, WholePlane, common, lowest_exponent, meet, meet_whole, parts, ratio, small_ratio,
};

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

    fn of_sign(sign: core::cmp::Ordering) -> Self {
        match sign {
            core::cmp::Ordering::Less => Self::Back,
            core::cmp::Ordering::Equal => Self::On,
            core::cmp::Ordering::Greater => Self::Front,
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

/// The error of each term of a dot product with a rounded position: 1 unit roundoff for the position, 1 for
/// the coefficient, 1 for the product, 3 for the sum; rounded up.
const FILTER: f64 = 4.0 * f64::EPSILON;

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

    /// Whether the position is the corner, not only near it.
    fn is_exact(&self) -> bool {
        self.grain <= SUBNORMAL && self.position.is_finite()
    }
}

/// Planes, each once, whichever way it faces.
#[derive(Clone, Debug, Default)]
pub struct PlaneSet {
    planes: Vec<WholePlane>,
    index: BTreeMap<[IBig; 4], u32>,
}

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
        let parts = numbers.map(parts);
        self.intern(common(&parts)?)
    }

    /// The plane through three points, facing the side from which they are counterclockwise: exact for these
    /// points. `None` if they are in line or not finite.
    pub fn insert_through(&mut self, points: [DVec3; 3]) -> Option<PlaneId> {
        if points.iter().any(|p| !p.is_finite()) {
            return None;
        }
        let mut numbers = [(0i64, i32::MAX); 9];
        for (number, x) in numbers.iter_mut().zip(points.iter().flat_map(glam::DVec3::to_array)) {
            *number = parts(x);
        }
        let lowest = numbers.iter().filter(|(m, _)| *m != 0).map(|(_, e)| *e).min()?;
        let whole =
            numbers.map(|(m, e)| if m == 0 { IBig::ZERO } else { IBig::from(m) << (e - lowest) as usize });
        let [ax, ay, az, bx, by, bz, cx, cy, cz] = whole;
        let (ux, uy, uz) = (bx - &ax, by - &ay, bz - &az);
        let (vx, vy, vz) = (cx - &ax, cy - &ay, cz - &az);
        let n = [&uy * &vz - &uz * &vy, &uz * &vx - &ux * &vz, &ux * &vy - &uy * &vx];
        let d = &n[0] * ax + &n[1] * ay + &n[2] * az;
        // The points were multiplied by 2^−lowest: the normal by the square of it, the distance by the cube.
        let [nx, ny, nz] = n;
        let scale = lowest.unsigned_abs() as usize;
        self.intern(if lowest >= 0 {
            [nx, ny, nz, d << scale]
        } else {
            [nx << scale, ny << scale, nz << scale, d]
        })
    }

    /// A plane across an axis, facing along it (0 to 2). `None` for a distance that is not finite.
    pub fn insert_axial(&mut self, axis: usize, distance: f64) -> Option<PlaneId> {
        self.insert(DVec3::AXES[axis], distance)
    }

    fn intern(&mut self, mut whole: [IBig; 4]) -> Option<PlaneId> {
        let first = whole[..3].iter().find(|x| !x.is_zero())?;
        let flipped = first < &IBig::ZERO;
        let mut divisor = UBig::ZERO;
        for x in &whole {
            if !x.is_zero() {
                let size = x.clone().unsigned_abs();
                divisor = if divisor.is_zero() { size } else { divisor.gcd(&size) };
            }
        }
        let divisor = if flipped { -IBig::from(divisor) } else { IBig::from(divisor) };
        if divisor != IBig::ONE {
            whole = whole.map(|x| x / &divisor);
        }
        let next = self.planes.len() as u32;
        let index = *self.index.entry(whole.clone()).or_insert(next);
        if index == next {
            self.planes.push(WholePlane::new(whole));
        }
        Some(PlaneId(index << 1 | u32::from(flipped)))
    }

    /// The set of these planes alone, and their new names.
    pub(super) fn keep<'a>(&self, named: impl Iterator<Item = &'a mut PlaneId>) -> Self {
        let mut kept = Self::new();
        let mut names = alloc::vec![u32::MAX; self.planes.len()];
        for plane in named {
            let exact = &self.planes[plane.index()];
            let name = &mut names[plane.index()];
            if *name == u32::MAX {
                *name = kept.planes.len() as u32;
                kept.index.insert(exact.whole.clone(), *name);
                kept.planes.push(exact.clone());
            }
            *plane = PlaneId(*name << 1 | plane.0 & 1);
        }
        kept.planes.shrink_to_fit();
        kept
    }

    /// A plane of another set.
    pub(super) fn adopt(&mut self, of: &Self, plane: PlaneId) -> PlaneId {
        let exact = of.exact(plane);
        let next = self.planes.len() as u32;
        let name = *self.index.entry(exact.whole.clone()).or_insert(next);
        if name == next {
            self.planes.push(exact.clone());
        }
        PlaneId(name << 1 | plane.0 & 1)
    }

    /// Normal and distance in integers, for the way that it faces.
    pub(super) fn whole(&self, plane: PlaneId) -> [IBig; 4] {
        let whole = self.exact(plane).whole.clone();
        if plane.is_opposite() { whole.map(|x| -x) } else { whole }
    }

    /// Where three planes meet, in homogeneous coordinates.
    pub(super) fn meet(&self, planes: [PlaneId; 3]) -> Option<[IBig; 4]> {
        meet_whole(planes.map(|plane| &self.exact(plane).whole))
    }

    fn exact(&self, plane: PlaneId) -> &WholePlane {
        &self.planes[plane.index()]
    }

    /// The unit normal, rounded, and the distance from the origin along it.
    pub fn plane(&self, plane: PlaneId) -> (DVec3, f64) {
        let [x, y, z, d] = self.exact(plane).near;
        let normal = DVec3::new(x, y, z);
        let length = crate::num::ops::sqrt(normal.length_squared());
        let sign = if plane.is_opposite() { -1.0 } else { 1.0 };
        (normal / length * sign, d / length * sign)
    }

    /// A normal and a distance that are a common multiple of the plane's, each rounded once: the largest
    /// component of the normal is from 1/2 to 1. For culling.
    pub(crate) fn rounded(&self, plane: PlaneId) -> (DVec3, f64) {
        let [x, y, z, d] = self.exact(plane).near;
        let sign = if plane.is_opposite() { -1.0 } else { 1.0 };
        (DVec3::new(x, y, z) * sign, d * sign)
    }

    /// The bytes that it holds on the heap, but for integers of more than two words.
    pub fn memory(&self) -> usize {
        let entry = size_of::<[IBig; 4]>() + size_of::<u32>();
        self.planes.capacity() * size_of::<WholePlane>() + self.index.len() * entry
    }

    /// Whether the plane is across an axis, and which.
    pub fn axis(&self, plane: PlaneId) -> Option<usize> {
        match self.exact(plane).near {
            [_, 0.0, 0.0, _] => Some(0),
            [0.0, _, 0.0, _] => Some(1),
            [0.0, 0.0, _, _] => Some(2),
            _ => None,
        }
    }

    /// Where three planes meet; `None` if they do not meet in one point.
    pub fn corner(&self, planes: [PlaneId; 3]) -> Option<Corner> {
        let [a, b, c] = planes.map(|plane| self.exact(plane));
        let (position, grain) = match (a.small, b.small, c.small) {
            (Some(a), Some(b), Some(c)) => {
                let [x, y, z, w] = meet([a, b, c].map(|plane| plane.map(i128::from)))?;
                let coordinates = [x, y, z].map(|x| small_ratio(x, w));
                (coordinates.map(|c| c.0), coordinates.map(|c| c.1))
            }
            _ => {
                let [x, y, z, w] = meet_whole([&a.whole, &b.whole, &c.whole])?;
                let coordinates = [x, y, z].map(|x| ratio(&x, &w));
                (coordinates.map(|c| c.0), coordinates.map(|c| c.1))
            }
        };
        let grain = grain.into_iter().max().unwrap_or(ROUNDED);
        Some(Corner { planes, position: DVec3::from_array(position), grain })
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
        let exact = self.exact(plane);
        let p = corner.position;
        let terms = [exact.near[0] * p.x, exact.near[1] * p.y, exact.near[2] * p.z, -exact.near[3]];
        let size: f64 = terms.iter().map(|term| term.abs()).sum();
        let value = terms[0] + terms[1] + terms[2] + terms[3];
        // A number that underflows is off by less than the least normal number.
        let bound = FILTER * size + f64::MIN_POSITIVE;
        if value > bound {
            return Side::Front;
        }
        if value < -bound {
            return Side::Back;
        }
        self.side_exactly(corner, exact)
    }

    /// Where rounding could decide.
    #[cold]
    fn side_exactly(&self, corner: &Corner, exact: &WholePlane) -> Side {
        let zero = core::cmp::Ordering::Equal;
        if let (Some([nx, ny, nz, d]), true) = (exact.small, corner.grain <= FINEST) {
            let unit = f64::from(1u32 << corner.grain);
            let scaled = corner.position * unit;
            // Integers that f64 holds exactly.
            if scaled.abs().max_element() < 9e15 {
                let [x, y, z] = scaled.to_array().map(|x| x as i128);
                let value = i128::from(nx) * x + i128::from(ny) * y + i128::from(nz) * z
                    - (i128::from(d) << corner.grain);
                return Side::of_sign(value.cmp(&0));
            }
        }
        let planes = corner.planes.map(|plane| self.exact(plane));
        let is_small = planes.iter().chain([&exact]).all(|plane| plane.small.is_some());
        if !is_small && corner.is_exact() {
            // As corners of meshes are: there is no need to compute where the planes meet.
            let p = corner.position;
            return Side::of_sign(exact.height(p, lowest_exponent([p])).cmp(&IBig::ZERO));
        }
        if let [Some(a), Some(b), Some(c)] = planes.map(|plane| plane.small)
            && let Some([nx, ny, nz, d]) = exact.small
        {
            let Some([x, y, z, w]) = meet([a, b, c].map(|plane| plane.map(i128::from))) else {
                return Side::On;
            };
            let value = i128::from(nx) * x + i128::from(ny) * y + i128::from(nz) * z - i128::from(d) * w;
            return Side::of_sign(if w < 0 { 0.cmp(&value) } else { value.cmp(&0) });
        }
        let [a, b, c] = planes.map(|plane| &plane.whole);
        let Some([x, y, z, w]) = meet_whole([a, b, c]) else { return Side::On };
        let [nx, ny, nz, d] = &exact.whole;
        let value = nx * x + ny * y + nz * z - d * &w;
        let sign = value.cmp(&IBig::ZERO);
        Side::of_sign(if w < IBig::ZERO { zero.then(sign.reverse()) } else { sign })
    }

    /// On which side of a plane a point lies, exactly; a point that is not finite lies in front.
    pub fn side_of_point(&self, point: DVec3, plane: PlaneId) -> Side {
        let side = self.point_unoriented(point, plane);
        if plane.is_opposite() { side.opposite() } else { side }
    }

    fn point_unoriented(&self, p: DVec3, plane: PlaneId) -> Side {
        let exact = self.exact(plane);
        let terms = [exact.near[0] * p.x, exact.near[1] * p.y, exact.near[2] * p.z, -exact.near[3]];
        let size: f64 = terms.iter().map(|term| term.abs()).sum();
        let value = terms[0] + terms[1] + terms[2] + terms[3];
        let bound = FILTER * size + f64::MIN_POSITIVE;
        if value > bound || !p.is_finite() {
            return Side::Front;
        }
        if value < -bound {
            return Side::Back;
        }
        Side::of_sign(exact.height(p, lowest_exponent([p])).cmp(&IBig::ZERO))
    }

    /// How far two points that are finite lie in front of a plane, in a common unit of integers.
    pub(super) fn heights(&self, points: [DVec3; 2], plane: PlaneId) -> [IBig; 2] {
        let lowest = lowest_exponent(points);
        let heights = points.map(|point| self.exact(plane).height(point, lowest));
        if plane.is_opposite() { heights.map(|height| -height) } else { heights }
    }
}
