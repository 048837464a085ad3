//! The courtyard with one defect of every kind that an exploration can find, each in a known place.

use glam::{DVec2, DVec3};

use super::{Courtyard, courtyard};
use crate::{MeshBuilder, SceneMesh};

/// Something that is wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlantedDefect {
    /// Its kind: the code in a report of `carom explore`.
    pub code: &'static str,
    /// The change that made it.
    pub what: &'static str,
    /// Its middle, in meters.
    pub position: DVec3,
    /// It is found no farther from there than this, in meters, seen from above.
    pub radius: f64,
}

/// A courtyard that is broken, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenCourtyard {
    /// The triangles. To the sections of the courtyard come those called defect, and what moves as it stands
    /// at first: the lift below, the door open.
    pub mesh: SceneMesh,
    /// The centers of the body at the spawns: a good one, and one in which it does not fit.
    pub spawns: [DVec3; 2],
    /// All that is wrong.
    pub defects: Vec<PlantedDefect>,
}

/// A hole through the world, a pit without steps, a shaft as wide as a body, a notch that closes towards the
/// feet, a balcony without stairs, and a spawn inside the arch.
pub fn courtyard_with_defects() -> BrokenCourtyard {
    let Courtyard { mut mesh, movers, spawn, .. } = courtyard();
    movers.iter().for_each(|mover| mesh.append_part(mover.name, &mover.at_start().mesh()));
    let mut defects = Vec::new();
    let mut plant =
        |code, what, position, radius| defects.push(PlantedDefect { code, what, position, radius });

    let (low, high) = (DVec2::new(-12.0, -10.0), DVec2::new(-10.0, -8.0));
    dig(&mut mesh, low, high, None);
    plant("FALL_OUT", "a hole through the ground", DVec3::new(-11.0, 0.0, -9.0), 2.0);

    let (low, high) = (DVec2::new(-11.0, -4.0), DVec2::new(-8.0, -1.0));
    dig(&mut mesh, low, high, Some(-2.0));
    plant("TRAP", "a pit without steps", DVec3::new(-9.5, -2.0, -2.5), 2.0);

    let (low, high) = (DVec2::new(8.0, -1.0), DVec2::new(9.0, 0.0));
    dig(&mut mesh, low, high, Some(-1.5));
    plant("STUCK", "a shaft hardly wider than a body", DVec3::new(8.5, -1.5, -0.5), 1.0);

    // At shoulder height the notch is wider than the body, at its feet it is not: a body that walks straight
    // in jams, one raised by a step passes. It cannot step up: what would hold it there is higher than a
    // step.
    let outline = [
        [-2.0, -0.5],
        [2.0, -0.5],
        [2.0, 1.5],
        [0.68, 1.5],
        [0.045, -0.25],
        [-0.045, -0.25],
        [-0.68, 1.5],
        [-2.0, 1.5],
    ];
    let wall = MeshBuilder::extruded(&outline.map(DVec2::from_array), -0.15, 0.15);
    let notch = DVec3::new(9.75, 0.0, 2.5);
    mesh.append_part("defect", &wall.moved(notch).rounded());
    plant("SNAG", "a notch in a wall that closes towards the feet", notch, 1.0);

    let balcony = MeshBuilder::cuboid_between(DVec3::new(-14.5, 2.75, 16.0), DVec3::new(-11.5, 3.0, 19.5));
    mesh.append_part("defect", &balcony.rounded());
    plant("UNREACHED", "a balcony without stairs", DVec3::new(-13.0, 3.0, 17.5), 1.5);

    let blocked = DVec3::new(3.5, 0.95, 6.25);
    plant("START_OVERLAP", "a spawn inside the arch", blocked, 0.1);
    BrokenCourtyard { mesh, spawns: [spawn, blocked], defects }
}

