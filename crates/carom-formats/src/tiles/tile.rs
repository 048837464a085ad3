//! One tile as bytes, and back.
//!
//! Little-endian: a mark, the world, the square, the numbers of vertices and triangles, whether triangles
//! have surfaces; then the numbers and coordinates of the vertices, the numbers of the triangles, their
//! corners as positions in the list of this tile's vertices, and their surfaces.

const MARK: [u8; 8] = *b"CAROMTL1";
const HEAD: usize = 8 + 8 + 8 + 4 + 4 + 4;

/// The triangles that touch a square or its margin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tile {
    /// Which square: along x and along z, from the origin.
    pub at: [i32; 2],
    /// The numbers of its vertices in the level, ascending.
    pub vertex_numbers: Vec<u32>,
    /// Those vertices, in meters.
    pub vertices: Vec<[f32; 3]>,
    /// The numbers of its triangles in the level, ascending.
    pub triangle_numbers: Vec<u32>,
    /// Their corners: indices into [`Self::vertices`].
    pub triangles: Vec<[u32; 3]>,
    /// Their surfaces; empty when the level has one.
    pub surface_ids: Vec<u16>,
}

impl Tile {
    /// The file of the tile, for a world.
    pub(crate) fn to_bytes(&self, world: u64) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEAD + 16 * self.vertices.len() + 18 * self.triangles.len());
        out.extend(MARK);
        out.extend(world.to_le_bytes());
        self.at.iter().for_each(|x| out.extend(x.to_le_bytes()));
        let has_surfaces = u32::from(!self.surface_ids.is_empty());
        for count in [self.vertices.len() as u32, self.triangles.len() as u32, has_surfaces] {
            out.extend(count.to_le_bytes());
        }
        let mut numbers = |list: &[u32]| list.iter().for_each(|number| out.extend(number.to_le_bytes()));
        numbers(&self.vertex_numbers);
        numbers(&self.triangle_numbers);
        numbers(self.triangles.as_flattened());
        self.vertices.as_flattened().iter().for_each(|x| out.extend(x.to_le_bytes()));
        self.surface_ids.iter().for_each(|id| out.extend(id.to_le_bytes()));
        out
    }

    /// The world that a file says it is of, and the tile; `None` for bytes that are no tile.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<(u64, Self)> {
        let (head, rest) = bytes.split_at_checked(HEAD)?;
        let world = world_of(head)?;
        let number = |at: usize| head.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
        let at = [number(16)?.cast_signed(), number(20)?.cast_signed()];
        let [vertices, triangles, surfaces] =
            [number(24)? as usize, number(28)? as usize, number(32)? as usize];
        if surfaces > 1 {
            return None;
        }
        let per_triangle = 16 + 2 * surfaces;
        if rest.len() != vertices.checked_mul(16)?.checked_add(triangles.checked_mul(per_triangle)?)? {
            return None;
        }
        let (vertex_numbers, rest) = rest.split_at(4 * vertices);
        let (triangle_numbers, rest) = rest.split_at(4 * triangles);
        let (corners, rest) = rest.split_at(12 * triangles);
        let (coordinates, ids) = rest.split_at(12 * vertices);
        let numbers =
            |bytes: &[u8]| bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
        let corners: Vec<u32> = numbers(corners);
        if corners.iter().any(|corner| *corner as usize >= vertices) {
            return None;
        }
        let coordinates: Vec<f32> = numbers(coordinates).into_iter().map(f32::from_bits).collect();
        let tile = Self {
            at,
            vertex_numbers: numbers(vertex_numbers),
            vertices: coordinates.as_chunks::<3>().0.to_vec(),
            triangle_numbers: numbers(triangle_numbers),
            triangles: corners.as_chunks::<3>().0.to_vec(),
            surface_ids: ids.as_chunks::<2>().0.iter().map(|b| u16::from_le_bytes(*b)).collect(),
        };
        let ascends = |list: &[u32]| list.is_sorted_by(|a, b| a < b);
        (ascends(&tile.vertex_numbers) && ascends(&tile.triangle_numbers)).then_some((world, tile))
    }

    /// The least and the greatest coordinates of its triangles, in meters.
    pub(crate) fn bounds(&self) -> [[f32; 3]; 2] {
        box_of(self.triangles.as_flattened().iter().map(|corner| self.vertices[*corner as usize]))
    }

    /// Of its triangles or, in a tile that has none, of its vertices: finite.
    pub(crate) fn finite_bounds(&self) -> [[f32; 3]; 2] {
        if self.triangles.is_empty() { box_of(self.vertices.iter().copied()) } else { self.bounds() }
    }
}

fn box_of(points: impl Iterator<Item = [f32; 3]>) -> [[f32; 3]; 2] {
    points.fold([[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]], |[low, high], p| {
        [std::array::from_fn(|i| low[i].min(p[i])), std::array::from_fn(|i| high[i].max(p[i]))]
    })
}

/// The world that a file says it is of; `None` if it is no tile.
pub(crate) fn world_of(bytes: &[u8]) -> Option<u64> {
    let rest = bytes.strip_prefix(&MARK)?;
    Some(u64::from_le_bytes(*rest.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile() -> Tile {
        Tile {
            at: [-3, 7],
            vertex_numbers: vec![2, 5, 9],
            vertices: vec![[0.0, 1.0, -0.0], [1.5, 0.0, 0.0], [0.0, 0.0, 1e-30]],
            triangle_numbers: vec![4, 8],
            triangles: vec![[0, 1, 2], [2, 1, 0]],
            surface_ids: vec![1, 0],
        }
    }

    #[test]
    fn a_tile_comes_back_to_the_bit() {
        for tile in [tile(), Tile { surface_ids: Vec::new(), ..tile() }, Tile::default()] {
            assert_eq!(Tile::from_bytes(&tile.to_bytes(77)), Some((77, tile)));
        }
    }

    #[test]
    fn what_was_cut_short_or_has_more_or_other_corners_is_no_tile() {
        let bytes = tile().to_bytes(1);
        for end in 0..bytes.len() {
            assert_eq!(Tile::from_bytes(&bytes[..end]), None, "{end}");
        }
        let mut more = bytes.clone();
        more.push(0);
        assert_eq!(Tile::from_bytes(&more), None);
        let far = Tile { triangles: vec![[0, 1, 3], [2, 1, 0]], ..tile() };
        assert_eq!(Tile::from_bytes(&far.to_bytes(1)), None);
        let unsorted = Tile { triangle_numbers: vec![8, 4], ..tile() };
        assert_eq!(Tile::from_bytes(&unsorted.to_bytes(1)), None);
    }
}
