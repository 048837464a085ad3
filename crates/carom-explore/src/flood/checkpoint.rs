//! A flood as bytes, and back.
//!
//! Little-endian: a mark, a hash of the input, the length of each list, then the lists. The table of columns
//! is rebuilt from the list of places, in their order, so it is the same.

use glam::DVec3;

use crate::error::ExploreError;
use crate::flood::Flood;
use crate::flood::event::{Event, EventKind};
use crate::flood::places::{Hold, NONE, Place, Places};
use crate::walk::Walker;

const MARK: [u8; 8] = *b"CAROMEX3";
const CUT_OFF: ExploreError = ExploreError::Checkpoint("is truncated or damaged: delete it and start again");

pub(crate) fn write(flood: &Flood, stamp: [u64; 2]) -> Vec<u8> {
    let mut out = Vec::with_capacity(flood.places.len() * 100);
    out.extend(MARK);
    let Flood { places, links, extra, events, ticks, roots, spawns } = flood;
    let list = &places.list;
    let left = 0..links.len() as u32;
    let targets: usize = left.clone().map(|id| links.from(id).count()).sum();
    let counts = [list.len(), links.len() + 1, targets, extra.len(), events.len(), roots.len()];
    for number in stamp.into_iter().chain([*ticks]).chain(counts.map(|count| count as u64)) {
        out.extend(number.to_le_bytes());
    }
    let point =
        |out: &mut Vec<u8>, p: DVec3| p.to_array().into_iter().for_each(|x| out.extend(x.to_le_bytes()));
    for place in list {
        point(&mut out, place.position);
        out.extend(place.parent.to_le_bytes());
        out.extend(place.ticks.to_le_bytes());
        out.extend(place.action.to_le_bytes());
        out.push(place.hold.code());
    }
    // Where the targets of each place start, and where the last ones end.
    let mut end = 0u32;
    out.extend(end.to_le_bytes());
    for id in left.clone() {
        end += links.from(id).count() as u32;
        out.extend(end.to_le_bytes());
    }
    for number in left.flat_map(|id| links.from(id)).chain(extra.iter().flatten().copied()) {
        out.extend(number.to_le_bytes());
    }
    for event in events {
        out.extend(event.place.to_le_bytes());
        out.extend(event.ticks.to_le_bytes());
        out.extend(event.action.to_le_bytes());
        out.push(event.kind as u8);
        point(&mut out, event.position);
        point(&mut out, event.exit);
    }
    for (root, spawn) in roots.iter().zip(spawns) {
        out.extend(root.to_le_bytes());
        point(&mut out, *spawn);
    }
    out
}

/// Reads into empty places.
pub(crate) fn read(
    bytes: &[u8],
    stamp: [u64; 2],
    walker: &Walker<'_>,
    places: Places,
) -> Result<Flood, ExploreError> {
    let mut reader = Reader { bytes };
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
    let mut flood = Flood::new(places);
    flood.ticks = reader.number()?;
    let mut counts = [0; 6];
    for count in &mut counts {
        // No list has more entries than there are bytes.
        *count =
            usize::try_from(reader.number()?).ok().filter(|count| *count <= bytes.len()).ok_or(CUT_OFF)?;
    }
    let [places, starts, targets, extra, events, roots] = counts;
    for _ in 0..places {
        let position = reader.point()?;
        let (parent, ticks, action) = (reader.u32()?, reader.u32()?, reader.u16()?);
        let [code] = reader.take()?;
        let hold = Hold::from_code(code);
        if parent as usize >= places {
            return Err(CUT_OFF);
        }
        let place = Place { position, parent, ticks, next: NONE, action, hold };
        match hold {
            Hold::On(number) => flood.places.ride(number, walker.on(number, position, ticks), place).0,
            _ => flood.places.add(place),
        };
    }
    let (starts, targets) = (reader.list(starts)?, reader.list(targets)?);
    flood.extra = reader.list(2 * extra)?.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
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
    let is_place = |id: &u32| (*id as usize) < places;
    let is_whole = starts.first() == Some(&0) && starts.last() == Some(&(targets.len() as u32));
    let sound = is_whole
        && starts.is_sorted()
        && starts.len() <= places + 1
        && targets.iter().chain(flood.extra.as_flattened()).chain(&flood.roots).all(is_place)
        && flood.events.iter().all(|event| event.place == NONE || is_place(&event.place));
    if !sound {
        return Err(CUT_OFF);
    }
    for bounds in starts.windows(2) {
        let targets = &targets[bounds[0] as usize..bounds[1] as usize];
        if !targets.is_sorted_by(|a, b| a < b) {
            return Err(CUT_OFF);
        }
        flood.links.push(targets);
    }
    if reader.bytes.is_empty() { Ok(flood) } else { Err(CUT_OFF) }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], ExploreError> {
        let (first, rest) = self.bytes.split_first_chunk::<N>().ok_or(CUT_OFF)?;
        self.bytes = rest;
        Ok(*first)
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

    fn list(&mut self, count: usize) -> Result<Vec<u32>, ExploreError> {
        (0..count).map(|_| self.u32()).collect()
    }
}
