//! One question to a sweep kernel, printed so that it can be pasted into a test.

use core::fmt;

use carom::shape::{Capsule, Ellipsoid, Mover, Sphere};
use glam::{DQuat, DVec3};

/// A mover, its way, and the corners of a triangle or of a flat convex polygon.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) mover: Mover,
    pub(crate) from: DVec3,
    pub(crate) translation: DVec3,
    pub(crate) corners: Vec<DVec3>,
}

impl Case {
    /// Where the kernels' user takes the mover to be at a fraction.
    pub(crate) fn at(&self, fraction: f64) -> DVec3 {
        self.from + self.translation * fraction
    }

    /// The whole case larger by a power of two: the same shape to the bit.
    pub(crate) fn scaled(&self, by: f64) -> Self {
        Self {
            mover: scaled_mover(&self.mover, by),
            from: self.from * by,
            translation: self.translation * by,
            corners: self.corners.iter().map(|&c| c * by).collect(),
        }
    }

    /// The whole case moved away from the origin, every coordinate rounded again.
    pub(crate) fn moved(&self, by: DVec3) -> Self {
        Self {
            mover: self.mover,
            from: self.from + by,
            translation: self.translation,
            corners: self.corners.iter().map(|&c| c + by).collect(),
        }
    }
}

fn scaled_mover(mover: &Mover, by: f64) -> Mover {
    match mover {
        Mover::Point => Mover::Point,
        Mover::Sphere(s) => Sphere::new(s.radius() * by).unwrap().into(),
        Mover::Ellipsoid(e) => {
            Ellipsoid::new(e.radii() * by).unwrap().with_rotation(e.rotation()).unwrap().into()
        }
        Mover::Capsule(c) => {
            let larger = Capsule::new(c.radius() * by, c.half_height() * by).unwrap();
            larger.with_rotation(c.rotation()).unwrap().into()
        }
        Mover::Cuboid(_) => panic!("the oracle judges round movers"),
    }
}

impl fmt::Display for Case {
    /// Every number as its shortest decimal that reads back to the same bits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = |v: DVec3| format!("dvec3({:?}, {:?}, {:?})", v.x, v.y, v.z);
        let q = |q: DQuat| format!("DQuat::from_xyzw({:?}, {:?}, {:?}, {:?})", q.x, q.y, q.z, q.w);
        match &self.mover {
            Mover::Point => writeln!(f, "Point")?,
            Mover::Sphere(s) => writeln!(f, "Sphere::new({:?})", s.radius())?,
            Mover::Ellipsoid(e) => {
                writeln!(f, "Ellipsoid::new({}).with_rotation({})", v(e.radii()), q(e.rotation()))?;
            }
            Mover::Capsule(c) => {
                writeln!(
                    f,
                    "Capsule::new({:?}, {:?}).with_rotation({})",
                    c.radius(),
                    c.half_height(),
                    q(c.rotation())
                )?;
            }
            Mover::Cuboid(c) => writeln!(f, "{c:?}")?,
        }
        writeln!(f, "Path::new({}, {})", v(self.from), v(self.translation))?;
        for corner in &self.corners {
            writeln!(f, "    {}", v(*corner))?;
        }
        Ok(())
    }
}
