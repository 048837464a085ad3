//! Numbers and places as bytes, in messages between workers: small numbers take one byte.

use glam::DVec3;

use crate::error::ExploreError;
use crate::flood::event::{Event, EventKind};
use crate::flood::places::{Hold, NONE, Place};
use crate::varint;

/// The error for a message that cannot be read.
const GARBLED: ExploreError = ExploreError::Message;

/// Bytes that are written.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn number(&mut self, number: u64) {
        varint::write(&mut self.bytes, number);
    }

    pub(crate) fn near(&mut self, number: u32, other: u32) {
        varint::write_near(&mut self.bytes, number, other);
    }

    pub(crate) fn point(&mut self, point: DVec3) {
        point.to_array().into_iter().for_each(|x| self.bytes.extend(x.to_le_bytes()));
    }

    /// A place but for its parent. A parent's ticks are not known here, so all are sent.
    pub(crate) fn place(&mut self, place: &Place) {
        self.point(place.position);
        self.number(u64::from(place.ticks));
        self.number(u64::from(place.action));
        self.bytes.push(place.hold.code());
    }

    pub(crate) fn event(&mut self, event: &Event) {
        self.number(u64::from(event.place));
        self.number(u64::from(event.ticks));
        self.number(u64::from(event.action));
        self.bytes.push(event.kind as u8);
        self.point(event.position);
        self.point(event.exit);
    }
}

/// Bytes that are read.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) bytes: &'a [u8],
}

impl Reader<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Result<u8, ExploreError> {
        let (first, rest) = self.bytes.split_first().ok_or(GARBLED)?;
        self.bytes = rest;
        Ok(*first)
    }

    pub(crate) fn number(&mut self) -> Result<u64, ExploreError> {
        varint::read(&mut self.bytes).ok_or(GARBLED)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, ExploreError> {
        self.number()?.try_into().map_err(|_| GARBLED)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, ExploreError> {
        self.number()?.try_into().map_err(|_| GARBLED)
    }

    pub(crate) fn near(&mut self, other: u32) -> Result<u32, ExploreError> {
        varint::read_near(&mut self.bytes, other).ok_or(GARBLED)
    }

    pub(crate) fn point(&mut self) -> Result<DVec3, ExploreError> {
        let mut axis = || {
            let (first, rest) = self.bytes.split_first_chunk().ok_or(GARBLED)?;
            self.bytes = rest;
            Ok::<_, ExploreError>(f64::from_le_bytes(*first))
        };
        let point = DVec3::new(axis()?, axis()?, axis()?);
        if point.is_finite() { Ok(point) } else { Err(GARBLED) }
    }

    pub(crate) fn place(&mut self, parent: u32) -> Result<Place, ExploreError> {
        let (position, ticks, action) = (self.point()?, self.u32()?, self.u16()?);
        let hold = Hold::from_code(self.byte()?);
        Ok(Place { position, parent, ticks, next: NONE, action, hold })
    }

    pub(crate) fn event(&mut self) -> Result<Event, ExploreError> {
        let (place, ticks, action) = (self.u32()?, self.u32()?, self.u16()?);
        let kind = match self.byte()? {
            0 => EventKind::FellOut,
            1 => EventKind::Snag,
            2 => EventKind::GaveUp,
            3 => EventKind::Died,
            _ => return Err(GARBLED),
        };
        Ok(Event { place, action, kind, position: self.point()?, exit: self.point()?, ticks })
    }

    /// A part of the message, whose length stands before it.
    pub(crate) fn part(&mut self) -> Result<&[u8], ExploreError> {
        let length = usize::try_from(self.number()?).map_err(|_| GARBLED)?;
        let (part, rest) = self.bytes.split_at_checked(length).ok_or(GARBLED)?;
        self.bytes = rest;
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_what_is_cut_off_is_refused() {
        let numbers = [0, 1, 127, 128, 300, u32::MAX - 1, u32::MAX];
        let mut writer = Writer::default();
        for number in numbers {
            writer.number(u64::from(number));
            writer.near(number, 1000);
        }
        let mut reader = Reader { bytes: &writer.bytes };
        for number in numbers {
            assert_eq!(reader.u32(), Ok(number));
            assert_eq!(reader.near(1000), Ok(number));
        }
        assert!(reader.is_empty());
        assert_eq!(reader.number(), Err(GARBLED));
        assert_eq!(Reader { bytes: &[0x80; 12] }.number(), Err(GARBLED));
        assert_eq!(Reader { bytes: &[0xFF, 0xFF, 0xFF, 0xFF, 0x7F] }.u32(), Err(GARBLED));
        assert_eq!(Reader { bytes: &[9, 1, 2] }.part(), Err(GARBLED));
    }
}
