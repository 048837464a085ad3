//! The header of a PLY file: lines of text that describe the data.

use crate::error::{LoadError, Location};
use crate::format::Format;
use crate::options::Limits;
use crate::text::{Text, Words, integer};

/// How the data after the header is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// The type of a number. All of them fit into an f64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn from_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes in binary data.
    pub(crate) const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    fn is_whole(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }
}

/// One number or a counted list of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    One(Scalar),
    List { count: Scalar, item: Scalar },
}

/// The meaning of a property for a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    X,
    Y,
    Z,
    /// The corners of a polygon, or of a strip of triangles.
    Corners,
    Other,
}

/// A property of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Property {
    pub(crate) kind: Kind,
    pub(crate) role: Role,
}

/// The meaning of an element for a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Vertex,
    Face,
    Strips,
    Other,
}

/// One kind of things that follow, and how many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) element: Element,
    pub(crate) name: String,
    pub(crate) count: u64,
    pub(crate) properties: Vec<Property>,
    line: u64,
}

#[derive(Debug)]
pub(crate) struct Header<'a> {
    pub(crate) encoding: Encoding,
    pub(crate) sections: Vec<Section>,
    /// The data after the header, at the right line.
    pub(crate) data: Text<'a>,
}

impl Header<'_> {
    /// How many vertices the file says it has.
    pub(crate) fn vertices(&self) -> u64 {
        self.sections
            .iter()
            .find(|section| section.element == Element::Vertex)
            .map_or(0, |section| section.count)
    }
}

/// Reads up to and with `end_header` and its line end.
pub(crate) fn parse<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Header<'a>, LoadError> {
    if !matches!(bytes, [b'p', b'l', b'y', b'\n' | b'\r', ..]) {
        return Err(LoadError::NotThisFormat { format: Format::Ply, expected: "`ply` in its first line" });
    }
    let mut text = Text::new(bytes, 1);
    // Binary data may start with a byte that looks like a line feed: the header's own first line end decides.
    let returns_only = bytes[3] == b'\r' && bytes.get(4) != Some(&b'\n');
    text.next_line();
    let mut encoding = None;
    let mut sections: Vec<Section> = Vec::new();
    let mut parts = 0;
    loop {
        let at = text.line();
        let malformed = |expected, found: &[u8]| LoadError::malformed(Location::Line(at), expected, found);
        let Some(line) = next_header_line(&mut text, returns_only) else {
            return Err(LoadError::EndsEarly { at: Location::Line(at), missing: "`end_header`" });
        };
        let mut words = Words(line);
        match words.next().unwrap_or_default() {
            b"format" => {
                let name = words.next().unwrap_or_default();
                encoding = Some(match name {
                    b"ascii" => Encoding::Text,
                    b"binary_little_endian" => Encoding::LittleEndian,
                    b"binary_big_endian" => Encoding::BigEndian,
                    _ => {
                        return Err(malformed(
                            "`ascii`, `binary_little_endian` or `binary_big_endian`",
                            name,
                        ));
                    }
                });
                let version = words.next().unwrap_or_default();
                if version != b"1.0" {
                    return Err(malformed("version 1.0", version));
                }
            }
            b"element" => sections.push(section(words, at)?),
            b"property" => {
                let section = sections
                    .last_mut()
                    .ok_or_else(|| malformed("`element` before its first `property`", line))?;
                section.properties.push(property(words, section.element, at)?);
            }
            b"end_header" => break,
            b"comment" | b"obj_info" => continue,
            other => {
                return Err(malformed("`format`, `element`, `property`, `comment` or `end_header`", other));
            }
        }
        parts += 1;
        if parts > limits.nodes {
            return Err(LoadError::OverLimit {
                resource: crate::Resource::Nodes,
                limit: limits.nodes as u64,
            });
        }
    }
    let encoding = encoding
        .ok_or(LoadError::NotThisFormat { format: Format::Ply, expected: "a `format` line in its header" })?;
    require_positions_and_corners(&sections)?;
    Ok(Header { encoding, sections, data: text })
}

