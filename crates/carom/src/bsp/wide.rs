//! Integers of a fixed number of 64-bit words.
//!
//! Idea: the integers behind most corners have fewer than 512 bits, and no memory is requested for them.
//! Two's complement; a product has the words of both factors, so no product overflows. Error: none while the
//! value fits; the caller's bounds say that it does. Cost: a product of two words by four takes some
//! nanoseconds. It never gives up; a ratio that it cannot round is left to its caller.

use core::cmp::Ordering;
use core::ops::{Add, Sub};

/// An integer from −2^(64 N − 1) to 2^(64 N − 1) − 1; the lowest word first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Default for Wide<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl From<i128> for Wide<2> {
    fn from(x: i128) -> Self {
        Self([x as u64, (x >> 64) as u64])
    }
}

impl From<i64> for Wide<1> {
    fn from(x: i64) -> Self {
        Self([x as u64])
    }
}

impl Wide<2> {
    /// The number, if it is below 2^62.
    #[inline(always)]
    pub(super) fn short(self) -> Option<i64> {
        let Self([low, high]) = self;
        let low = low as i64;
        // The upper word repeats the sign, and so does the next bit.
        let is_short = high as i64 == low >> 63 && low << 1 >> 63 == low >> 63;
        is_short.then_some(low)
    }
}

impl From<Wide<2>> for i128 {
    fn from(Wide([low, high]): Wide<2>) -> Self {
        i128::from(high as i64) << 64 | i128::from(low)
    }
}

impl<const N: usize> Add for Wide<N> {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        let mut carry = false;
        for (x, y) in self.0.iter_mut().zip(other.0) {
            (*x, carry) = x.carrying_add(y, carry);
        }
        self
    }
}

impl<const N: usize> Sub for Wide<N> {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        let mut borrow = false;
        for (x, y) in self.0.iter_mut().zip(other.0) {
            (*x, borrow) = x.borrowing_sub(y, borrow);
        }
        self
    }
}

impl<const N: usize> Wide<N> {
    /// Less, equal or greater than 0.
    pub(super) fn sign(&self) -> Ordering {
        if (self.0[N - 1] as i64) < 0 {
            Ordering::Less
        } else if self.0 == [0; N] {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }

    pub(super) fn is_negative(&self) -> bool {
        self.sign() == Ordering::Less
    }

    /// The same number in M words, not fewer than N.
    pub(super) fn widened<const M: usize>(&self) -> Wide<M> {
        let mut words = [if self.is_negative() { u64::MAX } else { 0 }; M];
        words[..N].copy_from_slice(&self.0);
        Wide(words)
    }

    /// The product in R = N + M words.
    pub(super) fn times<const M: usize, const R: usize>(&self, other: &Wide<M>) -> Wide<R> {
        const { assert!(R == N + M) };
        let mut words = [0; R];
        for (i, x) in self.0.into_iter().enumerate() {
            let mut carry = 0;
            for (word, y) in words[i..].iter_mut().zip(other.0) {
                (*word, carry) = x.carrying_mul_add(y, *word, carry);
            }
            words[i + M] = carry;
        }
        // Each negative factor was taken as 2^64N or 2^64M too much.
        let mut correct = |from: usize, by: &[u64]| {
            let mut borrow = false;
            for (word, y) in words[from..].iter_mut().zip(by) {
                (*word, borrow) = word.borrowing_sub(*y, borrow);
            }
        };
        if self.is_negative() {
            correct(N, &other.0);
        }
        if other.is_negative() {
            correct(M, &self.0);
        }
        Wide(words)
    }

    /// Times 2^bits.
    pub(super) fn shifted(&self, bits: usize) -> Self {
        let (words, bits) = (bits / 64, bits % 64);
        let word = |i: Option<usize>| i.map_or(0, |i| self.0[i]);
        // Shifted twice: a shift by all 64 bits is none.
        let moved = |i: usize| word(Some(i)) << bits | word(i.checked_sub(1)) >> 1 >> (63 - bits);
        Self(core::array::from_fn(|i| i.checked_sub(words).map_or(0, moved)))
    }

    /// The size as (high + low) × 2^exponent within 2^−124 of it, where high is from 2^125 to 2^126. Of a
    /// number other than 0.
    pub(super) fn rounded(&self) -> (f64, f64, i32) {
        let size = if self.is_negative() { Self::default() - *self } else { *self };
        let top = size.0.iter().rposition(|word| *word != 0).unwrap_or(0);
        let word = |i: Option<usize>| i.map_or(0, |i| size.0[i]);
        let zeros = size.0[top].leading_zeros();
        let bits = u128::from(size.0[top]) << 64 | u128::from(word(top.checked_sub(1)));
        // Shifted twice: a shift by all 64 bits is none.
        let third = word(top.checked_sub(2)) >> 1 >> (63 - zeros);
        let bits = (bits << zeros | u128::from(third)) >> 2;
        let high = bits as f64;
        (high, (bits as i128 - high as i128) as f64, 64 * top as i32 - 62 - zeros as i32)
    }
}

#[cfg(test)]
mod tests {
    use dashu_int::IBig;

    use super::*;

    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        *state >> 20 ^ *state << 23
    }

    /// A number of any number of bits below 127.
    fn number(state: &mut u64) -> i128 {
        let bits = i128::from(random(state)) << 64 | i128::from(random(state));
        bits >> (random(state) % 127 + 1)
    }

    #[test]
    fn sums_products_and_shifts_are_those_of_integers_of_any_length() {
        let state = &mut 1;
        for _ in 0..2000 {
            let [a, b, c, d] = [(); 4].map(|()| number(state));
            let [p, q, r, s] = [a, b, c, d].map(Wide::<2>::from);
            let pairs: Wide<4> = p.times(&q) - r.times(&s);
            let product: Wide<6> = pairs.times(&p);
            let shift = (random(state) % 120) as usize;
            let [a, b, c, d] = [a, b, c, d].map(IBig::from);
            let expected = ((&a * &b - &c * &d) * &a) << shift;
            let mut value = IBig::ZERO;
            let shifted = product.widened::<8>().shifted(shift);
            for word in shifted.0.iter().rev() {
                value = (value << 64) + IBig::from(*word);
            }
            if shifted.is_negative() {
                value -= IBig::ONE << 512;
            }
            assert_eq!(value, expected);
            assert_eq!(shifted.sign(), expected.cmp(&IBig::ZERO));
        }
    }
}
