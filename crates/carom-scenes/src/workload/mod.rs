//! The worlds and the queries that Carom is measured with, the same as in every other library's harness.
//!
//! Everything is worked out in f64 and rounded to f32 once; queries are rounded too, so that a library that
//! takes only f32 is asked the same. Draws come from [`Random`](crate::Random) in the order in which the
//! documentation of each function lists them; what is refused is drawn again, going on in the same stream.
//!
//! | | world | question |
//! |---|---|---|
//! | W1 | [`Terrain`] | [`casts_over_terrain`]: balls of half a meter, up to 10 m |
//! | W2 | [`City`] | [`casts_in_city`]: the same, 5 m |
//! | W3 | both | [`short_casts`]: a tenth of a meter, close to a surface |
//! | W4 | both | rays with the origins and translations of W1 and W2 |
//! | W5 | both | [`walkers_on_terrain`], [`walkers_in_city`]: a thousand characters, five seconds |
//! | W6 | two blobs | [`blob_poses`]: one [`blob`] against another |
//! | W7 | `Terrain::new(512)`, `Terrain::new(1024)` | building |
//! | broad phase | [`Crowd`]: 50,000 boxes | which overlap, a tenth moving in each step |
//! | W8 | first blob | [`casts_at_blob`]: balls much larger than the triangles |
//! | W9 | [`BodyScene::city`] | the casts of W2, W3 and W4 among bodies |
//! | W10 | [`BodyScene::floor`], the city as bodies | [`hero_velocity`] over unit boxes; the walkers of W5 |
//! | W11 | [`BodyScene::driven`] | boxes that are all driven, a hero and casts among them |
//! | W12 | [`BodyScene::blobs`] | the casts of W2 and the walkers of W5 among 2,000 instances |
//! | W13 | terrain and city | [`places_over_terrain`], [`places_in_city`]: what is near them |

mod blob;
mod bodies;
mod casts;
mod city;
mod crowd;
mod proximity;
mod terrain;
mod walkers;

pub use blob::{BLOB_SEEDS, BlobPose, blob, blob_poses, icosphere};
pub use bodies::{
    BodyScene, DRIVEN_HALF, DRIVEN_SPACING, Form, PlacedBody, hero_velocity, places_in_city,
    places_over_terrain,
};
pub use casts::{
    CAST_CLEARANCE, CAST_RADIUS, SHORT_CASTS_CITY_SEED, SHORT_CASTS_TERRAIN_SEED, casts_at_blob,
    casts_in_city, casts_over_terrain, short_casts,
};
pub use city::City;
pub use crowd::Crowd;
pub use proximity::Proximity;
pub(crate) use proximity::distance_squared;
pub use terrain::{Terrain, TerrainRows};
pub use walkers::{
    WALKER_HALF_HEIGHT, WALKER_RADIUS, WALKER_SPEED, WALKER_TICKS, Walker, room_in_city, walkers_in_city,
    walkers_on_terrain,
};
