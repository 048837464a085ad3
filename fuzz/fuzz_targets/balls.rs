//! Balls between walls and boxes at rest: no overlap, no energy gained, no number lost.
#![no_main]

use carom::balls::{Ball, Rules, Setup, Table, overlap};
use carom::shape::Cuboid;
use carom::world::{Body, Pose, World};
use carom_fuzz::Draws;
use glam::DVec3;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut draws = Draws::new(bytes);
    let mut obstacles = World::new();
    for _ in 0..draws.below(4) {
        let cuboid = Cuboid::new(draws.vector(0.95) + DVec3::splat(1.05)).expect("its sizes are positive");
        let pose = Pose::at(draws.grid(4)).and_then(|pose| pose.with_rotation(draws.rotation()));
        obstacles.add(Body::fixed(cuboid).at(pose.expect("it is finite")));
    }
    let mut balls: Vec<Ball> = Vec::new();
    for _ in 0..draws.below(12) {
        let (position, velocity) = (draws.grid(4), draws.vector(4.0));
        let (radius, mass) = (draws.between(0.05, 0.5), [1e-6, 0.1, 1.0, 1e6][draws.below(4)]);
        if let Ok(ball) = Ball::new(position, velocity, radius, mass)
            && !balls.iter().any(|other| overlap(position, radius, other.position, other.radius))
        {
            balls.push(ball);
        }
    }
    let restitution = [0.0, 0.5, 1.0][draws.below(3)];
    let rules = Rules { restitution, wall_restitution: restitution, ..Rules::default() };
    let setup = Setup { balls: balls.clone(), obstacles, rules, ..Setup::default() };
    let Ok(mut table) = Table::new(setup) else { return };
    let mut energy = table.energy();
    for _ in 0..300 {
        let Some(event) = table.next_event(10.0) else { break };
        assert!(event.time.is_finite() && event.time >= 0.0);
        let now = table.energy();
        assert!(now <= energy * (1.0 + 1e-9), "{energy} J became {now} J: {event:?}");
        energy = now;
    }
    for a in 0..table.len() {
        let one = table.ball(a);
        assert!(one.position.is_finite() && one.velocity.is_finite());
        for b in 0..a {
            let apart = (one.position - table.ball(b).position).length();
            let reach = table.radius(a) + table.radius(b);
            assert!(apart >= reach * (1.0 - 1e-9) - 1e-12, "{a} and {b} overlap by {}", reach - apart);
        }
    }
});
