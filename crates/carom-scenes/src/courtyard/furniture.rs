//! The parts of the courtyard with overhangs: bridge, arch, portico, columns, trees, an obelisk, crates. Each
//! a closed solid (or two) whose foot is sunk into the ground. Tops that cannot be reached are ridged or
//! smaller than a body.

use carom::num::ops;
use glam::{DQuat, DVec2, DVec3};

use super::grounds::{DECK, TERRACE, TOWER, relief};
use crate::{MeshBuilder, PlacedBox, SceneMesh};

/// How deep feet are sunk, in meters.
const SUNK: f64 = 0.5;

pub(super) fn furnish(scene: &mut SceneMesh, crates: &[PlacedBox]) {
    scene.append_part("bridge", &bridge().rounded());
    scene.append_part("arch", &arch().rounded());
    scene.append_part("portico", &portico().rounded());
    for foot in [DVec2::new(-7.0, -7.0), DVec2::new(-1.0, -7.0)] {
        scene.append_part("column", &column_with_ball().moved(raised(foot, 0.0)).rounded());
    }
    for (foot, height) in TREES {
        scene.append_part("tree", &tree(height).moved(raised(foot, relief(foot))).rounded());
    }
    scene.append_part("obelisk", &obelisk().moved(raised(OBELISK, relief(OBELISK))).rounded());
    scene.append_part("flag", &flag().rounded());
    for placed in crates {
        scene.append_part("crate", &placed.mesh());
    }
}

const OBELISK: DVec2 = DVec2::new(12.0, 11.0);

const TREES: [(DVec2, f64); 7] = [
    (DVec2::new(-16.5, -3.0), 6.0),
    (DVec2::new(-17.0, 3.0), 5.0),
    (DVec2::new(-16.5, 16.5), 6.5),
    (DVec2::new(-9.5, 16.5), 5.5),
    (DVec2::new(-2.5, 16.5), 5.0),
    (DVec2::new(17.0, -14.5), 6.0),
    (DVec2::new(17.0, 3.5), 5.0),
];

/// Crates of nine, seven and five tenths of a meter, bottom to y = 0: too small on top to be walked on.
pub(super) fn crates() -> Vec<PlacedBox> {
    let crates = [
        (0.45, 15.5, 0.0, 12.0, 0.0),
        (0.45, 16.625, 0.75, -8.0, 0.0),
        (0.35, 16.0, 0.375, 31.0, 0.9),
        (0.25, 15.0, 1.25, 40.0, 0.0),
        (0.35, 5.5, 15.5, 20.0, 0.0),
        (0.25, 6.5, 16.0, -15.0, 0.0),
    ];
    crates
        .map(|(half, x, z, degrees, floor): (f64, f64, f64, f64, f64)| {
            PlacedBox::upright(DVec3::splat(half), DVec3::new(x, floor + half, z))
                .turned(ops::rotation_about(DVec3::Y, degrees.to_radians()))
        })
        .to_vec()
}

fn raised(plan: DVec2, height: f64) -> DVec3 {
    DVec3::new(plan.x, height, plan.y)
}

/// Over the middle of the pool from west to east: a deck that rises a meter in 6.5, an arch of 2.15 m below,
/// and rails.
fn bridge() -> MeshBuilder {
    const SPANS: i32 = 16;
    let (middle, reach, low, high) = (-8.0, 6.5, 8.0, 10.5);
    let deck = |x: f64| 1.0 - (x - middle) * (x - middle) / (reach * reach);
    // Below, an arch from bank to bank, and a level foot on the banks.
    let below = |x: f64| (0.65 - (x - middle) * (x - middle) / 20.0).max(-0.6);
    let stations: Vec<f64> =
        (-SPANS / 2..=SPANS / 2).map(|i| middle + reach * f64::from(i) / f64::from(SPANS / 2)).collect();
    let top = stations.iter().rev().map(|&x| DVec2::new(x, deck(x)));
    let outline: Vec<DVec2> = stations.iter().map(|&x| DVec2::new(x, below(x))).chain(top).collect();
    let rail = |from: f64, to: f64| {
        let ridge = (from + to) / 2.0;
        // Seen from the west, counter-clockwise: z to the right there.
        let section = |x: f64| {
            let y = deck(x);
            let profile =
                [(from, y - 0.125), (to, y - 0.125), (to, y + 0.75), (ridge, y + 0.9375), (from, y + 0.75)];
            profile.map(|(z, y)| DVec3::new(x, y, z)).to_vec()
        };
        let sections: Vec<Vec<DVec3>> = stations.iter().rev().map(|&x| section(x)).collect();
        let outline: Vec<DVec2> = section(middle).iter().map(|p| DVec2::new(p.z, p.y)).collect();
        MeshBuilder::lofted(&outline, &sections)
    };
    MeshBuilder::extruded(&outline, low, high)
        .and(&rail(low - 0.125, low + 0.125))
        .and(&rail(high - 0.125, high + 0.125))
}

