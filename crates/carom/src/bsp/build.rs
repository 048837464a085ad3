//! Builds the nodes of a tree from polygons.
//!
//! Idea: polygons give the splitting planes. Polygons in the plane of a node are finished; if no polygon is
//! left on a side, the polygons say whether that side is solid. A plane is chosen among [`CANDIDATES`]: each
//! polygon that it cuts costs [`SPLIT`], and each polygon that one side has more than the other costs 1.
//! These are the weights of the compilers of Quake. A plane perpendicular to an axis counts half, because its
//! tests cost one product. Round solids have no plane that separates them well, so with many polygons the
//! middle planes across the axes are candidates too. Cost: candidates times polygons at each level of the
//! tree. Gives up: beyond [`MOST_PIECES`] pieces.

use alloc::vec;
use alloc::vec::Vec;

use super::error::BspError;
use super::node::{Child, Node};
use super::plane::{PlaneId, PlaneSet, Side};
use super::polygon::{Cut, Extent, Polygon, PolygonSides};

/// Planes that are compared for a node.
const CANDIDATES: usize = 24;
/// The cost of a cut.
const SPLIT: usize = 8;
/// With at least this many polygons, planes across the axes that hold no polygon are compared too. Fewer
/// polygons are separated well enough by their own planes, and a plane without a polygon adds a node and
/// portals.
const MANY: usize = 64;
/// Such planes are at multiples of this share of the extent, so that their integers stay small.
const STEPS: f64 = 1024.0;
/// The most pieces of polygons in a tree.
const MOST_PIECES: usize = 1 << 20;

/// A subtree to build: its polygons, its parent and the side of the parent, and whether it is solid if it has
/// no polygons.
struct Task {
    polygons: Vec<Polygon>,
    place: Option<(usize, bool)>,
    is_solid: bool,
}

/// Nodes, the root first, and whether each leaf is solid.
pub(super) fn build(
    planes: &mut PlaneSet,
    polygons: Vec<Polygon>,
) -> Result<(Vec<Node>, Vec<bool>), BspError> {
    let (mut nodes, mut solid): (Vec<Node>, Vec<bool>) = (Vec::new(), Vec::new());
    let mut pieces = polygons.len();
    let mut open = vec![Task { polygons, place: None, is_solid: false }];
    while let Some(Task { polygons, place, is_solid }) = open.pop() {
        let child = if polygons.is_empty() {
            solid.push(is_solid);
            Child::Leaf(solid.len() as u32 - 1)
        } else {
            let plane = choose(planes, &polygons);
            let parts = split(planes, polygons, plane, &mut pieces);
            if pieces > MOST_PIECES {
                return Err(BspError::TooManyPieces { limit: MOST_PIECES });
            }
            let node = nodes.len();
            nodes.push(Node { plane, front: Child::Leaf(0), back: Child::Leaf(0) });
            let is_solid = !parts.is_front_empty;
            open.push(Task { polygons: parts.front, place: Some((node, true)), is_solid });
            open.push(Task { polygons: parts.back, place: Some((node, false)), is_solid: !is_solid });
            Child::Node(node as u32)
        };
        match place {
            None => {}
            Some((node, true)) => nodes[node].front = child,
            Some((node, false)) => nodes[node].back = child,
        }
    }
    nodes.shrink_to_fit();
    solid.shrink_to_fit();
    Ok((nodes, solid))
}

