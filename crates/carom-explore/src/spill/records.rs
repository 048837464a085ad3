//! Lists of entries of one size.

use std::marker::PhantomData;
use std::ops::Range;

use super::pages::PAGE;
use super::{Pages, Spill};

/// An entry of a list, as bytes.
pub(crate) trait Record: Sized {
    /// How many bytes an entry takes.
    const BYTES: usize;

    /// Appends exactly those.
    fn write(&self, bytes: &mut Vec<u8>);

    /// From bytes that were written.
    fn read(bytes: &[u8]) -> Self;
}

impl Record for u16 {
    const BYTES: usize = 2;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }

    fn read(mut bytes: &[u8]) -> Self {
        Self::from_le_bytes(take(&mut bytes))
    }
}

impl Record for u32 {
    const BYTES: usize = 4;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }

    fn read(mut bytes: &[u8]) -> Self {
        Self::from_le_bytes(take(&mut bytes))
    }
}

/// Takes some bytes from the front: zeros where there are none.
pub(crate) fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let Some((first, rest)) = bytes.split_first_chunk() else { return [0; N] };
    *bytes = rest;
    *first
}

/// A list to which entries are appended.
#[derive(Debug)]
pub(crate) struct Records<T> {
    pages: Pages,
    /// The last page, which is not full.
    tail: Vec<u8>,
    entries: PhantomData<T>,
}

impl<T: Record> Records<T> {
    /// Entries of a page.
    pub(crate) const OF_PAGE: usize = PAGE / T::BYTES;

    pub(crate) fn new(spill: Option<&Spill>) -> Self {
        Self { pages: Pages::new(spill), tail: Vec::new(), entries: PhantomData }
    }

    pub(crate) fn len(&self) -> usize {
        self.pages.len() * Self::OF_PAGE + self.tail.len() / T::BYTES
    }

    pub(crate) fn push(&mut self, entry: &T) {
        entry.write(&mut self.tail);
        if self.tail.len() == Self::OF_PAGE * T::BYTES {
            self.pages.push(&self.tail);
            self.tail.clear();
        }
    }

    /// An entry below [`Self::len`].
    pub(crate) fn get(&self, number: usize) -> T {
        let start = number % Self::OF_PAGE * T::BYTES;
        self.page(number / Self::OF_PAGE, |page| T::read(&page[start..start + T::BYTES]))
    }

    /// Visits some entries, in order: faster than one by one.
    pub(crate) fn visit(&self, numbers: Range<usize>, mut visit: impl FnMut(T)) {
        let mut next = numbers.start;
        while next < numbers.end {
            let page = next / Self::OF_PAGE;
            let end = numbers.end.min((page + 1) * Self::OF_PAGE);
            let bytes = [next, end].map(|number| (number - page * Self::OF_PAGE) * T::BYTES);
            self.page(page, |entries| {
                entries[bytes[0]..bytes[1]].chunks_exact(T::BYTES).for_each(|entry| visit(T::read(entry)));
            });
            next = end;
        }
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = T> + '_ {
        self.range(0..self.len())
    }

    /// Some entries, in order.
    pub(crate) fn range(&self, numbers: Range<usize>) -> impl ExactSizeIterator<Item = T> + '_ {
        numbers.map(|number| self.get(number))
    }

    /// The number of the first entry that does not belong to the first ones, among those of a page; the
    /// entries are partitioned.
    pub(crate) fn partition_point_in(&self, page: usize, is_first: impl Fn(T) -> bool) -> usize {
        let within = self.page(page, |bytes| {
            let (mut low, mut high) = (0, bytes.len() / T::BYTES);
            while low < high {
                let middle = low.midpoint(high);
                if is_first(T::read(&bytes[middle * T::BYTES..])) { low = middle + 1 } else { high = middle }
            }
            low
        });
        page * Self::OF_PAGE + within
    }

    fn page<R>(&self, page: usize, look: impl FnOnce(&[u8]) -> R) -> R {
        if page == self.pages.len() { look(&self.tail) } else { self.pages.read(page, look) }
    }

    /// Bytes held in memory, about.
    pub(crate) fn memory(&self) -> usize {
        self.pages.memory() + self.tail.capacity()
    }
}

impl<T: Record> Default for Records<T> {
    fn default() -> Self {
        Self::new(None)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::error::ExploreError;
    use crate::stop::Stop;

    #[test]
    fn what_is_in_a_file_comes_back() {
        let spill = Spill::new(tempfile::tempfile, 3 * PAGE);
        let (mut kept, mut spilled) = (Records::default(), Records::new(Some(&spill)));
        let entry = |number: u32| number.wrapping_mul(2_654_435_761);
        for number in 0..100_000 {
            kept.push(&entry(number));
            spilled.push(&entry(number));
            // Far behind, in a slot of a page that is not in the file yet or was just written.
            let back = entry(number) % (number + 1);
            assert_eq!(spilled.get(back as usize), entry(back));
        }
        assert!(kept.iter().eq(spilled.iter()) && kept.len() == 100_000);
        for range in [0..100_000, 5..5, 1023..1025, 77_000..100_000] {
            let mut visited = Vec::new();
            spilled.visit(range.clone(), |entry| visited.push(entry));
            assert!(kept.range(range).eq(visited));
        }
        assert!(spilled.memory() < 10 * PAGE && kept.memory() > 4 * 100_000, "{}", spilled.memory());
        assert_eq!(spill.fault(), None);
    }

    #[test]
    fn a_disk_without_room_is_a_fault_and_stops() {
        let full = || Err(io::Error::new(io::ErrorKind::StorageFull, "no room"));
        let (spill, stop) = (Spill::new(full, PAGE), Stop::new());
        spill.stop_at_fault(stop.clone());
        let mut list = Records::new(Some(&spill));
        for number in 0..5000u32 {
            list.push(&(number + 1));
        }
        assert!(stop.is_set());
        assert_eq!(spill.fault(), Some(ExploreError::Spill("no room".to_owned())));
        assert_eq!((list.get(0), list.len()), (0, 5000));
    }

    #[test]
    fn a_page_is_parted_where_its_entries_are() {
        let mut list = Records::default();
        (0..3000u32).for_each(|number| list.push(&(2 * number)));
        let of_page = Records::<u32>::OF_PAGE;
        assert_eq!(list.partition_point_in(0, |entry| entry < 7), 4);
        assert_eq!(list.partition_point_in(1, |entry| entry < 7), of_page);
        assert_eq!(list.partition_point_in(2, |_| true), 3000);
    }
}
