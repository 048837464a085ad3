//! PhysX 5.1 through the crate physx-sys.
//!
//! Casts: `PxGeometryQuery::sweep` and `raycast` of the mesh alone, with no scene between, which is the least
//! that PhysX can do: position, normal and face, both sides, the default guard. Cooking with its default
//! parameters (`BVH34`). Characters: `PxCapsuleController` with a contact offset of 2 cm, as near as the
//! others come (its default of 10 cm would hover), and the default slope limit; with steps, a step offset of
//! 0.4 m. Its user keeps the vertical speed: gravity adds to it, and touching something below ends it.

#![expect(unsafe_code, reason = "all of PhysX is foreign functions")]

use std::cell::Cell;
use std::hint::black_box;
use std::ptr::{from_ref, null, null_mut};
use std::sync::LazyLock;

use carom_scenes::workload::{CAST_RADIUS, WALKER_HALF_HEIGHT, WALKER_RADIUS, Walker};
use carom_scenes::{SceneMesh, SphereCast};
use glam::DVec3;
use physx_sys::*;

use super::{Batch, Builder, CAPSULE_HALF_HEIGHT, CastShape, Caster, Crowd, FREE, single};
use crate::memory;
use crate::rounds::timed;

pub(super) const ENGINE: &str = "PhysX 5.1";
pub(super) const DT: f32 = 1.0 / 60.0;

/// The one foundation that a process may have, and the physics of it. Never released: meshes live as long as
/// they like.
pub(super) struct Sdk {
    pub(super) physics: *mut PxPhysics,
    pub(super) material: *mut PxMaterial,
}

// SAFETY: the objects are made once, never changed and never freed; PhysX allows its factory to be used from
// any thread.
unsafe impl Send for Sdk {}
// SAFETY: as above.
unsafe impl Sync for Sdk {}

pub(super) static SDK: LazyLock<Sdk> = LazyLock::new(|| {
    // SAFETY: called once, as PhysX demands; null is checked for.
    unsafe {
        let foundation = physx_create_foundation();
        assert!(!foundation.is_null(), "PhysX has a foundation");
        let physics = physx_create_physics(foundation);
        assert!(!physics.is_null(), "PhysX starts");
        Sdk { physics, material: PxPhysics_createMaterial_mut(physics, 0.5, 0.5, 0.0) }
    }
});

pub(super) fn vector(v: DVec3) -> PxVec3 {
    let [x, y, z] = single(v);
    PxVec3 { x, y, z }
}

pub(super) fn at(position: PxVec3) -> PxTransform {
    PxTransform { q: PxQuat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }, p: position }
}

/// Its capsules lie along x: a quarter turn stands them up.
pub(super) fn upright(position: PxVec3) -> PxTransform {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    PxTransform { q: PxQuat { x: 0.0, y: 0.0, z: half, w: half }, p: position }
}

/// A cooked mesh.
pub(super) struct Cooked(*mut PxTriangleMesh);

impl Cooked {
    pub(super) fn new(mesh: &SceneMesh) -> Self {
        // SAFETY: the lists outlive the call, which copies them; strides and counts are theirs. All is set
        // before it is used.
        unsafe {
            let params = PxCookingParams_new(PxPhysics_getTolerancesScale(SDK.physics));
            let mut description = PxTriangleMeshDesc_new();
            description.points.count = mesh.vertices.len() as u32;
            description.points.stride = size_of::<[f32; 3]>() as u32;
            description.points.data = mesh.vertices.as_ptr().cast();
            description.triangles.count = mesh.triangles.len() as u32;
            description.triangles.stride = size_of::<[u32; 3]>() as u32;
            description.triangles.data = mesh.triangles.as_ptr().cast();
            let insertion = PxPhysics_getPhysicsInsertionCallback_mut(SDK.physics);
            let cooked =
                phys_PxCreateTriangleMesh(&raw const params, &raw const description, insertion, null_mut());
            assert!(!cooked.is_null(), "generated meshes can be cooked");
            Self(cooked)
        }
    }

    fn geometry(&self) -> PxTriangleMeshGeometry {
        self.scaled(1.0)
    }

    pub(super) fn scaled(&self, scale: f32) -> PxTriangleMeshGeometry {
        // SAFETY: plain values and a mesh that lives as long as `self`.
        unsafe {
            let scale = PxMeshScale_new_1(scale);
            PxTriangleMeshGeometry_new(self.0, &raw const scale, PxMeshGeometryFlags::empty())
        }
    }
}

impl Drop for Cooked {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and given back once.
        unsafe { PxTriangleMesh_release_mut(self.0) }
    }
}

/// A mesh to be asked directly.
pub struct Level {
    mesh: Cooked,
}

