//! Maps: the floor from above, the part of it that was reached, and the findings. One for each storey, those
//! that were reached first.
//!
//! x to the right, z down.

use std::collections::HashSet;

use glam::DVec3;
use rayon::prelude::*;

use crate::explorer::Explorer;
use crate::findings::finding::{Code, Finding};
use crate::floor::Sample;
use crate::report::canvas::{Canvas, Color};
use crate::report::plan::{Plan, Span};
use crate::report::relief::relief;
use crate::report::view::View;

const BACKGROUND: Color = [22, 25, 31];
const INK: Color = [226, 230, 236];
const FAINT: Color = [120, 128, 140];
const NOT_REACHED: Color = [88, 94, 106];
const PATH: Color = [250, 250, 250];
const SPAWN: Color = [255, 255, 255];

/// How much of what lies below the floor's color hides, as a share of 255.
const FLOOR: u32 = 205;
/// The longer side of the drawn floor is no more pixels than this.
const LARGEST: f64 = 1400.0;
/// Findings beyond this number are dots without a number.
const NUMBERED: usize = 99;
/// They show no more pieces of floor than about this many.
const MOST_FLOOR: usize = 4_000_000;

pub(crate) fn color(code: Code) -> Color {
    match code {
        Code::FallOut => [255, 64, 64],
        Code::Stuck => [255, 90, 200],
        Code::Trap => [178, 110, 255],
        Code::StartOverlap => [255, 240, 90],
        Code::Snag => [80, 190, 255],
        Code::Unreached => [255, 170, 40],
    }
}

/// A map of an explored level.
pub(crate) struct Atlas<'a> {
    explorer: &'a Explorer<'a>,
    findings: &'a [Finding],
    plan: Plan,
    missed: Missed,
    span: Span,
}

impl<'a> Atlas<'a> {
    /// Sorts the floor into storeys.
    pub(crate) fn new(explorer: &'a Explorer<'a>, findings: &'a [Finding]) -> Self {
        let floor = explorer.floor();
        let plan = Plan::whole(floor, explorer.rise(), MOST_FLOOR);
        Self { explorer, findings, plan, missed: Missed::of(explorer, findings), span: Span::of(floor) }
    }

    /// How many maps there are.
    pub(crate) fn count(&self) -> usize {
        self.plan.storeys.count
    }

    /// The file name of a map, from 0: map.png, map-2.png …
    pub(crate) fn name(map: usize) -> String {
        if map == 0 { "map.png".to_owned() } else { format!("map-{}.png", map + 1) }
    }

    /// All maps as PNG files.
    pub(crate) fn maps(&self) -> Vec<Vec<u8>> {
        let cell = self.explorer.rules().cell();
        let Span { low, high, .. } = self.span;
        let side = |i: usize| (f64::from(high[i]) - f64::from(low[i]) + 1.0) * cell;
        let scale = (LARGEST / side(0).max(side(1))).min(16.0 / cell);
        let view = View { low: [f64::from(low[0]) * cell, f64::from(low[1]) * cell], scale, margin: 28.0 };
        let legend = 118;
        let drawn = |i: usize| (side(i) * scale).ceil() as usize + 56;
        let mut ground = Canvas::new(drawn(0).max(820), drawn(1) + legend, BACKGROUND);
        relief(&mut ground, self.explorer.level(), view, drawn(1));
        let map = |map: usize| {
            let mut canvas = ground.clone();
            self.floor(&mut canvas, view, &self.plan, Some(map));
            self.marks(&mut canvas, view, map);
            self.legend(&mut canvas, view, map, drawn(1) as i64);
            canvas.png()
        };
        (0..self.count()).into_par_iter().map(map).collect()
    }

    /// The surroundings of a finding as a PNG file: a square with the last of the way to it.
    pub(crate) fn picture(&self, number: usize) -> Vec<u8> {
        const SIDE: usize = 320;
        let finding = &self.findings[number];
        let reach = 20.0 * self.explorer.rules().cell() + carom::num::ops::sqrt(finding.area.unwrap_or(0.0));
        let corner = finding.position - DVec3::splat(reach);
        let view = View { low: [corner.x, corner.z], scale: SIDE as f64 / (2.0 * reach), margin: 0.0 };
        let mut canvas = Canvas::new(SIDE, SIDE, BACKGROUND);
        relief(&mut canvas, self.explorer.level(), view, SIDE);
        // Of a floor that is thinned for the maps, a picture shows all that is near.
        let near = (self.plan.stride > 1).then(|| {
            Plan::near(self.explorer.floor(), self.explorer.rise(), self.explorer.rules().cell(), view, SIDE)
        });
        let plan = near.as_ref().unwrap_or(&self.plan);
        self.floor(&mut canvas, view, plan, self.storey_at(plan, finding.position));
        for pair in finding.witness.path.windows(2) {
            canvas.line(view.pixel(pair[0]), view.pixel(pair[1]), PATH);
        }
        let at = view.pixel(finding.position);
        canvas.disc(at, 9.0, [0, 0, 0]);
        canvas.disc(at, 7.0, color(finding.code));
        self.scale_bar(&mut canvas, view, (10, SIDE as i64 - 14), 90.0);
        canvas.png()
    }

