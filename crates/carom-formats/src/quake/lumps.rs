//! The parts of a compiled level ("lumps"): tables of records of one size, with checked bounds.

use crate::error::{LoadError, Location};

/// A table of records of one size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lump<'a> {
    name: &'static str,
    /// Where it starts in the file.
    start: usize,
    bytes: &'a [u8],
    size: usize,
}

/// A record of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'a>(&'a [u8]);

/// The table at the beginning of a file: where its lumps are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directory<'a> {
    file: &'a [u8],
    /// Where the first pair of offset and length is.
    start: usize,
}

impl<'a> Directory<'a> {
    /// The directory of `count` entries that starts at this byte.
    pub(super) fn new(file: &'a [u8], start: usize, lumps: usize) -> Result<Self, LoadError> {
        if file.len() < start + 8 * lumps {
            return Err(LoadError::EndsEarly {
                at: Location::Part(format!("header, byte {}", file.len())),
                missing: "the end of the lump directory",
            });
        }
        Ok(Self { file, start })
    }

    /// A lump with records of `size` bytes.
    pub(super) fn lump(&self, index: usize, name: &'static str, size: usize) -> Result<Lump<'a>, LoadError> {
        let entry = Record(&self.file[self.start + 8 * index..]);
        let at = |byte: usize| Location::Part(format!("lump {name}, byte {byte}"));
        let [start, length] = [entry.i32(0), entry.i32(4)];
        let (Ok(start), Ok(length)) = (usize::try_from(start), usize::try_from(length)) else {
            return Err(LoadError::malformed(
                Location::Part(format!("lump {name}, byte {} of the header", self.start + 8 * index)),
                "an offset and a length of at least 0",
                format!("{start} and {length}").as_bytes(),
            ));
        };
        if length == 0 {
            return Ok(Lump { name, start, bytes: &[], size });
        }
        let Some(bytes) = self.file.get(start..start + length) else {
            let (needed, available) = ((start + length) as u64, self.file.len() as u64);
            return Err(LoadError::OutOfBounds { at: at(start), needed, available });
        };
        if length % size != 0 {
            return Err(LoadError::EndsEarly {
                at: at(start + length),
                missing: "the end of its last record",
            });
        }
        Ok(Lump { name, start, bytes, size })
    }
}

impl<'a> Lump<'a> {
    /// How many records there are.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() / self.size
    }

    /// All of it.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// All records in order.
    pub(super) fn records(&self) -> impl Iterator<Item = Record<'a>> + use<'a> {
        self.bytes.chunks_exact(self.size).map(Record)
    }

    /// Where a record is.
    pub(super) fn at(&self, index: usize) -> Location {
        Location::Part(format!("lump {}[{index}], byte {}", self.name, self.start + index * self.size))
    }

    /// The record that another names by its number; `from` is where that one is.
    pub(super) fn get(
        &self,
        index: i64,
        from: impl FnOnce() -> Location,
    ) -> Result<(usize, Record<'a>), LoadError> {
        match usize::try_from(index).ok().filter(|index| *index < self.len()) {
            Some(index) => Ok((index, Record(&self.bytes[index * self.size..][..self.size]))),
            None => Err(LoadError::IndexOutOfRange {
                at: from(),
                index,
                count: self.len() as u64,
                kind: self.name,
            }),
        }
    }

    /// The numbers of `count` records from `first` on; an error if the lump is shorter or the count negative.
    pub(super) fn range(
        &self,
        first: i64,
        count: i64,
        from: impl FnOnce() -> Location,
    ) -> Result<std::ops::Range<usize>, LoadError> {
        let length = self.len() as i64;
        if count == 0 {
            return Ok(0..0);
        }
        if count < 0 {
            let found = format!("{count} {}", self.name);
            return Err(LoadError::malformed(from(), "a count of at least 0", found.as_bytes()));
        }
        let end = first.saturating_add(count);
        if first < 0 || end > length {
            let index = if first < 0 { first } else { end - 1 };
            return Err(LoadError::IndexOutOfRange {
                at: from(),
                index,
                count: length as u64,
                kind: self.name,
            });
        }
        Ok(first as usize..end as usize)
    }
}

impl<'a> Record<'a> {
    pub(super) fn u16(self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }

    pub(super) fn i16(self, at: usize) -> i16 {
        self.u16(at) as i16
    }

    pub(super) fn u32(self, at: usize) -> u32 {
        u32::from_le_bytes([self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]])
    }

    pub(super) fn i32(self, at: usize) -> i32 {
        self.u32(at) as i32
    }

    pub(super) fn f32(self, at: usize) -> f32 {
        f32::from_bits(self.u32(at))
    }

    /// Three numbers of 32 bits.
    pub(super) fn vector(self, at: usize) -> glam::DVec3 {
        glam::DVec3::from_array([0, 4, 8].map(|more| f64::from(self.f32(at + more))))
    }

    /// A name that ends at a zero.
    pub(super) fn name(self, at: usize, length: usize) -> String {
        let bytes = &self.0[at..at + length];
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(length);
        String::from_utf8_lossy(&bytes[..end]).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(start: i32, length: i32) -> Vec<u8> {
        let mut bytes = [start.to_le_bytes(), length.to_le_bytes()].concat();
        bytes.extend([1, 0, 2, 0, 3, 0]);
        bytes
    }

    #[test]
    fn a_lump_is_within_the_file_and_has_whole_records() {
        let bytes = file(8, 6);
        let directory = Directory::new(&bytes, 0, 1).unwrap();
        let lump = directory.lump(0, "edges", 2).unwrap();
        assert_eq!(lump.records().map(|record| record.u16(0)).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(lump.range(1, 2, || Location::File).unwrap(), 1..3);
        assert!(
            lump.range(1, 3, || Location::File).is_err() && lump.range(-1, 1, || Location::File).is_err()
        );
        assert_eq!(
            lump.get(3, || lump.at(2)).unwrap_err().to_string(),
            "lump edges[2], byte 12: index 3 is out of range (edges: 3): the file is damaged or truncated"
        );
        let refused = |start, length| {
            let bytes = file(start, length);
            Directory::new(&bytes, 0, 1).unwrap().lump(0, "edges", 2).unwrap_err().to_string()
        };
        assert_eq!(
            refused(8, 8),
            "lump edges, byte 8: reaches to byte 16 of 14: the file is damaged or truncated"
        );
        assert!(refused(8, 5).contains("lump edges, byte 13"));
        assert!(refused(-8, 4).contains("`-8 and 4`"));
        assert!(refused(i32::MAX, i32::MAX).contains("reaches to byte 4294967294"));
        assert!(Directory::new(&bytes[..7], 0, 1).is_err());
    }
}
