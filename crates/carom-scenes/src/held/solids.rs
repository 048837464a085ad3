//! Random worlds of every kind of solid but meshes: half-spaces, hulls, cylinders, cones, balls, height
//! fields, compounds, plates and BSP trees.

use core::f64::consts::TAU;

use carom::bsp::Bsp;
use carom::mesh::{HeightField, Heights};
use carom::num::ops;
use carom::shape::{Cone, ConvexHull, ConvexPolygon, Cylinder, Plane};
use carom::world::{Body, Collider, Compound, CompoundPiece, HalfSpace, MeshTree, Pose, World};
use carom::{Capsule, Cuboid, Ellipsoid, Sphere};
use glam::{DQuat, DVec3, dvec3};

use crate::{MeshBuilder, Random};

/// Half the floor, whose top is at 0, in meters.
const HALF: f64 = 5.0;

/// The world of a seed.
pub fn world(seed: u64) -> World {
    let mut random = Random::scattered(seed ^ 0x0050_11D5_0F0F);
    // Every other world is on a grid, along the axes: faces are flush, and edges meet.
    let is_on_grid = seed % 2 == 1;
    let mut maker = Maker { random: &mut random, is_on_grid, made: Vec::new() };
    maker.room(seed / 2 % 2 == 1);
    for _ in 0..6 + maker.random.below(10) {
        maker.piece();
    }
    // Of eight worlds one is a compound.
    let is_compound = seed % 8 == 7;
    let mut world = World::new();
    let mut pieces = Vec::new();
    for (collider, pose) in maker.made {
        if is_compound && !matches!(collider, Collider::Compound(_)) {
            pieces.push(CompoundPiece::new(collider).at(pose));
        } else {
            world.add(Body::fixed(collider).at(pose));
        }
    }
    if is_compound {
        world.add(Body::fixed(Compound::new(pieces).expect("has pieces")));
    }
    world
}

/// Where a piece is put.
#[derive(Clone, Copy)]
struct Spot {
    at: DVec3,
    turn: DQuat,
}

struct Maker<'a> {
    random: &'a mut Random,
    is_on_grid: bool,
    made: Vec<(Collider, Pose)>,
}

