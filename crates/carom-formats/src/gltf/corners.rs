//! Lists, strips and fans of corners to triangles.

/// How corners make triangles.
#[derive(Clone, Copy)]
pub(super) enum Topology {
    List,
    Strip,
    Fan,
}

/// Makes triangles of corners as they come.
pub(super) struct Corners {
    topology: Topology,
    seen: u64,
    /// A list: the first two of the next triangle. A strip: the last two. A fan: the first of all and the
    /// last.
    held: [u32; 2],
}

impl Corners {
    pub(super) fn new(topology: Topology) -> Self {
        Self { topology, seen: 0, held: [0; 2] }
    }

    pub(super) fn next(&mut self, corner: u32) -> Option<[u32; 3]> {
        let seen = self.seen;
        self.seen += 1;
        let [a, b] = self.held;
        match self.topology {
            Topology::List => match seen % 3 {
                2 => return Some([a, b, corner]),
                place => self.held[place as usize] = corner,
            },
            Topology::Strip => {
                self.held = [b, corner];
                if seen >= 2 {
                    return Some(if seen.is_multiple_of(2) { [a, b, corner] } else { [a, corner, b] });
                }
            }
            Topology::Fan => {
                self.held = if seen == 0 { [corner, 0] } else { [a, corner] };
                if seen >= 2 {
                    return Some([a, b, corner]);
                }
            }
        }
        None
    }

    /// Whether corners are left that make no triangle.
    pub(super) fn is_incomplete(&self) -> bool {
        match self.topology {
            Topology::List => !self.seen.is_multiple_of(3),
            Topology::Strip | Topology::Fan => (1..3).contains(&self.seen),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangles(topology: Topology, corners: &[u32]) -> (Vec<[u32; 3]>, bool) {
        let mut state = Corners::new(topology);
        let triangles = corners.iter().filter_map(|&corner| state.next(corner)).collect();
        (triangles, state.is_incomplete())
    }

    #[test]
    fn corners_make_triangles_as_the_specification_says() {
        let corners = [5, 6, 7, 8, 9, 4];
        assert_eq!(triangles(Topology::List, &corners), (vec![[5, 6, 7], [8, 9, 4]], false));
        assert_eq!(
            triangles(Topology::Strip, &corners),
            (vec![[5, 6, 7], [6, 8, 7], [7, 8, 9], [8, 4, 9]], false)
        );
        assert_eq!(
            triangles(Topology::Fan, &corners),
            (vec![[5, 6, 7], [5, 7, 8], [5, 8, 9], [5, 9, 4]], false)
        );
    }

    #[test]
    fn corners_too_few_are_noticed() {
        for topology in [Topology::List, Topology::Strip, Topology::Fan] {
            assert_eq!(triangles(topology, &[]), (vec![], false));
            assert_eq!(triangles(topology, &[1]), (vec![], true));
            assert_eq!(triangles(topology, &[1, 2]), (vec![], true));
        }
        assert_eq!(triangles(Topology::List, &[1, 2, 3, 4]), (vec![[1, 2, 3]], true));
    }
}