/// [`Text::next_line`], but a file whose lines end at a return alone keeps a line feed after the last one as
/// data.
fn next_header_line<'a>(text: &mut Text<'a>, returns_only: bool) -> Option<&'a [u8]> {
    if !returns_only {
        return text.next_line();
    }
    let at = text.line();
    let line = text.rest_of_line();
    let rest = text.rest();
    match rest {
        [] if line.is_empty() => None,
        [] => Some(line),
        [_, rest @ ..] => {
            *text = Text::new(rest, at + 1);
            Some(line)
        }
    }
}

fn section(mut words: Words<'_>, line: u64) -> Result<Section, LoadError> {
    let name = words.next().unwrap_or_default();
    let count = words.next().unwrap_or_default();
    let count = integer(count)
        .and_then(|count| u64::try_from(count).ok())
        .ok_or_else(|| LoadError::malformed(Location::Line(line), "how many elements there are", count))?;
    let element = match name {
        b"vertex" => Element::Vertex,
        b"face" => Element::Face,
        b"tristrips" => Element::Strips,
        _ => Element::Other,
    };
    Ok(Section { element, name: crate::text::name(name), count, properties: Vec::new(), line })
}

fn property(mut words: Words<'_>, element: Element, line: u64) -> Result<Property, LoadError> {
    let scalar = |word: &[u8]| {
        Scalar::from_name(word).ok_or_else(|| {
            LoadError::malformed(Location::Line(line), "a type such as `float`, `uchar` or `int`", word)
        })
    };
    let first = words.next().unwrap_or_default();
    let kind = if first == b"list" {
        let count = words.next().unwrap_or_default();
        let item = words.next().unwrap_or_default();
        Kind::List { count: scalar(count)?, item: scalar(item)? }
    } else {
        Kind::One(scalar(first)?)
    };
    let name = words.next().unwrap_or_default();
    if name.is_empty() {
        return Err(LoadError::malformed(Location::Line(line), "the name of the property", name));
    }
    let role = match (element, name) {
        (Element::Vertex, b"x") => Role::X,
        (Element::Vertex, b"y") => Role::Y,
        (Element::Vertex, b"z") => Role::Z,
        (Element::Face | Element::Strips, b"vertex_indices" | b"vertex_index") => Role::Corners,
        _ => Role::Other,
    };
    let fits = match (role, kind) {
        (Role::X | Role::Y | Role::Z, Kind::List { .. }) => Err("one number for a coordinate"),
        (Role::Corners, Kind::One(_)) => Err("a list of indices"),
        (Role::Corners, Kind::List { item, .. }) if !item.is_whole() => Err("indices of a whole type"),
        (_, Kind::List { count, .. }) if !count.is_whole() => Err("a count of a whole type"),
        _ => Ok(()),
    };
    match fits {
        Ok(()) => Ok(Property { kind, role }),
        Err(expected) => Err(LoadError::malformed(Location::Line(line), expected, words_of(kind).as_bytes())),
    }
}

fn words_of(kind: Kind) -> String {
    match kind {
        Kind::One(scalar) => format!("{scalar:?}").to_lowercase(),
        Kind::List { count, item } => format!("list {count:?} {item:?}").to_lowercase(),
    }
}

