//! Balls, event by event.

use carom::Body;
use carom::balls::{Ball, BallMotion, Cloth, Dimensions, EventKind, Pocket, Rules, Setup, Table, Wall};
use carom::glam::{DVec3, dvec3};
use carom::world::Collider;
use carom_scenes::balls::{landslide, pool_break};
use wasm_bindgen::prelude::*;

use crate::answer::Answer;
use crate::error::{bad_value, gone};
use crate::mesh::RawMesh;

/// A table that is set up, then played.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawTable {
    setup: Setup,
    table: Option<Table>,
    /// The centers, three numbers a ball.
    positions: Vec<f64>,
    answer: Answer,
}

#[wasm_bindgen]
impl RawTable {
    /// An empty table: `flat` for circles. Gravity in m/s²; restitution of balls and of walls; friction on
    /// the cloth, 0 for none.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::too_many_arguments, reason = "numbers cross the border one by one, without allocating")]
    pub fn new(
        flat: bool,
        gx: f64,
        gy: f64,
        gz: f64,
        restitution: f64,
        wall_restitution: f64,
        sliding: f64,
        rolling: f64,
    ) -> RawTable {
        let cloth = (sliding > 0.0 || rolling > 0.0).then_some(Cloth { sliding, rolling, weight: 9.81 });
        let rules = Rules {
            dimensions: if flat { Dimensions::Two } else { Dimensions::Three },
            gravity: dvec3(gx, gy, gz),
            restitution,
            wall_restitution,
            cloth,
            ..Rules::default()
        };
        Self::of(Setup { rules, ..Setup::default() })
    }

    /// A pool table of nine feet, racked: ball 0 is the cue ball, all at rest.
    pub fn pool() -> RawTable {
        let mut setup = pool_break();
        setup.balls.iter_mut().for_each(|ball| ball.velocity = DVec3::ZERO);
        Self::of(setup)
    }

    /// 2,000 marbles above a rough slope between four walls.
    pub fn marbles() -> RawTable {
        Self::of(landslide())
    }

    /// Adds a ball before the first tick.
    ///
    /// # Errors
    /// Numbers out of range; a table that is being played.
    #[wasm_bindgen(js_name = addBall)]
    #[expect(clippy::too_many_arguments, reason = "numbers cross the border one by one, without allocating")]
    pub fn add_ball(
        &mut self,
        x: f64,
        y: f64,
        z: f64,
        vx: f64,
        vy: f64,
        vz: f64,
        radius: f64,
        mass: f64,
    ) -> Result<u32, JsValue> {
        let ball = Ball::new(dvec3(x, y, z), dvec3(vx, vy, vz), radius, mass).map_err(bad_value)?;
        self.open()?.balls.push(ball);
        self.positions.extend([x, y, z]);
        Ok(self.setup.balls.len() as u32 - 1)
    }

    /// Adds a plane; all behind it is solid.
    ///
    /// # Errors
    /// A table that is being played.
    #[wasm_bindgen(js_name = addPlane)]
    pub fn add_plane(&mut self, x: f64, y: f64, z: f64, nx: f64, ny: f64, nz: f64) -> Result<(), JsValue> {
        self.open()?.walls.push(Wall::Plane { point: dvec3(x, y, z), normal: dvec3(nx, ny, nz) });
        Ok(())
    }

    /// Adds a cushion from a to b.
    ///
    /// # Errors
    /// A table that is being played.
    #[wasm_bindgen(js_name = addSegment)]
    pub fn add_segment(&mut self, ax: f64, ay: f64, bx: f64, by: f64) -> Result<(), JsValue> {
        self.open()?.walls.push(Wall::Segment { a: dvec3(ax, ay, 0.0), b: dvec3(bx, by, 0.0) });
        Ok(())
    }

    /// Adds a pocket.
    ///
    /// # Errors
    /// A table that is being played.
    #[wasm_bindgen(js_name = addPocket)]
    pub fn add_pocket(&mut self, x: f64, y: f64, z: f64, radius: f64) -> Result<(), JsValue> {
        self.open()?.pockets.push(Pocket { position: dvec3(x, y, z), radius });
        Ok(())
    }

    /// Adds triangles that balls bounce off.
    ///
    /// # Errors
    /// A table that is being played.
    #[wasm_bindgen(js_name = addMesh)]
    pub fn add_mesh(&mut self, mesh: &RawMesh) -> Result<(), JsValue> {
        self.open()?.obstacles.add(Body::fixed(mesh.tree.clone()));
        Ok(())
    }

    /// Plays for some seconds, and returns how many events there were, at most `most`.
    ///
    /// # Errors
    /// A setup that is refused: overlapping balls, numbers out of range.
    pub fn advance(&mut self, seconds: f64, most: u32) -> Result<u32, JsValue> {
        let table = self.started()?;
        let until = table.time() + seconds;
        let mut events = 0;
        while events < most {
            match table.next_event(until) {
                None => break,
                Some(event) => events += u32::from(!matches!(event.kind, EventKind::Rest { .. })),
            }
        }
        self.renew();
        Ok(events)
    }

