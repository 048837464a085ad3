//! Layers by name.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use carom::world::Layers;

/// The layer of bodies that name none.
pub(crate) const DEFAULT_LAYER: &str = "default";

/// Layers by name, in the order in which they are first named.
pub(crate) struct LayerNames(BTreeMap<String, u32>);

impl Default for LayerNames {
    fn default() -> Self {
        // `Layers::SOLID` is layer 0.
        Self(BTreeMap::from([(DEFAULT_LAYER.to_owned(), 0)]))
    }
}

impl LayerNames {
    /// The layer of this name, which a body must be on: all bodies come before all characters.
    pub(crate) fn known(&self, name: &str) -> Result<Layers> {
        let number = self.0.get(name);
        let known = || self.0.keys().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        let number = number.with_context(|| {
            format!("collides_with: no body is on the layer {name:?}, only on {}", known())
        })?;
        Ok(Layers::one(*number))
    }

    pub(crate) fn of(&mut self, name: &str) -> Result<Layers> {
        let next = self.0.len() as u32;
        let number = *self.0.entry(name.to_owned()).or_insert(next);
        ensure!(number < 32, "layer {name:?} is one too many: there are at most 32");
        Ok(Layers::one(number))
    }
}
