//! The rules of PLY, each on the smallest file that shows it.

use super::*;
use crate::options::Limits;
use crate::up::Up;

fn read(bytes: impl AsRef<[u8]>) -> Result<RawLevel, LoadError> {
    parse(bytes.as_ref(), &LoadOptions::default())
}

fn refusal(bytes: impl AsRef<[u8]>) -> String {
    read(bytes).unwrap_err().to_string()
}

const SQUARE: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

/// A square with a list before its positions, mixed types, a texture list in its face and an edge after it.
fn binary(big: bool) -> Vec<u8> {
    let order = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        if !big {
            bytes.reverse();
        }
        bytes
    };
    let mut bytes = format!(
        "ply\nformat binary_{}_endian 1.0\nelement vertex 4\nproperty list ushort short bones\nproperty double x\nproperty float y\nproperty char z\nelement face 1\nproperty list uchar float texcoord\nproperty list int ushort vertex_index\nproperty uint flags\nelement edge 1\nproperty int a\nproperty int b\nend_header\n",
        if big { "big" } else { "little" }
    )
    .into_bytes();
    for (index, (x, y)) in [(0.1, 0.0), (1.0, 0.0), (1.0, 1.5), (0.0, 1.5)].into_iter().enumerate() {
        bytes.extend(order(&(index as u16).to_be_bytes()));
        bytes.extend(std::iter::repeat_n([9, 9], index).flatten());
        bytes.extend(order(&f64::to_be_bytes(x)));
        bytes.extend(order(&f32::to_be_bytes(y)));
        bytes.extend(i8::to_be_bytes(-2));
    }
    bytes.extend([2, 1, 1, 1, 1, 2, 2, 2, 2]);
    bytes.extend(order(&4_i32.to_be_bytes()));
    for corner in [3_u16, 2, 1, 0] {
        bytes.extend(order(&corner.to_be_bytes()));
    }
    bytes.extend([7; 4 + 8]);
    bytes
}

