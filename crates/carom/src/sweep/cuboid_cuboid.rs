//! Temporary.
use super::{Contact, Hit, Path};
use crate::shape::Cuboid;
use glam::DVec3;
/// tmp
pub fn cuboid_cuboid(_: &Cuboid, _: &Path, _: &Cuboid, _: DVec3) -> Option<Hit> {
    None
}
pub(crate) fn contact(_: &Cuboid, _: DVec3, _: &Cuboid, _: DVec3) -> Contact {
    todo!()
}
