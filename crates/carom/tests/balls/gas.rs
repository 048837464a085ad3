//! Kinetic theory: how often hard spheres meet.
//!
//! Enskog: each sphere has 4√π n σ² χ √(kT/m) collisions a second, with the contact value of Carnahan and
//! Starling (1969), χ = (1 − φ/2)/(1 − φ)³.

use carom::balls::{EventKind, Table};
use carom::num::ops::sqrt;

use super::{cube_root, gas};

/// Measured over predicted, after the lattice has melted.
fn ratio(side: usize, packing: f64, melt: u64, count: u64) -> f64 {
    let mut table = Table::new(gas(side, packing, 1)).unwrap();
    let n = table.len() as f64;
    let run = |table: &mut Table, wanted: u64| {
        let mut collisions = 0;
        while collisions < wanted {
            if let EventKind::Balls(_) = table.next_event(f64::INFINITY).unwrap().kind {
                collisions += 1;
            }
        }
    };
    run(&mut table, melt);
    let start = table.time();
    run(&mut table, count);
    let rate = count as f64 / (table.time() - start);
    // No momentum in all: three degrees of freedom fewer.
    let temperature = 2.0 * table.energy() / (3.0 * n - 3.0);
    let length = cube_root(n * core::f64::consts::PI / 6.0 / packing);
    let density = n / (length * length * length);
    let contact_value = (1.0 - 0.5 * packing) / ((1.0 - packing) * (1.0 - packing) * (1.0 - packing));
    let each = 4.0 * sqrt(core::f64::consts::PI) * density * contact_value * sqrt(temperature);
    rate / (0.5 * n * each)
}

#[test]
fn a_thin_gas_collides_as_often_as_boltzmann_says() {
    let ratio = ratio(8, 0.05, 20_000, 60_000);
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
}

#[test]
#[ignore = "long: two million collisions"]
fn a_fluid_of_packing_a_quarter_collides_as_often_as_enskog_says() {
    let ratio = ratio(16, 0.25, 400_000, 1_000_000);
    println!("{ratio}");
    assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
}

#[test]
#[ignore = "long: two million collisions"]
fn a_fluid_of_packing_a_half_collides_as_often_as_enskog_says() {
    let ratio = ratio(16, 0.49, 400_000, 1_000_000);
    println!("{ratio}");
    assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
}
