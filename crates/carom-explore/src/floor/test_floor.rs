//! Floors to test with.

use carom_scenes::Random;

use crate::floor::{Floor, Sample, Samples};

/// A floor of hills with holes, decks above each other, and stairs between them.
pub(crate) fn random_floor(random: &mut Random) -> Floor {
    let (rise, size) = (0.5, 8 + random.below(30) as i32);
    let holes = random.between(0.0, 0.15) * f64::from(u8::from(random.below(2) == 0));
    let mut sorted = Vec::new();
    for x in -size..size {
        // Rows are missing now and then.
        if random.below(40) == 0 {
            continue;
        }
        for z in -size..size {
            for storey in 0..3 {
                let is_there = storey == 0 || (x + 2 * z + 7 * storey).rem_euclid(23) < 11;
                if is_there && random.unit() >= holes {
                    let ramp = 0.2 * f64::from(((x + size) % 24 - 12).abs());
                    let height = 1.2 * f64::from(storey) + ramp + random.between(0.0, 0.25);
                    sorted.push(Sample { column: [x, z], height, is_reached: false });
                }
            }
        }
    }
    sorted.sort_by(Sample::by_column);
    let mut samples = Samples::default();
    sorted.iter().for_each(|sample| samples.push(sample));
    Floor { samples, cell: 0.5, rise, is_elsewhere: false }
}
