//! Coming to rest among several contacts at the same time.
//!
//! Source: `docs/balls.md`, "Contacts at the same time". In a corner, under a heavier ball or in a heap, no
//! single contact supports a ball, and bounces of ever less height follow each other ever sooner. When they
//! follow each other too soon, touching balls move on together, without a bounce (Moreau's inelastic impact).
//! A ball rests if it would then rise less than the lowest bounce, and fixed things support it against
//! gravity (the nearest acceleration that all contacts allow is zero). The others hop, so that no contact of
//! the cluster returns before the lowest bounce would; their motion gives the energy for that, or each
//! borrows that of its lowest bounce. Cost and error: those of the cluster. Gives up if no motion is found:
//! then contacts continue one by one.

use alloc::vec::Vec;

use glam::DVec3;

use crate::balls::events::cluster::{Cluster, Parting, Partner, SurfaceContact};
use crate::balls::events::rest::WAKING;
use crate::balls::rules::EventKind;
use crate::balls::state::Settling;
use crate::balls::table::Table;
use crate::num::bound::reach;
use crate::num::ops::sqrt;
use crate::world::BodyId;

/// A ball that is accelerated by less than this share of gravity is held.
const HELD: f64 = 1e-6;
/// The relative error of energy.
const MANY_ROUNDINGS: f64 = 1e-12;
/// Of so few balls the next contact decides whether they are squeezed still: together they slide along a
/// groove. More of them are costly to move together.
const FEW: usize = 3;
/// In radii: balls nearer than this are at contact, up to the rounding of positions.
const NO_ROOM: f64 = 1e-9;
/// The longest hop lasts as long as the lowest bounce. If there is no room for it, or only a leap works, one
/// of an eighth of that time is tried, and so on.
const HOPS: usize = 6;
/// A hop that is this many times as fast as the lowest bounce is a leap: things between surfaces
/// that face each other would have to leave sideways.
const LEAP: f64 = 4.0;

/// A hop that only parts by more than rounding may be this many times as fast in a wedge: it cannot be seen.
const IN_A_WEDGE: f64 = 65_536.0;

impl Table {
    /// Lets balls that touch each other, and no moving body, move on together, and rest if they are
    /// supported. Returns whether that was done.
    pub(crate) fn settle_together(&mut self, cluster: &Cluster) -> bool {
        if !self.is_lossy || cluster.touches.is_empty() {
            return false;
        }
        let scale = self.speed_scale(cluster);
        let mut velocities = self.velocities(cluster);
        let energy = self.motion_energy(cluster, &velocities);
        let together = self.nearest_parting(cluster, &velocities, scale, |_| 0.0);
        let Some(Parting::Changes(changes)) = together else {
            return false;
        };
        velocities.iter_mut().zip(changes).for_each(|(velocity, change)| *velocity += change);
        let wins = self.motion_energy(cluster, &velocities) > energy * (1.0 + MANY_ROUNDINGS);
        if wins {
            return false;
        }
        let held = self.held(cluster, &velocities);
        let going: Vec<usize> = (0..cluster.balls.len()).filter(|place| !held.contains(place)).collect();
        for &place in &held {
            let supports = cluster.touches.iter().filter_map(|touch| match touch.partner {
                Partner::Ball(other) if touch.ball == place => Some(cluster.balls[other]),
                Partner::Ball(other) if other == place => Some(cluster.balls[touch.ball]),
                Partner::Resting(by) if touch.ball == place => Some(by),
                _ => None,
            });
            let settling = &mut self.settling[cluster.balls[place]];
            settling.supports = Settling::NOT.supports;
            settling.supports.iter_mut().zip(supports).for_each(|(slot, by)| *slot = by as u32);
        }
        // A ball driven faster than the waking speed does not rest, however little time has passed.
        let is_slow = |place: &usize| self.is_gentle(cluster.balls[*place], velocities[*place]);
        let slow: Vec<bool> = going.iter().map(is_slow).collect();
        let rest = cluster.of(&going, true);
        if !going.is_empty() {
            let mut going_on: Vec<DVec3> = going.iter().map(|&place| velocities[place]).collect();
            let hops = self.hop(&rest, &mut going_on, energy, scale);
            if !hops {
                self.pass(&rest, &mut going_on, scale);
            }
            let gained = self.motion_energy(&rest, &going_on) - energy;
            for (&k, velocity) in rest.balls.iter().zip(going_on) {
                self.hot[k].velocity = velocity;
            }
            if self.rules.cloth.is_some() {
                if hops {
                    self.pay_with_spin(&rest, gained);
                } else {
                    self.stop_pressing(&rest, scale);
                }
            }
        }
        for &place in &held {
            let k = cluster.balls[place];
            self.rest(k);
            self.reports.push(EventKind::Rest { ball: self.own[k].outer as usize, body: self.rests_on(k) });
        }
        for (place, &k) in rest.balls.iter().enumerate() {
            self.looks_again(k, rest.balls.len() <= FEW);
            if !(slow[place] && self.is_going_nowhere(&rest, place)) {
                self.changed(k);
            }
        }
        rest.balls.iter().for_each(|&k| self.predict(k));
        true
    }

