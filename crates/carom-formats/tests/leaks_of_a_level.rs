//! Leaks of a real level: tunnels through what is solid around `LibreQuake`'s e0m1, in the folder that
//! `CAROM_DATA` names. `CAROM_LEVELS` says how many levels with 1 to 10 tunnels each (10 by default).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use carom::bsp::{Bsp, Cells, Child, Node, leaks};
use carom_formats::{LoadOptions, Structure};
use carom_scenes::real;
use glam::DVec3;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A box across the axes.
#[derive(Clone, Copy, Debug)]
struct Tunnel {
    low: DVec3,
    high: DVec3,
}

impl Tunnel {
    fn contains(&self, p: DVec3, slack: f64) -> bool {
        p.cmpgt(self.low - slack).all() && p.cmplt(self.high + slack).all()
    }

    fn is_near(&self, other: &Self) -> bool {
        (self.low - 48.0).cmplt(other.high).all() && (other.low - 48.0).cmplt(self.high).all()
    }
}

/// The tree within a box around it, beyond which all is empty, and with tunnels through its solid leaves.
fn opened(bsp: &Bsp, around: Tunnel, tunnels: &[Tunnel]) -> Bsp {
    let mut planes = bsp.planes().clone();
    let mut solid: Vec<bool> = (0..bsp.leaf_count() as u32).map(|leaf| bsp.is_solid(leaf)).collect();
    let mut nodes = bsp.nodes().to_vec();
    let axis_of: Vec<Option<(usize, f64, f64)>> = nodes
        .iter()
        .map(|node| {
            let (normal, distance) = bsp.planes().plane(node.plane);
            let axis = bsp.planes().axis(node.plane)?;
            Some((axis, distance * normal[axis], normal[axis]))
        })
        .collect();
    // Solid leaves, where they hang, and the box of the planes across axes above them.
    let mut found = Vec::new();
    let mut open = vec![(bsp.root(), None, around)];
    while let Some((child, place, bounds)) = open.pop() {
        match child {
            Child::Leaf(leaf) => {
                if bsp.is_solid(leaf) {
                    found.push((place, bounds));
                }
            }
            Child::Node(number) => {
                let node = bsp.nodes()[number as usize];
                let (mut front, mut back) = (bounds, bounds);
                if let Some((axis, at, sign)) = axis_of[number as usize] {
                    let (above, below) =
                        if sign > 0.0 { (&mut front, &mut back) } else { (&mut back, &mut front) };
                    above.low[axis] = above.low[axis].max(at);
                    below.high[axis] = below.high[axis].min(at);
                }
                open.push((node.front, Some((number as usize, true)), front));
                open.push((node.back, Some((number as usize, false)), back));
            }
        }
    }
    let mut carve =
        |place: Option<(usize, bool)>, bounds: Tunnel, nodes: &mut Vec<Node>, solid: &mut Vec<bool>| {
            // The part that is still whole, cut by one tunnel after the other.
            let mut whole = vec![(place, bounds)];
            for tunnel in tunnels {
                let mut next = Vec::new();
                for (place, bounds) in whole {
                    if !(bounds.low.cmplt(tunnel.high).all() && tunnel.low.cmplt(bounds.high).all()) {
                        next.push((place, bounds));
                        continue;
                    }
                    let (mut place, mut rest) = (place, bounds);
                    for axis in 0..3 {
                        for (at, is_low) in [(tunnel.low[axis], true), (tunnel.high[axis], false)] {
                            let mut beyond = rest;
                            if is_low {
                                beyond.high[axis] = beyond.high[axis].min(at);
                                rest.low[axis] = rest.low[axis].max(at);
                            } else {
                                beyond.low[axis] = beyond.low[axis].max(at);
                                rest.high[axis] = rest.high[axis].min(at);
                            }
                            if beyond.low.cmpge(beyond.high).any() {
                                continue;
                            }
                            let plane = planes.insert_axial(axis, at).unwrap();
                            let number = nodes.len();
                            solid.push(true);
                            let outside = Child::Leaf(solid.len() as u32 - 1);
                            solid.push(false);
                            let inside = Child::Leaf(solid.len() as u32 - 1);
                            let (front, back) = if is_low { (inside, outside) } else { (outside, inside) };
                            nodes.push(Node { plane, front, back });
                            hang(nodes, place, Child::Node(number as u32));
                            next.push((Some((number, !is_low)), beyond));
                            place = Some((number, is_low));
                        }
                    }
                    // Only the tunnel is left: an empty leaf.
                    solid.push(false);
                    let leaf = Child::Leaf(solid.len() as u32 - 1);
                    hang(nodes, place, leaf);
                }
                whole = next;
            }
        };
    for (place, bounds) in found {
        carve(place, bounds, &mut nodes, &mut solid);
    }
    // The box around, as six nodes above all.
    let mut wrapped = Vec::new();
    for axis in 0..3 {
        for (at, is_low) in [(around.low[axis], true), (around.high[axis], false)] {
            let plane = planes.insert_axial(axis, at).unwrap();
            solid.push(false);
            let outside = Child::Leaf(solid.len() as u32 - 1);
            let inside = Child::Node(wrapped.len() as u32 + 1);
            let (front, back) = if is_low { (inside, outside) } else { (outside, inside) };
            wrapped.push(Node { plane, front, back });
        }
    }
    let shifted = |child: Child| match child {
        Child::Node(number) => Child::Node(number + 6),
        leaf => leaf,
    };
    wrapped.extend(nodes.iter().map(|node| Node {
        front: shifted(node.front),
        back: shifted(node.back),
        ..*node
    }));
    Bsp::from_nodes(planes, wrapped, solid, bsp.reach()).unwrap()
}

