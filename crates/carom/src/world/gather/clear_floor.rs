//! Clear floor: all that is near a mover lies below one level, in faces across an axis of the world.
//!
//! Source: `docs/clear-floor.md`. This is proved once for what was gathered. A round mover that stands upright
//! above the level and goes along it meets nothing: no kernel need be asked, as all would say so. What it
//! touches is what lies under its lowest point: of most floors one face, which is asked alone. Answers are
//! those of asking everything, to the bit; where that cannot be shown there is none. Cost: one comparison a
//! part where it is proved, and a dozen operations a question.

use arrayvec::ArrayVec;
use glam::{DQuat, DVec3, Vec3};

use crate::num::bound::{UNIT_ROUNDOFF, f32_above, f32_below, reach};
use crate::num::ops;
use crate::shape::{Aabb, Mover};
use crate::sweep::mover::{SurfaceSweep, WithSweep, with_sweep};
use crate::sweep::pairs::sphere_cuboid::{round_cuboid_contact_above, round_rests_on_cuboid};
use crate::sweep::{Contact, Path};
use crate::world::body::collider::Collider;
use crate::world::body::solid::near_contact;
use crate::world::gather::gathered_solids::GatheredSolid;
use crate::world::gather::gathered_triangles::Triangles;
use crate::world::gather::neighborhood::{Neighborhood, REMEMBERED};
use crate::world::gather::{Gathering, Stretch};
use crate::world::surface::packed_triangle::PackedTriangle;
use crate::world::{Part, World};

/// Lengths within these are asked as they are: kernels bring others near 1.
const ORDINARY: f64 = (1u64 << 40) as f64;

/// By how many times a way or a mover may be longer than the smallest of what it can meet: what is longer is
/// cut down for some bodies.
const LONG: f64 = (1u64 << 14) as f64;

/// All that was gathered lies below a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClearFloor {
    /// The axis of the world that points up, and whether against its direction.
    axis: usize,
    sign: f64,
    /// How far along the direction up the highest face is.
    level: f64,
    /// Where the mover's center may be.
    centers: Aabb,
    /// How far the corners of a part are from there, at most, in the sense of [`reach`]; and what its place is
    /// off by.
    extent: f64,
    rounding: f64,
    /// The smallest size of a part.
    least: f64,
}

/// A sphere, or a capsule along the direction up.
#[derive(Clone, Copy, Debug)]
struct Upright {
    half_axis: DVec3,
    radius: f64,
}

impl Upright {
    fn of(mover: &Mover, axis: usize) -> Option<Self> {
        let (half_axis, radius) = match mover {
            Mover::Sphere(sphere) => (DVec3::ZERO, sphere.radius()),
            Mover::Capsule(capsule) => (capsule.half_axis(), capsule.radius()),
            Mover::Point | Mover::Ellipsoid(_) | Mover::Cuboid(_) => return None,
        };
        (only(half_axis, axis) == half_axis).then_some(Self { half_axis, radius })
    }

    fn half_height(&self, axis: usize) -> f64 {
        self.half_axis[axis].abs()
    }
}

/// What of a vector is along an axis.
fn only(v: DVec3, axis: usize) -> DVec3 {
    let mut along = DVec3::ZERO;
    along[axis] = v[axis];
    along
}

/// The axis of the world that a direction is along, and with which sign.
fn axis_of(up: DVec3) -> Option<(usize, f64)> {
    let axis = (0..3).find(|axis| up[*axis].abs() == 1.0)?;
    (only(up, axis) == up).then_some((axis, up[axis]))
}

