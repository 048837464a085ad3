//! Worlds, and the bodies in them.

use carom::world::{Collider, MoveError, Moves};
use carom::{Body, World};

use crate::border::{check_size, guard, list, out, read_or_null};
use crate::collider::{COLLIDERS, CaromCollider};
use crate::handles::Objects;
use crate::mesh::{CaromMesh, MESHES};
use crate::status::{CaromStatus, Failure};
use crate::values::{CAROM_LAYERS_SOLID, CaromBody, CaromPose, CaromShape, CaromSurface, CaromVec3, layers};

/// A world: all bodies that movers can hit.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaromWorld {
    /// Opaque, except that 0 is no world.
    pub value: u64,
}

pub(crate) static WORLDS: Objects<World> = Objects::new(2, "world");

/// How a body may move.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromMotion {
    /// It never moves in a tick.
    Fixed = 0,
    /// The game moves it: lifts, doors. Nothing stops it.
    Kinematic = 1,
    /// The game moves it, and it has a mass: characters report how hard they push it.
    Dynamic = 2,
}

/// The settings of a body: everything but its shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromBodySettings {
    /// The size of this structure; `carom_body_settings_default` sets it.
    pub size: u32,
    /// A `CaromMotion`.
    pub motion: u32,
    /// Its pose.
    pub pose: CaromPose,
    /// The mass in kilograms, greater than 0; only for dynamic bodies.
    pub mass: f64,
    /// Bit i says whether it is on layer i.
    pub layers: u32,
    /// 1 for a sensor: it stops nothing, and casts ignore it. Else 0.
    pub is_sensor: u32,
    /// A number of your own, which every answer about the body contains.
    pub user_data: u64,
    /// Its material. A mesh keeps its own materials.
    pub surface: CaromSurface,
    /// The velocity of its surface, like a conveyor belt, in m/s along the axes of the world.
    pub surface_velocity: CaromVec3,
}

/// How a body is driven.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromMoveKind {
    /// By its velocities.
    Drive = 0,
    /// To a pose, which it has at the end of the tick.
    MoveTo = 1,
}

/// The motion of one body in a tick. `carom_drive` and `carom_move_to` fill it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromMove {
    /// The body.
    pub body: CaromBody,
    /// A `CaromMoveKind`.
    pub kind: u32,
    /// The velocity in m/s, if it is driven.
    pub linear: CaromVec3,
    /// The angular velocity in rad/s about the axes of the world, if it is driven.
    pub angular: CaromVec3,
    /// The pose, if it is moved to a pose.
    pub pose: CaromPose,
}

impl From<MoveError> for Failure {
    fn from(error: MoveError) -> Self {
        let status = match error {
            MoveError::NoSuchBody => CaromStatus::NoSuchBody,
            MoveError::Fixed => CaromStatus::FixedBody,
            _ => CaromStatus::BadValue,
        };
        Self::new(status, error)
    }
}

/// The body, if it is one of this world.
pub(crate) fn body_of(world: &World, body: CaromBody) -> Result<&Body, Failure> {
    world.body(body.id()?).ok_or_else(|| MoveError::NoSuchBody.into())
}

fn add(
    world: CaromWorld,
    collider: Collider,
    settings: Option<CaromBodySettings>,
) -> Result<CaromBody, Failure> {
    let settings = settings.unwrap_or(DEFAULT);
    check_size::<CaromBodySettings>(settings.size, "settings")?;
    let body = match settings.motion {
        0 => Body::fixed(collider),
        1 => Body::kinematic(collider),
        2 => Body::dynamic(collider, settings.mass)?,
        motion => return Err(Failure::bad_value(format!("there is no motion {motion}: 0 to 2"))),
    };
    let mut body =
        body.at(settings.pose.get()?).on(layers(settings.layers)).with_user_data(settings.user_data);
    match settings.is_sensor {
        0 => {}
        1 => body = body.sensor(),
        other => return Err(Failure::bad_value(format!("is_sensor must be 0 or 1, not {other}"))),
    }
    // Usual settings take no memory.
    if settings.surface != CaromSurface::DEFAULT {
        body = body.with_surface(settings.surface.get()?);
    }
    if settings.surface_velocity != CaromVec3::ZERO {
        body = body.with_surface_velocity(settings.surface_velocity.get())?;
    }
    Ok(WORLDS.write(world.value)?.try_add(body)?.into())
}