#[test]
fn text_is_vertices_and_fanned_polygons() {
    let level = read(format!("{SQUARE}4 0 1 2 3\n")).unwrap();
    assert_eq!(level.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(level.vertices[2], [1.0, 1.0, 0.0]);
    assert_eq!(level.surfaces, ["default"]);
    assert!(level.skipped.is_nothing());
}

#[test]
fn binary_of_both_byte_orders_is_the_same_level() {
    let little = read(binary(false)).unwrap();
    assert_eq!(little, read(binary(true)).unwrap());
    assert_eq!(little.triangles, [[3, 2, 1], [3, 1, 0]]);
    assert_eq!(little.vertices, [[0.1, 0.0, -2.0], [1.0, 0.0, -2.0], [1.0, 1.5, -2.0], [0.0, 1.5, -2.0]]);
}

#[test]
fn every_type_is_read_as_what_it_is() {
    let mut bytes = b"ply\nformat binary_big_endian 1.0\nelement vertex 2\nproperty ushort x\nproperty int y\nproperty uint z\nproperty short w\nproperty uchar v\nend_header\n".to_vec();
    bytes.extend([0xFF, 0xFE, 0xFF, 0xFF, 0xFF, 0xFE, 0x80, 0, 0, 0, 1, 2, 3]);
    bytes.extend([0; 13]);
    assert_eq!(read(bytes).unwrap().vertices, [[65_534.0, -2.0, 2_147_483_648.0], [0.0; 3]]);
}

#[test]
fn text_is_read_in_f64_and_rounded_once() {
    let text = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float y\nproperty float z\nproperty uchar red\nproperty float x\nend_header\n0.7 12345.678 nan 3\nnan inf x 1e42";
    let options = LoadOptions { up: Some(Up::Z), scale: Some(0.0254), ..LoadOptions::default() };
    let vertices = parse(text.as_bytes(), &options).unwrap().vertices;
    assert_eq!(vertices[0], [(3.0 * 0.0254) as f32, (12_345.678 * 0.0254) as f32, (-0.7 * 0.0254) as f32]);
    assert_eq!(vertices[1][..2], [f32::INFINITY, f32::INFINITY]);
    assert!(vertices[1][2].is_nan());
}

#[test]
fn faces_may_come_first() {
    let text = "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n3 0 1 2\n0 0 0 1 0 0 0 1 0\n";
    assert_eq!(read(text).unwrap().triangles, [[0, 1, 2]]);
    assert_eq!(
        refusal(text.replace("3 0 1 2", "3 0 1 3")),
        "line 10: index 3 is out of range (vertices: 3): the file is damaged or truncated"
    );
}

#[test]
fn strips_turn_every_second_triangle_and_start_again_at_minus_one() {
    let text = SQUARE.replace("element face", "element tristrips");
    let level = read(format!("{text}9 0 1 2 3 -1 1 2 3 -1")).unwrap();
    assert_eq!(level.triangles, [[0, 1, 2], [1, 3, 2], [1, 2, 3]]);
}

#[test]
fn a_face_without_area_of_corners_is_counted() {
    let text = SQUARE.replace("face 1", "face 3");
    let level = read(format!("{text}0\n2 0 1\n3 0 1 2\n")).unwrap();
    assert_eq!((level.triangles.len(), level.skipped.incomplete_faces), (1, 2));
}

#[test]
fn an_index_of_no_vertex_names_its_line_or_face() {
    for (face, index) in [("3 0 1 4", "4"), ("3 -1 0 1", "-1"), ("3 0 4294967295 1", "4294967295")] {
        assert_eq!(
            refusal(format!("{SQUARE}{face}")),
            format!("line 14: index {index} is out of range (vertices: 4): the file is damaged or truncated")
        );
    }
    for wrong in ["3 0 1 1.5", "3 0 1 nan", "3 0 1 4294967296", "1e30 0"] {
        assert!(
            refusal(format!("{SQUARE}{wrong}")).starts_with("line 14: expected a whole number"),
            "{wrong}"
        );
    }
    assert_eq!(refusal(format!("{SQUARE}-3 0 1 2")), "line 14: expected the length of a list, found `-3`");
    let mut bytes = binary(false);
    let corner = bytes.len() - 12 - 2;
    bytes[corner] = 4;
    assert!(refusal(bytes).starts_with("face 0: index 4 is out of range (vertices: 4)"));
}

#[test]
fn a_number_that_is_none_names_its_line() {
    assert_eq!(refusal(format!("{SQUARE}3 0 1 two")), "line 14: expected a number, found `two`");
}

#[test]
fn data_cut_short_is_refused() {
    assert_eq!(
        refusal(format!("{SQUARE}4 0 1")),
        "face 0 of 1: the file ends before all that its header announces: it is truncated, export or copy it again"
    );
    let whole = binary(true);
    for length in 1..whole.len() {
        assert!(read(&whole[..length]).is_err(), "{length}");
    }
}

#[test]
fn what_follows_the_end_is_refused_in_text_and_counted_in_binary() {
    assert_eq!(
        refusal(format!("{SQUARE}3 0 1 2\n\n3 0 2 3")),
        "line 16: expected the end of the file, by the counts in its header, found `3`"
    );
    let mut bytes = binary(false);
    bytes.extend([0; 5]);
    assert_eq!(read(bytes).unwrap().skipped.bytes, 5);
}

#[test]
fn a_count_without_data_costs_neither_time_nor_memory() {
    let header = |body: &str| format!("ply\nformat binary_little_endian 1.0\n{body}end_header\n");
    let huge = u64::MAX / 2;
    assert!(read(header(&format!("element nothing {huge}\n"))).is_ok());
    assert!(read(header(&format!("element edge {huge}\nproperty int a\n"))).is_err());
    assert!(read(header(&format!("element face {huge}\nproperty list uchar int vertex_index\n"))).is_err());
    let vertices = |count: u64| {
        refusal(header(&format!(
            "element vertex {count}\nproperty float x\nproperty float y\nproperty float z\n"
        )))
    };
    assert!(vertices(100_000_000).contains("ends before all that its header announces"));
    assert!(vertices(huge).starts_with("more than 100000000 vertices"));
    let mut list = header(
        "element face 1\nproperty list uint double vertex_stuff\nproperty list uchar int vertex_index\n",
    )
    .into_bytes();
    list.extend([0xFF; 4]);
    assert!(refusal(list).contains("ends before"));
}

#[test]
fn no_triangles_are_an_empty_level() {
    let level = read(SQUARE.replace("face 1", "face 0")).unwrap();
    assert_eq!((level.vertices.len(), level.triangles.len()), (4, 0));
    assert_eq!(read("ply\r\nformat ascii 1.0\r\nend_header\r\n").unwrap().vertices.len(), 0);
}

#[test]
fn limits_hold() {
    let read = |limits| {
        parse(format!("{SQUARE}4 0 1 2 3\n").as_bytes(), &LoadOptions { limits, ..LoadOptions::default() })
    };
    assert!(read(Limits { vertices: 4, triangles: 2, nodes: 7, ..Limits::default() }).is_ok());
    assert!(read(Limits { vertices: 3, ..Limits::default() }).is_err());
    assert!(read(Limits { triangles: 1, ..Limits::default() }).is_err());
    assert!(read(Limits { nodes: 6, ..Limits::default() }).is_err());
}
