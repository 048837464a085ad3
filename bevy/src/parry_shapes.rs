//! From parry's shapes to colliders. Compiled once for each engine: each has its own version of parry, with
//! the same names.

use bevy::math::{Quat, Vec3};
use bevy::transform::components::Transform;
use carom::mesh::{HeightField, Heights};

use super::parry::shape::{
    Capsule, HeightField as ParryHeightField, HeightFieldCellStatus, Shape, SharedShape, TriMesh, TypedShape,
};
use crate::Collider;

/// The collider of a shape, about the same place.
pub(super) fn translate(shape: &SharedShape) -> Result<Collider, String> {
    let mut pieces = Vec::new();
    add(&**shape, Transform::IDENTITY, &mut pieces)?;
    match &*pieces {
        [(place, collider)] if *place == Transform::IDENTITY => Ok(collider.clone()),
        _ => Collider::compound(pieces).map_err(|error| error.to_string()),
    }
}

/// Adds a shape at a place. Compounds of compounds become one.
fn add(shape: &dyn Shape, at: Transform, into: &mut Vec<(Transform, Collider)>) -> Result<(), String> {
    let name = match shape.as_typed_shape() {
        TypedShape::Ball(ball) => return push(into, at, Collider::sphere(ball.radius)),
        TypedShape::Cuboid(cuboid) => {
            return push(into, at, Collider::Cuboid { half_extents: cuboid.half_extents });
        }
        TypedShape::Cylinder(cylinder) => {
            return push(into, at, Collider::cylinder(cylinder.radius, cylinder.half_height));
        }
        TypedShape::Cone(cone) => return push(into, at, Collider::cone(cone.radius, cone.half_height)),
        TypedShape::HalfSpace(space) => return push(into, at, Collider::HalfSpace { normal: space.normal }),
        TypedShape::Capsule(capsule) => {
            let (place, collider) = upright(capsule);
            return push(into, at * place, collider);
        }
        TypedShape::ConvexPolyhedron(hull) => return push(into, at, made(Collider::hull(hull.points()))?),
        TypedShape::TriMesh(mesh) => return push(into, at, triangles(mesh)?),
        TypedShape::Triangle(triangle) => {
            let corners = [triangle.a, triangle.b, triangle.c].map(|corner| corner.to_array());
            return push(into, at, made(Collider::mesh(corners.to_vec(), vec![[0, 1, 2]]))?);
        }
        TypedShape::HeightField(field) => {
            let (place, collider) = terrain(field)?;
            return push(into, at * place, collider);
        }
        TypedShape::Compound(compound) => {
            for (pose, piece) in compound.shapes() {
                let place = Transform::from_translation(pose.translation).with_rotation(pose.rotation);
                add(&**piece, at * place, into)?;
            }
            return Ok(());
        }
        TypedShape::RoundCuboid(_) => "a round cuboid",
        TypedShape::RoundTriangle(_) => "a round triangle",
        TypedShape::RoundCylinder(_) => "a round cylinder",
        TypedShape::RoundCone(_) => "a round cone",
        TypedShape::RoundConvexPolyhedron(_) => "a round convex polyhedron",
        TypedShape::Segment(_) => "a segment",
        TypedShape::Polyline(_) => "a polyline",
        TypedShape::Voxels(_) => "voxels",
        TypedShape::Custom(_) => "a custom shape",
    };
    Err(format!("Carom has no such shape as {name}: give the entity a bevy_carom::Collider of its own"))
}

fn push(into: &mut Vec<(Transform, Collider)>, at: Transform, collider: Collider) -> Result<(), String> {
    into.push((at, collider));
    Ok(())
}

fn made(collider: Result<Collider, crate::ColliderError>) -> Result<Collider, String> {
    collider.map_err(|error| error.to_string())
}

/// A capsule of any direction as one along y, and its place.
fn upright(capsule: &Capsule) -> (Transform, Collider) {
    let [a, b] = [capsule.segment.a, capsule.segment.b];
    let (along, middle) = (0.5 * (b - a), 0.5 * (a + b));
    let half_height = along.length();
    let turn = along.try_normalize().filter(|along| along.y.abs() < 1.0);
    let rotation = turn.map_or(Quat::IDENTITY, |along| Quat::from_rotation_arc(Vec3::Y, along));
    let place = Transform::from_translation(middle).with_rotation(rotation);
    (place, Collider::capsule(capsule.radius, half_height))
}

fn triangles(mesh: &TriMesh) -> Result<Collider, String> {
    let vertices = mesh.vertices().iter().map(Vec3::to_array).collect();
    made(Collider::mesh(vertices, mesh.indices().to_vec()))
}

/// Terrain. Parry splits the cells along the other diagonal than Carom, so the field is turned by a right
/// angle: its columns run along parry's rows. A field that splits some cells otherwise, lacks half a cell or
/// is mirrored becomes triangles.
fn terrain(field: &ParryHeightField) -> Result<(Transform, Collider), String> {
    let (rows, columns) = (field.nrows(), field.ncols());
    let scale = field.scale();
    let both = HeightFieldCellStatus::LEFT_TRIANGLE_REMOVED | HeightFieldCellStatus::RIGHT_TRIANGLE_REMOVED;
    let mut holes = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let status = field.cell_status(row, column);
            if status == both {
                holes.push([row as u32, (columns - 1 - column) as u32]);
            } else if !status.is_empty() {
                return Ok((Transform::IDENTITY, terrain_triangles(field)?));
            }
        }
    }
    if scale.min_element() <= 0.0 {
        return Ok((Transform::IDENTITY, terrain_triangles(field)?));
    }
    let samples = (0..=columns).rev().flat_map(|column| (0..=rows).map(move |row| (row, column)));
    let heights = samples.map(|sample| field.heights()[sample] * scale.y).collect();
    let spacing = [field.cell_height(), field.cell_width()].map(f64::from);
    let turned = HeightField::new([rows as u32 + 1, columns as u32 + 1], spacing, Heights::F32(heights))
        .and_then(|turned| turned.with_holes(&holes))
        .map_err(|error| error.to_string())?;
    let place = Transform::from_xyz(0.5 * scale.x, 0.0, -0.5 * scale.z)
        .with_rotation(Quat::from_rotation_y(-core::f32::consts::FRAC_PI_2));
    Ok((place, turned.into()))
}

fn terrain_triangles(field: &ParryHeightField) -> Result<Collider, String> {
    let vertices: Vec<[f32; 3]> = field
        .triangles()
        .flat_map(|triangle| [triangle.a, triangle.b, triangle.c].map(|corner| corner.to_array()))
        .collect();
    let triangles = (0..vertices.len() as u32 / 3).map(|one| [3 * one, 3 * one + 1, 3 * one + 2]).collect();
    made(Collider::mesh(vertices, triangles))
}
