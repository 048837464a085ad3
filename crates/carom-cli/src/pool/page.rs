//! The page that plays a run: one self-contained file. Two dimensions are drawn on a canvas, three with
//! WebGL, from numbers in the page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom::balls::{Dimensions, Table, Wall};
use carom::num::ops;
use carom::world::{Body, BodyId, Collider};
use glam::DVec3;
use serde_json::{Value, json};

use super::record::{KINDS, Record};
use super::run::Run;

const TEMPLATE: &str = include_str!("page.html");
/// Of meshes with more triangles in all than these an even part is drawn.
const MOST_TRIANGLES: usize = 200_000;

/// The page of a run that has ended.
pub(crate) fn page(run: &Run, table: &Table, record: &Record) -> String {
    let setup = &run.setup;
    let mut starts = vec![0u32];
    let mut knots: Vec<f32> = Vec::new();
    for track in &record.tracks {
        knots.extend(track.knots.as_flattened());
        starts.push((knots.len() / 4) as u32);
    }
    let marks: Vec<f32> = record
        .marks
        .iter()
        .flat_map(|mark| {
            let [x, y, z] = mark.position.to_array().map(|x| x as f32);
            [mark.time as f32, mark.kind as f32, x, y, z]
        })
        .collect();
    let gone: Vec<f32> = record.gone.iter().map(|gone| gone.map_or(-1.0, |time| time as f32)).collect();
    let radii: Vec<f32> = setup.balls.iter().map(|ball| ball.radius as f32).collect();
    let walls: Vec<Value> = setup.walls.iter().map(wall).collect();
    let pockets: Vec<Value> = setup
        .pockets
        .iter()
        .map(|pocket| json!({"position": pocket.position.to_array(), "radius": pocket.radius}))
        .collect();
    let (soup, triangles) = soup(run, record);
    let count = |kind: usize| record.bins.iter().map(|bin| u64::from(bin[kind])).sum::<u64>();
    let counts: Vec<Value> = (0..KINDS.len()).map(|kind| json!([KINDS[kind], count(kind)])).collect();
    let data = json!({
        "name": run.name,
        "dimensions": if setup.rules.dimensions == Dimensions::Two { 2 } else { 3 },
        "time": table.time(),
        "until": run.until,
        "gravity": setup.rules.gravity.to_array(),
        "periodic": setup.rules.periodic.to_array(),
        "energy": table.energy(),
        "radii": base64(radii.iter().flat_map(|x| x.to_le_bytes())),
        "starts": base64(starts.iter().flat_map(|x| x.to_le_bytes())),
        "knots": base64(knots.iter().flat_map(|x| x.to_le_bytes())),
        "gone": base64(gone.iter().flat_map(|x| x.to_le_bytes())),
        "marks": base64(marks.iter().flat_map(|x| x.to_le_bytes())),
        "bins": record.bins,
        "counts": counts,
        "walls": walls,
        "pockets": pockets,
        "soup": soup,
        "bodies": moving(run, record),
        "triangles": triangles,
    });
    // "</script>" in a name must not end the script.
    let data = data.to_string().replace('<', "\\u003c");
    TEMPLATE.replace("\"DATA\"", &data)
}

fn base64(bytes: impl Iterator<Item = u8>) -> String {
    STANDARD.encode(bytes.collect::<Vec<u8>>())
}

fn wall(wall: &Wall) -> Value {
    match *wall {
        Wall::Plane { point, normal } => {
            json!({"plane": [point.to_array(), normal.normalize_or_zero().to_array()]})
        }
        Wall::Segment { a, b } => json!({"segment": [a.to_array(), b.to_array()]}),
        Wall::Arc { center, radius, from, to } => {
            json!({"arc": [center.to_array(), radius, from, to]})
        }
    }
}

/// The corners of all bodies that stay where they are, and how many triangles they have.
fn soup(run: &Run, record: &Record) -> (String, usize) {
    let moves = |id: BodyId| record.ways.iter().any(|(body, _)| *body == id);
    let still: Vec<Vec<[DVec3; 3]>> = run
        .setup
        .obstacles
        .bodies()
        .filter(|(id, _)| !moves(*id))
        .map(|(_, body)| {
            let (position, rotation) = (body.pose().position(), body.pose().rotation());
            let place = |corner: DVec3| position + rotation * corner;
            triangles(body).into_iter().map(|triangle| triangle.map(place)).collect()
        })
        .collect();
    let count: usize = still.iter().map(Vec::len).sum();
    let stride = count.div_ceil(MOST_TRIANGLES).max(1);
    (corners(still.iter().flatten().step_by(stride)), count)
}

/// The bodies that move: triangles about the position, and where they were when.
fn moving(run: &Run, record: &Record) -> Vec<Value> {
    let body = |(id, way): &(BodyId, Vec<[f32; 8]>)| {
        let body = run.setup.obstacles.body(*id)?;
        let triangles = triangles(body);
        let stride = triangles.len().div_ceil(MOST_TRIANGLES).max(1);
        Some(json!({
            "corners": corners(triangles.iter().step_by(stride)),
            "way": base64(way.as_flattened().iter().flat_map(|x| x.to_le_bytes())),
        }))
    };
    record.ways.iter().filter_map(body).collect()
}

fn corners<'a>(triangles: impl Iterator<Item = &'a [DVec3; 3]>) -> String {
    let numbers = triangles.flatten().flat_map(|corner| corner.to_array().map(|x| x as f32));
    base64(numbers.flat_map(f32::to_le_bytes))
}

/// The look of a body: about its position, not turned.
fn triangles(body: &Body) -> Vec<[DVec3; 3]> {
    let scale = body.pose().scale();
    // A grid of quads over [0, 1]², mapped to a surface.
    let grid = |steps: [usize; 2], place: &dyn Fn(f64, f64) -> DVec3| -> Vec<[DVec3; 3]> {
        let [m, n] = steps;
        let at = |i: usize, j: usize| place(i as f64 / m as f64, j as f64 / n as f64) * scale;
        (0..m * n)
            .map(|k| (k / n, k % n))
            .flat_map(|(i, j)| {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                [[a, b, c], [a, c, d]]
            })
            .collect()
    };
    match body.collider() {
        Collider::Mesh(mesh) => {
            let mesh = mesh.mesh();
            let corners = |i: u32| mesh.corners(i).map(|corner| (corner + mesh.origin()) * scale);
            (0..mesh.triangle_count()).map(corners).collect()
        }
        Collider::Cuboid(cuboid) => (0..6)
            .flat_map(|side| {
                let (axis, sign) = (side / 2, if side % 2 == 0 { -1.0 } else { 1.0 });
                grid([1, 1], &|u, v| {
                    let mut signs = [sign; 3];
                    (signs[(axis + 1) % 3], signs[(axis + 2) % 3]) = (2.0 * u - 1.0, 2.0 * v - 1.0);
                    cuboid.axes() * (cuboid.half_extents() * DVec3::from_array(signs))
                })
            })
            .collect(),
        Collider::Sphere(sphere) => grid([24, 12], &|u, v| {
            let (around, down) = (u * std::f64::consts::TAU, v * std::f64::consts::PI);
            let ((s, c), (t, d)) = (ops::sin_cos(around), ops::sin_cos(down));
            DVec3::new(t * c, d, t * s) * sphere.radius()
        }),
        _ => Vec::new(),
    }
}
