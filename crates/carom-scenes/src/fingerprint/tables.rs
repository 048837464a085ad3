//! Tables of balls, event by event.

use carom::balls::{Table, TableError};
use glam::DVec3;

use super::hash::Hash;
use crate::balls;

/// Events of each table, at most.
const EVENTS: usize = 1500;

/// A break, a cradle, a gas whose sides come round, a landslide, and a drum that turns.
pub(super) fn bounced(hash: &mut Hash) -> Result<(), TableError> {
    for setup in [balls::pool_break(), balls::newton(), balls::gas([6, 5, 4], 0.3, 7), balls::landslide()] {
        played(hash, &mut Table::new(setup)?);
    }
    let drum = balls::drum();
    let mut table = Table::new(drum.setup)?;
    assert!(table.drive(drum.body, DVec3::ZERO, drum.angular), "the drum is kinematic");
    played(hash, &mut table);
    Ok(())
}

fn played(hash: &mut Hash, table: &mut Table) {
    for _ in 0..EVENTS {
        let Some(event) = table.next_event(20.0) else { break };
        hash.number(event.time);
        hash.text(&std::format!("{:?}", event.kind));
    }
    for ball in 0..table.len() {
        let state = table.ball(ball);
        hash.vector(state.position);
        hash.vector(state.velocity);
    }
    hash.number(table.energy());
}
