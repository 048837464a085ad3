//! Stereolithography, text and binary.
//!
//! Own parser: `stl_io` reads a binary file whose header starts with "solid" as text, reads text in f32,
//! refuses NaN, stops at the first solid, and gives no line in its errors.
//!
//! Text may hold several solids. Normals and colors are not read.

use glam::DVec3;

use crate::assembly::Assembly;
use crate::byte_order_mark::without_byte_order_mark;
use crate::error::{LoadError, Location};
use crate::extents::Extents;
use crate::format::Format;
use crate::level::RawLevel;
use crate::options::LoadOptions;
use crate::text::{Text, name, number};

/// A comment of 80 bytes and the number of facets.
const HEADER: usize = 84;
/// A normal, three corners and two bytes of attributes.
const FACET: usize = 50;

pub(crate) fn parse(bytes: &[u8], options: &LoadOptions) -> Result<RawLevel, LoadError> {
    if is_text(bytes) { parse_text(bytes, options) } else { parse_binary(bytes, options) }
}

/// Many binary files start with "solid" too. They differ by their length: one that fits the count exactly,
/// else zero bytes, which fill a header and are in most counts and floats.
fn is_text(bytes: &[u8]) -> bool {
    const EARLY: usize = 4096;
    let first = Text::new(without_byte_order_mark(bytes), 1).next_word();
    first.is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
        && announced(bytes).is_none_or(|facets| bytes.len() as u64 != HEADER as u64 + facets * FACET as u64)
        && !bytes[..bytes.len().min(EARLY)].contains(&0)
}

/// The count in the header of a binary file.
fn announced(bytes: &[u8]) -> Option<u64> {
    Some(u32::from_le_bytes(*bytes.get(80..)?.first_chunk()?).into())
}

fn parse_binary(bytes: &[u8], options: &LoadOptions) -> Result<RawLevel, LoadError> {
    let other = LoadError::NotThisFormat {
        format: Format::Stl,
        expected: "`solid`, or 80 bytes of comment and a count",
    };
    let Some(facets) = announced(bytes) else { return Err(other) };
    let mut level = Assembly::new(Format::Stl, options);
    let (data, rest) = bytes[HEADER..].as_chunks::<FACET>();
    if (data.len() as u64) < facets {
        // Text where the count should be: read as one it is 150 million and more.
        if bytes[..HEADER].iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) {
            return Err(other);
        }
        return Err(LoadError::EndsEarly {
            at: Location::part("facets", data.len()),
            missing: "as many facets as its header says",
        });
    }
    if facets == 0 && !data.is_empty() {
        return Err(LoadError::Malformed {
            at: Location::Part("header".to_owned()),
            expected: "the number of facets",
            found: format!("0 and {} bytes after it", bytes.len() - HEADER),
        });
    }
    let (data, after) = data.split_at(facets as usize);
    level.expect_vertices(facets * 3, bytes.len())?;
    for facet in data {
        let mut corners = [0; 3];
        let (floats, _) = facet.as_chunks::<4>();
        // The first three are the normal.
        let (positions, _) = floats[3..].as_chunks::<3>();
        for (corner, position) in corners.iter_mut().zip(positions) {
            *corner = level.vertex(DVec3::from_array(position.map(|x| f32::from_le_bytes(x).into())))?;
        }
        level.triangle(corners)?;
    }
    level.skipped().bytes = (after.len() * FACET + rest.len()) as u64;
    Ok(level.finish())
}

fn parse_text(bytes: &[u8], options: &LoadOptions) -> Result<RawLevel, LoadError> {
    let mut reader = Reader {
        text: Text::new(without_byte_order_mark(bytes), 1),
        level: Assembly::new(Format::Stl, options),
        extents: Extents::NONE,
    };
    while let Some(word) = reader.text.next_word() {
        if !word.eq_ignore_ascii_case(b"solid") {
            return Err(reader.unexpected(word, "`solid` or the end of the file"));
        }
        reader.solid()?;
    }
    Ok(reader.level.finish())
}

struct Reader<'a> {
    text: Text<'a>,
    level: Assembly,
    extents: Extents,
}

impl<'a> Reader<'a> {
    fn solid(&mut self) -> Result<(), LoadError> {
        let solid = name(self.text.rest_of_line());
        self.level.count_parts(1)?;
        self.level.surface([&solid]);
        self.extents = Extents::NONE;
        loop {
            let word = self.word("`endsolid`")?;
            if word.eq_ignore_ascii_case(b"facet") {
                self.facet()?;
            } else if word.eq_ignore_ascii_case(b"endsolid") {
                self.text.rest_of_line();
                break;
            } else {
                return Err(self.unexpected(word, "`facet` or `endsolid`"));
            }
        }
        if let Some(center) = self.extents.center()
            && !solid.is_empty()
        {
            self.level.placed(&solid, center);
        }
        Ok(())
    }

