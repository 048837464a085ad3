//! The minimum cut of a graph in two.
//!
//! Source: L. Ford and D. Fulkerson, *Maximal flow through a network*, 1956: the minimum cut between two ends
//! has the capacity of the maximum flow; E. Dinic, 1970, for the search. Error: capacities are integer
//! multiples of 2⁻⁴⁰ of the largest. Cost: a few passes over the graph. It never gives up.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

/// Nodes, and edges with the cost of cutting each.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// Of each node the numbers of its edges; edge `i` and `i ^ 1` are the two directions of one.
    edges_of: Vec<Vec<u32>>,
    to: Vec<u32>,
    cost: Vec<f64>,
}

/// The node on whose side of the cut [`Graph::cut`] says a node is.
pub(super) const SOURCE: u32 = 0;
/// The node on the other side.
pub(super) const SINK: u32 = 1;

impl Graph {
    /// Nodes beside the source and the sink, numbered from 2.
    pub(super) fn new(nodes: usize) -> Self {
        Self { edges_of: vec![Vec::new(); nodes + 2], to: Vec::new(), cost: Vec::new() }
    }

    /// Separating these two nodes costs so much; an infinite cost means never.
    pub(super) fn add_edge(&mut self, one: u32, other: u32, cost: f64) {
        for (from, to) in [(one, other), (other, one)] {
            self.edges_of[from as usize].push(self.to.len() as u32);
            self.to.push(to);
            self.cost.push(cost);
        }
    }

    /// The cost of a cut, given which nodes are on the source's side.
    pub(super) fn cost_between(&self, side: &[bool]) -> f64 {
        let edges = self.to.chunks(2).zip(self.cost.chunks(2));
        let parted = edges.filter(|(to, _)| side[to[0] as usize] != side[to[1] as usize]);
        parted.map(|(_, cost)| cost[0]).sum()
    }

    /// Whether each node is on the source's side of a cheapest cut.
    pub(super) fn cut(&self) -> Vec<bool> {
        let largest =
            self.cost.iter().filter(|cost| cost.is_finite()).fold(f64::MIN_POSITIVE, |m, c| m.max(*c));
        let whole = |cost: &f64| match cost / largest {
            share if share.is_finite() => (share * (1u64 << 40) as f64) as i64 + 1,
            _ => i64::MAX / 4,
        };
        let mut flow = Flow {
            graph: self,
            left: self.cost.iter().map(whole).collect(),
            level: Vec::new(),
            next: Vec::new(),
        };
        while flow.find_levels() {
            flow.next = vec![0; self.edges_of.len()];
            while flow.push() {}
        }
        flow.level.iter().map(|level| *level != FAR).collect()
    }
}

const FAR: u32 = u32::MAX;

struct Flow<'a> {
    graph: &'a Graph,
    /// The capacity that each edge still has.
    left: Vec<i64>,
    /// Steps from the source.
    level: Vec<u32>,
    next: Vec<u32>,
}

impl Flow<'_> {
    /// Whether the sink is reached.
    fn find_levels(&mut self) -> bool {
        self.level = vec![FAR; self.graph.edges_of.len()];
        self.level[SOURCE as usize] = 0;
        let mut queue = VecDeque::from([SOURCE]);
        while let Some(node) = queue.pop_front() {
            for edge in &self.graph.edges_of[node as usize] {
                let to = self.graph.to[*edge as usize];
                if self.level[to as usize] == FAR && self.left[*edge as usize] > 0 {
                    self.level[to as usize] = self.level[node as usize] + 1;
                    queue.push_back(to);
                }
            }
        }
        self.level[SINK as usize] != FAR
    }

    /// Sends as much as one path takes; whether there was one.
    fn push(&mut self) -> bool {
        let mut path: Vec<u32> = Vec::new();
        let mut node = SOURCE;
        while node != SINK {
            let edges = &self.graph.edges_of[node as usize];
            match edges.get(self.next[node as usize] as usize) {
                Some(edge) => {
                    let to = self.graph.to[*edge as usize];
                    let leads = self.level[to as usize] == self.level[node as usize] + 1;
                    if leads && self.left[*edge as usize] > 0 {
                        path.push(*edge);
                        node = to;
                    } else {
                        self.next[node as usize] += 1;
                    }
                }
                None => {
                    // A dead end, for the rest of this round.
                    let Some(edge) = path.pop() else { return false };
                    node = self.graph.to[(edge ^ 1) as usize];
                    self.next[node as usize] += 1;
                }
            }
        }
        let amount = path.iter().map(|edge| self.left[*edge as usize]).min().unwrap_or(0);
        for edge in path {
            self.left[edge as usize] -= amount;
            self.left[(edge ^ 1) as usize] += amount;
        }
        amount > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_goes_where_it_is_cheapest() {
        // Source – 2 – 3 – 4 – sink, and a second edge from 2 to 4.
        for (middle, expected) in [(1.0, [true, false, false]), (9.0, [true, true, true])] {
            let mut graph = Graph::new(3);
            graph.add_edge(SOURCE, 2, f64::INFINITY);
            graph.add_edge(2, 3, middle);
            graph.add_edge(3, 4, 5.0);
            graph.add_edge(2, 4, 1.0);
            graph.add_edge(4, SINK, 4.0);
            assert_eq!(graph.cut()[2..], expected);
        }
    }

    #[test]
    fn all_cuts_of_small_graphs_cost_at_least_as_much() {
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..200 {
            let mut graph = Graph::new(5);
            for _ in 0..12 {
                let (one, other) = (random(7) as u32, random(7) as u32);
                if one != other {
                    graph.add_edge(one, other, random(50) as f64);
                }
            }
            let found = graph.cut();
            assert!(found[0] && !found[1]);
            for bits in 0..32u32 {
                let mut side = vec![true, false];
                side.extend((0..5).map(|i| bits >> i & 1 == 1));
                assert!(graph.cost_between(&found) <= graph.cost_between(&side) + 1e-6);
            }
        }
    }
}
