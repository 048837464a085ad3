//! Guesses what a file does not state: its up axis and its unit.
//!
//! The guesses use what levels have in common. Only the report depends on them.

use core::fmt;

use glam::DVec3;

use crate::shape::Aabb;

/// The axis that is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpAxis {
    /// As in glTF.
    Y,
    /// As in many modelers and in Quake.
    Z,
}

impl fmt::Display for UpAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Y => "y",
            Self::Z => "z",
        })
    }
}

/// The length of 1 in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// 1 m.
    Meter,
    /// 0.01 m.
    Centimeter,
    /// 0.001 m.
    Millimeter,
    /// 0.0254 m, nearly the unit of Quake and its kin.
    Inch,
}

impl Unit {
    /// The meters per unit: the scale for loading.
    pub fn meters(self) -> f64 {
        match self {
            Self::Meter => 1.0,
            Self::Centimeter => 0.01,
            Self::Millimeter => 0.001,
            Self::Inch => 0.0254,
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Meter => "m",
            Self::Centimeter => "cm",
            Self::Millimeter => "mm",
            Self::Inch => "in",
        })
    }
}

/// Levels are a few storeys or hills tall, however wide: beyond this height the unit is hardly the meter …
const TALLEST_IN_METRES: f64 = 150.0;
/// … and beyond this one not the centimeter either.
const TALLEST_IN_CENTIMETRES: f64 = 2500.0;

/// The walls along one side of a level are seldom more than this times those along the other.
const CLEARLY: f64 = 1.3;
/// Levels are lower than they are wide: the height is at most this share of either width.
const LOW: f64 = 0.85;

/// The statistics that the guess is made from.
#[derive(Default)]
pub(super) struct Guess {
    /// Twice the area that is seen along each axis.
    area: DVec3,
}

impl Guess {
    pub(super) fn add(&mut self, area: DVec3) {
        self.area += area;
    }

    /// Floors and ceilings are the largest surfaces of a level, and walls share two axes. So z is up if
    /// clearly more area faces z than either other axis, or if more does and the other two are more alike
    /// than either is like z. High walls face x and z about alike, and then y is up.
    ///
    /// A level that is longer than wide, with high walls and little floor, has most area in the walls along
    /// it. So z is up only if the level is clearly lower along z than along x and along y.
    pub(super) fn up(&self, bounds: Option<Aabb>) -> UpAxis {
        let (most, least) = (self.area.x.max(self.area.y), self.area.x.min(self.area.y));
        let is_floor = self.area.z > CLEARLY * most || most * most < self.area.z * least;
        let sides = sides(bounds);
        if is_floor && sides.z <= LOW * sides.x.min(sides.y) { UpAxis::Z } else { UpAxis::Y }
    }

    /// By the height; of the levels too tall for meters, those drawn on a grid of eights are in inches.
    pub(super) fn unit(&self, positions: &[[f32; 3]], bounds: Option<Aabb>, up: UpAxis) -> Unit {
        let sides = sides(bounds);
        let height = match up {
            UpAxis::Y => sides.y,
            UpAxis::Z => sides.z,
        };
        if height <= TALLEST_IN_METRES {
            Unit::Meter
        } else if height <= TALLEST_IN_CENTIMETRES {
            if is_on_grid_of_eights(positions) { Unit::Inch } else { Unit::Centimeter }
        } else {
            Unit::Millimeter
        }
    }
}

fn sides(bounds: Option<Aabb>) -> DVec3 {
    bounds.map_or(DVec3::ZERO, |bounds| bounds.max() - bounds.min())
}

