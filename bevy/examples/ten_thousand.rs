//! 10,000 characters on hilly ground that walk, meet and give way. The time of their ticks is logged every
//! second.
#![allow(missing_docs)]

use std::time::{Duration, Instant};

use bevy::asset::RenderAssetUsages;
use bevy::mesh::PrimitiveTopology;
use bevy::prelude::*;
use bevy_carom::carom::mesh::{HeightField, Heights};
use bevy_carom::prelude::*;

const COUNT: usize = 10_000;
const SIDE: u32 = 201;

/// One of them, by number.
#[derive(Component)]
struct Agent(usize);

#[derive(Resource, Default)]
struct Clock {
    began: Option<Instant>,
    ticks: u32,
    spent: Duration,
}

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, CaromPlugin::default()))
        .insert_resource(ClearColor(Color::srgb(0.6, 0.75, 0.9)))
        .init_resource::<Clock>()
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, (wander, begin).chain().before(CaromSystems::Prepare))
        .add_systems(FixedUpdate, end.after(CaromSystems::Report))
        .run();
}

/// The height of the ground in meters.
fn height(x: f32, z: f32) -> f32 {
    1.5 * (0.13 * x).sin() * (0.11 * z).cos() + 0.4 * (0.5 * x + 0.3 * z).sin()
}

/// The ground as it is drawn: the triangles of the collider.
fn ground() -> (Collider, Mesh) {
    let samples = (0..SIDE * SIDE).map(|sample| ((sample % SIDE) as f32, (sample / SIDE) as f32));
    let heights: Vec<f32> = samples.map(|(x, z)| height(x, z)).collect();
    let field = HeightField::new([SIDE, SIDE], [1.0, 1.0], Heights::F32(heights)).expect("a grid of samples");
    let corners = (0..field.triangle_count()).flat_map(|part| field.corners(part));
    let positions: Vec<[f32; 3]> = corners.map(|corner| corner.to_array().map(|x| x as f32)).collect();
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_computed_flat_normals();
    (field.into(), mesh)
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut paints: ResMut<Assets<StandardMaterial>>,
) {
    let (collider, mesh) = ground();
    let grass = paints.add(Color::srgb(0.35, 0.5, 0.25));
    commands.spawn((collider, Mesh3d(meshes.add(mesh)), MeshMaterial3d(grass)));
    let body = Mesh3d(meshes.add(Capsule3d::new(0.3, 1.2).mesh().longitudes(8).latitudes(4)));
    let shirts = [[0.8, 0.2, 0.15], [0.2, 0.35, 0.7], [0.85, 0.75, 0.3], [0.9, 0.9, 0.9]];
    let shirts = shirts.map(|[r, g, b]| paints.add(Color::srgb(r, g, b)));
    for number in 0..COUNT {
        let (x, z) = (1.9 * (number % 100) as f32 + 6.0, 1.9 * (number / 100) as f32 + 6.0);
        commands.spawn((
            Agent(number),
            Collider::capsule(0.3, 0.6),
            CharacterController::default(),
            Transform::from_xyz(x, height(x, z) + 1.5, z),
            body.clone(),
            MeshMaterial3d(shirts[number % 4].clone()),
        ));
    }
    let sun = Transform::from_xyz(-40.0, 60.0, 20.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight { illuminance: 9_000.0, ..default() }, sun));
    let eye = Transform::from_xyz(70.0, 14.0, 130.0).looking_at(Vec3::new(110.0, 0.0, 90.0), Vec3::Y);
    commands.spawn((Camera3d::default(), AmbientLight { brightness: 400.0, ..default() }, eye));
}

/// Each agent walks a while and turns, and stays on the ground.
fn wander(carom: Res<CaromWorld>, mut agents: Query<(&Agent, &Transform, &mut CharacterInput)>) {
    let middle = Vec3::splat(0.5 * (SIDE - 1) as f32);
    for (Agent(number), place, mut input) in &mut agents {
        let turn = (carom.ticks() as usize + 31 * number) / 200 + 7 * number;
        let (sin, cos) = (turn as f32 * 2.4).sin_cos();
        let inward = middle - place.translation;
        let is_far = inward.x.abs().max(inward.z.abs()) > middle.x - 6.0;
        let way = if is_far { inward.with_y(0.0).normalize() } else { Vec3::new(cos, 0.0, sin) };
        input.desired_velocity = Some(way * 2.0);
    }
}

fn begin(mut clock: ResMut<Clock>) {
    clock.began = Some(Instant::now());
}

fn end(mut clock: ResMut<Clock>) {
    let spent = clock.began.take().map_or(Duration::ZERO, |began| began.elapsed());
    clock.spent += spent;
    clock.ticks += 1;
    if clock.ticks == 64 {
        let tick = clock.spent / clock.ticks;
        info!(
            "{COUNT} characters: {:.2} ms a tick, {} ns each",
            tick.as_secs_f64() * 1e3,
            tick.as_nanos() / COUNT as u128
        );
        *clock = Clock::default();
    }
}
