//! Buffer views with meshoptimizer's compression: `EXT_meshopt_compression` and `KHR_meshopt_compression`.

use meshoptimizer_rs::codec::{
    Filter, Mode, decode_filter_exp, decode_index_buffer, decode_index_sequence, decode_vertex_buffer,
};
use meshoptimizer_rs::{Error, Limits, Workspace};

use super::schema::{BufferView, Meshopt};
use crate::error::{LoadError, Location, Resource};

/// The most bytes of one view.
const MOST: u64 = 1 << 30;

/// The data of a buffer view, decoded from `source`, if it is no more than `left` bytes.
pub(super) fn decode(
    source: &[u8],
    view: &BufferView,
    meshopt: &Meshopt,
    index: u32,
    left: u64,
) -> Result<Vec<u8>, LoadError> {
    let at = || Location::Part(format!("bufferViews[{index}].extensions.EXT_meshopt_compression"));
    let mode = Mode::parse(&meshopt.mode).map_err(|_| {
        LoadError::malformed(at(), "mode ATTRIBUTES, TRIANGLES or INDICES", meshopt.mode.as_bytes())
    })?;
    let most = left.min(MOST);
    let size = meshopt.count.saturating_mul(meshopt.byte_stride);
    if size > most {
        return Err(LoadError::OverLimit { resource: Resource::Bytes, limit: most });
    }
    if size != view.byte_length {
        let found = format!("{size} bytes of {}", view.byte_length);
        return Err(LoadError::malformed(at(), "count × byteStride = byteLength", found.as_bytes()));
    }
    let mut workspace = Workspace::new(Limits { max_bytes: most as usize, ..Limits::default() });
    // Both are no more than their product, and that is no more than `most`, unless the other is 0.
    let (count, stride) = (meshopt.count as usize, meshopt.byte_stride as usize);
    let mut decoded = || -> Result<Vec<u8>, Error> {
        let mut data = match mode {
            Mode::Attributes => decode_vertex_buffer(count, stride, source, &mut workspace)?,
            Mode::Triangles => decode_index_buffer(count, stride, source, &mut workspace)?,
            Mode::Indices => decode_index_sequence(count, stride, source, &mut workspace)?,
        };
        // Other filters are of normals, tangents, rotations and colors, none of which is read.
        if meshopt.filter.as_deref().map(Filter::parse) == Some(Ok(Filter::Exponential)) {
            decode_filter_exp(&mut data, count, stride, &mut workspace)?;
        }
        Ok(data)
    };
    decoded().map_err(|error| LoadError::Malformed {
        at: at(),
        expected: "data that meshoptimizer decodes",
        found: format!("{error}: export it again"),
    })
}
