//! The names that lines of a walk give to bodies and characters.

use carom::character::Obstacle;

/// The names of bodies and characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'a> {
    /// By the index of the body.
    pub(crate) bodies: &'a [String],
    /// By the number of the character among those of the rule `character`.
    pub(crate) characters: &'a [String],
    /// Whether a body, by its index, is made of triangles.
    pub(crate) meshes: &'a [bool],
}

impl<'a> Names<'a> {
    pub(crate) fn of(&self, obstacle: Obstacle) -> &'a str {
        let name = match obstacle {
            Obstacle::Body(part) => self.bodies.get(part.body.index() as usize),
            Obstacle::Character(number) => self.characters.get(number as usize),
        };
        name.map_or("", String::as_str)
    }

    /// Which triangle of a mesh it is; `None` for anything else.
    pub(crate) fn triangle(&self, obstacle: Obstacle) -> Option<u32> {
        let Obstacle::Body(part) = obstacle else { return None };
        self.meshes.get(part.body.index() as usize).is_some_and(|mesh| *mesh).then_some(part.part)
    }
}
