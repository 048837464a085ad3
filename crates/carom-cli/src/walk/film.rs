//! A page that plays a scene: `carom walk SCENE.json --out page.html`. One file, with the events of each tick
//! and the reasons.

use anyhow::{Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom::num::ops;
use carom::shape::{BezierPatch, Cuboid, Mover};
use carom::world::{Collider, Pose, World};
use glam::{DQuat, DVec3};
use serde_json::{Value, json};

use super::lines::CharacterLine;

const TEMPLATE: &str = include_str!("page.html");

/// A tick of a character, with its trace, takes about a kilobyte in the page.
const MOST_LINES: u64 = 60_000;

/// The data of a page, collected tick by tick.
pub(crate) struct Film {
    dt: f64,
    bodies: Vec<Value>,
    /// By the number of the body: its poses from the start on, of those that ever move.
    poses: Vec<Vec<[f64; 8]>>,
    characters: Vec<Value>,
    ticks: Vec<Value>,
}

/// A character as the page draws it.
pub(crate) struct Player {
    pub(crate) name: String,
    pub(crate) shape: Mover,
    pub(crate) position: DVec3,
}

impl Film {
    /// Of a scene before its first tick.
    pub(crate) fn new(
        world: &World,
        names: &[String],
        players: &[Player],
        dt: f64,
        ticks: u64,
    ) -> Result<Self> {
        let lines = ticks.saturating_mul(players.len() as u64);
        ensure!(
            lines <= MOST_LINES,
            "a page plays at most {MOST_LINES} ticks of characters, but the scene has {lines}: write .jsonl, or fewer ticks"
        );
        let bodies = world.bodies().zip(names).map(
            |((_, body), name)| json!({ "name": name, "soup": floats(soup(body.collider()).into_iter()) }),
        );
        let characters = players.iter().map(|player| {
            let points = hull(|direction| player.shape.support_point(direction), &solid_box(&player.shape));
            json!({ "name": player.name, "soup": floats(points.into_iter()), "start": player.position.to_array() })
        });
        let mut film = Self {
            dt,
            bodies: bodies.collect(),
            poses: vec![Vec::new(); names.len()],
            characters: characters.collect(),
            ticks: Vec::new(),
        };
        film.pose(world);
        Ok(film)
    }

    fn pose(&mut self, world: &World) {
        for ((_, body), poses) in world.bodies().zip(&mut self.poses) {
            let (p, q) = (body.pose().position(), body.pose().rotation());
            poses.push([p.x, p.y, p.z, q.x, q.y, q.z, q.w, body.pose().scale()]);
        }
    }

    /// Takes a tick that has ended.
    pub(crate) fn tick(&mut self, world: &World, lines: &[CharacterLine<'_>]) -> Result<()> {
        self.pose(world);
        self.ticks.push(serde_json::to_value(lines)?);
        Ok(())
    }

    /// The page.
    pub(crate) fn page(mut self, title: &str) -> String {
        for (body, poses) in self.bodies.iter_mut().zip(&self.poses) {
            let moves = poses.iter().any(|pose| *pose != poses[0]);
            let kept = if moves { &poses[..] } else { &poses[..1] };
            body["poses"] = json!(floats(kept.as_flattened().chunks(1).map(|x| x[0])));
            body["moves"] = json!(moves);
        }
        let data = json!({
            "title": title, "dt": self.dt, "bodies": self.bodies, "characters": self.characters, "ticks": self.ticks });
        // Within a script nothing may look like its end.
        TEMPLATE.replace("\"DATA\"", &data.to_string().replace('<', "\\u003c"))
    }
}

/// As f32, in base64.
fn floats(values: impl Iterator<Item = f64>) -> String {
    STANDARD.encode(values.flat_map(|x| (x as f32).to_le_bytes()).collect::<Vec<u8>>())
}

/// The triangles of a body in its own frame: nine numbers each.
pub(crate) fn soup(collider: &Collider) -> Vec<f64> {
    match collider {
        Collider::Mesh(tree) => {
            let mesh = tree.mesh();
            (0..mesh.triangle_count())
                .flat_map(|triangle| mesh.corners(triangle))
                .flat_map(|p| p.to_array())
                .collect()
        }
        Collider::Hull(hull) => {
            let hull = hull.hull();
            hull.faces().as_flattened().iter().flat_map(|i| hull.vertices()[*i as usize].to_array()).collect()
        }
        Collider::HeightField(field) => (0..field.triangle_count())
            .filter(|part| field.has_triangle(*part))
            .flat_map(|part| field.corners(part))
            .flat_map(|p| p.to_array())
            .collect(),
        // No scene has plates or half-spaces.
        Collider::Polygons(_) | Collider::HalfSpace(_) => Vec::new(),
        // To look at: a hundredth of its size is fine enough.
        Collider::Patches(tree) => tree.patches().iter().flat_map(drawn).collect(),
        Collider::Cylinder(it) => revolved([it.radius(); 2], it.half_height(), it.rotation()),
        Collider::Cone(it) => revolved([it.radius(), 0.0], it.half_height(), it.rotation()),
        Collider::Sphere(it) => hull(|direction| it.support_point(direction), &None),
        Collider::Ellipsoid(it) => hull(|direction| it.support_point(direction), &None),
        Collider::Capsule(it) => hull(|direction| it.support_point(direction), &None),
        Collider::Cuboid(it) => hull(|direction| it.support_point(direction), &Some(sides(it))),
        Collider::Compound(compound) => {
            let piece = |(collider, pose): (&Collider, &Pose)| {
                let place =
                    |p: &[f64]| pose.position() + pose.rotation() * (DVec3::from_slice(p) * pose.scale());
                soup(collider).chunks_exact(3).flat_map(|p| place(p).to_array()).collect::<Vec<f64>>()
            };
            (0..compound.len()).filter_map(|i| compound.collider(i)).flat_map(piece).collect()
        }
    }
}

/// Triangles of a cylinder or a cone along y, of radii at its bottom and top: 32 sides with the corners on
/// it.
fn revolved([bottom, top]: [f64; 2], half: f64, rotation: DQuat) -> Vec<f64> {
    const SIDES: u32 = 32;
    let at = |i: u32, radius: f64, height: f64| {
        let (sin, cos) = ops::sin_cos(f64::from(i % SIDES) / f64::from(SIDES) * std::f64::consts::TAU);
        rotation * DVec3::new(radius * cos, height, -radius * sin)
    };
    let side = |i: u32| {
        let [a, b] = [i, i + 1].map(|i| at(i, bottom, -half));
        let [c, d] = [i, i + 1].map(|i| at(i, top, half));
        let [low, high] = [-half, half].map(|height| at(0, 0.0, height));
        let lower = [[b, a, low], [a, b, c]];
        let upper = if top > 0.0 { &[[b, d, c], [c, d, high]][..] } else { &[] };
        lower.into_iter().chain(upper.to_vec())
    };
    (0..SIDES).flat_map(side).flatten().flat_map(|p| p.to_array()).collect()
}

fn drawn(patch: &BezierPatch) -> Vec<f64> {
    let Ok(mesh) = patch.tessellate(patch.size() / 100.0) else { return Vec::new() };
    mesh.triangles.iter().flatten().flat_map(|vertex| mesh.vertices[*vertex as usize].to_array()).collect()
}

fn solid_box(shape: &Mover) -> Option<(DVec3, DQuat)> {
    if let Mover::Cuboid(it) = shape { Some(sides(it)) } else { None }
}

fn sides(cuboid: &Cuboid) -> (DVec3, DQuat) {
    (cuboid.half_extents(), cuboid.rotation())
}

/// Triangles of a convex shape: a box by its sides, anything round by its support in the directions of a
/// sphere's corners.
fn hull(support: impl Fn(DVec3) -> DVec3, cuboid: &Option<(DVec3, DQuat)>) -> Vec<f64> {
    let mut faces: Vec<[DVec3; 3]> = Vec::new();
    if let Some((half, rotation)) = cuboid {
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for side in [-1.0, 1.0] {
                let corner = |a: f64, b: f64| {
                    let mut p = DVec3::ZERO;
                    (p[axis], p[u], p[v]) = (side, a * side, b);
                    *rotation * (p * *half)
                };
                let [a, b, c, d] =
                    [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
                faces.extend([[a, b, c], [a, c, d]]);
            }
        }
    } else {
        for x in [-1.0, 1.0] {
            for y in [-1.0, 1.0] {
                for z in [-1.0, 1.0] {
                    let [a, b, c] = [DVec3::X * x, DVec3::Y * y, DVec3::Z * z];
                    faces.push(if x * y * z > 0.0 { [a, b, c] } else { [a, c, b] });
                }
            }
        }
        for _ in 0..3 {
            faces = faces
                .iter()
                .flat_map(|[a, b, c]| {
                    let [ab, bc, ca] = [(*a + *b).normalize(), (*b + *c).normalize(), (*c + *a).normalize()];
                    [[*a, ab, ca], [ab, *b, bc], [ca, bc, *c], [ab, bc, ca]]
                })
                .collect();
        }
        for corner in faces.iter_mut().flatten() {
            *corner = support(*corner);
        }
    }
    faces.into_iter().flatten().flat_map(|p| p.to_array()).collect()
}

#[cfg(test)]
mod tests {
    use carom::shape::Sphere;

    use super::*;

    #[test]
    fn faces_of_solids_are_on_their_surface_and_face_out() {
        let ball = Sphere::new(2.0).unwrap();
        let cuboid = Cuboid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap();
        for (soup, count) in [(soup(&ball.into()), 512), (soup(&cuboid.into()), 12)] {
            assert_eq!(soup.len(), count * 9);
            for face in soup.chunks(9) {
                let [a, b, c] = [0, 3, 6].map(|i| DVec3::from_slice(&face[i..i + 3]));
                assert!((b - a).cross(c - a).dot(a + b + c) > 0.0, "{a} {b} {c}");
            }
        }
    }
}
