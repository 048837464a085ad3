//! Wavefront OBJ.
//!
//! Own parser: tobj gives no line in its errors, makes triangles of lines (`l`), does not join lines at a
//! backslash, and refuses text that is not UTF-8.
//!
//! Read: `v f o g usemtl`, lines joined by a backslash, indices relative to the end. Counted and skipped: `p
//! l`, free-form curves and surfaces, unknown statements. Materials are names: no .mtl is opened.

use std::borrow::Cow;

use glam::DVec3;

use crate::assembly::Assembly;
use crate::byte_order_mark::without_byte_order_mark;
use crate::error::{LoadError, Location};
use crate::extents::Extents;
use crate::format::Format;
use crate::level::RawLevel;
use crate::options::LoadOptions;
use crate::text::{Text, Words, integer, name, number, require_text, trim};

pub(crate) fn parse(bytes: &[u8], options: &LoadOptions) -> Result<RawLevel, LoadError> {
    let bytes = without_byte_order_mark(bytes);
    require_text(bytes, Format::Obj)?;
    let mut reader = Reader::new(options);
    let mut text = Text::new(bytes, 1);
    loop {
        let line = text.line();
        let Some(statement) = next_statement(&mut text) else { break };
        reader.statement(line, &statement)?;
    }
    reader.finish()
}

/// The next line, and those that a backslash at its end joins to it.
fn next_statement<'a>(text: &mut Text<'a>) -> Option<Cow<'a, [u8]>> {
    let first = text.next_line()?;
    let Some(start) = continued(first) else { return Some(Cow::Borrowed(first)) };
    let mut joined = start.to_vec();
    while let Some(line) = text.next_line() {
        joined.push(b' ');
        match continued(line) {
            Some(line) => joined.extend_from_slice(line),
            None => {
                joined.extend_from_slice(line);
                break;
            }
        }
    }
    Some(Cow::Owned(joined))
}

/// The line without the backslash at its end; `None` if it has none. A comment ends with its line.
fn continued(line: &[u8]) -> Option<&[u8]> {
    let line = trim(line);
    if line.first() == Some(&b'#') { None } else { line.strip_suffix(b"\\") }
}

/// A named object or group, and where it is.
struct NamedObject {
    name: String,
    /// Around what its faces, lines and points use.
    used: Extents,
    /// Around the vertices listed under its name: for one that draws nothing, such as an empty that marks a
    /// place.
    listed: Extents,
}

struct Reader {
    level: Assembly,
    object: String,
    group: String,
    material: String,
    /// Objects; groups as long as there is no object.
    named: Vec<NamedObject>,
    objects: bool,
    /// Indices of vertices that were not yet there, each larger than the one before, with their lines.
    ahead: Vec<(u64, u32)>,
    known: u64,
    comments: u64,
    /// The first invalid statement.
    unknown: Option<(u64, String)>,
}

impl Reader {
    fn new(options: &LoadOptions) -> Self {
        Self {
            level: Assembly::new(Format::Obj, options),
            object: String::new(),
            group: String::new(),
            material: String::new(),
            named: Vec::new(),
            objects: false,
            ahead: Vec::new(),
            known: 0,
            comments: 0,
            unknown: None,
        }
    }

    fn statement(&mut self, line: u64, statement: &[u8]) -> Result<(), LoadError> {
        let mut words = Words(statement);
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword {
            b"v" => self.vertex(line, words)?,
            b"f" | b"fo" => self.face(line, words)?,
            b"p" => self.level.skipped().points += self.uses(line, words)?,
            b"l" => self.level.skipped().lines += self.uses(line, words)?.saturating_sub(1),
            b"o" => {
                self.object = name(words.rest());
                if !self.objects {
                    self.objects = true;
                    self.named.clear();
                }
                self.part(self.object.clone())?;
            }
            b"g" => {
                self.group = name(words.rest());
                if !self.objects {
                    self.part(self.group.clone())?;
                }
                self.rename();
            }
            b"usemtl" => {
                self.material = name(words.rest());
                self.rename();
            }
            b"curv" | b"curv2" | b"surf" | b"bzp" | b"bsp" | b"cdc" | b"cdp" => {
                self.level.skipped().free_form += 1;
            }
            b"call" => {
                return Err(LoadError::Unsupported {
                    at: Location::Line(line),
                    feature: "a `call` of another file".to_owned(),
                    remedy: "export it as one file",
                });
            }
            b"vt" | b"vn" | b"vp" | b"s" | b"mtllib" | b"maplib" | b"usemap" | b"mg" | b"cstype" | b"deg"
            | b"bmat" | b"step" | b"parm" | b"trim" | b"hole" | b"scrv" | b"sp" | b"end" | b"con"
            | b"bevel" | b"c_interp" | b"d_interp" | b"lod" | b"shadow_obj" | b"trace_obj" | b"ctech"
            | b"stech" | b"csh" | b"res" => {}
            [b'#', ..] => {
                self.comments += 1;
                return Ok(());
            }
            _ => {
                self.level.skipped().statements += 1;
                if self.unknown.is_none() {
                    self.unknown = Some((line, crate::error::excerpt(keyword)));
                }
                return Ok(());
            }
        }
        self.known += 1;
        Ok(())
    }

