//! The places that were reached, one for each cell and floor, and the way to each.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::flood::columns::Columns;
use crate::level::Level;
use crate::rules::Rules;
use crate::spill::{Record, Records, take};

/// No place.
pub(crate) const NONE: u32 = u32::MAX;

/// Where a body came to stand in a cell of the grid, the first time it got there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The center of the body, in meters.
    pub position: DVec3,
    /// The place it came from; its own number for one that a spawn led to.
    pub parent: u32,
    /// How many ticks it took from a spawn.
    pub ticks: u32,
    /// The place that came before it in the same column.
    pub(crate) next: u32,
    /// The action at the parent.
    pub(crate) action: u16,
    pub(crate) hold: Hold,
}

/// The support of a body at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// It stands.
    Ground,
    /// It stands by an edge at its side, lower than the edge and higher than what is below.
    Edge,
    /// It hangs between things that are too steep to stand on.
    Caught,
    /// It stands on the body that moves of this number.
    On(u8),
}

impl Hold {
    /// Whether it stands.
    pub(crate) fn stands(self) -> bool {
        self != Self::Caught
    }

    /// One byte for each.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Ground => 0,
            Self::Edge => 1,
            Self::Caught => 2,
            Self::On(number) => number.saturating_add(3),
        }
    }

    pub(crate) fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Ground,
            1 => Self::Edge,
            2 => Self::Caught,
            code => Self::On(code - 3),
        }
    }
}

impl Record for Place {
    const BYTES: usize = 39;

    fn write(&self, bytes: &mut Vec<u8>) {
        self.position.to_array().into_iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        for number in [self.parent, self.ticks, self.next] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.action.to_le_bytes());
        bytes.push(self.hold.code());
    }

    fn read(mut bytes: &[u8]) -> Self {
        let bytes = &mut bytes;
        let position = DVec3::from_array([(); 3].map(|()| f64::from_le_bytes(take(bytes))));
        let [parent, ticks, next] = [(); 3].map(|()| u32::from_le_bytes(take(bytes)));
        let action = u16::from_le_bytes(take(bytes));
        let [code] = take(bytes);
        Self { position, parent, ticks, next, action, hold: Hold::from_code(code) }
    }
}

/// Numbers of places and their heights, by the body that moves and the column there.
type Rides = BTreeMap<(u8, [i32; 2]), Vec<(u32, f64)>>;

/// All places, by number and by cell.
#[derive(Debug, Default)]
pub(crate) struct Places {
    pub(crate) list: Records<Place>,
    /// The latest place in each column.
    columns: Columns,
    cell: f64,
    same_height: f64,
    /// Places on bodies that move.
    rides: Rides,
}

impl Places {
    /// None yet. They go where those of the level go if they outgrow memory.
    pub(crate) fn new(level: &Level, rules: &Rules) -> Self {
        let (list, columns) = (Records::new(level.spill()), Columns::new(level.spill()));
        Self { list, columns, cell: rules.cell(), same_height: rules.same_height(), ..Self::default() }
    }

    pub(crate) fn cell(&self) -> f64 {
        self.cell
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The number of the place that a body with its center there is at; `None` if there is none yet.
    pub(crate) fn find(&self, position: DVec3, hold: Hold) -> Option<u32> {
        let here = self.in_column(column(position, self.cell)).filter(|(_, place)| place.hold == hold);
        let away = here.map(|(id, place)| (id, (place.position.y - position.y).abs()));
        let (nearest, away) = away.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (away <= self.same_height).then_some(nearest)
    }

    /// The place of a number below [`Self::len`].
    pub(crate) fn get(&self, id: u32) -> Place {
        self.list.get(id as usize)
    }

    /// The places in a column and their numbers, the latest first.
    pub(crate) fn in_column(&self, column: [i32; 2]) -> impl Iterator<Item = (u32, Place)> + '_ {
        let numbered = |id: u32| (id, self.get(id));
        // Each comes before the last one: so does none, and a page that could not be read ends the list too.
        std::iter::successors(self.columns.get(column).map(numbered), move |(id, place)| {
            (place.next < *id).then(|| numbered(place.next))
        })
    }

    /// Like [`Self::enter`], for a place on a body that moves, in whose frame it is there.
    pub(crate) fn ride(&mut self, number: u8, there: DVec3, place: Place) -> (u32, bool) {
        let key = (number, column(there, self.cell));
        let known = self.rides.get(&key).into_iter().flatten();
        if let Some((id, _)) = known.copied().find(|(_, y)| (there.y - y).abs() <= self.same_height) {
            return (id, false);
        }
        let id = self.add(place);
        self.rides.entry(key).or_default().push((id, there.y));
        (id, true)
    }

    /// The number of a place, and whether it is new.
    pub(crate) fn enter(&mut self, place: Place) -> (u32, bool) {
        if let Some(id) = self.find(place.position, place.hold) {
            return (id, false);
        }
        (self.add(place), true)
    }

    pub(crate) fn add(&mut self, place: Place) -> u32 {
        let id = self.list.len() as u32;
        // A place that moves is in no column of the level.
        let next = match place.hold {
            Hold::On(_) => NONE,
            _ => self.columns.replace(column(place.position, self.cell), id).unwrap_or(NONE),
        };
        let parent = if place.parent == NONE { id } else { place.parent };
        self.list.push(&Place { next, parent, ..place });
        id
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.list.memory() + self.columns.memory()
    }
}

/// Which column of the grid a point is in.
pub(crate) fn column(position: DVec3, cell: f64) -> [i32; 2] {
    [(position.x / cell).floor() as i32, (position.z / cell).floor() as i32]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(x: f64, y: f64, z: f64) -> Place {
        let position = DVec3::new(x, y, z);
        Place { position, parent: NONE, ticks: 0, next: NONE, action: 0, hold: Hold::Ground }
    }

    #[test]
    fn floors_above_each_other_are_different_places_and_a_step_is_not() {
        let mut places = Places { cell: 0.5, same_height: 0.4, ..Places::default() };
        assert_eq!(places.enter(place(0.1, 1.0, 0.1)), (0, true));
        assert_eq!(places.enter(place(0.4, 1.3, 0.4)), (0, false));
        assert_eq!(places.enter(place(0.1, 4.0, 0.1)), (1, true));
        assert_eq!(places.enter(place(-0.1, 1.0, 0.1)), (2, true));
        assert_eq!(places.find(DVec3::new(0.2, 3.9, 0.2), Hold::Ground), Some(1));
        assert_eq!(places.find(DVec3::new(0.2, 2.5, 0.2), Hold::Ground), None);
        assert_eq!(places.find(DVec3::new(0.2, 4.0, 0.2), Hold::Caught), None);
    }

    #[test]
    fn a_place_comes_back_from_its_bytes() {
        for hold in [Hold::Ground, Hold::Edge, Hold::Caught, Hold::On(0), Hold::On(252)] {
            let position = DVec3::new(-0.0, f64::MIN_POSITIVE, 1e300);
            let place = Place { position, parent: 7, ticks: u32::MAX, next: 1 << 31, action: 40_000, hold };
            let mut bytes = Vec::new();
            place.write(&mut bytes);
            assert_eq!((bytes.len(), Place::read(&bytes)), (Place::BYTES, place));
        }
    }
}
