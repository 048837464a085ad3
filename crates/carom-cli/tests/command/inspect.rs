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
            r#""up":"y","unit":"m","watertight":false,"#,
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

/// A room of six brushes, 256 units wide, without the brushes of these numbers.
fn room(without: &[usize]) -> String {
    let blocks: [[i32; 6]; 6] = [
        [0, 0, 0, 256, 256, 16],
        [0, 0, 240, 256, 256, 256],
        [0, 0, 16, 16, 256, 240],
        [240, 0, 16, 256, 256, 240],
        [16, 0, 16, 240, 16, 240],
        [16, 240, 16, 240, 256, 240],
    ];
    let brush = |[x, y, z, u, v, w]: [i32; 6]| {
        let sides = [
            format!("( {x} {y} {z} ) ( {x} {v} {z} ) ( {x} {y} {w} )"),
            format!("( {u} {v} {w} ) ( {u} {v} {z} ) ( {u} {y} {w} )"),
            format!("( {x} {y} {z} ) ( {x} {y} {w} ) ( {u} {y} {z} )"),
            format!("( {u} {v} {w} ) ( {x} {v} {w} ) ( {u} {v} {z} )"),
            format!("( {x} {y} {z} ) ( {u} {y} {z} ) ( {x} {v} {z} )"),
            format!("( {u} {v} {w} ) ( {u} {y} {w} ) ( {x} {v} {w} )"),
        ];
        format!("{{\n{} a 0 0 0 1 1\n}}\n", sides.join(" a 0 0 0 1 1\n"))
    };
    let kept = blocks.iter().enumerate().filter(|(number, _)| !without.contains(number));
    let brushes: String = kept.map(|(_, block)| brush(*block)).collect();
    format!(
        "{{\n\"classname\" \"worldspawn\"\n{brushes}}}\n\
         {{\n\"classname\" \"info_player_start\"\n\"origin\" \"96 96 64\"\n}}\n"
    )
}

#[test]
fn a_leak_has_its_chain_and_a_line_that_editors_open() {
    let files = Files::new();
    let sealed = run(&["inspect", &files.write("sealed.map", &room(&[])), "--leaks", "--json"]);
    assert_eq!(sealed.code, 0, "{}", sealed.err);
    assert!(sealed.out.contains(r#""leaks":[],"cracks":[],"outside":[]"#), "{}", sealed.out);

    // Without the wall at x = 240 and the floor.
    let level = files.write("open.map", &room(&[0, 3]));
    let pts = super::text_of(&files.path("open.pts"));
    let said = run(&["inspect", &level, "--leaks", "--json", "--pts", &pts]);
    assert_eq!(said.code, 1, "{}", said.err);
    let line = &super::lines(&said.out)[0];
    let leaks = line["leaks"].as_array().unwrap();
    assert_eq!(leaks.len(), 2);
    for leak in leaks {
        assert_eq!(leak["from"]["name"], "info_player_start#1");
        let chain = leak["chain"].as_array().unwrap();
        // In meters and with y up.
        assert_eq!(chain[0], serde_json::json!([3.0, 2.0, -3.0]));
        assert_eq!(leak["portals"].as_u64().unwrap() + 2, chain.len() as u64);
        assert!(leak["area"].as_f64().unwrap() > 40.0 && leak["narrowest"]["width"].as_f64().unwrap() > 0.4);
    }
    for name in ["open.pts", "open-2.pts"] {
        let text = std::fs::read_to_string(files.path(name)).unwrap();
        let points: Vec<Vec<f64>> = text
            .lines()
            .map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect())
            .collect();
        assert_eq!(points[0], [96.0, 96.0, 64.0]);
        let is_out = |point: &Vec<f64>| point[0] > 256.0 || point[2] < 0.0;
        assert!(points.len() > 10 && is_out(points.last().unwrap()), "{text}");
    }
    let said = run(&["inspect", &level, "--leaks"]);
    assert!(said.out.contains("leak 2: ") && said.out.contains("info_player_start#1"), "{}", said.out);
}

#[test]
fn a_mesh_leaks_from_a_point_and_has_to_be_closed() {
    let files = Files::new();
    let cube = files.write("cube.obj", CUBE);
    let refused = run(&["inspect", &cube, "--leaks"]);
    assert_refused(&refused, &["cube.obj", "--from"]);
    assert_refused(&run(&["inspect", &cube, "--leaks", "--from", "0,0,0"]), &["within the solid"]);
    let outside = run(&["inspect", &cube, "--leaks", "--from", "0,5,0"]);
    assert_eq!(outside.code, 1);
    assert!(outside.out.contains("outside"), "{}", outside.out);
    // A hollow box: the outer faces out, the inner in.
    let inner: String = CUBE
        .lines()
        .map(|line| match line.strip_prefix("f ") {
            Some(corners) => {
                let turned: Vec<String> =
                    corners.split(' ').rev().map(|i| (i.parse::<u32>().unwrap() + 8).to_string()).collect();
                format!("f {}\n", turned.join(" "))
            }
            None => format!("{}\n", line.replace('1', "0.5")),
        })
        .collect();
    let hollow = files.write("hollow.obj", &format!("{CUBE}{inner}"));
    let said = run(&["inspect", &hollow, "--leaks", "--from", "0,0,0"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let open = files.write("lid.obj", &CUBE.lines().take(13).collect::<Vec<_>>().join("\n"));
    assert_refused(&run(&["inspect", &open, "--leaks", "--from", "0,0,0"]), &["lid.obj", "not closed"]);
}
