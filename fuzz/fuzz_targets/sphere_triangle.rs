//! Any finite numbers: no panic, a fraction from 0 to 1, a unit normal, none along the path, and the same
//! bits for the corners in another order.
#![no_main]

use carom::num::bound::APPROACH;
use carom::shape::{Sphere, Triangle};
use carom::sweep::{Path, point_triangle, sphere_triangle};
use glam::DVec3;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut numbers = bytes.chunks_exact(8).map(|chunk| {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        f64::from_le_bytes(eight)
    });
    let mut number = || numbers.next().unwrap_or(0.0);
    let mut vector = || DVec3::new(number(), number(), number());
    let (a, b, c, from, translation) = (vector(), vector(), vector(), vector(), vector());
    let radius = number();
    let (Ok(triangle), Ok(path)) = (Triangle::new(a, b, c), Path::new(from, translation)) else { return };
    let hit = match Sphere::new(radius) {
        Ok(sphere) => sphere_triangle(&sphere, &path, &triangle),
        Err(_) => point_triangle(&path, &triangle),
    };
    let Some(hit) = hit else { return };
    assert!((0.0..=1.0).contains(&hit.fraction), "{hit:?}");
    assert!((hit.normal.length() - 1.0).abs() < 1e-9, "{hit:?}");
    // Against the way, or perpendicular to it: what a unit normal and its product with the way round is less
    // than APPROACH, at all scales (docs/sphere-triangle.md, "The normal is against the way"). The way
    // brought near 1, as its own products might be subnormal.
    let length = translation.abs().max_element();
    assert!(length > 0.0 && hit.normal.dot(translation / length) <= APPROACH, "{hit:?}");
    // The corners in any order: the same bits.
    if let (Ok(sphere), Ok(turned)) = (Sphere::new(radius), Triangle::new(c, b, a)) {
        let other = sphere_triangle(&sphere, &path, &turned);
        assert_eq!(other.map(|other| (other.fraction, other.normal)), Some((hit.fraction, hit.normal)));
    }
});
