//! The nearest point that satisfies linear inequalities: minimize |x| subject to gᵢ·x ≥ hᵢ.
//!
//! Source: Lawson, Hanson, *Solving Least Squares Problems* (1974), chapter 23: the problem is the
//! least-squares fit of a target by nonnegative multiples of the rows; the residual of the fit is the answer,
//! and no residual means that no point satisfies all. Error: orthogonalized twice, so a violation is a few
//! roundings of the largest number. Cost: dimensions × rows² for each change of the active set. Gives up
//! after three changes a row: then `None`.

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
    /// No point satisfies all of these rows.
    Infeasible(Vec<usize>),
}

/// A residual below this is none: the answer would be 10⁵ times as long as the largest bound.
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
    let mut barred: Option<usize> = None;
    for _ in 0..3 * rows.len() + 3 {
        // The row that the residual would be reduced by most.
        let mut best = (64.0 * UNIT_ROUNDOFF, None);
        for (i, column) in columns.iter().enumerate() {
            let gain = dot(column, &residual) / sqrt(dot(column, column));
            if gain > best.0 && !active.contains(&i) && barred != Some(i) {
                best = (gain, Some(i));
            }
        }
        let Some(entering) = best.1 else { return Some(answer(&residual, &weights, dimensions)) };
        active.push(entering);
        loop {
            let Some(fit) = fit(&columns, &active, &target) else {
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
            // As far towards the fit as all weights stay at least 0; those that get there leave.
            let share = active
                .iter()
                .zip(&fit)
                .filter(|(_, weight)| **weight <= 0.0)
                .map(|(&i, &weight)| weights[i] / (weights[i] - weight))
                .fold(1.0, f64::min);
            let share = if share.is_nan() { 0.0 } else { share };
            for (&i, &weight) in active.iter().zip(&fit) {
                weights[i] += share * (weight - weights[i]);
            }
            let before = active.len();
            let kept: Vec<bool> = active
                .iter()
                .zip(&fit)
                .map(|(&i, &weight)| weight > 0.0 || weights[i] > 16.0 * UNIT_ROUNDOFF)
                .collect();
            let mut kept = kept.iter();
            let weights = &mut weights;
            active.retain(|&i| {
                let stays = *kept.next().unwrap_or(&true);
                if !stays {
                    weights[i] = 0.0;
                }
                stays
            });
            if active.len() == before {
                return None;
            }
            if !active.contains(&entering) {
                barred = Some(entering);
            }
            if active.is_empty() {
                break;
            }
        }
        residual.copy_from_slice(&target);
        for (column, &weight) in columns.iter().zip(&weights) {
            if weight != 0.0 {
                add(&mut residual, column, -weight);
            }
        }
    }
    None
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

/// The multiples of the active columns that fit the target best; `None` if a column depends on those before.
fn fit(columns: &[Vec<f64>], active: &[usize], target: &[f64]) -> Option<Vec<f64>> {
    let count = active.len();
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(count);
    let mut upper = alloc::vec![alloc::vec![0.0; count]; count];
    for (k, &i) in active.iter().enumerate() {
        let mut direction = columns[i].clone();
        let length = sqrt(dot(&direction, &direction));
        for _ in 0..2 {
            for (j, earlier) in basis.iter().enumerate() {
                let share = dot(earlier, &direction);
                upper[j][k] += share;
                add(&mut direction, earlier, -share);
            }
        }
        let rest = sqrt(dot(&direction, &direction));
        let is_independent = rest > 1e-13 * length;
        if !is_independent {
            return None;
        }
        direction.iter_mut().for_each(|x| *x /= rest);
        upper[k][k] = rest;
        basis.push(direction);
    }
    let mut weights: Vec<f64> = basis.iter().map(|direction| dot(direction, target)).collect();
    for k in (0..count).rev() {
        let known: f64 = (k + 1..count).map(|j| upper[k][j] * weights[j]).sum();
        weights[k] = (weights[k] - known) / upper[k][k];
    }
    Some(weights)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
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
