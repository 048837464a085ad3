//! Components as they are written and read, by serde and by reflection.

use bevy::prelude::*;
use bevy::reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy::reflect::{FromReflect, GetTypeRegistration, TypePath, TypeRegistry};
use bevy_carom::carom::mesh::{HeightField, Heights};
use bevy_carom::prelude::*;
use serde::de::DeserializeSeed;

use crate::app;

fn colliders() -> Vec<Collider> {
    let corners = vec![[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.5, 1.0], [1.0, 0.0, -1.0]];
    let hull = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|v| v * 1.5);
    let heights = Heights::F32(vec![0.0, 1.0, 2.0, 0.5, 1.5, 2.5]);
    let field = HeightField::new([3, 2], [0.5, 0.5], heights).unwrap().with_holes(&[[1, 0]]).unwrap();
    vec![
        Collider::sphere(0.5),
        Collider::capsule(0.3, 0.6),
        Collider::ellipsoid(1.0, 2.0, 3.0),
        Collider::cuboid(1.0, 2.0, 3.0),
        Collider::HalfSpace { normal: Vec3::Y },
        Collider::hull(&hull).unwrap(),
        Collider::mesh(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap(),
        field.into(),
        Collider::cylinder(0.5, 1.0),
        Collider::cone(0.5, 1.0),
        table(),
    ]
}

fn table() -> Collider {
    let leg = |x| (Transform::from_xyz(x, 0.35, 0.0), Collider::cylinder(0.05, 0.35));
    let top = (Transform::from_xyz(0.0, 0.75, 0.0), Collider::cuboid(1.0, 0.05, 0.5));
    Collider::compound(vec![leg(-0.9), leg(0.9), top]).unwrap()
}

/// There and back, by serde and by reflection: the text is the same at both ends.
fn there_and_back<T>(value: &T)
where
    T: serde::Serialize + serde::de::DeserializeOwned + FromReflect + GetTypeRegistration + TypePath,
{
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    let mut registry = TypeRegistry::new();
    registry.register::<T>();
    let written = serde_json::to_string(&TypedReflectSerializer::new(value, &registry)).unwrap();
    let registration = registry.get(std::any::TypeId::of::<T>()).unwrap();
    let reader = TypedReflectDeserializer::new(registration, &registry);
    let read = reader.deserialize(&mut serde_json::Deserializer::from_str(&written)).unwrap();
    let back = T::from_reflect(&*read).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
}

#[test]
fn components_go_there_and_back() {
    colliders().iter().for_each(there_and_back);
    there_and_back(&RigidMotion::shuttle(Vec3::ZERO, Vec3::Y, 1.0, 0.5));
    there_and_back(&RigidMotion::pushed(3.0));
    there_and_back(&RigidMotion::Follow);
    there_and_back(&CharacterController::default());
    there_and_back(&CharacterInput::walk(Vec3::X));
    there_and_back(&CollisionLayers::new(6, 9));
    there_and_back(&Surface { friction: Some(0.25), ..default() });
    there_and_back(&Sensor);
}

#[test]
fn what_is_read_is_checked() {
    let bad = r#"{"Mesh":{"origin":[0,0,0],"vertices":[[0,0,0]],"triangles":[[0,1,2]],
        "surfaces":[],"surface_ids":[]}}"#;
    assert!(serde_json::from_str::<Collider>(bad).is_err());
    assert!(serde_json::from_str::<Collider>(r#"{"Hull":{"corners":[[0,0,0]]}}"#).is_err());
    assert!(serde_json::from_str::<Collider>(r#"{"Compound":{"pieces":[]}}"#).is_err());
}

#[test]
fn the_app_knows_all_components() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let names = ["Collider", "RigidMotion", "CharacterController", "CharacterInput", "CharacterReport"];
    let more = ["CollisionLayers", "Sensor", "SensorVisitors", "Surface", "WorldOrigin"];
    for name in names.iter().chain(&more) {
        let known = registry.get_with_short_type_path(name).unwrap_or_else(|| panic!("{name}"));
        let is_known =
            known.data::<ReflectComponent>().is_some() || known.data::<ReflectResource>().is_some();
        assert!(is_known, "{name}");
    }
}
