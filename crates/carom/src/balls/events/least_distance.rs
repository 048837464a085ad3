//! The nearest point that satisfies linear inequalities: minimize |x| subject to gᵢ·x ≥ hᵢ.
//!
//! Source: Lawson, Hanson, *Solving Least Squares Problems* (1974), chapter 23: the problem is the
//! least-squares fit of a target by nonnegative multiples of the rows; the residual of the fit is the answer,
//! and no residual means that no point satisfies all. Error: orthogonalized twice, so a violation is a few
//! roundings of the largest number. Cost: dimensions × rows² for each change of the active set. Gives up
//! after three changes a row: then with the point reached, which violates little, or `None`.

use alloc::vec::Vec;

use crate::num::bound::UNIT_ROUNDOFF;
use crate::num::ops::sqrt;

/// A row, of unit length, and its bound.
pub(crate) struct Row {
    pub(crate) direction: Vec<f64>,
    pub(crate) bound: f64,
}

pub(crate) enum Nearest {
    Point(Vec<f64>),
    /// These rows contradict each other: no point satisfies all.
    Infeasible(Vec<usize>),
}

/// A residual below this counts as 0. Bounds are of the size of 1, so it is a share of them: the answer would
/// be 10⁵ times as long as the largest bound.
const NO_RESIDUAL: f64 = 1e-10;

/// The nearest point to the origin. Bounds are of the size of 1.
pub(crate) fn nearest_point(rows: &[Row], dimensions: usize) -> Option<Nearest> {
    // Columns of the fit: a row and its bound below it. The target is 0 … 0, 1.
    let columns: Vec<Vec<f64>> =
        rows.iter().map(|row| row.direction.iter().copied().chain([row.bound]).collect()).collect();
    let mut target = alloc::vec![0.0; dimensions + 1];
    target[dimensions] = 1.0;
    let mut weights = alloc::vec![0.0; rows.len()];
    let mut active: Vec<usize> = Vec::new();
    let mut residual = target.clone();
    // The sum of the sizes of all terms added and subtracted in each place: their rounding is in the
    // residual.
    let mut sizes = target.clone();
    let mut barred: Option<usize> = None;
    let mut basis = Basis::default();
    for _ in 0..3 * rows.len() + 3 {
        // The row that the residual would be reduced by most.
        let mut best = (0.0, None);
        for (i, column) in columns.iter().enumerate() {
            let (gain, length) = (dot(column, &residual), sqrt(dot(column, column)));
            let rounding = 64.0 * UNIT_ROUNDOFF * dot_of_sizes(column, &sizes);
            let is_real = gain > rounding;
            let gain = gain / length;
            if is_real && gain > best.0 && !active.contains(&i) && barred != Some(i) {
                best = (gain, Some(i));
            }
        }
        let Some(entering) = best.1 else { return Some(answer(&residual, &weights, dimensions)) };
        active.push(entering);
        loop {
            let Some(fit) = basis.fit(&columns, &active, &target) else {
                // It depends on those that are active already.
                active.retain(|&i| i != entering);
                weights[entering] = 0.0;
                barred = Some(entering);
                break;
            };
            let blocked = active.iter().zip(&fit).any(|(_, &weight)| weight <= 0.0);
            if !blocked {
                active.iter().zip(&fit).for_each(|(&i, &weight)| weights[i] = weight);
                barred = None;
                break;
            }
            // As far towards the fit as all weights stay at least 0; the one that gets there first leaves,
            // and all that are there but for rounding.
            let mut share = (1.0, 0);
            for (place, (&i, &weight)) in active.iter().zip(&fit).enumerate() {
                let until = weights[i] / (weights[i] - weight);
                if weight <= 0.0 && (until < share.0 || until.is_nan()) {
                    share = (if until.is_nan() { 0.0 } else { until }, place);
                }
            }
            let first = active[share.1];
            for (&i, &weight) in active.iter().zip(&fit) {
                let before = weights[i];
                weights[i] += share.0 * (weight - before);
                let is_there = weight <= 0.0 && weights[i] <= 16.0 * UNIT_ROUNDOFF * before;
                if i == first || is_there {
                    weights[i] = 0.0;
                }
            }
            active.retain(|&i| i != first && weights[i] > 0.0);
            if !active.contains(&entering) {
                barred = Some(entering);
            }
            if active.is_empty() {
                break;
            }
        }
        residual.copy_from_slice(&target);
        sizes.copy_from_slice(&target);
        for (column, &weight) in columns.iter().zip(&weights) {
            if weight != 0.0 {
                add(&mut residual, column, -weight);
                sizes.iter_mut().zip(column).for_each(|(size, c)| *size += (c * weight).abs());
            }
        }
    }
    stopped(&residual, &weights, dimensions)
}

