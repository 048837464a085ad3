//! Scenes that can be drawn.

use carom_scenes::golden::{self, ArticleStairs, HalfPipe, Ramp, Stairs};
use carom_scenes::workload::{BLOB_SEEDS, City, Terrain, blob, icosphere};
use carom_scenes::{MeshBuilder, PlacedBox, SceneMesh, courtyard};
use clap::ValueEnum;
use glam::{DVec2, DVec3};

/// The part that everything stands on.
pub(crate) const TABLE: &str = "table";
/// A part of no particular kind, of which all edges are drawn.
pub(crate) const PLAIN: &str = "plain";

/// The scenes by name.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Subject {
    /// The built-in level, with the two walls in front of the viewer cut down.
    Courtyard,
    /// The built-in level as it is, with its tour.
    Tour,
    Terrain,
    City,
    Blob,
    Stairs,
    ArticleStairs,
    Ramp,
    HalfPipe,
    Creases,
    TJunctions,
    WallOfBoxes,
}

/// A triangle to draw.
pub(crate) struct Face {
    pub(crate) corners: [DVec3; 3],
    /// Of length one.
    pub(crate) normal: DVec3,
    pub(crate) part: &'static str,
}

pub(crate) struct Model {
    pub(crate) faces: Vec<Face>,
}

impl Model {
    fn of(mesh: &SceneMesh) -> Self {
        let mut model = Self { faces: Vec::new() };
        if mesh.sections.is_empty() {
            model.add(PLAIN, mesh.iter_corners());
        }
        for part in &mesh.sections {
            model.add(part.name, part.triangles.clone().map(|i| mesh.corners(i)));
        }
        model
    }

    fn add(&mut self, part: &'static str, triangles: impl Iterator<Item = [DVec3; 3]>) {
        for corners in triangles {
            let [a, b, c] = corners;
            if let Some(normal) = (b - a).cross(c - a).try_normalize() {
                self.faces.push(Face { corners, normal, part });
            }
        }
    }

    /// The points that the picture is about.
    pub(crate) fn subject(&self) -> Vec<DVec3> {
        self.faces.iter().filter(|face| face.part != TABLE).flat_map(|face| face.corners).collect()
    }

    /// Removes everything higher than `height` from some parts.
    fn cut_down(&mut self, parts: &[&str], height: f64) {
        for face in core::mem::take(&mut self.faces) {
            if parts.contains(&face.part) {
                self.add(face.part, below(face.corners, height).into_iter());
            } else {
                self.faces.push(face);
            }
        }
    }

    /// Something to stand on, far wider than the model, under its lowest point.
    fn on_a_table(mut self) -> Self {
        let points = self.subject();
        let low = points.iter().fold(DVec3::INFINITY, |low, p| low.min(*p));
        let high = points.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
        let wide = DVec3::splat(4.0 * (high - low).max_element());
        let table =
            MeshBuilder::cuboid_between((low - wide).with_y(low.y - 1.0), (high + wide).with_y(low.y));
        self.add(TABLE, table.rounded().iter_corners());
        self
    }
}

/// The part of a triangle below a height, as triangles.
fn below(corners: [DVec3; 3], height: f64) -> Vec<[DVec3; 3]> {
    let mut polygon: Vec<DVec3> = Vec::new();
    for (i, &p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % 3];
        if p.y <= height {
            polygon.push(p);
        }
        if (p.y <= height) != (q.y <= height) {
            polygon.push(p + (q - p) * ((height - p.y) / (q.y - p.y)));
        }
    }
    (2..polygon.len()).map(|i| [polygon[0], polygon[i - 1], polygon[i]]).collect()
}

impl Subject {
    /// Where the viewer stands if he does not say: in front of what climbs towards the south.
    pub(crate) fn turn(self) -> f64 {
        match self {
            Self::Stairs | Self::ArticleStairs | Self::Ramp => 125.0,
            _ => 40.0,
        }
    }

