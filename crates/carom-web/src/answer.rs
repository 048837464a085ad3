//! The buffer that an object's answers are read from.

use carom::glam::DVec3;

/// The longest answer.
const LENGTH: usize = 32;

/// Numbers at an address that stays the same.
#[derive(Debug)]
pub(crate) struct Answer {
    numbers: Box<[f64; LENGTH]>,
    used: usize,
}

impl Default for Answer {
    fn default() -> Self {
        Self { numbers: Box::new([0.0; LENGTH]), used: 0 }
    }
}

impl Answer {
    /// Where JavaScript finds it in the module's memory, in bytes.
    pub(crate) fn address(&self) -> usize {
        self.numbers.as_ptr().addr()
    }

    pub(crate) fn begin(&mut self) -> &mut Self {
        self.used = 0;
        self
    }

    pub(crate) fn number(&mut self, x: f64) -> &mut Self {
        if let Some(place) = self.numbers.get_mut(self.used) {
            *place = x;
            self.used += 1;
        }
        self
    }

    pub(crate) fn vector(&mut self, v: DVec3) -> &mut Self {
        self.number(v.x).number(v.y).number(v.z)
    }
}
