//! Draws a scene as a small model on a table: shaded, from above, without perspective.
//!
//! ```text
//! cargo run --release -p carom-scenes --example picture -- courtyard courtyard.png
//! cargo run --release -p carom-scenes --example picture -- half-pipe pipe.png --size 800x600 --turn 20
//! ```

mod depth;
mod light;
mod material;
mod scene;

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;

use crate::depth::{DepthMap, View};
use crate::scene::Subject;

#[derive(Parser)]
#[command(about = "Draws a scene of carom-scenes as a PNG")]
struct Arguments {
    /// The scene to draw.
    scene: Subject,
    /// Where to write the picture.
    out: PathBuf,
    /// Width and height in pixels.
    #[arg(long, default_value = "1600x1100", value_parser = parse_size)]
    size: [usize; 2],
    /// Where the viewer stands, in degrees from south over east; 40 for most scenes.
    #[arg(long, allow_hyphen_values = true)]
    turn: Option<f64>,
    /// How steeply the viewer looks down, in degrees.
    #[arg(long, default_value_t = 38.0)]
    tilt: f64,
    /// Each pixel is the mean of this many, squared.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=4))]
    fineness: u8,
    /// For scenes drawn from a seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn parse_size(text: &str) -> Result<[usize; 2], String> {
    let parse = |side: &str| side.parse().ok().filter(|side| (16..=8192).contains(side));
    text.split_once('x')
        .and_then(|(width, height)| Some([parse(width)?, parse(height)?]))
        .ok_or_else(|| "two sides of 16 to 8192 pixels, like 1600x1100".to_owned())
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let model = arguments.scene.model(arguments.seed);
    let fineness = usize::from(arguments.fineness);
    let fine = arguments.size.map(|side| side * fineness);
    let turn = arguments.turn.unwrap_or_else(|| arguments.scene.turn());
    let view = View::from_above(turn, arguments.tilt).framing(&model.subject(), fine, 0.03);
    let seen = DepthMap::of(&model, view);
    let colors = light::shade(&model, &seen, fineness);
    let pixels = material::developed(&colors, fine, fineness);
    write(&arguments.out, arguments.size, &pixels)
        .with_context(|| format!("cannot write {}", arguments.out.display()))
}

fn write(path: &PathBuf, [width, height]: [usize; 2], rgb: &[u8]) -> Result<()> {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(rgb)?;
    Ok(())
}
