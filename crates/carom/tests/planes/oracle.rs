//! The nearest feasible motion in exact rationals: every set of at most three planes, no rounding anywhere.

use carom::respond::ContactPlane;
use dashu_ratio::Relaxed;
use glam::DVec3;

type Vector = [Relaxed; 3];

fn exact(x: f64) -> Relaxed {
    Relaxed::try_from(x).expect("finite")
}

fn vector(v: DVec3) -> Vector {
    [exact(v.x), exact(v.y), exact(v.z)]
}

fn dot(a: &Vector, b: &Vector) -> Relaxed {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn float(x: &Relaxed) -> f64 {
    x.to_f64().value()
}

/// The exact answer `numerator / denominator`, the denominator greater than 0.
pub(crate) struct Answer {
    numerator: Vector,
    denominator: Relaxed,
}

impl Answer {
    /// The exact answer minus `v`, rounded once.
    pub(crate) fn minus(&self, v: DVec3) -> DVec3 {
        let v = vector(v);
        let part = |i: usize| float(&((&self.numerator[i] - &v[i] * &self.denominator) / &self.denominator));
        DVec3::new(part(0), part(1), part(2))
    }
}

/// How far `v` falls short of a plane, exactly, then rounded once.
pub(crate) fn shortfall(plane: &ContactPlane, v: DVec3) -> f64 {
    float(&(exact(plane.bound) - dot(&vector(plane.normal), &vector(v))))
}

/// The motion nearest to `wanted` that satisfies all planes, or nothing if there is none.
pub(crate) fn nearest(wanted: DVec3, planes: &[ContactPlane]) -> Option<Answer> {
    let normals: Vec<Vector> = planes.iter().map(|p| vector(p.normal)).collect();
    let bounds: Vec<Relaxed> = planes.iter().map(|p| exact(p.bound)).collect();
    let wanted = vector(wanted);
    let short: Vec<Relaxed> = normals.iter().zip(&bounds).map(|(n, b)| b - dot(n, &wanted)).collect();
    let gram = |i: usize, j: usize| dot(&normals[i], &normals[j]);
    let minor = |a: Relaxed, b: Relaxed, c: Relaxed, d: Relaxed| a * d - b * c;

    let try_set = |set: &[usize]| -> Option<Answer> {
        // Cramer's rule on the Gram matrix: multipliers times its determinant.
        let (weights, determinant): (Vec<Relaxed>, Relaxed) = match *set {
            [] => (vec![], exact(1.0)),
            [i] => (vec![short[i].clone()], gram(i, i)),
            [i, j] => {
                let (ii, ij, jj) = (gram(i, i), gram(i, j), gram(j, j));
                (
                    vec![
                        minor(short[i].clone(), ij.clone(), short[j].clone(), jj.clone()),
                        minor(ii.clone(), short[i].clone(), ij.clone(), short[j].clone()),
                    ],
                    minor(ii, ij.clone(), ij, jj),
                )
            }
            [i, j, k] => {
                let m = [i, j, k].map(|a| [i, j, k].map(|b| gram(a, b)));
                let cofactor = |r: usize, c: usize| {
                    let [r1, r2] = [(r + 1) % 3, (r + 2) % 3];
                    let [c1, c2] = [(c + 1) % 3, (c + 2) % 3];
                    minor(m[r1][c1].clone(), m[r1][c2].clone(), m[r2][c1].clone(), m[r2][c2].clone())
                };
                let inverse = [0, 1, 2].map(|r| [0, 1, 2].map(|c| cofactor(c, r)));
                let determinant =
                    &m[0][0] * &inverse[0][0] + &m[0][1] * &inverse[1][0] + &m[0][2] * &inverse[2][0];
                let right = [short[i].clone(), short[j].clone(), short[k].clone()];
                (inverse.iter().map(|row| dot(row, &right)).collect(), determinant)
            }
            _ => unreachable!("at most three"),
        };
        if determinant <= exact(0.0) || weights.iter().any(|w| *w < exact(0.0)) {
            return None;
        }
        let mut numerator = [0, 1, 2].map(|c: usize| &wanted[c] * &determinant);
        for (weight, &i) in weights.iter().zip(set) {
            for (c, sum) in numerator.iter_mut().enumerate() {
                *sum = &*sum + weight * &normals[i][c];
            }
        }
        let satisfied = (0..planes.len())
            .all(|i| set.contains(&i) || dot(&normals[i], &numerator) >= &bounds[i] * &determinant);
        satisfied.then(|| Answer { numerator, denominator: determinant })
    };

    let count = planes.len();
    try_set(&[])
        .or_else(|| (0..count).find_map(|i| try_set(&[i])))
        .or_else(|| (0..count).find_map(|i| (i + 1..count).find_map(|j| try_set(&[i, j]))))
        .or_else(|| {
            (0..count)
                .find_map(|i| (i + 1..count).find_map(|j| (j + 1..count).find_map(|k| try_set(&[i, j, k]))))
        })
}
