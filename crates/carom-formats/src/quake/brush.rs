//! Convex brushes: from planes to polygons, and the boundary of many brushes together.
//!
//! Source: `carom::bsp`: polygons stay planes while they are cut, every sign is exact, and each corner is
//! rounded once, at the end. Cost: k² cuts for a brush of k sides; for all of them together a cut for each
//! pair of a face and a brush near it. Gives up: after [`MOST_CUTS`] cuts the remaining faces stay whole,
//! including hidden parts, which movers outside the solid never reach.

use carom::bsp::{Cut, PlaneId, PlaneSet, Polygon};

use crate::error::{LoadError, Location};
use crate::extents::Extents;

/// Corners beyond this, in units, are of brushes that are not closed. Quake's own worlds end at 2^17.
const REACH: f64 = (1u32 << 24) as f64;
/// More sides than any compiler makes.
const MOST_SIDES: usize = 1024;
/// Pairs of faces and brushes that are tested.
const MOST_CUTS: u64 = 40_000_000;

/// A convex solid.
#[derive(Debug)]
pub(super) struct Brush {
    sides: Vec<BrushSide>,
    extents: Extents,
    /// Whether compilers build the level without it and add it later, so that it keeps nothing out.
    pub(super) is_detail: bool,
}

#[derive(Debug)]
struct BrushSide {
    plane: PlaneId,
    /// Names the texture, in a list of the caller.
    texture: u32,
    /// None for a plane that the others make needless, such as a bevel.
    polygon: Option<Polygon>,
}

/// Why planes make no brush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoBrush {
    TooManySides,
    EnclosesNothing,
    NotClosed,
}

impl NoBrush {
    pub(super) fn error(self, at: Location) -> LoadError {
        match self {
            Self::TooManySides => LoadError::malformed(at, "a brush of at most 1024 sides", b"more"),
            Self::EnclosesNothing => LoadError::malformed(
                at,
                "a brush whose planes enclose a volume",
                b"planes that enclose nothing",
            ),
            Self::NotClosed => {
                LoadError::malformed(at, "a brush that ends within 2^24 units", b"planes that leave it open")
            }
        }
    }
}

impl Brush {
    /// The solid behind all of these planes, each with its texture.
    pub(super) fn new(planes: &mut PlaneSet, sides: &[(PlaneId, u32)]) -> Result<Self, NoBrush> {
        if sides.len() > MOST_SIDES {
            return Err(NoBrush::TooManySides);
        }
        let mut unique: Vec<(PlaneId, u32)> = Vec::with_capacity(sides.len());
        for side in sides {
            if !unique.iter().any(|(plane, _)| *plane == side.0) {
                unique.push(*side);
            }
        }
        let mut brush = Self { sides: Vec::new(), extents: Extents::NONE, is_detail: false };
        for &(plane, texture) in &unique {
            let polygon = face(planes, plane, &unique)?;
            if let Some([low, high]) = polygon.as_ref().map(Polygon::bounds) {
                brush.extents = brush.extents.around(Extents { low, high });
            }
            brush.sides.push(BrushSide { plane, texture, polygon });
        }
        let faces = brush.sides.iter().filter(|side| side.polygon.is_some()).count();
        if faces < 4 { Err(NoBrush::EnclosesNothing) } else { Ok(brush) }
    }

    /// Least and greatest coordinates.
    pub(super) fn extents(&self) -> Extents {
        self.extents
    }

    /// The planes that have a part in its surface.
    pub(super) fn planes(&self) -> impl Iterator<Item = PlaneId> + '_ {
        self.sides.iter().filter(|side| side.polygon.is_some()).map(|side| side.plane)
    }

    /// The pieces of a polygon that are outside of it; `None` if all of it is. A part in a face of both, with
    /// the same orientation, is outside if `keeps_shared`.
    fn cut_away(&self, planes: &PlaneSet, polygon: &Polygon, keeps_shared: bool) -> Option<Vec<Polygon>> {
        let mut outside = Vec::new();
        let mut inside = polygon.clone();
        for side in &self.sides {
            if side.plane == polygon.plane() {
                if keeps_shared {
                    return None;
                }
                continue;
            }
            match inside.cut(planes, side.plane) {
                Cut::Front => return None,
                Cut::Back | Cut::On => {}
                Cut::Both(front, back) => {
                    outside.push(front);
                    inside = back;
                }
            }
        }
        Some(outside)
    }
}

/// The face of a brush in one of its planes; `None` if it has none there.
fn face(planes: &mut PlaneSet, plane: PlaneId, sides: &[(PlaneId, u32)]) -> Result<Option<Polygon>, NoBrush> {
    let Some(mut polygon) = Polygon::square(planes, plane, REACH) else { return Err(NoBrush::NotClosed) };
    let square = polygon.edges().to_vec();
    for &(by, _) in sides.iter().filter(|(by, _)| *by != plane) {
        if by == plane.opposite() {
            return Ok(None);
        }
        match polygon.cut(planes, by) {
            Cut::Front | Cut::On => return Ok(None),
            Cut::Back => {}
            Cut::Both(_, back) => polygon = back,
        }
    }
    let is_open = polygon.edges().iter().any(|edge| square.contains(edge));
    if is_open { Err(NoBrush::NotClosed) } else { Ok(Some(polygon)) }
}

/// A piece of the surface of many brushes.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) polygon: Polygon,
    pub(super) texture: u32,
}

