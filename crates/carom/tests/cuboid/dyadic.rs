//! Whole multiples of powers of two, without rounding: every f64 is one, and so are their sums and products.

use core::cmp::Ordering;
use core::ops::{Add, Mul, Neg, Sub};

use carom::num::ops::sqrt;
use dashu_int::IBig;
use glam::DVec3;

/// mantissa · 2^exponent
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    mantissa: IBig,
    exponent: isize,
}

impl Dyadic {
    pub(crate) fn zero() -> Self {
        Self { mantissa: IBig::ZERO, exponent: 0 }
    }

    pub(crate) fn sign(&self) -> Ordering {
        self.mantissa.cmp(&IBig::ZERO)
    }

    pub(crate) fn abs(&self) -> Self {
        if self.sign() == Ordering::Less { -self } else { self.clone() }
    }

    /// Rounded; of numbers whose mantissa is beyond f64's range, a power of two is split off first.
    pub(crate) fn to_f64(&self) -> f64 {
        let mut mantissa = self.mantissa.clone();
        let mut exponent = self.exponent;
        while mantissa > (IBig::from(1) << 900) || mantissa < -(IBig::from(1) << 900) {
            mantissa >>= 400;
            exponent += 400;
        }
        let mut value = mantissa.to_f64().value();
        let step = if exponent < 0 { 0.5 } else { 2.0 };
        for _ in 0..exponent.unsigned_abs() {
            value *= step;
        }
        value
    }
}

impl From<f64> for Dyadic {
    fn from(x: f64) -> Self {
        assert!(x.is_finite());
        let bits = x.to_bits();
        let field = ((bits >> 52) & 0x7FF) as isize;
        let fraction = bits & ((1 << 52) - 1);
        let (whole, exponent) =
            if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
        let zeros = whole.trailing_zeros().min(52);
        let mantissa = IBig::from(whole >> zeros);
        Self { mantissa: if x < 0.0 { -mantissa } else { mantissa }, exponent: exponent + zeros as isize }
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        if self.mantissa == IBig::ZERO {
            return other.clone();
        }
        if other.mantissa == IBig::ZERO {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        let aligned = |x: &Dyadic| x.mantissa.clone() << (x.exponent - exponent) as usize;
        Dyadic { mantissa: aligned(self) + aligned(other), exponent }
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic { mantissa: -self.mantissa.clone(), exponent: self.exponent }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        self + &-other
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        Dyadic { mantissa: &self.mantissa * &other.mantissa, exponent: self.exponent + other.exponent }
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Self) -> bool {
        (self - other).sign() == Ordering::Equal
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some((self - other).sign())
    }
}

/// A vector of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Vector(pub(crate) [Dyadic; 3]);

impl From<DVec3> for Vector {
    fn from(v: DVec3) -> Self {
        Self([v.x.into(), v.y.into(), v.z.into()])
    }
}

impl Vector {
    pub(crate) fn dot(&self, other: &Self) -> Dyadic {
        let [x, y, z] = [0, 1, 2].map(|k| &self.0[k] * &other.0[k]);
        &(&x + &y) + &z
    }

    pub(crate) fn cross(&self, other: &Self) -> Self {
        let part = |a: usize, b: usize| &(&self.0[a] * &other.0[b]) - &(&self.0[b] * &other.0[a]);
        Self([part(1, 2), part(2, 0), part(0, 1)])
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self([0, 1, 2].map(|k| &self.0[k] - &other.0[k]))
    }

    pub(crate) fn plus_times(&self, other: &Self, factor: &Dyadic) -> Self {
        Self([0, 1, 2].map(|k| &self.0[k] + &(&other.0[k] * factor)))
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.iter().all(|x| x.sign() == Ordering::Equal)
    }

    /// Rounded, and scaled first so that the square neither over- nor underflows.
    pub(crate) fn length(&self) -> f64 {
        let v = self.0.each_ref().map(Dyadic::to_f64);
        let largest = v.iter().fold(0f64, |most, x| most.max(x.abs()));
        if largest == 0.0 {
            0.0
        } else {
            largest * sqrt(v.iter().map(|x| (x / largest) * (x / largest)).sum())
        }
    }
}