    /// The time of the table, in seconds.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> f64 {
        self.table.as_ref().map_or(0.0, Table::time)
    }

    /// How many balls there are.
    #[wasm_bindgen(getter)]
    pub fn count(&self) -> u32 {
        self.setup.balls.len() as u32
    }

    /// Where the centers are, in bytes: three numbers a ball, renewed by [`Self::advance`]. Moves when balls
    /// are added.
    #[wasm_bindgen(js_name = positionsAddress)]
    pub fn positions_address(&self) -> usize {
        self.positions.as_ptr().addr()
    }

    /// Where the answers are, in bytes.
    pub fn answers(&self) -> usize {
        self.answer.address()
    }

    /// Writes a ball: position, velocity, roll, motion (0 free, 1 sliding, 2 rolling, 3 resting, 4 in a
    /// pocket), radius: 11 numbers.
    ///
    /// # Errors
    /// A ball that is not there.
    pub fn ball(&mut self, ball: u32) -> Result<(), JsValue> {
        let set = *self.setup.balls.get(ball as usize).ok_or_else(|| gone("there is no such ball"))?;
        let (position, velocity, roll, motion) = match &self.table {
            None => (set.position, set.velocity, DVec3::ZERO, BallMotion::Free),
            Some(table) => {
                let state = table.ball(ball as usize);
                (state.position, state.velocity, state.roll, state.motion)
            }
        };
        let motion = match motion {
            BallMotion::Free => 0.0,
            BallMotion::Sliding => 1.0,
            BallMotion::Rolling => 2.0,
            BallMotion::Resting => 3.0,
            BallMotion::Pocketed => 4.0,
        };
        let answer = self.answer.begin().vector(position).vector(velocity).vector(roll);
        answer.number(motion).number(set.radius);
        Ok(())
    }

    /// Gives a ball a velocity.
    ///
    /// # Errors
    /// A ball that is not there or in a pocket, a velocity that is not finite.
    pub fn strike(&mut self, ball: u32, x: f64, y: f64, z: f64) -> Result<(), JsValue> {
        let table = self.started()?;
        if ball as usize >= table.len() || !table.strike(ball as usize, dvec3(x, y, z)) {
            return Err(gone("there is no such ball, or it is in a pocket, or the velocity is not finite"));
        }
        Ok(())
    }

    /// The kinetic and potential energy, in joules.
    #[wasm_bindgen(getter)]
    pub fn energy(&self) -> f64 {
        self.table.as_ref().map_or(0.0, Table::energy)
    }

    /// The cushions: four numbers each, from and to.
    pub fn segments(&self) -> Vec<f64> {
        let ends = |wall: &Wall| match wall {
            Wall::Segment { a, b } => Some([a.x, a.y, b.x, b.y]),
            _ => None,
        };
        self.setup.walls.iter().filter_map(ends).flatten().collect()
    }

    /// The pockets: three numbers each, middle and radius.
    pub fn pockets(&self) -> Vec<f64> {
        let numbers = |pocket: &Pocket| [pocket.position.x, pocket.position.y, pocket.radius];
        self.setup.pockets.iter().flat_map(numbers).collect()
    }

    /// The triangles that balls bounce off: nine numbers each.
    pub fn triangles(&self) -> Vec<f32> {
        let mut corners = Vec::new();
        for (_, body) in self.setup.obstacles.bodies() {
            if let Collider::Mesh(tree) = body.collider() {
                let mesh = tree.mesh();
                let all = (0..mesh.triangle_count()).flat_map(|triangle| mesh.corners(triangle));
                corners.extend(all.flat_map(|p| p.as_vec3().to_array()));
            }
        }
        corners
    }
}

impl RawTable {
    fn of(setup: Setup) -> Self {
        let positions = setup.balls.iter().flat_map(|ball| ball.position.to_array()).collect();
        Self { setup, table: None, positions, answer: Answer::default() }
    }

    /// The setup, before the first tick.
    fn open(&mut self) -> Result<&mut Setup, JsValue> {
        match self.table {
            None => Ok(&mut self.setup),
            Some(_) => Err(bad_value("the table is being played: add everything before the first tick")),
        }
    }

    fn started(&mut self) -> Result<&mut Table, JsValue> {
        if self.table.is_none() {
            self.table = Some(Table::new(self.setup.clone()).map_err(bad_value)?);
        }
        self.table.as_mut().ok_or_else(|| gone("the table was not set up"))
    }

    fn renew(&mut self) {
        if let Some(table) = &self.table {
            for (i, place) in self.positions.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                *place = table.ball(i).position.to_array();
            }
        }
    }
}
