//! A picture in memory: rectangles, discs, lines, letters, PNG.

use crate::report::font::rows;

/// Red, green, blue.
pub(crate) type Color = [u8; 3];

#[derive(Clone)]
pub(crate) struct Canvas {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize, color: Color) -> Self {
        let pixels = color.iter().copied().cycle().take(3 * width * height).collect();
        Self { width, height, pixels }
    }

    /// Lays a color over a pixel, by a share of 255; pixels outside are left out.
    pub(crate) fn blend(&mut self, x: i64, y: i64, color: Color, share: u32) {
        if x < 0 || y < 0 || x >= self.width as i64 || y >= self.height as i64 {
            return;
        }
        let at = 3 * (y as usize * self.width + x as usize);
        for (old, new) in self.pixels[at..at + 3].iter_mut().zip(color) {
            *old = ((u32::from(*old) * (255 - share) + u32::from(new) * share) / 255) as u8;
        }
    }

    pub(crate) fn rectangle(&mut self, corner: (i64, i64), size: (i64, i64), color: Color) {
        self.tint(corner, size, color, 255);
    }

    /// Lays a color over a rectangle, by a share of 255.
    pub(crate) fn tint(&mut self, (x, y): (i64, i64), (width, height): (i64, i64), color: Color, share: u32) {
        for j in y.max(0)..(y + height).min(self.height as i64) {
            for i in x.max(0)..(x + width).min(self.width as i64) {
                self.blend(i, j, color, share);
            }
        }
    }

    /// A disc, its rim smoothed.
    pub(crate) fn disc(&mut self, (x, y): (f64, f64), radius: f64, color: Color) {
        let reach = radius.ceil() as i64 + 1;
        for j in -reach..=reach {
            for i in -reach..=reach {
                let (px, py) = (x.floor() as i64 + i, y.floor() as i64 + j);
                let (dx, dy) = (px as f64 + 0.5 - x, py as f64 + 0.5 - y);
                let inside = radius + 0.5 - carom::num::ops::sqrt(dx * dx + dy * dy);
                self.blend(px, py, color, (inside.clamp(0.0, 1.0) * 255.0) as u32);
            }
        }
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), color: Color) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        // Lines out of the picture are cut by their pixels, of which there are not too many.
        let steps = dx.abs().max(dy.abs()).ceil().clamp(1.0, 20_000.0);
        let mut step = 0.0;
        while step <= steps {
            let (x, y) = (from.0 + dx * step / steps, from.1 + dy * step / steps);
            for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                self.blend(x.floor() as i64 + i, y.floor() as i64 + j, color, 200);
            }
            step += 1.0;
        }
    }

    /// Text with its upper left corner there, each dot a square of `size`.
    pub(crate) fn text(&mut self, (x, y): (i64, i64), text: &str, size: i64, color: Color) {
        for (number, letter) in (0..).zip(text.chars()) {
            for (row, dots) in (0..).zip(rows(letter)) {
                for column in 0..5 {
                    if dots >> (4 - column) & 1 == 1 {
                        let corner = (x + size * (6 * number + column), y + size * row);
                        self.rectangle(corner, (size, size), color);
                    }
                }
            }
        }
    }

    /// How wide a text is.
    pub(crate) fn text_width(text: &str, size: i64) -> i64 {
        size * 6 * text.chars().count() as i64
    }

    /// The picture as a PNG file.
    pub(crate) fn png(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // Writing to memory does not fail, and the picture has as many bytes as it should.
        if let Ok(mut writer) = encoder.write_header() {
            let _ = writer.write_image_data(&self.pixels);
        }
        out
    }
}
