//! A flood as bytes, and back.
//!
//! Little-endian: a mark, a hash of the input, the length of each list, then the lists. The table of columns
//! is rebuilt from the list of places, in their order, so it is the same.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};

use glam::DVec3;

use crate::error::ExploreError;
use crate::flood::Flood;
use crate::flood::event::{Event, EventKind};
use crate::flood::places::{Hold, NONE, Place};
use crate::spill::Records;
use crate::walk::Walker;

const MARK: [u8; 8] = *b"CAROMEX3";
const CUT_OFF: ExploreError = ExploreError::Checkpoint("is truncated or damaged: delete it and start again");

/// # Errors
/// Those of `out`, which should be buffered.
pub(crate) fn write(flood: &Flood, stamp: [u64; 2], out: &mut impl Write) -> io::Result<()> {
    out.write_all(&MARK)?;
    let Flood { places, links, extra, events, ticks, roots, spawns } = flood;
    let left = 0..links.len() as u32;
    let mut targets = 0;
    for id in left.clone() {
        links.any(id, |_| {
            targets += 1;
            false
        });
    }
    let counts = [places.len(), links.len() + 1, targets, extra.len(), events.len(), roots.len()];
    for number in stamp.into_iter().chain([*ticks]).chain(counts.map(|count| count as u64)) {
        out.write_all(&number.to_le_bytes())?;
    }
    let point = |out: &mut dyn Write, p: DVec3| {
        p.to_array().into_iter().try_for_each(|x| out.write_all(&x.to_le_bytes()))
    };
    for place in places.list.iter() {
        point(out, place.position)?;
        out.write_all(&place.parent.to_le_bytes())?;
        out.write_all(&place.ticks.to_le_bytes())?;
        out.write_all(&place.action.to_le_bytes())?;
        out.write_all(&[place.hold.code()])?;
    }
    // Where the targets of each place start, and where the last ones end.
    let mut end = 0u32;
    out.write_all(&end.to_le_bytes())?;
    for id in left.clone() {
        end += links.from(id).len() as u32;
        out.write_all(&end.to_le_bytes())?;
    }
    for number in left.flat_map(|id| links.from(id)).chain(extra.iter().flatten().copied()) {
        out.write_all(&number.to_le_bytes())?;
    }
    for event in events {
        out.write_all(&event.place.to_le_bytes())?;
        out.write_all(&event.ticks.to_le_bytes())?;
        out.write_all(&event.action.to_le_bytes())?;
        out.write_all(&[event.kind as u8])?;
        point(out, event.position)?;
        point(out, event.exit)?;
    }
    for (root, spawn) in roots.iter().zip(spawns) {
        out.write_all(&root.to_le_bytes())?;
        point(out, *spawn)?;
    }
    out.flush()
}

/// Reads what was written.
pub(crate) fn read(from: impl Read, stamp: [u64; 2], walker: &Walker<'_>) -> Result<Flood, ExploreError> {
    let mut reader = Reader { input: BufReader::new(from) };
    if reader.take::<8>()? != MARK {
        return Err(ExploreError::Checkpoint(
            "is in another format: name another file, or remove it to begin again",
        ));
    }
    if [reader.number()?, reader.number()?] != stamp {
        return Err(ExploreError::Checkpoint(
            "belongs to another level, other rules or other spawns: use those, or delete it",
        ));
    }
    let mut flood = Flood::new(walker.level, walker.rules);
    flood.ticks = reader.number()?;
    let mut counts = [0; 6];
    for count in &mut counts {
        *count = u32::try_from(reader.number()?).map_err(|_| CUT_OFF)?;
    }
    let [places, starts, targets, extra, events, roots] = counts;
    for _ in 0..places {
        let position = reader.point()?;
        let (parent, ticks, action) = (reader.u32()?, reader.u32()?, reader.u16()?);
        let [code] = reader.take()?;
        let hold = Hold::from_code(code);
        if parent >= places {
            return Err(CUT_OFF);
        }
        let place = Place { position, parent, ticks, next: NONE, action, hold };
        match hold {
            Hold::On(number) => flood.places.ride(number, walker.on(number, position, ticks), place).0,
            _ => flood.places.add(place),
        };
    }
    if starts == 0 || starts - 1 > places || reader.u32()? != 0 {
        return Err(CUT_OFF);
    }
    let mut ends = Records::new(walker.level.spill());
    let mut end = 0;
    for _ in 1..starts {
        let next = reader.u32()?;
        if next < end {
            return Err(CUT_OFF);
        }
        end = next;
        ends.push(&end);
    }
    if end != targets {
        return Err(CUT_OFF);
    }
    let is_place = |id: &u32| *id < places;
    let (mut from, mut of_one) = (0, Vec::new());
    for until in ends.iter() {
        of_one.clear();
        for _ in from..until {
            of_one.push(Some(reader.u32()?).filter(is_place).ok_or(CUT_OFF)?);
        }
        from = until;
        if !of_one.is_sorted_by(|a, b| a < b) {
            return Err(CUT_OFF);
        }
        flood.links.push(&of_one);
    }
    for _ in 0..extra {
        flood.extra.push([reader.u32()?, reader.u32()?]);
    }
    for _ in 0..events {
        let (place, ticks, action) = (reader.u32()?, reader.u32()?, reader.u16()?);
        let kind = match reader.take::<1>()? {
            [0] => EventKind::FellOut,
            [1] => EventKind::Snag,
            [2] => EventKind::GaveUp,
            [3] => EventKind::Died,
            _ => return Err(CUT_OFF),
        };
        let (position, exit) = (reader.point()?, reader.point()?);
        flood.events.push(Event { place, action, kind, position, exit, ticks });
    }
    for _ in 0..roots {
        flood.roots.push(reader.u32()?);
        flood.spawns.push(reader.point()?);
    }
    let sound = flood.extra.as_flattened().iter().chain(&flood.roots).all(is_place)
        && flood.events.iter().all(|event| event.place == NONE || is_place(&event.place));
    if sound && reader.is_empty()? { Ok(flood) } else { Err(CUT_OFF) }
}

struct Reader<R> {
    input: BufReader<R>,
}

impl<R: Read> Reader<R> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], ExploreError> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).map_err(|error| unread(&error))?;
        Ok(bytes)
    }

    fn is_empty(&mut self) -> Result<bool, ExploreError> {
        Ok(self.input.fill_buf().map_err(|error| unread(&error))?.is_empty())
    }

    fn number(&mut self) -> Result<u64, ExploreError> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    fn u32(&mut self) -> Result<u32, ExploreError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    fn u16(&mut self) -> Result<u16, ExploreError> {
        Ok(u16::from_le_bytes(self.take()?))
    }

    fn point(&mut self) -> Result<DVec3, ExploreError> {
        let mut axis = || Ok::<_, ExploreError>(f64::from_le_bytes(self.take()?));
        let point = DVec3::new(axis()?, axis()?, axis()?);
        if point.is_finite() { Ok(point) } else { Err(CUT_OFF) }
    }
}

fn unread(error: &io::Error) -> ExploreError {
    match error.kind() {
        ErrorKind::UnexpectedEof => CUT_OFF,
        _ => ExploreError::Checkpoint("cannot be read: check its disk"),
    }
}
