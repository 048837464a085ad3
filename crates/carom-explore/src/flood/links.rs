//! The links from place to place: which places can be reached from each in one action.
//!
//! Most links lead to neighbors, whose numbers are close. So each target is stored as the difference from the
//! one before: about half of the bytes that the number takes.

use crate::varint;

/// Places whose links are stored together.
const CHUNK: usize = 1 << 16;

/// The links from all places that have been left, in the order of their numbers.
#[derive(Debug, Default)]
pub(crate) struct Links {
    chunks: Vec<Chunk>,
    count: usize,
}

/// The links from up to [`CHUNK`] places in a row.
#[derive(Debug, Default)]
struct Chunk {
    /// Where the bytes of each place end.
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl Links {
    /// How many places have been left.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The next place leads there. The targets are sorted, each once.
    pub(crate) fn push(&mut self, targets: &[u32]) {
        if self.count.is_multiple_of(CHUNK) {
            if let Some(full) = self.chunks.last_mut() {
                full.bytes.shrink_to_fit();
            }
            self.chunks.push(Chunk { ends: Vec::with_capacity(CHUNK), bytes: Vec::new() });
        }
        let Some(chunk) = self.chunks.last_mut() else { return };
        let mut before = self.count as u32;
        for target in targets {
            varint::write_near(&mut chunk.bytes, *target, before);
            before = *target;
        }
        chunk.ends.push(chunk.bytes.len() as u32);
        self.count += 1;
    }

    /// The places that one leads to, in order; none from a place that has not been left.
    pub(crate) fn from(&self, id: u32) -> Targets<'_> {
        let at = id as usize % CHUNK;
        let chunk = self.chunks.get(id as usize / CHUNK);
        let bytes = chunk.and_then(|chunk| {
            let end = *chunk.ends.get(at)?;
            let start = at.checked_sub(1).map_or(0, |before| chunk.ends[before]);
            chunk.bytes.get(start as usize..end as usize)
        });
        Targets { bytes: bytes.unwrap_or_default(), before: id }
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.chunks.iter().map(|chunk| 4 * chunk.ends.capacity() + chunk.bytes.capacity()).sum()
    }
}

/// The targets of a place, in order.
#[derive(Clone, Debug)]
pub(crate) struct Targets<'a> {
    bytes: &'a [u8],
    before: u32,
}

impl Iterator for Targets<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.before = varint::read_near(&mut self.bytes, self.before)?;
        Some(self.before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_comes_back() {
        let mut links = Links::default();
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 32) as u32
        };
        let mut all = Vec::new();
        for id in 0..(CHUNK as u32 + 5_000) {
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
            assert!(links.from(id).eq(targets.iter().copied()), "{id}");
        }
        assert_eq!(links.from(all.len() as u32).count(), 0);
        assert_eq!(links.from(u32::MAX).count(), 0);
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
