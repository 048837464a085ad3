//! Bodies made of several colliders, each at its own pose within the body.
//!
//! Idea: a piece is a body at rest in the frame of the compound. A query of a compound queries its pieces,
//! each at the product of the two poses, so its answers are those of separate bodies there, to the bit.
//! Pieces that a mover cannot reach are skipped by their bounding spheres. Cost: a few products for a skipped
//! piece.

use alloc::vec::Vec;

use glam::DVec3;
use thiserror::Error;

use crate::mesh::Surface;
use crate::num::bound::reach;
use crate::num::ops::sqrt;
use crate::shape::Mover;
use crate::sweep::Path;
use crate::sweep::mover::margin;
use crate::world::Pose;
use crate::world::body::collider::{Collider, Compound, CompoundPiece, Piece};
use crate::world::body::extent::{bounds_at, lengths_of};
use crate::world::body::pose::Frame;
use crate::world::index::{GROWTH, is_flat};

/// The most pieces: make more of them several bodies.
const MOST_PIECES: usize = 1024;

impl CompoundPiece {
    /// A piece at the origin of the body, with the body's material.
    pub fn new(collider: impl Into<Collider>) -> Self {
        Self { collider: collider.into(), pose: Pose::IDENTITY, surface: None }
    }

    /// The same piece at another pose, in the body's axes and lengths.
    #[must_use]
    pub fn at(self, pose: impl Into<Pose>) -> Self {
        Self { pose: pose.into(), ..self }
    }

    /// The same piece with another material than the body's. A mesh and a height field keep their own.
    #[must_use]
    pub fn with_surface(self, surface: Surface) -> Self {
        Self { surface: Some(surface), ..self }
    }
}

/// Why pieces do not form a compound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CompoundError {
    /// There is no piece.
    #[error("a compound needs at least one piece")]
    NoPieces,
    /// There are too many pieces.
    #[error("a compound of {0} pieces is too large: at most {MOST_PIECES} are possible, use several bodies")]
    TooManyPieces(usize),
    /// The triangles and solids together are more than 32 bits can number.
    #[error("the pieces have more parts than 32 bits can number: use several bodies")]
    TooManyParts,
    /// A piece is a compound.
    #[error("piece {0} is a compound: put its pieces into the list instead")]
    Nested(usize),
    /// A NaN or an infinity.
    #[error("piece {0}: its pose must be finite")]
    Pose(usize),
    /// A friction or a restitution that is negative or not finite.
    #[error("piece {0}: friction and restitution must be finite and at least 0")]
    Surface(usize),
}

impl Compound {
    /// A compound of pieces, which are numbered in this order.
    ///
    /// # Errors
    /// There is no piece or more than 1024, a piece is a compound, a pose is not finite, or a material is out
    /// of range.
    pub fn new(pieces: Vec<CompoundPiece>) -> Result<Self, CompoundError> {
        match pieces.len() {
            0 => return Err(CompoundError::NoPieces),
            count if count > MOST_PIECES => return Err(CompoundError::TooManyPieces(count)),
            _ => {}
        }
        let (mut made, mut first, mut lengths) = (Vec::with_capacity(pieces.len()), 0u32, 0.0f64);
        for (number, piece) in pieces.into_iter().enumerate() {
            let CompoundPiece { collider, pose, surface } = piece;
            if matches!(collider, Collider::Compound(_)) {
                return Err(CompoundError::Nested(number));
            }
            if !pose.is_finite() {
                return Err(CompoundError::Pose(number));
            }
            if surface.is_some_and(|surface| crate::mesh::check_surfaces(&[surface]).is_err()) {
                return Err(CompoundError::Surface(number));
            }
            let count = collider.part_count();
            let bounds = bounds_at(&collider, &pose);
            let (center, radius) = bounds.map_or((DVec3::ZERO, f64::INFINITY), |bounds| {
                let half = bounds.half_extents();
                (bounds.min() + half, sqrt(half.length_squared()))
            });
            lengths = bounds.map_or(lengths, |bounds| lengths.max(lengths_of(&collider, &pose, &bounds)));
            made.push(Piece { collider, pose, surface, first, center, radius });
            first = first.checked_add(count).ok_or(CompoundError::TooManyParts)?;
        }
        Ok(Self { pieces: made, parts: first, lengths })
    }

    /// The number of pieces.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Always false: a compound has at least one piece.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The collider of a piece and its pose in the body; `None` if there is no such piece.
    pub fn collider(&self, piece: usize) -> Option<(&Collider, &Pose)> {
        self.pieces.get(piece).map(|piece| (&piece.collider, &piece.pose))
    }

    /// The piece that a part belongs to, and the number of the part in that piece; `None` if there is no such
    /// part.
    pub fn piece(&self, part: u32) -> Option<(usize, u32)> {
        if part >= self.parts {
            return None;
        }
        // Pieces without parts have the number of those after them.
        let number = self.pieces.partition_point(|piece| piece.first <= part) - 1;
        Some((number, part - self.pieces[number].first))
    }

    /// The number of parts in total.
    pub fn part_count(&self) -> u32 {
        self.parts
    }

    pub(in crate::world) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The material of a part, if it has another than the body; `None` of no such part.
    pub(in crate::world) fn surface(&self, part: u32) -> Option<&Surface> {
        let (number, own) = self.piece(part)?;
        let piece = &self.pieces[number];
        piece.collider.own_surface(own).or(piece.surface.as_ref())
    }

    /// The reach of a mover on its path, in the frame of the pieces. `frame` is that of the compound.
    pub(in crate::world) fn seen_by<'a>(&self, frame: &'a Frame, mover: &Mover, path: &Path) -> Reach<'a> {
        let (from, way) = (path.from(), path.translation());
        let lengths =
            reach(from) + reach(way) + reach(frame.pose().position()) + frame.scale() * self.lengths;
        let room = sqrt(mover.half_extents().length_squared())
            + margin(mover, path, lengths, frame.scale() * frame.rounding(path))
            + GROWTH * lengths;
        Reach { frame, from, way, squared: way.length_squared(), room, is_unsure: is_flat(mover) }
    }
}

/// A mover on its path, tested against the pieces of a compound.
pub(in crate::world) struct Reach<'a> {
    frame: &'a Frame,
    from: DVec3,
    way: DVec3,
    squared: f64,
    /// The distance from its center within which it may hit anything.
    room: f64,
    is_unsure: bool,
}

impl Reach<'_> {
    /// Whether it may meet a piece, or whether the box around the piece may come within a distance of its
    /// own, measured along each axis of the world.
    pub(in crate::world) fn may_meet(&self, piece: &Piece, distance: f64) -> bool {
        // Larger than the gap between two boxes along each axis, and than the extent of the turned box of a
        // piece.
        const DIAGONAL: f64 = 1.75;
        let to = self.frame.point_to_world(piece.center) - self.from;
        let along = if self.squared > 0.0 { (to.dot(self.way) / self.squared).clamp(0.0, 1.0) } else { 0.0 };
        let reach = DIAGONAL * (self.frame.scale() * piece.radius + distance) + self.room;
        // If the numbers cannot be compared, it may be hit.
        let is_apart = (to - self.way * along).length_squared() > reach * reach;
        self.is_unsure || !is_apart
    }
}
