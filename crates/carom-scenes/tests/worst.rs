//! The slowest cases that searches have found, and random ones like them, keep the laws: they end, are finite
//! and not inside, list what they should, and give the same bits when they are asked again.

use carom_scenes::Random;
use carom_scenes::worst::{Case, Family, Levels, NAMED, Problem, Query};
use rayon::prelude::*;

/// The fault of a case, if it has one.
fn fault(levels: &Levels, case: &Case) -> Option<String> {
    let problem = Problem::new(levels, case);
    let [first, second] = [(); 2].map(|()| problem.ask(|ask| ask()));
    if first.to_string() != second.to_string() {
        return Some(format!("{first}, and then {second}"));
    }
    problem.judge(&first).err()
}

#[test]
fn the_slowest_cases_keep_the_laws() {
    let levels = Levels::new();
    NAMED.par_iter().with_max_len(1).for_each(|named| {
        let case: Case = named.case.parse().expect(named.name);
        assert_eq!(case.to_string(), named.case, "{}", named.name);
        assert_eq!(fault(&levels, &case), None, "{}", named.name);
    });
}

#[test]
fn every_query_has_a_slow_case_on_terrain_and_in_a_small_world() {
    for query in Query::ALL {
        for is_terrain in [true, false] {
            let is_one = |case: &Case| case.query == query && case.family.is_terrain() == is_terrain;
            let mut cases = NAMED.iter().filter_map(|named| named.case.parse().ok());
            assert!(cases.any(|case| is_one(&case)), "{query:?}, on terrain: {is_terrain}");
        }
    }
}

#[test]
fn random_cases_keep_the_laws() {
    let levels = Levels::new();
    let mut random = Random::scattered(1);
    for query in Query::ALL {
        for family in Family::ALL.into_iter().filter(|family| family.has(query)) {
            // Curved surfaces take seconds.
            let count = if family == Family::Patches { 2 } else { 10 };
            for _ in 0..count {
                let case = Case::random(query, family, &mut random);
                assert_eq!(fault(&levels, &case), None, "{case}");
            }
        }
    }
}

#[test]
fn a_judge_sees_an_answer_that_is_wrong() {
    // The answer to one case does not fit another.
    let levels = Levels::new();
    let mut random = Random::scattered(2);
    let mut seen = 0;
    for query in Query::ALL {
        for _ in 0..20 {
            let [one, other] =
                [(); 2].map(|()| Problem::new(&levels, &Case::random(query, Family::Soup, &mut random)));
            let answer = other.ask(|ask| ask());
            seen += usize::from(one.judge(&answer).is_err());
        }
    }
    assert!(seen > 20, "{seen} of {} answers", 20 * Query::ALL.len());
}