impl ClearFloor {
    /// What is known of all that was gathered for movers whose centers stay in a box; `None` where it may stop
    /// what goes along its top.
    pub(crate) fn of(gathering: &Gathering, world: &World, up: DVec3, centers: &Aabb) -> Option<Self> {
        let (axis, sign) = axis_of(up)?;
        if !gathering.boxed.is_empty() {
            return None;
        }
        let mut floor = Self {
            axis,
            sign,
            level: f64::NEG_INFINITY,
            centers: *centers,
            extent: 0.0,
            rounding: 0.0,
            least: f64::INFINITY,
        };
        for gathered in &gathering.bodies {
            let body = world.body(gathered.body).filter(|body| body.is_surface_in_world_axes())?;
            let (Stretch::Triangles(stretch), Collider::Mesh(mesh)) = (&gathered.parts, &body.collider)
            else {
                return None;
            };
            floor.least = floor.least.min(mesh.mesh().largest_coordinate());
            floor.add_triangles(&gathering.triangles.stretch(stretch))?;
        }
        for solid in gathering.solids.iter() {
            floor.add_solid(solid)?;
        }
        let is_ordinary = floor.extent < ORDINARY && floor.extent <= floor.least * ORDINARY;
        (floor.level.is_finite() && is_ordinary).then_some(floor)
    }

    fn add_triangles(&mut self, triangles: &Triangles<'_>) -> Option<()> {
        let axis = self.axis;
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for fetched in triangles.iter() {
            let [a, b, c] = fetched.corners().map(|corner| corner.as_dvec3());
            let has_area = (b - a).cross(c - a)[axis] != 0.0;
            if a[axis] != b[axis] || a[axis] != c[axis] || !has_area {
                return None;
            }
            self.level = self.level.max(self.sign * a[axis]);
            (low, high) = (low.min(a).min(b).min(c), high.max(a).max(b).max(c));
        }
        let far = (high - self.centers.min()).abs().max((self.centers.max() - low).abs());
        self.extent = self.extent.max(reach(far));
        Some(())
    }

    fn add_solid(&mut self, solid: &GatheredSolid) -> Option<()> {
        let Some((Mover::Cuboid(cuboid), center)) = &solid.at_rest else { return None };
        let half = cuboid.half_extents();
        if cuboid.rotation() != DQuat::IDENTITY || half.min_element() * LONG * LONG < reach(half) {
            return None;
        }
        self.level = self.level.max(self.sign * center[self.axis] + half[self.axis]);
        let far = (*center - self.centers.min()).abs().max((self.centers.max() - *center).abs());
        self.extent = self.extent.max(reach(far) + reach(half));
        self.rounding = self.rounding.max(UNIT_ROUNDOFF * (16.0 * reach(half) + 2.0 * reach(*center)));
        self.least = self.least.min(half.min_element());
        Some(())
    }

    /// The most that any kernel takes the rounding of a question for.
    fn rounding_of(&self, upright: &Upright, from: DVec3, translation: DVec3) -> f64 {
        let lengths = self.extent + reach(upright.half_axis) + reach(translation) + upright.radius;
        UNIT_ROUNDOFF * (reach(from) + 2.0 * reach(translation) + 8.0 * lengths) + self.rounding
    }

    /// Whether a way of the mover's center surely meets nothing: straight along the level, and so high above it
    /// that kernels agree that edges and corners are only grazed, and that no face is approached.
    pub(crate) fn is_free(&self, mover: &Mover, from: DVec3, translation: DVec3) -> bool {
        let Some(upright) = Upright::of(mover, self.axis) else { return false };
        let rounding = self.rounding_of(&upright, from, translation);
        let height = self.sign * from[self.axis] - self.level - upright.half_height(self.axis);
        let way = translation.abs().max_element();
        translation[self.axis] == 0.0
            && height >= upright.radius + rounding
            && upright.radius >= 128.0 * rounding
            && self.is_short(&upright, way)
            && way * ORDINARY >= self.extent + reach(from)
            && self.is_ordinary(&upright, from)
    }

    /// Whether neither a way nor the mover is so long that bodies are asked for less of it.
    fn is_short(&self, upright: &Upright, way: f64) -> bool {
        way.max(upright.radius + upright.half_height(self.axis)) <= LONG * self.least
    }