    /// Whether a ball this fast would not wake another.
    fn is_gentle(&self, i: usize, velocity: DVec3) -> bool {
        let weight = sqrt(self.rules.gravity.length_squared());
        let most = WAKING * self.rest_speed(self.radii.of(i), weight);
        velocity.length_squared() <= most * most
    }

    /// Counts this as a slow contact of the ball, and has it rest if it has had enough of them.
    fn is_going_nowhere(&mut self, cluster: &Cluster, place: usize) -> bool {
        // Only gravity and cloth hold a ball at rest.
        if self.rules.gravity == DVec3::ZERO && self.rules.cloth.is_none() {
            return false;
        }
        let k = cluster.balls[place];
        let mut enough = false;
        for touch in cluster.touches.iter().filter(|touch| touch.ball == place && touch.pull > 0.0) {
            enough |= match touch.partner {
                Partner::Resting(by) => self.settle(k, true, true, Some(by)),
                Partner::Still(_) => self.settle(k, true, true, None),
                Partner::Ball(_) | Partner::Running(_) => false,
            };
        }
        let rests = enough && self.stay(k);
        if rests {
            self.reports.push(EventKind::Rest { ball: self.own[k].outer as usize, body: self.rests_on(k) });
        }
        rests
    }

    /// Whether what stands still and touches a ball without motion holds it against gravity.
    pub(crate) fn is_held(&mut self, i: usize) -> bool {
        let cluster = self.alone(i);
        !self.held(&cluster, &[DVec3::ZERO]).is_empty()
    }

    /// A ball and its contacts with objects at rest.
    fn alone(&mut self, i: usize) -> Cluster {
        let all = self.cluster(i, crate::balls::events::cluster::Resting::Holds);
        all.of(&[0], false)
    }

    /// The slow balls that are supported by objects at rest, and by each other.
    fn held(&self, cluster: &Cluster, velocities: &[DVec3]) -> Vec<usize> {
        let weight = sqrt(self.rules.gravity.length_squared());
        if weight <= 0.0 {
            return Vec::new();
        }
        let is_slow = |place: &usize| {
            let most = self.rest_speed(self.radii.of(cluster.balls[*place]), weight);
            velocities[*place].length_squared() <= most * most
        };
        let mut places: Vec<usize> = (0..cluster.balls.len()).filter(is_slow).collect();
        while !places.is_empty() {
            let some = cluster.of(&places, false);
            let fall = alloc::vec![self.rules.gravity; places.len()];
            let Some(Parting::Changes(changes)) = self.nearest_parting(&some, &fall, weight, |_| 0.0) else {
                return Vec::new();
            };
            let most = HELD * weight * (HELD * weight);
            let stays = |at: usize| (self.rules.gravity + changes[at]).length_squared() <= most;
            let before = places.len();
            places = (0..before).filter(|&at| stays(at)).map(|at| places[at]).collect();
            if places.len() == before {
                break;
            }
        }
        places
    }

    /// Takes energy from the turning of balls on cloth.
    fn pay_with_spin(&mut self, cluster: &Cluster, energy: f64) {
        let spin = self.spin_energy(cluster);
        if energy > 0.0 && spin > 0.0 {
            let kept = sqrt((1.0 - energy / spin).max(0.0));
            cluster.balls.iter().for_each(|&k| self.rolls[k] *= kept);
        }
    }

    /// Balls on cloth no longer turn so that the friction presses them against what they touch.
    fn stop_pressing(&mut self, cluster: &Cluster, scale: f64) {
        for (place, &k) in cluster.balls.iter().enumerate() {
            let velocity = self.hot[k].velocity;
            let slip = self.rolls[k] - velocity;
            let size = scale.max(reach(slip));
            let alone = cluster.of(&[place], true);
            self.rolls[k] = match self.nearest_parting(&alone, &[slip], size, |_| 0.0) {
                Some(Parting::Changes(changes)) => self.rolls[k] + changes[0],
                _ => velocity,
            };
        }
    }

