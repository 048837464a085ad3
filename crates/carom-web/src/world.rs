//! Bodies, casts and ticks.

use carom::glam::{DQuat, DVec3, dvec3};
use carom::shape::ShapeError;
use carom::sweep::Feature;
use carom::world::{Batch, CastHit, Collider, MoveError};
use carom::{Body, Cast, Layers, Mover, Pose, World};
use wasm_bindgen::prelude::*;

use crate::answer::Answer;
use crate::error::{bad_value, gone};
use crate::mesh::RawMesh;
use crate::shape::RawShape;

/// How many numbers an answer of [`RawWorld::cast_many`] has.
const HIT: usize = 11;

/// A world, and what is set in motion in the next tick.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct RawWorld {
    pub(crate) world: World,
    ids: Vec<carom::world::BodyId>,
    sent: Vec<Sent>,
    batch: Batch,
    casts: Vec<Cast>,
    /// Six numbers a cast, and what came of them.
    queries: Vec<f64>,
    hits: Vec<f64>,
    answer: Answer,
}

/// A body's way through the next tick.
#[derive(Clone, Copy, Debug)]
enum Sent {
    Driven { body: u32, linear: DVec3, angular: DVec3 },
    Moved { body: u32, pose: Pose },
}

#[wasm_bindgen]
impl RawWorld {
    /// An empty world.
    #[wasm_bindgen(constructor)]
    pub fn new() -> RawWorld {
        RawWorld::default()
    }

    /// Where the answers of this world are, in bytes.
    pub fn answers(&self) -> usize {
        self.answer.address()
    }

    /// Adds a solid body. `mass`: NaN for a fixed body, 0 for a kinematic one, else kilograms. The rest is
    /// its pose and layers.
    ///
    /// # Errors
    /// A point; numbers that are not finite.
    #[wasm_bindgen(js_name = addShape)]
    #[expect(clippy::too_many_arguments, reason = "numbers cross the border one by one, without allocating")]
    pub fn add_shape(
        &mut self,
        shape: &RawShape,
        mass: f64,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
        scale: f64,
        layers: u32,
    ) -> Result<u32, JsValue> {
        self.add(collider(&shape.0)?, mass, pose(dvec3(x, y, z), [qx, qy, qz, qw], scale)?, layers)
    }

    /// The same with triangles.
    ///
    /// # Errors
    /// Numbers that are not finite.
    #[wasm_bindgen(js_name = addMesh)]
    #[expect(clippy::too_many_arguments, reason = "numbers cross the border one by one, without allocating")]
    pub fn add_mesh(
        &mut self,
        mesh: &RawMesh,
        mass: f64,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
        scale: f64,
        layers: u32,
    ) -> Result<u32, JsValue> {
        let pose = pose(dvec3(x, y, z), [qx, qy, qz, qw], scale)?;
        self.add(mesh.tree.clone().into(), mass, pose, layers)
    }

    /// Takes a body out.
    ///
    /// # Errors
    /// A body that is not there.
    pub fn remove(&mut self, body: u32) -> Result<(), JsValue> {
        let id = self.id(body)?;
        self.world.remove(id).map(drop).ok_or_else(|| gone("the body was removed before"))
    }

    /// Puts a body elsewhere at once.
    ///
    /// # Errors
    /// A body that is not there, numbers that are not finite.
    #[wasm_bindgen(js_name = setPose)]
    #[expect(clippy::too_many_arguments, reason = "numbers cross the border one by one, without allocating")]
    pub fn set_pose(
        &mut self,
        body: u32,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
        scale: f64,
    ) -> Result<(), JsValue> {
        let id = self.id(body)?;
        self.world.set_pose(id, pose(dvec3(x, y, z), [qx, qy, qz, qw], scale)?).map_err(refused)
    }

    /// Writes position, rotation and scale of a body: 8 numbers.
    ///
    /// # Errors
    /// A body that is not there.
    #[wasm_bindgen(js_name = pose)]
    pub fn body_pose(&mut self, body: u32) -> Result<(), JsValue> {
        let id = self.id(body)?;
        let pose = *self.world.body(id).ok_or_else(|| gone("the body was removed"))?.pose();
        let [qx, qy, qz, qw] = pose.rotation().to_array();
        self.answer
            .begin()
            .vector(pose.position())
            .number(qx)
            .number(qy)
            .number(qz)
            .number(qw)
            .number(pose.scale());
        Ok(())
    }

    /// Moves a body in the next tick, by velocities.
    #[expect(clippy::too_many_arguments, reason = "numbers cross the border one by one, without allocating")]
    pub fn drive(&mut self, body: u32, x: f64, y: f64, z: f64, ax: f64, ay: f64, az: f64) {
        self.sent.push(Sent::Driven { body, linear: dvec3(x, y, z), angular: dvec3(ax, ay, az) });
    }

