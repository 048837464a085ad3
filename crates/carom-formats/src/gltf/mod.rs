//! glTF 2.0: JSON and binary container.
//!
//! Own schema over `serde_json`: `gltf-json` (of the `gltf` crate) keeps node transforms in f32, reads the
//! index 4294967296 as 0, refuses a scene without nodes, and refuses the whole file for a fault in its
//! animations.
//!
//! Read: the scene's nodes and their transforms; triangles in lists, strips and fans; indices of every width
//! or none; interleaved, sparse and quantized accessors; buffers in the container, in the JSON and in files
//! beside it; meshes and buffer views with compression (features `draco` and `meshopt`). Animations of
//! translations and rotations are read if [`LoadOptions::animations`] is set. Skins and morph targets are not
//! applied: a mesh is as it is stored. Positions are where the buffers say; `min` and `max` are not read.

mod accessor;
mod animation;
mod buffer;
mod container;
mod corners;
#[cfg(feature = "draco")]
mod draco;
#[cfg(feature = "meshopt")]
mod meshopt;
mod moving;
mod placement;
mod scene;
mod schema;

pub(crate) use buffer::Neighbors;

use self::buffer::Buffers;
use self::schema::{Animated, Asset, Document, Versioned};
use crate::assembly::Assembly;
use crate::byte_order_mark::without_byte_order_mark;
use crate::error::{LoadError, Location, Resource};
use crate::format::Format;
use crate::level::RawLevel;
use crate::options::{Animations, Limits, LoadOptions};

/// `bytes` of either format, as their first bytes say.
pub(crate) fn parse(
    bytes: &[u8],
    format: Format,
    options: &LoadOptions,
    neighbors: Neighbors<'_>,
) -> Result<RawLevel, LoadError> {
    let (json, blob) = if format == Format::Glb { container::split(bytes)? } else { (bytes, None) };
    let json = without_byte_order_mark(json);
    let document = document(json, format, &options.limits)?;
    require_known_extensions(&document)?;
    let animated = match options.animations {
        Animations::Ignored => Animated { animations: Vec::new() },
        Animations::Played => serde_json::from_slice(json).map_err(|error| in_json(&error))?,
    };
    let left = options.limits.bytes - (bytes.len() as u64).min(options.limits.bytes);
    let buffers = Buffers::new(&document, blob, neighbors, left);
    scene::read(&document, &animated, &buffers, Assembly::new(format, options))
}

fn document(json: &[u8], format: Format, limits: &Limits) -> Result<Document, LoadError> {
    if json.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(LoadError::NotThisFormat { format, expected: "JSON, which starts with `{`" });
    }
    // Three bytes of JSON can become a node of about hundred in memory: counted before any is made.
    if memchr::memchr_iter(b'{', json).count() > limits.nodes {
        return Err(LoadError::OverLimit { resource: Resource::Nodes, limit: limits.nodes as u64 });
    }
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        // Other versions have other structures: their version is the cause, the structure its symptom.
        let versioned = serde_json::from_slice::<Versioned>(json).ok();
        versioned.and_then(|file| other_version(&file.asset)).unwrap_or_else(|| in_json(&error))
    })?;
    other_version(&document.asset).map_or(Ok(document), Err)
}

/// The error for a file of another version than 2.0.
fn other_version(asset: &Asset) -> Option<LoadError> {
    let version = asset.min_version.as_deref().unwrap_or(&asset.version);
    (version != "2.0").then(|| LoadError::Unsupported {
        at: Location::Part("asset".to_owned()),
        feature: format!("glTF version {}", crate::error::excerpt(version.as_bytes())),
        remedy: "export it as glTF 2.0",
    })
}

/// `serde_json` says the place at the end of its message; the error has it in front.
fn in_json(error: &serde_json::Error) -> LoadError {
    let mut message = error.to_string();
    if let Some(place) = message.rfind(" at line ") {
        message.truncate(place);
    }
    LoadError::Json { line: error.line(), column: error.column(), message }
}

/// Refuses what would make another level of the file. Looks, lights, sounds and notes do not, whatever their
/// extension.
fn require_known_extensions(document: &Document) -> Result<(), LoadError> {
    for extension in &document.extensions_required {
        let (_vendor, what) = extension.split_once('_').unwrap_or(("", extension));
        let harmless = ["materials_", "texture_", "lights_", "xmp", "animation_", "audio"];
        let decoded = what == "mesh_quantization"
            || (cfg!(feature = "draco") && what == "draco_mesh_compression")
            || (cfg!(feature = "meshopt") && what == "meshopt_compression");
        if decoded || harmless.iter().any(|start| what.starts_with(start)) {
            continue;
        }
        return Err(LoadError::Unsupported {
            at: Location::Part("extensionsRequired".to_owned()),
            feature: crate::error::excerpt(extension.as_bytes()),
            remedy: match what {
                #[cfg(not(feature = "draco"))]
                "draco_mesh_compression" => scene::NO_DRACO,
                #[cfg(not(feature = "meshopt"))]
                "meshopt_compression" => buffer::NO_MESHOPT,
                "mesh_gpu_instancing" => "export it with a node for every instance",
                _ => "export it without this extension",
            },
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
