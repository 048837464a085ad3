//! A list of bounded length, stored in place; clearing it does not touch its elements.

/// At most `N` elements, in the order in which they were added.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundedList<T, const N: usize> {
    /// Elements beyond the count are old ones.
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

#[cfg(feature = "serde")]
impl<T: Copy + serde::Serialize, const N: usize> serde::Serialize for BoundedList<T, N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Refuses more than `N` elements: a list that lost some would be another report.
#[cfg(feature = "serde")]
impl<'de, T: Copy + serde::Deserialize<'de>, const N: usize> serde::Deserialize<'de> for BoundedList<T, N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = alloc::vec::Vec::<T>::deserialize(deserializer)?;
        if items.len() > N {
            return Err(serde::de::Error::invalid_length(
                items.len(),
                &"a list no longer than a report holds",
            ));
        }
        let mut list = Self::NONE;
        items.into_iter().for_each(|item| list.push(item));
        Ok(list)
    }
}

impl<T: Copy + PartialEq, const N: usize> PartialEq for BoundedList<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}
