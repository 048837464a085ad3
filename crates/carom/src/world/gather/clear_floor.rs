//! Clear floor: everything near a mover lies below one level, in faces perpendicular to an axis of the world.
//!
//! Source: `docs/clear-floor.md`. This is proved once for everything that was gathered. A round mover that
//! stands upright above the level and moves along it hits nothing, and every kernel would find that, so none
//! is needed. Its contacts lie under its lowest point: on most floors this is one face, which alone is
//! tested. Answers are the same as testing everything, to the bit; without a proof there is no answer. Cost:
//! one comparison per part for the proof, and a dozen operations per query.

use glam::{DQuat, DVec3, Vec3};

use crate::num::bound::{UNIT_ROUNDOFF, f32_above, f32_below, reach};
use crate::num::ops;
use crate::shape::{Aabb, Mover};
use crate::sweep::mover::{SurfaceSweep, WithSweep, with_sweep};
use crate::sweep::pairs::sphere_cuboid::round_cuboid_contact_above;
use crate::sweep::parts::skeleton::ThickSegment;
use crate::sweep::{Contact, Path};
use crate::world::body::Body;
use crate::world::body::collider::Collider;
use crate::world::body::solid::near_contact;
use crate::world::gather::gathered_solids::GatheredSolid;
use crate::world::gather::gathered_triangles::Triangles;
use crate::world::gather::{Gathering, Stretch};
use crate::world::surface::Surfaces;
use crate::world::surface::local::Local;
use crate::world::surface::packed_triangle::{Bounds, PackedTriangle};
use crate::world::{ContactQuery, Part, World};

/// Lengths within these are not rescaled: kernels bring others near 1.
const ORDINARY: f64 = (1u64 << 40) as f64;

/// How many times as long as the smallest part a path or a mover may be: longer ones are cut for some bodies.
const LONG: f64 = (1u64 << 14) as f64;

/// Everything that was gathered lies below a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClearFloor {
    /// The direction up, and the index of the axis that it is along.
    up: DVec3,
    axis: usize,
    /// The height of the highest face.
    level: f64,
    /// The largest size of a part along each axis, and the error of the position of a part.
    size: DVec3,
    rounding: f64,
    /// The smallest size of a part, and the largest coordinate.
    least: f64,
    largest: f64,
    /// Whether any part is a solid.
    has_solids: bool,
}

/// A sphere, a capsule along the direction up, or an ellipsoid with the axes of the world.
#[derive(Clone, Copy, Debug)]
struct Upright {
    half_axis: DVec3,
    /// Its extent beyond the axis along the direction up.
    radius: f64,
    /// The largest radius, and the smallest.
    widest: f64,
    thinnest: f64,
    /// Half the length of the axis.
    half_height: f64,
}

/// The axis of the world along a direction.
fn axis_of(up: DVec3) -> Option<usize> {
    let axis = up.to_array().map(f64::abs);
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].iter().position(|one| axis == *one)
}

impl ClearFloor {
    /// The clear floor of everything that was gathered; `None` where something may stop a motion along its
    /// top.
    pub(crate) fn of(gathering: &Gathering, world: &World, up: DVec3) -> Option<Self> {
        let axis = axis_of(up)?;
        if !gathering.boxed.is_empty() {
            return None;
        }
        let mut floor = Self {
            up,
            axis,
            level: f64::NEG_INFINITY,
            size: DVec3::ZERO,
            rounding: 0.0,
            least: f64::INFINITY,
            largest: 0.0,
            has_solids: gathering.solids.iter().next().is_some(),
        };
        for gathered in &gathering.bodies {
            let body = world.body(gathered.body).filter(|body| body.is_surface_in_world_axes())?;
            let (Stretch::Triangles(stretch), Collider::Mesh(mesh)) = (&gathered.parts, &body.collider)
            else {
                return None;
            };
            let largest = mesh.mesh().largest_coordinate();
            (floor.least, floor.largest) = (floor.least.min(largest), floor.largest.max(largest));
            floor.add_triangles(&gathering.triangles.stretch(stretch))?;
        }
        for solid in gathering.solids.iter() {
            floor.add_solid(solid)?;
        }
        let is_ordinary = floor.largest <= ORDINARY && reach(floor.size) <= floor.least * ORDINARY;
        (floor.level.is_finite() && is_ordinary).then_some(floor)
    }

