//! Meshes of scenes become colliders.

use std::fs;

use bevy::asset::RenderAssetUsages;
use bevy::gltf::GltfExtras;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy_carom::prelude::*;

use crate::{app, messages, run};

/// An app that loads files of a folder, without windows and pictures.
fn app_with_assets(folder: &str) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin { file_path: folder.into(), ..default() },
        bevy::image::ImagePlugin::default(),
        bevy::mesh::MeshPlugin,
        bevy::world_serialization::WorldSerializationPlugin,
        bevy::gltf::GltfPlugin::default(),
        CaromPlugin { interpolates: false, ..default() },
    ))
    .insert_resource(Time::<Fixed>::from_duration(crate::TICK))
    .insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(crate::TICK));
    register(&mut app);
    app.finish();
    app.cleanup();
    app
}

/// Registers what the entities of glTF files are made of: an app with all of Bevy does so by itself.
fn register(app: &mut App) {
    use bevy::camera::{primitives::Aabb, visibility::*};
    app.register_type::<Name>()
        .register_type::<ChildOf>()
        .register_type::<Children>()
        .register_type::<Transform>()
        .register_type::<GlobalTransform>()
        .register_type::<TransformTreeChanged>()
        .register_type::<Visibility>()
        .register_type::<InheritedVisibility>()
        .register_type::<ViewVisibility>()
        .register_type::<VisibilityClass>()
        .register_type::<Aabb>()
        .register_type::<Mesh3d>()
        .register_type::<GltfExtras>()
        .register_type::<bevy::gltf::GltfMeshName>()
        .register_type::<bevy::gltf::GltfMaterialName>();
}

/// A unit cube about the origin.
fn cube() -> Mesh {
    Mesh::from(Cuboid::from_length(1.0))
}

fn down(app: &App, x: f32) -> Option<(Entity, f32)> {
    let carom = app.world().resource::<CaromWorld>();
    let hit = carom.raycast(Vec3::new(x, 9.0, 0.1), Vec3::NEG_Y * 20.0, &CastFilter::default()).unwrap();
    hit.map(|hit| (hit.entity, hit.point.y))
}

