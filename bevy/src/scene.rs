//! Colliders of meshes: of one entity, and of all entities of a scene, chosen by name or by glTF extras.

use bevy::asset::AssetId;
use bevy::gltf::GltfExtras;
use bevy::mesh::{Mesh as BevyMesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
#[cfg(feature = "serde")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};

use crate::collider::ColliderError;
use crate::{Collider, EntityRefused, Sensor};

/// The collider of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum MeshShape {
    /// Its triangles.
    #[default]
    Triangles,
    /// The convex hull of its vertices: a solid.
    Hull,
    /// The box around its vertices, along its own axes: a solid.
    Box,
    /// No collider.
    Nothing,
}

impl MeshShape {
    /// As extras spell it.
    fn named(name: &str) -> Option<Self> {
        match name {
            "triangles" | "mesh" => Some(Self::Triangles),
            "hull" => Some(Self::Hull),
            "box" => Some(Self::Box),
            "nothing" | "none" => Some(Self::Nothing),
            _ => None,
        }
    }
}

/// Makes the [`Collider`] of an entity from its `Mesh3d`, as soon as the mesh is loaded. The mesh must stay
/// in the main world (`RenderAssetUsages::MAIN_WORLD`, as glTF files are loaded by default).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct MeshCollider(pub MeshShape);

/// Makes the colliders of all meshes of a scene when it is loaded. Put it beside the `WorldAssetRoot`.
///
/// For each mesh the nearest of these decides, from the mesh's own entity up to this one: 1. glTF extras of a
/// node: `{"collider": "triangles"}`, `"hull"`, `"box"` or `"nothing"`, and `"sensor": true`. 2. `by_name`:
/// the first rule whose text the entity's `Name` contains.
///
/// A mesh that nothing names becomes `others`.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct SceneColliders {
    /// A text that a `Name` contains, and the collider of its meshes. The first match counts.
    pub by_name: Vec<(String, MeshShape)>,
    /// The collider of all others. Default: their triangles.
    pub others: MeshShape,
}

impl SceneColliders {
    /// The same with one more rule, after the earlier ones.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, shape: MeshShape) -> Self {
        self.by_name.push((name.into(), shape));
        self
    }
}

impl Collider {
    /// The collider of a mesh of Bevy's.
    ///
    /// # Errors
    /// The mesh has no triangles or positions, is in the render world only, or has vertices that are not
    /// finite; or a hull or a box has all points in one plane. `MeshShape::Nothing` has no collider.
    pub fn from_bevy_mesh(mesh: &BevyMesh, shape: MeshShape) -> Result<Self, ColliderError> {
        let vertices = match mesh.try_attribute(BevyMesh::ATTRIBUTE_POSITION) {
            Ok(VertexAttributeValues::Float32x3(vertices)) => vertices,
            Ok(_) => return Err(ColliderError::BevyMesh("its positions are not three f32 each")),
            Err(_) => {
                return Err(ColliderError::BevyMesh(
                    "it has no positions here: load it with RenderAssetUsages::MAIN_WORLD",
                ));
            }
        };
        let points = || vertices.iter().copied().map(Vec3::from_array);
        match shape {
            MeshShape::Nothing => Err(ColliderError::BevyMesh("nothing was to become of it")),
            MeshShape::Hull => Self::hull(&points().collect::<Vec<_>>()),
            MeshShape::Box => {
                let low = points().fold(Vec3::INFINITY, Vec3::min);
                let high = points().fold(Vec3::NEG_INFINITY, Vec3::max);
                let corner = |bits: usize| {
                    let pick = |axis: usize| if bits >> axis & 1 == 0 { low[axis] } else { high[axis] };
                    Vec3::new(pick(0), pick(1), pick(2))
                };
                Self::hull(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner))
            }
            MeshShape::Triangles => Self::mesh(vertices.clone(), triangles(mesh, vertices.len())?),
        }
    }
}

/// The triangles of a mesh as triples of indices.
fn triangles(mesh: &BevyMesh, vertices: usize) -> Result<Vec<[u32; 3]>, ColliderError> {
    let indices: Vec<u32> = match mesh.try_indices_option() {
        Ok(Some(indices)) => indices.iter().map(|index| index as u32).collect(),
        Ok(None) => (0..vertices as u32).collect(),
        Err(_) => return Err(ColliderError::BevyMesh("its indices are in the render world only")),
    };
    match mesh.primitive_topology() {
        PrimitiveTopology::TriangleList => {
            Ok(indices.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]).collect())
        }
        PrimitiveTopology::TriangleStrip => {
            let turned = |(place, corners): (usize, &[u32])| {
                let [a, b, c] = [corners[0], corners[1], corners[2]];
                // Every other one of a strip is wound the other way round.
                if place % 2 == 0 { [a, b, c] } else { [b, a, c] }
            };
            let all = indices.windows(3).enumerate().map(turned);
            Ok(all.filter(|[a, b, c]| a != b && b != c && a != c).collect())
        }
        _ => Err(ColliderError::BevyMesh("it is not made of triangles")),
    }
}