    fn add_triangles(&mut self, triangles: &Triangles<'_>) -> Option<()> {
        let (up, axis) = (self.up, self.axis);
        for packed in triangles.iter() {
            let [a, b, c] = packed.corners().map(Vec3::as_dvec3);
            let (first, second) = (b - a, c - a);
            let has_area = first.cross(second)[axis] != 0.0;
            if first[axis] != 0.0 || second[axis] != 0.0 || !has_area {
                return None;
            }
            self.level = self.level.max(a.dot(up));
            self.size = self.size.max(a.max(b).max(c) - a.min(b).min(c));
        }
        Some(())
    }

    fn add_solid(&mut self, solid: &GatheredSolid) -> Option<()> {
        let Some((Mover::Cuboid(cuboid), center)) = &solid.at_rest else { return None };
        let half = cuboid.half_extents();
        if cuboid.rotation() != DQuat::IDENTITY {
            return None;
        }
        self.level = self.level.max(center.dot(self.up) + half[self.axis]);
        self.size = self.size.max(2.0 * half);
        self.rounding = self.rounding.max(UNIT_ROUNDOFF * (16.0 * reach(half) + 2.0 * reach(*center)));
        self.least = self.least.min(half.min_element());
        self.largest = self.largest.max(reach(*center));
        Some(())
    }

    /// The mover, if it stands upright, and no kernel would rescale its lengths at a place.
    fn upright(&self, mover: &Mover, at: DVec3) -> Option<Upright> {
        let (half_axis, radii) = match mover {
            Mover::Sphere(sphere) => (DVec3::ZERO, DVec3::splat(sphere.radius())),
            Mover::Capsule(capsule) => (capsule.half_axis(), DVec3::splat(capsule.radius())),
            Mover::Ellipsoid(ellipsoid) if ellipsoid.rotation() == DQuat::IDENTITY && !self.has_solids => {
                (DVec3::ZERO, ellipsoid.radii())
            }
            Mover::Point | Mover::Ellipsoid(_) | Mover::Cuboid(_) => return None,
        };
        let (widest, thinnest) = (radii.max_element(), radii.min_element());
        let half_height = half_axis.dot(self.up).abs();
        let is_ordinary = thinnest * ORDINARY >= widest.max(1.0)
            && reach(at) <= ORDINARY
            && widest + half_height <= LONG * self.least;
        (self.up.cross(half_axis) == DVec3::ZERO && is_ordinary).then_some(Upright {
            half_axis,
            radius: radii[self.axis],
            widest,
            thinnest,
            half_height,
        })
    }

    /// The largest rounding bound of any kernel, for parts that the mover comes near: none of their corners
    /// is farther from its center than the sizes of the two. In the space of an ellipsoid lengths are in
    /// units of the smallest radius, and count as the radius along the direction up.
    fn rounding_of(&self, upright: &Upright, from: DVec3, translation: DVec3) -> f64 {
        let near = self.size + upright.half_axis.abs() + DVec3::splat(1.0625 * upright.widest);
        let way = reach(translation);
        let lengths = reach(near) + upright.half_height + 2.0 * way + upright.widest;
        let rounding = UNIT_ROUNDOFF * (reach(from) + 2.0 * way + 8.0 * lengths);
        rounding * (upright.radius / upright.thinnest) + self.rounding
    }

    /// The height of the lowest point of the axis above the level.
    fn height(&self, upright: &Upright, at: DVec3) -> f64 {
        at.dot(self.up) - self.level - upright.half_height
    }

    /// Whether a path of the mover's center surely meets nothing: straight along the level, and so high above
    /// it that kernels agree that edges and corners are only grazed, and that no face is approached.
    pub(crate) fn is_free(&self, mover: &Mover, from: DVec3, translation: DVec3) -> bool {
        let Some(upright) = self.upright(mover, from) else { return false };
        let rounding = self.rounding_of(&upright, from, translation);
        let way = translation.abs().max_element();
        translation.dot(self.up) == 0.0
            && self.height(&upright, from) >= upright.radius + rounding
            && upright.radius >= 128.0 * rounding
            && way <= LONG * self.least
            && way * ORDINARY >= self.largest + reach(from)
    }
}

