//! A collider of Carom's is met where the engine meets its own.

use carom_scenes::Random;

use super::*;

with_each_engine! {
    rays_meet_every_shape_where_the_engine_does
    a_character_stands_on_a_mesh
    a_character_stands_on_a_height_field
    a_character_stands_on_a_compound
    shapes_without_a_counterpart_are_named
    scale_follows_and_children_too
}

fn vector(random: &mut Random, size: f32) -> Vec3 {
    let mut one = || random.between(-1.0, 1.0) as f32 * size;
    Vec3::new(one(), one(), one())
}

/// Heights that are far from any plane, so that the diagonal of each cell counts.
fn rough() -> Vec<Vec<f32>> {
    let mut random = Random::scattered(7);
    (0..5).map(|_| (0..4).map(|_| random.between(0.0, 1.0) as f32).collect()).collect()
}

fn shapes() -> Vec<Shape> {
    let mut random = Random::scattered(3);
    let points: Vec<Vec3> = (0..12).map(|_| vector(&mut random, 1.0)).collect();
    let roof =
        vec![Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 0.0, -1.0), Vec3::new(0.0, 1.0, 1.0), Vec3::Y * -0.5];
    let roof = Shape::Mesh(roof, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
    let field = Shape::Field(rough(), Vec3::new(3.0, 1.5, 2.0));
    let tilted = Shape::Capsule(Vec3::new(-0.5, 0.0, 0.2), Vec3::new(0.7, 0.6, -0.4), 0.3);
    let pair = Shape::Compound(vec![
        (Vec3::X, Quat::from_rotation_z(0.5), Shape::Cuboid(Vec3::new(0.5, 0.2, 0.3))),
        (Vec3::NEG_X, Quat::from_rotation_x(0.7), tilted.clone()),
    ]);
    let hull = Shape::Hull(points);
    vec![
        Shape::Ball(0.7),
        Shape::Cuboid(Vec3::new(0.5, 0.7, 0.9)),
        Shape::Capsule(Vec3::NEG_Y * 0.5, Vec3::Y * 0.5, 0.4),
        tilted,
        Shape::Capsule(Vec3::Y * 0.5, Vec3::NEG_Y * 0.25, 0.4),
        Shape::Cylinder(0.6, 0.8),
        Shape::Cone(0.6, 0.8),
        Shape::HalfSpace(Vec3::new(0.2, 1.0, 0.1).normalize()),
        hull,
        roof,
        field,
        pair,
    ]
}

/// How exact the engines' rays are, in meters: those at capsules and hulls are searched in f32.
const NEAR: f32 = 0.05;

/// Carom's hits lie on the engine's surface, the engine meets nothing before them, and what the engine meets
/// Carom meets, but where a ray only just touches.
fn rays_meet_every_shape_where_the_engine_does<E: Engine>() {
    let scales = [Vec3::ONE, Vec3::splat(2.0), Vec3::new(1.0, 2.0, 1.5)];
    for (number, shape) in shapes().into_iter().enumerate() {
        for scale in scales {
            let mut app = beside::<E>(When::After);
            let turn = Quat::from_rotation_y(0.4) * Quat::from_rotation_x(0.3);
            let place = Transform::from_xyz(3.0, 2.0, -1.0).with_rotation(turn).with_scale(scale);
            let entity = spawn::<E>(&mut app, Kind::Static, &shape, place);
            run(&mut app, 3);
            let collider = app.world().get::<E::Collider>(entity).unwrap();
            let cast = |from: Vec3, way: Vec3| {
                let carom = app.world().resource::<CaromWorld>();
                carom.raycast(from, 100.0 * way, &CastFilter::default()).unwrap()
            };
            let mut random = Random::scattered(number as u64);
            let (mut met, mut lost) = (0, 0);
            for _ in 0..300 {
                let way = vector(&mut random, 1.0).normalize();
                if let Shape::HalfSpace(normal) = &shape
                    && (turn * *normal).dot(way) > -0.5
                {
                    // It would begin inside.
                    continue;
                }
                let from = place.translation + vector(&mut random, 1.5) - 10.0 * way;
                let engine = E::cast(collider, &place, from, way);
                let Some(hit) = cast(from, way) else {
                    let aside = |side: Vec3| cast(from + side, way).or(cast(from - side, way)).is_some();
                    let touches = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().any(|axis| aside(NEAR * axis));
                    assert!(engine.is_none() || touches, "{shape:?} at {scale}: {engine:?}");
                    continue;
                };
                met += 1;
                let apart = E::apart(collider, &place, hit.point);
                assert!(apart < 1e-4, "{shape:?} at {scale}: {apart}");
                let own = 100.0 * hit.fraction as f32;
                assert!(
                    engine.is_none_or(|engine| engine > own - NEAR),
                    "{shape:?} at {scale}: {engine:?} {own}"
                );
                lost += usize::from(engine.is_none());
            }
            // The engines' searches lose a ray now and then.
            assert!(met > 30 && lost < 1 + met / 20, "{shape:?} at {scale}: {met} {lost}");
        }
    }
}