    /// Moves a body in the next tick, to a pose.
    ///
    /// # Errors
    /// Numbers that are not finite.
    #[wasm_bindgen(js_name = moveTo)]
    #[expect(clippy::too_many_arguments, reason = "numbers cross the border one by one, without allocating")]
    pub fn move_to(
        &mut self,
        body: u32,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
    ) -> Result<(), JsValue> {
        let id = self.id(body)?;
        let scale = self.world.body(id).map_or(1.0, |body| body.pose().scale());
        self.sent.push(Sent::Moved { body, pose: pose(dvec3(x, y, z), [qx, qy, qz, qw], scale)? });
        Ok(())
    }

    /// Starts a tick: what was sent since the last one goes, all else stays.
    ///
    /// # Errors
    /// The first body that can't go, and why; the others have gone.
    pub fn advance(&mut self, seconds: f64) -> Result<(), JsValue> {
        let Self { world, sent, ids, .. } = self;
        let mut first = Ok(());
        world.advance(seconds, |moves| {
            for sent in sent.drain(..) {
                let (Sent::Driven { body, .. } | Sent::Moved { body, .. }) = sent;
                let gone = ids.get(body as usize).ok_or(MoveError::NoSuchBody);
                let went = gone.and_then(|id| match sent {
                    Sent::Driven { linear, angular, .. } => moves.drive(*id, linear, angular),
                    Sent::Moved { pose, .. } => moves.move_to(*id, pose),
                });
                first = core::mem::replace(&mut first, Ok(())).and(went);
            }
        });
        first.map_err(refused)
    }

    /// Casts a shape; false where the path is free. Writes fraction, point, normal, body, part, feature (0
    /// face, 1 edge, 2 vertex) and 1 for an overlap at the start: 11 numbers. `exclude`: a body to pass, −1
    /// for none.
    ///
    /// # Errors
    /// Numbers that are not finite.
    #[expect(clippy::too_many_arguments, reason = "numbers cross the border one by one, without allocating")]
    pub fn cast(
        &mut self,
        shape: &RawShape,
        x: f64,
        y: f64,
        z: f64,
        dx: f64,
        dy: f64,
        dz: f64,
        layers: u32,
        exclude: i32,
    ) -> Result<bool, JsValue> {
        self.answer_cast(Cast::new(shape.0, dvec3(x, y, z), dvec3(dx, dy, dz)), layers, exclude)
    }

    /// The same with a ray.
    ///
    /// # Errors
    /// Numbers that are not finite.
    #[expect(clippy::too_many_arguments, reason = "numbers cross the border one by one, without allocating")]
    pub fn raycast(
        &mut self,
        x: f64,
        y: f64,
        z: f64,
        dx: f64,
        dy: f64,
        dz: f64,
        layers: u32,
        exclude: i32,
    ) -> Result<bool, JsValue> {
        self.answer_cast(Cast::new(Mover::Point, dvec3(x, y, z), dvec3(dx, dy, dz)), layers, exclude)
    }

    /// Makes room for the queries of [`Self::cast_many`], six numbers each, from and translation, and returns
    /// where it is, in bytes.
    #[wasm_bindgen(js_name = queriesAddress)]
    pub fn queries_address(&mut self, count: usize) -> usize {
        self.queries.resize(6 * count, 0.0);
        self.queries.as_ptr().addr()
    }

    /// Casts one shape by the queries that were written. Returns where the answers are, in bytes: eleven
    /// numbers each, as [`Self::cast`] writes them; all NaN where the path is free.
    ///
    /// # Errors
    /// Numbers that are not finite.
    #[wasm_bindgen(js_name = castMany)]
    pub fn cast_many(&mut self, shape: &RawShape, layers: u32) -> Result<usize, JsValue> {
        self.casts.clear();
        for (i, &[x, y, z, dx, dy, dz]) in self.queries.as_chunks::<6>().0.iter().enumerate() {
            let cast = Cast::new(shape.0, dvec3(x, y, z), dvec3(dx, dy, dz))
                .map_err(|error| bad_value(format!("cast {i}: {error}")))?;
            self.casts.push(cast.filter(Layers::from_bits(layers)));
        }
        self.hits.clear();
        self.hits.resize(self.casts.len() * HIT, f64::NAN);
        let hits = self.world.cast_many(&self.casts, &mut self.batch);
        for (hit, place) in hits.iter().zip(self.hits.as_chunks_mut::<HIT>().0) {
            if let Some(hit) = hit {
                *place = hit_numbers(hit);
            }
        }
        Ok(self.hits.as_ptr().addr())
    }

