//! The roots of polynomials with integer coefficients, and signs of other polynomials there, without error.
//!
//! Source: Basu, Pollack and Roy, *Algorithms in real algebraic geometry*, 2.2: the signed remainders of P
//! and P′·Q, by their signs at both ends of an interval, give the sum of the signs of Q at the roots of P
//! between (Sturm, Tarski). With Q = 1 that is their number; between ends with one root it is the sign of Q
//! there. Roots of any multiplicity count once. Error: none. Cost: some microseconds a sign for coefficients
//! of about hundred bits. It never gives up; roots that are nearly one take a halving for each bit that they
//! share. Allocates where a number has more than 128 bits.

use alloc::vec::Vec;
use core::cmp::Ordering;

use arrayvec::ArrayVec;
use dashu_int::IBig;
use dashu_int::ops::Abs;

/// The degree of P′·Q, for a cubic P and a quadratic Q, and one.
const TERMS: usize = 5;

/// At most of degree four.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial {
    /// The constant first; the last is not 0.
    coefficients: ArrayVec<IBig, TERMS>,
}

impl Polynomial {
    pub(crate) fn new(coefficients: impl IntoIterator<Item = IBig>) -> Self {
        let mut new = Self { coefficients: coefficients.into_iter().collect() };
        new.trim();
        new
    }

    fn trim(&mut self) {
        while self.coefficients.last().is_some_and(IBig::is_zero) {
            self.coefficients.pop();
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let (short, long) =
            if self.coefficients.len() < other.coefficients.len() { (self, other) } else { (other, self) };
        let mut sum = long.clone();
        for (into, from) in sum.coefficients.iter_mut().zip(&short.coefficients) {
            *into += from;
        }
        sum.trim();
        sum
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    pub(crate) fn negated(&self) -> Self {
        Self { coefficients: self.coefficients.iter().map(|c| -c).collect() }
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::new([]);
        }
        let terms = self.coefficients.len() + other.coefficients.len() - 1;
        let mut product: ArrayVec<IBig, TERMS> = (0..terms).map(|_| IBig::ZERO).collect();
        for (i, a) in self.coefficients.iter().enumerate() {
            for (j, b) in other.coefficients.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Self { coefficients: product }
    }

    fn derivative(&self) -> Self {
        Self::new(self.coefficients.iter().enumerate().skip(1).map(|(i, c)| c * IBig::from(i)))
    }

    /// A positive multiple of the remainder of the division.
    fn remainder(mut self, by: &Self) -> Self {
        let Some((lead, lower)) = by.coefficients.split_last() else { return self };
        let positive = *lead > IBig::ZERO;
        let lead = lead.abs();
        while self.coefficients.len() > lower.len() {
            let Some(top) = self.coefficients.pop() else { break };
            let top = if positive { top } else { -top };
            let shift = self.coefficients.len() - lower.len();
            for c in &mut self.coefficients {
                *c *= &lead;
            }
            for (i, c) in lower.iter().enumerate() {
                self.coefficients[shift + i] -= c * &top;
            }
            self.trim();
        }
        self.shortened()
    }

    /// Divides all coefficients by the largest power of two that divides them all. The signs stay.
    fn shortened(mut self) -> Self {
        let zeros = self.coefficients.iter().filter_map(IBig::trailing_zeros).min().unwrap_or(0);
        for c in &mut self.coefficients {
            *c >>= zeros;
        }
        self
    }

    fn sign_at(&self, at: &Dyadic) -> Ordering {
        // Multiplied by the power of two that makes all coefficients integers.
        let terms = self.coefficients.iter().rev().enumerate();
        let value = terms.fold(IBig::ZERO, |sum, (i, c)| sum * &at.above + (c << (at.halvings * i)));
        value.cmp(&IBig::ZERO)
    }

    /// The polynomial without the root m / 2ᵏ, in lowest terms: divided by 2ᵏ·t − m, which keeps the
    /// coefficients integers.
    fn without(&self, root: &Dyadic) -> Self {
        let mut above = root.above.clone();
        let mut halvings = root.halvings;
        while halvings > 0 && (&above & IBig::ONE).is_zero() {
            above >>= 1;
            halvings -= 1;
        }
        let mut carried = IBig::ZERO;
        let mut quotient: ArrayVec<IBig, TERMS> = ArrayVec::new();
        for c in self.coefficients.iter().skip(1).rev() {
            carried = (c + carried * &above) >> halvings;
            quotient.push(carried.clone());
        }
        quotient.reverse();
        Self::new(quotient)
    }
}

/// The sum of the signs of `q` at the roots of `p` inside the cell. Its ends are no roots of `p`.
fn sum_of_signs(p: &Polynomial, q: &Polynomial, cell: &Dyadic) -> i32 {
    let ends = [cell.clone(), cell.end()];
    let mut changes = [0, 0];
    let mut last = [Ordering::Equal; 2];
    let mut now = p.clone();
    let mut next = p.derivative().times(q).remainder(p);
    loop {
        for ((end, last), changes) in ends.iter().zip(&mut last).zip(&mut changes) {
            let sign = now.sign_at(end);
            if sign != Ordering::Equal {
                *changes += i32::from(*last == sign.reverse());
                *last = sign;
            }
        }
        if next.is_zero() {
            return changes[0] - changes[1];
        }
        let after = now.remainder(&next).negated();
        now = core::mem::replace(&mut next, after);
    }
}

/// The number m / 2ᵏ, or the open interval from it to (m + 1) / 2ᵏ.
#[derive(Clone, Debug)]
struct Dyadic {
    above: IBig,
    halvings: usize,
}

impl Dyadic {
    fn whole(number: u8) -> Self {
        Self { above: IBig::from(number), halvings: 0 }
    }

    fn end(&self) -> Self {
        Self { above: &self.above + IBig::ONE, halvings: self.halvings }
    }

    fn first_half(&self) -> Self {
        Self { above: &self.above << 1, halvings: self.halvings + 1 }
    }

    /// The second half of the interval, or its middle.
    fn second_half(&self) -> Self {
        self.first_half().end()
    }
}

/// A root from 0 to 1.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    place: Dyadic,
    /// The polynomial whose only root in the open cell this is; `None` if the root is `place` itself.
    of: Option<Polynomial>,
}

impl Root {
    /// The root 0.
    pub(crate) fn zero() -> Self {
        Self { place: Dyadic::whole(0), of: None }
    }

