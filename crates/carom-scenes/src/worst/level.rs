//! The worlds of cases, of which the large ones are shared.

use std::sync::OnceLock;

use carom::mesh::{HeightField, Heights};
use carom::world::{Body, World};
use glam::{DVec3, dvec3};

use super::Family;
use super::genes::{Genes, Reader, Section};
use super::place::{Level, Spot, Surface};
use super::small;
use crate::workload::Terrain;

/// A square of so many quads has a little more than a million triangles.
const QUADS: usize = 708;

/// The hills as a mesh and as a height field, made when they are first asked for.
#[derive(Default)]
pub struct Levels {
    terrain: OnceLock<Terrain>,
    hills: OnceLock<World>,
    field: OnceLock<World>,
}

impl Levels {
    /// Nothing is made yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn terrain(&self) -> &Terrain {
        self.terrain.get_or_init(|| Terrain::new(QUADS))
    }

    fn hills(&self) -> &World {
        self.hills.get_or_init(|| {
            let mesh = self.terrain().mesh().clone().into_mesh().expect("generated meshes are finite");
            let mut world = World::new();
            world.add(Body::fixed(mesh));
            world
        })
    }

    fn field(&self) -> &World {
        self.field.get_or_init(|| {
            let heights = self.terrain().mesh().vertices.iter().map(|vertex| vertex[1]).collect();
            let side = QUADS as u32 + 1;
            let field = HeightField::new([side; 2], [1.0; 2], Heights::F32(heights));
            let mut world = World::new();
            world.add(Body::fixed(field.expect("generated heights are finite")));
            world
        })
    }

    /// The level of a case.
    pub(super) fn level(&self, family: Family, genes: &Genes) -> Level {
        let mut reader = genes.section(Section::Scene);
        match family {
            Family::Hills | Family::LargeOnHills => on_hills(self.hills().clone()),
            Family::HeightField => on_hills(self.field().clone()),
            _ => small::level(family, &mut reader),
        }
    }

    /// A place on a surface of a level. Four genes.
    pub(super) fn spot(&self, level: &Level, reader: &mut Reader<'_>) -> Spot {
        let shares = [(); 4].map(|()| reader.unit());
        let choose = |count: usize| (shares[0] * count as f64) as usize;
        let corners = match &level.surface {
            Surface::Balls(balls) => {
                let (center, radius) = balls[choose(balls.len())];
                let z = 2.0 * shares[1] - 1.0;
                let (sin, cos) = carom::num::ops::sin_cos(core::f64::consts::TAU * shares[2]);
                let s = carom::num::ops::sqrt(1.0 - z * z);
                let normal = dvec3(s * cos, z, s * sin);
                return Spot { at: center + normal * radius, normal };
            }
            Surface::Triangles(triangles) => triangles[choose(triangles.len())],
            Surface::Hills => {
                let terrain = self.terrain();
                let [i, j] = [shares[0], shares[1]].map(|share| (share * QUADS as f64) as usize);
                let quad = 2 * (j * QUADS + i);
                terrain.mesh().corners(quad + usize::from(shares[2] > shares[3]))
            }
        };
        let [a, b, c] = corners;
        // Corners and edges as often as faces.
        let weights = match (shares[3] * 4.0) as u32 {
            0 => [1.0, 0.0],
            1 => [1.0 - shares[1], shares[1]],
            _ => [(1.0 - shares[1]) * shares[2], shares[1] * shares[2]],
        };
        let at = a * weights[0] + b * weights[1] + c * (1.0 - weights[0] - weights[1]);
        let normal = (b - a).cross(c - a).try_normalize().unwrap_or(DVec3::Y);
        Spot { at, normal }
    }
}

fn on_hills(world: World) -> Level {
    let half = 0.5 * QUADS as f64;
    Level { world, driven: Vec::new(), surface: Surface::Hills, middle: dvec3(half, 0.0, half), half }
}
