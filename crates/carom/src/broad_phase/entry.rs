//! The entries of a broad phase.

use glam::DVec3;

use crate::shape::Aabb;
use crate::tree::SweptBox;

/// Whether an entry looks for others or is only found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Looks for colliders and collidees. Use it for moving objects.
    #[default]
    Collider,
    /// Colliders find it, and it is never compared with another collidee. Use it for levels, doors, scenery.
    Collidee,
}

/// Whether an entry collides or only detects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sense {
    /// It collides.
    #[default]
    Solid,
    /// It only detects: its pairs are reported separately, and two sensors are not compared.
    Sensor,
}

/// A box in a broad phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Its box, in meters; at the start, if it moves.
    pub bounds: Aabb,
    /// Its displacement before the next update, in meters; zero at rest.
    pub translation: DVec3,
    /// Whether it looks for others or is only found.
    pub role: Role,
    /// Its layer, 0 … 31.
    pub layer: u8,
    /// Whether it collides or only detects.
    pub sense: Sense,
}

impl Entry {
    /// A solid that looks for others, on layer 0, at rest.
    pub fn collider(bounds: Aabb) -> Self {
        Self { bounds, translation: DVec3::ZERO, role: Role::Collider, layer: 0, sense: Sense::Solid }
    }

    /// A solid that is only found, on layer 0, at rest.
    pub fn collidee(bounds: Aabb) -> Self {
        Self { role: Role::Collidee, ..Self::collider(bounds) }
    }

    /// The same on a layer, 0 … 31. An entry on any other layer meets nothing.
    pub fn on(self, layer: u8) -> Self {
        Self { layer, ..self }
    }

    /// The same as a sensor.
    pub fn sensing(self) -> Self {
        Self { sense: Sense::Sensor, ..self }
    }

    /// The box around the whole path. A translation that is not finite is ignored.
    pub(super) fn swept(&self) -> Aabb {
        if self.translation == DVec3::ZERO || !self.translation.is_finite() {
            return self.bounds;
        }
        self.bounds.swept(self.translation)
    }

    /// Whether the two ever overlap at the same time, faces included. Because of the rounding of the paths
    /// (see [`SweptBox`]) the answer may be yes for two that just miss.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let way = self.translation - other.translation;
        if way == DVec3::ZERO || !way.is_finite() {
            return self.bounds.overlaps_aabb(&other.bounds);
        }
        match SweptBox::moving(&self.bounds, way) {
            Ok(swept) => swept.entry(other.bounds.min(), other.bounds.max()) <= 1.0,
            Err(_) => true,
        }
    }
}
