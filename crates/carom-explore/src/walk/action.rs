//! Actions: walks, drops, jumps and others, each with its code in a stored path.

/// Directions at each place; all that are needed where each is free.
pub(crate) const FEW: u16 = 8;
/// Directions where one of the [`FEW`] is not free; where that does not lead on, [`DIRECTIONS`].
pub(crate) const USUAL: u16 = 16;
/// All directions.
pub(crate) const DIRECTIONS: u16 = 64;

/// One way of leaving a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Nothing, until it stands: what comes of a spawn.
    Settle,
    Walk(u16),
    Drop(u16),
    /// A jump where it stands.
    Jump(u16),
    /// A walk, and a jump with the last step before it would leave the ground.
    Leap(u16),
    /// The actions of an agent with this seed, for as many ticks as lie between a place and its parent.
    Wander(u16),
}

impl Action {
    pub(crate) fn code(self) -> u16 {
        match self {
            Self::Settle => 0,
            Self::Walk(direction) => 0x100 | direction,
            Self::Drop(direction) => 0x200 | direction,
            Self::Jump(direction) => 0x300 | direction,
            Self::Leap(direction) => 0x400 | direction,
            Self::Wander(seed) => 0x500 | seed,
        }
    }

    /// The code of this action after waiting until a moment.
    pub(crate) fn code_at(self, moment: u16) -> u16 {
        self.code() | (moment & 3) << 6 | (moment >> 2) << 11
    }

    /// Until which moment a body waits before it does what a code says.
    pub(crate) fn moment(code: u16) -> u16 {
        code >> 6 & 3 | code >> 11 << 2
    }

    pub(crate) fn from_code(code: u16) -> Self {
        let direction = code & 0x3F;
        match code >> 8 & 7 {
            1 => Self::Walk(direction),
            2 => Self::Drop(direction),
            3 => Self::Jump(direction),
            4 => Self::Leap(direction),
            5 => Self::Wander(direction),
            _ => Self::Settle,
        }
    }

    pub(crate) fn jumps(self) -> bool {
        matches!(self, Self::Jump(_) | Self::Leap(_) | Self::Wander(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The greatest moment that a code has room for: two bits and five.
    const LAST_MOMENT: u16 = 127;

    fn all_actions() -> impl Iterator<Item = Action> {
        let directed = (0..DIRECTIONS).flat_map(|direction| {
            [
                Action::Walk(direction),
                Action::Drop(direction),
                Action::Jump(direction),
                Action::Leap(direction),
                Action::Wander(direction),
            ]
        });
        directed.chain([Action::Settle])
    }

    #[test]
    fn a_code_keeps_its_action_and_its_moment() {
        for action in all_actions() {
            assert_eq!(Action::from_code(action.code()), action);
            assert_eq!(Action::moment(action.code()), 0);
            for moment in 0..=LAST_MOMENT {
                let code = action.code_at(moment);
                assert_eq!((Action::from_code(code), Action::moment(code)), (action, moment));
            }
        }
    }

    #[test]
    fn no_two_codes_are_the_same() {
        let codes: std::collections::BTreeSet<u16> = all_actions()
            .flat_map(|action| (0..=LAST_MOMENT).map(move |moment| action.code_at(moment)))
            .collect();
        assert_eq!(codes.len(), (5 * usize::from(DIRECTIONS) + 1) * (usize::from(LAST_MOMENT) + 1));
    }
}