/// Cuts a hole into level ground, its corners on whole meters, with upright sides: down to a floor, or
/// through the base.
fn dig(mesh: &mut SceneMesh, low: DVec2, high: DVec2, floor: Option<f64>) {
    const BASE: f64 = -3.0;
    let is_cut = |corners: [DVec3; 3]| {
        let within = corners.iter().all(|p| p.x >= low.x && p.x <= high.x && p.z >= low.y && p.z <= high.y);
        let level = |height: f64| corners.iter().all(|p| p.y == height);
        // The base is out of sight, and it is a few large triangles: all of it goes.
        within && level(0.0) || floor.is_none() && level(BASE)
    };
    let cut: Vec<bool> = mesh.iter_corners().map(is_cut).collect();
    let mut kept = SceneMesh { vertices: mesh.vertices.clone(), ..SceneMesh::new() };
    for part in &mesh.sections {
        let start = kept.triangles.len();
        let whole = part.triangles.clone().filter(|i| !cut[*i]).map(|i| mesh.triangles[i]);
        kept.triangles.extend(whole);
        kept.sections.push(crate::MeshSection { name: part.name, triangles: start..kept.triangles.len() });
    }
    let deep = floor.unwrap_or(BASE);
    let corners = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
    let at = |plan: DVec2, height: f64| DVec3::new(plan.x, height, plan.y);
    let mut builder = MeshBuilder::new();
    for i in 0..4 {
        let (from, to) = (corners[i], corners[(i + 1) % 4]);
        // A meter at a time, so that the ground's corners are hit.
        let count = (to - from).abs().max_element();
        let mut along = 0.0;
        while along < count {
            let [p, q] = [along, along + 1.0].map(|share| from + (to - from) * (share / count));
            builder.append(&MeshBuilder::quad([at(p, deep), at(q, deep), at(q, 0.0), at(p, 0.0)]));
            along += 1.0;
        }
    }
    if let Some(floor) = floor {
        builder.append(&MeshBuilder::quad([
            at(corners[0], floor),
            at(corners[3], floor),
            at(corners[2], floor),
            at(corners[1], floor),
        ]));
    }
    kept.append_part("defect", &builder.rounded());
    *mesh = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hole_is_open_above_and_faces_inward() {
        let BrokenCourtyard { mesh, defects, .. } = courtyard_with_defects();
        for (defect, through) in [(defects[0], true), (defects[1], false), (defects[2], false)] {
            let middle = DVec2::new(defect.position.x, defect.position.z) + DVec2::splat(0.1);
            let above = mesh.iter_corners().filter(|[a, b, c]| {
                let side = |p: DVec3, q: DVec3| {
                    (DVec2::new(q.x, q.z) - DVec2::new(p.x, p.z)).perp_dot(middle - DVec2::new(p.x, p.z))
                };
                let sides = [side(*a, *b), side(*b, *c), side(*c, *a)];
                sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0)
            });
            let heights: Vec<f64> = above.map(|[a, _, _]| a.y).collect();
            let expected: &[f64] = if through { &[] } else { &[defect.position.y] };
            assert_eq!(heights, expected, "{}", defect.what);
        }
        let sides = mesh.sections.iter().filter(|part| part.name == "defect").take(3).zip(&defects);
        for (part, defect) in sides {
            for i in part.triangles.clone() {
                let [a, b, c] = mesh.corners(i);
                let normal = (b - a).cross(c - a);
                let inward = defect.position - (a + b + c) / 3.0;
                assert!(normal.with_y(0.0).dot(inward) > 0.0 || normal.y > 0.0, "{a} {b} {c}");
            }
        }
    }

    #[test]
    fn the_plain_courtyard_is_in_it_but_for_the_ground_that_was_dug_away() {
        let (plain, broken) = (courtyard(), courtyard_with_defects());
        let count = |mesh: &SceneMesh| mesh.only(|name| name != "defect").triangles.len();
        assert!(count(&broken.mesh) < count(&plain.mesh));
        let codes: Vec<_> = broken.defects.iter().map(|defect| defect.code).collect();
        assert_eq!(codes, ["FALL_OUT", "TRAP", "STUCK", "SNAG", "UNREACHED", "START_OVERLAP"]);
    }
}