    /// The bodies that the shape overlaps, each once.
    ///
    /// # Errors
    /// Numbers that are not finite.
    pub fn overlaps(
        &self,
        shape: &RawShape,
        x: f64,
        y: f64,
        z: f64,
        layers: u32,
    ) -> Result<Vec<u32>, JsValue> {
        let parts =
            self.world.overlaps(shape.0, dvec3(x, y, z), Layers::from_bits(layers)).map_err(bad_value)?;
        let mut bodies: Vec<u32> = parts.iter().map(|part| part.body.index()).collect();
        bodies.dedup();
        Ok(bodies)
    }

    /// The closest part within a distance; false where nothing is so near. Writes distance, point, body,
    /// part: 6 numbers.
    ///
    /// # Errors
    /// Numbers that are not finite.
    pub fn closest(
        &mut self,
        shape: &RawShape,
        x: f64,
        y: f64,
        z: f64,
        distance: f64,
        layers: u32,
    ) -> Result<bool, JsValue> {
        let layers = Layers::from_bits(layers);
        let found = self.world.closest(shape.0, dvec3(x, y, z), distance, layers).map_err(bad_value)?;
        let Some(found) = found else { return Ok(false) };
        let (body, part) = (found.part.body.index(), found.part.part);
        self.answer
            .begin()
            .number(found.distance)
            .vector(found.point)
            .number(body.into())
            .number(part.into());
        Ok(true)
    }
}

impl RawWorld {
    fn add(&mut self, collider: Collider, mass: f64, pose: Pose, layers: u32) -> Result<u32, JsValue> {
        let body = if mass.is_nan() {
            Body::fixed(collider)
        } else if mass == 0.0 {
            Body::kinematic(collider)
        } else {
            Body::dynamic(collider, mass).map_err(bad_value)?
        };
        let id = self.world.try_add(body.at(pose).on(Layers::from_bits(layers))).map_err(bad_value)?;
        // A body's number names its place in the list.
        let number = id.index() as usize;
        if self.ids.len() <= number {
            self.ids.resize(number + 1, id);
        }
        self.ids[number] = id;
        Ok(id.index())
    }

    fn id(&self, body: u32) -> Result<carom::world::BodyId, JsValue> {
        let known = self.ids.get(body as usize).filter(|id| self.world.contains(**id));
        known.copied().ok_or_else(|| gone("there is no such body in this world"))
    }

    fn answer_cast(
        &mut self,
        cast: Result<Cast, ShapeError>,
        layers: u32,
        exclude: i32,
    ) -> Result<bool, JsValue> {
        let mut cast = cast.map_err(bad_value)?.filter(Layers::from_bits(layers));
        if let Ok(body) = u32::try_from(exclude) {
            cast = cast.exclude(self.id(body)?);
        }
        let Some(hit) = self.world.cast(&cast) else { return Ok(false) };
        self.answer.begin();
        for number in hit_numbers(&hit) {
            self.answer.number(number);
        }
        Ok(true)
    }
}

fn hit_numbers(hit: &CastHit) -> [f64; HIT] {
    let ([px, py, pz], [nx, ny, nz]) = (hit.point.to_array(), hit.normal.to_array());
    let feature = match hit.feature {
        Feature::Face => 0.0,
        Feature::Edge(_) => 1.0,
        Feature::Vertex(_) => 2.0,
    };
    let overlap = f64::from(u8::from(hit.start_overlap));
    [hit.fraction, px, py, pz, nx, ny, nz, hit.body.index().into(), hit.part.into(), feature, overlap]
}

fn pose(position: DVec3, [x, y, z, w]: [f64; 4], scale: f64) -> Result<Pose, JsValue> {
    let pose = Pose::at(position)
        .and_then(|pose| pose.with_rotation(DQuat::from_xyzw(x, y, z, w)))
        .and_then(|pose| pose.with_scale(scale));
    pose.map_err(|error: ShapeError| bad_value(error))
}

fn refused(error: MoveError) -> JsValue {
    match error {
        MoveError::NoSuchBody => gone(error),
        _ => bad_value(error),
    }
}

/// The shape as a solid body.
///
/// # Errors
/// A point.
fn collider(shape: &Mover) -> Result<Collider, JsValue> {
    Ok(match *shape {
        Mover::Sphere(sphere) => sphere.into(),
        Mover::Ellipsoid(ellipsoid) => ellipsoid.into(),
        Mover::Capsule(capsule) => capsule.into(),
        Mover::Cuboid(cuboid) => cuboid.into(),
        Mover::Point => return Err(bad_value("a point is for casts: a body has a size")),
    })
}
