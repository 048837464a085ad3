//! Polygon file format, text and binary of both byte orders.
//!
//! Own parser: ply-rs-bw reads text declared `float` in f32 (which rounds it before it is scaled), and looks
//! up every property of every element by name.
//!
//! Read: positions of any type, faces with any number of corners, strips of triangles. All other elements and
//! properties are skipped. Text is read word by word, so line breaks within an element are allowed.

mod header;

use glam::DVec3;

use self::header::{Element, Encoding, Header, Kind, Role, Scalar, Section};
use crate::assembly::Assembly;
use crate::byte_order_mark::without_byte_order_mark;
use crate::error::{LoadError, Location};
use crate::format::Format;
use crate::level::RawLevel;
use crate::options::LoadOptions;
use crate::text::{Text, number};

pub(crate) fn parse(bytes: &[u8], options: &LoadOptions) -> Result<RawLevel, LoadError> {
    let header = header::parse(without_byte_order_mark(bytes), &options.limits)?;
    let vertices = header.vertices();
    let mut reader = Reader {
        level: Assembly::new(Format::Ply, options),
        vertices,
        data: match header.encoding {
            Encoding::Text => Data::Text(header.data.clone()),
            Encoding::LittleEndian => Data::Binary { rest: header.data.rest(), big: false },
            Encoding::BigEndian => Data::Binary { rest: header.data.rest(), big: true },
        },
    };
    reader.level.expect_vertices(vertices, header.data.rest().len())?;
    reader.sections(&header)?;
    reader.finish()
}

/// The data after the header.
enum Data<'a> {
    Text(Text<'a>),
    Binary { rest: &'a [u8], big: bool },
}

/// Why a number cannot be had.
enum Fault<'a> {
    Ends,
    NoNumber(&'a [u8]),
}

impl<'a> Data<'a> {
    fn number(&mut self, scalar: Scalar) -> Result<f64, Fault<'a>> {
        match self {
            Self::Text(text) => {
                let word = text.next_word().ok_or(Fault::Ends)?;
                number(word).ok_or(Fault::NoNumber(word))
            }
            Self::Binary { rest, big } => binary_number(rest, scalar, *big).ok_or(Fault::Ends),
        }
    }

    /// Passes over numbers without looking at them.
    fn skip(&mut self, scalar: Scalar, count: u64) -> Result<(), Fault<'a>> {
        match self {
            Self::Text(text) => (0..count).try_for_each(|_| text.next_word().map(|_| ()).ok_or(Fault::Ends)),
            Self::Binary { rest, .. } => {
                let bytes = usize::try_from(count).ok().and_then(|count| count.checked_mul(scalar.size()));
                *rest = bytes.and_then(|bytes| rest.get(bytes..)).ok_or(Fault::Ends)?;
                Ok(())
            }
        }
    }
}

/// Any of the types, in an f64 that holds all of them exactly.
fn binary_number(rest: &mut &[u8], scalar: Scalar, big: bool) -> Option<f64> {
    fn take<const N: usize>(rest: &mut &[u8], big: bool) -> Option<[u8; N]> {
        let (&(mut bytes), after) = rest.split_first_chunk::<N>()?;
        *rest = after;
        if big {
            bytes.reverse();
        }
        Some(bytes)
    }
    Some(match scalar {
        Scalar::I8 => i8::from_le_bytes(take(rest, big)?).into(),
        Scalar::U8 => u8::from_le_bytes(take(rest, big)?).into(),
        Scalar::I16 => i16::from_le_bytes(take(rest, big)?).into(),
        Scalar::U16 => u16::from_le_bytes(take(rest, big)?).into(),
        Scalar::I32 => i32::from_le_bytes(take(rest, big)?).into(),
        Scalar::U32 => u32::from_le_bytes(take(rest, big)?).into(),
        Scalar::F32 => f32::from_le_bytes(take(rest, big)?).into(),
        Scalar::F64 => f64::from_le_bytes(take(rest, big)?),
    })
}

struct Reader<'a> {
    level: Assembly,
    /// How many vertices the header announces: faces may come before them.
    vertices: u64,
    data: Data<'a>,
}

