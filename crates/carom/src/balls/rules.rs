//! The setup of a table, and its events.

use alloc::vec::Vec;

use glam::DVec3;

use super::{Ball, Pocket, Wall};
use crate::world::{BodyId, World};

/// Circles or spheres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dimensions {
    /// Circles: z is 0 for all balls, and stays 0.
    Two,
    /// Spheres.
    #[default]
    Three,
}

/// The cloth of a level table, on which balls slide until they roll, and roll until they rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cloth {
    /// The coefficient of friction of a sliding ball; 0.2 on a pool table.
    /// Too small: balls slide for long before they roll. Too large: they roll at once.
    pub sliding: f64,
    /// The coefficient of friction of a rolling ball; 0.01 on a pool table.
    /// Too small: balls roll for minutes. Too large: they stop as in sand.
    pub rolling: f64,
    /// The acceleration that presses balls onto the cloth, in m/s².
    pub weight: f64,
}

/// How balls behave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Circles or spheres.
    pub dimensions: Dimensions,
    /// The gravity, in m/s², the same everywhere.
    pub gravity: DVec3,
    /// The share of the speed of approach that two balls return, 0 … 1. 1 conserves the energy; with 0 they
    /// do not bounce.
    pub restitution: f64,
    /// The same between a ball and a wall or an obstacle.
    pub wall_restitution: f64,
    /// Friction on a level table; only without gravity.
    pub cloth: Option<Cloth>,
    /// The lengths of the periodic sides, in meters, from the origin on; 0 for open sides. Walls and
    /// obstacles are not repeated.
    pub periodic: DVec3,
    /// The height of the lowest bounce as a share of the radius, greater than 0. A ball whose bounces are all
    /// lower comes to rest.
    /// Too small: balls take many events to come to rest. Too large: visible bounces end early.
    pub rest_share: f64,
}

impl Default for Rules {
    /// Spheres that keep their energy, without gravity.
    fn default() -> Self {
        Self {
            dimensions: Dimensions::Three,
            gravity: DVec3::ZERO,
            restitution: 1.0,
            wall_restitution: 1.0,
            cloth: None,
            periodic: DVec3::ZERO,
            rest_share: 1.0 / 1024.0,
        }
    }
}

/// Everything that a table is made of.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Numbered in this order.
    pub balls: Vec<Ball>,
    /// Numbered in this order.
    pub walls: Vec<Wall>,
    /// Numbered in this order.
    pub pockets: Vec<Pocket>,
    /// Meshes and solids at their present poses. Layers, sides and materials do not matter.
    pub obstacles: World,
    /// How balls behave.
    pub rules: Rules,
}

/// The state of motion of a ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BallMotion {
    /// Straight on, or along a parabola.
    Free,
    /// On the cloth, with slip.
    Sliding,
    /// On the cloth, without slip.
    Rolling,
    /// At rest, until something hits it or its support moves away.
    Resting,
    /// In a pocket, and off the table.
    Pocketed,
}

/// An event and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// The time in seconds since the start.
    pub time: f64,
    /// The kind of event.
    pub kind: EventKind,
}

/// A kind of event. Balls, walls and pockets are named by their numbers in the [`Setup`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Two balls met; the lower number first.
    Balls([usize; 2]),
    /// A ball met a wall.
    Wall {
        /// Which ball.
        ball: usize,
        /// Which wall.
        wall: usize,
    },
    /// A ball met a part of a body of the obstacles.
    Obstacle {
        /// Which ball.
        ball: usize,
        /// Which body.
        body: BodyId,
        /// Which triangle or polygon of it; 0 for a solid.
        part: u32,
    },
    /// A ball has nowhere to go: a moving body presses it against something that does not give way. The ball
    /// stops, and moving bodies pass through it until none of them overlaps it any more.
    Crushed {
        /// Which ball.
        ball: usize,
        /// The body that pressed it.
        body: BodyId,
    },
    /// A ball fell into a pocket.
    Pocket {
        /// Which ball.
        ball: usize,
        /// Which pocket.
        pocket: usize,
    },
    /// A ball came to rest.
    Rest {
        /// Which ball.
        ball: usize,
        /// The body of the obstacles that it rests on: of several the one that gravity presses it against
        /// most. None on a wall, on cloth and on other balls.
        body: Option<BodyId>,
    },
}
