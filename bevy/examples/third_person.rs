//! A third-person game: a courtyard with a lift, a door, crates and 200 people. WASD, space, mouse.
#![allow(missing_docs)]

use bevy::asset::RenderAssetUsages;
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::mesh::PrimitiveTopology;
use bevy::prelude::*;
use bevy_carom::carom::glam::DVec3;
use bevy_carom::prelude::*;
use carom_scenes::courtyard::{Courtyard, courtyard};

type Paint = Handle<StandardMaterial>;

#[derive(Component)]
struct Player;

/// One of the crowd, by number.
#[derive(Component)]
struct Walker(usize);

/// Where the camera looks, in radians.
#[derive(Resource)]
struct View {
    yaw: f32,
    pitch: f32,
}

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, CaromPlugin::default()))
        .insert_resource(ClearColor(Color::srgb(0.55, 0.7, 0.85)))
        .insert_resource(View { yaw: 0.6, pitch: -0.35 })
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, (steer, wander).before(CaromSystems::Prepare))
        .add_systems(PostUpdate, follow.before(TransformSystems::Propagate))
        .run();
}

fn vec3(v: DVec3) -> Vec3 {
    Vec3::from_array(v.to_array().map(|x| x as f32))
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut paints: ResMut<Assets<StandardMaterial>>,
) {
    let mut paint = |r, g, b| paints.add(Color::srgb(r, g, b));
    let (white, steel, wood) = (paint(1.0, 1.0, 1.0), paint(0.35, 0.4, 0.5), paint(0.6, 0.4, 0.2));
    let shirts = [paint(0.2, 0.4, 0.7), paint(0.8, 0.7, 0.2), paint(0.3, 0.6, 0.4), paint(0.9, 0.15, 0.1)];

    // The level: each part in a color of its own. Its crates come as bodies.
    let Courtyard { mesh, crates, movers, spawn, .. } = courtyard();
    let (mut positions, mut colors, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for part in mesh.sections.iter().filter(|part| part.name != "crate") {
        let color = match part.name {
            "lawn" | "tree" => [0.28, 0.48, 0.2, 1.0],
            "pool" => [0.25, 0.45, 0.55, 1.0],
            name if name.contains("wall") => [0.5, 0.36, 0.3, 1.0],
            _ => [0.65, 0.61, 0.53, 1.0],
        };
        for triangle in &mesh.triangles[part.triangles.clone()] {
            positions.extend(triangle.map(|corner| mesh.vertices[corner as usize]));
            colors.extend([color; 3]);
            triangles.push(*triangle);
        }
    }
    let level = Collider::mesh(mesh.vertices, triangles).expect("the courtyard is a mesh");
    let drawn = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
        .with_computed_flat_normals();
    commands.spawn((level, Mesh3d(meshes.add(drawn)), MeshMaterial3d(white)));

    // The lift, the door and the crates.
    let body = Mesh3d(meshes.add(Capsule3d::new(0.35, 1.1)));
    let mut block = |half: DVec3, place: DVec3, motion: RigidMotion, paint: &Paint| {
        let (half, place) = (vec3(half), Transform::from_translation(vec3(place)));
        let drawn = (Mesh3d(meshes.add(Cuboid::from_size(2.0 * half))), MeshMaterial3d(paint.clone()));
        commands.spawn((Collider::cuboid(half.x, half.y, half.z), motion, place, drawn));
    };
    for mover in &movers {
        let point = |&(time, place): &(f64, DVec3)| {
            let (time, position) = (time as f32, vec3(place));
            PathPoint { time, position, rotation: Quat::IDENTITY }
        };
        let path = MotionPath { points: mover.stations.iter().map(point).collect(), repeats: true };
        block(mover.half_extents, mover.stations[0].1, RigidMotion::Path(path), &steel);
    }
    for crate_ in &crates {
        block(crate_.half_extents, crate_.position, RigidMotion::pushed(20.0), &wood);
    }

    // The player and the crowd.
    let person = |place: Vec3, paint: &Paint| {
        let drawn = (body.clone(), MeshMaterial3d(paint.clone()), Transform::from_translation(place));
        let controller = CharacterController { push_force: 200.0, ..default() };
        // On a layer of their own: the camera looks past people.
        (Collider::capsule(0.35, 0.55), controller, CollisionLayers::new(2, u32::MAX), drawn)
    };
    commands.spawn((Player, person(vec3(spawn), &shirts[3])));
    for number in 0..200 {
        let (column, row) = ((number % 20) as f32, (number / 20) as f32);
        let place = Vec3::new(1.4 * column - 13.3, 6.0, 1.4 * row - 12.0);
        commands.spawn((Walker(number), person(place, &shirts[number % 3])));
    }
    let sun = Transform::from_xyz(10.0, 25.0, -15.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight { shadow_maps_enabled: true, illuminance: 9_000.0, ..default() }, sun));
    commands.spawn((Camera3d::default(), AmbientLight { brightness: 400.0, ..default() }));
}

fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    view: Res<View>,
    player: Single<(&mut CharacterInput, &CharacterReport), With<Player>>,
) {
    let held = |key| f32::from(u8::from(keys.pressed(key)));
    let (x, z) = (held(KeyCode::KeyD) - held(KeyCode::KeyA), held(KeyCode::KeyS) - held(KeyCode::KeyW));
    let (mut input, report) = player.into_inner();
    let way = Quat::from_rotation_y(view.yaw) * Vec3::new(x, 0.0, z).normalize_or_zero();
    input.desired_velocity = Some(way * 4.5);
    input.jump = (keys.pressed(KeyCode::Space) && report.is_grounded()).then_some(5.0);
}

/// Each walker walks a while and turns.
fn wander(carom: Res<CaromWorld>, mut walkers: Query<(&Walker, &mut CharacterInput)>) {
    for (Walker(number), mut input) in &mut walkers {
        let turn = (carom.ticks() as usize + 37 * number) / 160 + 5 * number;
        let (sin, cos) = (turn as f32 * 2.4).sin_cos();
        input.desired_velocity = Some(Vec3::new(cos, 0.0, sin) * 1.5);
    }
}

/// Behind the player, in front of walls.
fn follow(
    carom: Res<CaromWorld>,
    mouse: Res<AccumulatedMouseMotion>,
    mut view: ResMut<View>,
    player: Single<&Transform, With<Player>>,
    mut camera: Single<&mut Transform, (With<Camera3d>, Without<Player>)>,
) {
    view.yaw -= 0.003 * mouse.delta.x;
    view.pitch = (view.pitch - 0.003 * mouse.delta.y).clamp(-1.2, 0.3);
    let turn = Quat::from_euler(EulerRot::YXZ, view.yaw, view.pitch, 0.0);
    let (eye, back) = (player.translation + Vec3::Y * 0.7, turn * Vec3::Z * 7.0);
    let hit = carom.cast(&Collider::sphere(0.2), eye, back, &CastFilter { layers: 1, exclude: None });
    let free = hit.ok().flatten().map_or(1.0, |hit| hit.fraction as f32);
    **camera = Transform::from_translation(eye + back * free).with_rotation(turn);
}
