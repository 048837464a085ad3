//! A case in exact integers, in the space where the mover is round.
//!
//! A ball stays as it is; a capsule is its axis, kept at a distance; an ellipsoid with radii r and axes R
//! becomes the ball of radius r₀r₁r₂ by the map diag(r₁r₂, r₀r₂, r₀r₁)·Rᵀ, which needs no division. The f64
//! entries of R are taken as they are: how far they are from a rotation is the shape's business, not the
//! sweep's.

use carom::num::bound::{UNIT_ROUNDOFF, reach};
use carom::shape::Mover;
use dashu_int::IBig;
use glam::{DMat3, DVec3};

use super::case::Case;
use super::distance::{
    Corners, Depth, Nearest, area_vector, depths_in_prism, point_point, point_segment, point_triangle,
    segment_triangle, triangle_triangle,
};
use super::numbers::{Dyadic, ExactPoint, Ratio, Vector, is_negative, place, sum};

pub(crate) struct Problem {
    pub(crate) from: Vector,
    pub(crate) to: Vector,
    half_axis: Option<Vector>,
    pub(crate) corners: Vec<Vector>,
    pub(crate) radius_squared: Ratio,
    /// Further points that were asked about, mapped alike.
    pub(crate) asked: Vec<Vector>,
    /// One unit of the integers is `2^exponent` meters, or radii of an ellipsoid's ball.
    pub(crate) exponent: i64,
    /// The rows of the map; normals come back through its columns.
    rows: Option<[Vector; 3]>,
    /// The kernels' own rounding bound for this case, in meters or ball radii.
    pub(crate) rounding: f64,
}

struct Map {
    rows: [[Dyadic; 3]; 3],
    radius: Dyadic,
}

impl Map {
    fn of(mover: &Mover) -> Option<Self> {
        let Mover::Ellipsoid(ellipsoid) = mover else { return None };
        let [r0, r1, r2] = ellipsoid.radii().to_array().map(Dyadic::new);
        let axes = ellipsoid.axes();
        let row = |axis: DVec3, by: &Dyadic| axis.to_array().map(|x| &Dyadic::new(x) * by);
        let rows =
            [row(axes.x_axis, &(&r1 * &r2)), row(axes.y_axis, &(&r0 * &r2)), row(axes.z_axis, &(&r0 * &r1))];
        Some(Self { rows, radius: &(&r0 * &r1) * &r2 })
    }

    fn apply(&self, p: &ExactPoint) -> ExactPoint {
        core::array::from_fn(|i| {
            let row = &self.rows[i];
            &(&(&row[0] * &p[0]) + &(&row[1] * &p[1])) + &(&row[2] * &p[2])
        })
    }
}

fn common_exponent<'a>(of: impl Iterator<Item = &'a Dyadic>) -> i64 {
    of.filter_map(Dyadic::exponent).min().unwrap_or(0)
}

impl Problem {
    /// `asked`: positions and points in the world that the judge will ask about.
    pub(crate) fn new(case: &Case, asked: &[DVec3]) -> Self {
        let map = Map::of(&case.mover);
        let mapped = |p: ExactPoint| match &map {
            Some(map) => map.apply(&p),
            None => p,
        };
        let from = place(case.from);
        let to = mapped(sum(&from, &place(case.translation)));
        let from = mapped(from);
        let corners: Vec<ExactPoint> = case.corners.iter().map(|&c| mapped(place(c))).collect();
        let asked: Vec<ExactPoint> = asked.iter().map(|&p| mapped(place(p))).collect();
        let half_axis = match &case.mover {
            Mover::Capsule(c) => Some(place(c.half_axis())),
            _ => None,
        };
        let radius = match (&map, &case.mover) {
            (Some(map), _) => map.radius.clone(),
            (None, Mover::Sphere(s)) => Dyadic::new(s.radius()),
            (None, Mover::Capsule(c)) => Dyadic::new(c.radius()),
            _ => Dyadic::new(0.0),
        };
        let everything = [&from, &to].into_iter().chain(&corners).chain(&asked).chain(&half_axis).flatten();
        let unit = common_exponent(everything.chain([&radius]));
        let vector = |p: &ExactPoint| Vector(core::array::from_fn(|i| p[i].in_units_of(unit)));
        let radius_units = radius.in_units_of(unit);
        let rows = map.as_ref().map(|map| {
            let unit = common_exponent(map.rows.iter().flatten());
            core::array::from_fn(|i| Vector(core::array::from_fn(|j| map.rows[i][j].in_units_of(unit))))
        });
        let exponent = unit;
        let mut problem = Self {
            from: vector(&from),
            to: vector(&to),
            half_axis: half_axis.as_ref().map(vector),
            corners: corners.iter().map(vector).collect(),
            radius_squared: Ratio::whole(&radius_units * &radius_units),
            asked: asked.iter().map(vector).collect(),
            exponent,
            rows,
            rounding: rounding(case),
        };
        if let Mover::Ellipsoid(e) = &case.mover {
            // The rounding is in ball radii; the lengths here are in meters cubed.
            let [x, y, z] = e.radii().to_array();
            problem.rounding *= x * y * z;
        }
        problem
    }

    fn triangles(&self) -> impl Iterator<Item = Corners> {
        let c = &self.corners;
        (1..c.len() - 1).map(|i| [c[0].clone(), c[i].clone(), c[i + 1].clone()])
    }

    fn over_triangles(&self, nearest: impl Fn(&Corners) -> Nearest) -> Nearest {
        self.triangles()
            .map(|t| nearest(&t))
            .min_by(|a, b| a.squared.cmp(&b.squared))
            .expect("at least three corners")
    }

