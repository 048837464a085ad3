//! A small picture: triangles with a light on them, lines and the nearest of both in each pixel.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, Result};
use carom::num::ops;
use glam::{DVec3, dvec3};

/// A picture of some width and height, drawn twice as fine.
pub(crate) struct Canvas {
    size: [usize; 2],
    depths: Vec<f64>,
    colors: Vec<DVec3>,
}

/// A look from infinitely far away at a part of the picture.
#[derive(Clone, Copy)]
pub(crate) struct View {
    right: DVec3,
    up: DVec3,
    back: DVec3,
    /// The point in the middle of the picture.
    pub(crate) target: DVec3,
    /// Fine pixels per meter.
    pub(crate) scale: f64,
    /// Where that is in the picture, in fine pixels.
    pub(crate) middle: [f64; 2],
}

impl View {
    /// From a direction, y up.
    pub(crate) fn towards(back: DVec3, target: DVec3, scale: f64, middle: [f64; 2]) -> Self {
        let back = back / ops::sqrt(back.length_squared());
        let side = DVec3::Y.cross(back);
        let right = side / ops::sqrt(side.length_squared());
        Self { right, up: back.cross(right), back, target, scale, middle }
    }

    fn project(&self, p: DVec3) -> DVec3 {
        let p = p - self.target;
        dvec3(
            self.middle[0] + p.dot(self.right) * self.scale,
            self.middle[1] - p.dot(self.up) * self.scale,
            p.dot(self.back) * self.scale,
        )
    }
}

impl Canvas {
    /// An empty one, in pixels.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let count = 4 * width * height;
        Self {
            size: [2 * width, 2 * height],
            depths: vec![f64::NEG_INFINITY; count],
            colors: vec![dvec3(0.97, 0.97, 0.96); count],
        }
    }

    fn put(&mut self, x: f64, y: f64, depth: f64, color: DVec3, weight: f64) {
        if x < 0.0 || y < 0.0 || x >= self.size[0] as f64 || y >= self.size[1] as f64 {
            return;
        }
        let at = y as usize * self.size[0] + x as usize;
        if depth >= self.depths[at] {
            self.colors[at] = self.colors[at].lerp(color, weight);
            if weight == 1.0 {
                self.depths[at] = depth;
            }
        }
    }

    /// A triangle, lit from the upper left; both sides.
    pub(crate) fn triangle(&mut self, view: &View, corners: [DVec3; 3], color: DVec3) {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let length = ops::sqrt(normal.length_squared());
        if length == 0.0 {
            return;
        }
        let light = (view.back + view.up * 0.7 - view.right * 0.5) / 1.32;
        let color = color * (0.35 + 0.65 * (normal.dot(light) / length).abs());
        let [a, b, c] = corners.map(|corner| view.project(corner));
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if area == 0.0 {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let rows = (low.y.floor().max(0.0) as usize, high.y.ceil().clamp(0.0, self.size[1] as f64) as usize);
        let columns =
            (low.x.floor().max(0.0) as usize, high.x.ceil().clamp(0.0, self.size[0] as f64) as usize);
        for y in rows.0..rows.1 {
            for x in columns.0..columns.1 {
                let p = dvec3(x as f64 + 0.5, y as f64 + 0.5, 0.0);
                let weight =
                    |q: DVec3, r: DVec3| ((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)) / area;
                let (u, v, w) = (weight(b, c), weight(c, a), weight(a, b));
                if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                    self.put(p.x, p.y, a.z * u + b.z * v + c.z * w, color, 1.0);
                }
            }
        }
    }

    /// A straight line, two fine pixels wide, before what is up to `lift` meters nearer.
    pub(crate) fn line(&mut self, view: &View, from: DVec3, to: DVec3, color: DVec3, lift: f64) {
        let (a, b) = (view.project(from), view.project(to));
        let steps = (b - a).abs().max_element().ceil().clamp(1.0, 20_000.0) as usize;
        for step in 0..=steps {
            let p = a.lerp(b, step as f64 / steps as f64);
            for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
                self.put(p.x + x, p.y + y, p.z + lift * view.scale, color, 0.8);
            }
        }
    }

    /// A PNG, every four fine pixels in one.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let [width, height] = self.size.map(|side| side / 2);
        let mut pixels = Vec::with_capacity(3 * width * height);
        for y in 0..height {
            for x in 0..width {
                let at = 2 * y * self.size[0] + 2 * x;
                let sum: DVec3 = [at, at + 1, at + self.size[0], at + self.size[0] + 1]
                    .map(|i| self.colors[i])
                    .into_iter()
                    .sum();
                pixels.extend((sum * (255.0 / 4.0)).to_array().map(|x| x.clamp(0.0, 255.0) as u8));
            }
        }
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut encoder = png::Encoder::new(BufWriter::new(file), width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&pixels)?;
        Ok(())
    }
}
