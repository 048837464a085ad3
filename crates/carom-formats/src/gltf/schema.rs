//! The parts of a glTF document that form a level. Everything else in it is ignored.

use serde::Deserialize;
use serde::de::IgnoredAny;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a glTF document")]
pub(crate) struct Document {
    pub(crate) asset: Asset,
    #[serde(default)]
    pub(crate) scene: Option<u32>,
    #[serde(default)]
    pub(crate) scenes: Vec<Scene>,
    #[serde(default)]
    pub(crate) nodes: Vec<Node>,
    #[serde(default)]
    pub(crate) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(crate) materials: Vec<Material>,
    #[serde(default)]
    pub(crate) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(crate) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(crate) buffers: Vec<Buffer>,
    #[serde(default)]
    pub(crate) extensions_required: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with `version`")]
pub(crate) struct Asset {
    pub(crate) version: String,
    pub(crate) min_version: Option<String>,
}

/// A document of any version: what tells its version.
#[derive(Debug, Deserialize)]
#[serde(expecting = "a glTF document")]
pub(crate) struct Versioned {
    pub(crate) asset: Asset,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a scene")]
pub(crate) struct Scene {
    #[serde(default)]
    pub(crate) nodes: Vec<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a node")]
pub(crate) struct Node {
    pub(crate) name: Option<String>,
    pub(crate) mesh: Option<u32>,
    #[serde(default)]
    pub(crate) children: Vec<u32>,
    /// Columns.
    pub(crate) matrix: Option<Box<[f64; 16]>>,
    pub(crate) translation: Option<[f64; 3]>,
    /// x, y, z, w.
    pub(crate) rotation: Option<[f64; 4]>,
    pub(crate) scale: Option<[f64; 3]>,
    /// Whatever it is: its mesh is not where the node is.
    pub(crate) skin: Option<IgnoredAny>,
    #[serde(default)]
    pub(crate) extensions: NodeExtensions,
    /// Data that the author of a file added, of any form.
    pub(crate) extras: Option<serde_json::Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "extensions by name")]
pub(crate) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(crate) instancing: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a mesh")]
pub(crate) struct Mesh {
    pub(crate) name: Option<String>,
    pub(crate) primitives: Vec<Primitive>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a primitive")]
pub(crate) struct Primitive {
    pub(crate) attributes: Attributes,
    pub(crate) indices: Option<u32>,
    pub(crate) material: Option<u32>,
    pub(crate) mode: Option<u32>,
    #[serde(default)]
    pub(crate) extensions: PrimitiveExtensions,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "attributes by name")]
pub(crate) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(crate) position: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "extensions by name")]
pub(crate) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(crate) draco: Option<Draco>,
}

/// A triangle list that is compressed with Draco.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "draco"), expect(dead_code, reason = "it is only refused"))]
pub(crate) struct Draco {
    pub(crate) buffer_view: u32,
    pub(crate) attributes: DracoAttributes,
}

/// The ids of attributes within the compressed data.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(feature = "draco"), expect(dead_code, reason = "it is only refused"))]
pub(crate) struct DracoAttributes {
    #[serde(rename = "POSITION")]
    pub(crate) position: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a material")]
pub(crate) struct Material {
    pub(crate) name: Option<String>,
    /// Read as it is: a color is no reason to refuse a level.
    #[serde(rename = "pbrMetallicRoughness")]
    pub(crate) pbr: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an accessor")]
pub(crate) struct Accessor {
    pub(crate) buffer_view: Option<u32>,
    #[serde(default)]
    pub(crate) byte_offset: u64,
    pub(crate) component_type: u32,
    #[serde(default)]
    pub(crate) normalized: bool,
    pub(crate) count: u64,
    #[serde(rename = "type")]
    pub(crate) shape: String,
    pub(crate) sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a sparse accessor")]
pub(crate) struct Sparse {
    pub(crate) count: u64,
    pub(crate) indices: SparseIndices,
    pub(crate) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "sparse indices")]
pub(crate) struct SparseIndices {
    pub(crate) buffer_view: u32,
    #[serde(default)]
    pub(crate) byte_offset: u64,
    pub(crate) component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "sparse values")]
pub(crate) struct SparseValues {
    pub(crate) buffer_view: u32,
    #[serde(default)]
    pub(crate) byte_offset: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a buffer view")]
pub(crate) struct BufferView {
    pub(crate) buffer: u32,
    #[serde(default)]
    pub(crate) byte_offset: u64,
    pub(crate) byte_length: u64,
    #[serde(default)]
    pub(crate) byte_stride: u64,
    #[serde(default)]
    pub(crate) extensions: BufferViewExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "extensions by name")]
pub(crate) struct BufferViewExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub(crate) meshopt: Option<Meshopt>,
}

/// A buffer view that is compressed with meshoptimizer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "meshopt"), expect(dead_code, reason = "it is only refused"))]
pub(crate) struct Meshopt {
    pub(crate) buffer: u32,
    #[serde(default)]
    pub(crate) byte_offset: u64,
    pub(crate) byte_length: u64,
    /// Of the data when it is decoded.
    pub(crate) byte_stride: u64,
    pub(crate) count: u64,
    pub(crate) mode: String,
    pub(crate) filter: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a buffer")]
pub(crate) struct Buffer {
    pub(crate) byte_length: u64,
    pub(crate) uri: Option<String>,
}

/// The same document once more, for its animations: a fault in those is none of a level at rest.
#[derive(Debug, Deserialize)]
#[serde(expecting = "a glTF document")]
pub(crate) struct Animated {
    #[serde(default)]
    pub(crate) animations: Vec<Animation>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an animation")]
pub(crate) struct Animation {
    #[serde(default)]
    pub(crate) channels: Vec<Channel>,
    #[serde(default)]
    pub(crate) samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a channel")]
pub(crate) struct Channel {
    pub(crate) sampler: u32,
    pub(crate) target: Target,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a target")]
pub(crate) struct Target {
    /// Without one, an extension says what is animated.
    pub(crate) node: Option<u32>,
    pub(crate) path: String,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a sampler")]
pub(crate) struct Sampler {
    /// An accessor of times.
    pub(crate) input: u32,
    /// One of values.
    pub(crate) output: u32,
    pub(crate) interpolation: Option<String>,
}