    pub(crate) fn model(self, seed: u64) -> Model {
        let model = match self {
            Self::Courtyard => courtyard_model(),
            Self::Tour => tour_model(),
            Self::Terrain => Model::of(Terrain::new(96).mesh()),
            Self::City => Model::of(City::new(4000).mesh()),
            Self::Blob => Model::of(&blob(BLOB_SEEDS[0])),
            Self::Stairs => Model::of(&Stairs::default().mesh()),
            Self::ArticleStairs => {
                let scene = ArticleStairs::new(1.0);
                let mut mesh = SceneMesh::new();
                mesh.append_part(PLAIN, &scene.stairs.mesh());
                mesh.append_part("body", &ellipsoid(DVec3::splat(scene.ball_radius), scene.ball_start));
                Model::of(&mesh)
            }
            Self::Ramp => Model::of(&Ramp::default().mesh()),
            Self::HalfPipe => Model::of(&HalfPipe::with_radius(0.3103).mesh()),
            Self::Creases => Model::of(&golden::crease_world(seed).mesh),
            Self::TJunctions => Model::of(&golden::t_junction_floor()),
            Self::WallOfBoxes => {
                let mut mesh = SceneMesh::new();
                golden::wall_of_boxes(20).iter().for_each(|placed| mesh.append_part(PLAIN, &placed.mesh()));
                Model::of(&mesh)
            }
        };
        model.on_a_table()
    }
}

fn courtyard_model() -> Model {
    let courtyard = courtyard::courtyard();
    let mut mesh = courtyard.mesh;
    mesh.append_part("body", &ellipsoid(courtyard::BODY, courtyard.spawn));
    for mover in &courtyard.movers {
        // On the way: the lift half up, the door half open.
        let plan = mover.plan().expect("what moves in the courtyard has a plan");
        let position = plan.pose_at(5.5).position();
        mesh.append_part(mover.name, &PlacedBox { position, ..mover.at_start() }.mesh());
    }
    let mut model = Model::of(&mesh);
    let height = 0.5;
    model.cut_down(&["east wall", "south wall"], height);
    // The cuts themselves: solid, not hollow. A hair inside the walls' faces, to be hidden by them.
    let hair = 0.001;
    for (low, high) in [
        (DVec3::new(19.0, 0.0, -18.0), DVec3::new(20.0, height, 20.0)),
        (DVec3::new(-18.0, 0.0, 19.0), DVec3::new(20.0, height, 20.0)),
        (DVec3::new(18.0, 0.0, 18.0), DVec3::new(20.0, height, 20.0)),
    ] {
        let inset = DVec3::new(hair, 0.0, hair);
        model.add("cut", MeshBuilder::cuboid_between(low + inset, high - inset).rounded().iter_corners());
    }
    let wall = [[19.0, 0.0], [20.0, 0.0], [20.0, 6.0], [19.5, 6.625], [19.0, 6.0]].map(DVec2::from_array);
    let profile = MeshBuilder::extruded(&wall, -18.0 - hair, -18.0 + hair);
    model.add("cut", profile.rounded().iter_corners());
    // The same at the south-west corner: a quarter turn, and its mirror image.
    model.add("cut", profile.quarter_turned(-1).mirrored().rounded().iter_corners());
    model
}

fn tour_model() -> Model {
    let courtyard = courtyard::courtyard();
    let mut mesh = courtyard.mesh;
    mesh.append_part("body", &ellipsoid(courtyard::BODY, courtyard.spawn));
    for stop in &courtyard.tour {
        mesh.append_part("way", &ellipsoid(courtyard::BODY * 0.5, stop.position));
    }
    Model::of(&mesh)
}

fn ellipsoid(radii: DVec3, center: DVec3) -> SceneMesh {
    let mut mesh = icosphere(3);
    for vertex in &mut mesh.vertices {
        let p = DVec3::from_array(vertex.map(f64::from)) * radii + center;
        *vertex = p.to_array().map(|x| x as f32);
    }
    mesh
}