    /// The storey of the floor under a point; `None` if there is but one.
    fn storey_at(&self, plan: &Plan, point: DVec3) -> Option<usize> {
        if plan.storeys.count < 2 {
            return None;
        }
        let cell = self.explorer.rules().cell() * f64::from(plan.stride);
        let [x, z] = crate::flood::places::column(point, cell);
        let mut best: Option<(f64, usize)> = None;
        for i in x - 2..=x + 2 {
            for (at, sample) in plan.samples.in_row([i, z - 2], z + 2) {
                let away = (point.y - sample.height).abs();
                if best.is_none_or(|(least, _)| away < least) {
                    best = Some((away, usize::from(plan.storeys.of[at as usize])));
                }
            }
        }
        best.map(|(_, storey)| storey).or(Some(0))
    }

    fn floor(&self, canvas: &mut Canvas, view: View, plan: &Plan, storey: Option<usize>) {
        let Plan { samples, storeys, stride } = plan;
        let cell = self.explorer.rules().cell() * f64::from(*stride);
        let (low, high) = (self.span.lowest, self.span.highest);
        // Samples are sorted by x: of a picture of a large level most are not in sight.
        let x_at = |pixel: f64| ((pixel - view.margin) / view.scale + view.low[0]) / cell;
        let (first, last) = (x_at(0.0).floor() - 2.0, x_at(canvas.width as f64).ceil() + 2.0);
        let until = |x: f64| samples.first_at([x.ceil() as i32, i32::MIN]);
        for at in until(first)..until(last) {
            if storey.is_some_and(|storey| storey != usize::from(storeys.of[at as usize])) {
                continue;
            }
            let sample = samples.get(at);
            let Sample { column: [x, z], height, is_reached } = sample;
            let corner = DVec3::new(f64::from(x), 0.0, f64::from(z)) * cell;
            let (from, to) = (view.pixel(corner), view.pixel(corner + DVec3::new(cell, 0.0, cell)));
            let pixel = |(x, y): (f64, f64)| (x.floor() as i64, y.floor() as i64);
            let (from, to) = (pixel(from), pixel(to));
            if to.0 < 0 || to.1 < 0 || from.0 >= canvas.width as i64 || from.1 >= canvas.height as i64 {
                continue;
            }
            // The higher the lighter.
            let share = if high > low { (height - low) / (high - low) } else { 0.5 };
            let shade = |dark: f64, light: f64| (dark + (light - dark) * share) as u8;
            let color = if is_reached {
                [shade(28.0, 150.0), shade(92.0, 226.0), shade(84.0, 190.0)]
            } else if self.missed.has(&Sample { column: sample.column.map(|i| i * stride), ..sample }) {
                [shade(150.0, 255.0), shade(96.0, 180.0), shade(20.0, 70.0)]
            } else {
                [shade(58.0, 112.0), shade(63.0, 118.0), shade(72.0, 132.0)]
            };
            let size = ((to.0 - from.0).max(1), (to.1 - from.1).max(1));
            canvas.tint(from, size, color, FLOOR);
        }
    }

    /// The map that shows the floor under a point; `None` if there is but one map.
    fn map_at(&self, point: DVec3) -> Option<usize> {
        self.storey_at(&self.plan, point)
    }

    fn marks(&self, canvas: &mut Canvas, view: View, map: usize) {
        let here = |point: DVec3| self.count() < 2 || self.map_at(point) == Some(map);
        for spawn in self.explorer.spawns().iter().filter(|spawn| here(spawn.position)) {
            let at = view.pixel(spawn.position);
            canvas.disc(at, 8.0, [0, 0, 0]);
            canvas.disc(at, 6.5, SPAWN);
            canvas.disc(at, 4.0, [0, 0, 0]);
        }
        // The worst on top, and what is on other maps below all that is on this one.
        let numbered = || self.findings.iter().enumerate().rev();
        let others = numbered().filter(|(_, finding)| !here(finding.position));
        for (number, finding) in others.chain(numbered().filter(|(_, finding)| here(finding.position))) {
            let (at, tint) = (view.pixel(finding.position), color(finding.code));
            let is_here = here(finding.position);
            if number >= NUMBERED || !finding.is_listed() {
                let tint = if finding.is_listed() { tint } else { FAINT };
                canvas.disc(at, if is_here { 4.0 } else { 2.5 }, tint);
                continue;
            }
            let text = (number + 1).to_string();
            let corner = (at.0 as i64 - Canvas::text_width(&text, 2) / 2 + 1, at.1 as i64 - 7);
            canvas.disc(at, 13.0, [0, 0, 0]);
            canvas.disc(at, 11.5, tint);
            if !is_here {
                canvas.disc(at, 9.5, BACKGROUND);
            }
            canvas.text(corner, &text, 2, if is_here { [0, 0, 0] } else { tint });
        }
    }

