//! Entities: pairs of keys and values, and their meaning for carom.

use glam::DVec3;

use super::game::Game;
use super::words::Words;
use crate::error::{LoadError, Location};
use crate::text;

/// Longer keys and values are cut: none that matter are.
const LONGEST: usize = 1024;
/// The limit of Quake's velocities, in units per second.
const FASTEST: f64 = 2000.0;
/// The bit of `spawnflags` that takes an entity out of a game of normal skill (Quake, Quake II).
const NOT_NORMAL: u32 = 512;
/// The bits that take it out of easy, normal and hard games: what is left is deathmatch.
const NOT_SINGLE: u32 = 256 | NOT_NORMAL | 1024;
/// The gravity of Quake III, in units per second squared.
const GRAVITY: f64 = 800.0;

/// Something placed in a level.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    /// From 0; the world is 0.
    pub(super) number: usize,
    /// Where its opening brace is.
    pub(super) at: Location,
    pairs: Vec<(String, String)>,
}

/// The meaning of an entity with a brush model for a mover.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Role {
    /// Part of the world.
    World,
    /// A body of its own.
    Body,
    /// No obstacle, and of no meaning here.
    Nothing,
    Teleport,
    Push,
    Kill,
    Ladder,
    Water,
}

impl Entity {
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(of, _)| of == key).map(|(_, value)| value.as_str())
    }

    pub(super) fn class(&self) -> &str {
        self.get("classname").unwrap_or("")
    }

    /// `targetname`, else `classname`, and its number: `func_door#12`.
    pub(super) fn name(&self) -> String {
        let name = self.get("targetname").filter(|name| !name.is_empty()).unwrap_or(self.class());
        format!("{name}#{}", self.number)
    }

    /// The name of the surfaces of its model: the class first, so that one pattern finds all doors.
    pub(super) fn body_name(&self) -> String {
        match self.get("targetname").filter(|name| !name.is_empty()) {
            Some(name) => format!("{}:{name}#{}", self.class(), self.number),
            None => self.name(),
        }
    }

    /// How far down a lift goes from where the file has it, if it is as high as that.
    pub(super) fn lift_travel(&self, high: f64) -> Option<f64> {
        if self.class() != "func_plat" {
            return None;
        }
        let lip = self.number_of("lip").unwrap_or(8.0);
        let given = self.number_of("height").filter(|height| *height != 0.0);
        given.or(Some(high - lip)).filter(|travel| *travel > 0.0)
    }

    /// Whether the game that is usually played has none of it: single player of normal skill in Quake and
    /// Quake II, everyone for themselves in Quake III. The bits of a `.map` are those of an unknown game:
    /// only all three skills together mean the same in each.
    pub(super) fn is_left_out(&self, game: Game) -> bool {
        if self.number == 0 {
            return false;
        }
        let number = |key| self.number_of(key).unwrap_or(0.0);
        let flags = number("spawnflags") as u32;
        match game {
            Game::Quake | Game::Quake2 => flags & NOT_NORMAL != 0,
            Game::Map => flags & NOT_SINGLE == NOT_SINGLE || number("notfree") != 0.0,
            Game::Quake3 => number("notfree") != 0.0,
            Game::GoldSrc => false,
        }
    }

    /// Three numbers; `None` if the key is not there.
    pub(super) fn vector(&self, key: &'static str) -> Result<Option<DVec3>, LoadError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let mut words = value.split_whitespace().map(|word| text::number(word.as_bytes()));
        match (words.next().flatten(), words.next().flatten(), words.next().flatten()) {
            (Some(x), Some(y), Some(z)) if DVec3::new(x, y, z).is_finite() => Ok(Some(DVec3::new(x, y, z))),
            _ => Err(self.malformed(key, "three finite numbers", value)),
        }
    }

    /// A finite number; `None` if the key is not there or not a number.
    pub(super) fn number_of(&self, key: &str) -> Option<f64> {
        text::number(self.get(key)?.trim().as_bytes()).filter(|number| number.is_finite())
    }

    /// Where it is. The world and what has a model of its own may leave it out.
    pub(super) fn origin(&self) -> Result<DVec3, LoadError> {
        Ok(self.vector("origin")?.unwrap_or_default())
    }

    /// Where it is, if all that it is is a place.
    pub(super) fn place(&self) -> Result<DVec3, LoadError> {
        self.vector("origin")?.ok_or_else(|| self.without_origin())
    }

    /// The error for an entity without an origin.
    pub(super) fn without_origin(&self) -> LoadError {
        self.malformed("origin", "an origin", "none")
    }

    fn malformed(&self, key: &str, expected: &'static str, found: &str) -> LoadError {
        let at = Location::Part(format!("{}, entity {} ({}), key {key}", self.at, self.number, self.class()));
        LoadError::malformed(at, expected, found.as_bytes())
    }

    /// Whether all that it is is a place: neither the world nor of a class that brushes are of.
    pub(super) fn is_point(&self) -> bool {
        let class = self.class();
        let of_brushes = ["func_", "trigger_", "worldspawn"];
        (self.number > 0 || self.is_spawn())
            && !of_brushes.iter().any(|prefix| class.starts_with(prefix))
            && self.get("model").is_none_or(|model| !model.starts_with('*'))
    }

    /// Whether a player may begin here. `info_player_intermission` is a camera.
    pub(super) fn is_spawn(&self) -> bool {
        let class = self.class();
        (class.starts_with("info_player_") && class != "info_player_intermission")
            || matches!(
                class,
                "team_CTF_redspawn" | "team_CTF_bluespawn" | "team_CTF_redplayer" | "team_CTF_blueplayer"
            )
    }

    /// The role of its brush model.
    pub(super) fn role(&self) -> Role {
        match self.class() {
            "worldspawn" | "func_group" | "func_detail" | "func_detail_wall" | "func_detail_fence" => {
                Role::World
            }
            "trigger_teleport" => Role::Teleport,
            "trigger_push" => Role::Push,
            "trigger_hurt" => Role::Kill,
            "func_ladder" => Role::Ladder,
            "func_water" | "water" => Role::Water,
            "func_illusionary"
            | "func_detail_illusionary"
            | "func_areaportal"
            | "func_monsterclip"
            | "func_fog"
            | "func_dustmotes"
            | "func_buyzone"
            | "func_bomb_target"
            | "func_hostage_rescue"
            | "func_smokevolume"
            | "func_precip"
            | "func_timer" => Role::Nothing,
            class if class.starts_with("func_") || class.is_empty() => Role::Body,
            class if class.starts_with("trigger_") || class.starts_with("info_") => Role::Nothing,
            class
                if class.starts_with("env_")
                    || class.starts_with("light")
                    || class.starts_with("target_") =>
            {
                Role::Nothing
            }
            _ => Role::Body,
        }
    }

    /// The way that `angle` or `angles` point: −1 is up, −2 down.
    fn direction(&self) -> DVec3 {
        let yaw = match self.number_of("angle") {
            Some(-1.0) => return DVec3::Z,
            Some(-2.0) => return DVec3::NEG_Z,
            Some(angle) => return heading(0.0, angle),
            None => self.vector("angles").ok().flatten().or(self.vector("mangle").ok().flatten()),
        };
        match yaw.unwrap_or_default() {
            up if up == DVec3::new(0.0, -1.0, 0.0) => DVec3::Z,
            down if down == DVec3::new(0.0, -2.0, 0.0) => DVec3::NEG_Z,
            angles => heading(angles.x, angles.y),
        }
    }

    /// The velocity that a push gives, in units per second: towards its target so that it is the top of the
    /// flight (Quake III), else along its angle, with ten times its speed (Quake, Quake II; `GoldSrc`: with
    /// its speed).
    pub(super) fn push(&self, center: DVec3, target: Option<DVec3>, is_goldsrc: bool) -> DVec3 {
        if let Some(target) = target {
            let height = target.z - center.z;
            if height <= 0.0 {
                return DVec3::ZERO;
            }
            let time = carom::num::ops::sqrt(height / (0.5 * GRAVITY));
            let way = (target - center) / time;
            return DVec3::new(way.x, way.y, time * GRAVITY);
        }
        let speed = match self.number_of("speed").filter(|speed| *speed != 0.0) {
            Some(speed) if is_goldsrc => speed,
            None if is_goldsrc => 100.0,
            speed => 10.0 * speed.unwrap_or(1000.0),
        };
        (self.direction() * speed).clamp(DVec3::splat(-FASTEST), DVec3::splat(FASTEST))
    }
}

