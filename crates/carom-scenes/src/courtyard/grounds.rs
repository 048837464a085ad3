//! The parts of the courtyard without overhangs: ground, pool, terrace, ramp, stairs, tower, walls. One
//! closed solid, so that there is no surface hidden in another and no crack anywhere.
//!
//! Plan, x to the right (east), z downward (south), one character to two meters:
//!
//! ```text
//!      -20                  0                 20
//!  -20  T═══════════════════════════════════════T
//!       ║t t t t t t t t t t t t ╲ ramp         ║
//!       ║t t  portico  t t t t t t              ║
//!       ║t t t t t t t stairs t t   ╭─────╮     ║
//!       ║             s s s         │tower│     ║
//!    0  ║            (spawn)        ╰─────╯     ║
//!       ║      ┌─────────┐                      ║
//!       ║      │ pool    │       ╭ mound ╮      ║
//!       ║    ══╪═ bridge ╪══  arch               ║
//!       ║      └─────────┘       ╰───────╯      ║
//!  +20  T═══════════════════════════════════════T
//! ```

use core::f64::consts::TAU;

use carom::num::ops;
use glam::{DVec2, DVec3};

use crate::mesh_builder::{Cell, Terraces};
use crate::scene_mesh::{MeshSection, SceneMesh};

/// Where the solid ends below, in meters.
const BASE: f64 = -3.0;
/// Half the inner side of the walls, and half the outer.
const INNER: f64 = 19.0;
const OUTER: f64 = 20.0;
/// The corner towers reach from here to the outside of the walls.
const CORNER: f64 = 18.0;

/// The terrace's height, which is that of twelve steps.
pub(super) const TERRACE: f64 = 12.0 * STEP;
/// Rise of the steps of stairs and pool.
const STEP: f64 = 0.125;
/// Depth of their treads.
const TREAD: f64 = 0.375;

const POOL_LOW: DVec2 = DVec2::new(-13.0, 1.0);
const POOL_HIGH: DVec2 = DVec2::new(-3.0, 13.0);
/// The pool's steps lie along its west side and start at its north end.
const POOL_STEPS_EAST: f64 = -10.0;

/// The tower's axis, in plan.
pub(super) const TOWER: DVec2 = DVec2::new(12.0, -8.0);
/// Half the square of ground around it: a meter of its sides to each of the sectors.
const TOWER_SQUARE: f64 = 4.0;
const SECTORS: usize = 32;
/// Radii: inside of the parapet, its ridge, its outside and the inside of the stairs, their outside.
const TOWER_RADII: [f64; 4] = [1.625, 1.875, 2.125, 3.5];
/// The first step's sector, counted from east over north; the steps continue from there.
const FIRST_STEP_SECTOR: usize = 20;
const TOWER_STEPS: usize = 24;
/// The last step is followed by a landing as wide as four, which is also the door in the parapet.
const LANDING_STEPS: usize = 4;
const TOWER_RISE: f64 = 0.15625;
/// The deck's height.
pub(super) const DECK: f64 = TOWER_STEPS as f64 * TOWER_RISE;

/// A part of the solid's surface.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Room {
    Ground,
    Lawn,
    Pool,
    Terrace,
    Stairs,
    Ramp,
    Tower,
    NorthWall,
    EastWall,
    SouthWall,
    WestWall,
}

impl Room {
    const ALL: [Self; 11] = [
        Self::Ground,
        Self::Lawn,
        Self::Pool,
        Self::Terrace,
        Self::Stairs,
        Self::Ramp,
        Self::Tower,
        Self::NorthWall,
        Self::EastWall,
        Self::SouthWall,
        Self::WestWall,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Lawn => "lawn",
            Self::Pool => "pool",
            Self::Terrace => "terrace",
            Self::Stairs => "stairs",
            Self::Ramp => "ramp",
            Self::Tower => "tower",
            Self::NorthWall => "north wall",
            Self::EastWall => "east wall",
            Self::SouthWall => "south wall",
            Self::WestWall => "west wall",
        }
    }
}

