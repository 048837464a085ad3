//! Sources of levels: .map files with brushes in the forms of Quake, Quake II, Valve 220 and Quake III (brush
//! primitives too), and patches (`patchDef2`, `patchDef3`).
//!
//! Own reader: `quake-util` 0.4 refuses patches and brush primitives.

use carom::bsp::PlaneId;
use glam::DVec3;

use super::brush::Brush;
use super::contents::Contents;
use super::entity::entity;
use super::game::Game;
use super::patch::{LONGEST_SIDE, WANTED, net};
use super::scene::{Model, Scene, Texture};
use super::words::Words;
use crate::error::{LoadError, Location, Resource};
use crate::options::LoadOptions;

/// The flag of a brush that compilers add to the level after they have closed it.
const DETAIL: u32 = 0x0800_0000;

struct Reader<'a> {
    scene: Scene,
    names: std::collections::HashMap<&'a [u8], u32>,
    most: usize,
    parts: usize,
}

pub(super) fn read(bytes: &[u8], options: &LoadOptions) -> Result<Scene, LoadError> {
    crate::text::require_text(bytes, crate::format::Format::Map)?;
    let mut words = Words::new(bytes, None);
    let scene = Scene { game: Game::Map, ..Scene::default() };
    let mut reader =
        Reader { scene, names: std::collections::HashMap::new(), most: options.limits.nodes, parts: 0 };
    while words.peek().is_some() {
        let number = reader.scene.entities.len();
        let mut model = Model::default();
        let read = entity(&mut words, number, |words| reader.part(words, &mut model))?;
        reader.count()?;
        let has_any = !(model.brushes.is_empty() && model.patches.is_empty());
        reader.scene.models.push(has_any.then_some(model));
        reader.scene.entities.push(read);
    }
    Ok(reader.scene)
}

impl<'a> Reader<'a> {
    fn count(&mut self) -> Result<(), LoadError> {
        self.parts += 1;
        if self.parts > self.most {
            return Err(LoadError::OverLimit { resource: Resource::Nodes, limit: self.most as u64 });
        }
        Ok(())
    }

    /// Reads the part of an entity between two braces.
    fn part(&mut self, words: &mut Words<'a>, model: &mut Model) -> Result<(), LoadError> {
        self.count()?;
        let line = words.line();
        match words.peek() {
            Some(b'(') => self.brush(words, line, model),
            Some(b'}') => {
                words.take(b'}');
                self.scene.faults.push(LoadError::malformed(
                    words.at_line(line),
                    "a brush with sides",
                    b"{ }",
                ));
                Ok(())
            }
            _ => match words.word("a brush or a patch")? {
                b"brushDef" => {
                    words.expect(b'{', "{ after brushDef")?;
                    self.brush(words, line, model)?;
                    words.expect(b'}', "} after a brushDef")
                }
                b"patchDef2" => self.patch(words, false, model),
                b"patchDef3" => self.patch(words, true, model),
                other => Err(LoadError::Unsupported {
                    at: words.at(),
                    feature: String::from_utf8_lossy(&other[..other.len().min(40)]).into_owned(),
                    remedy: "save the map in the format of Quake, Valve 220 or Quake III",
                }),
            },
        }
    }

    /// Sides up to the closing brace.
    fn brush(&mut self, words: &mut Words<'a>, line: u64, model: &mut Model) -> Result<(), LoadError> {
        let mut sides: Vec<(PlaneId, u32)> = Vec::new();
        let mut flags: Option<u32> = None;
        while !words.take(b'}') {
            let at = words.line();
            let points = [words.point()?, words.point()?, words.point()?];
            // Clockwise seen from outside.
            let [a, b, c] = points;
            let plane = self.scene.planes.insert_through([a, c, b]);
            if words.peek() == Some(b'(') {
                texture_matrix(words)?;
            }
            let texture = self.texture(words.word("a texture")?);
            if let Some(own) = texture_numbers(words)? {
                flags = Some(flags.unwrap_or(0) | own);
            }
            match plane {
                Some(plane) => sides.push((plane, texture)),
                // The brush is what the other sides enclose, as it is to the compilers.
                None => {
                    self.count()?;
                    let at = words.at_line(at);
                    self.scene.faults.push(LoadError::malformed(
                        at,
                        "three points of a plane",
                        b"points in one line",
                    ));
                }
            }
        }
        let mut brush = match Brush::new(&mut self.scene.planes, &sides) {
            Ok(brush) => brush,
            Err(why) => {
                self.scene.faults.push(why.error(words.at_line(line)));
                return Ok(());
            }
        };
        let flags = flags.unwrap_or(0);
        brush.is_detail = flags & DETAIL != 0;
        let contents = self.contents(&sides, flags & !DETAIL);
        model.brushes.push((brush, contents));
        Ok(())
    }

