//! Steps and pipes: S8, S10.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use carom::num::ops;
use glam::DVec3;
use serde_json::{Value, json};

use crate::play::{Detail, Play, Shape, height_over_slope, in_all_variants, in_all_variants_of, scene};

/// A scene at another tick rate, for as many seconds.
fn at_rate(mut scene: Value, hz: f64) -> Value {
    let seconds = scene["ticks"].as_f64().unwrap() / 60.0;
    scene["dt"] = json!(1.0 / hz);
    scene["ticks"] = json!((seconds * hz) as u64);
    scene
}

/// S8: without steps the first riser is a wall.
#[test]
fn without_steps_the_first_riser_stops() {
    for hz in [60.0, 120.0, 240.0, 360.0] {
        in_all_variants(&format!("S8 {hz} Hz, step 0"), &at_rate(scene("s08_no_steps.json"), hz), |play| {
            let goal = -play.reach_at(0.3);
            let z = play.last().position.z;
            assert!((z - goal).abs() <= 1e-4, "{}: {z} instead of {goal}", play.label);
            play.assert_never_inside();
        });
    }
}

/// A climb: the scene, the slope that its stairs are tilted by, and where the center arrives.
struct Climb<'a> {
    name: &'a str,
    file: &'a str,
    degrees: f64,
    /// How far apart the arrivals at different rates may be, as a share. The row gives 0.01 for the stairs.
    /// For those beside a wall it asks for the speed only; there it is a tick of the lowest rate: the ways
    /// differ by where in a tick an edge is hit, up to 2000 Hz about one time, 1.230 s for the capsule, by
    /// less than a tick each.
    spread: f64,
}

impl Climb<'_> {
    /// Where the center is over the edge of the last riser; 2.7 m up and along before the tilt.
    fn goal(&self) -> f64 {
        let (sin, cos) = ops::sin_cos(self.degrees.to_radians());
        2.7 * cos - 2.7 * sin
    }

    fn scene(&self, hz: f64, shape: Shape) -> Value {
        let mut scene = at_rate(scene(self.file), hz);
        if self.degrees != 0.0 {
            let rise = {
                let (sin, cos) = ops::sin_cos(self.degrees.to_radians());
                -2.0 * sin / cos
            };
            scene["characters"][0]["position"][1] =
                json!(rise + height_over_slope(&scene, shape, self.degrees));
        }
        scene
    }

    /// When the center passes the goal, in seconds, interpolated within the tick.
    fn arrival(&self, play: &Play) -> Option<f64> {
        let at = |place: DVec3| place.z - self.goal();
        let path = play.path();
        let tick = path.windows(2).position(|pair| at(pair[0]) < 0.0 && at(pair[1]) >= 0.0)?;
        let (a, b) = (at(path[tick]), at(path[tick + 1]));
        Some((tick as f64 + a / (a - b)) * play.dt())
    }

    /// Always grounded, always on, and as long at every rate.
    fn is_climbed(&self) {
        let arrivals = RefCell::new(BTreeMap::<String, Vec<f64>>::new());
        let judge = |play: &Play| {
            for (tick, state) in play.only().enumerate() {
                assert!(state.grounded, "{}: in the air in tick {}", play.label, tick + 1);
            }
            for (tick, pair) in play.path().windows(2).enumerate() {
                assert!(pair[1].z > pair[0].z, "{}: no way on in tick {}", play.label, tick + 1);
            }
            play.assert_never_inside();
            let arrived = self.arrival(play).unwrap_or_else(|| panic!("{}: never at the top", play.label));
            // On a slope it goes 4 m in a second along the slope.
            let ideal = (self.goal() + 2.0) / ops::cos(self.degrees.to_radians()) / 4.0;
            assert!(arrived <= 1.5 * ideal, "{}: {arrived} s, ideal is {ideal} s", play.label);
            let variant = play.label.split_once("Hz").unwrap().1.to_owned();
            arrivals.borrow_mut().entry(variant).or_default().push(arrived);
        };
        let failed: Vec<f64> = [60.0, 120.0, 240.0, 360.0]
            .into_iter()
            .filter(|&hz| {
                let name = format!("{} {hz} Hz", self.name);
                let all = || in_all_variants_of((&name, Detail::Plain), |shape| self.scene(hz, shape), judge);
                catch_unwind(AssertUnwindSafe(all)).is_err()
            })
            .collect();
        let mut uneven = Vec::new();
        for (variant, times) in &*arrivals.borrow() {
            let (least, most) = times.iter().fold((f64::INFINITY, 0f64), |(a, b), t| (a.min(*t), b.max(*t)));
            println!("{}{variant}: {times:?}", self.name);
            if most > (1.0 + self.spread) * least {
                uneven.push(format!("{variant}: {times:?}"));
            }
        }
        assert!(failed.is_empty() && uneven.is_empty(), "failed at {failed:?} Hz, uneven: {uneven:#?}");
    }
}

/// S8.
#[test]
fn stairs_are_climbed_alike_at_every_rate() {
    Climb { name: "S8", file: "s08_stairs.json", degrees: 0.0, spread: 0.01 }.is_climbed();
}

/// S8, tilted so that they are steeper by 5°.
#[test]
fn tilted_stairs_are_climbed_alike_at_every_rate() {
    Climb { name: "S8 tilted", file: "s08_tilted.json", degrees: 5.0, spread: 0.01 }.is_climbed();
}

/// S8 beside a wall that is touched and leaned against.
#[test]
fn stairs_by_a_wall_are_climbed_alike_at_every_rate() {
    Climb { name: "S8 by a wall", file: "s08_stairs_by_wall.json", degrees: 0.0, spread: 1.0 / 60.0 / 1.23 }
        .is_climbed();
}

/// S8: a touching wall takes what is against it, and nothing else.
#[test]
fn a_touching_wall_costs_no_speed() {
    for hz in [60.0, 120.0, 240.0, 360.0] {
        in_all_variants(
            &format!("S8 {hz} Hz, along a wall"),
            &at_rate(scene("s08_along_wall.json"), hz),
            |play| {
                let wanted = DVec3::new(5.0, 0.0, 0.0);
                for (tick, (state, pair)) in play.only().zip(play.path().windows(2)).enumerate() {
                    let went = (pair[1] - pair[0]) / play.dt();
                    for velocity in [state.velocity, went] {
                        let off = (velocity - wanted).length();
                        assert!(off <= 1e-2, "{}: {velocity} in tick {}", play.label, tick + 1);
                    }
                }
            },
        );
    }
}

/// S10: dozens of faces touched at once that differ by a quarter of a degree.
#[test]
fn a_half_pipe_is_run_to_both_ends() {
    in_all_variants("S10", &scene("s10_half_pipe.json"), |play| {
        let end = 1.0 - play.grown().x;
        let (low, high) = play
            .only()
            .fold((0f64, 0f64), |(low, high), state| (low.min(state.position.x), high.max(state.position.x)));
        assert!((high - end).abs() <= 1e-4, "{}: up to {high} instead of {end}", play.label);
        assert!((low + end).abs() <= 1e-4, "{}: down to {low} instead of {}", play.label, -end);
        play.assert_never_inside();
    });
}