    /// Whether no kernel needs other lengths than those that it is given.
    fn is_ordinary(&self, upright: &Upright, from: DVec3) -> bool {
        upright.radius * ORDINARY >= 1.0
            && reach(from) + upright.radius + reach(upright.half_axis) <= ORDINARY
    }
}

/// How a mover stands to each of these triangles whose boxes share a point with one.
struct Below<'a, F> {
    triangles: Triangles<'a>,
    bounds: [Vec3; 2],
    take: F,
}

impl<F: FnMut(Contact, u32)> WithSweep for Below<'_, F> {
    type Output = ();

    fn run(self, sweep: &impl SurfaceSweep) {
        let Self { triangles, bounds, mut take } = self;
        triangles.meeting(bounds, |four| {
            for fetched in &four.triangles[..four.count] {
                if let Some(contact) = sweep.triangle_contact(&fetched.facet(), f64::INFINITY) {
                    take(contact, fetched.triangle());
                }
            }
        });
    }
}

/// Whether a mover meets a triangle where it starts.
struct StopsAtOnce<'a>(&'a PackedTriangle);

impl WithSweep for StopsAtOnce<'_> {
    type Output = bool;

    fn run(self, sweep: &impl SurfaceSweep) -> bool {
        sweep.triangle(&self.0.facet(), f64::INFINITY).is_some_and(|hit| hit.fraction == 0.0)
    }
}

impl Gathering {
    /// Visits every part within a distance of a mover above a clear floor, as
    /// [`contacts`](Self::contacts) does; `None` where it is not sure to visit the same.
    pub(crate) fn contacts_below(
        &self,
        floor: &ClearFloor,
        mover: &Mover,
        (at, distance): (DVec3, f64),
        mut visit: impl FnMut(Contact, Part),
    ) -> Option<()> {
        let axis = floor.axis;
        let upright = Upright::of(mover, axis)?;
        let Upright { half_axis, radius } = upright;
        let rounding = floor.rounding_of(&upright, at, DVec3::ZERO);
        let height = floor.sign * at[axis] - floor.level - upright.half_height(axis);
        if !(height >= radius && distance >= 64.0 * rounding && floor.is_ordinary(&upright, at)) {
            return None;
        }
        let path = Path::new(at, DVec3::ZERO).ok()?;
        // Of a level so far below, what touches lies no farther to the side than the root of 2 r d + d²; twice
        // that, for what all of this rounds.
        let aside = 2.0 * ops::sqrt(distance * (2.0 * radius + distance));
        let below = radius + upright.half_height(axis) + 2.0 * distance;
        let mut around = DVec3::splat(aside);
        around[axis] = below;
        let area = Aabb::new(at - around, at + around).ok()?;
        let bounds = [f32_below(area.min()), f32_above(area.max())];
        for gathered in &self.bodies {
            let Stretch::Triangles(stretch) = &gathered.parts else { return None };
            let take = |contact: Contact, part: u32| {
                if contact.gap <= distance {
                    visit(contact, Part { body: gathered.body, part });
                }
            };
            let triangles = self.triangles.stretch(stretch);
            with_sweep(mover, &path, 0.0, Below { triangles, bounds, take });
        }
        let mut is_known = true;
        self.solids.within(&area, |solid| {
            let Some((Mover::Cuboid(cuboid), center)) = &solid.at_rest else {
                is_known = false;
                return;
            };
            let above = round_cuboid_contact_above(axis, (half_axis, radius), at, cuboid, *center);
            let contact = match above {
                Some(contact) => Some(contact).filter(|contact| contact.gap <= distance),
                None => near_contact(mover, &path, distance, &Mover::Cuboid(*cuboid), *center),
            };
            if let Some(contact) = contact {
                visit(contact, Part { body: solid.body, part: 0 });
            }
        });
        is_known.then_some(())
    }

