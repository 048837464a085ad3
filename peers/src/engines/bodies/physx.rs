//! PhysX 5.1 with worlds of bodies: actors in a scene, asked by `PxSceneQueryExt`.
//!
//! A driven box is a kinematic actor with a target in each tick, followed by `simulate` and `fetchResults`.
//! Characters are those of W5, with steps. There is no question for the closest body and none for contacts
//! within a distance in a scene.

#![expect(unsafe_code, reason = "all of PhysX is foreign functions")]

use std::hint::black_box;
use std::ptr::{from_ref, null, null_mut};

use carom_scenes::SphereCast;
use carom_scenes::workload::{BodyScene, CAST_RADIUS, Form};
use glam::DVec3;
use physx_sys::*;

use super::super::physx::{Controller, Cooked, DT, ENGINE, HIT_FLAGS, Path, SDK, at, paths, upright, vector};
use super::super::{CAPSULE_HALF_HEIGHT, CastShape};
use super::{Asked, Bodies, Crowd, Moving, Question};

/// Room for so many answers of one query.
const ROOM: usize = 512;

/// Actors in a scene.
pub struct Level {
    scene: *mut PxScene,
    actors: Vec<*mut PxRigidActor>,
    /// Dropped after the scene that shows them.
    _meshes: Vec<Cooked>,
}

impl Level {
    pub fn new(scene: &BodyScene) -> Self {
        Self::with_driven(scene, 0)
    }

    /// The first `driven` of them are kinematic.
    fn with_driven(bodies: &BodyScene, driven: usize) -> Self {
        let meshes: Vec<Cooked> = bodies.meshes.iter().map(Cooked::new).collect();
        // SAFETY: objects are made by their own makers in the order of the guide; all that is pointed to
        // outlives the calls, and meshes outlive the scene.
        unsafe {
            let mut description = PxSceneDesc_new(PxPhysics_getTolerancesScale(SDK.physics));
            let wait = PxDefaultCpuDispatcherWaitForWorkMode::WaitForWork;
            description.cpuDispatcher = phys_PxDefaultCpuDispatcherCreate(0, null_mut(), wait, 0).cast();
            description.filterShader = get_default_simulation_filter_shader();
            let scene = PxPhysics_createScene_mut(SDK.physics, &raw const description);
            assert!(!scene.is_null(), "the description of the scene is complete");
            let rest = at(vector(DVec3::ZERO));
            let mut actors = Vec::new();
            for (i, placed) in bodies.bodies.iter().enumerate() {
                let [x, y, z, w] = placed.rotation.to_array().map(|part| part as f32);
                let pose = PxTransform { q: PxQuat { x, y, z, w }, p: vector(placed.position) };
                let cuboid;
                let instance;
                let geometry: *const PxGeometry = match placed.form {
                    Form::Cuboid(half) => {
                        cuboid = PxBoxGeometry_new_1(vector(half));
                        from_ref(&cuboid).cast()
                    }
                    Form::Instance { mesh, scale } => {
                        instance = meshes[mesh].scaled(scale as f32);
                        from_ref(&instance).cast()
                    }
                };
                let (material, pose) = (SDK.material, &raw const pose);
                let actor: *mut PxRigidActor = if i < driven {
                    phys_PxCreateKinematic(SDK.physics, pose, geometry, material, 1.0, &raw const rest).cast()
                } else {
                    phys_PxCreateStatic(SDK.physics, pose, geometry, material, &raw const rest).cast()
                };
                PxScene_addActor_mut(scene, actor.cast(), null());
                actors.push(actor);
            }
            let level = Self { scene, actors, _meshes: meshes };
            level.simulate();
            level
        }
    }

    fn simulate(&self) {
        // SAFETY: the scene is alive, and nothing else runs in it.
        unsafe {
            PxScene_simulate_mut(self.scene, DT, null_mut(), null_mut(), 0, true);
            PxScene_fetchResults_mut(self.scene, true, null_mut());
        }
    }

    fn meets(&self, shape: *const PxGeometry, pose: &PxTransform, path: &Path) -> bool {
        // SAFETY: plain numbers, for which zero is one; all pointers are to values that outlive the call.
        unsafe {
            let mut hit: PxSweepHit = std::mem::zeroed();
            let filter = PxQueryFilterData_new();
            PxSceneQueryExt_sweepSingle(
                self.scene,
                shape,
                black_box(pose),
                &raw const path.direction,
                path.length,
                HIT_FLAGS,
                &raw mut hit,
                &raw const filter,
                null_mut(),
                null(),
                0.0,
            )
        }
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        // SAFETY: made by `with_driven`, given back once, before the meshes.
        unsafe { PxScene_release_mut(self.scene) }
    }
}

