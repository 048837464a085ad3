//! Walks a whole level with the real character and reports where it breaks.

use std::ffi::{CString, c_char, c_void};
use std::time::{Duration, Instant};

use carom::Mover;
use carom::glam::{DQuat, DVec3};
use carom::mesh::MeshData;
use carom_explore::{
    Code, Cost, ExploreError, Explorer, FileFrame, Finding, Level, Past, Rules, Severity, Stage, Stop,
    Volumes, preset, preset_names, rank, report,
};
use carom_formats::Source;

use crate::border::{check_size, guard, list, out, read_or_null, text};
use crate::controls::CaromSettings;
use crate::mesh::{CaromMesh, MESHES};
use crate::status::{CaromStatus, Failure};
use crate::values::{CaromShape, CaromVec3};

/// The body that walks a level, what it can do, and how finely it is sampled.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromExploreRules {
    /// The size of this structure; `carom_explore_rules_default` and `carom_explore_preset` set it.
    pub size: u32,
    /// The most places. Beyond, the report is partial.
    pub most_places: u32,
    /// The body, which must not be a point.
    pub shape: CaromShape,
    /// Its settings; up is +y.
    pub settings: CaromSettings,
    /// The speed of walking, in m/s, greater than 0.
    pub speed: f64,
    /// The speed of a jump, in m/s; 0: no jumping.
    pub jump: f64,
    /// The time of a tick, in seconds, greater than 0.
    pub tick: f64,
    /// The side of a cell of the grid, in meters; 0: from the width of the body.
    pub cell: f64,
    /// Unreached floor smaller than this, in m², is not a finding.
    pub min_area: f64,
    /// After this many seconds it stops and reports what was walked until then; 0: never.
    pub most_seconds: f64,
}

/// The kind of a defect.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromFindingCode {
    /// A body leaves the world here.
    FallOut = 0,
    /// A body gets here and cannot move on.
    Stuck = 1,
    /// A region from which no path leads back to a spawn.
    Trap = 2,
    /// A spawn in which the body does not fit.
    StartOverlap = 3,
    /// A walk gets stuck on something lower than a step, and the floor continues behind it.
    Snag = 4,
    /// Floor that is flat enough, with room for the body, that was never reached.
    Unreached = 5,
}

/// A defect of a level. Texts and arrays are valid until the callback returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CaromFinding {
    /// A `CaromFindingCode`.
    pub code: u32,
    /// Whether it is an error; else it is a warning.
    pub is_error: bool,
    /// Whether a report lists it; else it is part of another finding, or minor.
    pub is_listed: bool,
    /// The number of its cells.
    pub cells: u32,
    /// The position, in meters.
    pub position: CaromVec3,
    /// The least coordinates of its cells, in meters.
    pub min: CaromVec3,
    /// The greatest coordinates of its cells, in meters.
    pub max: CaromVec3,
    /// The area of unreached floor, in m²; else 0.
    pub area: f64,
    /// The path there: the center of the body after every tick, in meters.
    pub way: *const CaromVec3,
    /// The number of positions of the path.
    pub way_count: usize,
    /// An id that stays the same when the level changes elsewhere.
    pub id: *const c_char,
    /// Its meaning, in a sentence.
    pub meaning: *const c_char,
    /// The reason why it is not listed; null if it is.
    pub folded: *const c_char,
}

/// The progress of an exploration.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromExploreProgress {
    /// Places found.
    pub places: usize,
    /// Of those, left in all directions.
    pub done: usize,
    /// The expected number of places.
    pub expected: usize,
    /// The floor of finished places, in m².
    pub area: f64,
    /// Ticks that characters made.
    pub ticks: u64,
    /// Bytes in use.
    pub memory: usize,
}

