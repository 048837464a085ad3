//! Points traced through the hulls that Quake's compilers made of a level for a size of player, beside a box
//! of that size swept through the faces: levels in the folder that `CAROM_DATA` names. `CAROM_CASTS` says how
//! many traces through each hull (500 by default).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod random;

use std::collections::BTreeMap;

use carom::{Body, Cast, Cuboid, Mesh, World};
use carom_formats::{LoadOptions, Up, load};
use carom_scenes::real;
use glam::{DVec3, dvec3};
use random::Random;

/// The trees of a compiled level that points are traced through.
struct Hulls {
    planes: Vec<(DVec3, f64)>,
    nodes: Vec<(usize, [i32; 2])>,
    /// Of hulls 1 and 2.
    roots: [i32; 2],
    low: DVec3,
    high: DVec3,
}

const SOLID: i32 = -2;

impl Hulls {
    fn new(bytes: &[u8]) -> Self {
        let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let short = |at: usize| i32::from(i16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
        let float = |at: usize| f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
        let vector = |at: usize| dvec3(float(at), float(at + 4), float(at + 8));
        let lump = |number: usize| (int(4 + 8 * number) as usize, int(8 + 8 * number) as usize);
        let (planes, plane_bytes) = lump(1);
        let (nodes, node_bytes) = lump(9);
        let (model, _) = lump(14);
        Self {
            planes: (0..plane_bytes / 20)
                .map(|i| (vector(planes + 20 * i), float(planes + 20 * i + 12)))
                .collect(),
            nodes: (0..node_bytes / 8)
                .map(|i| (int(nodes + 8 * i) as usize, [4, 6].map(|at| short(nodes + 8 * i + at))))
                .collect(),
            roots: [int(model + 40), int(model + 44)],
            low: vector(model),
            high: vector(model + 12),
        }
    }

    fn contents(&self, hull: usize, point: DVec3) -> i32 {
        let mut at = self.roots[hull];
        while at >= 0 {
            let (plane, children) = self.nodes[at as usize];
            let (normal, distance) = self.planes[plane];
            at = children[usize::from(normal.dot(point) < distance)];
        }
        at
    }

    /// The share of the way after which a point is in the solid.
    fn trace(&self, hull: usize, from: DVec3, way: DVec3) -> Option<f64> {
        let mut open = vec![(self.roots[hull], 0.0, 1.0)];
        while let Some((at, start, end)) = open.pop() {
            if at < 0 {
                if at == SOLID {
                    return Some(start);
                }
                continue;
            }
            let (plane, [front, back]) = self.nodes[at as usize];
            let (normal, distance) = self.planes[plane];
            let height = |t: f64| normal.dot(from + way * t) - distance;
            let (first, last) = (height(start), height(end));
            match (first >= 0.0, last >= 0.0) {
                (true, true) => open.push((front, start, end)),
                (false, false) => open.push((back, start, end)),
                (is_front, _) => {
                    let middle = start + (end - start) * (first / (first - last));
                    let [near, far] = if is_front { [front, back] } else { [back, front] };
                    open.push((far, middle, end));
                    open.push((near, start, middle));
                }
            }
        }
        None
    }
}

#[test]
fn hulls_of_the_compiler_differ_from_the_box_only_where_it_bevels_clips_or_rounds() {
    let Some(data) = real::folder() else { return };
    let casts: usize = std::env::var("CAROM_CASTS").ok().and_then(|text| text.parse().ok()).unwrap_or(500);
    let files = real::files_below(&data, |path| {
        path.extension().is_some_and(|extension| extension == "bsp")
            && std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(&29i32.to_le_bytes()))
    })
    .unwrap();
    let options = LoadOptions { up: Some(Up::Y), scale: Some(1.0), ..LoadOptions::default() };
    for path in files {
        let hulls = Hulls::new(&std::fs::read(&path).unwrap());
        if hulls.nodes.is_empty() {
            println!("{}: compiled without hulls", path.file_name().unwrap().display());
            continue;
        }
        // The world alone: doors have hulls of their own.
        let mut level = load(&path, &options).unwrap();
        let of_world: Vec<bool> = level.surfaces.iter().map(|surface| !surface.contains('#')).collect();
        let kept = level.surface_ids.iter().map(|id| of_world[usize::from(*id)]);
        let kept: Vec<bool> = kept.collect();
        let triangles =
            level.triangles.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(t, _)| *t).collect();
        level.triangles = triangles;
        let ids: Vec<u16> =
            level.surface_ids.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(id, _)| *id).collect();
        let mesh = Mesh::from_triangles(level.vertices.clone(), level.triangles.clone()).unwrap();
        let mut world = World::new();
        world.add(Body::fixed(mesh));
        let mut random = Random(11);
        for (hull, (half, above)) in
            [(dvec3(16.0, 16.0, 28.0), 4.0), (dvec3(32.0, 32.0, 44.0), 20.0)].into_iter().enumerate()
        {
            let above = DVec3::Z * above;
            let cuboid = Cuboid::new(half).unwrap();
            let mut classes: BTreeMap<String, usize> = BTreeMap::new();
            let (mut asked, mut tried) = (0, 0);
            while asked < casts && tried < 400 * casts {
                tried += 1;
                let middle = 0.5 * (hulls.low + hulls.high);
                let from = middle + 0.5 * (hulls.high - hulls.low) * random.vector();
                if hulls.contents(hull, from) == SOLID {
                    continue;
                }
                let way = random.vector() * 300.0;
                let length = way.length();
                asked += 1;
                let cast = Cast::new(cuboid, from + above, way).unwrap();
                let near = |at: DVec3, distance: f64| {
                    world
                        .closest(cuboid, at + above, distance, carom::Layers::ALL)
                        .unwrap()
                        .map(|near| near.distance)
                };
                let texture = |part: u32| &level.surfaces[usize::from(ids[part as usize])];
                let start = world.overlaps(cuboid, from + above, carom::Layers::ALL).unwrap();
                let class = if let Some(part) = start.first() {
                    format!("the box starts in a face of {}", texture(part.part.part))
                } else {
                    let hit = world.cast(&cast);
                    let point_at = hulls.trace(hull, from, way);
                    let (a, b) = (hit.map_or(1.0, |hit| hit.hit.fraction), point_at.unwrap_or(1.0));
                    let difference = (a - b) * length;
                    if difference.abs() <= 0.125 {
                        "the same to 1/8 unit".to_owned()
                    } else if difference > 0.0 {
                        // The hull stops first: how far is the box from anything there?
                        match near(from + way * b, 128.0) {
                            Some(gap) if gap <= 0.125 => "the hull stops first: the box grazes".to_owned(),
                            Some(gap) if gap <= half.length() => "the hull stops first: no bevel".to_owned(),
                            _ => "the hull stops first: clip brush".to_owned(),
                        }
                    } else {
                        // Does it come out again after grazing a corner of the level?
                        let depth = (0..=20).any(|i| {
                            let further = from + way * (a - difference / length * f64::from(i) / 20.0);
                            near(further, 0.125).is_none()
                        });
                        let how = if depth { "and grazes" } else { "and the hull goes on" };
                        format!("the box stops first {how}: {}", hit.map_or("", |hit| texture(hit.part)))
                    }
                };
                *classes.entry(class).or_default() += 1;
            }
            println!("{}, hull {}: {asked} traces", path.file_name().unwrap().display(), hull + 1);
            for (class, count) in &classes {
                println!("    {class}: {count}");
                // The box meets nothing that the hull does not know.
                assert!(
                    class.starts_with("the same") || class.starts_with("the hull stops first"),
                    "{class}"
                );
            }
            let same = classes.get("the same to 1/8 unit").copied().unwrap_or_default();
            assert!(same * 100 >= asked * 98, "{same} of {asked}");
        }
    }
}
