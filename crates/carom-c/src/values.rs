//! Vectors, poses, shapes and materials: structures that cross the border by value.

use carom::glam::{DQuat, DVec3};
use carom::mesh::Surface;
use carom::shape::ShapeError;
use carom::world::{BodyId, Collider};
use carom::{Capsule, Cuboid, Ellipsoid, Layers, Mover, Pose, Sphere};

use crate::status::{CaromStatus, Failure};

/// Every layer: the default of queries.
pub const CAROM_LAYERS_ALL: u32 = u32::MAX;

/// Layer 0, the default of bodies.
pub const CAROM_LAYERS_SOLID: u32 = 1;

/// A vector: a position in meters, a velocity in m/s, or a direction.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CaromVec3 {
    /// Along x.
    pub x: f64,
    /// Along y.
    pub y: f64,
    /// Along z.
    pub z: f64,
}

/// A rotation as a quaternion. It is scaled to length one; all zeros are refused.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromQuat {
    /// The x of the axis times the sine of half the angle.
    pub x: f64,
    /// The y of the axis times the sine of half the angle.
    pub y: f64,
    /// The z of the axis times the sine of half the angle.
    pub z: f64,
    /// The cosine of half the angle: 1 if nothing is turned.
    pub w: f64,
}

/// The pose of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromPose {
    /// The position, in meters.
    pub position: CaromVec3,
    /// The rotation from the axes of the body to those of the world.
    pub rotation: CaromQuat,
    /// The scale, greater than 0.
    pub scale: f64,
}

/// The kind of a shape, which decides which of its numbers are used.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromShapeKind {
    /// A ray, for casts. Uses no number.
    Point = 0,
    /// A ball. `size.x` is the radius.
    Sphere = 1,
    /// An ellipsoid. `size` has the three radii.
    Ellipsoid = 2,
    /// A capsule. `size.x` is the radius, `size.y` half of the height of the cylinder, along y.
    Capsule = 3,
    /// A box. `size` has the half extents.
    Cuboid = 4,
}

/// A shape about its own center, in meters. Functions such as `carom_sphere` fill it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromShape {
    /// A `CaromShapeKind`.
    pub kind: u32,
    /// Its numbers, depending on the kind.
    pub size: CaromVec3,
    /// The rotation about its center. Points and spheres ignore it.
    pub rotation: CaromQuat,
}

/// The material of a body or of a triangle of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromSurface {
    /// The coefficient of friction, at least 0. −1: the default of the mover's rule.
    pub friction: f64,
    /// The share of the speed into the surface that returns, at least 0.
    pub restitution: f64,
    /// 1 if movers pass through it from the back, else 0.
    pub one_sided: u32,
    /// A number of your own, returned unchanged.
    pub tag: u32,
}

/// The id of a body of one world. A world refuses bodies of other worlds and removed bodies. A clone of a
/// world accepts the ids of the bodies that it was cloned with. 0: no body.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaromBody {
    /// Opaque, except that 0 is no body.
    pub value: u64,
}

impl CaromBody {
    pub(crate) const NULL: Self = Self { value: 0 };

    /// The id; its world says whether there is such a body.
    pub(crate) fn id(self) -> Result<BodyId, Failure> {
        // No body has birth 0: such an id would be taken by any world.
        if self.value >> 32 == 0 {
            return Err(Failure::new(CaromStatus::NoSuchBody, "the body is null"));
        }
        Ok(BodyId::from_bits(self.value))
    }
}

impl From<BodyId> for CaromBody {
    fn from(id: BodyId) -> Self {
        Self { value: id.to_bits() }
    }
}

impl From<DVec3> for CaromVec3 {
    fn from(v: DVec3) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}

impl CaromVec3 {
    pub(crate) const ZERO: Self = Self { x: 0.0, y: 0.0, z: 0.0 };

    pub(crate) fn get(self) -> DVec3 {
        DVec3::new(self.x, self.y, self.z)
    }

    /// The vector, if it is finite.
    pub(crate) fn finite(self, name: &str) -> Result<DVec3, Failure> {
        let v = self.get();
        if v.is_finite() { Ok(v) } else { Err(Failure::bad_value(format!("{name} must be finite"))) }
    }
}

impl CaromQuat {
    pub(crate) const IDENTITY: Self = Self { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };

    pub(crate) fn get(self) -> DQuat {
        DQuat::from_xyzw(self.x, self.y, self.z, self.w)
    }
}

impl From<DQuat> for CaromQuat {
    fn from(q: DQuat) -> Self {
        Self { x: q.x, y: q.y, z: q.z, w: q.w }
    }
}

impl CaromPose {
    pub(crate) const IDENTITY: Self =
        Self { position: CaromVec3::ZERO, rotation: CaromQuat::IDENTITY, scale: 1.0 };

    pub(crate) fn get(self) -> Result<Pose, Failure> {
        let pose = Pose::at(self.position.get())
            .and_then(|pose| pose.with_rotation(self.rotation.get()))
            .and_then(|pose| pose.with_scale(self.scale));
        pose.map_err(Failure::from)
    }
}

impl From<&Pose> for CaromPose {
    fn from(pose: &Pose) -> Self {
        Self { position: pose.position().into(), rotation: pose.rotation().into(), scale: pose.scale() }
    }
}

impl From<ShapeError> for Failure {
    fn from(error: ShapeError) -> Self {
        Self::bad_value(error)
    }
}

