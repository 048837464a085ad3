//! A list of bounded length, stored in place; clearing it does not touch its elements.

/// At most `N` things, in the order in which they came.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundedList<T, const N: usize> {
    /// Beyond the count they are what was there before.
    items: [Option<T>; N],
    count: usize,
}

impl<T: Copy, const N: usize> BoundedList<T, N> {
    pub(super) const NONE: Self = Self { items: [None; N], count: 0 };

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds one, if there is room.
    pub(super) fn push(&mut self, item: T) {
        if let Some(slot) = self.items.get_mut(self.count) {
            *slot = Some(item);
            self.count += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.items[..self.count].iter().flatten()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.items[..self.count].iter_mut().flatten()
    }
}

impl<T: Copy + PartialEq, const N: usize> PartialEq for BoundedList<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}