impl Maker<'_> {
    /// A floor and four walls, of half-spaces or of boxes.
    fn room(&mut self, is_planes: bool) {
        if is_planes {
            let mut plane = |normal: DVec3, at: f64| {
                let plane = Plane::at_distance(normal, at).expect("is a plane");
                self.made.push((HalfSpace::behind(plane).into(), Pose::from_translation(DVec3::ZERO)));
            };
            plane(DVec3::Y, 0.0);
            for n in [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z] {
                plane(n, -HALF);
            }
            return;
        }
        let mut slab = |half: DVec3, at: DVec3| {
            self.made.push((Cuboid::new(half).expect("is in its range").into(), Pose::from_translation(at)));
        };
        slab(dvec3(HALF, 1.0, HALF), DVec3::NEG_Y);
        for [x, z] in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] {
            let half =
                dvec3(if x == 0.0 { HALF + 1.0 } else { 0.5 }, 4.0, if z == 0.0 { HALF + 1.0 } else { 0.5 });
            slab(half, dvec3(x, 0.0, z) * (HALF + 0.5) + DVec3::Y * 3.0);
        }
    }

    /// A length, on the grid if there is one.
    fn grid(&mut self, low: f64, high: f64) -> f64 {
        let x = self.random.between(low, high);
        if self.is_on_grid { (x * 20.0).round().max(1.0) / 20.0 } else { x }
    }

    fn add(&mut self, collider: impl Into<Collider>, at: DVec3, turn: DQuat) {
        let pose = Pose::at(at).and_then(|pose| pose.with_rotation(turn)).expect("is a pose");
        self.made.push((collider.into(), pose));
    }

    fn hull(points: &[DVec3]) -> ConvexHull {
        ConvexHull::new(points).expect("has a volume")
    }

    fn box_points(low: DVec3, high: DVec3) -> Vec<DVec3> {
        (0..8u32)
            .map(|i| {
                dvec3(
                    if i & 1 == 0 { low.x } else { high.x },
                    if i & 2 == 0 { low.y } else { high.y },
                    if i & 4 == 0 { low.z } else { high.z },
                )
            })
            .collect()
    }

    /// One thing, or several that belong together.
    fn piece(&mut self) {
        let is_on_grid = self.is_on_grid;
        let place = |x: f64| if is_on_grid { (x * 20.0).round() / 20.0 } else { x };
        let (x, z) = (self.random.between(-HALF, HALF), self.random.between(-HALF, HALF));
        let angle = if is_on_grid {
            f64::from(self.random.below(4) as u32) * 0.25 * TAU
        } else {
            TAU * self.random.unit()
        };
        let turn = ops::rotation_about(DVec3::Y, angle);
        let spot = Spot { at: dvec3(place(x), 0.0, place(z)), turn };
        match self.random.below(16) {
            0 => self.block(spot),
            1 => self.stairs(spot),
            2 => self.disk(spot),
            3 => self.log(spot),
            4 => self.cone(spot),
            5 => self.leaning(spot),
            6 => self.dome(spot),
            7 => self.stump(spot),
            8 => self.rock(spot),
            9 | 10 => self.terrain(spot),
            11 => self.table(spot),
            12 => self.plates(spot),
            13 => self.bsp(spot),
            14 => self.overhead(spot),
            _ => self.ledges(spot),
        }
    }

    /// A block.
    fn block(&mut self, Spot { at, turn }: Spot) {
        let high = dvec3(self.grid(0.2, 2.0), self.grid(0.05, 0.9), self.grid(0.2, 2.0));
        self.add(Self::hull(&Self::box_points(DVec3::ZERO, high)), at, turn);
    }

    /// Stairs of hulls, of disks on each other, of one compound, or of logs.
    fn stairs(&mut self, Spot { at, turn }: Spot) {
        let (rise, tread, depth) = (self.grid(0.05, 0.4), self.grid(0.08, 0.5), self.grid(0.2, 2.0));
        let how = self.random.below(4);
        let count = 3 + self.random.below(4);
        let mut pieces = Vec::new();
        for i in 0..count {
            let f = f64::from(i as u32);
            let low = dvec3(tread * f, 0.0, 0.0);
            let high = dvec3(tread * (f + 1.0), rise * (f + 1.0), depth);
            match how {
                0 => self.add(Self::hull(&Self::box_points(low, high)), at, turn),
                1 => {
                    // Disks on each other.
                    let r = tread * f64::from((count - i) as u32);
                    let half = 0.5 * rise * (f + 1.0);
                    self.add(Cylinder::new(r, half).expect("is in its range"), at + DVec3::Y * half, turn);
                }
                2 => pieces.push(
                    CompoundPiece::new(Cuboid::new((high - low) * 0.5).expect("is in its range"))
                        .at((low + high) * 0.5),
                ),
                _ => {
                    // Logs as steps.
                    let r = rise.max(0.05);
                    let lie = ops::rotation_about(DVec3::X, 0.25 * TAU);
                    let log = Cylinder::new(r, 0.5 * depth).expect("is in its range");
                    let center = dvec3(tread * f, rise * f, 0.5 * depth);
                    self.add(log, at + turn * center, turn * lie);
                }
            }
        }
        if !pieces.is_empty() {
            self.add(Compound::new(pieces).expect("is in its range"), at, turn);
        }
    }

    /// A cylinder, upright.
    fn disk(&mut self, Spot { at, turn }: Spot) {
        let (r, half) = (self.grid(0.1, 1.2), 0.5 * self.grid(0.05, 0.9));
        self.add(Cylinder::new(r, half).expect("is in its range"), at + DVec3::Y * half, turn);
    }

    /// A cylinder that lies, sunk by any share.
    fn log(&mut self, Spot { at, turn }: Spot) {
        let (r, half) = (self.grid(0.1, 0.8), 0.5 * self.grid(0.3, 2.0));
        let lie = ops::rotation_about(DVec3::X, 0.25 * TAU);
        let sunk = self.random.between(-0.9, 1.0) * r;
        self.add(Cylinder::new(r, half).expect("is in its range"), at + DVec3::Y * sunk, turn * lie);
    }

    /// A cone, upright or on its tip.
    fn cone(&mut self, Spot { at, turn }: Spot) {
        let (r, half) = (self.grid(0.1, 1.5), 0.5 * self.grid(0.1, 1.5));
        let tip = if self.random.below(2) == 0 {
            DQuat::IDENTITY
        } else {
            ops::rotation_about(DVec3::X, 0.5 * TAU)
        };
        self.add(Cone::new(r, half).expect("is in its range"), at + DVec3::Y * half, turn * tip);
    }

    /// A cylinder, a cone or a capsule that leans.
    fn leaning(&mut self, Spot { at, .. }: Spot) {
        let lean = ops::rotation_about(self.random.heading(), self.random.between(0.0, 1.6));
        let center = at + DVec3::Y * self.random.between(-0.3, 0.6);
        let (r, half) = (self.random.between(0.1, 0.8), self.random.between(0.05, 0.8));
        match self.random.below(3) {
            0 => self.add(Cylinder::new(r, half).expect("is in its range"), center, lean),
            1 => self.add(Cone::new(r, half).expect("is in its range"), center, lean),
            _ => self.add(Capsule::new(r, half).expect("is in its range"), center, lean),
        }
    }

    /// A ball or an ellipsoid, sunk by any share.
    fn dome(&mut self, Spot { at, turn }: Spot) {
        let r = self.grid(0.1, 1.5);
        let sunk = self.random.between(-0.95, 0.5) * r;
        if self.random.below(2) == 0 {
            self.add(Sphere::new(r).expect("is in its range"), at + DVec3::Y * sunk, turn);
        } else {
            let radii = dvec3(r, self.random.between(0.1, 1.0), self.random.between(0.1, 1.5));
            let lean = ops::rotation_about(self.random.heading(), self.random.between(0.0, 0.5));
            let sunk = self.random.between(-0.95, 0.5) * radii.y;
            self.add(Ellipsoid::new(radii).expect("is in its range"), at + DVec3::Y * sunk, turn * lean);
        }
    }

    /// A wedge or the stump of a pyramid.
    fn stump(&mut self, Spot { at, turn }: Spot) {
        let (length, height, depth) =
            (self.random.between(0.2, 2.0), self.random.between(0.1, 1.5), self.random.between(0.2, 2.0));
        let mut points = Self::box_points(DVec3::ZERO, dvec3(length, 0.1e-3, depth));
        let top = self.random.between(0.0, 0.9);
        let shift = self.random.between(0.0, 1.0 - top) * length;
        points.extend([dvec3(shift, height, 0.0), dvec3(shift, height, depth)]);
        points.extend([dvec3(shift + top * length, height, 0.0), dvec3(shift + top * length, height, depth)]);
        self.add(Self::hull(&points), at, turn);
    }

    /// The hull of random points.
    fn rock(&mut self, Spot { at, turn }: Spot) {
        let size = dvec3(self.grid(0.2, 1.2), self.grid(0.1, 0.9), self.grid(0.2, 1.2));
        let count = 5 + self.random.below(12);
        let points: Vec<DVec3> = (0..count).map(|_| self.random.direction() * size).collect();
        let sunk = self.random.between(-0.7, 0.7) * size.y;
        if let Ok(hull) = ConvexHull::new(&points) {
            self.add(hull, at + DVec3::Y * sunk, turn);
        }
    }

    /// Terrain with holes, rough or in steps.
    fn terrain(&mut self, Spot { at, turn }: Spot) {
        let columns = 3 + self.random.below(8) as u32;
        let rows = 3 + self.random.below(8) as u32;
        let spacing = [self.grid(0.1, 0.8), self.grid(0.1, 0.8)];
        let rough = self.random.between(0.02, 0.6);
        let steps = self.random.below(3) == 0;
        let rise = self.grid(0.05, 0.4);
        let heights: Vec<f32> = (0..columns * rows)
            .map(|i| {
                let (c, r) = (i % columns, i / columns);
                let edge = c == 0 || r == 0 || c == columns - 1 || r == rows - 1;
                let h = if steps { rise * f64::from(c / 2) } else { rough * self.random.unit() };
                if edge && !steps { -0.05 } else { h as f32 }
            })
            .collect();
        let mut field =
            HeightField::new([columns, rows], spacing, Heights::F32(heights)).expect("is in its range");
        let holes = self.random.below(4);
        for _ in 0..holes {
            let cell =
                [self.random.below(columns as usize - 1) as u32, self.random.below(rows as usize - 1) as u32];
            field = field.with_holes(&[cell]).expect("is in its range");
        }
        let lift = self.random.between(-0.1, 0.4);
        self.add(field, at + DVec3::Y * lift, turn);
    }

    /// A table or a bench: a plate on posts.
    fn table(&mut self, Spot { at, turn }: Spot) {
        let (w, d, h) = (self.grid(0.3, 1.5), self.grid(0.3, 1.5), self.grid(0.1, 1.2));
        let mut pieces = vec![
            CompoundPiece::new(Cuboid::new(dvec3(w, 0.04, d)).expect("is in its range")).at(DVec3::Y * h),
        ];
        for (sx, sz) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            pieces.push(
                CompoundPiece::new(Cylinder::new(0.05, 0.5 * h).expect("is in its range")).at(dvec3(
                    sx * (w - 0.06),
                    0.5 * h,
                    sz * (d - 0.06),
                )),
            );
        }
        self.add(Compound::new(pieces).expect("is in its range"), at, turn);
    }

    /// Plates without thickness: ledges and ramps.
    fn plates(&mut self, Spot { at, turn }: Spot) {
        let mut plates = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let (w, d) = (self.grid(0.3, 1.5), self.grid(0.3, 1.5));
            let tilt = if self.random.below(2) == 0 { 0.0 } else { self.random.between(-0.7, 0.7) };
            let lean = ops::rotation_about(self.random.heading(), tilt);
            let center =
                dvec3(self.random.between(-0.6, 0.6), self.grid(0.05, 0.8), self.random.between(-0.6, 0.6));
            let corner = |x: f64, z: f64| center + lean * dvec3(x * w, 0.0, z * d);
            let plate = [corner(1.0, -1.0), corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0)];
            plates.extend(ConvexPolygon::new(plate.to_vec()));
        }
        if !plates.is_empty() {
            self.add(plates, at, turn);
        }
    }

    /// Boxes as a BSP tree.
    fn bsp(&mut self, Spot { at, turn }: Spot) {
        let mut mesh = MeshBuilder::new();
        for _ in 0..1 + self.random.below(3) {
            let half = dvec3(self.grid(0.1, 0.8), self.grid(0.05, 0.5), self.grid(0.1, 0.8));
            let lean = if self.random.below(2) == 0 {
                DQuat::IDENTITY
            } else {
                ops::rotation_about(self.random.heading(), self.random.between(0.0, 0.8))
            };
            let center = dvec3(
                self.random.between(-0.8, 0.8),
                half.y * self.random.between(-0.5, 1.0),
                self.random.between(-0.8, 0.8),
            );
            mesh = mesh.and(&MeshBuilder::cuboid(half).posed(lean, center));
        }
        let mesh = mesh.posed(turn, at).rounded().into_mesh().expect("has triangles");
        let bsp = if self.random.below(2) == 0 { Bsp::of_mesh(&mesh).ok() } else { None };
        let bsp = bsp.unwrap_or_else(|| Bsp::of_surface(&mesh));
        let tree = if self.random.below(2) == 0 {
            MeshTree::with_bsp(mesh, bsp)
        } else {
            MeshTree::with_cells(mesh, bsp)
        };
        self.add(tree, DVec3::ZERO, DQuat::IDENTITY);
    }

    /// Something overhead.
    fn overhead(&mut self, Spot { at, turn }: Spot) {
        let bottom = self.grid(0.9, 2.6);
        let (r, half) = (self.grid(0.2, 1.5), 0.1);
        let over = at + DVec3::Y * (bottom + half);
        match self.random.below(4) {
            0 => self.add(Cylinder::new(r, half).expect("is in its range"), over, turn),
            1 => self.add(
                Cone::new(r, half).expect("is in its range"),
                over,
                turn * ops::rotation_about(DVec3::X, 0.5 * TAU),
            ),
            2 => self.add(Sphere::new(r).expect("is in its range"), at + DVec3::Y * (bottom + r), turn),
            _ => {
                let low = dvec3(-r, 0.0, -r);
                let mut points = Self::box_points(low, dvec3(r, 0.3, r));
                points.push(dvec3(0.0, -0.15, 0.0));
                self.add(Self::hull(&points), at + DVec3::Y * bottom, turn);
            }
        }
    }

    /// Ledges, each behind the edge of another.
    fn ledges(&mut self, Spot { at, turn }: Spot) {
        let mut low = DVec3::ZERO;
        let depth = self.grid(0.2, 2.0);
        for _ in 0..2 + self.random.below(2) {
            let top = low.y + self.grid(0.05, 0.4);
            let shape = Self::box_points(low.with_y(0.0), dvec3(3.0, top, depth));
            self.add(Self::hull(&shape), at, turn);
            low = dvec3(low.x + self.grid(0.05, 0.45), top, 0.0);
        }
    }
}