/// Whether at least 80 % of the coordinates are whole and 50 % multiples of 8.
fn is_on_grid_of_eights(positions: &[[f32; 3]]) -> bool {
    let coordinates = positions.as_flattened();
    let share = |step: f32| coordinates.iter().filter(|&&x| x % step == 0.0).count();
    share(1.0) * 10 >= coordinates.len() * 8 && share(8.0) * 2 >= coordinates.len()
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;
    use alloc::vec::Vec;

    use super::super::inspect;
    use super::*;

    /// A room of these sides with its lower corner at the origin, as 12 triangles.
    fn room(x: f32, y: f32, z: f32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        let vertices = (0..8u8)
            .map(|i| [f32::from(i & 1) * x, f32::from(i >> 1 & 1) * y, f32::from(i >> 2 & 1) * z])
            .collect();
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        (vertices, triangles)
    }

    fn guess(x: f32, y: f32, z: f32) -> (UpAxis, Unit) {
        let (vertices, triangles) = room(x, y, z);
        let report = inspect(&vertices, &triangles, None).unwrap();
        (report.up, report.unit)
    }

    #[test]
    fn a_room_is_wider_than_tall() {
        assert_eq!(guess(8.0, 2.5, 6.0), (UpAxis::Y, Unit::Meter));
        assert_eq!(guess(8.0, 6.0, 2.5), (UpAxis::Z, Unit::Meter));
        assert_eq!(guess(1.0, 1.0, 1.0), (UpAxis::Y, Unit::Meter));
    }

    #[test]
    fn high_walls_do_not_lay_a_level_on_its_side() {
        for (x, y, z) in [(6.0, 12.0, 5.0), (5.0, 12.0, 6.0), (5.5, 40.0, 5.5), (40.0, 5.0, 4.0)] {
            assert_eq!(guess(x, y, z).0, UpAxis::Y, "{x} × {y} × {z}");
        }
    }

    #[test]
    fn the_axes_that_walls_share_are_alike() {
        // A hall nearly as high as it is wide, and the same on its side; a canyon; a yard with many walls.
        assert_eq!(guess(12.0, 10.0, 12.0).0, UpAxis::Y);
        assert_eq!(guess(12.0, 12.0, 10.0).0, UpAxis::Z);
        let up = |area: [f64; 3], sides: [f64; 3]| {
            let [area, sides] = [area, sides].map(DVec3::from_array);
            Guess { area }.up(Aabb::new(DVec3::ZERO, sides).ok())
        };
        assert_eq!(up([38_000.0, 6_900.0, 46_900.0], [48.0, 30.0, 38.0]), UpAxis::Y);
        assert_eq!(up([3_457.0, 3_647.0, 3_547.0], [40.0, 8.0, 40.0]), UpAxis::Y);
        assert_eq!(up([3_457.0, 3_547.0, 3_647.0], [40.0, 40.0, 8.0]), UpAxis::Z);
        // A gorge with a bridge, a walled dell, and the two on their side.
        for (area, sides) in
            [([250.0, 230.0, 500.0], [35.0, 11.0, 13.0]), ([33.0, 29.0, 38.0], [45.0, 12.0, 37.0])]
        {
            assert_eq!(up(area, sides), UpAxis::Y);
        }
        assert_eq!(up([250.0, 230.0, 500.0], [35.0, 13.0, 11.0]), UpAxis::Z);
    }

    #[test]
    fn a_room_taller_than_a_tower_is_in_a_smaller_unit() {
        assert_eq!(guess(801.5, 250.5, 601.5), (UpAxis::Y, Unit::Centimeter));
        assert_eq!(guess(8001.5, 6001.5, 2750.5), (UpAxis::Z, Unit::Millimeter));
        assert_eq!(guess(1024.0, 768.0, 256.0), (UpAxis::Z, Unit::Inch));
    }

    #[test]
    fn nothing_is_in_meters_with_y_up() {
        let report = inspect(&[], &[], None).unwrap();
        assert_eq!((report.up, report.unit), (UpAxis::Y, Unit::Meter));
    }

    #[test]
    fn names_are_what_files_and_arguments_call_them() {
        assert_eq!([UpAxis::Y, UpAxis::Z].map(|axis| axis.to_string()), ["y", "z"]);
        let units = [Unit::Meter, Unit::Centimeter, Unit::Millimeter, Unit::Inch];
        assert_eq!(units.map(|unit| unit.to_string()), ["m", "cm", "mm", "in"]);
        assert_eq!(units.map(Unit::meters), [1.0, 0.01, 0.001, 0.0254]);
    }
}