    fn vertex(&mut self, line: u64, mut words: Words<'_>) -> Result<(), LoadError> {
        let mut coordinate = || {
            let word = words.next().unwrap_or_default();
            number(word).ok_or_else(|| LoadError::malformed(Location::Line(line), "a number", word))
        };
        // A weight for curves or a color may follow.
        let vertex = self.level.vertex(DVec3::new(coordinate()?, coordinate()?, coordinate()?))?;
        if let (Some(object), Some(position)) = (self.named.last_mut(), self.level.position(vertex)) {
            object.listed.include(position);
        }
        Ok(())
    }

    fn face(&mut self, line: u64, words: Words<'_>) -> Result<(), LoadError> {
        let (mut corners, mut first, mut previous) = (0_u64, 0, 0);
        for word in arguments(words) {
            let corner = self.corner(line, word)?;
            match corners {
                0 => first = corner,
                1 => {}
                _ => self.level.triangle([first, previous, corner])?,
            }
            previous = corner;
            corners += 1;
        }
        if corners < 3 {
            self.level.skipped().incomplete_faces += 1;
        }
        Ok(())
    }

    /// Counts the vertices of a line or a row of points.
    fn uses(&mut self, line: u64, words: Words<'_>) -> Result<u64, LoadError> {
        let mut count = 0;
        for word in arguments(words) {
            self.corner(line, word)?;
            count += 1;
        }
        Ok(count)
    }

    /// The vertex that `7`, `7/1`, `7//3`, `7/1/3` or the same with −2 names.
    fn corner(&mut self, line: u64, word: &[u8]) -> Result<u32, LoadError> {
        let digits = word.split(|&byte| byte == b'/').next().unwrap_or_default();
        let index = integer(digits)
            .ok_or_else(|| LoadError::malformed(Location::Line(line), "the index of a vertex", word))?;
        let count = self.level.vertices();
        let out_of_range = || LoadError::IndexOutOfRange {
            at: Location::Line(line),
            index,
            count: count as u64,
            kind: "vertices",
        };
        let vertex = if index < 0 { index.checked_add_unsigned(count as u64) } else { index.checked_sub(1) };
        let vertex = vertex.and_then(|v| u32::try_from(v).ok()).ok_or_else(out_of_range)?;
        match self.level.position(vertex) {
            Some(position) => {
                if let Some(object) = self.named.last_mut() {
                    object.used.include(position);
                }
            }
            // It may still come: judged at the end, by the first line that refers to the highest of them.
            None if self.ahead.last().is_none_or(|&(_, highest)| vertex > highest) => {
                self.ahead.push((line, vertex));
            }
            None => {}
        }
        Ok(vertex)
    }

    fn part(&mut self, name: String) -> Result<(), LoadError> {
        self.level.count_parts(1)?;
        self.named.push(NamedObject { name, used: Extents::NONE, listed: Extents::NONE });
        self.rename();
        Ok(())
    }

    fn rename(&mut self) {
        self.level.surface([&self.object, &self.group, &self.material]);
    }

    fn finish(mut self) -> Result<RawLevel, LoadError> {
        let unknown = self.level.skipped().statements;
        if unknown > self.known || self.known + self.comments == 0 {
            return Err(match self.unknown {
                Some((line, found)) => LoadError::Malformed {
                    at: Location::Line(line),
                    expected: "a statement of an OBJ file, such as `v` or `f`",
                    found,
                },
                None => LoadError::NotThisFormat {
                    format: Format::Obj,
                    expected: "statements such as `v` and `f`",
                },
            });
        }
        let count = self.level.vertices();
        if let Some(&(line, vertex)) = self.ahead.iter().find(|&&(_, vertex)| vertex as usize >= count) {
            return Err(LoadError::IndexOutOfRange {
                at: Location::Line(line),
                index: i64::from(vertex) + 1,
                count: count as u64,
                kind: "vertices",
            });
        }
        for object in self.named.iter().filter(|object| !object.name.is_empty()) {
            if let Some(center) = object.used.center().or(object.listed.center()) {
                self.level.placed(&object.name, center);
            }
        }
        Ok(self.level.finish())
    }
}