#[test]
fn names_and_extras_decide_the_nearest_first() {
    let mut app = app_with_assets("assets");
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(cube());
    let rules = SceneColliders::default().with("rock", MeshShape::Hull).with("grass", MeshShape::Nothing);
    let root = app.world_mut().spawn((rules, Transform::default())).id();
    let mut node = |x: f32, name: &'static str, extras: Option<&str>, own: Option<&'static str>| {
        let place = Transform::from_xyz(x, 0.0, 0.0);
        let node = app.world_mut().spawn((Name::new(name), place, ChildOf(root))).id();
        if let Some(value) = extras {
            app.world_mut().entity_mut(node).insert(GltfExtras { value: value.into() });
        }
        let mut drawn = app.world_mut().spawn((Mesh3d(mesh.clone()), Transform::default(), ChildOf(node)));
        if let Some(own) = own {
            drawn.insert(Name::new(own));
        }
        drawn.id()
    };
    let wall = node(0.0, "wall", None, None);
    let rock = node(10.0, "big rock 3", None, Some("material"));
    node(20.0, "grass", None, Some("blades"));
    let boxed = node(30.0, "grass", Some(r#"{"collider": "box"}"#), None);
    let gate = node(40.0, "gate", Some(r#"{"sensor": true}"#), None);
    let foreign = node(50.0, "wall", Some(r#"[1, 2]"#), None);
    let wrong = node(60.0, "wall", Some(r#"{"collider": "sphere"}"#), None);
    let near = node(70.0, "rock", None, Some("grass"));
    run(&mut app, 3);
    let kind = |entity| app.world().get::<Collider>(entity);
    assert!(
        matches!(kind(wall), Some(Collider::Mesh(_))) && matches!(kind(foreign), Some(Collider::Mesh(_)))
    );
    assert!(matches!(kind(rock), Some(Collider::Hull(_))) && matches!(kind(boxed), Some(Collider::Hull(_))));
    assert!(kind(wrong).is_none() && kind(near).is_none());
    assert!(app.world().get::<Sensor>(gate).is_some());
    assert_eq!(down(&app, 0.1), Some((wall, 0.5)));
    assert_eq!(down(&app, 30.1), Some((boxed, 0.5)));
    assert_eq!((down(&app, 20.1), down(&app, 40.1)), (None, None));
    let (Some(Collider::Mesh(one)), Some(Collider::Mesh(two))) = (kind(wall), kind(foreign)) else {
        panic!()
    };
    assert!(std::sync::Arc::ptr_eq(&one.0, &two.0), "the same mesh is shared");
}

#[test]
fn a_mesh_that_comes_late_or_changes_makes_its_collider_then() {
    let mut app = app_with_assets("assets");
    let handle = app.world().resource::<Assets<Mesh>>().reserve_handle();
    let late = (Mesh3d(handle.clone()), MeshCollider(MeshShape::Triangles), Transform::default());
    let late = app.world_mut().spawn(late).id();
    run(&mut app, 5);
    assert!(app.world().get::<Collider>(late).is_none());
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(handle.id(), cube()).unwrap();
    run(&mut app, 3);
    assert_eq!(down(&app, 0.1), Some((late, 0.5)));
    let tall = Mesh::from(Cuboid::new(1.0, 3.0, 1.0));
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(handle.id(), tall).unwrap();
    run(&mut app, 3);
    assert_eq!(down(&app, 0.1), Some((late, 1.5)));
}

#[test]
fn meshes_without_triangles_are_refused_by_name() {
    let mut app = app_with_assets("assets");
    let lines = Mesh::new(PrimitiveTopology::LineList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0; 3], [1.0; 3]]);
    let bare = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default());
    for (mesh, reason) in [(lines, "triangles"), (bare, "positions")] {
        assert!(
            Collider::from_bevy_mesh(&mesh, MeshShape::Triangles).unwrap_err().to_string().contains(reason)
        );
        let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh);
        app.world_mut().spawn((Mesh3d(mesh), MeshCollider::default()));
        run(&mut app, 1);
        let refused: Vec<EntityRefused> = messages(&app);
        assert!(refused.iter().any(|refused| refused.reason.contains(reason)), "{refused:?}");
    }
}

#[test]
fn strips_are_wound_alike() {
    let corners = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0]];
    let strip = Mesh::new(PrimitiveTopology::TriangleStrip, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
        .with_inserted_indices(Indices::U16(vec![0, 1, 2, 3]));
    let Ok(Collider::Mesh(mesh)) = Collider::from_bevy_mesh(&strip, MeshShape::Triangles) else { panic!() };
    let mesh = mesh.0.mesh();
    assert_eq!(mesh.triangle_count(), 2);
    assert!((0..2).all(|triangle| mesh.normal(triangle).unwrap().y == 1.0));
}

#[test]
fn a_gltf_file_becomes_a_level() {
    let folder = std::env::temp_dir().join(format!("bevy_carom-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let corners: [[f32; 3]; 4] = [[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]];
    let mut bytes: Vec<u8> = corners.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2, 0, 2, 3].iter().flat_map(|index| index.to_le_bytes()));
    fs::write(folder.join("level.bin"), &bytes).unwrap();
    let text = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],
        "nodes":[{"name":"floor","mesh":0,"scale":[5,1,5]},
            {"name":"picture","mesh":0,"translation":[0,1,0],"extras":{"collider":"nothing"}}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[-1,0,-1],"max":[1,0,1]},
            {"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],
        "bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],
        "buffers":[{"byteLength":60,"uri":"level.bin"}]}"#;
    fs::write(folder.join("level.gltf"), text).unwrap();
    let mut app = app_with_assets(folder.to_str().unwrap());
    let scene = app.world().resource::<AssetServer>().load(GltfAssetLabel::Scene(0).from_asset("level.gltf"));
    app.world_mut().spawn((
        WorldAssetRoot(scene),
        SceneColliders::default(),
        Transform::from_xyz(0.0, 2.0, 0.0),
    ));
    let began = std::time::Instant::now();
    while down(&app, 4.0).is_none() && began.elapsed().as_secs() < 30 {
        app.update();
    }
    assert_eq!(down(&app, 4.0).map(|(_, y)| y), Some(2.0), "the floor, scaled and raised");
    assert_eq!(down(&app, 0.5).map(|(_, y)| y), Some(2.0), "no collider for the picture");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_app_without_assets_has_no_need_of_them() {
    run(&mut app(), 2);
}
