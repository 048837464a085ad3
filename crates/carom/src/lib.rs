//! Carom moves things through game worlds: exact continuous collision detection for spheres, ellipsoids,
//! capsules, boxes and points against triangles, convex polygons and solids, and the response that makes of
//! contacts a motion.
//!
//! Goals, in order:
//!
//! 1. Never through a wall. A numerical failure stops the mover; it never reports a free way.
//! 2. The same answer everywhere: to the bit, whatever the machine, the build, the threads, the order of
//!    triangles.
//! 3. No tuning. No tolerance is a length: all are rounding bounds of the numbers at hand, so every scale is
//!    served alike.
//! 4. Speed.
//!
//! ```text
//! lists of a file ──mesh──▶ Mesh ──tree──▶ Tree ──▶ World ◀── Body: mesh, polygons or solid, with a pose
//!                                                    │
//!      Mover (point, sphere, ellipsoid, capsule, box) ──▶ cull by bounds ──sweep──▶ Hit ──respond──▶ new position
//!                                                    ▲                                       │ remaining motion
//!                                                    └───────────────────────────────────────┘
//! ```
//!
//! Each level can be used alone: [`sweep`] and [`shape`] (pure functions of two shapes), [`world`] (many
//! bodies, asked together), [`respond`] (what is left of a motion). The modules in reading order; each
//! imports only those above it:
//!
//! | module | |
//! |---|---|
//! | [`num`] | the contact root, rounding bounds, the one door to libm |
//! | [`shape`] | nouns: closest points, distances, support points, bounds, overlaps |
//! | [`sweep`] | one moving shape against one other |
//! | [`mesh`] | triangles: checked, welded, with neighbors and surfaces; a report of defects |
//! | [`bsp`] | planes of whole numbers, exact polygons, solids as trees, cells, portals and leaks |
//! | [`tree`] | bounding volumes, and walks that skip only what cannot matter |
//! | [`world`] | bodies and poses; casts, overlaps, contacts, what is closest |
//! | [`mesh_pair`] | one mesh against another: pairs of triangles, distances, first contacts |
//! | [`broad_phase`] | many boxes that come, move and go, and their pairs |
//! | [`trace`] | what happened in a motion and why |
//! | [`respond`] | the nearest feasible motion, collide and slide, depenetration, bounce, friction |
//! | [`character`] | the game character: ground, slopes, steps, platforms, crowds |
//! | [`pushed`] | crates: bodies with mass, gravity and friction that do not turn |
//! | [`sensor`] | what enters, stays in and leaves a part of space |
//! | [`balls`] | circles and spheres, event by event: pool, marbles, landslides |
//!
//! Lengths are meters, numbers that decide are f64, vertices are f32. Vectors are those of [`glam`].
//!
//! ```
//! use carom::{Body, Cast, Cuboid, Sphere, World, glam::dvec3};
//!
//! let mut world = World::new();
//! let wall = world.add(Body::fixed(Cuboid::new(dvec3(0.1, 2.0, 5.0))?).at(dvec3(3.0, 2.0, 0.0)));
//! let hit = world.cast(&Cast::new(Sphere::new(0.4)?, dvec3(0.0, 1.0, 0.0), dvec3(5.0, 0.0, 0.0))?).unwrap();
//! assert_eq!(hit.body, wall);
//! assert!((hit.fraction - 0.5).abs() < 1e-13);
//! # Ok::<(), carom::shape::ShapeError>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

pub mod balls;
pub mod broad_phase;
pub mod bsp;
pub mod character;
pub mod mesh;
pub mod mesh_pair;
pub mod num;
mod prefetch;
pub mod pushed;
pub mod respond;
pub mod sensor;
pub mod shape;
pub mod sweep;
pub mod trace;
pub mod tree;
pub mod world;

pub use glam;

pub use character::{Character, Crowd, Input};
pub use mesh::Mesh;
pub use respond::{Slide, WorldObstacles, collide_and_slide};
pub use shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
pub use sweep::Hit;
pub use world::{Body, Cast, Layers, Pose, World};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The examples of the cookbook, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/cookbook.md")]
struct Cookbook;