impl Level {
    pub fn new(mesh: &SceneMesh) -> Self {
        Self { mesh: Cooked::new(mesh) }
    }
}

pub(super) struct Path {
    pub(super) from: PxVec3,
    pub(super) direction: PxVec3,
    pub(super) length: f32,
}

pub(super) fn paths(casts: &[SphereCast]) -> Vec<Path> {
    casts
        .iter()
        .map(|cast| Path {
            from: vector(cast.from),
            direction: vector(cast.translation / cast.translation.length()),
            length: cast.translation.length() as f32,
        })
        .collect()
}

pub(super) const HIT_FLAGS: PxHitFlags =
    PxHitFlags::from_bits_truncate(PxHitFlags::Default.bits() | PxHitFlags::MeshBothSides.bits());

impl Caster for Level {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn is_tried_sorted(&self) -> bool {
        true
    }

    fn batch<'a>(&'a self, shape: CastShape, casts: &[SphereCast]) -> Option<Batch<'a>> {
        let paths = paths(casts);
        let level = self.mesh.geometry();
        let rest = at(PxVec3 { x: 0.0, y: 0.0, z: 0.0 });
        if shape == CastShape::Ray {
            // SAFETY: plain numbers, for which zero is one.
            let mut hit: PxGeomRaycastHit = unsafe { std::mem::zeroed() };
            return Some(Box::new(move |fractions| {
                for (path, fraction) in paths.iter().zip(fractions) {
                    // SAFETY: all pointers are to values that outlive the call; there is room for the one hit
                    // that is asked for.
                    let count = unsafe {
                        PxGeometryQuery_raycast(
                            black_box(&raw const path.from),
                            &raw const path.direction,
                            from_ref(&level).cast(),
                            &raw const rest,
                            path.length,
                            HIT_FLAGS,
                            1,
                            &raw mut hit,
                            size_of::<PxGeomRaycastHit>() as u32,
                            PxGeometryQueryFlags::SimdGuard,
                            null_mut(),
                        )
                    };
                    *fraction = if count > 0 { fraction_of(hit.distance, path.length) } else { FREE };
                }
            }));
        }
        // SAFETY: plain values.
        let (sphere, capsule) = unsafe {
            (
                PxSphereGeometry_new(CAST_RADIUS as f32),
                PxCapsuleGeometry_new(CAST_RADIUS as f32, CAPSULE_HALF_HEIGHT as f32),
            )
        };
        // SAFETY: plain numbers, for which zero is one.
        let mut hit: PxGeomSweepHit = unsafe { std::mem::zeroed() };
        Some(Box::new(move |fractions| {
            for (path, fraction) in paths.iter().zip(fractions) {
                let (geometry, place) = match shape {
                    CastShape::Capsule => (from_ref(&capsule).cast::<PxGeometry>(), upright(path.from)),
                    _ => (from_ref(&sphere).cast::<PxGeometry>(), at(path.from)),
                };
                // SAFETY: all pointers are to values that outlive the call.
                let met = unsafe {
                    PxGeometryQuery_sweep(
                        &raw const path.direction,
                        path.length,
                        geometry,
                        black_box(&raw const place),
                        from_ref(&level).cast(),
                        &raw const rest,
                        &raw mut hit,
                        HIT_FLAGS,
                        0.0,
                        PxGeometryQueryFlags::SimdGuard,
                        null_mut(),
                    )
                };
                *fraction = if met { fraction_of(hit.distance, path.length) } else { FREE };
            }
        }))
    }
}

fn fraction_of(distance: f32, length: f32) -> f64 {
    f64::from(distance) / f64::from(length)
}

/// A character. Each has a manager of its own, because all characters of one manager test each other in every
/// move.
pub(super) struct Controller {
    manager: *mut PxControllerManager,
    controller: *mut PxController,
    fall: Cell<f32>,
}

/// A scene with a level and its characters.
pub struct Characters {
    characters: Vec<Controller>,
    scene: *mut PxScene,
    /// Dropped after the scene that shows it.
    _mesh: Cooked,
    setup: &'static str,
}

impl Characters {
    /// It does not try to climb.
    pub fn without_steps(mesh: &SceneMesh, walkers: &[Walker]) -> Self {
        Self::new(mesh, walkers, 0.0, "ground")
    }

    /// With steps as high as Carom's.
    pub fn with_steps(mesh: &SceneMesh, walkers: &[Walker]) -> Self {
        Self::new(mesh, walkers, 0.4, "ground, steps")
    }