    /// The contents of a brush, from the flags of its sides, else from their textures: a meaning on one side
    /// holds for all.
    fn contents(&self, sides: &[(PlaneId, u32)], flags: u32) -> Contents {
        let by_flags = Contents::of_quake2(flags & !1, false);
        if by_flags != Contents::Other {
            return by_flags;
        }
        let name = |number: u32| {
            let texture = self.scene.textures.get(number as usize);
            texture.map_or("", |texture| texture.name.as_str())
        };
        let of: Vec<Contents> =
            sides.iter().map(|(_, texture)| Contents::of_texture(name(*texture))).collect();
        // Hints, areaportals and origins have it on any side, with skip on the others; else the first side
        // decides.
        let special = sides.iter().any(|(_, texture)| {
            let name = name(*texture).to_ascii_lowercase();
            matches!(name.rsplit('/').next(), Some("hint" | "origin" | "areaportal" | "trigger"))
        });
        if special {
            return Contents::Other;
        }
        // One solid side makes a solid: compilers take liquids and clips from brushes that are all of them.
        let first = of.first().copied().unwrap_or(Contents::Solid);
        if of.contains(&Contents::Solid) && first != Contents::Sky {
            if matches!(first, Contents::Water | Contents::Slime | Contents::Lava) {
                first
            } else {
                Contents::Solid
            }
        } else {
            first
        }
    }

    fn texture(&mut self, name: &'a [u8]) -> u32 {
        let next = self.scene.textures.len() as u32;
        *self.names.entry(name).or_insert_with(|| {
            self.scene.textures.push(Texture::named(String::from_utf8_lossy(name).into_owned()));
            next
        })
    }

    /// The rest of a patch: `{ texture ( width height … ) ( ( ( x y z u v ) … ) … ) } }`
    fn patch(
        &mut self,
        words: &mut Words<'a>,
        has_subdivisions: bool,
        model: &mut Model,
    ) -> Result<(), LoadError> {
        words.expect(b'{', "{ after patchDef2 or patchDef3")?;
        let texture = words.word("a texture")?;
        let texture = self.texture(texture);
        words.expect(b'(', "( before the sides of a patch")?;
        let at = words.at();
        let [width, height] = [words.number()?, words.number()?];
        for _ in 0..3 + 2 * usize::from(has_subdivisions) {
            words.number()?;
        }
        words.expect(b')', ") after the sides of a patch")?;
        let refused = |at: Location| {
            let found = format!("{width} × {height}");
            LoadError::malformed(at, WANTED, found.as_bytes())
        };
        let in_range = |side: f64| (3.0..=LONGEST_SIDE as f64).contains(&side) && side % 2.0 == 1.0;
        if !(in_range(width) && in_range(height)) {
            return Err(refused(at));
        }
        let (columns, rows) = (width as usize, height as usize);
        let mut points = vec![DVec3::ZERO; columns * rows];
        words.expect(b'(', "( before the points of a patch")?;
        for column in 0..columns {
            words.expect(b'(', "( before a column of points")?;
            for row in 0..rows {
                words.expect(b'(', "( before a point")?;
                points[row * columns + column] =
                    DVec3::new(words.number()?, words.number()?, words.number()?);
                // Where it is in the texture.
                words.number()?;
                words.number()?;
                words.expect(b')', ") after a point and its place in the texture")?;
            }
            words.expect(b')', ") after a column of points")?;
        }
        words.expect(b')', ") after the points of a patch")?;
        words.expect(b'}', "} after a patch")?;
        words.expect(b'}', "} after a patch")?;
        let net = net(columns, rows, &points).ok_or_else(|| refused(at))?;
        let contents =
            self.scene.textures.get(texture as usize).map(|texture| Contents::of_texture(&texture.name));
        if matches!(contents, Some(Contents::Solid | Contents::PlayerClip | Contents::Sky)) {
            model.patches.push((net, texture));
        }
        Ok(())
    }
}

/// `( ( a b c ) ( d e f ) )`
fn texture_matrix(words: &mut Words<'_>) -> Result<(), LoadError> {
    words.expect(b'(', "( before a texture matrix")?;
    words.point()?;
    words.point()?;
    words.expect(b')', ") after a texture matrix")
}

