//! The page that plays a run: one self-contained file. Two dimensions are drawn on a canvas, three with
//! WebGL, from numbers in the page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom::balls::{Dimensions, Table, Wall};
use carom::world::{Body, BodyId};
use carom_explore::{MOTION_SCRIPT, collider_triangles};
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
    TEMPLATE.replace("\"MOTION\";", MOTION_SCRIPT).replace("\"DATA\"", &data)
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
    let moves = |id: BodyId| record.paths.iter().any(|(body, _)| *body == id);
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
    record.paths.iter().filter_map(body).collect()
}

fn corners<'a>(triangles: impl Iterator<Item = &'a [DVec3; 3]>) -> String {
    let numbers = triangles.flatten().flat_map(|corner| corner.to_array().map(|x| x as f32));
    base64(numbers.flat_map(f32::to_le_bytes))
}

/// The look of a body: about its position, not turned.
fn triangles(body: &Body) -> Vec<[DVec3; 3]> {
    let scale = body.pose().scale();
    collider_triangles(body.collider()).into_iter().map(|triangle| triangle.map(|p| p * scale)).collect()
}
