//! Carom moves things through game worlds. It finds exactly when spheres, ellipsoids, capsules, boxes and
//! points hit triangles, convex polygons and solids, and turns contacts into motion.
//!
//! Goals, in order:
//!
//! 1. Never through a wall. A numerical failure stops the mover; it never reports a free path.
//! 2. The same answer everywhere: to the bit, on any machine, in any build, with any number of threads and
//!    any order of triangles.
//! 3. No tuning. No tolerance is an absolute length: each is a rounding bound of the numbers in the problem,
//!    so every scale works alike.
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
//! You can use each level alone: [`sweep`] and [`shape`] (pure functions of two shapes), [`world`] (queries
//! about many bodies), [`respond`] (what contacts leave of a motion). These are the modules in reading order;
//! each imports only from those above it:
//!
//! | module | |
//! |---|---|
//! | [`num`] | the contact root, rounding bounds, the only calls to libm |
//! | [`shape`] | shapes: closest points, distances, support points, bounds, overlaps |
//! | [`sweep`] | one moving shape against one other shape |
//! | [`mesh`] | triangles: checked, welded, with neighbors and surfaces; a report of defects |
//! | [`bsp`] | integer planes, exact polygons, solids as trees, cells, portals and leaks |
//! | [`tree`] | bounding volumes, and walks that skip only what cannot matter |
//! | [`world`] | bodies and poses; casts, overlaps, contacts, closest points |
//! | [`mesh_pair`] | one mesh against another: pairs of triangles, distances, first contacts |
//! | [`broad_phase`] | many boxes that come, move and go, and their pairs |
//! | [`trace`] | the events of a motion, and the reasons for them |
//! | [`respond`] | the nearest feasible motion, collide and slide, depenetration, bounce, friction |
//! | [`character`] | the game character: ground, slopes, steps, platforms, crowds |
//! | [`pushed`] | crates: bodies with mass, gravity and friction that do not turn |
//! | [`sensor`] | what enters, stays in and leaves a part of space |
//! | [`balls`] | circles and spheres, event by event: pool, marbles, landslides |
//!
//! Lengths are meters. Numbers that decide are f64, vertices are f32. Vectors are those of [`glam`].
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
