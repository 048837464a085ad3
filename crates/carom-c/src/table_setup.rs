//! The setup of a table: balls, walls, pockets, rules.

use carom::World;
use carom::balls::{Ball, Cloth, Dimensions, Pocket, Rules, Setup, Wall};

use crate::border::{check_size, list};
use crate::status::Failure;
use crate::values::CaromVec3;
use crate::world::{CaromWorld, WORLDS};

/// A ball for the setup of a table.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromBall {
    /// The center, in meters.
    pub position: CaromVec3,
    /// The velocity, in m/s.
    pub velocity: CaromVec3,
    /// In meters, greater than 0.
    pub radius: f64,
    /// In kilograms, greater than 0.
    pub mass: f64,
}

/// The kind of a wall, which decides which of its numbers are used.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromWallKind {
    /// A solid half-space: everything behind the plane through `a`; `b` is its normal, towards the balls.
    Plane = 0,
    /// A cushion from `a` to `b`; z does not matter.
    Segment = 1,
    /// An arc of a circle about `a` with this `radius`, counterclockwise between two angles; z does not
    /// matter.
    Arc = 2,
}

/// A wall of a table.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromWall {
    /// A `CaromWallKind`.
    pub kind: u32,
    /// Depends on the kind, in meters.
    pub a: CaromVec3,
    /// Depends on the kind, in meters.
    pub b: CaromVec3,
    /// The radius of an arc, in meters.
    pub radius: f64,
    /// The start of an arc, in radians from +x towards +y.
    pub from_angle: f64,
    /// The end of an arc, not before `from_angle`. A full turn or more is the whole circle.
    pub to_angle: f64,
}

/// A pocket: a ball whose center is inside is off the table.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromPocket {
    /// The center, in meters.
    pub position: CaromVec3,
    /// The radius in meters, greater than 0.
    pub radius: f64,
}

/// Everything that a table is made of. The arrays are copied.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CaromTableSetup {
    /// The size of this structure; `carom_table_setup_default` sets it.
    pub size: u32,
    /// 1 for circles: z is 0 for all balls. 0 for spheres.
    pub is_flat: u32,
    /// 1 if the table has a cloth, on which balls slide until they roll, and roll until they rest. Only
    /// without gravity. Else 0.
    pub has_cloth: u32,
    /// The gravity, in m/s².
    pub gravity: CaromVec3,
    /// The share of the speed of approach that two balls return, 0 … 1.
    pub restitution: f64,
    /// The same between a ball and a wall or an obstacle.
    pub wall_restitution: f64,
    /// The coefficient of friction of a sliding ball on the cloth.
    pub cloth_sliding: f64,
    /// The coefficient of friction of a rolling ball.
    pub cloth_rolling: f64,
    /// The acceleration that presses balls onto the cloth, in m/s².
    pub cloth_weight: f64,
    /// The lengths of the periodic sides, in meters; 0 for open sides.
    pub periodic: CaromVec3,
    /// The height of the lowest bounce as a share of the radius, greater than 0. A ball whose bounces are all
    /// lower comes to rest.
    pub rest_share: f64,
    /// The balls, which are numbered in this order.
    pub balls: *const CaromBall,
    /// The number of balls.
    pub ball_count: usize,
    /// The walls, which are numbered in this order.
    pub walls: *const CaromWall,
    /// The number of walls.
    pub wall_count: usize,
    /// The pockets, which are numbered in this order.
    pub pockets: *const CaromPocket,
    /// The number of pockets.
    pub pocket_count: usize,
    /// A world of obstacles, copied as it is now; null: none.
    pub obstacles: CaromWorld,
}

impl CaromWall {
    fn get(&self) -> Result<Wall, Failure> {
        let (a, b) = (self.a.get(), self.b.get());
        Ok(match self.kind {
            0 => Wall::Plane { point: a, normal: b },
            1 => Wall::Segment { a, b },
            2 => Wall::Arc { center: a, radius: self.radius, from: self.from_angle, to: self.to_angle },
            kind => return Err(Failure::bad_value(format!("there is no kind of wall {kind}: 0 to 2"))),
        })
    }
}

impl CaromTableSetup {
    /// # Safety
    /// The rules of pointers (border.rs), for those in the structure.
    pub(crate) unsafe fn get(&self) -> Result<Setup, Failure> {
        check_size::<Self>(self.size, "the setup")?;
        // SAFETY: the caller keeps the rules.
        let (balls, walls, pockets) = unsafe {
            (
                list(self.balls, self.ball_count, "balls")?,
                list(self.walls, self.wall_count, "walls")?,
                list(self.pockets, self.pocket_count, "pockets")?,
            )
        };
        let wall = |(i, wall): (usize, &CaromWall)| {
            wall.get().map_err(|failure| failure.within(format!("wall {i}")))
        };
        let ball = |ball: &CaromBall| Ball {
            position: ball.position.get(),
            velocity: ball.velocity.get(),
            radius: ball.radius,
            mass: ball.mass,
        };
        let pocket = |pocket: &CaromPocket| Pocket { position: pocket.position.get(), radius: pocket.radius };
        let cloth =
            Cloth { sliding: self.cloth_sliding, rolling: self.cloth_rolling, weight: self.cloth_weight };
        let is_flat = flag(self.is_flat, "is_flat")?;
        let obstacles = match self.obstacles.value {
            0 => World::new(),
            world => WORLDS.read(world)?.clone(),
        };
        Ok(Setup {
            // The table checks them, and names the one that is wrong by its number.
            balls: balls.iter().map(ball).collect(),
            walls: walls.iter().enumerate().map(wall).collect::<Result<_, _>>()?,
            pockets: pockets.iter().map(pocket).collect(),
            obstacles,
            rules: Rules {
                dimensions: if is_flat { Dimensions::Two } else { Dimensions::Three },
                gravity: self.gravity.get(),
                restitution: self.restitution,
                wall_restitution: self.wall_restitution,
                cloth: flag(self.has_cloth, "has_cloth")?.then_some(cloth),
                periodic: self.periodic.get(),
                rest_share: self.rest_share,
            },
        })
    }
}

fn flag(number: u32, name: &str) -> Result<bool, Failure> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Failure::bad_value(format!("{name} must be 0 or 1, not {other}"))),
    }
}

/// The default setup: spheres that keep their energy, without gravity, balls or walls.
#[unsafe(no_mangle)]
pub extern "C" fn carom_table_setup_default() -> CaromTableSetup {
    let rules = Rules::default();
    CaromTableSetup {
        size: size_of::<CaromTableSetup>() as u32,
        is_flat: 0,
        has_cloth: 0,
        gravity: CaromVec3::ZERO,
        restitution: rules.restitution,
        wall_restitution: rules.wall_restitution,
        cloth_sliding: 0.2,
        cloth_rolling: 0.01,
        cloth_weight: 9.81,
        periodic: CaromVec3::ZERO,
        rest_share: rules.rest_share,
        balls: core::ptr::null(),
        ball_count: 0,
        walls: core::ptr::null(),
        wall_count: 0,
        pockets: core::ptr::null(),
        pocket_count: 0,
        obstacles: CaromWorld::default(),
    }
}