/// A gate without a wall, in line with the bridge: 2.5 m wide, a half round of 1.25 m over 2 m.
fn arch() -> MeshBuilder {
    const ROUND: u32 = 16;
    let (width, spring, shoulder, eaves, ridge) = (1.25, 2.0, 3.0, 4.5, 5.3125);
    let mut outline =
        vec![DVec2::new(-shoulder, -SUNK), DVec2::new(-width, -SUNK), DVec2::new(-width, spring)];
    for i in 1..ROUND {
        let (sin, cos) = ops::sin_cos(core::f64::consts::PI * f64::from(i) / f64::from(ROUND));
        outline.push(DVec2::new(-cos * width, spring + sin * width));
    }
    outline.extend([
        DVec2::new(width, spring),
        DVec2::new(width, -SUNK),
        DVec2::new(shoulder, -SUNK),
        DVec2::new(shoulder, eaves),
        DVec2::new(-shoulder, eaves),
    ]);
    // Three cross-sections: the middle one has the ridge.
    let section = |across: f64, top: f64| {
        let raise = |p: &DVec2| DVec3::new(p.x, if p.y == eaves { top } else { p.y }, across);
        outline.iter().map(raise).collect::<Vec<_>>()
    };
    let half = 0.625;
    let sections = [section(-half, eaves), section(0.0, ridge), section(half, eaves)];
    MeshBuilder::lofted(&outline, &sections).quarter_turned(1).moved(DVec3::new(3.5, 0.0, 9.25))
}

/// Two rows of columns on the terrace, a beam over each row and lighter ones across.
fn portico() -> MeshBuilder {
    let mut builder = MeshBuilder::new();
    let (rows, places) = ([-16.75, -13.75], [-16.5, -13.75, -11.0, -8.25]);
    let height = 3.0;
    for z in rows {
        for x in places {
            builder.append(&column(height).moved(DVec3::new(x, TERRACE, z)));
        }
        let long = beam(0.25, 0.375, 10.25);
        builder.append(&long.quarter_turned(1).moved(DVec3::new(-12.375, TERRACE + height - 0.0625, z)));
    }
    for i in 0..8 {
        let x = -17.0 + 1.3125 * f64::from(i) + 0.03125;
        builder.append(&beam(0.125, 0.25, 4.5).moved(DVec3::new(x, TERRACE + height + 0.25, -15.25)));
    }
    builder
}

/// Along z, its middle over the origin, with a ridge of 50° on top.
fn beam(half_width: f64, eaves: f64, length: f64) -> MeshBuilder {
    let outline = [
        DVec2::new(-half_width, 0.0),
        DVec2::new(half_width, 0.0),
        DVec2::new(half_width, eaves),
        DVec2::new(0.0, eaves + 1.25 * half_width),
        DVec2::new(-half_width, eaves),
    ];
    MeshBuilder::extruded(&outline, -length / 2.0, length / 2.0)
}

/// Sixteen sides, with base and capital.
fn column(height: f64) -> MeshBuilder {
    let profile = [
        [0.4375, -SUNK],
        [0.4375, 0.125],
        [0.34375, 0.25],
        [0.3125, 0.375],
        [0.25, height - 0.375],
        [0.28125, height - 0.3125],
        [0.40625, height - 0.125],
        [0.40625, height],
    ];
    lathe(&profile, 16)
}

fn column_with_ball() -> MeshBuilder {
    let ball = [[0.0, 2.875], [0.25, 3.0], [0.375, 3.25], [0.25, 3.5], [0.0, 3.625]];
    column(3.0).and(&lathe(&ball, 16))
}

/// A cypress.
fn tree(height: f64) -> MeshBuilder {
    let crown = [[0.0, 0.375], [0.625, 0.5], [0.875, 1.25], [0.6875, 0.55 * height], [0.0, height]];
    lathe(&[[0.1875, -SUNK], [0.1875, 0.5]], 8).and(&lathe(&crown, 10))
}

fn obelisk() -> MeshBuilder {
    // Four sides: radii are half-diagonals.
    let profile =
        [[1.0625, -SUNK], [1.0625, 0.25], [0.75, 0.375], [0.6875, 0.375], [0.4375, 4.0], [0.0, 4.625]];
    lathe(&profile, 4)
}

/// On the tower's deck: a pole and a cloth.
fn flag() -> MeshBuilder {
    let pole = lathe(&[[0.0625, -0.25], [0.0625, 3.75], [0.0, 3.875]], 8);
    let cloth: Vec<DVec2> =
        [[0.0, 2.5], [1.75, 2.875], [0.0, 3.625]].into_iter().map(DVec2::from_array).collect();
    let cloth = MeshBuilder::extruded(&cloth, -0.03125, 0.03125);
    pole.and(&cloth.posed(DQuat::IDENTITY, DVec3::X * 0.03125)).quarter_turned(0).moved(raised(TOWER, DECK))
}

fn lathe(profile: &[[f64; 2]], sides: u32) -> MeshBuilder {
    let profile: Vec<DVec2> = profile.iter().copied().map(DVec2::from_array).collect();
    MeshBuilder::lathe(&profile, sides)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Census;

    #[test]
    fn every_piece_is_closed_and_faces_outward() {
        let pieces: [(&str, MeshBuilder); 7] = [
            ("bridge", bridge()),
            ("arch", arch()),
            ("portico", portico()),
            ("column", column_with_ball()),
            ("tree", tree(5.0)),
            ("obelisk", obelisk()),
            ("flag", flag()),
        ];
        for (name, builder) in pieces {
            let census = Census::of(&builder.rounded());
            assert!(census.is_closed() && census.volume > 0.0 && census.slivers == 0, "{name}: {census:?}");
        }
    }

    #[test]
    fn the_bridge_leaves_room_to_walk_under_it_and_rises_gently() {
        let mesh = bridge().rounded();
        let under = mesh.iter_corners().filter(|&[a, b, c]| (b - a).cross(c - a).y < 0.0);
        let highest = under.map(|[a, b, c]| a.y.min(b.y).min(c.y)).filter(|y| *y < 0.66).fold(-1.0, f64::max);
        assert!(highest + TERRACE > 2.1, "{highest}");
    }
}
