//! Triangles to draw bodies and characters with.

use carom::num::ops;
use carom::shape::{BezierPatch, Cuboid, Mover};
use carom::world::{Collider, Pose};
use glam::{DQuat, DVec3};

/// A triangle to draw.
type Triangle = [DVec3; 3];

/// The triangles of a body in its own frame, without the scale of its pose.
pub fn collider_triangles(collider: &Collider) -> Vec<Triangle> {
    match collider {
        Collider::Mesh(tree) => {
            let mesh = tree.mesh();
            let corners = |triangle| mesh.corners(triangle).map(|corner| corner + mesh.origin());
            (0..mesh.triangle_count()).map(corners).collect()
        }
        Collider::Hull(hull) => {
            let hull = hull.hull();
            hull.faces().iter().map(|face| face.map(|i| hull.vertices()[i as usize])).collect()
        }
        Collider::HeightField(field) => (0..field.triangle_count())
            .filter(|part| field.has_triangle(*part))
            .map(|part| field.corners(part))
            .collect(),
        // No scene has plates, and half-spaces have no end.
        Collider::Polygons(_) | Collider::HalfSpace(_) => Vec::new(),
        // To look at: a hundredth of its size is fine enough.
        Collider::Patches(tree) => tree.patches().iter().flat_map(tessellated).collect(),
        Collider::Cylinder(it) => revolved([it.radius(); 2], it.half_height(), it.rotation()),
        Collider::Cone(it) => revolved([it.radius(), 0.0], it.half_height(), it.rotation()),
        Collider::Sphere(it) => round(|direction| it.support_point(direction)),
        Collider::Ellipsoid(it) => round(|direction| it.support_point(direction)),
        Collider::Capsule(it) => round(|direction| it.support_point(direction)),
        Collider::Cuboid(it) => sides(it),
        Collider::Compound(compound) => {
            let piece = |(collider, pose): (&Collider, &Pose)| {
                let place = |p: DVec3| pose.position() + pose.rotation() * (p * pose.scale());
                collider_triangles(collider).into_iter().map(|triangle| triangle.map(place)).collect()
            };
            (0..compound.len())
                .filter_map(|i| compound.collider(i))
                .flat_map::<Vec<Triangle>, _>(piece)
                .collect()
        }
    }
}

/// The triangles of the shape of a character about its center.
pub fn mover_triangles(shape: &Mover) -> Vec<Triangle> {
    match shape {
        Mover::Cuboid(it) => sides(it),
        _ => round(|direction| shape.support_point(direction)),
    }
}

/// Triangles of a cylinder or a cone along y, of radii at its bottom and top: 32 sides with the corners on
/// it.
fn revolved([bottom, top]: [f64; 2], half: f64, rotation: DQuat) -> Vec<Triangle> {
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
    (0..SIDES).flat_map(side).collect()
}

fn tessellated(patch: &BezierPatch) -> Vec<Triangle> {
    let Ok(mesh) = patch.tessellate(patch.size() / 100.0) else { return Vec::new() };
    mesh.triangles.iter().map(|triangle| triangle.map(|vertex| mesh.vertices[vertex as usize])).collect()
}

fn sides(cuboid: &Cuboid) -> Vec<Triangle> {
    let mut faces = Vec::new();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [-1.0, 1.0] {
            let corner = |a: f64, b: f64| {
                let mut p = DVec3::ZERO;
                (p[axis], p[u], p[v]) = (side, a * side, b);
                cuboid.rotation() * (p * cuboid.half_extents())
            };
            let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    faces
}

/// Triangles of a round convex shape, by its support in the directions of a sphere's corners.
fn round(support: impl Fn(DVec3) -> DVec3) -> Vec<Triangle> {
    let mut faces: Vec<Triangle> = Vec::new();
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
    faces
}

#[cfg(test)]
mod tests {
    use carom::shape::Sphere;

    use super::*;

    #[test]
    fn faces_of_solids_are_on_their_surface_and_face_out() {
        let ball = Sphere::new(2.0).unwrap();
        let cuboid = Cuboid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap();
        for (faces, count) in
            [(collider_triangles(&ball.into()), 512), (collider_triangles(&cuboid.into()), 12)]
        {
            assert_eq!(faces.len(), count);
            for [a, b, c] in faces {
                assert!((b - a).cross(c - a).dot(a + b + c) > 0.0, "{a} {b} {c}");
            }
        }
    }
}
