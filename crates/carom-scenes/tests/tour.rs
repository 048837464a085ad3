//! The courtyard's tour, walked by nothing but collide and slide: no step rule, no snap to the ground.

use carom::respond::{Slide, SlideEnd, WorldObstacles, collide_and_slide};
use carom::shape::Ellipsoid;
use carom::world::{Body, Layers, World};
use carom_scenes::courtyard::{BODY, courtyard};
use glam::DVec3;

const SKIN: f64 = 4e-4;
const TICK: f64 = 1.0 / 60.0;

#[test]
fn roundness_and_sliding_alone_make_the_whole_tour() {
    let courtyard = courtyard();
    let mut world = World::new();
    world.add(Body::fixed(courtyard.mesh.into_mesh().unwrap()));
    let body = Ellipsoid::new(BODY + SKIN).unwrap();
    let around = WorldObstacles::new(&world, body, Layers::ALL);
    let slide = |from: DVec3, translation: DVec3| {
        let slid =
            collide_and_slide(&around, &Slide::new(from, translation).with_contact_distance(SKIN / 4.0));
        assert!(
            slid.end != SlideEnd::TooManySweeps && slid.end != SlideEnd::Crushed,
            "{:?} at {from}",
            slid.end
        );
        slid
    };

    let mut at = courtyard.spawn;
    let mut fall = 0.0;
    let mut ticks = 0;
    for stop in &courtyard.tour {
        let away = |at: DVec3| (stop.position - at).with_y(0.0);
        let patience = (away(at).length() / 4.0 / TICK) as u32 * 3 + 120;
        let mut here = 0;
        while away(at).length() > 0.05 {
            assert!(here < patience, "stuck on the way to {} at {at}", stop.name);
            here += 1;
            let step = away(at).clamp_length_max(4.0 * TICK);
            at = slide(at, step).position;
            fall -= 9.81 * TICK;
            let down = slide(at, DVec3::Y * (fall * TICK));
            at = down.position;
            fall = down.motion.y / TICK;
        }
        ticks += here;
        assert!((at.y - stop.position.y).abs() < 0.3, "{at} is not {} ({})", stop.name, stop.position);
    }
    println!("{} stops in {ticks} ticks", courtyard.tour.len());
}