/// The surface of what the brushes fill together: what is inside of another brush is cut away, what two share
/// is there once.
pub(super) fn union(planes: &PlaneSet, brushes: &[Brush]) -> Vec<Piece> {
    let mut order: Vec<usize> = (0..brushes.len()).collect();
    order.sort_by(|a, b| brushes[*a].extents.low.x.total_cmp(&brushes[*b].extents.low.x).then(a.cmp(b)));
    let mut near: Vec<Vec<u32>> = vec![Vec::new(); brushes.len()];
    let mut cuts = 0u64;
    'pairs: for (place, &a) in order.iter().enumerate() {
        for &b in &order[place + 1..] {
            cuts += 1;
            if cuts > MOST_CUTS {
                break 'pairs;
            }
            let (one, other) = (&brushes[a], &brushes[b]);
            if other.extents.low.x > one.extents.high.x {
                break;
            }
            // Boxes that touch count: faces may be shared.
            if one.extents.low.cmple(other.extents.high).all()
                && other.extents.low.cmple(one.extents.high).all()
            {
                near[a].push(b as u32);
                near[b].push(a as u32);
            }
        }
    }
    let mut pieces = Vec::new();
    let mut spent = 0u64;
    for (number, brush) in brushes.iter().enumerate() {
        near[number].sort_unstable();
        for side in &brush.sides {
            let Some(face) = &side.polygon else { continue };
            let mut parts = vec![face.clone()];
            for &other in &near[number] {
                spent += parts.len() as u64;
                if spent > MOST_CUTS {
                    break;
                }
                let (other, keeps_shared) = (&brushes[other as usize], number < other as usize);
                let mut left = Vec::with_capacity(parts.len());
                for part in parts {
                    match other.cut_away(planes, &part, keeps_shared) {
                        None => left.push(part),
                        Some(outside) => left.extend(outside),
                    }
                }
                parts = left;
                if parts.is_empty() {
                    break;
                }
            }
            pieces.extend(parts.into_iter().map(|polygon| Piece { polygon, texture: side.texture }));
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    fn cuboid(planes: &mut PlaneSet, low: DVec3, high: DVec3) -> Brush {
        let mut sides = Vec::new();
        for axis in 0..3 {
            sides.push((planes.insert_axial(axis, high[axis]).unwrap(), 0));
            sides.push((planes.insert_axial(axis, low[axis]).unwrap().opposite(), 0));
        }
        Brush::new(planes, &sides).unwrap()
    }

    fn area(pieces: &[Piece]) -> f64 {
        pieces.iter().map(|piece| piece.polygon.double_area().length() / 2.0).sum()
    }

    #[test]
    fn the_faces_of_a_cuboid_face_out() {
        let mut planes = PlaneSet::new();
        let brush = cuboid(&mut planes, DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(brush.extents(), Extents { low: DVec3::ZERO, high: DVec3::new(1.0, 2.0, 3.0) });
        for side in &brush.sides {
            let face = side.polygon.as_ref().unwrap();
            assert_eq!(face.corners().len(), 4);
            assert!(face.double_area().normalize().dot(planes.plane(side.plane).0) > 1.0 - 1e-12);
        }
        assert_eq!(area(&union(&planes, &[brush])), 2.0 * (2.0 + 3.0 + 6.0));
    }

    #[test]
    fn what_brushes_share_is_not_of_their_surface() {
        let mut planes = PlaneSet::new();
        // Two that touch, the same one twice, one within another, and two that overlap.
        for (second, expected) in [
            ((DVec3::new(1.0, 0.0, 0.0), DVec3::new(2.0, 1.0, 1.0)), 10.0),
            ((DVec3::ZERO, DVec3::ONE), 6.0),
            ((DVec3::splat(0.25), DVec3::splat(0.75)), 6.0),
            ((DVec3::new(0.5, 0.0, 0.0), DVec3::new(2.0, 1.0, 1.0)), 10.0),
            ((DVec3::new(1.0, 0.25, 0.25), DVec3::new(2.0, 0.75, 0.75)), 8.0),
        ] {
            let one = cuboid(&mut planes, DVec3::ZERO, DVec3::ONE);
            let other = cuboid(&mut planes, second.0, second.1);
            assert_eq!(area(&union(&planes, &[one, other])), expected, "{second:?}");
        }
    }

    #[test]
    fn planes_that_enclose_nothing_are_no_brush() {
        let mut planes = PlaneSet::new();
        let axial = |planes: &mut PlaneSet, axis, at| planes.insert_axial(axis, at).unwrap();
        let mut slab = vec![(axial(&mut planes, 0, 1.0), 0), (axial(&mut planes, 0, 0.0).opposite(), 0)];
        assert_eq!(Brush::new(&mut planes, &slab).unwrap_err(), NoBrush::NotClosed);
        for axis in 1..3 {
            slab.push((axial(&mut planes, axis, 1.0), 0));
            slab.push((axial(&mut planes, axis, 0.0).opposite(), 0));
        }
        assert!(Brush::new(&mut planes, &slab).is_ok());
        // Behind x = 0 and in front of it.
        slab.push((axial(&mut planes, 0, 0.0), 0));
        assert_eq!(Brush::new(&mut planes, &slab).unwrap_err(), NoBrush::EnclosesNothing);
        assert_eq!(Brush::new(&mut planes, &[]).unwrap_err(), NoBrush::EnclosesNothing);
        let many = vec![slab[0]; MOST_SIDES + 1];
        assert_eq!(Brush::new(&mut planes, &many).unwrap_err(), NoBrush::TooManySides);
    }
}