    fn new(mesh: &SceneMesh, walkers: &[Walker], step: f32, setup: &'static str) -> Self {
        let mesh = Cooked::new(mesh);
        // SAFETY: objects are made by their own makers in the order of the guide; all that is pointed to
        // outlives the calls.
        unsafe {
            let mut description = PxSceneDesc_new(PxPhysics_getTolerancesScale(SDK.physics));
            let dispatcher = phys_PxDefaultCpuDispatcherCreate(
                0,
                null_mut(),
                PxDefaultCpuDispatcherWaitForWorkMode::WaitForWork,
                0,
            );
            description.cpuDispatcher = dispatcher.cast();
            description.filterShader = get_default_simulation_filter_shader();
            let scene = PxPhysics_createScene_mut(SDK.physics, &raw const description);
            assert!(!scene.is_null(), "the description of the scene is complete");
            let origin = at(PxVec3 { x: 0.0, y: 0.0, z: 0.0 });
            // Both sides, as for everyone: characters that come to be inside of a box are held there.
            let mut geometry = mesh.geometry();
            geometry.meshFlags = PxMeshGeometryFlags::DoubleSided;
            let level = phys_PxCreateStatic(
                SDK.physics,
                &raw const origin,
                from_ref(&geometry).cast(),
                SDK.material,
                &raw const origin,
            );
            PxScene_addActor_mut(scene, level.cast(), null());
            let characters =
                walkers.iter().map(|walker| Controller::new(scene, walker.start, step)).collect();
            Self { characters, scene, _mesh: mesh, setup }
        }
    }
}

impl Controller {
    /// # Safety
    /// The scene is alive, and outlives what is made.
    pub(super) unsafe fn new(scene: *mut PxScene, start: DVec3, step: f32) -> Self {
        // SAFETY: the scene is alive; the description is PhysX's own, with its defaults, and given back.
        unsafe {
            let manager = phys_PxCreateControllerManager(scene, false);
            let description = PxCapsuleControllerDesc_new_alloc();
            let [x, y, z] = single(start).map(f64::from);
            (*description).position = PxExtendedVec3 { x, y, z };
            (*description).radius = WALKER_RADIUS as f32;
            (*description).height = (2.0 * WALKER_HALF_HEIGHT) as f32;
            (*description).contactOffset = 0.02;
            (*description).stepOffset = step;
            (*description).material = SDK.material;
            assert!(PxCapsuleControllerDesc_isValid(description), "the description is complete");
            let controller = PxControllerManager_createController_mut(manager, description.cast());
            PxCapsuleControllerDesc_delete(description);
            assert!(!controller.is_null(), "the description was valid");
            Self { manager, controller, fall: Cell::new(0.0) }
        }
    }
}

impl Controller {
    /// A tick among the actors that the flags say.
    pub(super) fn step(&self, among: PxQueryFlags, desired_velocity: DVec3) {
        // SAFETY: no data, no callbacks.
        let mut filters = unsafe { PxControllerFilters_new(null(), null_mut(), null_mut()) };
        filters.mFilterFlags = among;
        let fall = self.fall.get() - 9.81 * DT;
        let mut path = vector(desired_velocity * f64::from(DT));
        path.y += fall * DT;
        // SAFETY: the controller is alive, and the path and the filters outlive the call.
        let touched = unsafe {
            PxController_move_mut(
                self.controller,
                black_box(&raw const path),
                0.0,
                DT,
                &raw const filters,
                null(),
            )
        };
        let on_ground = touched.contains(PxControllerCollisionFlags::CollisionDown);
        self.fall.set(if on_ground { 0.0 } else { fall });
    }

    pub(super) fn position(&self) -> DVec3 {
        // SAFETY: the controller is alive; what it points to is read at once.
        let place = unsafe { &*PxController_getPosition(self.controller) };
        DVec3::new(place.x, place.y, place.z)
    }
}

impl Drop for Controller {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and given back once, before the scene.
        unsafe { PxControllerManager_release_mut(self.manager) }
    }
}

impl Drop for Characters {
    fn drop(&mut self) {
        // SAFETY: all made by `new`, given back once, users before what they use.
        unsafe {
            self.characters.clear();
            PxScene_release_mut(self.scene);
        }
    }
}

impl Crowd for Characters {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        self.setup
    }

    fn tick(&mut self, desired_velocities: &[DVec3]) {
        for (character, desired_velocity) in self.characters.iter().zip(desired_velocities) {
            character.step(PxQueryFlags::Static, *desired_velocity);
        }
    }

    fn positions(&self) -> Vec<DVec3> {
        self.characters.iter().map(Controller::position).collect()
    }
}

pub fn builders() -> [Builder; 1] {
    // The process has its foundation before anything is weighed.
    LazyLock::force(&SDK);
    [Builder {
        engine: ENGINE,
        setup: "cooked",
        time: |mesh| timed(|| Cooked::new(mesh)),
        weigh: |mesh| memory::kept(|| Cooked::new(mesh)),
    }]
}
