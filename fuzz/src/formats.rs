//! The promises of every reader of levels, for any bytes.

use carom_formats::{Animations, Format, Limits, LoadOptions, Up, parse};

/// Small, so that whatever gets past them is seen as memory or time.
const LIMITS: Limits = Limits {
    bytes: 1 << 16,
    vertices: 20_000,
    triangles: 20_000,
    nodes: 1_000,
    depth: 16,
    keyframes: 20_000,
};

/// Reads, and checks what comes out.
pub fn reads(bytes: &[u8], format: Format) {
    let (up, animations) = (Some(Up::Z), Animations::Played);
    let options =
        LoadOptions { up, scale: Some(0.0254), animations, limits: LIMITS, ..LoadOptions::default() };
    match parse(bytes, format, &options) {
        Ok(mut level) => {
            assert!(level.vertices.len() <= LIMITS.vertices && level.triangles.len() <= LIMITS.triangles);
            assert!(
                level.triangles.as_flattened().iter().all(|&corner| (corner as usize) < level.vertices.len())
            );
            assert_eq!(
                level.surface_ids.len(),
                if level.surfaces.len() > 1 { level.triangles.len() } else { 0 }
            );
            assert!(level.surface_ids.iter().all(|&id| usize::from(id) < level.surfaces.len()));
            for part in level.take_moving() {
                let corners = part.triangles.as_flattened();
                assert!(corners.iter().all(|&corner| (corner as usize) < part.vertices.len()));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
