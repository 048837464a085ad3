//! A compound as its pieces: a query of a compound queries its pieces, each at its pose.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::shape::Mover;
use crate::sweep::{Contact, Path};
use crate::world::body::Body;
use crate::world::body::body_at_time::{BodyAtTime, Wanted};
use crate::world::body::collider::{Collider, Compound, Piece};
use crate::world::body::extent::origin_of;
use crate::world::{CastHit, Pose};

impl BodyAtTime<'_> {
    /// The same for the pieces of a compound.
    pub(super) fn sweep_pieces(
        &self,
        compound: &Compound,
        mover: &Mover,
        path: &Path,
        wanted: Wanted<'_>,
        take: &mut dyn FnMut(CastHit) -> f64,
    ) {
        let mut best = wanted.best;
        let reach = compound.seen_by(&self.frame, mover, path);
        for piece in compound.pieces().iter().filter(|piece| reach.may_meet(piece, 0.0)) {
            self.piece_at(piece).sweep(mover, path, Wanted { best, ..wanted }, &mut |hit| {
                best = take(self.hit(hit.hit, piece.first + hit.part));
                best
            });
        }
    }

    /// A piece of it.
    fn piece_at<'p>(&self, piece: &'p Piece) -> BodyAtTime<'p> {
        let frame = self.frame.of_piece(&piece.pose, origin_of(&piece.collider));
        let (collider, user_data) = (&piece.collider, self.user_data);
        BodyAtTime { id: self.id, collider, user_data, frame }
    }

    /// Visits the body, or the pieces of a compound, each with the number of its first part.
    pub(crate) fn each_piece(&self, mut visit: impl FnMut(&BodyAtTime<'_>, u32)) {
        match self.collider {
            Collider::Compound(compound) => {
                compound.pieces().iter().for_each(|piece| visit(&self.piece_at(piece), piece.first));
            }
            _ => visit(self, 0),
        }
    }

    /// The same for every piece of a compound.
    pub(super) fn pieces_among(
        &self,
        compound: &Compound,
        mover: &Mover,
        path: &Path,
        parts: impl Iterator<Item = u32>,
        hits: &mut Vec<CastHit>,
    ) {
        let mut own: Vec<Vec<u32>> = alloc::vec![Vec::new(); compound.len()];
        for (number, part) in parts.filter_map(|part| compound.piece(part)) {
            own[number].push(part);
        }
        for (piece, own) in compound.pieces().iter().zip(own) {
            let before = hits.len();
            // A concrete iterator type, because this calls itself.
            let asked: &mut dyn Iterator<Item = u32> = &mut own.into_iter();
            self.piece_at(piece).sweep_among(mover, path, asked, hits);
            for hit in &mut hits[before..] {
                *hit = self.hit(hit.hit, piece.first + hit.part);
            }
        }
    }

    /// Every part of a compound within a distance of the mover at the start of `at`.
    pub(super) fn piece_contacts(
        &self,
        compound: &Compound,
        mover: &Mover,
        at: &Path,
        distance: f64,
        visit: &mut dyn FnMut(Contact, u32),
    ) {
        let reach = compound.seen_by(&self.frame, mover, at);
        for piece in compound.pieces().iter().filter(|piece| reach.may_meet(piece, distance)) {
            let mut visit = |contact, part| visit(contact, piece.first + part);
            self.piece_at(piece).contacts(mover, at, distance, &mut visit);
        }
    }

    /// The contact of the mover at the start of `at` with one part of a compound, at any distance.
    pub(super) fn piece_contact(
        &self,
        compound: &Compound,
        mover: &Mover,
        at: &Path,
        part: u32,
    ) -> Option<Contact> {
        let (number, own) = compound.piece(part)?;
        self.piece_at(&compound.pieces()[number]).contact(mover, at, own)
    }
}

impl Body {
    /// The body itself, or the piece of a compound that a part belongs to, at rest at its pose after a share
    /// of the tick; and the number of the part in it.
    #[inline]
    pub(crate) fn piece_of(&self, part: u32, time: f64) -> (Cow<'_, Body>, u32) {
        let placed = match &self.collider {
            Collider::Compound(compound) => self.piece_placed(compound, part, time),
            _ => None,
        };
        placed.map_or((Cow::Borrowed(self), part), |(piece, own)| (Cow::Owned(piece), own))
    }

    #[cold]
    fn piece_placed(&self, compound: &Compound, part: u32, time: f64) -> Option<(Body, u32)> {
        let (number, own) = compound.piece(part)?;
        Some((self.placed(&compound.pieces()[number], &self.pose_at(time)), own))
    }

    /// The body itself, or the pieces of a compound, each at rest at its pose at the end of the tick, with
    /// the number of its first part.
    pub(crate) fn each_piece(&self, mut visit: impl FnMut(&Body, u32)) {
        match &self.collider {
            Collider::Compound(compound) => {
                for piece in compound.pieces() {
                    visit(&self.placed(piece, self.pose()), piece.first);
                }
            }
            _ => visit(self, 0),
        }
    }

    /// A piece as a body of the world, for a pose of this body.
    pub(in crate::world) fn placed(&self, piece: &Piece, pose: &Pose) -> Body {
        Body::fixed(piece.collider.clone()).at(pose.compose(&piece.pose)).with_user_data(self.user_data)
    }
}