/// The height of the open ground: level but for two mounds and a dish, each over as soon as it is a radius
/// away.
pub(super) fn relief(plan: DVec2) -> f64 {
    const BUMPS: [(DVec2, f64, f64); 3] = [
        (DVec2::new(12.0, 11.0), 6.0, 1.25),
        (DVec2::new(-16.0, -3.5), 3.0, 0.4),
        (DVec2::new(3.0, -2.5), 3.5, -0.3),
    ];
    BUMPS.into_iter().fold(0.0, |height, (middle, radius, rise)| {
        let share = 1.0 - plan.distance_squared(middle) / (radius * radius);
        if share > 0.0 { height + rise * share * share } else { height }
    })
}

/// Underfoot, the way around the tower from before the first step to the deck.
pub(super) fn tower_way() -> Vec<DVec3> {
    let [_, _, inside, outside] = TOWER_RADII;
    let at = |radius: f64, step: f64, height: f64| {
        let (sin, cos) = ops::sin_cos(TAU * ((FIRST_STEP_SECTOR as f64 + step) / SECTORS as f64));
        raised(TOWER + DVec2::new(cos, -sin) * radius, height)
    };
    let middle = (inside + outside) / 2.0;
    let mut way = vec![at(middle, -1.0, 0.0)];
    way.extend((2..TOWER_STEPS).step_by(3).map(|step| {
        let height = (step + 1) as f64 * TOWER_RISE;
        at(middle, step as f64 + 0.5, height)
    }));
    let door = TOWER_STEPS as f64 + LANDING_STEPS as f64 / 2.0;
    way.push(at(middle, door, DECK));
    // Halfway from the door to the flag.
    way.push(at(0.875, door, DECK));
    way
}

/// The solid, its parts in the order of the rooms.
pub(super) fn solid() -> SceneMesh {
    let mut plan = Plan::default();
    plan.walls();
    plan.terrace();
    plan.stairs();
    plan.ramp();
    plan.pool();
    plan.tower();
    plan.open_ground();
    plan.solid()
}

#[derive(Default)]
struct Plan {
    cells: Vec<Cell>,
    rooms: Vec<Room>,
    /// Rectangles, low and high corner, that are no open ground.
    taken: Vec<[DVec2; 2]>,
}

impl Plan {
    fn cell(&mut self, room: Room, cell: Cell) {
        self.cells.push(cell);
        self.rooms.push(room);
    }

    fn level(&mut self, room: Room, low: DVec2, high: DVec2, height: f64) {
        self.cell(room, Cell::level(low, high, height));
    }

    /// A rectangle cut at every whole meter; its corners on whole meters.
    fn paved(&mut self, room: Room, low: DVec2, high: DVec2, height: impl Fn(DVec2) -> f64) {
        for i in 0..(high.x - low.x) as usize {
            for j in 0..(high.y - low.y) as usize {
                let corner = low + DVec2::new(i as f64, j as f64);
                self.cell(room, Cell::rectangle(corner, corner + DVec2::ONE, &height));
            }
        }
    }

