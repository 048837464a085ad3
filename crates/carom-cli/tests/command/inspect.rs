use super::{CUBE, Files, assert_refused, run};

/// One of each defect. Three triangles on one edge and a fourth that repeats the first; one without area; a
/// sliver; two that leave a gap of a millimeter; a vertex that is not finite and that nothing uses.
const DEFECTS: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nv 0 -1 0\n\
    f 1 2 3\nf 1 2 4\nf 1 2 5\nf 3 1 2\nf 1 1 2\n\
    v 10 0 0\nv 20 0 0\nv 15 0.005 0\nf 6 7 8\n\
    v 30 0 0\nv 31 0 0\nv 30.5 0 -1\nf 9 10 11\n\
    v 30 0 0.001\nv 31 0 0.001\nv 30.5 0 1\nf 12 13 14\n\
    v nan 0 0\n";

#[test]
fn the_line_of_json_has_its_keys_in_order_and_counts_each_defect() {
    let files = Files::new();
    let level = files.write("defects.obj", DEFECTS);
    let said = run(&["inspect", &level, "--json", "--seam", "0.01"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(
        said.out,
        concat!(
            r#"{"format":"obj","triangles":8,"vertices":14,"min":[0.0,-1.0,-1.0],"max":[31.0,1.0,2.0],"#,
            r#""up":"y","unit":"m","watertight":false,"nodes":0,"instances":0,"#,
            r#""defects":{"non_finite":1,"degenerate":1,"duplicate":1,"sliver":1,"#,
            r#""non_manifold_edges":1,"open_edges":13,"seams":1}}"#,
            "\n"
        )
    );
    // The default width is a millionth of 31 m: the gap is wider.
    let said = run(&["inspect", &level, "--json"]);
    assert!(said.out.ends_with("\"seams\":0}}\n"), "{}", said.out);
}

#[test]
fn a_closed_box_is_watertight_in_any_frame() {
    let files = Files::new();
    let level = files.write("box.obj", CUBE);
    let said = run(&["inspect", &level, "--json", "--up", "z", "--scale", "0.5"]);
    assert!(said.out.contains(r#""triangles":12,"vertices":8,"min":[-0.5,-0.5,-0.5]"#), "{}", said.out);
    assert!(said.out.contains(r#""watertight":true"#), "{}", said.out);
    let report = run(&["inspect", &level]);
    assert_eq!(report.code, 0);
    for part in ["triangles", "12", "watertight", "yes", "(guessed)", "open edges"] {
        assert!(report.out.contains(part), "{}", report.out);
    }
}

/// A room of half a kilometer looks like one of centimeters.
#[test]
fn the_frame_of_a_map_is_that_of_its_format() {
    let files = Files::new();
    let enlarged =
        |word: &str| word.parse::<i32>().map_or(word.to_owned(), |number| (100 * number).to_string());
    let lines = super::leaks::room(&[]);
    let lines: Vec<String> =
        lines.lines().map(|line| line.split(' ').map(enlarged).collect::<Vec<_>>().join(" ")).collect();
    let level = files.write("large.map", &lines.join("\n"));
    let said = run(&["inspect", &level]);
    assert!(said.out.contains("y (by the format)") && said.out.contains("m (by the format)"), "{}", said.out);
    assert!(!said.out.contains("flags to pass"), "{}", said.out);
    let said = run(&["inspect", &level, "--scale", "1"]);
    assert!(said.out.contains("(guessed)") && said.out.contains("flags to pass"), "{}", said.out);
    let explored = |flags: &[&str]| {
        let said = run(&[&["explore", &level, "--stop-after", "1"], flags].concat());
        format!("{}{}", said.out, said.err)
    };
    let (own, other) = (explored(&[]), explored(&["--scale", "0.031"]));
    assert!(!own.contains("pass --scale"), "{own}");
    assert!(other.contains("pass --scale"), "{other}");
}

#[test]
fn nothing_is_a_level_without_bounds() {
    let files = Files::new();
    let said = run(&["inspect", &files.write("empty.obj", "# nothing\n"), "--json"]);
    assert_eq!(said.code, 0);
    assert!(said.out.contains(r#""triangles":0,"vertices":0,"min":null,"max":null"#), "{}", said.out);
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    let files = Files::new();
    let missing = super::text_of(&files.path("missing.obj"));
    assert_refused(&run(&["inspect", &missing]), &["missing.obj"]);
    let broken = files.write("broken.obj", "v 0 0 0\nv 1 0 0\nf 1 2 7\n");
    assert_refused(&run(&["inspect", &broken]), &["broken.obj", "line 3", "7"]);
    assert_refused(&run(&["inspect", &files.write("level.xyz", "")]), &["level.xyz"]);
    let cut = files.write("cut.glb", "glTF\u{2}\0\0\0");
    assert_refused(&run(&["inspect", &cut]), &["cut.glb"]);
    let level = files.write("box.obj", CUBE);
    assert_refused(&run(&["inspect", &level, "--scale", "0"]), &["scale"]);
    assert_refused(&run(&["inspect", &level, "--seam=-1"]), &["seam"]);
}

#[test]
fn a_level_without_triangles_is_said_to_have_none() {
    let files = Files::new();
    let lines = files.write("lines.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
    let said = run(&["inspect", &lines]);
    assert_eq!(said.code, 0);
    assert!(said.out.contains("no triangles") && said.out.contains("1 lines"), "{}", said.out);
}

/// One square of 4 × 4 m, shown by two nodes of the same name and, sheared, by a third.
pub(crate) fn squares() -> String {
    let buffer = concat!(
        "data:application/octet-stream;base64,",
        "AAAAwAAAAAAAAADAAAAAwAAAAAAAAABAAAAAQAAAAAAAAABAAAAAQAAAAAAAAADAAAABAAIAAAACAAMA"
    );
    serde_json::json!({
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0, 1, 2]}],
        "nodes": [
            {"name": "plate", "mesh": 0},
            {"name": "plate", "mesh": 0, "translation": [4.0, 0.25, 0.0]},
            {"name": "wide", "mesh": 0, "scale": [1.0, 1.0, 2.0], "translation": [0.0, -5.0, 0.0]}
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 12}
        ],
        "buffers": [{"byteLength": 60, "uri": buffer}]
    })
    .to_string()
}

#[test]
fn nodes_and_their_instances_are_counted() {
    let files = Files::new();
    let level = files.write("squares.gltf", &squares());
    let said = run(&["inspect", &level, "--json"]);
    assert!(said.out.contains(r#""nodes":3,"instances":2,"#), "{}{}", said.out, said.err);
    let report = run(&["inspect", &level]);
    assert!(report.out.contains("nodes") && report.out.contains("2 instances"), "{}", report.out);
}
