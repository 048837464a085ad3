//! `carom inspect --leaks`: what it prints, writes and refuses.

use super::{CUBE, Files, assert_refused, run};

/// A room of six brushes, 256 units wide, without the brushes of these numbers.
pub(crate) fn room(without: &[usize]) -> String {
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

    // Without the walls at both ends of x: openings that share an edge would be one.
    let level = files.write("open.map", &room(&[2, 3]));
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
        let is_out = |point: &Vec<f64>| point[0] > 256.0 || point[0] < 0.0;
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