/// A hero falls on the shape and stands there.
fn stands<E: Engine>(shape: &Shape, height: f32) {
    let mut app = beside::<E>(When::After);
    let body = spawn::<E>(&mut app, Kind::Static, shape, Transform::from_xyz(5.0, 1.0, 0.0));
    let hero = crate::hero(&mut app, 5.1, 3.5 + height, 0.1);
    run(&mut app, 100);
    assert_eq!(crate::ground(&app, hero), Some(body));
    let feet = at(&app, hero).y - 0.9;
    assert!((feet - 1.0 - height).abs() < 0.01, "{feet}");
}

fn a_character_stands_on_a_mesh<E: Engine>() {
    let corners = [[-2.0, 0.5, -2.0], [-2.0, 0.5, 2.0], [2.0, 0.5, 2.0], [2.0, 0.5, -2.0]];
    let quad = Shape::Mesh(corners.map(Vec3::from_array).to_vec(), vec![[0, 1, 2], [0, 2, 3]]);
    stands::<E>(&quad, 0.5);
}

fn a_character_stands_on_a_height_field<E: Engine>() {
    // Level in the middle.
    let height = |i: usize, j: usize| if (1..4).contains(&i) && (1..4).contains(&j) { 0.25 } else { 1.0 };
    let rows = (0..5).map(|i| (0..5).map(|j| height(i, j)).collect()).collect();
    stands::<E>(&Shape::Field(rows, Vec3::new(8.0, 2.0, 8.0)), 0.5);
}

fn a_character_stands_on_a_compound<E: Engine>() {
    let leg = |x: f32| (Vec3::new(x, 0.25, 0.0), Quat::IDENTITY, Shape::Cylinder(0.1, 0.25));
    let top = (Vec3::Y * 0.6, Quat::from_rotation_y(0.3), Shape::Cuboid(Vec3::new(1.5, 0.1, 1.0)));
    stands::<E>(&Shape::Compound(vec![leg(-1.0), leg(1.0), top]), 0.7);
}

fn shapes_without_a_counterpart_are_named<E: Engine>() {
    let round = Shape::RoundCuboid(Vec3::ONE, 0.1);
    let named = [
        (round.clone(), "a round cuboid"),
        (Shape::Segment(Vec3::ZERO, Vec3::X), "a segment"),
        (Shape::Compound(vec![(Vec3::X, Quat::IDENTITY, round)]), "a round cuboid"),
    ];
    for (shape, name) in named {
        let mut app = beside::<E>(When::After);
        let entity = spawn::<E>(&mut app, Kind::Kinematic(Vec3::X), &shape, Transform::default());
        let mut refused: Vec<EntityRefused> = Vec::new();
        for _ in 0..20 {
            app.update();
            refused.extend(messages::<EntityRefused>(&app));
        }
        // Once, though it moves.
        assert!(refused.len() == 1 && refused[0].entity == entity, "{refused:?}");
        assert!(refused[0].reason.contains(name), "{refused:?}");
        assert!(app.world().get::<Collider>(entity).is_none());
        // Another shape mends it, a collider of its own too.
        app.world_mut().entity_mut(entity).insert(E::collider(&Shape::Ball(1.0)));
        run(&mut app, 2);
        assert!(app.world().resource::<CaromWorld>().body(entity).is_some());
        app.world_mut().entity_mut(entity).insert(E::collider(&shape));
        run(&mut app, 2);
        assert!(app.world().resource::<CaromWorld>().body(entity).is_none());
        app.world_mut().entity_mut(entity).insert(Collider::cuboid(1.0, 1.0, 1.0));
        run(&mut app, 2);
        assert!(app.world().resource::<CaromWorld>().body(entity).is_some());
    }
}

fn scale_follows_and_children_too<E: Engine>() {
    let mut app = beside::<E>(When::After);
    let root = Transform::from_xyz(4.0, 0.0, 0.0).with_scale(Vec3::splat(2.0));
    let mut parent = app.world_mut().spawn(root);
    E::body(Kind::Static, &mut parent);
    let parent = parent.id();
    let place = Transform::from_xyz(1.0, 0.0, 0.0).with_scale(Vec3::new(1.0, 0.5, 1.0));
    let child = (E::collider(&Shape::Cuboid(Vec3::splat(0.5))), place, ChildOf(parent));
    let child = app.world_mut().spawn(child).id();
    let top = |app: &App, x: f32| {
        let carom = app.world().resource::<CaromWorld>();
        let hit = carom.raycast(Vec3::new(x, 20.0, 0.0), Vec3::NEG_Y * 40.0, &CastFilter::default()).unwrap();
        hit.map(|hit| (hit.entity, hit.point.y))
    };
    run(&mut app, 1);
    let is_at = |app: &App, x: f32, height: f32| {
        let (entity, y) = top(app, x).unwrap();
        assert!(entity == child && (y - height).abs() < 1e-5, "{entity} {y}");
    };
    is_at(&app, 6.9, 0.5);
    assert_eq!(top(&app, 4.9), None);
    app.world_mut().get_mut::<Transform>(child).unwrap().scale.y = 2.0;
    run(&mut app, 1);
    is_at(&app, 6.9, 2.0);
    app.world_mut().get_mut::<Transform>(parent).unwrap().scale = Vec3::ONE;
    run(&mut app, 2);
    is_at(&app, 5.4, 1.0);
    assert_eq!(top(&app, 5.6), None);
}
