//! Accessors: elements of a type, a stride apart, and the replacements of a sparse accessor.
//!
//! Everything is checked before the first element is read, so only a sparse index can fail later.

use super::buffer::{Buffers, out_of_range};
use super::schema::{self, Document};
use crate::error::{LoadError, Location};

/// The type of the elements of an accessor, and how many numbers one has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementType {
    name: &'static str,
    width: usize,
}

impl ElementType {
    pub(crate) const SCALAR: Self = Self { name: "SCALAR", width: 1 };
    pub(crate) const VEC3: Self = Self { name: "VEC3", width: 3 };
    pub(crate) const VEC4: Self = Self { name: "VEC4", width: 4 };
}

/// The type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: u32, at: &Location) -> Result<Self, LoadError> {
        Ok(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => {
                let found = code.to_string();
                return Err(LoadError::malformed(
                    at.clone(),
                    "a componentType from 5120 to 5126",
                    found.as_bytes(),
                ));
            }
        })
    }

    pub(crate) const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The value of a component; a normalized one is from −1 to 1.
    pub(crate) fn real(self, bytes: &[u8], normalized: bool) -> f64 {
        let bits = whole(bytes);
        let (value, largest) = match self {
            Self::I8 => (f64::from(bits as i8), f64::from(i8::MAX)),
            Self::U8 => (f64::from(bits), f64::from(u8::MAX)),
            Self::I16 => (f64::from(bits as i16), f64::from(i16::MAX)),
            Self::U16 => (f64::from(bits), f64::from(u16::MAX)),
            Self::U32 => (f64::from(bits), f64::from(u32::MAX)),
            Self::F32 => return f32::from_bits(bits).into(),
        };
        if normalized { (value / largest).max(-1.0) } else { value }
    }
}

/// Elements in a buffer; each is known to lie within it.
struct Elements<'a> {
    bytes: &'a [u8],
    stride: usize,
    size: usize,
}

impl<'a> Elements<'a> {
    fn get(&self, index: usize) -> &'a [u8] {
        &self.bytes[index * self.stride..][..self.size]
    }
}

/// Replacements of some elements of the buffer, in order.
struct Replaced<'a> {
    count: usize,
    indices: Elements<'a>,
    values: Elements<'a>,
}

/// An accessor that can be read to its end.
pub(crate) struct Accessor<'a> {
    index: u32,
    count: usize,
    size: usize,
    component: Component,
    normalized: bool,
    /// `None`: all zeros.
    elements: Option<Elements<'a>>,
    replaced: Option<Replaced<'a>>,
}

/// Finds accessors and checks them.
pub(crate) struct Accessors<'a, 'b> {
    pub(crate) document: &'a Document,
    pub(crate) buffers: &'a Buffers<'b>,
}

