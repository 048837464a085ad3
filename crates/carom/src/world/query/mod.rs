//! The queries that a world answers: the first hit, every hit, overlaps, the closest part, contacts.

mod answers;
pub(in crate::world) mod batch;
pub(in crate::world) mod body_contact;
mod body_pair;
pub(in crate::world) mod cast;
pub(in crate::world) mod cast_hit;
pub(in crate::world) mod closest;
pub(in crate::world) mod contact_query;
mod element;
pub(in crate::world) mod enclosing;
pub(in crate::world) mod manifold;
mod measure;
pub(in crate::world) mod moment;
pub(in crate::world) mod nearest;
pub(crate) mod sense;
pub(in crate::world) mod surface_normals;
pub(in crate::world) mod tie_bound;
