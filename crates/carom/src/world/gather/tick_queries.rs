//! The queries of a tick, answered from the gathered data where it covers them.

use glam::DVec3;

use crate::shape::Mover;
use crate::sweep::{Contact, Path};
use crate::world::body::body_at_time::BodyAtTime;
use crate::world::body::sweep_segment::SweepSegment;
use crate::world::gather::first::First;
use crate::world::gather::neighborhood::Neighborhood;
use crate::world::{CastHit, ContactQuery, Layers, Moment, Part, World};

impl World {
    /// The first contact in a part of a tick. `near` is used if it covers the motion.
    pub(crate) fn sweep_segment(
        &self,
        segment: &SweepSegment<'_>,
        layers: Layers,
        near: Option<&Neighborhood>,
    ) -> Option<CastHit> {
        let mut first = First::default();
        match near.filter(|near| near.covers(segment.from, segment.translation, 0.0)) {
            Some(near) => {
                for gathering in near.gatherings() {
                    gathering.sweep(self, segment, &mut first);
                }
            }
            None => self.sweep_all(segment, layers, &mut first),
        }
        first.into_hit()
    }

    /// Visits every contact of the query. `near` is used if it covers the query.
    pub(crate) fn contacts_at(
        &self,
        query: &ContactQuery<'_>,
        near: Option<&Neighborhood>,
        visit: &mut dyn FnMut(Contact, Part),
    ) {
        if let Some(known) = near.and_then(|near| near.recall(self, query)) {
            return known.iter().for_each(|touch| visit(touch.contact, touch.part));
        }
        let ContactQuery { mover, layers, time, distance, .. } = *query;
        let Ok(at) = Path::new(query.at, DVec3::ZERO) else { return };
        let expect = |number| self.prefetch_body(number);
        match near.filter(|near| near.covers(at.from(), DVec3::ZERO, distance)) {
            Some(near) => {
                for gathering in near.gatherings() {
                    gathering.contacts(self, query, &at, visit);
                }
            }
            None => self.index.around(mover, &at, DVec3::splat(distance), expect, |number| {
                if let Some((id, body)) = self.numbered(number).filter(|(_, body)| body.layers.meets(layers))
                {
                    BodyAtTime::at(id, body, time).contacts(mover, &at, distance, &mut |contact, part| {
                        visit(contact, Part { body: id, part });
                    });
                }
            }),
        }
    }

    /// The contact of a mover with one part after a share of the tick, at any distance; `None` if there is no
    /// such part, or from behind a one-sided triangle.
    pub(crate) fn contact_at(
        &self,
        mover: &Mover,
        Moment { at, time }: Moment,
        part: Part,
        near: Option<&Neighborhood>,
    ) -> Option<Contact> {
        let at = Path::new(at, DVec3::ZERO).ok()?;
        let mut gatherings = near.into_iter().flat_map(Neighborhood::gatherings);
        let known = gatherings.find_map(|gathering| gathering.contact(mover, &at, part.body));
        known.unwrap_or_else(|| {
            BodyAtTime::at(part.body, self.body(part.body)?, time).contact(mover, &at, part.part)
        })
    }
}
