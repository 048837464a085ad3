//! Worst cases: one question to one world, made of numbers that a search can change.
//!
//! A [`Case`] is a query, a family of worlds, and genes. [`Levels`] holds the two worlds that are large and
//! shared, so that cases are made quickly. [`Problem::new`] brings a case to the point where the question is
//! asked, [`Problem::ask`] asks it and can be measured, and [`Problem::judge`] says whether the answer keeps
//! the laws. [`NAMED`] are the slowest cases that searches have found.
//!
//! `examples/worst_cases` searches, and measures those that have names. `docs/performance.md` has the
//! figures.

mod answer;
mod genes;
mod judge;
mod level;
mod named;
mod place;
mod problem;
mod small;

use core::fmt;
use core::str::FromStr;

pub use answer::Answer;
use genes::Genes;
pub use level::Levels;
pub use named::{NAMED, Named};
pub use problem::Problem;

use crate::Random;

/// The question of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// One tick of a character.
    Tick,
    /// The first hit of a mover on a straight path.
    Cast,
    /// A motion along obstacles.
    Slide,
    /// All parts within a distance.
    Contacts,
    /// All parts that a mover overlaps.
    Overlaps,
    /// The nearest part.
    Closest,
}

impl Query {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Tick, Self::Cast, Self::Slide, Self::Contacts, Self::Overlaps, Self::Closest];

    /// The name of the query.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tick => "tick",
            Self::Cast => "cast",
            Self::Slide => "slide",
            Self::Contacts => "contacts",
            Self::Overlaps => "overlaps",
            Self::Closest => "closest",
        }
    }
}

/// The kind of world of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A million triangles of hills, and movers of the size of characters: radii of 0.1 to 0.8 m.
    Hills,
    /// The same hills as a height field.
    HeightField,
    /// The same hills, and movers of 1 cm to 50 m.
    LargeOnHills,
    /// 8 to 256 triangles anywhere.
    Soup,
    /// 8 to 256 long thin triangles.
    Needles,
    /// 3 to 256 triangles about one corner.
    Fan,
    /// A tunnel of 3 to 128 sides.
    Ring,
    /// A hollow ball of up to 900 triangles.
    Bowl,
    /// Two planes at a small angle, each of 2 to 200 triangles.
    Wedge,
    /// 2 to 64 boxes, flush or almost.
    Stacks,
    /// 1 to 12 solids that move and turn.
    Machines,
    /// 1 to 31 solids of every kind at rest.
    Solids,
    /// 1 to 4 curved surfaces.
    Patches,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Hills,
        Self::HeightField,
        Self::LargeOnHills,
        Self::Soup,
        Self::Needles,
        Self::Fan,
        Self::Ring,
        Self::Bowl,
        Self::Wedge,
        Self::Stacks,
        Self::Machines,
        Self::Solids,
        Self::Patches,
    ];

    /// The name of the family.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hills => "hills",
            Self::HeightField => "height-field",
            Self::LargeOnHills => "large-on-hills",
            Self::Soup => "soup",
            Self::Needles => "needles",
            Self::Fan => "fan",
            Self::Ring => "ring",
            Self::Bowl => "bowl",
            Self::Wedge => "wedge",
            Self::Stacks => "stacks",
            Self::Machines => "machines",
            Self::Solids => "solids",
            Self::Patches => "patches",
        }
    }

    /// Whether its worlds are terrain of a million triangles.
    pub fn is_terrain(self) -> bool {
        matches!(self, Self::Hills | Self::HeightField | Self::LargeOnHills)
    }

    /// Whether it has cases of a query: no character is 50 m wide.
    pub fn has(self, query: Query) -> bool {
        !(self == Self::LargeOnHills && query == Query::Tick)
    }
}

/// A question to a world, by its genes. Its text replays it: the query, the family, and the genes in
/// hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The question.
    pub query: Query,
    /// The kind of world.
    pub family: Family,
    genes: Genes,
}

impl Case {
    /// Any case.
    pub fn random(query: Query, family: Family, random: &mut Random) -> Self {
        Self { query, family, genes: Genes::random(random) }
    }

    /// A case that differs by little.
    #[must_use]
    pub fn mutated(&self, random: &mut Random) -> Self {
        Self { genes: self.genes.mutated(random), ..*self }
    }

    /// A case with some of the genes of another.
    #[must_use]
    pub fn crossed(&self, other: &Self, random: &mut Random) -> Self {
        Self { genes: self.genes.crossed(&other.genes, random), ..*self }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ", self.query.name(), self.family.name())?;
        self.genes.digits().try_for_each(|gene| write!(f, "{gene:08x}"))
    }
}

/// A text is no case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoCase(String);

impl fmt::Display for NoCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a case is a query, a family and {} hexadecimal digits, not {:?}", 8 * genes::COUNT, self.0)
    }
}

impl core::error::Error for NoCase {}

impl FromStr for Case {
    type Err = NoCase;

    fn from_str(text: &str) -> Result<Self, NoCase> {
        let mut words = text.split_whitespace();
        let mut case = || {
            let (query, family) = (words.next()?, words.next()?);
            let query = Query::ALL.into_iter().find(|one| one.name() == query)?;
            let family = Family::ALL.into_iter().find(|one| one.name() == family)?;
            let genes = Genes::from_digits(words.next()?)?;
            (words.next().is_none() && family.has(query)).then_some(Self { query, family, genes })
        };
        case().ok_or_else(|| NoCase(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_what_its_text_says() {
        let mut random = Random::scattered(1);
        for query in Query::ALL {
            for family in Family::ALL.into_iter().filter(|family| family.has(query)) {
                let case = Case::random(query, family, &mut random).mutated(&mut random);
                assert_eq!(case.to_string().parse(), Ok(case));
            }
        }
        for wrong in ["", "tick hills", "tick hills 00", "walk hills 00", "tick large-on-hills 00"] {
            assert!(wrong.parse::<Case>().is_err(), "{wrong:?}");
        }
    }
}
