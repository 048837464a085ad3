//! The answer to a question.

use core::fmt;

use carom::character::Report;
use carom::respond::SlideResult;
use carom::world::{BodyContact, CastHit, Closest, Overlap, Part};

/// The answer to a question.
pub enum Answer {
    /// The report of the tick.
    Tick(Box<Report>),
    /// The first hit.
    Cast(Option<CastHit>),
    /// The result of the slide.
    Slide(Box<SlideResult<Part>>),
    /// The contacts.
    Contacts(Vec<BodyContact>),
    /// The overlapped parts.
    Overlaps(Vec<Overlap>),
    /// The nearest part.
    Closest(Option<Closest>),
}

impl Answer {
    /// How many sweeps it took, or how many parts it lists.
    pub fn count(&self) -> usize {
        match self {
            Self::Tick(report) => report.sweeps as usize,
            Self::Cast(hit) => usize::from(hit.is_some()),
            Self::Slide(slid) => slid.sweeps as usize,
            Self::Contacts(found) => found.len(),
            Self::Overlaps(found) => found.len(),
            Self::Closest(found) => usize::from(found.is_some()),
        }
    }
}

/// All numbers of the answer, and the numbers of parts. The names of bodies differ from run to run.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tick(report) => {
                let Report { position, velocity, stepped, outcome, sweeps, .. } = **report;
                write!(f, "{position:?} {velocity:?} {stepped:?} {outcome:?} {sweeps}")?;
                write!(f, " {:?}", report.ground.map(|ground| ground.normal))?;
                report.touched().try_for_each(|touched| write!(f, " {:?} {:?}", touched.point, touched.gap))
            }
            Self::Cast(hit) => write!(f, "{:?}", hit.map(|hit| (hit.hit, hit.part))),
            Self::Slide(slid) => {
                write!(f, "{:?} {:?} {:?} {}", slid.position, slid.motion, slid.end, slid.sweeps)?;
                slid.touches().try_for_each(|touch| write!(f, " {:?}", touch.contact))
            }
            Self::Contacts(found) => {
                found.iter().try_for_each(|near| write!(f, " {} {:?}", near.part.part, near.contact))
            }
            Self::Overlaps(found) => found.iter().try_for_each(|one| write!(f, " {}", one.part.part)),
            Self::Closest(found) => {
                write!(f, "{:?}", found.map(|found| (found.distance, found.point, found.part.part)))
            }
        }
    }
}