const DEFAULT: CaromBodySettings = CaromBodySettings {
    size: size_of::<CaromBodySettings>() as u32,
    motion: CaromMotion::Fixed as u32,
    pose: CaromPose::IDENTITY,
    mass: 0.0,
    layers: CAROM_LAYERS_SOLID,
    is_sensor: 0,
    user_data: 0,
    surface: CaromSurface::DEFAULT,
    surface_velocity: CaromVec3::ZERO,
};

/// A fixed body at the origin on layer 0.
#[unsafe(no_mangle)]
pub extern "C" fn carom_body_settings_default() -> CaromBodySettings {
    DEFAULT
}

/// Drives a body by velocities, in m/s and rad/s.
#[unsafe(no_mangle)]
pub extern "C" fn carom_drive(body: CaromBody, linear: CaromVec3, angular: CaromVec3) -> CaromMove {
    CaromMove { body, kind: CaromMoveKind::Drive as u32, linear, angular, pose: CaromPose::IDENTITY }
}

/// Moves a body to a pose.
#[unsafe(no_mangle)]
pub extern "C" fn carom_move_to(body: CaromBody, pose: CaromPose) -> CaromMove {
    let (linear, angular) = (CaromVec3::ZERO, CaromVec3::ZERO);
    CaromMove { body, kind: CaromMoveKind::MoveTo as u32, linear, angular, pose }
}

/// An empty world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_new(world: *mut CaromWorld) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let world = unsafe { out(world, "world") }?;
        world.write(CaromWorld { value: WORLDS.insert(World::new())? });
        Ok(())
    })
}

/// A copy of the present world with all bodies, for rollback. Ids of bodies of one world name their copies in
/// the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_clone(world: CaromWorld, copy: *mut CaromWorld) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let copy = unsafe { out(copy, "copy") }?;
        let cloned = WORLDS.read(world.value)?.clone();
        copy.write(CaromWorld { value: WORLDS.insert(cloned)? });
        Ok(())
    })
}

/// Frees a world and its bodies. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn carom_world_free(world: CaromWorld) -> CaromStatus {
    guard(|| WORLDS.remove(world.value))
}

/// Adds a solid body. `settings` may be null: fixed, at the origin. `body` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_add_shape(
    world: CaromWorld,
    shape: CaromShape,
    settings: *const CaromBodySettings,
    body: *mut CaromBody,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let settings = unsafe { read_or_null(settings, "settings") }?;
        let id = add(world, shape.collider()?, settings)?;
        // SAFETY: as above.
        unsafe { write_unless_null(body, id) }
    })
}

/// Adds a body of triangles. `settings` may be null: fixed, at the origin. `body` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_add_mesh(
    world: CaromWorld,
    mesh: CaromMesh,
    settings: *const CaromBodySettings,
    body: *mut CaromBody,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let settings = unsafe { read_or_null(settings, "settings") }?;
        let tree = MESHES.read(mesh.value)?.tree.clone();
        let id = add(world, tree.into(), settings)?;
        // SAFETY: as above.
        unsafe { write_unless_null(body, id) }
    })
}

/// Adds a body with a collider. `settings` may be null: fixed, at the origin. `body` may be null. A height
/// field keeps its own materials.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_add(
    world: CaromWorld,
    collider: CaromCollider,
    settings: *const CaromBodySettings,
    body: *mut CaromBody,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let settings = unsafe { read_or_null(settings, "settings") }?;
        let made_of = COLLIDERS.read(collider.value)?.clone();
        let id = add(world, made_of, settings)?;
        // SAFETY: as above.
        unsafe { write_unless_null(body, id) }
    })
}

