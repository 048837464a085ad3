//! The links from place to place: which places can be reached from each in one action.
//!
//! Most links lead to neighbors, whose numbers are close. So each target is stored as the difference from the
//! one before: about half of the bytes that the number takes.

use crate::spill::{Pages, Spill};
use crate::varint;

/// Places whose links are stored together.
const OF_PAGE: usize = 256;

/// The links from all places that have been left, in the order of their numbers.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// Of [`OF_PAGE`] places each: where the bytes of each place end, and then those bytes.
    pages: Pages,
    /// The same of the places after them: fewer.
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl Links {
    pub(crate) fn new(spill: Option<&Spill>) -> Self {
        Self { pages: Pages::new(spill), ..Self::default() }
    }

    /// How many places have been left.
    pub(crate) fn len(&self) -> usize {
        self.pages.len() * OF_PAGE + self.ends.len()
    }

    /// The next place leads there. The targets are sorted, each once.
    pub(crate) fn push(&mut self, targets: &[u32]) {
        let mut before = self.len() as u32;
        for target in targets {
            varint::write_near(&mut self.bytes, *target, before);
            before = *target;
        }
        self.ends.push(self.bytes.len() as u32);
        if self.ends.len() == OF_PAGE {
            let mut page: Vec<u8> = self.ends.drain(..).flat_map(u32::to_le_bytes).collect();
            page.append(&mut self.bytes);
            self.pages.push(&page);
        }
    }

    /// Whether a place leads to one that is wanted, asked in order until one is; no place that has not been
    /// left does. A page is locked meanwhile, so `wanted` must not ask for links.
    pub(crate) fn any(&self, id: u32, mut wanted: impl FnMut(u32) -> bool) -> bool {
        let (page, at) = (id as usize / OF_PAGE, id as usize % OF_PAGE);
        let mut before = id;
        let mut among = |mut bytes: &[u8]| {
            while let Some(target) = varint::read_near(&mut bytes, before) {
                before = target;
                if wanted(target) {
                    return true;
                }
            }
            false
        };
        if page < self.pages.len() {
            return self.pages.read(page, |page| {
                let (ends, bytes) = page.split_at(4 * OF_PAGE);
                let end = |at: usize| {
                    let (number, _) = ends[4 * at..].split_first_chunk()?;
                    Some(u32::from_le_bytes(*number) as usize)
                };
                let start = if at == 0 { Some(0) } else { end(at - 1) };
                start.zip(end(at)).and_then(|(start, end)| bytes.get(start..end)).is_some_and(among)
            });
        }
        let end = self.ends.get(at).filter(|_| page == self.pages.len());
        end.is_some_and(|end| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            among(&self.bytes[start as usize..*end as usize])
        })
    }

    /// The places that one leads to, in order; none from a place that has not been left.
    pub(crate) fn from(&self, id: u32) -> Vec<u32> {
        let mut targets = Vec::new();
        self.any(id, |target| {
            targets.push(target);
            false
        });
        targets
    }

    /// Bytes held in memory, about.
    pub(crate) fn memory(&self) -> usize {
        self.pages.memory() + 4 * self.ends.capacity() + self.bytes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_comes_back() {
        let spill = Spill::new(tempfile::tempfile, 1 << 16);
        let mut links = Links::new(Some(&spill));
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 32) as u32
        };
        let mut all = Vec::new();
        for id in 0..70_000u32 {
            // Far and near, lower and higher, the extremes among them; some lead nowhere.
            let mut targets: Vec<u32> = (0..random() % 12)
                .map(|_| match random() % 4 {
                    0 => id.wrapping_add(random() % 64).wrapping_sub(32),
                    1 => random(),
                    2 => u32::MAX - random() % 3,
                    _ => random() % 3,
                })
                .collect();
            targets.sort_unstable();
            targets.dedup();
            links.push(&targets);
            all.push(targets);
        }
        assert_eq!(links.len(), all.len());
        for (id, targets) in (0..).zip(&all) {
            assert_eq!(&links.from(id), targets, "{id}");
        }
        assert!(links.from(all.len() as u32).is_empty());
        assert!(links.from(u32::MAX).is_empty());
    }

    #[test]
    fn ways_to_neighbors_take_two_bytes_each() {
        let mut links = Links::default();
        for id in 500..1_500_000u32 {
            links.push(&[id - 400, id - 399, id - 398, id - 1, id + 1, id + 398, id + 399, id + 400]);
        }
        assert!(links.memory() < 17 * links.len(), "{}", links.memory() / links.len());
    }
}
