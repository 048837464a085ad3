//! The level from above in gray, for maps: lighter where it is higher and faces the light, dark along drops.

use carom::num::ops;
use glam::DVec3;

use crate::ground::Facet;
use crate::level::Level;
use crate::report::canvas::{Canvas, Color};
use crate::report::view::View;

/// From where the light comes: north-west and above, as on maps of mountains.
const LIGHT: DVec3 = DVec3::new(-0.45, 0.77, -0.45);
/// A drop of this many meters between two pixels is an edge, more on slopes.
const DROP: f64 = 0.3;

/// Draws the level in a view, down to a row of pixels.
pub(crate) fn relief(canvas: &mut Canvas, level: &Level, view: View, rows: usize) {
    let (width, rows) = (canvas.width, rows.min(canvas.height));
    let mut heights = vec![f64::NEG_INFINITY; width * rows];
    let mut lights = vec![0.0f32; width * rows];
    let mut numbers = vec![u32::MAX; width * rows];
    level.each_triangle_over(view.area([width, rows]), |Facet { number, corners, surface_id }| {
        // From above, the sky would hide the level.
        if level.is_sky(surface_id) {
            return;
        }
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let length = ops::sqrt(normal.length_squared());
        // Modellers wind as they like: what is seen from above looks up.
        let upward = if normal.y < 0.0 { -normal } else { normal };
        if !(length > 0.0 && length.is_finite()) || upward.y <= 1e-6 * length {
            return;
        }
        let light = (upward / length).dot(LIGHT).max(0.0) as f32;
        let [a, b, c] = corners.map(|p| {
            let (x, y) = view.pixel(p);
            (x, y, p.y)
        });
        let double = (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
        let first = |x: f64, y: f64, z: f64| (x.min(y).min(z) - 0.5).ceil().max(0.0) as usize;
        let last =
            |x: f64, y: f64, z: f64, end: usize| (x.max(y).max(z) + 0.5).clamp(0.0, end as f64) as usize;
        for j in first(a.1, b.1, c.1)..last(a.1, b.1, c.1, rows) {
            for i in first(a.0, b.0, c.0)..last(a.0, b.0, c.0, width) {
                let (x, y) = (i as f64 + 0.5, j as f64 + 0.5);
                let side = |p: (f64, f64, f64), q: (f64, f64, f64)| {
                    ((q.0 - p.0) * (y - p.1) - (q.1 - p.1) * (x - p.0)) / double
                };
                let (u, v, w) = (side(b, c), side(c, a), side(a, b));
                let height = u * a.2 + v * b.2 + w * c.2;
                let pixel = j * width + i;
                // Of two as high the one that comes first in the level.
                let is_above = height > heights[pixel] || height == heights[pixel] && number < numbers[pixel];
                if u >= 0.0 && v >= 0.0 && w >= 0.0 && is_above {
                    (heights[pixel], lights[pixel], numbers[pixel]) = (height, light, number);
                }
            }
        }
    });
    let (bottom, top) = (level.bounds().low.y, level.bounds().high.y);
    let drop = DROP + 1.5 / view.scale;
    for j in 0..rows {
        for i in 0..width {
            let height = heights[j * width + i];
            if height == f64::NEG_INFINITY {
                continue;
            }
            let share = if top > bottom { (height - bottom) / (top - bottom) } else { 0.5 };
            let grey = (44.0 + 62.0 * share) * (0.5 + 0.65 * f64::from(lights[j * width + i]));
            let beside = [(i.wrapping_sub(1), j), (i + 1, j), (i, j.wrapping_sub(1)), (i, j + 1)];
            let is_edge = beside.into_iter().any(|(i, j)| {
                i < width
                    && j < rows
                    && heights[j * width + i].is_finite()
                    && heights[j * width + i] < height - drop
            });
            let grey = if is_edge { 1.55 * grey + 14.0 } else { grey };
            let color: Color = [grey, 1.03 * grey, 1.12 * grey].map(|x| x.min(255.0) as u8);
            canvas.blend(i as i64, j as i64, color, 255);
        }
    }
}
