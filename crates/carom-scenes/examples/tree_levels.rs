//! Draws levels of the trees over a mesh: axis-aligned boxes, oriented boxes and spheres; and prints how
//! tight each kind is.
//!
//! ```text
//! cargo run --release -p carom-scenes --example tree_levels -- trees.png            # over a generated ball with waves
//! cargo run --release -p carom-scenes --example tree_levels -- trees.png spot.obj   # over any .ply, .obj, .stl, .glb
//! ```

mod canvas;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use carom::Mesh;
use carom::mesh_pair::{MeshVolume, TriangleTree};
use carom::num::ops;
use carom::tree::{BoundingSphere, Obb, ObbFit, PackedAabb, Settings, Split};
use carom_scenes::workload::{BLOB_SEEDS, blob};
use clap::Parser;
use glam::{DVec3, dvec3};

use crate::canvas::{Canvas, View};

#[derive(Parser)]
#[command(about = "Draws the levels of trees over a mesh")]
struct Arguments {
    /// Where to write the picture, a PNG.
    out: PathBuf,
    /// A mesh; a generated one if none is given.
    mesh: Option<PathBuf>,
}

const CELL: usize = 360;
const LEVELS: [u32; 4] = [0, 2, 4, 6];

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let mesh = match &arguments.mesh {
        Some(path) => carom_formats::load(path, &Default::default())?.into_mesh()?,
        None => blob(BLOB_SEEDS[0]).into_mesh()?,
    };
    let bounds = mesh.bounds().context("the mesh has no triangles")?;
    let mut canvas = Canvas::new(CELL * LEVELS.len(), CELL * 3);
    println!("{:32} {:>9} {:>12} {:>12} {:>10}", "tree", "build", "volume", "children", "bytes/tri");
    let rows: [Box<Draw>; 3] = [
        row::<PackedAabb>(&mesh, "boxes along the axes", &box_lines),
        row::<Obb>(&mesh, "oriented boxes", &obb_lines),
        row::<BoundingSphere>(&mesh, "spheres", &sphere_lines),
    ];
    for fit in [ObbFit::Surface, ObbFit::Hull] {
        let around = |triangles: &[[glam::Vec3; 3]]| {
            Obb::around_triangles(triangles, fit)
                .unwrap_or_else(|| PackedAabb::around_triangles(triangles).into())
        };
        report(&format!("oriented boxes, {fit:?}"), || {
            TriangleTree::fitted(mesh.clone(), &Settings::DEFAULT, around)
        });
    }
    let by_axis = Settings { split: Split::LongestAxis, ..Settings::DEFAULT };
    report("oriented boxes, longest axis", || TriangleTree::<Obb>::of(mesh.clone(), &by_axis));

    for (row, draw) in rows.iter().enumerate() {
        for (column, level) in LEVELS.into_iter().enumerate() {
            let middle = [(2 * column + 1) as f64 * CELL as f64, (2 * row + 1) as f64 * CELL as f64];
            let scale = 1.1 * CELL as f64 / (bounds.max() - bounds.min()).max_element();
            let view = View::towards(dvec3(0.55, 0.4, 1.0), bounds.center(), scale, middle);
            for triangle in 0..mesh.triangle_count() {
                canvas.triangle(&view, mesh.corners(triangle), dvec3(0.82, 0.84, 0.86));
            }
            draw(&mut canvas, &view, level);
        }
    }
    canvas.write(&arguments.out)
}

type Draw = dyn Fn(&mut Canvas, &View, u32);
type Lines<V> = dyn Fn(&V, &View) -> Vec<[DVec3; 2]>;

fn row<V: MeshVolume + 'static>(mesh: &Mesh, name: &str, lines: &'static Lines<V>) -> Box<Draw> {
    let tree = report(name, || TriangleTree::<V>::of(mesh.clone(), &Settings::DEFAULT));
    Box::new(move |canvas, view, level| {
        for (i, volume) in tree.tree().level(level).into_iter().enumerate() {
            // Hues a golden ratio of the circle apart.
            let hue = std::f64::consts::TAU * 0.618_034 * i as f64;
            let shade = |phase: f64| 0.42 + 0.38 * ops::cos(hue + phase);
            for [from, to] in lines(&volume, view) {
                canvas.line(view, from, to, dvec3(shade(0.0), shade(2.1), shade(4.2)), 0.0);
            }
        }
    })
}

/// Builds, and prints how long that took and how tight it is.
fn report<V: MeshVolume>(name: &str, build: impl Fn() -> TriangleTree<V>) -> TriangleTree<V> {
    let started = Instant::now();
    let tree = build();
    let took = started.elapsed();
    let tightness = tree.tree().tightness();
    let bytes = tree.memory() as f64 / f64::from(tree.mesh().triangle_count());
    println!(
        "{name:32} {:>7.0}ms {:>12.4} {:>12.4} {bytes:>10.0}",
        took.as_secs_f64() * 1e3,
        tightness.volume,
        tightness.children
    );
    tree
}

fn edges(corners: [DVec3; 8]) -> Vec<[DVec3; 2]> {
    let ends = (0..8usize).flat_map(|i| [1, 2, 4].map(|bit| (i, i | bit))).filter(|(i, j)| i != j);
    ends.map(|(i, j)| [corners[i], corners[j]]).collect()
}

fn box_lines(volume: &PackedAabb, _: &View) -> Vec<[DVec3; 2]> {
    edges(Obb::from(*volume).corners())
}

fn obb_lines(volume: &Obb, _: &View) -> Vec<[DVec3; 2]> {
    edges(volume.corners())
}

/// Three great circles.
fn sphere_lines(volume: &BoundingSphere, _: &View) -> Vec<[DVec3; 2]> {
    let (center, radius) = (volume.center().as_dvec3(), f64::from(volume.radius()));
    let at = |u: DVec3, v: DVec3, i: usize| {
        let (sin, cos) = ops::sin_cos(std::f64::consts::TAU * i as f64 / 48.0);
        center + (u * cos + v * sin) * radius
    };
    [(DVec3::X, DVec3::Y), (DVec3::Y, DVec3::Z), (DVec3::Z, DVec3::X)]
        .into_iter()
        .flat_map(|(u, v)| (0..48).map(move |i| [at(u, v, i), at(u, v, i + 1)]))
        .collect()
}