    /// Changes velocities with which all touching balls separate, or move on together, to ones with which it
    /// does not meet again too soon. Returns whether it could.
    fn hop(&self, cluster: &Cluster, velocities: &mut [DVec3], energy: f64, scale: f64) -> bool {
        let pull = cluster.touches.iter().map(|touch| touch.pull).fold(0.0, f64::max);
        let least = Self::least_parting(scale);
        let radius = cluster.balls.iter().map(|&k| self.radii.of(k)).fold(f64::INFINITY, f64::min);
        let lasts = sqrt(8.0 * self.rules.rest_share * radius / pull);
        let nothing = alloc::vec![DVec3::ZERO; velocities.len()];
        let leap = (LEAP * 0.5 * pull * lasts).max(IN_A_WEDGE * least);
        // A cluster without motion of its own may borrow the lowest bounce of each ball. On cloth, turning
        // pays.
        let weight = sqrt(self.rules.gravity.length_squared());
        let lowest = |k: usize| self.masses.of(k) * weight * self.rules.rest_share * self.radii.of(k);
        let most =
            cluster.balls.iter().map(|&k| lowest(k)).sum::<f64>().max(energy + self.spin_energy(cluster));
        let mut lasts = lasts * 8.0;
        for _ in 0..HOPS {
            lasts *= 0.125;
            let parts = |touch: &SurfaceContact| {
                let falls = if touch.pull > 0.0 { 0.5 * touch.pull * lasts } else { 0.0 };
                let has_room = touch.gap > NO_ROOM * radius && lasts.is_finite();
                let room = if has_room { touch.gap / lasts } else { 0.0 };
                falls + least - room
            };
            let size = cluster.touches.iter().map(parts).fold(least, f64::max);
            let Some(Parting::Changes(hops)) = self.nearest_parting(cluster, &nothing, size, parts) else {
                continue;
            };
            let is_leap = hops.iter().any(|hop| hop.length_squared() > leap * leap);
            if is_leap || self.motion_energy(cluster, &hops) > most {
                continue;
            }
            let kept = self.share_kept(cluster, velocities, &hops, energy);
            velocities.iter_mut().zip(&hops).for_each(|(velocity, hop)| *velocity = *velocity * kept + *hop);
            return true;
        }
        false
    }

    /// Changes velocities so that balls which pass each other, where not all can hop, part by more than
    /// rounding: or they would meet again at once, for ever. One that is wedged stands still.
    fn pass(&self, cluster: &Cluster, velocities: &mut [DVec3], scale: f64) {
        let least = Self::least_parting(scale);
        for velocity in velocities.iter_mut().filter(|velocity| reach(**velocity) <= least) {
            *velocity = DVec3::ZERO;
        }
        let parts = |touch: &SurfaceContact| {
            let other = match touch.partner {
                Partner::Ball(other) => velocities[other],
                Partner::Resting(_) => DVec3::ZERO,
                Partner::Still(_) | Partner::Running(_) => return 0.0,
            };
            if reach(velocities[touch.ball] - other) > least { least } else { 0.0 }
        };
        if let Some(Parting::Changes(changes)) = self.nearest_parting(cluster, velocities, scale, parts) {
            velocities.iter_mut().zip(changes).for_each(|(velocity, change)| *velocity += change);
        }
    }

    /// The share of these velocities that leaves no more energy than there was, with the hops.
    fn share_kept(&self, cluster: &Cluster, velocities: &[DVec3], hops: &[DVec3], energy: f64) -> f64 {
        let (own, extra) = (self.motion_energy(cluster, velocities), self.motion_energy(cluster, hops));
        let both: f64 = cluster
            .balls
            .iter()
            .zip(velocities.iter().zip(hops))
            .map(|(&k, (velocity, hop))| self.masses.of(k) * velocity.dot(*hop))
            .sum();
        let all = own + both + extra;
        if all <= energy || own <= 0.0 {
            return 1.0;
        }
        if extra >= energy {
            return 0.0;
        }
        let share = (sqrt(both * both + 4.0 * own * (energy - extra)) - both) / (2.0 * own);
        share.clamp(0.0, 1.0)
    }

    fn motion_energy(&self, cluster: &Cluster, velocities: &[DVec3]) -> f64 {
        let own = cluster.balls.iter().zip(velocities);
        own.map(|(&k, velocity)| 0.5 * self.masses.of(k) * velocity.length_squared()).sum()
    }

    /// The energy of turning: 2/5 m r² is a solid ball's inertia. 0 without cloth.
    fn spin_energy(&self, cluster: &Cluster) -> f64 {
        if self.rules.cloth.is_none() {
            return 0.0;
        }
        cluster.balls.iter().map(|&k| 0.2 * self.masses.of(k) * self.rolls[k].length_squared()).sum()
    }

    /// The body that a ball rests on: of its contacts the one that gravity presses it against most.
    pub(crate) fn rests_on(&self, i: usize) -> Option<BodyId> {
        let mut touches = Vec::new();
        self.surfaces(0, i, &mut touches);
        let mut most = 0.0;
        let mut on = None;
        for touch in touches {
            let held = -self.rules.gravity.dot(touch.normal);
            if let Partner::Still(Some(body)) = touch.partner
                && held > most
            {
                (most, on) = (held, Some(body));
            }
        }
        on
    }
}
