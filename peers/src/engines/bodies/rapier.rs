//! rapier3d with worlds of bodies, in single precision: colliders in its broad phase, asked by its
//! `QueryPipeline`.
//!
//! Closest: `project_point` of the center, from which the radius is taken. Contacts: parry's `contact` of
//! each collider whose box is near. A driven box has its collider's position set and the broad phase told:
//! less than its physics pipeline would do. A scaled mesh needs a copy of its triangles: instances of more
//! than one scale are left out.

use std::hint::black_box;

use carom_scenes::SphereCast;
use carom_scenes::workload::{BodyScene, CAST_RADIUS, Form, PlacedBody, WALKER_HALF_HEIGHT, WALKER_RADIUS};
use glam::DVec3;
use parry3d::query::{ShapeCastOptions, contact};
use rapier3d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier3d::math::{Pose, Rotation};
use rapier3d::parry::shape::{Ball, Capsule, Cuboid, Shape};
use rapier3d::prelude::*;

use super::super::parry::vector;
use super::super::{CAPSULE_HALF_HEIGHT, CastShape};
use super::{Asked, Bodies, CLOSEST_WITHIN, CONTACTS_WITHIN, Crowd, Hero, Moving, Question};

const ENGINE: &str = "rapier3d 0.36";
const DT: f32 = 1.0 / 60.0;

/// Whether no mesh has to be copied.
pub fn can_hold(scene: &BodyScene) -> bool {
    let is_plain = |body: &PlacedBody| match body.form {
        Form::Cuboid(_) => true,
        Form::Instance { scale, .. } => scale == 1.0,
    };
    scene.bodies.iter().all(is_plain)
}

/// Colliders at rest.
pub struct Level {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    handles: Vec<ColliderHandle>,
}

impl Level {
    pub fn new(scene: &BodyScene) -> Self {
        let meshes: Vec<SharedShape> = scene
            .meshes
            .iter()
            .map(|mesh| {
                let vertices = mesh.vertices.iter().map(|&v| Vector::from(v)).collect();
                SharedShape::trimesh(vertices, mesh.triangles.clone())
                    .expect("generated meshes have triangles")
            })
            .collect();
        let mut level = Self {
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            handles: Vec::new(),
        };
        for placed in &scene.bodies {
            let shape = match placed.form {
                Form::Cuboid(half) => {
                    let half = vector(half);
                    SharedShape::cuboid(half.x, half.y, half.z)
                }
                Form::Instance { mesh, .. } => meshes[mesh].clone(),
            };
            let [x, y, z, w] = placed.rotation.to_array().map(|part| part as f32);
            let pose = Pose::from_parts(vector(placed.position), Rotation::from_xyzw(x, y, z, w));
            let handle = level.colliders.insert(ColliderBuilder::new(shape).position(pose));
            level.handles.push(handle);
            level.place(handle);
        }
        level
    }

    fn place(&mut self, handle: ColliderHandle) {
        let bounds = self.colliders[handle].compute_aabb();
        self.broad_phase.set_aabb(&IntegrationParameters::default(), handle, bounds);
    }

    fn queries(&self) -> QueryPipeline<'_> {
        self.broad_phase.as_query_pipeline(
            self.narrow_phase.query_dispatcher(),
            &self.bodies,
            &self.colliders,
            QueryFilter::default(),
        )
    }

    fn casts<'a>(&'a self, shape: Box<dyn Shape>, casts: &[SphereCast]) -> Asked<'a> {
        let paths: Vec<(Vector, Vector)> =
            casts.iter().map(|cast| (vector(cast.from), vector(cast.translation))).collect();
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        Box::new(move || {
            let queries = self.queries();
            let meets = |&&(from, path): &&(Vector, Vector)| {
                let at = Pose::from_translation(black_box(from));
                queries.cast_shape(&at, path, &*shape, options).is_some()
            };
            paths.iter().filter(meets).count()
        })
    }

    fn at_places<'a>(
        &'a self,
        places: &[DVec3],
        ask: impl Fn(&QueryPipeline<'_>, Vector) -> usize + 'a,
    ) -> Asked<'a> {
        let places: Vec<Vector> = places.iter().map(|at| vector(*at)).collect();
        Box::new(move || {
            let queries = self.queries();
            places.iter().map(|at| ask(&queries, black_box(*at))).sum()
        })
    }
}

