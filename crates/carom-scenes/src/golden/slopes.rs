//! Ways up: stairs and ramps, closed solids with a level way in front and behind. They climb towards +z.

use carom::num::ops;
use glam::{DVec2, DVec3};

use crate::{MeshBuilder, SceneMesh};

/// How deep the solids go below y = 0, in meters.
const DEPTH: f64 = 1.0;

/// The solid under a line that climbs along x from y = 0, turned to climb along z, centered on x = 0.
fn solid_under(line: &[DVec2], width: f64) -> SceneMesh {
    let (Some(first), Some(last)) = (line.first(), line.last()) else {
        return SceneMesh::new();
    };
    let bottom = [DVec2::new(first.x, -DEPTH), DVec2::new(last.x, -DEPTH)];
    let outline: Vec<DVec2> = bottom.into_iter().chain(line.iter().rev().copied()).collect();
    MeshBuilder::extruded(&outline, -width / 2.0, width / 2.0).quarter_turned(-1).rounded()
}

/// Stairs, the first riser at z = 0. Lengths in meters; all greater than 0. The default is S8's ten steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stairs {
    /// How many risers.
    pub count: u32,
    /// The height of one.
    pub rise: f64,
    /// The depth of a tread.
    pub run: f64,
    /// From side to side, in x.
    pub width: f64,
    /// The level way before the first riser.
    pub approach: f64,
    /// The level way from the last riser on.
    pub landing: f64,
}

impl Default for Stairs {
    fn default() -> Self {
        Self { count: 10, rise: 0.3, run: 0.3, width: 4.0, approach: 10.0, landing: 10.0 }
    }
}

impl Stairs {
    /// How high the landing lies.
    pub fn height(&self) -> f64 {
        f64::from(self.count) * self.rise
    }

    /// The triangles, closed, facing outward.
    pub fn mesh(&self) -> SceneMesh {
        let mut line = vec![DVec2::new(-self.approach, 0.0)];
        for i in 0..self.count {
            let z = f64::from(i) * self.run;
            line.push(DVec2::new(z, f64::from(i) * self.rise));
            line.push(DVec2::new(z, f64::from(i + 1) * self.rise));
        }
        let end = f64::from(self.count.saturating_sub(1)) * self.run + self.landing;
        line.push(DVec2::new(end, self.height()));
        solid_under(&line, self.width)
    }
}

/// E9, the articles' stairs: a ball six feet high rolls against steps with nothing but its roundness to climb
/// them. In meters, one foot being 0.3048 m.
#[derive(Clone, Debug, PartialEq)]
pub struct ArticleStairs {
    /// Three steps, twelve feet deep, so that each is climbed alone.
    pub stairs: Stairs,
    /// Three feet.
    pub ball_radius: f64,
    /// The ball's center when it stands on the floor, twelve feet before the first riser.
    pub ball_start: DVec3,
}

impl ArticleStairs {
    /// One foot, in meters.
    pub const FOOT: f64 = 0.3048;

    /// Steps of this height, in feet; below 3, or the ball meets a wall.
    pub fn new(step_feet: f64) -> Self {
        let feet = |count: f64| count * Self::FOOT;
        Self {
            stairs: Stairs {
                count: 3,
                rise: feet(step_feet),
                run: feet(12.0),
                width: feet(24.0),
                approach: feet(24.0),
                landing: feet(24.0),
            },
            ball_radius: feet(3.0),
            ball_start: DVec3::new(0.0, feet(3.0), feet(-12.0)),
        }
    }
}

/// A ramp whose foot is at z = 0. Lengths in meters. E2 walks it at 5° to 85°, E3 leaves its crest, E4
/// crosses its side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// The slope, above 0° and below 90°.
    pub degrees: f64,
    /// Along the slope.
    pub length: f64,
    /// From side to side, in x.
    pub width: f64,
    /// The level way before the foot; 0 for none.
    pub approach: f64,
    /// The level way behind the crest; 0 for a drop.
    pub landing: f64,
}

impl Default for Ramp {
    fn default() -> Self {
        Self { degrees: 30.0, length: 10.0, width: 10.0, approach: 10.0, landing: 10.0 }
    }
}

impl Ramp {
    /// How far the crest lies behind the foot (x) and above it (y).
    pub fn crest(&self) -> DVec2 {
        let (sin, cos) = ops::sin_cos(self.degrees.to_radians());
        DVec2::new(cos, sin) * self.length
    }

    /// The slope's normal, of length one.
    pub fn normal(&self) -> DVec3 {
        let (sin, cos) = ops::sin_cos(self.degrees.to_radians());
        DVec3::new(0.0, cos, -sin)
    }

    /// The triangles, closed, facing outward.
    pub fn mesh(&self) -> SceneMesh {
        let crest = self.crest();
        let mut line =
            vec![DVec2::new(-self.approach, 0.0), DVec2::ZERO, crest, crest + DVec2::X * self.landing];
        line.dedup();
        solid_under(&line, self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Census;

    #[test]
    fn stairs_are_closed_and_climb_from_z_zero() {
        for stairs in
            [Stairs::default(), Stairs { count: 1, ..Stairs::default() }, ArticleStairs::new(2.9).stairs]
        {
            let mesh = stairs.mesh();
            let census = Census::of(&mesh);
            assert!(census.is_closed() && census.volume > 0.0 && census.slivers == 0, "{census:?}");
            let (low, high) = mesh.extents().unwrap();
            assert!((high.y - stairs.height()).abs() < 1e-6);
            assert!((high.x - stairs.width / 2.0).abs() < 1e-6 && (low.z + stairs.approach).abs() < 1e-6);
            // The first riser: the only triangles that face −z between y = 0 and one rise.
            let risers = mesh.iter_corners().filter(|&[a, b, c]| {
                (b - a).cross(c - a).z < 0.0 && (a + b + c).z == 0.0 && (a + b + c).y > 0.0
            });
            assert_eq!(risers.count(), 2);
        }
    }

    #[test]
    fn ramps_are_closed_at_every_slope_with_and_without_level_ways() {
        for step in 1..=17 {
            for (approach, landing) in [(10.0, 10.0), (0.0, 10.0), (10.0, 0.0), (0.0, 0.0)] {
                let ramp = Ramp { degrees: 5.0 * f64::from(step), approach, landing, ..Ramp::default() };
                let mesh = ramp.mesh();
                let census = Census::of(&mesh);
                assert!(census.is_closed() && census.volume > 0.0, "{ramp:?} {census:?}");
                let slope = mesh
                    .iter_corners()
                    .filter(|&[a, b, c]| (b - a).cross(c - a).normalize().abs_diff_eq(ramp.normal(), 1e-6));
                assert_eq!(slope.count(), 2, "{ramp:?}");
            }
        }
    }
}
