//! Light: the sun as a small disc and the sky as a dome, each a set of directions from which the scene is
//! tested. A place is lit by those that see it.

use core::f64::consts::PI;

use carom::num::ops;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

use crate::depth::{DepthMap, View};
use crate::material::{self, BACKGROUND};
use crate::scene::{Model, PLAIN, TABLE};

const SUN: Vec3 = Vec3::new(1.85, 1.62, 1.32);
const ZENITH: Vec3 = Vec3::new(0.52, 0.62, 0.80);
const HORIZON: Vec3 = Vec3::new(0.74, 0.72, 0.68);
/// The light that the ground reflects onto faces that look down.
const BOUNCE: Vec3 = Vec3::new(0.16, 0.13, 0.10);

struct Lamp {
    direction: DVec3,
    /// On a face that looks straight at it.
    color: Vec3,
    /// The side of its map, in pixels.
    fineness: usize,
}

/// The golden angle: directions that follow it fill a disc or a dome evenly.
fn turn(index: usize) -> (f64, f64) {
    let golden = PI * (3.0 - ops::sqrt(5.0));
    ops::sin_cos(golden * index as f64)
}

fn lamps(viewer: DVec3) -> Vec<Lamp> {
    // From over the viewer's left shoulder, wherever he stands.
    let left = DVec3::Y.cross(viewer).normalize() * -1.0;
    let ahead = DVec3::Y.cross(left);
    let sun = (left * 0.85 + ahead * 0.05 + DVec3::Y * 0.8).normalize();
    let (across, over) = (sun.any_orthonormal_vector(), sun.cross(sun.any_orthonormal_vector()));
    let suns = 16;
    let sun = (0..suns).map(|i| {
        let (sin, cos) = turn(i);
        let radius = 0.02 * ops::sqrt((i as f64 + 0.5) / suns as f64);
        let direction = (sun + across * (cos * radius) + over * (sin * radius)).normalize();
        Lamp { direction, color: SUN / suns as f32, fineness: 2048 }
    });
    let skies = 96;
    let sky = (0..skies).map(|i| {
        let (sin, cos) = turn(i);
        let y = (i as f64 + 0.5) / skies as f64;
        let level = ops::sqrt(1.0 - y * y);
        // Evenly over the dome: a level face gets half the sum, hence twice the color.
        let color = HORIZON.lerp(ZENITH, y as f32) * (2.0 / skies as f32);
        Lamp { direction: DVec3::new(cos * level, y, sin * level), color, fineness: 768 }
    });
    sun.chain(sky).collect()
}

/// The color of each pixel, in linear light. Edges, where they are drawn, are as wide as a pixel of the
/// picture, `fineness` of those seen.
pub(crate) fn shade(model: &Model, seen: &DepthMap, fineness: usize) -> Vec<Vec3> {
    let width = seen.view.size[0];
    let place = |at: usize| seen.view.place([at % width, at / width], f64::from(seen.depths[at]));
    let normals: Vec<DVec3> = model
        .faces
        .iter()
        .map(|face| if face.normal.dot(seen.view.back) < 0.0 { -face.normal } else { face.normal })
        .collect();

    let mut light = vec![Vec3::ZERO; seen.depths.len()];
    let mut unshaded = Vec3::ZERO;
    let points = model.subject();
    for lamp in lamps(seen.view.back) {
        let view = View::towards(lamp.direction).framing(&points, [lamp.fineness; 2], 0.02);
        let map = DepthMap::of(model, view);
        unshaded += lamp.color * lamp.direction.y as f32;
        light.par_iter_mut().enumerate().for_each(|(at, light)| {
            let Some(normal) = normals.get(seen.triangles[at] as usize) else { return };
            let share = normal.dot(lamp.direction);
            // Two pixels off the face, so that it does not shade itself.
            if share > 0.0 && map.sees(place(at) + (*normal + lamp.direction) * (1.5 * view.pixel())) {
                *light += lamp.color * share as f32;
            }
        });
    }

    let color = |(at, light): (usize, &Vec3)| {
        let Some(face) = model.faces.get(seen.triangles[at] as usize) else { return BACKGROUND };
        let normal = normals[seen.triangles[at] as usize];
        if face.part == TABLE {
            // The background itself, where the model shades it.
            return BACKGROUND * (*light / unshaded).min(Vec3::ONE);
        }
        let bounce = BOUNCE * (0.5 - 0.5 * normal.y as f32);
        let ink = if face.part == PLAIN {
            material::ink(face, place(at), fineness as f64 * seen.view.pixel())
        } else {
            1.0
        };
        material::color(face.part, place(at), normal) * (*light + bounce) * ink
    };
    light.par_iter().enumerate().map(color).collect()
}