    fn facet(&mut self) -> Result<(), LoadError> {
        // The normal is not wanted, so it may be anything, but there is no more of it than the word and three
        // numbers.
        for _ in 0..4 {
            if self.word("`outer loop`")?.eq_ignore_ascii_case(b"outer") {
                return self.corners();
            }
        }
        self.keyword(b"outer", "`outer loop`")?;
        self.corners()
    }

    fn corners(&mut self) -> Result<(), LoadError> {
        self.keyword(b"loop", "`outer loop`")?;
        let mut corners = [0; 3];
        for corner in &mut corners {
            self.keyword(b"vertex", "`vertex`, three times a facet")?;
            let position = DVec3::new(self.number()?, self.number()?, self.number()?);
            *corner = self.level.vertex(position)?;
            if let Some(position) = self.level.position(*corner) {
                self.extents.include(position);
            }
        }
        self.keyword(b"endloop", "`endloop` after three vertices")?;
        self.keyword(b"endfacet", "`endfacet`")?;
        self.level.triangle(corners)
    }

    fn word(&mut self, missing: &'static str) -> Result<&'a [u8], LoadError> {
        self.text
            .next_word()
            .ok_or_else(|| LoadError::EndsEarly { at: Location::Line(self.text.line()), missing })
    }

    fn keyword(&mut self, keyword: &[u8], expected: &'static str) -> Result<(), LoadError> {
        let word = self.word(expected)?;
        if word.eq_ignore_ascii_case(keyword) { Ok(()) } else { Err(self.unexpected(word, expected)) }
    }

    fn number(&mut self) -> Result<f64, LoadError> {
        let word = self.word("a number")?;
        number(word).ok_or_else(|| self.unexpected(word, "a number"))
    }

    fn unexpected(&self, word: &[u8], expected: &'static str) -> LoadError {
        LoadError::malformed(Location::Line(self.text.line()), expected, word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Limits;
    use crate::up::Up;

    fn read(bytes: impl AsRef<[u8]>) -> Result<RawLevel, LoadError> {
        parse(bytes.as_ref(), &LoadOptions::default())
    }

    fn refusal(bytes: impl AsRef<[u8]>) -> String {
        read(bytes).unwrap_err().to_string()
    }

    fn binary(comment: &str, announced: u32, facets: &[[[f32; 3]; 3]]) -> Vec<u8> {
        let mut bytes = vec![0; 80];
        bytes[..comment.len()].copy_from_slice(comment.as_bytes());
        bytes.extend(announced.to_le_bytes());
        for facet in facets {
            bytes.extend([0xFF; 12]);
            bytes.extend(facet.iter().flatten().flat_map(|x| x.to_le_bytes()));
            bytes.extend([7, 7]);
        }
        bytes
    }

    const FACETS: [[[f32; 3]; 3]; 2] = [
        [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.0, 2.0, 0.0]],
        [[0.0, 0.0, 1.0], [f32::NAN, 0.0, 0.0], [1.0; 3]],
    ];

    const FACET_TEXT: &str =
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1.5 0 0\nvertex 0 2e0 0\nendloop\nendfacet\n";

    #[test]
    fn a_binary_file_is_facets_in_order() {
        let level = read(binary("exported", 2, &FACETS)).unwrap();
        assert_eq!(level.triangles, [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(level.vertices[1], [1.5, 0.0, 0.0]);
        assert!(level.vertices[4][0].is_nan());
        assert!(level.skipped.is_nothing());
        assert_eq!(
            (level.surfaces.as_slice(), level.surface_ids.len()),
            (["default".to_owned()].as_slice(), 0)
        );
    }

    #[test]
    fn a_binary_file_may_start_with_solid() {
        assert_eq!(read(binary("solid thing", 2, &FACETS)).unwrap().triangles.len(), 2);
        let mut blank = binary("solid", 2, &FACETS);
        blank[5..80].fill(b' ');
        assert_eq!(read(&blank).unwrap().triangles.len(), 2);
        blank.pop();
        assert!(refusal(&blank).starts_with("facets[1]: the file ends before"));
    }

    #[test]
    fn a_binary_file_cut_short_is_refused() {
        let whole = binary("", 2, &FACETS);
        for length in 84..whole.len() {
            assert!(matches!(read(&whole[..length]), Err(LoadError::EndsEarly { .. })), "{length}");
        }
        for length in 1..84 {
            assert!(matches!(read(&whole[..length]), Err(LoadError::NotThisFormat { .. })), "{length}");
        }
        assert_eq!(
            refusal(binary("", u32::MAX, &FACETS)),
            "facets[2]: the file ends before as many facets as its header says: it is truncated, export or copy it again"
        );
    }

    #[test]
    fn other_text_is_not_taken_for_a_file_cut_short() {
        let text = "v 1.0 2.0 3.0\n".repeat(20);
        assert_eq!(
            refusal(&text),
            "this is not a valid STL file: expected `solid`, or 80 bytes of comment and a count"
        );
    }

    #[test]
    fn bytes_after_the_last_facet_are_counted() {
        let mut bytes = binary("", 1, &FACETS);
        bytes.push(0);
        let level = read(bytes).unwrap();
        assert_eq!((level.triangles.len(), level.skipped.bytes), (1, 51));
        assert_eq!(
            refusal(binary("", 0, &FACETS)),
            "header: expected the number of facets, found 0 and 100 bytes after it"
        );
    }

    #[test]
    fn no_facets_are_an_empty_level() {
        for bytes in
            [binary("", 0, &[]), b"solid Empty\nendsolid Empty".to_vec(), b"solid\nendsolid\n".to_vec()]
        {
            assert_eq!(read(bytes).unwrap().triangles.len(), 0);
        }
    }

    #[test]
    fn text_is_solids_one_after_the_other() {
        let text = format!(
            "solid lower part\r\n{FACET_TEXT}endsolid lower part\n\nSOLID Upper\n{0}{0}EndSolid\nsolid\n{0}endsolid",
            FACET_TEXT.to_uppercase()
        );
        let level = read(text).unwrap();
        assert_eq!(level.triangles.len(), 4);
        assert_eq!(level.surfaces, ["lower part", "Upper", "default"]);
        assert_eq!(level.surface_ids, [0, 1, 1, 2]);
        assert_eq!(level.vertices[11], [0.0, 2.0, 0.0]);
        let landmarks: Vec<_> = level.landmarks.iter().map(|at| (at.name.as_str(), at.position)).collect();
        let center = DVec3::new(0.75, 1.0, 0.0);
        assert_eq!(landmarks, [("lower part", center), ("Upper", center)]);
    }

    #[test]
    fn text_is_read_in_f64_and_rounded_once() {
        let text = "solid\nfacet normal x\nouter loop\nvertex 12345.678 0.7 -0\nvertex nan inf 1e42\nvertex 0 0 0\nendloop\nendfacet\nendsolid";
        let options = LoadOptions { up: Some(Up::Z), scale: Some(0.0254), ..LoadOptions::default() };
        let level = parse(text.as_bytes(), &options).unwrap();
        assert_eq!(level.vertices[0], [(12_345.678 * 0.0254) as f32, 0.0, (-0.7 * 0.0254) as f32]);
        assert_eq!(level.vertices[1][1..], [f32::INFINITY, f32::NEG_INFINITY]);
        assert!(level.vertices[1][0].is_nan());
    }

    #[test]
    fn an_error_in_text_names_its_line() {
        let with =
            |from: &str, to: &str| refusal(format!("solid\n{}endsolid", FACET_TEXT.replacen(from, to, 1)));
        assert_eq!(with("1.5", "1,5"), "line 5: expected a number, found `1,5`");
        assert_eq!(
            with("vertex 0 2e0 0\n", ""),
            "line 6: expected `vertex`, three times a facet, found `endloop`"
        );
        assert_eq!(
            with("endloop", "vertex"),
            "line 7: expected `endloop` after three vertices, found `vertex`"
        );
        assert_eq!(with("outer", "inner"), "line 3: expected `outer loop`, found `inner`");
        assert_eq!(with("facet", "face"), "line 2: expected `facet` or `endsolid`, found `face`");
        assert_eq!(
            refusal(format!("solid\n{FACET_TEXT}endsolid\nrubbish")),
            "line 10: expected `solid` or the end of the file, found `rubbish`"
        );
    }

    #[test]
    fn text_cut_short_is_refused() {
        let text = format!("solid\n{FACET_TEXT}endsolid");
        for length in 1..text.len() {
            let error = read(&text[..length]).unwrap_err();
            assert!(
                matches!(
                    error,
                    LoadError::EndsEarly { .. }
                        | LoadError::Malformed { .. }
                        | LoadError::NotThisFormat { .. }
                ),
                "{length}: {error}"
            );
        }
        assert_eq!(
            refusal(format!("solid\n{FACET_TEXT}")),
            "line 9: the file ends before `endsolid`: it is truncated, export or copy it again"
        );
    }

    #[test]
    fn limits_hold() {
        let read = |bytes: &[u8], limits| parse(bytes, &LoadOptions { limits, ..LoadOptions::default() });
        let two = binary("", 2, &FACETS);
        assert!(read(&two, Limits { vertices: 6, triangles: 2, ..Limits::default() }).is_ok());
        assert!(read(&two, Limits { vertices: 5, ..Limits::default() }).is_err());
        assert!(read(&two, Limits { triangles: 1, ..Limits::default() }).is_err());
        assert!(read(b"solid\nendsolid\nsolid\nendsolid", Limits { nodes: 1, ..Limits::default() }).is_err());
    }
}
