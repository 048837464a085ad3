//! Levels of Quake and its descendants, in the folder that `CAROM_DATA` names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use carom_formats::{Format, LoadOptions, RawLevel, VolumeKind, load, parse};
use carom_scenes::real;
use glam::DVec3;

/// Those whose extension is .bsp or .map.
fn files(data: &Path) -> Vec<PathBuf> {
    real::files_below(data, |path| matches!(Format::from_path(path), Some(Format::Bsp | Format::Map)))
        .expect("the folder is readable")
}

fn read(path: &Path) -> RawLevel {
    load(path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_level_is_read_with_its_spawns() {
    let Some(data) = real::folder() else { return };
    for path in files(&data) {
        let start = Instant::now();
        let level = read(&path);
        let seconds = start.elapsed().as_secs_f64();
        let spawns = level
            .landmarks
            .iter()
            .filter(|place| place.name.starts_with("info_player") || place.name.starts_with("team_CTF"))
            .count();
        let count = |name: &str| level.volumes.iter().filter(|volume| volume.kind.name() == name).count();
        println!(
            "{}: {} triangles, {} surfaces, {spawns} spawns, {} teleports, {} pushes, {} kills, {} waters, {seconds:.2} s",
            path.file_name().unwrap().display(),
            level.triangles.len(),
            level.surfaces.len(),
            count("teleport"),
            count("push"),
            count("kill"),
            count("water"),
        );
        // The playground's own engine has a class of its own for spawns.
        let has_spawns = !path.ends_with("playground.map");
        assert!(level.triangles.len() > 100 && (spawns > 0) == has_spawns, "{}", path.display());
        assert!(level.vertices.as_flattened().iter().all(|x| x.is_finite()), "{}", path.display());
        for volume in &level.volumes {
            if let VolumeKind::Push { velocity } = volume.kind {
                assert!(velocity.is_finite() && velocity.length() < 1000.0, "{}", volume.name);
            }
        }
        level.into_mesh().unwrap();
    }
}

/// A map with a brush, a patch and entities, and compiled levels are cut short and changed at every byte of
/// their headers and at many others.
#[test]
fn no_truncation_and_no_flipped_byte_panics_or_hangs() {
    let Some(data) = real::folder() else { return };
    for path in files(&data) {
        let bytes = std::fs::read(&path).unwrap();
        let format = Format::from_path(&path).unwrap();
        let start = Instant::now();
        let mut refused = 0;
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for round in 0..24 {
            let mut changed = bytes.clone();
            if round % 2 == 0 {
                changed.truncate(random(bytes.len()));
            } else {
                let at = if round % 4 == 1 { random(160) } else { random(bytes.len()) };
                changed[at] ^= 1 << random(8);
            }
            match parse(&changed, format, &LoadOptions::default()) {
                Ok(level) => assert!(level.vertices.len() < 10_000_000),
                Err(error) => {
                    refused += 1;
                    let said = error.to_string();
                    assert!(
                        ["lump", "header", "line", "the file", "this is no"]
                            .iter()
                            .any(|place| said.contains(place)),
                        "{said}"
                    );
                }
            }
        }
        println!("{}: {refused} of 24 refused, {:?}", path.file_name().unwrap().display(), start.elapsed());
    }
}

/// An entity as a reader of lines alone finds it.
#[derive(Default)]
struct Entity {
    keys: BTreeMap<String, String>,
    /// Whether a model of a compiled level or brushes of a source are its own.
    has_model: bool,
}

impl Entity {
    fn get(&self, key: &str) -> &str {
        self.keys.get(key).map_or("", String::as_str)
    }

    fn class(&self) -> &str {
        self.get("classname")
    }

    fn is_spawn(&self) -> bool {
        let team = ["team_CTF_redspawn", "team_CTF_bluespawn", "team_CTF_redplayer", "team_CTF_blueplayer"];
        let is_player = self.class().starts_with("info_player_");
        (is_player && self.class() != "info_player_intermission") || team.contains(&self.class())
    }

    /// Whether players meet it as a body. The list has those that are part of the world, and those that are
    /// never touched.
    fn is_mover(&self) -> bool {
        const OTHERS: [&str; 4] = ["func_group", "func_detail", "func_illusionary", "func_areaportal"];
        self.has_model && self.class().starts_with("func_") && !OTHERS.contains(&self.class())
    }

    fn origin(&self) -> Option<DVec3> {
        let numbers = self.keys.get("origin")?.split_whitespace().map(|word| word.parse().expect("a number"));
        Some(DVec3::from_slice(&numbers.collect::<Vec<f64>>()))
    }
}

/// The entities of a file, found by its lines, quotes and braces alone.
fn entities(bytes: &[u8]) -> Vec<Entity> {
    let at = bytes.windows(11).position(|word| word == b"\"classname\"").expect("a file has entities");
    let start = bytes[..at].iter().rposition(|&byte| byte == b'{').expect("an entity begins");
    let text = bytes[start..].split(|&byte| byte == 0).next().unwrap_or_default();
    let text = String::from_utf8_lossy(text);
    let (mut all, mut depth): (Vec<Entity>, _) = (Vec::new(), 0);
    for line in text.lines().map(str::trim) {
        match (line.chars().next(), depth) {
            (Some('{'), 0) => {
                all.push(Entity::default());
                depth = 1;
            }
            (Some('{'), _) => {
                all.last_mut().expect("a brush is of an entity").has_model = true;
                depth += 1;
            }
            (Some('}'), _) => depth -= 1,
            (Some('"'), 1) => {
                let parts: Vec<&str> = line.split('"').collect();
                let last = all.last_mut().expect("a key is of an entity");
                if let &[_, key, _, value, ..] = parts.as_slice() {
                    last.has_model |= key == "model" && value.starts_with('*');
                    last.keys.insert(key.to_owned(), value.to_owned());
                }
            }
            _ => {}
        }
    }
    all
}

#[test]
fn a_level_carries_the_entities_of_its_file() {
    let Some(data) = real::folder() else { return };
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    for path in files(&data) {
        let level = read(&path);
        let all = entities(&std::fs::read(&path).unwrap());
        let name = path.file_name().unwrap().display().to_string();
        // Every origin is a place, in the order of the file: that of a spawn at its feet, below the origin.
        let placed = all.iter().skip(1).filter_map(|entity| Some((entity, entity.origin()?)));
        let mut landmarks = level.landmarks.iter();
        for (entity, origin) in placed {
            let place =
                landmarks.next().unwrap_or_else(|| panic!("{name}: no landmark of a {}", entity.class()));
            let class =
                if entity.class() == "info_player_intermission" { "intermission" } else { entity.class() };
            assert_eq!(place.name, class, "{name}");
            let below = level.up.apply(origin) * level.scale - place.position;
            let feet = if entity.is_spawn() { [23.0, 35.0].as_slice() } else { &[0.0] };
            let is_there = |feet: &f64| (below - DVec3::Y * *feet * level.scale).length() < 1e-6;
            assert!(feet.iter().any(is_there), "{name}: {class} at {origin}, placed {below} above");
            *totals.entry(if entity.is_spawn() { "spawns" } else { "other landmarks" }).or_default() += 1;
        }
        assert_eq!(landmarks.count(), 0, "{name}: landmarks of no entity");
        // Every trigger that acts is a volume of its name, and no other is.
        let targets: BTreeSet<&str> =
            all.iter().map(|entity| entity.get("targetname")).filter(|name| !name.is_empty()).collect();
        let named = |number: usize| {
            let own = [all[number].get("targetname"), all[number].class()];
            format!("{}#{number}", own.into_iter().find(|name| !name.is_empty()).unwrap_or(""))
        };
        let of_class = |class: &str| {
            let wanted = |number: &usize| all[*number].has_model && all[*number].class() == class;
            (0..all.len()).filter(wanted).collect::<Vec<_>>()
        };
        // Named here: a teleport that leads nowhere is none, and lava, which kills, is of no entity.
        let teleports: Vec<usize> = of_class("trigger_teleport")
            .into_iter()
            .filter(|number| targets.contains(all[*number].get("target")))
            .collect();
        for (kind, expected) in
            [("teleport", teleports), ("push", of_class("trigger_push")), ("kill", of_class("trigger_hurt"))]
        {
            let volumes = level.volumes.iter().filter(|volume| volume.kind.name() == kind);
            let found: Vec<&str> =
                volumes.map(|volume| volume.name.as_str()).filter(|name| *name != "lava").collect();
            *totals.entry(kind).or_default() += found.len();
            let expected: Vec<String> = expected.into_iter().map(&named).collect();
            assert_eq!(found, expected, "{name}: {kind}");
        }
        // Every mover has surfaces of its own, if it is there in a game of normal skill. Only levels of Quake
        // and Quake II in the folder have such flags.
        for (number, entity) in all.iter().enumerate().filter(|(_, entity)| entity.is_mover()) {
            let body = match entity.get("targetname") {
                "" => format!("{}#{number}", entity.class()),
                target => format!("{}:{target}#{number}", entity.class()),
            };
            let is_own = |surface: &String| surface.split('/').next() == Some(body.as_str());
            let is_left_out = entity.get("spawnflags").parse::<u32>().is_ok_and(|flags| flags & 512 != 0);
            assert_ne!(level.surfaces.iter().any(is_own), is_left_out, "{name}: surfaces of {body}");
            *totals.entry(if is_left_out { "left out" } else { "movers" }).or_default() += 1;
        }
        println!("{name}: {} entities, {:?}", all.len(), level.warnings);
    }
    println!("{totals:?}");
    for kind in ["spawns", "other landmarks", "teleport", "push", "kill", "movers", "left out"] {
        assert!(totals.get(kind).is_some_and(|count| *count > 0), "no level has {kind}");
    }
}
