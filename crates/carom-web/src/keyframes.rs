//! Poses by time.

use carom::glam::{DQuat, dvec3};
use carom::world::{AfterLast, Keyframe, Keyframes};
use wasm_bindgen::prelude::*;

use crate::answer::Answer;
use crate::error::bad_value;

/// A path of poses.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawKeyframes {
    plan: Keyframes,
    answer: Answer,
}

#[wasm_bindgen]
impl RawKeyframes {
    /// Eight numbers a keyframe: time in seconds, position, rotation.
    ///
    /// # Errors
    /// No keyframes, times that do not increase, numbers that are not finite.
    #[wasm_bindgen(constructor)]
    pub fn new(numbers: &[f64], repeats: bool) -> Result<RawKeyframes, JsValue> {
        let (frames, rest) = numbers.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(bad_value("a keyframe is eight numbers: time, position, rotation"));
        }
        let frames: Vec<_> = frames
            .iter()
            .map(|&[time, x, y, z, qx, qy, qz, qw]| Keyframe {
                time,
                position: dvec3(x, y, z),
                rotation: DQuat::from_xyzw(qx, qy, qz, qw),
            })
            .collect();
        let after = if repeats { AfterLast::Repeat } else { AfterLast::Stay };
        let plan = Keyframes::new(&frames, after).map_err(bad_value)?;
        Ok(RawKeyframes { plan, answer: Answer::default() })
    }

    /// Where the answers are, in bytes.
    pub fn answers(&self) -> usize {
        self.answer.address()
    }

    /// Writes position and rotation at a time: 7 numbers.
    #[wasm_bindgen(js_name = poseAt)]
    pub fn pose_at(&mut self, seconds: f64) {
        let pose = self.plan.pose_at(seconds);
        let [x, y, z, w] = pose.rotation().to_array();
        self.answer.begin().vector(pose.position()).number(x).number(y).number(z).number(w);
    }
}