/// The way that angles in degrees point.
fn heading(pitch: f64, yaw: f64) -> DVec3 {
    let [pitch, yaw] = [pitch, yaw].map(f64::to_radians);
    let (sin_pitch, cos_pitch) = carom::num::ops::sin_cos(pitch);
    let (sin_yaw, cos_yaw) = carom::num::ops::sin_cos(yaw);
    DVec3::new(cos_pitch * cos_yaw, cos_pitch * sin_yaw, -sin_pitch)
}

/// Reads one entity; what is in braces within it goes to `brush`, which begins after the opening brace and
/// ends after the closing one.
pub(super) fn entity<'a>(
    words: &mut Words<'a>,
    number: usize,
    mut brush: impl FnMut(&mut Words<'a>) -> Result<(), LoadError>,
) -> Result<Entity, LoadError> {
    words.expect(b'{', "{ before an entity")?;
    let at = words.at();
    let mut pairs = Vec::new();
    loop {
        match words.peek() {
            Some(b'}') => break,
            Some(b'"') => {
                let key = words.quoted()?;
                let value = words.quoted()?;
                pairs.push((shortened(key), shortened(value)));
            }
            Some(b'{') => {
                words.take(b'{');
                brush(words)?;
            }
            _ => return Err(words.expected("a key in quotes, or } after an entity")),
        }
    }
    words.take(b'}');
    Ok(Entity { number, at, pairs })
}

