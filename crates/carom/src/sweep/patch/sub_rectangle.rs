//! A rectangle of a patch's parameters (u, v): which part of the patch a piece or a cell is.

/// From where in (u, v), and how large.
#[derive(Clone, Copy, Debug)]
pub(super) struct SubRectangle {
    pub(super) from: [f64; 2],
    pub(super) size: [f64; 2],
}

impl SubRectangle {
    /// The whole patch.
    pub(super) const WHOLE: Self = Self { from: [0.0; 2], size: [1.0; 2] };

    /// The patch's parameters at a place of the piece, given from 0 to 1.
    pub(super) fn place(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        [self.from[0] + self.size[0] * u, self.from[1] + self.size[1] * v]
    }

    /// The opposite: where on the piece a place of the patch is, if it is there.
    pub(super) fn place_on(&self, [u, v]: [f64; 2]) -> Option<[f64; 2]> {
        let place = [(u - self.from[0]) / self.size[0], (v - self.from[1]) / self.size[1]];
        place.iter().all(|x| (0.0..=1.0).contains(x)).then_some(place)
    }

    pub(super) fn halves(&self, axis: usize) -> [Self; 2] {
        let (mut low, mut high) = (*self, *self);
        low.size[axis] *= 0.5;
        high.size[axis] *= 0.5;
        high.from[axis] += high.size[axis];
        [low, high]
    }
}