/// The callbacks of an exploration. Each function may be null. Each is called on the exploring thread, and
/// may call any function of this library. None may throw an exception or jump out.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CaromExploreListener {
    /// The size of this structure; `carom_explore_listener_default` sets it.
    pub size: u32,
    /// Passed to every function.
    pub user: *mut c_void,
    /// The progress, several times a second. Return false to end the walk with a report of what was walked
    /// until then.
    pub progress: Option<unsafe extern "C" fn(*mut c_void, *const CaromExploreProgress) -> bool>,
    /// A finding, the most important first.
    pub finding: Option<unsafe extern "C" fn(*mut c_void, *const CaromFinding)>,
    /// A warning about the level as a whole: its name, such as `WINDING`, and a sentence.
    pub warning: Option<unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char)>,
    /// The text of report.json, at the end.
    pub report: Option<unsafe extern "C" fn(*mut c_void, *const c_char)>,
}

/// The result of an exploration.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromExplored {
    /// Whether every place that was found was left in all directions, and everything was judged.
    pub is_complete: bool,
    /// The number of listed errors.
    pub error_count: usize,
    /// The number of listed findings.
    pub listed_count: usize,
    /// The number of findings.
    pub finding_count: usize,
    /// Places found.
    pub places: usize,
    /// Ticks that characters made.
    pub ticks: u64,
    /// The reached floor, in m².
    pub reached_area: f64,
    /// All floor with room for the body, in m².
    pub floor_area: f64,
    /// The wall time, in seconds.
    pub seconds: f64,
}

impl From<ExploreError> for Failure {
    fn from(error: ExploreError) -> Self {
        let status = match error {
            ExploreError::Rule { .. }
            | ExploreError::TooFast { .. }
            | ExploreError::TooSlow { .. }
            | ExploreError::LongJump { .. }
            | ExploreError::Shape(_)
            | ExploreError::Character(_)
            | ExploreError::Spawn(_) => CaromStatus::BadValue,
            _ => CaromStatus::CannotExplore,
        };
        Self::new(status, error)
    }
}

impl From<&Rules> for CaromExploreRules {
    fn from(rules: &Rules) -> Self {
        let shape =
            rules.shape.map_or_else(|| crate::values::carom_ellipsoid(rules.radii.into()), Into::into);
        Self {
            size: size_of::<Self>() as u32,
            most_places: rules.most_places,
            shape,
            settings: CaromSettings::from(&rules.settings),
            speed: rules.speed,
            jump: rules.jump,
            tick: rules.dt,
            cell: rules.cell.unwrap_or(0.0),
            min_area: rules.min_area,
            most_seconds: 0.0,
        }
    }
}

impl CaromExploreRules {
    /// The rules, and when to stop.
    fn get(&self) -> Result<(Rules, Stop), Failure> {
        check_size::<Self>(self.size, "the rules")?;
        let rules = Rules {
            settings: self.settings.get()?,
            speed: self.speed,
            jump: self.jump,
            dt: self.tick,
            cell: (self.cell != 0.0).then_some(self.cell),
            min_area: self.min_area,
            most_places: self.most_places,
            ..Rules::default()
        };
        let rules = match self.shape.mover()? {
            Mover::Point => return Err(Failure::bad_value("a point is for casts: a body has a size")),
            // As the command has it: an upright ellipsoid is known by its radii.
            Mover::Ellipsoid(body) if body.rotation() == DQuat::IDENTITY => {
                Rules { radii: body.radii(), shape: None, ..rules }
            }
            shape => rules.with_shape(shape),
        };
        rules.check()?;
        let limit = Duration::try_from_secs_f64(self.most_seconds);
        let limit = limit.map_err(|error| Failure::bad_value(format!("most_seconds: {error}")))?;
        Ok((rules, if limit.is_zero() { Stop::new() } else { Stop::after(limit) }))
    }
}

