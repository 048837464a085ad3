//! Plays recorded inputs, and those of an agent.

use carom::character::Input;
use glam::DVec3;

use crate::rules::limits::LONGEST;
use crate::walk::Walker;
use crate::walk::mind::Mind;
use crate::walk::state::WalkState;

impl Walker<'_> {
    /// The center after every tick of these inputs from the tick `now` on, the start first. A body that is
    /// below the level at the end falls on with its last input until it has left the world: those inputs are
    /// added.
    pub(crate) fn play(&self, start: DVec3, now: u32, inputs: &mut Vec<Input>) -> Vec<DVec3> {
        let mut state = self.state();
        state.now = now;
        self.put(&mut state, start);
        let mut path = vec![start];
        let mut at = start;
        for input in inputs.iter() {
            at = self.tick(&mut state, *input, &mut |_| ()).position;
            path.push(at);
        }
        let last = inputs.last().map_or(Input::IDLE, |input| Input { jump: None, ..*input });
        let until = path.len() + LONGEST as usize;
        while !state.is_over && at.y < self.beneath && at.y >= self.level.abyss() && path.len() < until {
            at = self.tick(&mut state, last, &mut |input| inputs.push(input)).position;
            path.push(at);
        }
        path
    }

    /// Moves a body for a number of ticks as the agent with this seed does.
    pub(crate) fn wander(
        &self,
        state: &mut WalkState,
        seed: u16,
        ticks: u32,
        record: &mut impl FnMut(Input),
    ) {
        let mut mind = Mind::new(seed, self.rules.dt);
        for _ in 0..ticks {
            self.tick(state, mind.next(self.rules.speed, self.rules.jump, self.rules.dt), record);
        }
    }
}