impl Bodies for Level {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn ask<'a>(&'a self, question: &Question) -> Option<Asked<'a>> {
        // SAFETY: plain values.
        let (sphere, capsule) = unsafe {
            (
                PxSphereGeometry_new(CAST_RADIUS as f32),
                PxCapsuleGeometry_new(CAST_RADIUS as f32, CAPSULE_HALF_HEIGHT as f32),
            )
        };
        match question {
            Question::Cast(CastShape::Ray, casts) => {
                let paths = paths(casts);
                Some(Box::new(move || {
                    let meets = |path: &&Path| {
                        // SAFETY: as for sweeps.
                        unsafe {
                            let mut hit: PxRaycastHit = std::mem::zeroed();
                            let filter = PxQueryFilterData_new();
                            PxSceneQueryExt_raycastSingle(
                                self.scene,
                                black_box(&raw const path.from),
                                &raw const path.direction,
                                path.length,
                                HIT_FLAGS,
                                &raw mut hit,
                                &raw const filter,
                                null_mut(),
                                null(),
                            )
                        }
                    };
                    paths.iter().filter(meets).count()
                }))
            }
            Question::Cast(shape, casts) => {
                let (paths, stands) = (paths(casts), *shape == CastShape::Capsule);
                Some(Box::new(move || {
                    let meets = |path: &&Path| {
                        if stands {
                            self.meets(from_ref(&capsule).cast(), &upright(path.from), path)
                        } else {
                            self.meets(from_ref(&sphere).cast(), &at(path.from), path)
                        }
                    };
                    paths.iter().filter(meets).count()
                }))
            }
            Question::CastAll(casts) => {
                let paths = paths(casts);
                // SAFETY: plain numbers, for which zero is one.
                let mut hits: Vec<PxSweepHit> = (0..ROOM).map(|_| unsafe { std::mem::zeroed() }).collect();
                Some(Box::new(move || {
                    let mut met = |path: &Path| {
                        // SAFETY: as for sweeps; there is room for as many hits as are asked for.
                        let count = unsafe {
                            let mut blocks = false;
                            let flags = PxQueryFlags::Static | PxQueryFlags::Dynamic | PxQueryFlags::NoBlock;
                            let filter = PxQueryFilterData_new_2(flags);
                            let pose = at(path.from);
                            PxSceneQueryExt_sweepMultiple(
                                self.scene,
                                from_ref(&sphere).cast(),
                                black_box(&raw const pose),
                                &raw const path.direction,
                                path.length,
                                HIT_FLAGS,
                                hits.as_mut_ptr(),
                                ROOM as u32,
                                &raw mut blocks,
                                &raw const filter,
                                null_mut(),
                                null(),
                                0.0,
                            )
                        };
                        usize::try_from(count).expect("there is room for all")
                    };
                    paths.iter().map(&mut met).sum()
                }))
            }
            Question::Overlaps(places) => {
                let places: Vec<PxTransform> = places.iter().map(|place| at(vector(*place))).collect();
                // SAFETY: plain numbers, for which zero is one.
                let mut hits: Vec<PxOverlapHit> = (0..ROOM).map(|_| unsafe { std::mem::zeroed() }).collect();
                Some(Box::new(move || {
                    let mut met = |pose: &PxTransform| {
                        // SAFETY: as for sweeps; there is room for as many hits as are asked for.
                        let count = unsafe {
                            let filter = PxQueryFilterData_new();
                            PxSceneQueryExt_overlapMultiple(
                                self.scene,
                                from_ref(&sphere).cast(),
                                black_box(pose),
                                hits.as_mut_ptr(),
                                ROOM as u32,
                                &raw const filter,
                                null_mut(),
                            )
                        };
                        usize::try_from(count).expect("there is room for all")
                    };
                    places.iter().map(&mut met).sum()
                }))
            }
            Question::Closest(_) | Question::Contacts(_) => None,
        }
    }
}

/// Characters with steps of 0.4 m.
pub struct Characters {
    walkers: Vec<Controller>,
    _level: Level,
}

impl Characters {
    pub fn new(scene: &BodyScene, starts: &[DVec3]) -> Self {
        let level = Level::new(scene);
        // SAFETY: the scene outlives the characters, which are dropped first.
        let walkers =
            starts.iter().map(|start| unsafe { Controller::new(level.scene, *start, 0.4) }).collect();
        Self { walkers, _level: level }
    }
}

impl Crowd for Characters {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        "ground, steps"
    }

    fn tick(&mut self, desired_velocities: &[DVec3]) {
        for (walker, desired_velocity) in self.walkers.iter().zip(desired_velocities) {
            walker.step(PxQueryFlags::Static, *desired_velocity);
        }
    }

    fn positions(&self) -> Vec<DVec3> {
        self.walkers.iter().map(Controller::position).collect()
    }
}

/// Kinematic actors.
pub struct Driven {
    hero: Controller,
    level: Level,
    places: Vec<PxTransform>,
}

impl Driven {
    pub fn new(scene: &BodyScene, driven: usize, hero: DVec3) -> Self {
        let level = Level::with_driven(scene, driven);
        let places = scene.bodies[..driven].iter().map(|body| at(vector(body.position))).collect();
        // SAFETY: the scene outlives the character, which is dropped first.
        let hero = unsafe { Controller::new(level.scene, hero, 0.4) };
        Self { hero, level, places }
    }
}

impl Moving for Driven {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        "kinematic targets"
    }

    fn advance(&mut self, velocity: DVec3) {
        let path = vector(velocity * f64::from(DT));
        for (place, actor) in self.places.iter_mut().zip(&self.level.actors) {
            place.p = PxVec3 { x: place.p.x + path.x, y: place.p.y + path.y, z: place.p.z + path.z };
            // SAFETY: the first actors are kinematic, and alive as long as the scene.
            unsafe { PxRigidDynamic_setKinematicTarget_mut(actor.cast(), &raw const *place) }
        }
        self.level.simulate();
    }

    fn hero(&mut self, desired_velocity: DVec3) {
        self.hero.step(PxQueryFlags::Static | PxQueryFlags::Dynamic, desired_velocity);
    }

    fn cast(&mut self, casts: &[SphereCast]) -> usize {
        let paths = paths(casts);
        let meets = |(cast, path): &(&SphereCast, &Path)| {
            // SAFETY: plain values.
            let sphere = unsafe { PxSphereGeometry_new(cast.radius as f32) };
            self.level.meets(from_ref(&sphere).cast(), &at(path.from), path)
        };
        casts.iter().zip(&paths).filter(meets).count()
    }
}