/// The level that a mesh is.
fn level_of(mesh: CaromMesh) -> Result<Level, Failure> {
    let (tree, about) = {
        let mesh = MESHES.read(mesh.value)?;
        (mesh.tree.clone(), mesh.about.clone())
    };
    let mesh = tree.mesh();
    if mesh.origin() != DVec3::ZERO {
        let message = "the mesh has an origin of its own: only meshes about 0, 0, 0 are explored";
        return Err(Failure::new(CaromStatus::CannotExplore, message));
    }
    let data = MeshData {
        vertices: mesh.vertices().to_vec(),
        triangles: mesh.triangles().to_vec(),
        surfaces: mesh.surfaces().to_vec(),
        surface_ids: mesh.surface_ids().to_vec(),
        ..MeshData::default()
    };
    let mut level = Level::new(about.name.clone(), data)?
        .with_landmarks(about.landmarks.clone())
        .with_surfaces(about.surfaces.clone())
        .with_colors(about.colors.clone())
        .with_skies(about.skies.clone())
        .with_interior(about.source.as_ref().and_then(Source::interior));
    level.volumes = Volumes::new(about.volumes.clone());
    level.frame = FileFrame { is_z_up: about.is_z_up, scale: about.scale };
    Ok(level)
}

/// A text for C, which ends it at the first zero.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "?")).unwrap_or_default()
}

impl CaromExploreListener {
    /// Whether to continue.
    fn tell_progress(&self, explorer: &Explorer<'_>) -> bool {
        let Some(progress) = self.progress else { return true };
        let now = explorer.progress();
        let now = CaromExploreProgress {
            places: now.places,
            done: now.done,
            expected: now.expected,
            area: now.area,
            ticks: now.ticks,
            memory: now.memory,
        };
        // SAFETY: the caller handed the function over to be called so, until this call returns.
        unsafe { progress(self.user, &raw const now) }
    }

    fn tell_finding(&self, finding: &Finding) {
        let Some(tell) = self.finding else { return };
        let code = match finding.code {
            Code::FallOut => CaromFindingCode::FallOut,
            Code::Stuck => CaromFindingCode::Stuck,
            Code::Trap => CaromFindingCode::Trap,
            Code::StartOverlap => CaromFindingCode::StartOverlap,
            Code::Snag => CaromFindingCode::Snag,
            Code::Unreached => CaromFindingCode::Unreached,
        };
        let way: Vec<CaromVec3> = finding.witness.path.iter().map(|center| (*center).into()).collect();
        let (id, meaning) = (c_text(&finding.id), c_text(finding.code.meaning()));
        let folded = finding.folded.as_deref().map(c_text);
        let said = CaromFinding {
            code: code as u32,
            is_error: finding.code.severity() == Severity::Error,
            is_listed: finding.is_listed(),
            cells: finding.places,
            position: finding.position.into(),
            min: finding.extent.min.into(),
            max: finding.extent.max.into(),
            area: finding.area.unwrap_or(0.0),
            way: way.as_ptr(),
            way_count: way.len(),
            id: id.as_ptr(),
            meaning: meaning.as_ptr(),
            folded: folded.as_ref().map_or(core::ptr::null(), |text| text.as_ptr()),
        };
        // SAFETY: the caller handed the function over to be called so; what it points to outlives the call.
        unsafe { tell(self.user, &raw const said) }
    }

    fn tell_warning(&self, code: &str, message: &str) {
        let Some(tell) = self.warning else { return };
        let (code, message) = (c_text(code), c_text(message));
        // SAFETY: the caller handed the function over to be called so; the texts outlive the call.
        unsafe { tell(self.user, code.as_ptr(), message.as_ptr()) }
    }

    fn tell_report(&self, json: impl FnOnce() -> String) {
        let Some(tell) = self.report else { return };
        let json = c_text(&json());
        // SAFETY: the caller handed the function over to be called so; the text outlives the call.
        unsafe { tell(self.user, json.as_ptr()) }
    }
}

/// A person on foot.
#[unsafe(no_mangle)]
pub extern "C" fn carom_explore_rules_default() -> CaromExploreRules {
    CaromExploreRules::from(&Rules::default())
}

