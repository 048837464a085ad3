//! Bodies of scenes that are hulls, height fields and half-spaces.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use carom::mesh::{HeightField, Heights, Surface};
use carom::shape::{ConvexHull, Plane};
use carom::world::HalfSpace;
use glam::DVec3;
use serde::Deserialize;

/// The convex hull of points.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HullSpec {
    pub(crate) points: Vec<[f64; 3]>,
}

impl HullSpec {
    pub(crate) fn hull(&self, mapped: impl Fn([f64; 3]) -> [f64; 3]) -> Result<ConvexHull> {
        let points: Vec<DVec3> = self.points.iter().map(|point| DVec3::from_array(mapped(*point))).collect();
        ConvexHull::new(&points).context("hull")
    }
}

/// All that is behind a plane.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaneSpec {
    pub(crate) normal: [f64; 3],
    #[serde(default)]
    pub(crate) distance: f64,
}

impl PlaneSpec {
    pub(crate) fn half_space(&self) -> Result<HalfSpace> {
        let plane = Plane::at_distance(DVec3::from_array(self.normal), self.distance);
        Ok(HalfSpace::behind(plane.context("plane")?))
    }
}

/// Heights, given one by one or as a picture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeightFieldSpec {
    pub(crate) spacing: [f64; 2],
    pub(crate) columns: Option<u32>,
    pub(crate) rows: Option<u32>,
    pub(crate) heights: Option<Vec<f32>>,
    /// A gray PNG picture, relative to the scene file.
    pub(crate) file: Option<PathBuf>,
    /// The height of black.
    pub(crate) lowest: Option<f64>,
    /// The height of white.
    pub(crate) highest: Option<f64>,
    #[serde(default)]
    pub(crate) holes: Vec<[u32; 2]>,
}

impl HeightFieldSpec {
    pub(crate) fn field(&self, folder: &Path, surface: Surface) -> Result<HeightField> {
        let (size, heights) = match (&self.file, &self.heights) {
            (Some(_), Some(_)) => bail!("heightfield: heights and file exclude each other"),
            (None, None) => bail!("heightfield: needs heights or a file"),
            (Some(file), None) => self.picture(&folder.join(file))?,
            (None, Some(heights)) => {
                ensure!(
                    self.lowest.is_none() && self.highest.is_none(),
                    "heightfield: lowest and highest are for a file"
                );
                let columns = self.columns.context("heightfield: heights need columns")?;
                let rows = self.rows.context("heightfield: heights need rows")?;
                ([columns, rows], Heights::F32(heights.clone()))
            }
        };
        HeightField::new(size, self.spacing, heights)
            .and_then(|field| field.with_holes(&self.holes))
            .and_then(|field| field.with_surfaces(vec![surface], Vec::new()))
            .context("heightfield")
    }

    fn picture(&self, path: &Path) -> Result<([u32; 2], Heights)> {
        ensure!(
            self.columns.is_none() && self.rows.is_none(),
            "heightfield: columns and rows are those of the file"
        );
        let lowest = self.lowest.unwrap_or(0.0);
        let highest =
            self.highest.context("heightfield: a file needs highest, the height of white in meters")?;
        let cannot = || format!("heightfield: cannot load {}", path.display());
        let bytes = std::fs::read(path).with_context(cannot)?;
        let map = carom_formats::height_map(&bytes).with_context(cannot)?;
        let step = (highest - lowest) / f64::from(u16::MAX);
        Ok(([map.columns, map.rows], Heights::U16 { samples: map.samples, lowest, step }))
    }
}
