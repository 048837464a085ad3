//! Two meshes compared with each other: what meets is red, and the result of a turn and a slide towards each
//! other is printed.
//!
//! ```text
//! cargo run --release -p carom-scenes --example two_bunnies -- two.png                 # two generated balls with waves
//! cargo run --release -p carom-scenes --example two_bunnies -- two.png bunny.ply       # any .ply, .obj, .stl, .glb
//! ```

mod canvas;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use carom::mesh_pair::{Advance, Counters, MeshPair, PoseMotion, TriangleTree};
use carom::num::ops::rotation_about;
use carom::{Mesh, Pose};
use carom_scenes::workload::{BLOB_SEEDS, blob};
use clap::Parser;
use glam::{DVec3, dvec3};

use crate::canvas::{Canvas, View};

#[derive(Parser)]
#[command(about = "Holds two copies of a mesh against each other and draws what meets")]
struct Arguments {
    /// Where to write the picture, a PNG.
    out: PathBuf,
    /// A mesh; two generated ones if none is given.
    mesh: Option<PathBuf>,
}

const SIZE: [usize; 2] = [1500, 750];

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let meshes: [Mesh; 2] = match &arguments.mesh {
        Some(path) => {
            let mesh = carom_formats::load(path, &Default::default())?.into_mesh()?;
            [mesh.clone(), mesh]
        }
        None => [blob(BLOB_SEEDS[0]).into_mesh()?, blob(BLOB_SEEDS[1]).into_mesh()?],
    };
    ensure!(meshes[0].triangle_count() > 0, "the mesh has no triangles");
    let started = Instant::now();
    let [first, second] = meshes.map(TriangleTree::new);
    println!("two trees over {} triangles each in {:?}", first.mesh().triangle_count(), started.elapsed());

    let bounds = first.mesh().bounds().map(|bounds| (bounds.center(), bounds.max() - bounds.min()));
    let (center, size) = bounds.unwrap_or((DVec3::ZERO, DVec3::ONE));
    let turn = rotation_about(dvec3(0.3, 1.0, 0.2), 2.2);
    // The second stands to the right, turned about its own middle.
    let held = |x: f64| {
        Pose::at(center + dvec3(x * size.x, 0.1 * size.y, 0.0) - turn * center)
            .and_then(|at| at.with_rotation(turn))
    };
    let apart = held(1.6)?;
    let pair = MeshPair::new(&first, Pose::IDENTITY, &second, apart);
    let gap = pair.distance(f64::INFINITY);
    println!("beside each other: {:.4} apart", gap.map_or(f64::NAN, |gap| gap.distance));

    let way = dvec3(-1.6 * size.x, 0.0, 0.0);
    let hit = pair.sweep(way);
    if let Some(found) = hit {
        println!(
            "sliding together: contact after {:.6} of the way, at {:.4?}",
            found.hit.fraction, found.hit.point
        );
    }
    let end = Pose::at(apart.position() + way)?.with_rotation(rotation_about(DVec3::Y, 1.5) * turn)?;
    let advance = Advance {
        first: &first,
        first_motion: PoseMotion::new(
            Pose::IDENTITY,
            Pose::IDENTITY.with_rotation(rotation_about(DVec3::Z, 0.5))?,
        )?,
        second: &second,
        second_motion: PoseMotion::new(apart, end)?,
        tolerance: 1e-6 * size.max_element(),
    };
    let mut counters = Counters::default();
    let turned = advance.first_contact_counted(&mut counters);
    if let Some(found) = turned {
        println!(
            "and turning: after {:.6} of the motion, {:.1e} apart; {counters:?}",
            found.fraction, found.gap
        );
    }

    let mut canvas = Canvas::new(SIZE[0], SIZE[1]);
    let scale = 2.0 * 0.42 * SIZE[1] as f64 / size.max_element();
    let draw = |canvas: &mut Canvas, column: f64, at: Pose| {
        let pair = MeshPair::new(&first, Pose::IDENTITY, &second, at);
        let started = Instant::now();
        let pairs = pair.pairs();
        println!("{} pairs of triangles meet, found in {:?}", pairs.len(), started.elapsed());
        let red: [BTreeSet<u32>; 2] = [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect());
        let middle = [column * 2.0 * SIZE[0] as f64, SIZE[1] as f64];
        let target = center + (at.position() + at.rotation() * center - center) * 0.5;
        let view = View::towards(dvec3(0.3, 0.45, 1.0), target, scale * 0.8, middle);
        let sides =
            [(&first, Pose::IDENTITY, dvec3(0.55, 0.66, 0.74)), (&second, at, dvec3(0.85, 0.76, 0.58))];
        for ((tree, pose, color), red) in sides.into_iter().zip(&red) {
            for triangle in 0..tree.mesh().triangle_count() {
                let corners =
                    tree.mesh().corners(triangle).map(|corner| pose.position() + pose.rotation() * corner);
                let color = if red.contains(&triangle) { dvec3(0.85, 0.1, 0.1) } else { color };
                canvas.triangle(&view, corners, color);
            }
        }
        // The normal of the contact, before everything.
        if let Some(found) = &hit {
            let tip = found.hit.point + found.hit.normal * (0.25 * size.max_element());
            canvas.line(&view, found.hit.point, tip, dvec3(0.1, 0.1, 0.1), 2.0 * size.max_element());
        }
    };
    // At first contact, and pushed into each other.
    let contact = hit.map_or(0.5, |found| found.hit.fraction);
    draw(&mut canvas, 0.25, Pose::at(apart.position() + way * contact)?.with_rotation(turn)?);
    draw(&mut canvas, 0.75, Pose::at(apart.position() + way * (contact + 0.12))?.with_rotation(turn)?);
    canvas.write(&arguments.out)
}