impl From<Mover> for CaromShape {
    fn from(mover: Mover) -> Self {
        let turned = |shape: Self, rotation: DQuat| Self { rotation: rotation.into(), ..shape };
        match mover {
            Mover::Point => carom_point(),
            Mover::Sphere(it) => carom_sphere(it.radius()),
            Mover::Ellipsoid(it) => turned(carom_ellipsoid(it.radii().into()), it.rotation()),
            Mover::Capsule(it) => turned(carom_capsule(it.radius(), it.half_height()), it.rotation()),
            Mover::Cuboid(it) => turned(carom_cuboid(it.half_extents().into()), it.rotation()),
        }
    }
}

impl CaromShape {
    fn of(kind: CaromShapeKind, size: CaromVec3) -> Self {
        Self { kind: kind as u32, size, rotation: CaromQuat::IDENTITY }
    }

    /// The shape, checked.
    #[inline]
    pub(crate) fn mover(&self) -> Result<Mover, Failure> {
        const POINT: u32 = CaromShapeKind::Point as u32;
        const SPHERE: u32 = CaromShapeKind::Sphere as u32;
        const ELLIPSOID: u32 = CaromShapeKind::Ellipsoid as u32;
        const CAPSULE: u32 = CaromShapeKind::Capsule as u32;
        const CUBOID: u32 = CaromShapeKind::Cuboid as u32;
        let (size, rotation) = (self.size.get(), self.rotation.get());
        Ok(match self.kind {
            POINT => Mover::Point,
            SPHERE => Sphere::new(size.x)?.into(),
            ELLIPSOID => Ellipsoid::new(size)?.with_rotation(rotation)?.into(),
            CAPSULE => Capsule::new(size.x, size.y)?.with_rotation(rotation)?.into(),
            CUBOID => Cuboid::new(size)?.with_rotation(rotation)?.into(),
            kind => return Err(Failure::bad_value(format!("there is no shape of kind {kind}: 0 to 4"))),
        })
    }

    /// The shape as a solid body.
    pub(crate) fn collider(&self) -> Result<Collider, Failure> {
        Ok(match self.mover()? {
            Mover::Sphere(sphere) => sphere.into(),
            Mover::Ellipsoid(ellipsoid) => ellipsoid.into(),
            Mover::Capsule(capsule) => capsule.into(),
            Mover::Cuboid(cuboid) => cuboid.into(),
            Mover::Point => return Err(Failure::bad_value("a point is for casts: a body has a size")),
        })
    }
}

impl CaromSurface {
    pub(crate) const DEFAULT: Self = Self { friction: -1.0, restitution: 0.0, one_sided: 0, tag: 0 };

    /// The checked surface. A mesh checks these numbers again and names the surface in its error.
    pub(crate) fn get(&self) -> Result<Surface, Failure> {
        let friction = (self.friction != -1.0).then_some(self.friction);
        let is_good = |x: f64| x.is_finite() && x >= 0.0;
        if !(friction.is_none_or(is_good) && is_good(self.restitution) && self.one_sided <= 1) {
            let message =
                "a surface has friction of at least 0 or −1, restitution of at least 0, one_sided 0 or 1";
            return Err(Failure::bad_value(message));
        }
        Ok(Surface { friction, restitution: self.restitution, one_sided: self.one_sided == 1, tag: self.tag })
    }
}

/// The layers whose bits are set.
pub(crate) fn layers(bits: u32) -> Layers {
    Layers::from_bits(bits)
}

/// A ray, for casts.
#[unsafe(no_mangle)]
pub extern "C" fn carom_point() -> CaromShape {
    CaromShape::of(CaromShapeKind::Point, CaromVec3::ZERO)
}

/// A ball of this radius, in meters.
#[unsafe(no_mangle)]
pub extern "C" fn carom_sphere(radius: f64) -> CaromShape {
    CaromShape::of(CaromShapeKind::Sphere, CaromVec3 { x: radius, y: 0.0, z: 0.0 })
}

/// An ellipsoid with these radii along its axes, in meters.
#[unsafe(no_mangle)]
pub extern "C" fn carom_ellipsoid(radii: CaromVec3) -> CaromShape {
    CaromShape::of(CaromShapeKind::Ellipsoid, radii)
}

/// An upright capsule: its radius and half of the height of its cylinder, in meters.
#[unsafe(no_mangle)]
pub extern "C" fn carom_capsule(radius: f64, half_height: f64) -> CaromShape {
    CaromShape::of(CaromShapeKind::Capsule, CaromVec3 { x: radius, y: half_height, z: 0.0 })
}

/// A box with these half extents, in meters.
#[unsafe(no_mangle)]
pub extern "C" fn carom_cuboid(half_extents: CaromVec3) -> CaromShape {
    CaromShape::of(CaromShapeKind::Cuboid, half_extents)
}

/// The pose at a position, not turned, at scale 1.
#[unsafe(no_mangle)]
pub extern "C" fn carom_pose_at(position: CaromVec3) -> CaromPose {
    CaromPose { position, ..CaromPose::IDENTITY }
}

/// The default material: friction of the mover's rule, no bounce, solid from both sides, tag 0.
#[unsafe(no_mangle)]
pub extern "C" fn carom_surface_default() -> CaromSurface {
    CaromSurface::DEFAULT
}