/// # Safety
/// The rules of pointers.
unsafe fn write_unless_null(body: *mut CaromBody, id: CaromBody) -> Result<(), Failure> {
    if !body.is_null() {
        // SAFETY: the caller keeps the rules.
        unsafe { out(body, "body") }?.write(id);
    }
    Ok(())
}

/// Removes a body.
#[unsafe(no_mangle)]
pub extern "C" fn carom_world_remove(world: CaromWorld, body: CaromBody) -> CaromStatus {
    guard(|| {
        let removed = WORLDS.write(world.value)?.remove(body.id()?);
        removed.map(drop).ok_or_else(|| MoveError::NoSuchBody.into())
    })
}

/// Writes the number of bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_body_count(world: CaromWorld, count: *mut usize) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let count = unsafe { out(count, "count") }?;
        count.write(WORLDS.read(world.value)?.len());
        Ok(())
    })
}

/// The pose of a body; at the end of the tick, if it moves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_pose(
    world: CaromWorld,
    body: CaromBody,
    pose: *mut CaromPose,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let pose = unsafe { out(pose, "pose") }?;
        pose.write(body_of(&*WORLDS.read(world.value)?, body)?.pose().into());
        Ok(())
    })
}

/// Moves a body at once, without motion between. It does not push characters there; they get out of it in
/// their next tick.
#[unsafe(no_mangle)]
pub extern "C" fn carom_world_set_pose(world: CaromWorld, body: CaromBody, pose: CaromPose) -> CaromStatus {
    guard(|| {
        let (id, pose) = (body.id()?, pose.get()?);
        Ok(WORLDS.write(world.value)?.set_pose(id, pose)?)
    })
}

/// Gives a body another number of your own.
#[unsafe(no_mangle)]
pub extern "C" fn carom_world_set_user_data(
    world: CaromWorld,
    body: CaromBody,
    user_data: u64,
) -> CaromStatus {
    guard(|| Ok(WORLDS.write(world.value)?.set_user_data(body.id()?, user_data)?))
}

/// Starts a tick of `seconds`: the bodies of `moves` move, all others stay. From then on casts find bodies at
/// their poses at the end of the tick; characters meet them on their way.
///
/// If some bodies cannot move, the status and the message are those of the first of them. All others have
/// moved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_advance(
    world: CaromWorld,
    seconds: f64,
    moves: *const CaromMove,
    move_count: usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let list = unsafe { list(moves, move_count, "moves") }?;
        let seconds = tick_length(seconds)?;
        let mut world = WORLDS.write(world.value)?;
        world.advance(seconds, |moves| send(moves, list))
    })
}

/// Sends bodies on their ways: all that can go. Fails as the first one that cannot.
pub(crate) fn send(moves: &mut Moves<'_>, list: &[CaromMove]) -> Result<(), Failure> {
    let mut first = Ok(());
    for (i, sent) in list.iter().enumerate() {
        let went = sent.body.id().and_then(|id| match sent.kind {
            0 => Ok(moves.drive(id, sent.linear.get(), sent.angular.get())?),
            1 => Ok(moves.move_to(id, sent.pose.get()?)?),
            kind => Err(Failure::bad_value(format!("there is no kind of move {kind}: 0 or 1"))),
        });
        if let Err(failure) = went
            && first.is_ok()
        {
            first = Err(failure.within(format!("move {i}")));
        }
    }
    first
}

/// How long a tick is, if that is a time.
pub(crate) fn tick_length(seconds: f64) -> Result<f64, Failure> {
    if seconds.is_finite() && seconds >= 0.0 {
        return Ok(seconds);
    }
    Err(Failure::bad_value("the seconds of a tick must be finite and at least 0"))
}
