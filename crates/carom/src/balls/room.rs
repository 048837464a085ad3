//! What is in a box: up to three balls in place, more in a list of its own.
//!
//! Boxes are about as wide as a ball, so nearly all hold three at most: four boxes to a cache line, no list to follow. Who came last is
//! first.

use alloc::vec::Vec;

/// So many balls are kept in place.
pub(crate) const FEW: usize = 3;

/// A box.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub(crate) struct Room {
    count: u32,
    /// The balls; of more than [`FEW`], the number of their list and nothing else.
    balls: [u32; FEW],
}

impl Room {
    /// The balls and how many they are, if few.
    #[inline(always)]
    pub(crate) fn few(&self) -> Option<(&[u32; FEW], usize)> {
        (self.count as usize <= FEW).then_some((&self.balls, self.count as usize))
    }

    /// The balls and how many they are; none, if many.
    #[inline(always)]
    pub(crate) fn some(&self) -> (&[u32; FEW], usize) {
        (&self.balls, if self.count as usize <= FEW { self.count as usize } else { 0 })
    }
}

/// All boxes.
#[derive(Clone, Debug)]
pub(crate) struct Rooms {
    rooms: Vec<Room>,
    crowds: Vec<Vec<u32>>,
    /// Lists that no box has now.
    unused: Vec<u32>,
}

impl Rooms {
    pub(crate) fn new(count: usize) -> Self {
        Self { rooms: alloc::vec![Room::default(); count], crowds: Vec::new(), unused: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.rooms.len()
    }

    /// Some that follow each other.
    #[inline(always)]
    pub(crate) fn row(&self, start: usize, long: usize) -> &[Room] {
        &self.rooms[start..start + long]
    }

    /// The balls of a box that has many.
    pub(crate) fn crowd(&self, room: &Room) -> &[u32] {
        &self.crowds[room.balls[0] as usize]
    }

    pub(crate) fn members(&self, number: usize) -> &[u32] {
        let room = &self.rooms[number];
        room.few().map_or_else(|| self.crowd(room), |(balls, count)| &balls[..count])
    }

    pub(crate) fn insert(&mut self, number: usize, ball: u32) {
        let Room { count, balls: [a, b, c] } = self.rooms[number];
        let balls = if (count as usize) < FEW {
            [ball, a, b]
        } else if count as usize == FEW {
            let list = self.unused.pop().unwrap_or_else(|| {
                self.crowds.push(Vec::new());
                self.crowds.len() as u32 - 1
            });
            self.crowds[list as usize].extend([ball, a, b, c]);
            [list, 0, 0]
        } else {
            self.crowds[a as usize].insert(0, ball);
            [a, 0, 0]
        };
        self.rooms[number] = Room { count: count + 1, balls };
    }

    /// Takes a ball out of a box; nothing happens if it is not there.
    pub(crate) fn remove(&mut self, number: usize, ball: u32) {
        let Some(at) = self.members(number).iter().position(|&member| member == ball) else { return };
        let Room { count, mut balls } = self.rooms[number];
        if count as usize <= FEW {
            balls.copy_within(at + 1.., at);
        } else {
            let list = balls[0];
            let crowd = &mut self.crowds[list as usize];
            crowd.remove(at);
            if let [a, b, c] = crowd[..] {
                balls = [a, b, c];
                crowd.clear();
                self.unused.push(list);
            }
        }
        self.rooms[number] = Room { count: count - 1, balls };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_order_in_which_balls_came_however_many() {
        let mut state = 3u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as usize
        };
        let mut rooms = Rooms::new(3);
        let mut expected: [Vec<u32>; 3] = Default::default();
        for ball in 0..5000 {
            let number = random() % 3;
            rooms.insert(number, ball);
            expected[number].insert(0, ball);
            let number = random() % 3;
            // Crowds and few in turn.
            if ball % 16 > 5 && !expected[number].is_empty() {
                let gone = expected[number].remove(random() % expected[number].len());
                rooms.remove(number, gone);
            }
            while ball % 64 == 0 && expected[1].len() > 2 {
                rooms.remove(1, expected[1].remove(0));
            }
            for (number, expected) in expected.iter().enumerate() {
                assert_eq!(rooms.members(number), &expected[..]);
            }
        }
        assert!(rooms.crowds.len() <= 3, "lists are used again");
    }
}