/// Reads the numbers after the texture: its alignment, and the flags of the contents if there are any.
fn texture_numbers(words: &mut Words<'_>) -> Result<Option<u32>, LoadError> {
    let mut after = if words.peek_in_line() == Some(b'[') {
        for _ in 0..2 {
            words.expect(b'[', "[ before an axis of a texture")?;
            for _ in 0..4 {
                words.number()?;
            }
            words.expect(b']', "] after an axis of a texture")?;
        }
        3
    } else {
        5
    };
    let mut numbers = Vec::new();
    while let Some(byte) = words.peek_in_line() {
        if byte == b'(' || byte == b'}' {
            break;
        }
        if numbers.len() > 16 {
            // Whatever else a tool has put there.
            words.skip_line();
            break;
        }
        numbers.push(words.number()?);
    }
    // Brush primitives have their flags at once.
    if numbers.len() == 3 && after == 5 {
        after = 0;
    }
    let flags = numbers.get(after).filter(|_| numbers.len() >= after + 3);
    Ok(flags.map(|flags| *flags as i64 as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, RawLevel, VolumeKind, parse};

    /// The sides of a cuboid in the form of Quake.
    pub(crate) fn cuboid([x, y, z]: [f64; 3], [u, v, w]: [f64; 3], texture: &str) -> String {
        let sides = [
            [[x, y, z], [x, v, z], [x, y, w]],
            [[u, v, w], [u, v, z], [u, y, w]],
            [[x, y, z], [x, y, w], [u, y, z]],
            [[u, v, w], [x, v, w], [u, v, z]],
            [[x, y, z], [u, y, z], [x, v, z]],
            [[u, v, w], [u, y, w], [x, v, w]],
        ];
        let mut text = "{\n".to_owned();
        for points in sides {
            for [x, y, z] in points {
                // Clockwise seen from outside.
                text += &format!("( {x} {y} {z} ) ");
            }
            text += &format!("{texture} 0 0 0 1 1\n");
        }
        text + "}\n"
    }

    fn read(text: &str) -> RawLevel {
        parse(text.as_bytes(), Format::Map, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn refused(text: &str) -> String {
        parse(text.as_bytes(), Format::Map, &LoadOptions::default()).unwrap_err().to_string()
    }

    /// Volume of what triangles enclose, in cubic units.
    fn volume(level: &RawLevel) -> f64 {
        let at = |i: u32| DVec3::from_array(level.vertices[i as usize].map(f64::from)) * 32.0;
        level.triangles.iter().map(|t| at(t[0]).dot(at(t[1]).cross(at(t[2]))) / 6.0).sum()
    }

    #[test]
    fn a_brush_is_its_cuboid_with_z_up_and_32_units_a_meter() {
        let text =
            format!("{{ \"classname\" \"worldspawn\"\n{} }}", cuboid([0.0; 3], [64.0, 32.0, 96.0], "stone"));
        let level = read(&text);
        assert_eq!((level.triangles.len(), level.vertices.len()), (12, 8));
        assert!((volume(&level) - 64.0 * 32.0 * 96.0).abs() < 1e-6, "{}", volume(&level));
        let top =
            level.vertices.iter().fold([0.0f32; 3], |m, v| [m[0].max(v[0]), m[1].max(v[1]), m[2].min(v[2])]);
        assert_eq!(top, [2.0, 3.0, -1.0]);
        assert_eq!(level.surfaces, ["stone"]);
    }

    #[test]
    fn entities_are_bodies_spawns_and_volumes() {
        let brush = |texture: &str| cuboid([0.0; 3], [64.0; 3], texture);
        let text = format!(
            "// a comment\n{{\n\"classname\" \"worldspawn\"\n{}{}{}}}\n{{ \"classname\" \"func_door\" {} }}\n\
             {{ \"classname\" \"trigger_teleport\" \"target\" \"there\" {} }}\n\
             {{ \"classname\" \"misc_teleporter_dest\" \"targetname\" \"there\" \"origin\" \"32 64 123\" }}\n\
             {{ \"classname\" \"info_player_start\" \"origin\" \"0 0 23\" }}\n\
             {{ \"classname\" \"func_group\" {} }}\n",
            brush("stone"),
            brush("*water1"),
            brush("common/clip"),
            brush("wood"),
            brush("trigger"),
            cuboid([64.0, 0.0, 0.0], [128.0, 64.0, 64.0], "brick"),
        );
        let level = read(&text);
        // The clip is the stone again; the group touches the stone and is one with it.
        assert_eq!(level.surfaces, ["stone", "brick", "func_door#1/wood"]);
        assert!((volume(&level) - 3.0 * 64.0 * 64.0 * 64.0).abs() < 1e-3);
        assert_eq!(level.triangles.len(), 10 + 10 + 12);
        let kinds: Vec<(&str, VolumeKind)> =
            level.volumes.iter().map(|volume| (volume.name.as_str(), volume.kind)).collect();
        let to = DVec3::new(1.0, 4.0, -2.0);
        assert_eq!(
            kinds,
            [("trigger_teleport#2", VolumeKind::Teleport { to }), ("water", VolumeKind::Water)]
        );
        assert!(level.volumes[0].pieces[0].contains(DVec3::new(1.0, 1.0, -1.0)));
        let spawn = level.landmarks.iter().find(|place| place.name == "info_player_start").unwrap();
        assert_eq!(spawn.position, DVec3::ZERO);
    }

    #[test]
    fn every_form_of_a_side_is_read() {
        let plain = "{\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n( 8 0 0 ) ( 8 0 1 ) ( 8 1 0 ) a 0 0 0 1 1 0 0 0\n\
             ( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) {b [ 1 0 0 0 ] [ 0 0 -1 0 ] 0 1 1\n( 0 8 0 ) ( 1 8 0 ) ( 0 8 1 ) a [ 1 0 0 0 ] [ 0 0 -1 0 ] 0 1 1 134217728 0 0\n\
             ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) \"c d\" 0 0 0 1 1\n(0 0 8)(0 1 8)(1 0 8) a 0 0 0 1 1\n}\n}\n";
        assert!((volume(&read(plain)) - 512.0).abs() < 1e-9);
        let primitive = "{\n{\nbrushDef\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) ( ( 1 0 0 ) ( 0 1 0 ) ) a 0 0 0\n( 8 0 0 ) ( 8 0 1 ) ( 8 1 0 ) ( ( 1 0 0 ) ( 0 1 0 ) ) a 0 0 0\n\
             ( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) ( ( 1 0 0 ) ( 0 1 0 ) ) a 0 0 0\n( 0 8 0 ) ( 1 8 0 ) ( 0 8 1 ) ( ( 1 0 0 ) ( 0 1 0 ) ) a 0 0 0\n\
             ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) ( ( 1 0 0 ) ( 0 1 0 ) ) a 0 0 0\n( 0 0 8 ) ( 0 1 8 ) ( 1 0 8 ) ( ( 1 0 0 ) ( 0 1 0 ) ) a 0 0 0\n}\n}\n}\n";
        assert!((volume(&read(primitive)) - 512.0).abs() < 1e-9);
    }

    #[test]
    fn patches_are_triangles() {
        let row = |x: i32| format!("( ( {x} 0 0 0 0 ) ( {x} 8 0 0 0 ) ( {x} 16 0 0 0 ) )\n");
        let rows = row(0) + &row(8) + &row(16);
        for text in [
            format!("{{ {{ patchDef2 {{ stone ( 3 3 0 0 0 ) (\n{rows}) }} }} }}"),
            format!("{{ {{ patchDef3 {{ stone ( 3 3 4 4 0 0 0 ) (\n{rows}) }} }} }}"),
        ] {
            let level = read(&text);
            assert_eq!((level.triangles.len(), level.vertices.len()), (2, 4));
        }
        assert!(refused("{ { patchDef2 { a ( 3 4 0 0 0 ) ( ) } } }").contains("`3 × 4`"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let flat = read("{\n{\n( 0 0 0 ) ( 1 0 0 ) ( 2 0 0 ) a 0 0 0 1 1\n}\n}");
        let side = "line 3: expected three points of a plane, found `points in one line`: left out";
        assert_eq!(flat.warnings[0], side);
        let open = read("{\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n}\n}");
        assert!(open.warnings[0].starts_with("line 2: expected a brush that ends"), "{:?}", open.warnings);
        let none = read("{\n{\n}\n}\n{ \"classname\" \"info_player_start\" }");
        assert!(none.warnings[0].starts_with("line 2: expected a brush with sides"), "{:?}", none.warnings);
        assert!(none.warnings[1].contains("(info_player_start), key origin"), "{:?}", none.warnings);
        assert!(refused("{\n{\nmeshDef\n{ } } }").starts_with("line 3: meshDef is not supported"));
        assert!(refused("{ { ( 0 0 nan )").contains("expected a finite number"));
        assert!(refused("{ \"a\" \"b\" ").contains("the file ends before"));
    }
}