fn shortened(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).into_owned()
}

/// The entities of a compiled level.
pub(super) fn entities(text: &[u8]) -> Result<Vec<Entity>, LoadError> {
    let mut words = Words::new(text, Some("entities"));
    let mut entities = Vec::new();
    while words.peek().is_some() {
        let number = entities.len();
        entities
            .push(entity(&mut words, number, |words| Err(words.expected("no brush in a compiled level")))?);
    }
    Ok(entities)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Entity {
        entities(text.as_bytes()).unwrap().remove(0)
    }

    #[test]
    fn a_push_to_a_target_peaks_there() {
        let push = one(r#"{ "classname" "trigger_push" }"#);
        let (center, target) = (DVec3::new(0.0, 0.0, 10.0), DVec3::new(100.0, -50.0, 410.0));
        let velocity = push.push(center, Some(target), false);
        let time = velocity.z / GRAVITY;
        let top = center + velocity * time - DVec3::Z * (0.5 * GRAVITY * time * time);
        assert!((top - target).length() < 1e-9, "{top}");
    }

    #[test]
    fn a_push_along_an_angle_has_the_speed_of_its_game() {
        let up = one(r#"{ "angle" "-1" "speed" "60" }"#);
        assert_eq!(up.push(DVec3::ZERO, None, false), DVec3::new(0.0, 0.0, 600.0));
        assert_eq!(up.push(DVec3::ZERO, None, true), DVec3::new(0.0, 0.0, 60.0));
        let along = one(r#"{ "angle" "90" }"#).push(DVec3::ZERO, None, false);
        assert!((along - DVec3::new(0.0, 2000.0, 0.0)).length() < 1e-9, "{along}");
        assert_eq!(one(r#"{ "angles" "-90 0 0" "speed" "1" }"#).push(DVec3::ZERO, None, false).z, 10.0);
    }

    #[test]
    fn a_lift_goes_down_by_its_height_but_for_a_lip() {
        let lift = one(r#"{ "classname" "func_plat" "targetname" "up" }"#);
        assert_eq!((lift.lift_travel(128.0), lift.lift_travel(4.0)), (Some(120.0), None));
        assert_eq!((lift.body_name(), lift.name()), ("func_plat:up#0".to_owned(), "up#0".to_owned()));
        assert_eq!(one(r#"{ "classname" "func_plat" "height" "64" }"#).lift_travel(16.0), Some(64.0));
        assert_eq!(one(r#"{ "classname" "func_door" }"#).lift_travel(128.0), None);
    }

    #[test]
    fn walls_of_deathmatch_are_left_out_of_single_player() {
        let list = entities(
            br#"{ "classname" "worldspawn" "spawnflags" "1792" }
                { "classname" "func_wall" "spawnflags" "1792" } { "classname" "func_wall" "spawnflags" "512" }
                { "classname" "func_wall" "spawnflags" "2048" } { "classname" "func_wall" "notfree" "1" }"#,
        )
        .unwrap();
        let left_out = |game| list.iter().map(|entity| entity.is_left_out(game)).collect::<Vec<_>>();
        assert_eq!(left_out(Game::Quake), [false, true, true, false, false]);
        assert_eq!(left_out(Game::Quake2), left_out(Game::Quake));
        assert_eq!(left_out(Game::GoldSrc), [false; 5]);
        assert_eq!(left_out(Game::Quake3), [false, false, false, false, true]);
        assert_eq!(left_out(Game::Map), [false, true, false, false, true]);
    }

    #[test]
    fn what_is_wrong_with_an_entity_is_named_with_its_line() {
        let wrong = one("\n{ \"classname\" \"info_player_start\"\n\"origin\" \"1 2\" }");
        assert_eq!(
            wrong.place().unwrap_err().to_string(),
            "lump entities, line 2, entity 0 (info_player_start), key origin: expected three finite numbers, found `1 2`"
        );
        let none = one(r#"{ "classname" "info_player_start" }"#);
        assert!(none.place().unwrap_err().to_string().contains("expected an origin"));
        for text in ["{", "{ \"a\"", "{ \"a\" \"b\"", "{ \"a\" b }", "}", "{ { } }", "{ \"a\n\" \"b\" }"] {
            assert!(entities(text.as_bytes()).is_err(), "{text}");
        }
        assert!(entities(b" // nothing\n\0").unwrap().is_empty());
    }

    #[test]
    fn cameras_are_no_spawns_and_triggers_no_bodies() {
        assert!(one(r#"{ "classname" "info_player_deathmatch" }"#).is_spawn());
        assert!(!one(r#"{ "classname" "info_player_intermission" }"#).is_spawn());
        for (class, role) in [
            ("func_door", Role::Body),
            ("trigger_once", Role::Nothing),
            ("trigger_hurt", Role::Kill),
            ("func_group", Role::World),
            ("momentum_lift", Role::Body),
        ] {
            assert_eq!(one(&format!(r#"{{ "classname" "{class}" }}"#)).role(), role, "{class}");
        }
    }
}