impl Reader<'_> {
    fn sections(&mut self, header: &Header<'_>) -> Result<(), LoadError> {
        for section in &header.sections {
            if section.properties.is_empty() {
                // They take no room, however many there are said to be.
                continue;
            }
            for index in 0..section.count {
                match section.element {
                    Element::Vertex => self.vertex(section, index)?,
                    Element::Face | Element::Strips => self.face(section, index)?,
                    Element::Other => self.other(section, index)?,
                }
            }
        }
        Ok(())
    }

    fn vertex(&mut self, section: &Section, index: u64) -> Result<(), LoadError> {
        let mut position = DVec3::ZERO;
        for property in &section.properties {
            let coordinate = match property.role {
                Role::X => &mut position.x,
                Role::Y => &mut position.y,
                Role::Z => &mut position.z,
                Role::Corners | Role::Other => {
                    self.pass(property.kind, section, index)?;
                    continue;
                }
            };
            if let Kind::One(scalar) = property.kind {
                *coordinate = self.data.number(scalar).map_err(|fault| self.fault(&fault, section, index))?;
            }
        }
        self.level.vertex(position)?;
        Ok(())
    }

    fn face(&mut self, section: &Section, index: u64) -> Result<(), LoadError> {
        for property in &section.properties {
            match (property.role, property.kind) {
                (Role::Corners, Kind::List { count, item }) => {
                    let count = self.count(count, section, index)?;
                    match section.element {
                        Element::Strips => self.strips(count, item, section, index)?,
                        _ => self.polygon(count, item, section, index)?,
                    }
                }
                (_, kind) => self.pass(kind, section, index)?,
            }
        }
        Ok(())
    }

    fn other(&mut self, section: &Section, index: u64) -> Result<(), LoadError> {
        section.properties.iter().try_for_each(|property| self.pass(property.kind, section, index))
    }

    fn polygon(&mut self, count: u64, item: Scalar, section: &Section, index: u64) -> Result<(), LoadError> {
        let (mut first, mut previous) = (0, 0);
        for at in 0..count {
            let number = self.whole(item, section, index)?;
            let corner = self.corner(number, section, index)?;
            match at {
                0 => first = corner,
                1 => {}
                _ => self.level.triangle([first, previous, corner])?,
            }
            previous = corner;
        }
        if count < 3 {
            self.level.skipped().incomplete_faces += 1;
        }
        Ok(())
    }

    /// Strips of triangles one after the other, each ended by −1; every second triangle is turned back.
    fn strips(&mut self, count: u64, item: Scalar, section: &Section, index: u64) -> Result<(), LoadError> {
        let mut last = [0; 2];
        let mut length = 0_u64;
        for _ in 0..count {
            let number = self.whole(item, section, index)?;
            if number == -1 {
                length = 0;
                continue;
            }
            let corner = self.corner(number, section, index)?;
            if length >= 2 {
                let [a, b] = last;
                self.level.triangle(if length.is_multiple_of(2) {
                    [a, b, corner]
                } else {
                    [a, corner, b]
                })?;
            }
            last = [last[1], corner];
            length += 1;
        }
        Ok(())
    }

    fn corner(&self, number: i64, section: &Section, index: u64) -> Result<u32, LoadError> {
        match u32::try_from(number) {
            Ok(corner) if u64::from(corner) < self.vertices => Ok(corner),
            _ => Err(LoadError::IndexOutOfRange {
                at: self.location(section, index),
                index: number,
                count: self.vertices,
                kind: "vertices",
            }),
        }
    }

    fn count(&mut self, scalar: Scalar, section: &Section, index: u64) -> Result<u64, LoadError> {
        let count = self.whole(scalar, section, index)?;
        u64::try_from(count).map_err(|_| {
            LoadError::malformed(
                self.location(section, index),
                "the length of a list",
                count.to_string().as_bytes(),
            )
        })
    }

    fn whole(&mut self, scalar: Scalar, section: &Section, index: u64) -> Result<i64, LoadError> {
        let number = self.data.number(scalar).map_err(|fault| self.fault(&fault, section, index))?;
        // Beyond 2³¹ or so there are neither indices nor lists: what does not fit into 32 bits is as wrong as
        // a fraction.
        if number == number.trunc() && number.abs() <= f64::from(u32::MAX) {
            Ok(number as i64)
        } else {
            Err(LoadError::malformed(
                self.location(section, index),
                "a whole number",
                number.to_string().as_bytes(),
            ))
        }
    }

    fn pass(&mut self, kind: Kind, section: &Section, index: u64) -> Result<(), LoadError> {
        let (scalar, count) = match kind {
            Kind::One(scalar) => (scalar, 1),
            Kind::List { count, item } => (item, self.count(count, section, index)?),
        };
        self.data.skip(scalar, count).map_err(|fault| self.fault(&fault, section, index))
    }

    fn location(&self, section: &Section, index: u64) -> Location {
        match &self.data {
            Data::Text(text) => Location::Line(text.line()),
            Data::Binary { .. } => Location::Part(format!("{} {index}", section.name)),
        }
    }

    fn fault(&self, fault: &Fault<'_>, section: &Section, index: u64) -> LoadError {
        match fault {
            Fault::Ends => LoadError::EndsEarly {
                at: match self.data {
                    Data::Text(_) => Location::Part(format!("{} {index} of {}", section.name, section.count)),
                    Data::Binary { .. } => self.location(section, index),
                },
                missing: "all that its header announces",
            },
            Fault::NoNumber(word) => LoadError::malformed(self.location(section, index), "a number", word),
        }
    }

    fn finish(mut self) -> Result<RawLevel, LoadError> {
        match &mut self.data {
            // A word too many: header and data do not agree, and what was read so far may be out of step.
            Data::Text(text) => {
                if let Some(word) = text.next_word() {
                    let at = Location::Line(text.line());
                    return Err(LoadError::malformed(
                        at,
                        "the end of the file, by the counts in its header",
                        word,
                    ));
                }
            }
            Data::Binary { rest, .. } => self.level.skipped().bytes = rest.len() as u64,
        }
        Ok(self.level.finish())
    }
}

#[cfg(test)]
mod tests;