    /// The sign of a polynomial of degree two at most at this root.
    pub(crate) fn sign(&self, q: &Polynomial) -> Ordering {
        match &self.of {
            None => q.sign_at(&self.place),
            Some(p) => sum_of_signs(p, &q.clone().shortened(), &self.place).cmp(&0),
        }
    }

    /// ⌊root · 2ᵇ⌋, for b up to 63.
    pub(crate) fn floor(&self, bits: usize) -> u64 {
        let mut cell = self.place.clone();
        if let Some(p) = &self.of {
            let before = p.sign_at(&cell);
            let crosses = before != p.sign_at(&cell.end());
            while cell.halvings < bits {
                let middle = cell.second_half();
                let sign = p.sign_at(&middle);
                let beyond = match sign {
                    Ordering::Equal => true,
                    _ if crosses => sign == before,
                    // A double root leaves no trace at the ends.
                    _ => sum_of_signs(p, &Polynomial::new([IBig::ONE]), &middle) != 0,
                };
                cell = if beyond { middle } else { cell.first_half() };
                if sign == Ordering::Equal {
                    break;
                }
            }
        }
        let Dyadic { above, halvings } = cell;
        let steps = if halvings > bits { above >> (halvings - bits) } else { above << (bits - halvings) };
        // From 0 to 2ᵇ.
        u64::try_from(&steps).unwrap_or(0)
    }
}

/// A cell or a root that is still to be examined, the earliest last.
enum Waiting {
    Cell(Dyadic),
    Root(Root),
}

/// The first root from 0 to 1, both included, that is `wanted`. The polynomial is not 0, and at most cubic.
pub(crate) fn first_root(polynomial: &Polynomial, mut wanted: impl FnMut(&Root) -> bool) -> Option<Root> {
    let mut polynomial = polynomial.clone().shortened();
    let take = |polynomial: &mut Polynomial, place: Dyadic| {
        let mut is_root = false;
        while polynomial.sign_at(&place) == Ordering::Equal {
            *polynomial = polynomial.without(&place);
            is_root = true;
        }
        is_root.then_some(Waiting::Root(Root { place, of: None }))
    };
    let start = take(&mut polynomial, Dyadic::whole(0));
    let end = take(&mut polynomial, Dyadic::whole(1));
    let mut waiting: Vec<Waiting> = end.into_iter().collect();
    waiting.push(Waiting::Cell(Dyadic::whole(0)));
    waiting.extend(start);
    let one = Polynomial::new([IBig::ONE]);
    while let Some(next) = waiting.pop() {
        let root = match next {
            Waiting::Root(root) => root,
            Waiting::Cell(cell) => match sum_of_signs(&polynomial, &one, &cell) {
                0 => continue,
                1 => Root { place: cell, of: Some(polynomial.clone()) },
                _ => {
                    let middle = cell.second_half();
                    let root = take(&mut polynomial, middle.clone());
                    waiting.push(Waiting::Cell(middle));
                    waiting.extend(root);
                    waiting.push(Waiting::Cell(cell.first_half()));
                    continue;
                }
            },
        };
        if wanted(&root) {
            return Some(root);
        }
    }
    None
}