    /// The shortest offset from the surface to the mover's core (its center, or a capsule's axis) at a place.
    pub(crate) fn nearest_at(&self, center: &Vector) -> Nearest {
        match &self.half_axis {
            None => self.over_triangles(|t| point_triangle(center, t)),
            Some(axis) => self.over_triangles(|t| segment_triangle(&(center - axis), &(center + axis), t)),
        }
    }

    /// The shortest offset to the core anywhere on the whole path.
    pub(crate) fn nearest_on_way(&self) -> Nearest {
        match &self.half_axis {
            None => self.over_triangles(|t| segment_triangle(&self.from, &self.to, t)),
            Some(axis) => {
                let [a, b] = [&self.from - axis, &self.from + axis];
                let [c, d] = [&self.to + axis, &self.to - axis];
                let halves = [[a.clone(), b, c.clone()], [a, c, d]];
                self.over_triangles(|t| {
                    let [n, m] = halves.each_ref().map(|half| triangle_triangle(half, t));
                    if m.squared < n.squared { m } else { n }
                })
            }
        }
    }

    /// The shortest offset to a point from the core at `center`.
    pub(crate) fn core_to_point(&self, center: &Vector, point: &Vector) -> Nearest {
        match &self.half_axis {
            None => point_point(point, center),
            Some(axis) => point_segment(point, &(center - axis), &(center + axis)),
        }
    }

    /// The distance squared from the surface to a point.
    pub(crate) fn surface_to_point(&self, point: &Vector) -> Ratio {
        self.over_triangles(|t| point_triangle(point, t)).squared
    }

    /// Twice the surface's area along its normal.
    fn area(&self) -> Vector {
        self.triangles().map(|t| area_vector(&t)).reduce(|a, b| &a + &b).expect("at least three corners")
    }

    /// The longest side squared over twice the area.
    pub(crate) fn thinness(&self) -> f64 {
        let sides = (0..self.corners.len()).map(|i| {
            let side = &self.corners[(i + 1) % self.corners.len()] - &self.corners[i];
            side.length_squared()
        });
        let longest = sides.max().expect("three corners");
        let area = self.area().length_squared();
        if area.is_zero() {
            return 0.0;
        }
        1.0 / carom::num::ops::sqrt(Ratio::new(area, &longest * &longest).to_f64(0))
    }

    /// Whether the straight path of a point from the start to `place` passes through the surface.
    pub(crate) fn passes(&self, place: &Vector) -> bool {
        let area = self.area();
        let (a, b) = (area.dot(&(&self.from - &self.corners[0])), area.dot(&(place - &self.corners[0])));
        is_negative(&(a * b))
            && self.over_triangles(|t| segment_triangle(&self.from, place, t)).squared.is_zero()
    }

    /// The squared distance of a place from the plane of the surface; zero if there is none.
    pub(crate) fn plane_distance(&self, place: &Vector) -> Ratio {
        let area = self.area();
        if area.is_zero() {
            return Ratio::whole(IBig::ZERO);
        }
        let height = area.dot(&(place - &self.corners[0]));
        Ratio::new(&height * &height, area.length_squared())
    }

    /// How deep the middle of a capsule whose axis meets the surface lies in their solid sum.
    pub(crate) fn depths(&self) -> Vec<Depth> {
        match &self.half_axis {
            Some(axis) => depths_in_prism(&self.from, axis, &self.corners),
            None => Vec::new(),
        }
    }

    /// Whether a capsule's axis spans a volume with the surface.
    pub(crate) fn has_volume(&self) -> bool {
        self.half_axis.as_ref().is_some_and(|axis| !self.area().dot(axis).is_zero())
    }

    /// The world's direction of a normal of this space.
    pub(crate) fn world_direction(&self, normal: &Vector) -> DVec3 {
        match &self.rows {
            None => normal.direction(),
            Some([r0, r1, r2]) => {
                let [a, b, c] = &normal.0;
                (&(&r0.times(a) + &r1.times(b)) + &r2.times(c)).direction()
            }
        }
    }

    /// A length of the integers as meters (or the ellipsoid's meters cubed).
    pub(crate) fn length(&self, squared: &Ratio) -> f64 {
        carom::num::ops::sqrt(squared.to_f64(2 * self.exponent))
    }

    pub(crate) fn translation(&self) -> Vector {
        &self.to - &self.from
    }

    pub(crate) fn is_still(&self) -> bool {
        self.translation().is_zero()
    }
}

/// The rounding that `carom::num::bound` derives: the caller's position, the way and the radius, the corners;
/// in the mover's space.
fn rounding(case: &Case) -> f64 {
    let (from, translation) = (reach(case.from), reach(case.translation));
    let extent = case.corners.iter().map(|&c| reach(c - case.from)).fold(0.0, f64::max);
    let (radius, axis) = match &case.mover {
        Mover::Ellipsoid(e) => {
            let radii = e.radii();
            let to_ball = DMat3::from_diagonal(1.0 / radii) * e.axes().transpose();
            let stretched = (from + 10.0 * translation + 8.0 * extent) / radii.min_element();
            return UNIT_ROUNDOFF * (stretched + 8.0 * (reach(to_ball * case.translation) + 1.0));
        }
        Mover::Sphere(s) => (s.radius(), 0.0),
        Mover::Capsule(c) => (c.radius(), reach(c.half_axis())),
        _ => (0.0, 0.0),
    };
    UNIT_ROUNDOFF * (from + 10.0 * translation + 8.0 * (radius + extent + axis))
}