    fn legend(&self, canvas: &mut Canvas, view: View, map: usize, top: i64) {
        canvas.rectangle((0, top), (canvas.width as i64, 1), FAINT);
        let of =
            if self.count() > 1 { format!("  MAP {} OF {}", map + 1, self.count()) } else { String::new() };
        let [reached, all] = self.explorer.coverage();
        let said = format!("REACHED {reached:.0} OF {all:.0} M2{of}");
        canvas.text((28, top + 14), &said, 2, INK);
        let mut x = 28;
        let entries = [("REACHED", [80, 160, 140]), ("NOT REACHED", NOT_REACHED), ("SPAWN", SPAWN)];
        for (name, tint) in entries {
            canvas.rectangle((x, top + 44), (14, 14), tint);
            canvas.text((x + 20, top + 44), name, 2, FAINT);
            x += 44 + Canvas::text_width(name, 2);
        }
        let on_another = |finding: &Finding| self.map_at(finding.position) != Some(map);
        if self.count() > 1 && self.findings.iter().any(on_another) {
            canvas.disc((x as f64 + 7.0, top as f64 + 51.0), 7.5, FAINT);
            canvas.disc((x as f64 + 7.0, top as f64 + 51.0), 5.5, BACKGROUND);
            canvas.text((x + 20, top + 44), "ON ANOTHER MAP", 2, FAINT);
            x += 44 + Canvas::text_width("ON ANOTHER MAP", 2);
        }
        self.scale_bar(canvas, view, (x, top + 56), 160.0);
        let mut x = 28;
        for code in Code::ALL {
            let listed = self.findings.iter().filter(|finding| finding.is_listed());
            let count = listed.filter(|finding| finding.code == code).count();
            if count > 0 {
                let name = format!("{} {count}", code.name());
                canvas.disc((x as f64 + 7.0, top as f64 + 87.0), 7.0, color(code));
                canvas.text((x + 20, top + 80), &name, 2, INK);
                x += 40 + Canvas::text_width(&name, 2);
            }
        }
        if !self.findings.iter().any(Finding::is_listed) {
            canvas.text((x, top + 80), "NOTHING IS WRONG HERE", 2, INK);
            x += 40 + Canvas::text_width("NOTHING IS WRONG HERE", 2);
        }
        let folded = self.findings.iter().filter(|finding| !finding.is_listed()).count();
        if folded > 0 {
            canvas.disc((x as f64 + 7.0, top as f64 + 87.0), 4.0, FAINT);
            canvas.text((x + 20, top + 80), &format!("NOT LISTED {folded}"), 2, FAINT);
        }
    }

    /// As long as a round number of meters, at most `longest` pixels.
    fn scale_bar(&self, canvas: &mut Canvas, view: View, (x, y): (i64, i64), longest: f64) {
        let mut meters = 1e-3;
        for decade in [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6] {
            for step in [1.0, 2.0, 5.0] {
                if decade * step * view.scale <= longest {
                    meters = decade * step;
                }
            }
        }
        let length = (meters * view.scale) as i64;
        canvas.rectangle((x, y - 3), (length, 3), INK);
        canvas.rectangle((x, y - 8), (2, 8), INK);
        canvas.rectangle((x + length - 2, y - 8), (2, 8), INK);
        canvas.text((x + length + 8, y - 12), &format!("{meters} M"), 2, INK);
    }
}

/// The floor that a listed `UNREACHED` has.
pub(crate) struct Missed {
    cells: HashSet<[i32; 3]>,
    cell: f64,
}

impl Missed {
    pub(crate) fn of(explorer: &Explorer<'_>, findings: &[Finding]) -> Self {
        let listed = findings.iter().filter(|finding| finding.code == Code::Unreached && finding.is_listed());
        let cells = listed.flat_map(|finding| finding.extent.cells.iter().copied()).collect();
        Self { cells, cell: explorer.rules().cell() }
    }

    pub(crate) fn has(&self, sample: &Sample) -> bool {
        let [x, z] = sample.column;
        !sample.is_reached && self.cells.contains(&[x, (sample.height / self.cell).floor() as i32, z])
    }
}
