//! Shapes on the wire: read back to the bit, and never a shape that could not have been built.
#![cfg(feature = "serde")]
#![expect(clippy::unwrap_used, reason = "a test")]

use carom::Pose;
use carom::num::ops::rotation_about;
use carom::shape::{
    Aabb, Capsule, ConvexPolygon, Cuboid, Ellipsoid, Mover, Plane, Segment, Sphere, Triangle, convex_distance,
};
use glam::{DVec3, dvec3};
use serde::{Serialize, de::DeserializeOwned};

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + core::fmt::Debug>(shape: &T) {
    let text = serde_json::to_string(shape).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), shape, "{text}");
}

fn refused<T: DeserializeOwned + core::fmt::Debug>(text: &str, why: &str) {
    let error = serde_json::from_str::<T>(text).unwrap_err().to_string();
    assert!(error.contains(why), "{error}");
}

#[test]
fn what_was_written_is_read_back_to_the_bit() {
    for i in 0..200 {
        let x = f64::from(i) / 7.0 + 0.1;
        let turn = rotation_about(dvec3(x, 1.0 / x, 0.3 - x), x);
        let size = dvec3(0.1 / x, x, 1.0 / 3.0 + x);
        comes_back(&Sphere::new(x).unwrap());
        comes_back(&Ellipsoid::new(size).unwrap().with_rotation(turn).unwrap());
        comes_back(&Capsule::new(x, 1.0 / x).unwrap().with_rotation(turn).unwrap());
        comes_back(&Cuboid::new(size).unwrap().with_rotation(turn).unwrap());
        comes_back(&Pose::at(size).unwrap().with_rotation(turn).unwrap().with_scale(x).unwrap());
        comes_back(&Mover::from(Cuboid::new(size).unwrap().with_rotation(turn).unwrap()));
        comes_back(&Triangle::new(size, turn * size, DVec3::Z).unwrap().bounds());
        comes_back(&Plane::new(size, turn * size).unwrap());
        comes_back(&Segment::new(size, turn * size).unwrap());
        comes_back(&Triangle::new(size, turn * size, DVec3::X).unwrap());
        let corners = [DVec3::ZERO, DVec3::X, dvec3(1.0, 1.0, 0.0), DVec3::Y].map(|v| turn * (v * x) + size);
        comes_back(&ConvexPolygon::new(corners.to_vec()).unwrap());
    }
    comes_back(&Mover::Point);
    let (a, b) = (Sphere::new(1.0).unwrap(), Sphere::new(2.0).unwrap());
    comes_back(&convex_distance(&a, &b, DVec3::splat(9.0)));
}

#[test]
fn what_could_not_be_built_is_not_read() {
    refused::<Sphere>(r#"{"radius":-1.0}"#, "radius must be finite and greater than 0");
    let pose = r#"{"position":[0,0,0],"rotation":[0,0,0,1],"scale":0.0}"#;
    refused::<Pose>(pose, "scale must be finite and greater than 0");
    refused::<Capsule>(r#"{"radius":1.0,"half_height":-1.0,"rotation":[0,0,0,1]}"#, "half_height");
    refused::<Cuboid>(r#"{"half_extents":[1,0,1],"rotation":[0,0,0,1]}"#, "half_extents.y");
    refused::<Ellipsoid>(r#"{"radii":[1,1,1],"rotation":[0,0,0,0]}"#, "rotation must not be zero");
    refused::<Aabb>(r#"{"min":[0,0,0],"max":[1,-1,1]}"#, "min must not be greater than max");
    refused::<Plane>(r#"{"normal":[0,0,0],"distance":1.0}"#, "normal must not be zero");
    refused::<ConvexPolygon>(r#"{"vertices":[[0,0,0],[1,0,0]]}"#, "at least 3 vertices");
    refused::<Mover>(r#"{"Sphere":{"radius":0.0}}"#, "radius");
}