/// The contents of extras.
#[derive(serde::Deserialize)]
struct Extras {
    collider: Option<String>,
    #[serde(default)]
    sensor: bool,
}

/// The settings found for a mesh of a scene.
struct Choice {
    shape: MeshShape,
    is_sensor: bool,
}

type Labels = (Option<&'static Name>, Option<&'static GltfExtras>, Option<&'static SceneColliders>);

/// The collider for a mesh, by the labels from its entity up to the root of its scene; `None`: no such root.
fn choose(mesh: Entity, labels: &Query<Labels>, parents: &Query<&ChildOf>) -> Result<Option<Choice>, String> {
    let way = || core::iter::once(mesh).chain(parents.iter_ancestors(mesh));
    let root = way().find(|entity| labels.get(*entity).is_ok_and(|(.., scene)| scene.is_some()));
    let Some(root) = root else { return Ok(None) };
    let Ok((.., Some(scene))) = labels.get(root) else { return Ok(None) };
    for entity in way().take_while(|entity| *entity != root) {
        let Ok((name, extras, _)) = labels.get(entity) else { continue };
        // Extras that are no object, or of another tool, say nothing.
        if let Some(Extras { collider, sensor }) =
            extras.and_then(|extras| serde_json::from_str(&extras.value).ok())
        {
            let shape = match collider.as_deref() {
                Some(spelled) => Some(MeshShape::named(spelled).ok_or_else(|| {
                    format!(
                        "its extras want the collider {spelled:?}: there are triangles, hull, box and nothing"
                    )
                })?),
                None => sensor.then_some(MeshShape::Hull),
            };
            if let Some(shape) = shape {
                return Ok(Some(Choice { shape, is_sensor: sensor }));
            }
        }
        let rule = name.and_then(|name| scene.by_name.iter().find(|(text, _)| name.contains(text.as_str())));
        if let Some((_, shape)) = rule {
            return Ok(Some(Choice { shape: *shape, is_sensor: false }));
        }
    }
    Ok(Some(Choice { shape: scene.others, is_sensor: false }))
}

/// Makes colliders of meshes that are new, and of those that were not loaded yet.
pub(crate) fn collide_meshes(
    mut commands: Commands,
    meshes: Res<Assets<BevyMesh>>,
    new: Query<Entity, Or<(Changed<Mesh3d>, Changed<MeshCollider>)>>,
    scenes: Query<Entity, Changed<SceneColliders>>,
    children: Query<&Children>,
    drawn: Query<(Entity, &Mesh3d, Option<&MeshCollider>)>,
    mut events: MessageReader<AssetEvent<BevyMesh>>,
    labels: Query<Labels>,
    parents: Query<&ChildOf>,
    mut refused: MessageWriter<EntityRefused>,
    mut waiting: Local<Vec<Entity>>,
    mut made: Local<HashMap<(AssetId<BevyMesh>, MeshShape), Collider>>,
) {
    let of_scenes = scenes.iter().flat_map(|root| children.iter_descendants(root));
    let mut found: Vec<Entity> = waiting.drain(..).chain(&new).chain(of_scenes).collect();
    for event in events.read() {
        // A mesh that changed makes another collider, for all entities that draw it.
        if let AssetEvent::Modified { id } | AssetEvent::Removed { id } = *event {
            made.retain(|(known, _), _| *known != id);
            let draws = drawn.iter().filter(|(_, handle, _)| handle.id() == id);
            found.extend(draws.map(|(entity, ..)| entity));
        }
    }
    found.sort_unstable();
    found.dedup();
    for entity in found {
        let Ok((_, Mesh3d(handle), own)) = drawn.get(entity) else { continue };
        let choice = match own {
            Some(MeshCollider(shape)) => Ok(Some(Choice { shape: *shape, is_sensor: false })),
            None => choose(entity, &labels, &parents),
        };
        let collider = choice.and_then(|choice| {
            let Some(Choice { shape, is_sensor }) =
                choice.filter(|choice| choice.shape != MeshShape::Nothing)
            else {
                return Ok(None);
            };
            let Some(mesh) = meshes.get(handle) else {
                waiting.push(entity);
                return Ok(None);
            };
            // Many entities of a scene draw the same mesh: they share its triangles and their tree.
            let key = (handle.id(), shape);
            if let Some(known) = made.get(&key) {
                return Ok(Some((known.clone(), is_sensor)));
            }
            let collider =
                Collider::from_bevy_mesh(mesh, shape).map_err(|error| format!("its mesh: {error}"))?;
            made.insert(key, collider.clone());
            Ok(Some((collider, is_sensor)))
        });
        match collider {
            Ok(Some((collider, is_sensor))) => {
                commands.entity(entity).insert(collider);
                if is_sensor {
                    commands.entity(entity).insert(Sensor);
                }
            }
            Ok(None) => {}
            Err(reason) => {
                log::error!("{entity} has no collider: {reason}");
                refused.write(EntityRefused { entity, reason });
            }
        }
    }
}