/// One list of vertices, each with all coordinates once, and faces with corners: else there is nothing to
/// make a level of.
fn require_positions_and_corners(sections: &[Section]) -> Result<(), LoadError> {
    let mut seen_vertices = false;
    for section in sections {
        let once = |role| section.properties.iter().filter(|property| property.role == role).count() == 1;
        let expected = match section.element {
            Element::Vertex if seen_vertices => "no second `element vertex`",
            Element::Vertex if !(once(Role::X) && once(Role::Y) && once(Role::Z)) => {
                "one property each of x, y and z"
            }
            Element::Face | Element::Strips if !once(Role::Corners) => "one list property `vertex_indices`",
            _ => {
                seen_vertices |= section.element == Element::Vertex;
                continue;
            }
        };
        return Err(LoadError::malformed(Location::Line(section.line), expected, section.name.as_bytes()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Header<'_>, LoadError> {
        parse(text, &Limits::default())
    }

    fn refusal(body: &str) -> String {
        read(format!("ply\nformat ascii 1.0\n{body}end_header\n").as_bytes()).unwrap_err().to_string()
    }

    const VERTEX: &str = "element vertex 3\nproperty float x\nproperty double y\nproperty int16 z\n";

    #[test]
    fn the_header_says_what_follows() {
        let text = format!(
            "ply\nformat binary_big_endian 1.0\ncomment by hand\n{VERTEX}property uchar red\nobj_info x\nelement face 2\nproperty list uint8 int32 vertex_index\nelement edge 5\nend_header\ndata"
        );
        let header = read(text.as_bytes()).unwrap();
        assert_eq!(
            (header.encoding, header.vertices(), header.data.rest()),
            (Encoding::BigEndian, 3, b"data".as_slice())
        );
        assert_eq!(header.data.line(), 14);
        let roles: Vec<_> = header.sections[0].properties.iter().map(|property| property.role).collect();
        assert_eq!(roles, [Role::X, Role::Y, Role::Z, Role::Other]);
        assert_eq!(
            header.sections[1].properties,
            [Property { kind: Kind::List { count: Scalar::U8, item: Scalar::I32 }, role: Role::Corners }]
        );
        assert_eq!((header.sections[2].element, header.sections[2].count), (Element::Other, 5));
    }

    #[test]
    fn every_line_end_is_read_and_data_keeps_its_bytes() {
        for (end, data) in [("\n", "\n\rx"), ("\r\n", "\n\rx"), ("\r", "\n\rx")] {
            let text = format!("ply{end}format binary_little_endian 1.0{end}end_header{end}{data}");
            let header = read(text.as_bytes()).unwrap();
            assert_eq!((header.data.rest(), header.data.line()), (data.as_bytes(), 4), "{end:?}");
        }
    }

    #[test]
    fn what_is_no_ply_is_refused() {
        for text in ["", "ply", "plywood\n", "PLY\nformat ascii 1.0\nend_header\n", "ply\nend_header\n"] {
            assert!(matches!(read(text.as_bytes()), Err(LoadError::NotThisFormat { .. })), "{text}");
        }
        for text in
            ["ply\n", "ply\r", "ply\nformat ascii 1.0\nelement vertex 1", "ply\rformat ascii 1.0\rend_heade"]
        {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn an_error_names_its_line() {
        for (body, said) in [
            (
                "format utf8 1.0\n",
                "line 3: expected `ascii`, `binary_little_endian` or `binary_big_endian`, found `utf8`",
            ),
            ("format ascii 2.0\n", "line 3: expected version 1.0, found `2.0`"),
            ("element face -1\n", "line 3: expected how many elements there are, found `-1`"),
            ("element face\n", "line 3: expected how many elements there are, found nothing"),
            (
                "property float x\n",
                "line 3: expected `element` before its first `property`, found `property float x`",
            ),
            (
                "element a 1\nproperty quad x\n",
                "line 4: expected a type such as `float`, `uchar` or `int`, found `quad`",
            ),
            ("element a 1\nproperty float\n", "line 4: expected the name of the property, found nothing"),
            (
                "element a 1\nproperty list float int b\n",
                "line 4: expected a count of a whole type, found `list f32 i32`",
            ),
            (
                "\n",
                "line 3: expected `format`, `element`, `property`, `comment` or `end_header`, found nothing",
            ),
            (
                "element vertex 1\nproperty float x\n",
                "line 3: expected one property each of x, y and z, found `vertex`",
            ),
            ("element face 1\n", "line 3: expected one list property `vertex_indices`, found `face`"),
            (
                "element face 1\nproperty int vertex_index\n",
                "line 4: expected a list of indices, found `i32`",
            ),
            (
                "element face 1\nproperty list int float vertex_index\n",
                "line 4: expected indices of a whole type, found `list i32 f32`",
            ),
        ] {
            assert_eq!(refusal(body), said);
        }
        assert!(refusal(&VERTEX.repeat(2)).starts_with("line 7: expected no second `element vertex`"));
        assert!(
            refusal(&format!("{VERTEX}property list int int x\n")).starts_with("line 7: expected one number")
        );
    }

    #[test]
    fn parts_are_limited() {
        let limits = Limits { nodes: 4, ..Limits::default() };
        let read = |more: &str| {
            parse(format!("ply\nformat ascii 1.0\n{more}end_header\n").as_bytes(), &limits).map(|_| ())
        };
        assert!(read("element a 1\nproperty int b\nproperty int c\ncomment d\n").is_ok());
        assert!(read("element a 1\nproperty int b\nproperty int c\nproperty int d\n").is_err());
    }
}