impl<'a> Accessors<'a, '_> {
    /// The accessor of an index, as the schema has it.
    pub(crate) fn entry(&self, index: u32, at: &str) -> Result<&'a schema::Accessor, LoadError> {
        let accessors = &self.document.accessors;
        accessors
            .get(index as usize)
            .ok_or_else(|| out_of_range(Location::Part(at.to_owned()), index, accessors.len(), "accessors"))
    }

    /// Positions: three components of any type but u32.
    pub(crate) fn positions(&self, index: u32, at: &str) -> Result<Accessor<'a>, LoadError> {
        let entry = self.entry(index, at)?;
        let here = Location::part("accessors", index);
        if entry.shape != "VEC3" {
            return Err(LoadError::malformed(here, "type VEC3 for positions", entry.shape.as_bytes()));
        }
        let component = Component::from_code(entry.component_type, &here)?;
        if component == Component::U32 {
            return Err(LoadError::malformed(here, "a componentType for positions", b"5125"));
        }
        self.accessor(entry, index, component, 3)
    }

    /// Indices: one unsigned component.
    pub(crate) fn indices(&self, index: u32, at: &str) -> Result<Accessor<'a>, LoadError> {
        let entry = self.entry(index, at)?;
        let here = Location::part("accessors", index);
        if entry.shape != "SCALAR" {
            return Err(LoadError::malformed(here, "type SCALAR for indices", entry.shape.as_bytes()));
        }
        let component = unsigned(entry.component_type, &here)?;
        self.accessor(entry, index, component, 1)
    }

    /// Numbers of one type: f32, or normalized integers where the specification lets them stand for numbers
    /// from −1 to 1.
    pub(crate) fn numbers(
        &self,
        index: u32,
        ElementType { name: shape, width }: ElementType,
        at: &str,
    ) -> Result<Accessor<'a>, LoadError> {
        let entry = self.entry(index, at)?;
        let here = Location::Part(format!("{at}: accessors[{index}]"));
        if entry.shape != shape {
            return Err(LoadError::malformed(here, shape, entry.shape.as_bytes()));
        }
        let component = Component::from_code(entry.component_type, &here)?;
        if component != Component::F32 && (component == Component::U32 || !entry.normalized) {
            let found = entry.component_type.to_string();
            return Err(LoadError::malformed(
                here,
                "floats or normalized integers (componentType 5126, or 5120 to 5123)",
                found.as_bytes(),
            ));
        }
        self.accessor(entry, index, component, width)
    }

    fn accessor(
        &self,
        entry: &schema::Accessor,
        index: u32,
        component: Component,
        width: usize,
    ) -> Result<Accessor<'a>, LoadError> {
        let here = || Location::part("accessors", index);
        let count = usize::try_from(entry.count).map_err(|_| LoadError::OutOfBounds {
            at: here(),
            needed: entry.count,
            available: usize::MAX as u64,
        })?;
        let size = component.size() * width;
        let elements = match entry.buffer_view {
            Some(view) => Some(self.elements(view, entry.byte_offset, count, size, here)?),
            None if entry.sparse.is_some() => None,
            None => {
                return Err(LoadError::Unsupported {
                    at: here(),
                    feature: "an accessor without a bufferView".to_owned(),
                    remedy: "export it without compression",
                });
            }
        };
        let replaced = match &entry.sparse {
            Some(sparse) => Some(self.replaced(sparse, count, size, index)?),
            None => None,
        };
        Ok(Accessor { index, count, size, component, normalized: entry.normalized, elements, replaced })
    }

    fn replaced(
        &self,
        sparse: &schema::Sparse,
        of: usize,
        size: usize,
        index: u32,
    ) -> Result<Replaced<'a>, LoadError> {
        let here = || Location::Part(format!("accessors[{index}].sparse"));
        let count = usize::try_from(sparse.count).ok().filter(|&count| count <= of);
        let count = count.ok_or_else(|| LoadError::OutOfBounds {
            at: here(),
            needed: sparse.count,
            available: of as u64,
        })?;
        let component = unsigned(sparse.indices.component_type, &here())?;
        let indices = self.elements(
            sparse.indices.buffer_view,
            sparse.indices.byte_offset,
            count,
            component.size(),
            here,
        )?;
        let values =
            self.elements(sparse.values.buffer_view, sparse.values.byte_offset, count, size, here)?;
        Ok(Replaced { count, indices, values })
    }

    /// `count` elements of `size` bytes in a buffer view, from an offset on.
    fn elements(
        &self,
        view: u32,
        offset: u64,
        count: usize,
        size: usize,
        at: impl Fn() -> Location,
    ) -> Result<Elements<'a>, LoadError> {
        let view = self.buffers.view(view, &at)?;
        let stride = match view.stride {
            0 => size as u64,
            stride if stride < size as u64 => {
                let found = stride.to_string();
                return Err(LoadError::malformed(
                    at(),
                    "a byteStride no less than an element",
                    found.as_bytes(),
                ));
            }
            stride => stride,
        };
        if count == 0 {
            return Ok(Elements { bytes: &[], stride: size, size });
        }
        let end = (count as u64 - 1)
            .checked_mul(stride)
            .and_then(|last| last.checked_add(size as u64)?.checked_add(offset))
            .unwrap_or(u64::MAX);
        if end > view.bytes.len() as u64 {
            return Err(LoadError::OutOfBounds { at: at(), needed: end, available: view.bytes.len() as u64 });
        }
        // Both are less than the length of a slice, unless the stride is that of a single element.
        let stride = usize::try_from(stride).unwrap_or(size);
        Ok(Elements { bytes: &view.bytes[offset as usize..end as usize], stride, size })
    }
}

impl Accessor<'_> {
    /// How many bytes its elements are made from.
    pub(crate) fn bytes(&self) -> usize {
        self.elements.as_ref().map_or(0, |elements| elements.bytes.len())
    }

    /// Calls `take` with every position in order.
    pub(crate) fn each_position(
        &self,
        take: impl FnMut([f64; 3]) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        self.each_numbers(take)
    }

    /// Calls `take` with the numbers of every element in order.
    pub(crate) fn each_numbers<const N: usize>(
        &self,
        mut take: impl FnMut([f64; N]) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        self.each(|element| {
            let size = self.component.size();
            take(std::array::from_fn(|i| self.component.real(&element[i * size..][..size], self.normalized)))
        })
    }

    /// Calls `take` with every index in order.
    pub(crate) fn each_index(
        &self,
        mut take: impl FnMut(u32) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        self.each(|element| take(whole(element)))
    }

    fn each(&self, mut take: impl FnMut(&[u8]) -> Result<(), LoadError>) -> Result<(), LoadError> {
        const ZEROS: [u8; 16] = [0; 16];
        let mut replaced = (0..self.replaced.as_ref().map_or(0, |replaced| replaced.count)).peekable();
        let index_of = |entry: usize| {
            self.replaced.as_ref().map_or(0, |replaced| whole(replaced.indices.get(entry)) as usize)
        };
        for index in 0..self.count {
            let mut element =
                self.elements.as_ref().map_or(&ZEROS[..self.size], |elements| elements.get(index));
            if let (Some(entry), Some(sparse)) =
                (replaced.next_if(|&entry| index_of(entry) == index), &self.replaced)
            {
                element = sparse.values.get(entry);
            }
            take(element)?;
        }
        // An index that was not met is too large or not larger than the one before.
        match replaced.next() {
            None => Ok(()),
            Some(entry) => Err(LoadError::malformed(
                Location::Part(format!("accessors[{}].sparse.indices", self.index)),
                "indices that grow and are less than the accessor's count",
                index_of(entry).to_string().as_bytes(),
            )),
        }
    }
}

/// Up to four bytes as a number, the lowest first.
fn whole(bytes: &[u8]) -> u32 {
    match *bytes {
        [a] => a.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        _ => bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)),
    }
}

fn unsigned(code: u32, at: &Location) -> Result<Component, LoadError> {
    match Component::from_code(code, at)? {
        component @ (Component::U8 | Component::U16 | Component::U32) => Ok(component),
        _ => Err(LoadError::malformed(
            at.clone(),
            "componentType 5121, 5123 or 5125",
            code.to_string().as_bytes(),
        )),
    }
}