/// The contacts of a mover with those of these triangles that may be near its lowest point.
struct Below<'a, F> {
    triangles: Triangles<'a>,
    /// Around that.
    bounds: [Vec3; 2],
    /// The direction up, its center, and the radius within which contacts lie.
    up: DVec3,
    at: DVec3,
    aside: f64,
    /// Only triangles that overlap this as well are tested.
    within: Option<Bounds>,
    take: F,
}

impl<F> Below<'_, F> {
    /// Whether a triangle perpendicular to up is surely farther to the side: the center is beyond one of its
    /// edges.
    fn is_aside(&self, [a, b, c]: [DVec3; 3]) -> bool {
        let turn = (b - a).cross(c - a).dot(self.up);
        [[a, b], [b, c], [c, a]].iter().any(|[from, to]| {
            let edge = *to - *from;
            let inside = edge.cross(self.at - *from).dot(self.up);
            inside * turn < 0.0 && inside * inside > self.aside * self.aside * edge.length_squared()
        })
    }
}

impl<F: FnMut(Contact, u32)> WithSweep for Below<'_, F> {
    type Output = ();

    fn run(mut self, sweep: &impl SurfaceSweep) {
        let Self { triangles, bounds, .. } = self;
        let mut touches = |packed: &PackedTriangle| {
            let facet = packed.facet();
            if self.within.is_none_or(|within| packed.meets(&within))
                && !self.is_aside(facet.corners)
                && let Some(contact) = sweep.triangle_contact(&facet, f64::INFINITY)
            {
                (self.take)(contact, packed.triangle());
            }
        };
        triangles.meeting(bounds, |batch| {
            batch.triangles[..batch.count].iter().for_each(|packed| touches(packed));
        });
    }
}

/// The bounds of the triangles of a mesh that a mover may touch.
fn around_contacts(body: &Body, mover: &Mover, at: &Path, distance: f64) -> Option<Bounds> {
    let Collider::Mesh(mesh) = &body.collider else { return None };
    let area = Local::new(&body.frame(), mover, at, mesh.largest())?.area(mesh.largest(), distance)?;
    Some(Bounds::from([f32_above(area.min()), f32_below(area.max())]))
}

impl Gathering {
    /// Visits every part within a distance of a mover above a clear floor, as [`contacts`](Self::contacts)
    /// does; `None` if it may visit others.
    pub(crate) fn contacts_below(
        &self,
        world: &World,
        floor: &ClearFloor,
        query: &ContactQuery<'_>,
        mut visit: impl FnMut(Contact, Part),
    ) -> Option<()> {
        let ContactQuery { mover, at, distance, .. } = *query;
        let upright = floor.upright(mover, at)?;
        let Upright { half_axis, radius, widest, thinnest, half_height } = upright;
        let rounding = floor.rounding_of(&upright, at, DVec3::ZERO);
        if !(floor.height(&upright, at) >= radius && distance >= 64.0 * rounding) {
            return None;
        }
        let path = Path::new(at, DVec3::ZERO).ok()?;
        // On a level this far below, contacts lie no farther to the side than √(2 r d + d²), in the space of
        // an ellipsoid; twice that, because all of this rounds.
        let share = distance / thinnest;
        let aside = 2.0 * widest * ops::sqrt(share * (2.0 + share));
        let below = (radius + half_height + 2.0 * radius * share).max(aside);
        let around = DVec3::splat(aside) + floor.up.abs() * (below - aside);
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
            // Gaps of an ellipsoid are not Euclidean distances: there the box around it decides as well.
            let within = match mover {
                Mover::Ellipsoid(_) => {
                    Some(around_contacts(world.body(gathered.body)?, mover, &path, distance)?)
                }
                _ => None,
            };
            let below = Below { triangles, bounds, up: floor.up, at, aside, within, take };
            with_sweep(mover, &path, 0.0, below);
        }
        let round = ThickSegment { half_axis, radius };
        let mut is_known = true;
        self.solids.within(&area, |solid| {
            let Some((Mover::Cuboid(cuboid), center)) = &solid.at_rest else {
                is_known = false;
                return;
            };
            let above = round_cuboid_contact_above(floor.axis, round, at, cuboid, *center);
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
}
