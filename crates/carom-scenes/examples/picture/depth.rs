//! A view without perspective, as a depth buffer: the nearest triangle in each pixel, as seen or lit from one
//! side.

use carom::num::ops;
use glam::{DVec2, DVec3};

use crate::scene::Model;

/// A look at the scene from infinitely far away.
#[derive(Clone, Copy)]
pub(crate) struct View {
    right: DVec3,
    up: DVec3,
    /// Towards the viewer.
    pub(crate) back: DVec3,
    /// The place in the middle of the picture, by `right` and `up`.
    middle: DVec2,
    /// Pixels per meter.
    scale: f64,
    pub(crate) size: [usize; 2],
}

impl View {
    /// From `turn` degrees from south over east, looking down by `tilt` degrees.
    pub(crate) fn from_above(turn: f64, tilt: f64) -> Self {
        let (sin_turn, cos_turn) = ops::sin_cos(turn.to_radians());
        let (sin_tilt, cos_tilt) = ops::sin_cos(tilt.to_radians());
        Self::towards(DVec3::new(sin_turn * cos_tilt, sin_tilt, cos_turn * cos_tilt))
    }

    /// With the viewer in the direction `back`, of length one.
    pub(crate) fn towards(back: DVec3) -> Self {
        let side = if back.y.abs() > 0.999 { DVec3::X } else { DVec3::Y.cross(back) };
        let right = (side - back * side.dot(back)).normalize();
        Self { right, up: back.cross(right), back, middle: DVec2::ZERO, scale: 1.0, size: [1, 1] }
    }

    /// Moved and scaled to hold all points, with a margin as a share of the picture.
    pub(crate) fn framing(self, points: &[DVec3], size: [usize; 2], margin: f64) -> Self {
        let flat = |p: &DVec3| DVec2::new(p.dot(self.right), p.dot(self.up));
        let low = points.iter().map(flat).fold(DVec2::INFINITY, DVec2::min);
        let high = points.iter().map(flat).fold(DVec2::NEG_INFINITY, DVec2::max);
        let pixels = DVec2::new(size[0] as f64, size[1] as f64);
        let scale = (pixels * (1.0 - 2.0 * margin) / (high - low)).min_element();
        Self { middle: (low + high) / 2.0, scale, size, ..self }
    }

    /// The length of a pixel's side, in meters.
    pub(crate) fn pixel(&self) -> f64 {
        1.0 / self.scale
    }

    /// Pixel coordinates from the upper left corner, and how near the place is to the viewer.
    pub(crate) fn project(&self, p: DVec3) -> DVec3 {
        let x = (p.dot(self.right) - self.middle.x) * self.scale + self.size[0] as f64 / 2.0;
        let y = self.size[1] as f64 / 2.0 - (p.dot(self.up) - self.middle.y) * self.scale;
        DVec3::new(x, y, p.dot(self.back))
    }

    /// The place seen in the middle of a pixel at a depth.
    pub(crate) fn place(&self, [x, y]: [usize; 2], depth: f64) -> DVec3 {
        let right = (x as f64 + 0.5 - self.size[0] as f64 / 2.0) / self.scale + self.middle.x;
        let up = (self.size[1] as f64 / 2.0 - y as f64 - 0.5) / self.scale + self.middle.y;
        self.right * right + self.up * up + self.back * depth
    }
}

/// The nearest triangle in each pixel, row by row from the top.
pub(crate) struct DepthMap {
    pub(crate) view: View,
    /// How near it is; −∞ where there is none.
    pub(crate) depths: Vec<f32>,
    pub(crate) triangles: Vec<u32>,
}

impl DepthMap {
    /// Both sides of all triangles.
    pub(crate) fn of(model: &Model, view: View) -> Self {
        let count = view.size[0] * view.size[1];
        let mut map = Self { view, depths: vec![f32::NEG_INFINITY; count], triangles: vec![u32::MAX; count] };
        for (index, face) in model.faces.iter().enumerate() {
            map.fill(index as u32, face.corners.map(|p| view.project(p)));
        }
        map
    }

    fn fill(&mut self, index: u32, [a, b, c]: [DVec3; 3]) {
        let (u, v) = (b - a, c - a);
        let area = u.x * v.y - u.y * v.x;
        if area == 0.0 {
            return;
        }
        let slope = DVec2::new(u.z * v.y - u.y * v.z, u.x * v.z - u.z * v.x) / area;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        // Pixels whose middle lies in the triangle; the casts take what is below 0 to 0.
        let last = |high: f64, size: usize| ((high + 0.5) as usize).min(size);
        for y in (low.y - 0.5).ceil() as usize..last(high.y, self.view.size[1]) {
            let row = y as f64 + 0.5;
            // Where the row enters and leaves the three sides.
            let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
            for (p, q) in [(a, b), (b, c), (c, a)] {
                if (p.y <= row) != (q.y <= row) {
                    let x = p.x + (q.x - p.x) * ((row - p.y) / (q.y - p.y));
                    (from, to) = (from.min(x), to.max(x));
                }
            }
            for x in (from - 0.5).ceil().max(0.0) as usize..last(to, self.view.size[0]) {
                let depth = a.z + slope.x * (x as f64 + 0.5 - a.x) + slope.y * (row - a.y);
                let at = y * self.view.size[0] + x;
                if depth as f32 > self.depths[at] {
                    self.depths[at] = depth as f32;
                    self.triangles[at] = index;
                }
            }
        }
    }

    /// Whether nothing stands between a place and the viewer.
    pub(crate) fn sees(&self, place: DVec3) -> bool {
        let p = self.view.project(place);
        let [width, height] = self.view.size;
        if p.x < 0.0 || p.y < 0.0 || p.x >= width as f64 || p.y >= height as f64 {
            return true;
        }
        self.depths[p.y as usize * width + p.x as usize] <= p.z as f32
    }
}