fn hang(nodes: &mut [Node], place: Option<(usize, bool)>, child: Child) {
    match place {
        Some((number, true)) => nodes[number].front = child,
        Some((number, false)) => nodes[number].back = child,
        None => unreachable!("the tree has nodes"),
    }
}

#[test]
fn every_tunnel_out_of_a_real_level_is_a_leak_and_nothing_else_is() {
    let Some(data) = real::folder() else { return };
    let levels: usize = std::env::var("CAROM_LEVELS").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let path = data.join("q1q2_librequake_e0m1/lq_e0m1.bsp");
    let structure = Structure::load(&path, &LoadOptions::default()).unwrap();
    let bsp = &structure.bsp;
    let points: Vec<DVec3> = structure.starts.iter().map(|start| start.position).collect();
    let points: Vec<DVec3> = points.into_iter().filter(|point| !bsp.contains(*point)).collect();
    let cells = Cells::of(bsp);
    let leaves: Vec<u32> = points.iter().map(|point| bsp.leaf_at(*point)).collect();
    let inside = cells.flood(&leaves);
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let reached: Vec<u32> = cells.cells().filter(|leaf| inside.reaches(*leaf)).collect();
    let (low, high) = reached
        .iter()
        .flat_map(|leaf| cells.walls_of(*leaf))
        .flat_map(|wall| cells.corners(&cells.walls()[*wall as usize]))
        .fold(none, |(low, high), corner| (low.min(*corner), high.max(*corner)));
    let around = Tunnel { low: (low - 64.0).floor(), high: (high + 64.0).ceil() };
    assert!(around.low.abs().max(around.high.abs()).max_element() < bsp.reach(), "{around:?}");
    assert!(leaks(&opened(bsp, around, &[]), &points, 0.2).leaks.is_empty(), "it leaks before");
    let mut random = Random(22);
    let (mut made, mut found, mut missed) = (0, 0, 0);
    for level in 0..levels {
        let wanted = 1 + random.below(10);
        let mut tunnels: Vec<Tunnel> = Vec::new();
        let mut tries = 0;
        while tunnels.len() < wanted && tries < 20_000 {
            tries += 1;
            let leaf = reached[random.below(reached.len())];
            let walls = cells.walls_of(leaf);
            if walls.is_empty() {
                continue;
            }
            let wall = &cells.walls()[walls[random.below(walls.len())] as usize];
            let Some(axis) = bsp.planes().axis(wall.plane()) else { continue };
            let (normal, _) = bsp.planes().plane(wall.plane());
            let out = -normal[axis].signum();
            let middle = cells.center(wall).round();
            let side = 8.0 + 8.0 * random.below(3) as f64;
            let mut tunnel = Tunnel { low: middle - side, high: middle + side };
            // From a little within the room to the outside.
            let at = cells.center(wall)[axis];
            if out > 0.0 {
                tunnel.low[axis] = at - 1.0;
                tunnel.high[axis] = around.high[axis] + 8.0;
            } else {
                tunnel.high[axis] = at + 1.0;
                tunnel.low[axis] = around.low[axis] - 8.0;
            }
            if tunnels.iter().any(|other| other.is_near(&tunnel))
                || points.iter().any(|p| tunnel.contains(*p, 48.0))
            {
                continue;
            }
            // Its mouth is in the room, all of the rest in the solid: it and a rim around it.
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let length = (tunnel.high[axis] - tunnel.low[axis]) as i64;
            let is_clear = (-3..=3).all(|i| {
                (-3..=3).all(|j| {
                    let mut p = middle;
                    p[u] += side * 1.3 * f64::from(i) / 3.0 + 0.013;
                    p[v] += side * 1.3 * f64::from(j) / 3.0 + 0.017;
                    p[axis] = at - 0.5 * out;
                    let in_room = inside.reaches(bsp.leaf_at(p)) && !bsp.contains(p);
                    in_room
                        && (0..length / 2).all(|k| {
                            p[axis] = at + out * (0.5 + 2.0 * k as f64);
                            !around.contains(p, 0.0) || bsp.contains(p)
                        })
                })
            });
            if is_clear {
                tunnels.push(tunnel);
            }
        }
        let search = leaks(&opened(bsp, around, &tunnels), &points, 0.2);
        assert!(search.outside.is_empty(), "level {level}");
        assert_eq!(search.leaks.is_empty(), tunnels.is_empty(), "level {level}");
        let mut passed = vec![false; tunnels.len()];
        for leak in &search.leaks {
            let through: Vec<usize> = (0..tunnels.len())
                .filter(|i| {
                    let is_in = |pair: &[DVec3]| {
                        (0..=400)
                            .any(|k| tunnels[*i].contains(pair[0].lerp(pair[1], f64::from(k) / 400.0), -0.01))
                    };
                    leak.chain.windows(2).any(is_in)
                })
                .collect();
            assert!(!through.is_empty(), "level {level}: a leak through no tunnel");
            through.iter().for_each(|i| passed[*i] = true);
        }
        made += tunnels.len();
        found += search.leaks.len();
        missed += passed.iter().filter(|passed| !**passed).count();
    }
    println!("{levels} levels, {made} tunnels, {found} leaks, {missed} tunnels without one");
    assert_eq!((found, missed), (made, 0));
}