/// The words before a comment.
fn arguments(words: Words<'_>) -> impl Iterator<Item = &[u8]> {
    words.take_while(|word| word.first() != Some(&b'#'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Limits;
    use crate::up::Up;

    fn read(text: &str) -> Result<RawLevel, LoadError> {
        parse(text.as_bytes(), &LoadOptions::default())
    }

    fn triangles(text: &str) -> Vec<[u32; 3]> {
        read(text).unwrap().triangles
    }

    fn refusal(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    #[test]
    fn a_polygon_is_fanned_from_its_first_corner() {
        let level = read("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 .5 0\nf 2 3 4 5 1\nf 1 2 3").unwrap();
        assert_eq!(level.triangles, [[1, 2, 3], [1, 3, 4], [1, 4, 0], [0, 1, 2]]);
        assert_eq!(level.vertices[4], [0.0, 0.5, 0.0]);
        assert!(level.skipped.is_nothing());
    }

    #[test]
    fn a_corner_may_have_texture_and_normal_of_any_form() {
        assert_eq!(
            triangles(&format!("{SQUARE}f 1/7/9 2//3 3/4 4/ \nf 1// 2/2/ 3")),
            [[0, 1, 2], [0, 2, 3], [0, 1, 2]]
        );
    }

    #[test]
    fn a_negative_index_counts_back_from_its_line() {
        assert_eq!(
            triangles(&format!("{SQUARE}f -4 -3/-1 -2\nv 2 2 2\nf -1 -2//-1 -5")),
            [[0, 1, 2], [4, 3, 0]]
        );
        assert_eq!(
            refusal(&format!("{SQUARE}f -1 -2 -5")),
            "line 5: index -5 is out of range (vertices: 4): the file is damaged or truncated"
        );
    }

    #[test]
    fn a_face_may_come_before_its_vertices() {
        assert_eq!(triangles(&format!("f 1 2 3\n{SQUARE}f 1 3 4")), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn an_index_of_no_vertex_names_its_line() {
        for (text, line, index, count) in [
            ("v 0 0 0\nf 0 1 1".to_owned(), 2, 0, 1),
            (format!("f 1 2 4\nf 1 2 6\nf 9 5 5\n{SQUARE}"), 2, 6, 4),
            (format!("{SQUARE}f 1 2 99999999999"), 5, 99_999_999_999, 4),
            (format!("{SQUARE}l 1 5"), 5, 5, 4),
            (format!("f {0} {0} {0}", i64::MIN), 1, i64::MIN, 0),
        ] {
            match read(&text).unwrap_err() {
                LoadError::IndexOutOfRange { at, index: said, count: of, .. } => {
                    assert_eq!((at, said, of), (Location::Line(line), index, count), "{text}");
                }
                other => panic!("{text}: {other}"),
            }
        }
        assert_eq!(
            refusal("f 1 2 99999999999999999999"),
            "line 1: expected the index of a vertex, found `99999999999999999999`"
        );
        assert_eq!(refusal("f 1 /2 3"), "line 1: expected the index of a vertex, found `/2`");
    }

    #[test]
    fn a_number_that_is_none_names_its_line() {
        assert_eq!(refusal("v 0 0 0\r\n\r\nv 1,5 0 0"), "line 3: expected a number, found `1,5`");
        assert_eq!(refusal("v 0 0"), "line 1: expected a number, found nothing");
    }

    #[test]
    fn not_a_number_is_kept_and_color_is_not_read() {
        let level = read("v nan -inf 1e39\nv 1 2 3 nan x\nf 1 1 2").unwrap();
        assert!(level.vertices[0][0].is_nan());
        assert_eq!(level.vertices[0][1..], [f32::NEG_INFINITY, f32::INFINITY]);
        assert_eq!(level.vertices[1], [1.0, 2.0, 3.0]);
    }

    #[test]
    fn text_is_read_in_f64_and_rounded_once() {
        let options = LoadOptions { up: Some(Up::Z), scale: Some(0.0254), ..LoadOptions::default() };
        let level = parse(b"v 16777217 12345.678 -0.1", &options).unwrap();
        assert_eq!(
            level.vertices,
            [[(16_777_217.0 * 0.0254) as f32, (-0.1 * 0.0254) as f32, (-12_345.678 * 0.0254) as f32]]
        );
        // Rounded to f32 before scaling it would have been another number.
        assert_ne!((12_345.678 * 0.0254) as f32, (f64::from(12_345.678_f32) * 0.0254) as f32);
    }

    #[test]
    fn a_backslash_joins_lines_and_keeps_the_count() {
        assert_eq!(triangles(&format!("{SQUARE}f 1 \\\r\n 2\\\n3 4")), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(
            refusal("v 0 0 \\\n 0\nf 1 1 2 \\\n"),
            "line 3: index 2 is out of range (vertices: 1): the file is damaged or truncated"
        );
        assert_eq!(triangles("# a comment \\\nv 0 0 0\nf 1 1 1"), [[0, 0, 0]]);
    }

    #[test]
    fn a_comment_ends_the_numbers_but_not_a_name() {
        let level = read(&format!("{SQUARE}usemtl stone #2\nf 1 2 3 # 4\n#f 1 2 3")).unwrap();
        assert_eq!((level.triangles.len(), level.surfaces), (1, vec!["stone #2".to_owned()]));
    }

    #[test]
    fn object_group_and_material_name_the_surface() {
        let level = read(&format!(
            "{SQUARE}f 1 2 3\no hall\ng north wall\nusemtl brick\nf 1 2 3 4\ng\nf 1 2 3\nusemtl glass\nusemtl brick\nf 1 2 3"
        ))
        .unwrap();
        assert_eq!(level.surfaces, ["default", "hall/north wall/brick", "hall/brick"]);
        assert_eq!(level.surface_ids, [0, 1, 1, 2, 2]);
    }

    #[test]
    fn an_object_is_a_place_at_the_center_of_what_it_uses() {
        let level = read(
            "v 0 0 0\nv 4 0 0\nv 4 2 0\no spawn\nv 9 9 9\no hall\nf 1 2 3\no\nf 1 2 4\ng inner\nv 7 7 7",
        )
        .unwrap();
        let landmarks: Vec<_> = level.landmarks.iter().map(|at| (at.name.as_str(), at.position)).collect();
        assert_eq!(landmarks, [("spawn", DVec3::splat(9.0)), ("hall", DVec3::new(2.0, 1.0, 0.0))]);
    }

    #[test]
    fn groups_are_places_where_there_is_no_object() {
        let level = read("g a\nv 1 1 1\np 1\ng b\nl 1 1 1").unwrap();
        assert_eq!(level.landmarks.iter().map(|place| place.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((level.skipped.points, level.skipped.lines), (1, 2));
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let level = read(&format!(
            "{SQUARE}f 1 2\nf\ncstype bezier\ndeg 1 1\nsurf 0 1 0 1 1 2 3 4\nend\nvendor 1 2\n"
        ))
        .unwrap();
        let skipped = level.skipped;
        assert_eq!((skipped.incomplete_faces, skipped.free_form, skipped.statements), (2, 1, 1));
    }

    #[test]
    fn a_file_of_comments_is_an_empty_level() {
        assert_eq!(triangles("# nothing here"), [] as [[u32; 3]; 0]);
    }

    #[test]
    fn what_is_no_obj_is_refused() {
        assert_eq!(
            refusal("# Notes\n\nOnce upon a time"),
            "line 3: expected a statement of an OBJ file, such as `v` or `f`, found `Once`"
        );
        assert_eq!(refusal(" \n\n"), "this is not a valid OBJ file: expected statements such as `v` and `f`");
        assert!(refusal("v\0 \x001\0").starts_with("this is not a valid OBJ file: expected text"));
        assert!(
            refusal("v 0 0 0\ncall other.obj")
                .starts_with("line 2: a `call` of another file is not supported")
        );
    }

    #[test]
    fn old_and_foreign_text_is_read() {
        let mut bytes = b"\xEF\xBB\xBFv 0 0 0\rv 1 0 0\rv 1 1 0\ro caf\xE9\rf 1 2 3".to_vec();
        let level = parse(&bytes, &LoadOptions::default()).unwrap();
        assert_eq!((level.triangles.len(), level.surfaces[0].as_str()), (1, "caf\u{FFFD}"));
        bytes.truncate(bytes.len() - 2);
        assert_eq!(parse(&bytes, &LoadOptions::default()).unwrap().skipped.incomplete_faces, 1);
    }

    #[test]
    fn limits_hold() {
        let limits = Limits { vertices: 4, triangles: 2, nodes: 2, ..Limits::default() };
        let read = |text: &str| parse(text.as_bytes(), &LoadOptions { limits, ..LoadOptions::default() });
        assert!(read(&format!("{SQUARE}f 1 2 3 4\no a\ng b\no c")).is_ok());
        assert!(read(&format!("{SQUARE}v 0 0 0")).is_err());
        assert!(read(&format!("{SQUARE}f 1 2 3 4 1")).is_err());
        assert!(read("o a\no b\no c").is_err());
    }
}
