//! A bit for each number.

/// A list of bits.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
    count: usize,
}

impl Bits {
    /// So many bits, none of which is set.
    pub(crate) fn new(count: usize) -> Self {
        Self { words: vec![0; count.div_ceil(64)], count }
    }

    pub(crate) fn push(&mut self, is_set: bool) {
        if self.count.is_multiple_of(64) {
            self.words.push(0);
        }
        self.count += 1;
        if is_set {
            self.set(self.count - 1);
        }
    }

    pub(crate) fn get(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 == 1
    }

    pub(crate) fn set(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// How many bits are set.
    pub(crate) fn ones(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        8 * self.words.capacity()
    }
}
