//! Roundness alone climbs: E9.
//!
//! The stairs of the articles that bare collide and slide comes from: a ball of six feet, steps of one foot
//! and more, no step rule. The ball touches the edge of a step of height h with a normal that leans back by
//! cos a = (r − h) / r from up, so what is left of its way over the floor points along the edge's tangent
//! plane, up, at the angle a, and is cos a as long: it climbs every step that is lower than its radius, the
//! slower the higher, on the circle of radius r about the edge. Each tick's fall takes a little of it back;
//! the ball starts to climb where a tick's way beats that, that is, tan a < way / fall.

use carom::Sphere;
use carom::num::ops;
use carom::respond::{Slide, WorldObstacles, collide_and_slide};
use carom::world::{Body, Layers, World};
use carom_scenes::golden::ArticleStairs;
use glam::DVec3;

const DT: f64 = 1.0 / 60.0;
/// In m/s: a walk.
const SPEED: f64 = 3.0;

/// The ball's center tick by tick on its way up the first step, until it is past the edge by its radius.
fn climb(step_feet: f64) -> (ArticleStairs, Vec<DVec3>) {
    let article = ArticleStairs::new(step_feet);
    let mesh = article.stairs.mesh().into_mesh().unwrap();
    let mut world = World::new();
    world.add(Body::fixed(mesh));
    let skin = 1e-3 * article.ball_radius;
    let ball = Sphere::new(article.ball_radius + skin).unwrap();
    let around = WorldObstacles::new(&world, ball, Layers::ALL);
    let mut at = article.ball_start + DVec3::Y * skin;
    let mut path = vec![at];
    let slide = |from: DVec3, translation: DVec3| {
        let slide =
            Slide::new(from, translation).with_contact_distance(0.25 * skin).with_bounce_above(f64::INFINITY);
        collide_and_slide(&around, &slide).position
    };
    for _ in 0..2000 {
        at = slide(at, DVec3::Z * (SPEED * DT));
        at = slide(at, DVec3::Y * (-0.5 * 9.81 * DT * DT));
        path.push(at);
        if at.z > article.ball_radius {
            break;
        }
    }
    (article, path)
}

/// How many ticks from where the ball touches the step until it is on top.
fn ticks_on_the_edge(article: &ArticleStairs, path: &[DVec3]) -> usize {
    let floor = path[0].y;
    let top = floor + article.stairs.rise;
    path.iter().filter(|at| at.y > floor + 1e-9 && at.y < top - 1e-3 * top).count()
}

#[test]
fn a_ball_climbs_what_is_lower_than_its_radius_on_a_smooth_curve() {
    let mut before = 0;
    for step_feet in [0.5, 1.0, 1.5, 2.0, 2.5, 2.9] {
        let (article, path) = climb(step_feet);
        let radius = article.ball_radius * 1.001;
        let rise = article.stairs.rise;
        // The geometry allows no more than this: moving along the edge's tangent plane takes longer than the
        // fall.
        let cos = (radius - rise) / radius;
        let tan = ops::sqrt(1.0 - cos * cos) / cos;
        let allowed = SPEED * DT > tan * 0.5 * 9.81 * DT * DT;
        assert!(allowed, "{step_feet} ft");
        let last = path[path.len() - 1];
        assert!((last.y - (radius + rise)).abs() <= 1e-4, "{step_feet} ft: {last}");
        assert!(last.z > article.ball_radius, "{step_feet} ft: {last}");
        for (tick, pair) in path.windows(2).enumerate() {
            // Never back, never down.
            assert!(pair[1].z > pair[0].z, "{step_feet} ft: back in tick {tick} at {}", pair[0]);
            assert!(pair[1].y >= pair[0].y - 1e-9, "{step_feet} ft: down in tick {tick} at {}", pair[0]);
        }
        // On the edge it stays on the circle about the edge, but for the one tick's fall that ends in the
        // next tick's way.
        for at in path.iter().filter(|at| at.y > radius + 1e-6 && at.y < radius + rise - 1e-3) {
            let arm = DVec3::new(0.0, at.y - rise, at.z).length();
            assert!((arm - radius).abs() <= 0.5 * SPEED * DT, "{step_feet} ft: {arm} m off the edge");
        }
        // It slows down by what the edge takes and speeds up again: each tick rises by little more or less
        // than the one before.
        let rises: Vec<f64> = path.windows(2).map(|pair| pair[1].y - pair[0].y).collect();
        for pair in rises.windows(2).skip_while(|pair| pair[1] <= 0.0).skip(2) {
            assert!(
                (pair[1] - pair[0]).abs() <= 0.5 * SPEED * DT,
                "{step_feet} ft: a jerk of {}",
                pair[1] - pair[0]
            );
        }
        let ticks = ticks_on_the_edge(&article, &path);
        println!("E9 {step_feet} ft: {ticks} ticks on the edge");
        assert!(ticks > before, "{step_feet} ft: {ticks} ticks, {before} for the lower step");
        before = ticks;
    }
}

#[test]
fn a_ball_does_not_climb_what_is_as_high_as_its_radius() {
    let (article, path) = climb(3.1);
    let last = path[path.len() - 1];
    assert!((last.z + article.ball_radius * 1.001).abs() <= 1e-4, "{last}");
    assert!((last.y - article.ball_radius * 1.001).abs() <= 1e-4, "{last}");
}