impl Bodies for Level {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn ask<'a>(&'a self, question: &Question) -> Option<Asked<'a>> {
        let radius = CAST_RADIUS as f32;
        match question {
            Question::Cast(CastShape::Sphere, casts) => Some(self.casts(Box::new(Ball::new(radius)), casts)),
            Question::Cast(CastShape::Capsule, casts) => {
                Some(self.casts(Box::new(Capsule::new_y(CAPSULE_HALF_HEIGHT as f32, radius)), casts))
            }
            Question::Cast(CastShape::Ray, casts) => {
                let paths: Vec<(Vector, Vector)> =
                    casts.iter().map(|cast| (vector(cast.from), vector(cast.translation))).collect();
                Some(Box::new(move || {
                    let queries = self.queries();
                    let meets = |&&(from, path): &&(Vector, Vector)| {
                        queries.cast_ray(&Ray::new(black_box(from), path), 1.0, true).is_some()
                    };
                    paths.iter().filter(meets).count()
                }))
            }
            Question::CastAll(_) => None,
            Question::Closest(places) => Some(self.at_places(places, move |queries, at| {
                usize::from(queries.project_point(at, CLOSEST_WITHIN as f32 + radius, true).is_some())
            })),
            Question::Overlaps(places) => Some(self.at_places(places, move |queries, at| {
                queries.intersect_shape(Pose::from_translation(at), &Ball::new(radius)).count()
            })),
            Question::Contacts(places) => Some(self.at_places(places, move |queries, at| {
                let (ball, within) = (Ball::new(radius), CONTACTS_WITHIN as f32);
                let at = Pose::from_translation(at);
                let near = queries.intersect_aabb_conservative(ball.compute_aabb(&at).loosened(within));
                let touches = |(_, collider): &(ColliderHandle, &Collider)| {
                    let found = contact(&at, &ball, collider.position(), collider.shape(), within);
                    found.is_ok_and(|found| found.is_some())
                };
                near.filter(touches).count()
            })),
        }
    }
}

struct Walker {
    at: Vector,
    fall: f32,
}

impl Walker {
    fn step(&mut self, queries: &QueryPipeline<'_>, shape: &dyn Shape, desired_velocity: DVec3) {
        let autostep = CharacterAutostep {
            max_height: CharacterLength::Absolute(0.4),
            min_width: CharacterLength::Absolute(WALKER_RADIUS as f32),
            include_dynamic_bodies: false,
        };
        let controller = KinematicCharacterController {
            autostep: Some(autostep),
            ..KinematicCharacterController::default()
        };
        self.fall -= 9.81 * DT;
        let path = (vector(desired_velocity) + Vector::Y * self.fall) * DT;
        let at = Pose::from_translation(self.at);
        let moved = controller.move_shape(DT, queries, shape, &at, black_box(path), |_| {});
        self.at += moved.translation;
        if moved.grounded {
            self.fall = 0.0;
        }
    }
}

/// As the characters of W5, with steps.
pub struct Characters {
    level: Level,
    shape: Box<dyn Shape>,
    walkers: Vec<Walker>,
}

fn capsule() -> Capsule {
    Capsule::new_y(WALKER_HALF_HEIGHT as f32, WALKER_RADIUS as f32)
}

impl Characters {
    /// There are no ellipsoids: a capsule in their place.
    pub fn new(scene: &BodyScene, starts: &[DVec3], hero: Hero) -> Self {
        let shape: Box<dyn Shape> = match hero {
            Hero::Capsule | Hero::Ellipsoid => Box::new(capsule()),
            Hero::Sphere => Box::new(Ball::new(0.4)),
            Hero::Cuboid => Box::new(Cuboid::new(Vector::new(0.4, 0.9, 0.4))),
        };
        let walkers = starts.iter().map(|start| Walker { at: vector(*start), fall: 0.0 }).collect();
        Self { level: Level::new(scene), shape, walkers }
    }
}

impl Crowd for Characters {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        "ground, steps, snap"
    }

    fn tick(&mut self, desired_velocities: &[DVec3]) {
        let queries = self.level.queries();
        for (walker, desired_velocity) in self.walkers.iter_mut().zip(desired_velocities) {
            walker.step(&queries, &*self.shape, *desired_velocity);
        }
    }

    fn positions(&self) -> Vec<DVec3> {
        let wide = |at: Vector| DVec3::from_array(at.to_array().map(f64::from));
        self.walkers.iter().map(|walker| wide(walker.at)).collect()
    }
}

/// Colliders that are put elsewhere in each tick.
pub struct Driven {
    level: Level,
    driven: usize,
    hero: Walker,
}

impl Driven {
    pub fn new(scene: &BodyScene, driven: usize, hero: DVec3) -> Self {
        Self { level: Level::new(scene), driven, hero: Walker { at: vector(hero), fall: 0.0 } }
    }
}

impl Moving for Driven {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        "set_aabb"
    }

    fn advance(&mut self, velocity: DVec3) {
        let path = vector(velocity) * DT;
        for i in 0..self.driven {
            let handle = self.level.handles[i];
            let collider = &mut self.level.colliders[handle];
            let at = collider.translation() + path;
            collider.set_translation(at);
            self.level.place(handle);
        }
    }

    fn hero(&mut self, desired_velocity: DVec3) {
        self.hero.step(&self.level.queries(), &capsule(), desired_velocity);
    }

    fn cast(&mut self, casts: &[SphereCast]) -> usize {
        let queries = self.level.queries();
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let meets = |cast: &&SphereCast| {
            let at = Pose::from_translation(vector(cast.from));
            let ball = Ball::new(cast.radius as f32);
            queries.cast_shape(&at, vector(cast.translation), &ball, options).is_some()
        };
        casts.iter().filter(meets).count()
    }
}