/// The body of a known engine or game, by name, such as "quake" or "unity". For a wrong name the message
/// lists all of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_explore_preset(
    name: *const c_char,
    rules: *mut CaromExploreRules,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (name, rules) = unsafe { (text(name, "name")?, out(rules, "rules")?) };
        let found = preset(name).ok_or_else(|| {
            let known: Vec<_> = preset_names().collect();
            Failure::bad_value(format!("there is no preset {name}: use {}", known.join(", ")))
        })??;
        rules.write(CaromExploreRules::from(&found));
        Ok(())
    })
}

/// No callbacks.
#[unsafe(no_mangle)]
pub extern "C" fn carom_explore_listener_default() -> CaromExploreListener {
    CaromExploreListener {
        size: size_of::<CaromExploreListener>() as u32,
        user: core::ptr::null_mut(),
        progress: None,
        finding: None,
        warning: None,
        report: None,
    }
}

/// Explores a level from its spawns in every direction, on all cores, and reports where it breaks. It returns
/// when it is done or stopped.
///
/// `rules`, `listener` and `explored` may be null. `spawns` are centers of bodies. Without spawns it uses
/// those of the file, or else the largest floor. The same level and rules have the same findings, to the bit,
/// unless the exploration was stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_explore(
    mesh: CaromMesh,
    rules: *const CaromExploreRules,
    spawns: *const CaromVec3,
    spawn_count: usize,
    listener: *const CaromExploreListener,
    explored: *mut CaromExplored,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (rules, spawns, listener) = unsafe {
            (
                read_or_null(rules, "rules")?,
                list(spawns, spawn_count, "spawns")?,
                read_or_null(listener, "listener")?,
            )
        };
        // SAFETY: the same.
        let room = if explored.is_null() { None } else { Some(unsafe { out(explored, "explored") }?) };
        let listener = listener.unwrap_or_else(|| carom_explore_listener_default());
        check_size::<CaromExploreListener>(listener.size, "the listener")?;
        let (rules, stop) = rules.unwrap_or_else(|| carom_explore_rules_default()).get()?;
        let spawns: Vec<DVec3> = spawns.iter().map(|spawn| spawn.get()).collect();
        let answer = explore(&level_of(mesh)?, &rules, &stop, &spawns, &listener)?;
        if let Some(room) = room {
            room.write(answer);
        }
        Ok(())
    })
}

fn explore(
    level: &Level,
    rules: &Rules,
    stop: &Stop,
    spawns: &[DVec3],
    listener: &CaromExploreListener,
) -> Result<CaromExplored, Failure> {
    let start = Instant::now();
    let mut explorer = Explorer::stoppable(level, rules, spawns, stop.clone())?;
    loop {
        if !listener.tell_progress(&explorer) {
            stop.set();
        }
        if explorer.advance() != Stage::Flooding {
            break;
        }
    }
    let mut findings = explorer.finish();
    findings.retain(|finding| !level.volumes.ignores(finding.position));
    rank(&mut findings);
    for warning in explorer.warnings() {
        listener.tell_warning(warning.code, &warning.message);
    }
    for finding in &findings {
        listener.tell_finding(finding);
    }
    let seconds = start.elapsed().as_secs_f64();
    let progress = explorer.progress();
    listener.tell_report(|| {
        let m2_per_s = if seconds > 0.0 { progress.area / seconds } else { 0.0 };
        let cost = Cost { seconds, phases: Vec::new(), ticks: progress.ticks, m2_per_s };
        let files = ["report.json".to_owned()];
        let past = Past { files: &files, known: None, gone: &[], bodies: &[] };
        report(&explorer, &findings, &cost, past)
    });
    let listed = findings.iter().filter(|finding| finding.is_listed());
    let errors = listed.clone().filter(|finding| finding.code.severity() == Severity::Error);
    let [reached_area, floor_area] = explorer.coverage();
    Ok(CaromExplored {
        is_complete: explorer.is_complete(),
        error_count: errors.count(),
        listed_count: listed.count(),
        finding_count: findings.len(),
        places: progress.places,
        ticks: progress.ticks,
        reached_area,
        floor_area,
        seconds,
    })
}