    /// Walls with a ridge of 50°, so that no body can stand on them, and a steeper-roofed tower in every
    /// corner.
    fn walls(&mut self) {
        let (eaves, ridge) = (6.0, 6.625);
        let middle = (INNER + OUTER) / 2.0;
        let height = move |p: DVec2| if p.abs().max_element() == middle { ridge } else { eaves };
        let length = (2.0 * CORNER) as usize;
        for i in 0..length {
            let (from, to) = (i as f64 - CORNER, i as f64 + 1.0 - CORNER);
            for (inner, outer) in [(INNER, middle), (middle, OUTER)] {
                let sides = [
                    (Room::NorthWall, DVec2::new(from, -outer), DVec2::new(to, -inner)),
                    (Room::EastWall, DVec2::new(inner, from), DVec2::new(outer, to)),
                    (Room::SouthWall, DVec2::new(from, inner), DVec2::new(to, outer)),
                    (Room::WestWall, DVec2::new(-outer, from), DVec2::new(-inner, to)),
                ];
                for (room, low, high) in sides {
                    self.cell(room, Cell::rectangle(low, high, height));
                }
            }
        }
        let (eaves, tip) = (7.5, 9.0);
        for (room, east, south) in [
            (Room::NorthWall, -1.0, -1.0),
            (Room::NorthWall, 1.0, -1.0),
            (Room::SouthWall, 1.0, 1.0),
            (Room::WestWall, -1.0, 1.0),
        ] {
            let middle = DVec2::new(east, south) * ((CORNER + OUTER) / 2.0);
            let half = (OUTER - CORNER) / 2.0;
            // Counter-clockwise as seen from above, north being up.
            let corners = [[1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
            let corner = |i: usize| middle + DVec2::from_array(corners[i % 4]) * half;
            for i in 0..4 {
                let [a, b] = [corner(i), corner(i + 1)];
                let corners = vec![
                    DVec3::new(middle.x, tip, middle.y),
                    DVec3::new(a.x, eaves, a.y),
                    DVec3::new(b.x, eaves, b.y),
                ];
                self.cell(room, Cell { corners });
            }
            self.taken.push([middle - half, middle + half]);
        }
    }

    /// The terrace along the north wall, with a parapet (ridged, like every top that is no floor) on its open
    /// sides.
    fn terrace(&mut self) {
        let (eaves, ridge) = (TERRACE + 0.75, TERRACE + 1.0625);
        let (south, east) = (-12.0, 4.0);
        self.taken.push([DVec2::new(-INNER, -INNER), DVec2::new(east, south)]);
        // North of the parapet, west of the ramp's head, without the corner tower.
        self.paved(Room::Terrace, DVec2::new(-19.0, -18.0), DVec2::new(3.0, -13.0), |_| TERRACE);
        self.paved(Room::Terrace, DVec2::new(-18.0, -19.0), DVec2::new(4.0, -18.0), |_| TERRACE);
        self.paved(Room::Terrace, DVec2::new(3.0, -18.0), DVec2::new(4.0, -16.0), |_| TERRACE);
        // Half a meter of floor and half a meter of parapet, to either side of the stairs.
        for i in -19..3 {
            let (x, next) = (f64::from(i), f64::from(i + 1));
            let opens = (-6..-2).contains(&i);
            self.level(Room::Terrace, DVec2::new(x, -13.0), DVec2::new(next, -12.5), TERRACE);
            let height = |p: DVec2| if opens { TERRACE } else { [eaves, ridge][usize::from(p.y == -12.25)] };
            self.cell(Room::Terrace, Cell::rectangle(DVec2::new(x, -12.5), DVec2::new(next, -12.25), height));
            self.cell(Room::Terrace, Cell::rectangle(DVec2::new(x, -12.25), DVec2::new(next, -12.0), height));
        }
        self.level(Room::Terrace, DVec2::new(3.0, -13.0), DVec2::new(3.5, -12.5), TERRACE);
        for (low, high) in [(-12.5, -12.25), (-12.25, -12.0)] {
            let height = |p: DVec2| [eaves, ridge][usize::from(p.y == -12.25)];
            self.cell(Room::Terrace, Cell::rectangle(DVec2::new(3.0, low), DVec2::new(3.5, high), height));
        }
        for i in -16..-12 {
            let (z, next) = (f64::from(i), if i == -13 { -12.5 } else { f64::from(i + 1) });
            if i < -13 {
                self.level(Room::Terrace, DVec2::new(3.0, z), DVec2::new(3.5, next), TERRACE);
            }
            for (low, high) in [(3.5, 3.75), (3.75, 4.0)] {
                let height = |p: DVec2| [eaves, ridge][usize::from(p.x == 3.75)];
                self.cell(Room::Terrace, Cell::rectangle(DVec2::new(low, z), DVec2::new(high, next), height));
            }
        }
        // The post where the two parapets meet: a block with a tip.
        let (tip, low, high) = (TERRACE + 1.5, DVec2::new(3.5, -12.5), DVec2::new(4.0, -12.0));
        let middle = (low + high) / 2.0;
        let corners = [DVec2::new(high.x, low.y), low, DVec2::new(low.x, high.y), high]
            .map(|p| DVec3::new(p.x, ridge, p.y));
        for i in 0..4 {
            let corners = vec![DVec3::new(middle.x, tip, middle.y), corners[i], corners[(i + 1) % 4]];
            self.cell(Room::Terrace, Cell { corners });
        }
    }

    /// Twelve risers up to the terrace.
    fn stairs(&mut self) {
        let (west, east, top) = (-6.0, -2.0, -12.0);
        for step in 1..12 {
            let north = top + f64::from(step - 1) * TREAD;
            let height = TERRACE - f64::from(step) * STEP;
            self.level(Room::Stairs, DVec2::new(west, north), DVec2::new(east, north + TREAD), height);
        }
        let foot = top + 11.0 * TREAD;
        self.level(Room::Ground, DVec2::new(west, foot), DVec2::new(east, -7.0), 0.0);
        self.taken.push([DVec2::new(west, top), DVec2::new(east, -7.0)]);
    }

    /// From the terrace's east end down along the north wall, 8 m for its height: 10.6°.
    fn ramp(&mut self) {
        let (low, high) = (DVec2::new(4.0, -INNER), DVec2::new(12.0, -16.0));
        self.paved(Room::Ramp, low, high, |p| TERRACE * ((high.x - p.x) / (high.x - low.x)));
        self.taken.push([low, high]);
    }

    /// As deep as the terrace is high, with steps to walk out by.
    fn pool(&mut self) {
        self.taken.push([POOL_LOW, POOL_HIGH]);
        let step_at = |step: u32| POOL_LOW.y + f64::from(step) * TREAD;
        for step in 0..11 {
            let low = DVec2::new(POOL_LOW.x, step_at(step));
            let high = DVec2::new(POOL_STEPS_EAST, step_at(step + 1));
            self.level(Room::Pool, low, high, -f64::from(step + 1) * STEP);
        }
        self.level(
            Room::Pool,
            DVec2::new(POOL_LOW.x, step_at(11)),
            DVec2::new(POOL_STEPS_EAST, POOL_HIGH.y),
            -TERRACE,
        );
        self.level(Room::Pool, DVec2::new(POOL_STEPS_EAST, POOL_LOW.y), POOL_HIGH, -TERRACE);
    }

    /// A drum with a deck and a parapet, and stairs that wind around it.
    fn tower(&mut self) {
        self.taken.push([TOWER - TOWER_SQUARE, TOWER + TOWER_SQUARE]);
        let at = |radius: f64, sector: usize| {
            let (sin, cos) = ops::sin_cos(TAU * ((sector % SECTORS) as f64 / SECTORS as f64));
            TOWER + DVec2::new(cos, -sin) * radius
        };
        let [inside, ridge, outside, foot] = TOWER_RADII;
        let deck = (0..SECTORS).map(|sector| raised(at(inside, sector), DECK)).collect();
        self.cell(Room::Tower, Cell { corners: deck });
        for sector in 0..SECTORS {
            let ring = |low: (f64, f64), high: (f64, f64)| Cell {
                corners: vec![
                    raised(at(low.0, sector), low.1),
                    raised(at(high.0, sector), high.1),
                    raised(at(high.0, sector + 1), high.1),
                    raised(at(low.0, sector + 1), low.1),
                ],
            };
            let step = (sector + SECTORS - FIRST_STEP_SECTOR) % SECTORS;
            let is_door = (TOWER_STEPS..TOWER_STEPS + LANDING_STEPS).contains(&step);
            let (eaves, top) = if is_door { (DECK, DECK) } else { (DECK + 0.75, DECK + 1.0625) };
            self.cell(Room::Tower, ring((inside, eaves), (ridge, top)));
            self.cell(Room::Tower, ring((ridge, top), (outside, eaves)));
            let (room, height) = match step {
                step if step < TOWER_STEPS => (Room::Tower, (step + 1) as f64 * TOWER_RISE),
                _ if is_door => (Room::Tower, DECK),
                _ => (Room::Ground, 0.0),
            };
            self.cell(room, ring((outside, height), (foot, height)));
            // The ground around it: from the round to the square, a meter of its side to each sector.
            let corners = vec![
                raised(at(foot, sector), 0.0),
                raised(TOWER + on_square(sector), 0.0),
                raised(TOWER + on_square(sector + 1), 0.0),
                raised(at(foot, sector + 1), 0.0),
            ];
            self.cell(Room::Ground, Cell { corners });
        }
    }

    fn open_ground(&mut self) {
        let taken = core::mem::take(&mut self.taken);
        for i in -19..19 {
            for j in -19..19 {
                let corner = DVec2::new(f64::from(i), f64::from(j));
                let middle = corner + 0.5;
                if !taken.iter().any(|[low, high]| middle.cmpgt(*low).all() && middle.cmplt(*high).all()) {
                    // Grass on what rises, and in a bed along the south wall.
                    let is_lawn = relief(middle) > 0.0 || (middle.x < 2.0 && middle.y > 15.0);
                    let room = if is_lawn { Room::Lawn } else { Room::Ground };
                    self.cell(room, Cell::rectangle(corner, corner + 1.0, relief));
                }
            }
        }
    }

    fn solid(self) -> SceneMesh {
        let Terraces { mesh: builder, owners } = Terraces::new(&self.cells, BASE);
        let rounded = builder.rounded();
        let mut mesh = SceneMesh { vertices: rounded.vertices, ..SceneMesh::new() };
        for room in Room::ALL {
            let start = mesh.triangles.len();
            let owned = rounded.triangles.iter().zip(&owners).filter(|(_, owner)| {
                // The base belongs to the ground.
                owner.map_or(Room::Ground, |cell| self.rooms[cell]) == room
            });
            mesh.triangles.extend(owned.map(|(triangle, _)| *triangle));
            mesh.sections.push(MeshSection { name: room.name(), triangles: start..mesh.triangles.len() });
        }
        mesh
    }
}

fn raised(plan: DVec2, height: f64) -> DVec3 {
    DVec3::new(plan.x, height, plan.y)
}

/// The points a meter apart around a square of eight meters, from its east side's middle over north.
fn on_square(index: usize) -> DVec2 {
    let quarter = index / 8 % 4;
    let along = (index % 8) as f64;
    // From the middle of a side to its corner, and from there to the middle of the next.
    let east = DVec2::new(TOWER_SQUARE.min(8.0 - along), TOWER_SQUARE.min(along));
    let turned = match quarter {
        0 => east,
        1 => DVec2::new(-east.y, east.x),
        2 => -east,
        _ => DVec2::new(east.y, -east.x),
    };
    DVec2::new(turned.x, -turned.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Census;

    #[test]
    fn the_grounds_are_one_closed_solid_without_slivers() {
        let mesh = solid();
        let census = Census::of(&mesh);
        assert!(census.is_closed() && census.volume > 0.0 && census.slivers == 0, "{census:?}");
        assert_eq!(
            mesh.sections.iter().map(|part| part.triangles.len()).sum::<usize>(),
            mesh.triangles.len()
        );
        assert!(mesh.sections.iter().all(|part| !part.triangles.is_empty()));
    }

    #[test]
    fn nothing_is_both_walkable_and_out_of_reach_on_walls_and_parapets() {
        // A face within 48° of upright lies on the deck, the terrace or lower: ridges are steeper.
        for [a, b, c] in solid().iter_corners() {
            let normal = (b - a).cross(c - a).normalize();
            if normal.y > 0.6691 {
                assert!(a.max(b).max(c).y <= DECK, "{a} {b} {c}");
            }
        }
    }

    #[test]
    fn the_square_is_walked_around_in_meters() {
        for i in 0..32 {
            let (p, q) = (on_square(i), on_square(i + 1));
            assert_eq!((q - p).length(), 1.0);
            assert_eq!(p.abs().max_element(), TOWER_SQUARE);
            // Counter-clockwise as seen from above, north (−z) being up.
            assert!(p.perp_dot(q) < 0.0);
        }
    }

    #[test]
    fn relief_is_level_where_things_stand() {
        for [x, z] in [[-4.0, -7.0], [-13.0, 1.0], [-3.0, 13.0], [3.0, 8.0], [8.0, -4.0], [0.0, 1.5]] {
            assert_eq!(relief(DVec2::new(x, z)), 0.0);
        }
        assert_eq!(relief(DVec2::new(12.0, 11.0)), 1.25);
    }
}