    /// Whether a sweep straight down stops a mover at once, on a part that is the only one it touches. False
    /// where that is not sure.
    fn rests_on(&self, floor: &ClearFloor, mover: &Mover, path: &Path, part: Part) -> bool {
        let axis = floor.axis;
        let Some(upright) = Upright::of(mover, axis) else { return false };
        let rounding = floor.rounding_of(&upright, path.from(), path.translation());
        let way = path.translation().abs().max_element();
        if !(way >= 64.0 * rounding
            && floor.is_short(&upright, way)
            && floor.is_ordinary(&upright, path.from()))
        {
            return false;
        }
        if let Some((Mover::Cuboid(cuboid), center)) =
            self.solids.of(part.body).and_then(|solid| solid.at_rest.as_ref())
        {
            let round = (upright.half_axis, upright.radius);
            return round_rests_on_cuboid(axis, round, path, cuboid, *center);
        }
        let triangles = self.triangles_of(part.body);
        triangles
            .and_then(|triangles| triangles.numbered(part.part))
            .is_some_and(|fetched| with_sweep(mover, path, 0.0, StopsAtOnce(fetched)))
    }

    /// How many parts an area concerns, where none of them moves, as [`count`](Self::count) does.
    pub(crate) fn count_at_rest(&self, area: &Aabb) -> usize {
        let in_meshes = self.bodies.iter().map(|gathered| match &gathered.parts {
            Stretch::Triangles(stretch) => self.triangles.count(stretch, area),
            Stretch::Boxed(parts) => {
                self.boxed[parts.clone()].iter().filter(|boxed| boxed.meets(area)).count()
            }
        });
        in_meshes.sum::<usize>() + self.solids.count(area)
    }
}

impl Neighborhood {
    /// Whether all that is near is clear floor for a direction up: looked at once for all that was gathered.
    pub(crate) fn find_clear_floor(&mut self, world: &World, up: DVec3) -> bool {
        if !self.floor.is_some_and(|(known_for, _)| known_for == up) {
            let centers = self.centers.filter(|_| self.movable.bodies().next().is_none());
            let floor = centers.and_then(|centers| ClearFloor::of(&self.fixed, world, up, &centers));
            self.floor = Some((up, floor));
        }
        self.clear_floor().is_some()
    }

    /// The clear floor that was found.
    pub(crate) fn clear_floor(&self) -> Option<&ClearFloor> {
        self.floor.as_ref()?.1.as_ref()
    }

    /// Adds what a mover above the clear floor touches out to a distance, nearest first. False where that is
    /// not sure to be all, or is too much.
    pub(crate) fn clear_contacts(
        &self,
        mover: &Mover,
        (at, distance): (DVec3, f64),
        touches: &mut ArrayVec<(Contact, Part), REMEMBERED>,
    ) -> bool {
        let Some(floor) = self.clear_floor() else { return false };
        let mut is_whole = true;
        let key = |(contact, part): &(Contact, Part)| (contact.gap, contact.normal.to_array(), *part);
        let asked = self.fixed.contacts_below(floor, mover, (at, distance), |contact, part| {
            let touch = (contact, part);
            let place = touches.partition_point(|other| key(other) <= key(&touch));
            is_whole &= touches.try_insert(place, touch).is_ok();
        });
        asked.is_some() && is_whole
    }

    /// Whether a sweep straight down stops a mover at once, on the only part that it touches. False where that
    /// is not sure.
    pub(crate) fn rests_on(&self, mover: &Mover, from: DVec3, down: DVec3, part: Part) -> bool {
        let (Some(floor), Ok(path)) = (self.clear_floor(), Path::new(from, down)) else { return false };
        self.covers(from, down, 0.0) && self.fixed.rests_on(floor, mover, &path, part)
    }

    /// How many parts an area concerns, where nothing near moves.
    pub(crate) fn count_at_rest(&self, area: &Aabb) -> usize {
        self.fixed.count_at_rest(area)
    }
}
