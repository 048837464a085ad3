//! Materials: a color by the name of the part, and joints between stones by their positions.

use glam::{DVec2, DVec3, Vec3};

use crate::scene::Face;

/// Behind everything, in linear light.
pub(crate) const BACKGROUND: Vec3 = Vec3::new(0.84, 0.85, 0.84);

/// How a surface is divided.
#[derive(Clone, Copy)]
enum Bond {
    /// Not at all.
    Plain,
    /// Rectangles of this size in meters, every second row moved by half; joints of this width.
    Stones(DVec2, f64),
}

/// The color of a place in daylight: linear, the share of light thrown back.
pub(crate) fn color(part: &str, place: DVec3, normal: DVec3) -> Vec3 {
    let stones = |width: f64, height: f64| Bond::Stones(DVec2::new(width, height), 0.035);
    let is_floor = normal.y > 0.7;
    let (color, bond, variety) = match part {
        "ground" if place.y < -0.75 => (rgb(0x8a, 0x7c, 0x6a), Bond::Plain, 0.0),
        "ground" => (rgb(0xb7, 0xab, 0x96), stones(1.0, 1.0), 0.10),
        "lawn" => (rgb(0x7d, 0x94, 0x55), stones(0.5, 0.5), 0.06),
        "pool" if is_floor => (rgb(0x5f, 0xa9, 0xb5), stones(0.5, 0.5), 0.10),
        "pool" => (rgb(0x6f, 0xb3, 0xbb), stones(0.5, 0.5), 0.10),
        "terrace" | "ramp" if is_floor => (rgb(0xbd, 0x8e, 0x6a), stones(1.0, 0.5), 0.13),
        "stairs" => (rgb(0xdd, 0xd2, 0xbd), Bond::Plain, 0.0),
        "tower" | "terrace" | "ramp" => (rgb(0xc3, 0xb2, 0x95), stones(1.0, 0.375), 0.11),
        "north wall" | "east wall" | "south wall" | "west wall" if normal.y > 0.3 => {
            (rgb(0xa8, 0x5b, 0x45), stones(0.5, 0.25), 0.14)
        }
        "north wall" | "east wall" | "south wall" | "west wall" => {
            (rgb(0xcb, 0xbb, 0x9d), stones(1.5, 0.75), 0.08)
        }
        "cut" => (rgb(0x4a, 0x44, 0x40), Bond::Plain, 0.0),
        "bridge" => (rgb(0xcf, 0xc3, 0xab), stones(0.75, 0.5), 0.08),
        "arch" => (rgb(0xd6, 0xc2, 0xa0), stones(1.0, 0.5), 0.09),
        "portico" | "column" => (rgb(0xe9, 0xe2, 0xd4), Bond::Plain, 0.0),
        "tree" => (rgb(0x4d, 0x6e, 0x46), Bond::Plain, 0.0),
        "obelisk" => (rgb(0xb5, 0x8a, 0x78), Bond::Plain, 0.0),
        "flag" => (rgb(0xc2, 0x3b, 0x32), Bond::Plain, 0.0),
        "lift" => (rgb(0x8f, 0x9a, 0xa3), Bond::Stones(DVec2::splat(0.5), 0.03), 0.08),
        "door" => (rgb(0x7a, 0x55, 0x36), Bond::Stones(DVec2::new(0.25, 4.0), 0.02), 0.12),
        "crate" => (rgb(0xa9, 0x7c, 0x4c), Bond::Stones(DVec2::new(4.0, 0.1875), 0.02), 0.12),
        "body" => (rgb(0xe0, 0x52, 0x3a), Bond::Plain, 0.0),
        "way" => (rgb(0xe9, 0xa1, 0x3b), Bond::Plain, 0.0),
        _ => (rgb(0xb4, 0xad, 0xa0), Bond::Plain, 0.0),
    };
    color * shade_of(bond, variety, place, normal)
}

/// Less light near the edges of a triangle, in meters of a pixel; not where triangles are too small for
/// lines.
pub(crate) fn ink(face: &Face, place: DVec3, pixel: f64) -> f32 {
    let [a, b, c] = face.corners;
    let doubled_area = (b - a).cross(c - a).length();
    let sides = [(a, b), (b, c), (c, a)].map(|(p, q)| ((q - p).length(), (q - p).cross(place - p).length()));
    let longest = sides.iter().fold(0.0, |longest: f64, side| longest.max(side.0));
    let near = sides.iter().any(|&(length, doubled_share)| doubled_share < 0.6 * pixel * length);
    let room = (doubled_area / longest / pixel / 16.0).min(1.0);
    if near { 1.0 - 0.5 * (room * room) as f32 } else { 1.0 }
}

fn shade_of(bond: Bond, variety: f64, place: DVec3, normal: DVec3) -> f32 {
    let Bond::Stones(size, joint) = bond else { return 1.0 };
    // Floors by x and z; walls by height and by how far along they are.
    let along = DVec3::Y.cross(normal);
    let flat = if normal.y.abs() > 0.7 || along.length_squared() == 0.0 {
        DVec2::new(place.x, place.z)
    } else {
        DVec2::new(place.dot(along.normalize()), place.y)
    };
    let row = (flat.y / size.y).floor();
    let shifted = DVec2::new(flat.x + 0.5 * size.x * (row % 2.0), flat.y);
    let stone = (shifted / size).floor();
    let inside = shifted - stone * size;
    let edge = inside.min(size - inside).min_element();
    let joints = if edge < joint / 2.0 { 0.78 } else { 1.0 };
    (joints * (1.0 + variety * (hash(stone) - 0.5) * 2.0)) as f32
}

/// A number in [0, 1) for each stone.
fn hash(stone: DVec2) -> f64 {
    let mixed = (stone.x as i64 as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (stone.y as i64 as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    carom_scenes::Random::scattered(mixed).unit()
}

/// From the numbers that a color picker shows.
fn rgb(r: u8, g: u8, b: u8) -> Vec3 {
    let linear = |c: u8| {
        let c = f32::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    Vec3::new(linear(r), linear(g), linear(b))
}

/// From linear light to what is written: `fineness`² pixels to one, and bright light bent rather than cut.
pub(crate) fn developed(colors: &[Vec3], [width, height]: [usize; 2], fineness: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(3 * width * height / (fineness * fineness));
    for y in (0..height).step_by(fineness) {
        for x in (0..width).step_by(fineness) {
            let mut sum = Vec3::ZERO;
            for row in y..y + fineness {
                sum += colors[row * width + x..row * width + x + fineness]
                    .iter()
                    .copied()
                    .map(bent)
                    .sum::<Vec3>();
            }
            let encoded = (sum / (fineness * fineness) as f32).to_array().map(|c| {
                let c = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
                (c * 255.0 + 0.5) as u8
            });
            bytes.extend(encoded);
        }
    }
    bytes
}

/// As it is up to 0.7, then ever more slowly towards 1.
fn bent(color: Vec3) -> Vec3 {
    let knee = 0.7;
    Vec3::from_array(color.to_array().map(|c| {
        if c <= knee {
            c
        } else {
            let over = (c - knee) / (1.0 - knee);
            knee + (1.0 - knee) * over / (1.0 + over)
        }
    }))
}