/// Where rounding keeps the active set from settling: a point that violates little, if any was reached.
fn stopped(residual: &[f64], weights: &[f64], dimensions: usize) -> Option<Nearest> {
    match answer(residual, weights, dimensions) {
        point @ Nearest::Point(_) => Some(point),
        Nearest::Infeasible(_) => None,
    }
}

fn answer(residual: &[f64], weights: &[f64], dimensions: usize) -> Nearest {
    let last = residual[dimensions];
    let has_residual = last > NO_RESIDUAL;
    if !has_residual {
        // A weight that is only rounding of the others contradicts nothing.
        let most = weights.iter().fold(0.0f64, |most, weight| most.max(*weight));
        let pressing = weights.iter().enumerate().filter(|(_, weight)| **weight > NO_RESIDUAL * most);
        return Nearest::Infeasible(pressing.map(|(i, _)| i).collect());
    }
    Nearest::Point(residual[..dimensions].iter().map(|x| -x / last).collect())
}

/// Orthonormal directions made of the active columns in turn. Those before the first that has changed stay.
#[derive(Default)]
struct Basis {
    of: Vec<usize>,
    directions: Vec<Vec<f64>>,
    /// For each column its shares of the directions, its own last.
    upper: Vec<Vec<f64>>,
}

impl Basis {
    /// The multiples of the active columns that fit the target best; `None` if a column depends on those
    /// before.
    fn fit(&mut self, columns: &[Vec<f64>], active: &[usize], target: &[f64]) -> Option<Vec<f64>> {
        let same = self.of.iter().zip(active).take_while(|(a, b)| a == b).count();
        self.of.truncate(same);
        self.directions.truncate(same);
        self.upper.truncate(same);
        for &i in &active[same..] {
            let mut direction = columns[i].clone();
            let length = sqrt(dot(&direction, &direction));
            let mut shares = alloc::vec![0.0; self.of.len()];
            for _ in 0..2 {
                for (earlier, all) in self.directions.iter().zip(&mut shares) {
                    let share = dot(earlier, &direction);
                    *all += share;
                    add(&mut direction, earlier, -share);
                }
            }
            let rest = sqrt(dot(&direction, &direction));
            // A share of its own length, about 450 roundings.
            let is_independent = rest > 1e-13 * length;
            if !is_independent {
                return None;
            }
            direction.iter_mut().for_each(|x| *x /= rest);
            shares.push(rest);
            self.of.push(i);
            self.directions.push(direction);
            self.upper.push(shares);
        }
        let count = active.len();
        let mut weights: Vec<f64> = self.directions.iter().map(|direction| dot(direction, target)).collect();
        for k in (0..count).rev() {
            let known: f64 = (k + 1..count).map(|j| self.upper[j][k] * weights[j]).sum();
            weights[k] = (weights[k] - known) / self.upper[k][k];
        }
        Some(weights)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

fn dot_of_sizes(a: &[f64], sizes: &[f64]) -> f64 {
    a.iter().zip(sizes).fold(0.0, |sum, (a, b)| sum + a.abs() * b)
}

fn add(to: &mut [f64], direction: &[f64], times: f64) {
    to.iter_mut().zip(direction).for_each(|(x, d)| *x += d * times);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(rows: &[([f64; 2], f64)]) -> Option<Nearest> {
        let rows: Vec<Row> =
            rows.iter().map(|(d, bound)| Row { direction: d.to_vec(), bound: *bound }).collect();
        nearest_point(&rows, 2)
    }

    #[test]
    fn the_nearest_point_of_a_corner_of_a_half_plane_and_of_everything() {
        let Some(Nearest::Point(x)) = solve(&[([1.0, 0.0], 1.0), ([0.0, 1.0], 0.5)]) else { panic!() };
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 0.5).abs() < 1e-15);
        let Some(Nearest::Point(x)) = solve(&[([0.6, 0.8], 1.0), ([1.0, 0.0], 0.1)]) else { panic!() };
        assert!((x[0] - 0.6).abs() < 1e-15 && (x[1] - 0.8).abs() < 1e-15);
        let Some(Nearest::Point(x)) = solve(&[([0.6, 0.8], -1.0)]) else { panic!() };
        assert_eq!(x, [0.0, 0.0]);
    }

    #[test]
    fn what_contradicts_is_named() {
        let rows = [([1.0, 0.0], 1.0), ([0.0, 1.0], 0.5), ([-1.0, 0.0], -0.5)];
        let Some(Nearest::Infeasible(which)) = solve(&rows) else { panic!() };
        assert!(which.contains(&0) && which.contains(&2) && !which.contains(&1), "{which:?}");
    }
}
