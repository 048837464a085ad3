//! The contact of a zonotope with a ball at rest: the nearest parallelogram, or the least way out.

use glam::DVec3;

use super::{BlockContact, Quad, Seen, Spans, Zonotope, feature, is_inside};
use crate::num::bound::UNIT_ROUNDOFF;
use crate::num::ops::sqrt;
use crate::sweep::Feature;
use crate::sweep::parts::nearest::{Closest, closest};

impl Zonotope<'_> {
    /// The contact of a ball of `radius` about the origin.
    pub(crate) fn contact(&self, radius: f64) -> BlockContact {
        let seen = self.seen(16.0 * UNIT_ROUNDOFF * self.extent());
        if let Some((depth, normal)) = seen.depth {
            return BlockContact {
                gap: -depth - radius,
                normal,
                point: self.foot_out(depth, normal),
                feature: Feature::Face,
            };
        }
        let (closest, quad) = self.closest(&seen);
        self.contact_on(&quad, &closest, radius)
    }

    /// Like [`contact`](Self::contact), where the ball is in front of a face that all others are
    /// perpendicular to and its foot lies well inside that: no other span can have a plane that separates the
    /// two farther, nor anything be as near. `None` where that is not so; `spanned` are the vectors of the
    /// face.
    pub(crate) fn contact_above(&self, spanned: [usize; 2], radius: f64) -> Option<BlockContact> {
        let extent = self.extent();
        let (rounding, slack) = (16.0 * UNIT_ROUNDOFF * extent, 256.0 * UNIT_ROUNDOFF * extent);
        let span = self.span(spanned);
        let normal = span.normal.filter(|_| span.half - span.ahead.abs() < -rounding)?;
        let quad = self.nearest_of(&span, normal);
        let nearest = closest(&quad.corners, quad.normal);
        let inside = 64.0 * sqrt(slack * (nearest.distance + slack));
        if nearest.feature != Feature::Face
            || !is_inside(&quad, normal, nearest.foot, inside.max(64.0 * slack))
        {
            return None;
        }
        Some(self.contact_on(&quad, &nearest, radius))
    }

    fn contact_on(&self, quad: &Quad, nearest: &Closest, radius: f64) -> BlockContact {
        BlockContact {
            gap: nearest.distance - radius,
            normal: nearest.contact_normal(quad.normal, 0),
            point: self.foot(nearest.foot, quad),
            feature: feature(quad, nearest.feature),
        }
    }

    /// The nearest point of the surface, and the parallelogram that it is on.
    #[inline]
    pub(super) fn closest(&self, seen: &Seen) -> (Closest, Quad) {
        // Many times the rounding of all of this.
        let slack = 256.0 * UNIT_ROUNDOFF * self.extent();
        let mut most = f64::INFINITY;
        if let Some(facing) = seen.facing
            && let Some(normal) = seen.spans[facing].normal
        {
            let span = &seen.spans[facing];
            let quad = self.nearest_of(span, normal);
            let nearest = closest(&quad.corners, quad.normal);
            most = nearest.distance;
            // Of what is below the plane by d, with the foot m inside: either d is more than m/8, or it is
            // m/4 to the side.
            let inside = 64.0 * sqrt(slack * (nearest.distance + slack));
            if nearest.feature == Feature::Face
                && Self::stands_out(&seen.spans, facing, normal)
                && is_inside(&quad, normal, nearest.foot, inside.max(64.0 * slack))
            {
                return (nearest, quad);
            }
        }
        self.closest_of_all(&seen.spans, most, slack)
    }

    /// The same where it is no farther away than `most`, of equal ones the first. Parts farther away than the
    /// nearest so far are skipped: those inside the solid, and the far side.
    #[inline(never)]
    pub(super) fn closest_of_all(&self, spans: &Spans, most: f64, slack: f64) -> (Closest, Quad) {
        let mut nearest: Option<(Closest, Quad)> = None;
        for span in spans {
            for mask in 0..1usize << (self.generators.len() - 2) {
                let most = nearest.map_or(most, |(nearest, _)| nearest.distance.min(most)) + slack;
                // A NaN is tested.
                let is_beyond = self.height(span, mask).abs() > most;
                if is_beyond {
                    continue;
                }
                let quad = self.quad(span, mask);
                let (low, high) = self.bounds(&quad);
                let is_beyond = low.max(-high).max(DVec3::ZERO).length_squared() > most * most;
                if is_beyond {
                    continue;
                }
                let other = closest(&quad.corners, quad.normal);
                if nearest.is_none_or(|(nearest, _)| other.distance < nearest.distance) {
                    nearest = Some((other, quad));
                }
            }
        }
        nearest.unwrap_or_else(|| {
            let first = self.quad(&spans[0], 0);
            (closest(&first.corners, first.normal), first)
        })
    }
}