/// The plane that splits these polygons best.
fn choose(planes: &mut PlaneSet, polygons: &[Polygon]) -> PlaneId {
    let stride = polygons.len().div_ceil(CANDIDATES);
    let mut candidates: Vec<PlaneId> =
        polygons.iter().step_by(stride).map(|polygon| polygon.plane().unoriented()).collect();
    candidates.sort_unstable();
    candidates.dedup();
    let (mut least, mut best) = (usize::MAX, polygons[0].plane().unoriented());
    let extents: Vec<Extent> = polygons.iter().map(Extent::of).collect();
    let polygons_within = || polygons.iter().zip(&extents);
    for plane in candidates {
        if let Some(Cost { cost, .. }) = cost_below(least, planes, polygons_within(), plane) {
            (least, best) = (cost, plane);
        }
    }
    if polygons.len() < MANY {
        return best;
    }
    for axis in 0..3 {
        let Some(plane) = middle(planes, polygons, axis) else { continue };
        // Where a side has no polygon, only one in the plane says whether that side is solid.
        if let Some(Cost { cost, is_parting: true }) = cost_below(least, planes, polygons_within(), plane) {
            (least, best) = (cost, plane);
        }
    }
    best
}

/// The cost of a plane.
struct Cost {
    cost: usize,
    /// Whether there are polygons on both sides.
    is_parting: bool,
}

/// The cost of a plane among polygons, each with its extent; `None` if it is not below a limit.
fn cost_below<'a>(
    limit: usize,
    planes: &PlaneSet,
    polygons: impl Iterator<Item = (&'a Polygon, &'a Extent)>,
    plane: PlaneId,
) -> Option<Cost> {
    let share = if planes.axis(plane).is_some() { 1 } else { 2 };
    let rounded = planes.rounded(plane);
    let (mut front, mut back, mut splits) = (0usize, 0usize, 0usize);
    for (polygon, extent) in polygons {
        match extent.side_of(rounded) {
            Some(Side::Front) => front += 1,
            Some(_) => back += 1,
            None => {
                let PolygonSides { is_behind, is_in_front } = polygon.sides(planes, plane);
                match (is_behind, is_in_front) {
                    (true, true) => splits += 1,
                    (true, false) => back += 1,
                    (false, true) => front += 1,
                    (false, false) => {}
                }
                if share * SPLIT * splits >= limit {
                    return None;
                }
            }
        }
    }
    let cost = share * (SPLIT * splits + front.abs_diff(back));
    (cost < limit).then_some(Cost { cost, is_parting: splits + front > 0 && splits + back > 0 })
}

/// A plane across an axis with about as many corners on one side as on the other.
fn middle(planes: &mut PlaneSet, polygons: &[Polygon], axis: usize) -> Option<PlaneId> {
    let mut places: Vec<f64> =
        polygons.iter().flat_map(Polygon::corners).map(|c| c.position()[axis]).collect();
    let half = places.len() / 2;
    let (below, middle, above) = places.select_nth_unstable_by(half, f64::total_cmp);
    let low = below.iter().copied().fold(*middle, f64::min);
    let high = above.iter().copied().fold(*middle, f64::max);
    // A power of two.
    let step = f64::from_bits(((high - low) / STEPS).to_bits() & f64::INFINITY.to_bits());
    let place = (*middle / step) as i64 as f64 * step;
    if low < place && place < high { planes.insert_axial(axis, place) } else { None }
}

struct Parts {
    front: Vec<Polygon>,
    back: Vec<Polygon>,
    is_front_empty: bool,
}

/// The parts in front and behind. Of polygons in the plane the larger part says which side is empty: all of
/// them do unless the polygons bound no solid.
fn split(planes: &PlaneSet, polygons: Vec<Polygon>, by: PlaneId, pieces: &mut usize) -> Parts {
    let mut parts = Parts { front: Vec::new(), back: Vec::new(), is_front_empty: true };
    let mut facing = 0.0;
    for polygon in polygons {
        match polygon.cut(planes, by) {
            Cut::On => {
                let area = polygon.double_area().length_squared();
                facing += if polygon.plane() == by { area } else { -area };
            }
            Cut::Front => parts.front.push(polygon),
            Cut::Back => parts.back.push(polygon),
            Cut::Both(one, other) => {
                *pieces += 1;
                parts.front.push(one);
                parts.back.push(other);
            }
        }
    }
    parts.is_front_empty = facing >= 0.0;
    parts
}
