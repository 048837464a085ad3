//! A simple polygon cut into triangles.
//!
//! Source: ear clipping (Meisters 1975), taking the fattest ear each time. Points on the middle of a straight
//! side are corners like any others, so that the neighbors' points find theirs. Exact for the dyadic outlines
//! of the scenes. Cost: cubic, for outlines of about hundred points. Gives up (`None`) on an outline that
//! crosses itself, runs clockwise or has no area.

use glam::DVec2;

/// Triangles of the polygon, as indices into `outline`, counter-clockwise like it.
pub(super) fn triangulate(outline: &[DVec2]) -> Option<Vec<[u32; 3]>> {
    let mut rest: Vec<u32> = (0..outline.len() as u32).collect();
    let mut triangles = Vec::with_capacity(outline.len().saturating_sub(2));
    while rest.len() >= 3 {
        let count = rest.len();
        let ear = |i: usize| [rest[(i + count - 1) % count], rest[i], rest[(i + 1) % count]];
        let best = (0..count).filter_map(|i| Some((i, fatness(outline, &rest, ear(i))?))).fold(
            None,
            |best: Option<(usize, f64)>, next| match best {
                Some(best) if best.1 >= next.1 => Some(best),
                _ => Some(next),
            },
        );
        let (tip, _) = best?;
        triangles.push(ear(tip));
        rest.remove(tip);
    }
    Some(triangles)
}

/// Twice the ear's area by the square of its longest side; `None` if it is no ear.
fn fatness(outline: &[DVec2], rest: &[u32], ear: [u32; 3]) -> Option<f64> {
    let [a, b, c] = ear.map(|i| outline[i as usize]);
    let area = (b - a).perp_dot(c - a);
    if area <= 0.0 {
        return None;
    }
    // On the border counts as inside: a corner on the cut would be left hanging on it.
    let inside = |p: DVec2| {
        (b - a).perp_dot(p - a) >= 0.0 && (c - b).perp_dot(p - b) >= 0.0 && (a - c).perp_dot(p - c) >= 0.0
    };
    let free = rest.iter().filter(|i| !ear.contains(i)).all(|&i| !inside(outline[i as usize]));
    let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
    free.then_some(area / longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(outline: &[DVec2], triangles: &[[u32; 3]]) -> f64 {
        let double = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| outline[i as usize]);
            (b - a).perp_dot(c - a)
        };
        assert!(triangles.iter().all(|t| double(t) > 0.0));
        triangles.iter().map(double).sum::<f64>() / 2.0
    }

    fn points(list: &[[f64; 2]]) -> Vec<DVec2> {
        list.iter().copied().map(DVec2::from_array).collect()
    }

    #[test]
    fn covers_a_comb_with_points_on_its_straight_sides() {
        let comb = points(&[
            [0.0, 0.0],
            [2.0, 0.0],
            [5.0, 0.0],
            [5.0, 3.0],
            [4.0, 3.0],
            [4.0, 1.0],
            [3.0, 1.0],
            [3.0, 3.0],
            [2.0, 3.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [0.0, 3.0],
            [0.0, 1.0],
        ]);
        let triangles = triangulate(&comb).unwrap();
        assert_eq!(triangles.len(), comb.len() - 2);
        assert_eq!(area(&comb, &triangles), 11.0);
    }

    #[test]
    fn refuses_what_is_no_simple_counter_clockwise_polygon() {
        assert_eq!(triangulate(&points(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])), None);
        assert_eq!(triangulate(&points(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])), None);
    }
}
