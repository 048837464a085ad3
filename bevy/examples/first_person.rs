//! First person: stairs, a lift, a ramp, crates and a low tunnel. WASD walk, shift runs, space jumps, control
//! crouches, the mouse looks around.
#![allow(missing_docs)]

use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy_carom::prelude::*;

const STANDING: (f32, f32) = (0.35, 0.55);
const CROUCHING: (f32, f32) = (0.35, 0.15);

/// Where it looks, in radians, and how far the eyes lag behind steps, in meters.
#[derive(Component, Default)]
struct Player {
    yaw: f32,
    pitch: f32,
    lag: f32,
}

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, CaromPlugin::default()))
        .insert_resource(ClearColor(Color::srgb(0.55, 0.7, 0.85)))
        .add_systems(Startup, spawn)
        .add_systems(Update, look)
        .add_systems(FixedUpdate, (steer, crouch).before(CaromSystems::Prepare))
        .add_systems(FixedUpdate, smooth_steps.after(CaromSystems::Report))
        .add_systems(PostUpdate, see.before(TransformSystems::Propagate))
        .run();
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut paints: ResMut<Assets<StandardMaterial>>,
) {
    let mut block = |half: Vec3, place: Transform, shade: f32, warm: f32| {
        let paint = paints.add(Color::srgb(shade + warm, shade, shade - 0.5 * warm));
        let drawn = (Mesh3d(meshes.add(Cuboid::from_size(2.0 * half))), MeshMaterial3d(paint));
        (Collider::cuboid(half.x, half.y, half.z), place, drawn)
    };
    let at = Transform::from_xyz;
    commands.spawn(block(Vec3::new(25.0, 0.5, 25.0), at(0.0, -0.5, 0.0), 0.5, 0.05));
    for step in 0..12 {
        let height = 0.1 + 0.1 * step as f32;
        commands.spawn(block(
            Vec3::new(1.5, height, 0.2),
            at(-4.0, height, -4.0 - 0.4 * step as f32),
            0.6,
            0.0,
        ));
    }
    commands.spawn(block(Vec3::new(4.0, 1.2, 3.0), at(-1.5, 1.2, -11.6), 0.55, 0.0));
    let ramp = at(5.0, 1.1, -8.0).with_rotation(Quat::from_rotation_x(0.35));
    commands.spawn(block(Vec3::new(1.5, 0.1, 3.5), ramp, 0.65, 0.1));
    commands.spawn(block(Vec3::new(2.0, 0.5, 4.0), at(10.0, 1.7, -4.0), 0.45, 0.0));
    let lift = RigidMotion::shuttle(Vec3::new(0.0, 0.1, -7.0), Vec3::new(0.0, 2.3, -7.0), 3.0, 2.0);
    commands.spawn((block(Vec3::new(1.0, 0.1, 1.0), at(0.0, 0.1, -7.0), 0.3, -0.1), lift));
    for number in 0..6 {
        let place = at(6.0 + 1.2 * (number % 3) as f32, 0.5 + 1.1 * (number / 3) as f32, 2.0);
        commands.spawn((block(Vec3::splat(0.5), place, 0.4, 0.15), RigidMotion::pushed(20.0)));
    }
    let body = Collider::capsule(STANDING.0, STANDING.1);
    let controller = CharacterController { push_force: 250.0, ..default() };
    commands.spawn((Player::default(), body, controller, at(0.0, 1.0, 4.0)));
    let sun = Transform::from_xyz(8.0, 20.0, 12.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight { shadow_maps_enabled: true, illuminance: 9_000.0, ..default() }, sun));
    commands.spawn((Camera3d::default(), AmbientLight { brightness: 400.0, ..default() }));
}

fn look(mouse: Res<AccumulatedMouseMotion>, mut player: Single<&mut Player>) {
    player.yaw -= 0.003 * mouse.delta.x;
    player.pitch = (player.pitch - 0.003 * mouse.delta.y).clamp(-1.5, 1.5);
}

fn steer(keys: Res<ButtonInput<KeyCode>>, player: Single<(&Player, &mut CharacterInput, &CharacterReport)>) {
    let held = |key| f32::from(u8::from(keys.pressed(key)));
    let right = held(KeyCode::KeyD) - held(KeyCode::KeyA);
    let back = held(KeyCode::KeyS) - held(KeyCode::KeyW);
    let (player, mut input, report) = player.into_inner();
    let speed = if keys.pressed(KeyCode::ShiftLeft) { 7.0 } else { 4.0 };
    let way = Quat::from_rotation_y(player.yaw) * Vec3::new(right, 0.0, back).normalize_or_zero();
    input.desired_velocity = Some(way * speed);
    input.jump = (keys.pressed(KeyCode::Space) && report.is_grounded()).then_some(5.0);
}

/// Where there is no room to rise, the plugin waits until there is.
fn crouch(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut Collider, With<Player>>) {
    let (radius, half_height) = if keys.pressed(KeyCode::ControlLeft) { CROUCHING } else { STANDING };
    if !matches!(**player, Collider::Capsule { half_height: now, .. } if now == half_height) {
        **player = Collider::capsule(radius, half_height);
    }
}

/// Eyes rise slowly where feet step up at once. A lift turns the view along.
fn smooth_steps(player: Single<(&mut Player, &CharacterReport)>) {
    let (mut player, report) = player.into_inner();
    player.lag = (player.lag + report.stepped) * 0.85;
    player.yaw += report.turned;
}

fn see(
    player: Single<(&Player, &Transform)>,
    mut camera: Single<&mut Transform, (With<Camera3d>, Without<Player>)>,
) {
    let (player, body) = *player;
    let eye = body.translation + Vec3::Y * (0.7 - player.lag);
    let turn = Quat::from_euler(EulerRot::YXZ, player.yaw, player.pitch, 0.0);
    **camera = Transform::from_translation(eye).with_rotation(turn);
}
