//! Many boxes that move: the work of a broad phase.

use carom::broad_phase::Entry;
use carom::shape::Aabb;
use glam::DVec3;

use crate::Random;

/// Boxes of 0.5 to 1.5 m, strewn so that each meets about one other; a tenth of them moves in each step.
#[derive(Clone, Debug)]
pub struct Crowd {
    boxes: Vec<(Aabb, DVec3)>,
}

impl Crowd {
    /// Boxes in a cube of as many times 8 m³. Draws per box: its lower corner, its size (0.5 to 1.5 m on each
    /// axis), a direction; it goes 0.05 m that way whenever it moves. Seed 0xB0C5.
    pub fn new(count: usize) -> Self {
        let mut random = Random::new(0xB0C5);
        let side = 2.0 * cube_root(count as f64);
        let boxes = (0..count)
            .map(|_| {
                let mut vector = |low: f64, high: f64| {
                    DVec3::new(
                        random.between(low, high),
                        random.between(low, high),
                        random.between(low, high),
                    )
                };
                let (min, size) = (vector(0.0, side), vector(0.5, 1.5));
                let bounds = Aabb::new(min, min + size).expect("finite and in order");
                (bounds, random.direction() * 0.05)
            })
            .collect();
        Self { boxes }
    }

    /// The boxes as colliders; each tenth is a bullet, on layer 3, each seventh only found.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.boxes.iter().enumerate().map(|(i, (bounds, _))| {
            let entry = if i % 7 == 0 { Entry::collidee(*bounds) } else { Entry::collider(*bounds) };
            if i % 10 == 3 { entry.on(3) } else { entry }
        })
    }

    /// The boxes.
    pub fn bounds(&self) -> impl Iterator<Item = Aabb> + '_ {
        self.boxes.iter().map(|(bounds, _)| *bounds)
    }

    /// Moves every tenth box, beginning with the number of the step: which, and where to.
    pub fn step(&mut self, step: usize) -> Vec<(usize, Aabb)> {
        let movers = (step % 10..self.boxes.len()).step_by(10);
        movers
            .map(|i| {
                let (bounds, way) = &mut self.boxes[i];
                *bounds = Aabb::new(bounds.min() + *way, bounds.max() + *way).expect("finite and in order");
                (i, *bounds)
            })
            .collect()
    }
}

/// By Newton's iteration from above: `cbrt` differs between machines.
fn cube_root(x: f64) -> f64 {
    let mut root = x.max(1.0);
    for _ in 0..200 {
        let next = (2.0 * root + x / (root * root)) / 3.0;
        if next >= root {
            break;
        }
        root = next;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_moves_and_everybody_in_ten_steps() {
        let mut crowd = Crowd::new(1000);
        assert!((cube_root(1000.0) - 10.0).abs() < 1e-12);
        let before: Vec<Aabb> = crowd.bounds().collect();
        for step in 0..10 {
            assert_eq!(crowd.step(step).len(), 100);
        }
        assert!(crowd.bounds().zip(before).all(|(now, then)| now != then));
    }
}
