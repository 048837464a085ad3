//! The files of a report, except report.json itself, which names them.

use std::fmt::Write as _;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::explorer::Explorer;
use crate::findings::finding::Finding;
use crate::level::{LeftOut, Level};
use crate::report::glb::glb;
use crate::report::map::Atlas;
use crate::report::page::{PageParts, page};
use crate::report::{picture_path, witness_path};

/// The copy of a level, beside the witnesses.
const COPY: &str = "witness/level.obj";

/// The input of the files of a report.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    /// The exploration.
    pub explorer: &'a Explorer<'a>,
    /// Its findings.
    pub findings: &'a [Finding],
    /// Which of them an earlier report knows, if one was given.
    pub known: Option<&'a [bool]>,
    /// Where witnesses find the level, as scenes name a body; `None`: in a copy among the files.
    pub body: Option<&'a Value>,
    /// The cost on the page.
    pub cost: &'a str,
}

impl Files<'_> {
    /// Paths relative to the folder of the report, and bytes: witnesses and pictures by finding, maps, the
    /// scene, the copy of the level, the page.
    pub fn make(&self) -> Vec<(String, Vec<u8>)> {
        let Self { explorer, findings, known, body, cost } = *self;
        // The flood is over, and drawing needs memory of its own.
        explorer.level().forget_tiles();
        let atlas = Atlas::new(explorer, findings);
        let level = explorer.level();
        let hash = format!("{:016x}", level.checksum());
        // How a file must be read that is named instead of the copy.
        let up = if level.frame.is_z_up { "z" } else { "y" };
        let LeftOut { names, animated } = &level.left_out;
        let original =
            json!({ "up": up, "scale": level.frame.scale, "without": names, "without_animated": animated });
        let beside = json!({ "name": "level", "file": "level.obj", "hash": hash, "original": original });
        let named = body.unwrap_or(&beside);
        let pictures: Vec<Vec<u8>> =
            (0..findings.len()).into_par_iter().map(|number| atlas.picture(number)).collect();
        let maps = atlas.maps();
        drop(atlas);
        let drawn = page(explorer, findings, PageParts { pictures: &pictures, maps: &maps, cost, known });
        let mut files: Vec<(String, Vec<u8>)> = findings
            .par_iter()
            .zip(pictures)
            .enumerate()
            .flat_map_iter(|(number, (finding, picture))| {
                let scene = finding.witness.scene(named, level, finding.rules(explorer.rules())) + "\n";
                [(witness_path(number), scene.into_bytes()), (picture_path(number), picture)]
            })
            .collect();
        files.extend(maps.into_iter().enumerate().map(|(map, drawn)| (Atlas::name(map), drawn)));
        files.push(("findings.glb".to_owned(), glb(explorer, findings)));
        if body.is_none() {
            files.push((COPY.to_owned(), obj(level).into_bytes()));
        }
        files.push(("report.html".to_owned(), drawn));
        files
    }
}

/// The triangles as an OBJ, every number as it is.
fn obj(level: &Level) -> String {
    let mut text = String::new();
    let soup = level.soup();
    for [x, y, z] in soup.vertices.iter().map(|vertex| vertex.map(f64::from)) {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for [a, b, c] in &soup.triangles {
        let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    text
}
