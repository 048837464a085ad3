//! Small compiled levels, made here.

/// A file of this header with these lumps, in the order of their numbers; those not given are empty.
fn file(header: &[u8], lumps: usize, given: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    let mut next = header.len() + 8 * lumps;
    let mut data: Vec<u8> = Vec::new();
    for lump in 0..lumps {
        let content = given.iter().find(|(number, _)| *number == lump).map_or(&[][..], |(_, bytes)| bytes);
        let start = if content.is_empty() { 0 } else { next };
        bytes.extend((start as i32).to_le_bytes());
        bytes.extend((content.len() as i32).to_le_bytes());
        next += content.len();
        data.extend(content);
    }
    bytes.extend(data);
    bytes
}

fn floats<const N: usize>(numbers: [f32; N]) -> Vec<u8> {
    numbers.map(f32::to_le_bytes).concat()
}

fn ints<const N: usize>(numbers: [i32; N]) -> Vec<u8> {
    numbers.map(i32::to_le_bytes).concat()
}

fn shorts<const N: usize>(numbers: [i16; N]) -> Vec<u8> {
    numbers.map(i16::to_le_bytes).concat()
}

const ENTITIES: &str =
    "{\n\"classname\" \"worldspawn\"\n}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"8 8 32\"\n}\n";

/// One square face, with water above it.
pub(crate) fn quake() -> Vec<u8> {
    let mut textures = ints([1, 8]);
    textures.extend(b"stone\0\0\0\0\0\0\0\0\0\0\0");
    let square = floats([0., 0., 0., 64., 0., 0., 64., 64., 0., 0., 64., 0.]);
    let plane = [floats([0., 0., 1., 0.]), ints([2])].concat();
    let info = [floats([0.0; 8]), ints([0, 0])].concat();
    let face = [shorts([0, 0]), ints([0]), shorts([4, 0]), ints([0, -1])].concat();
    let node = [ints([0]), shorts([-2, -3, 0, 0, 0, 64, 64, 64, 0, 1])].concat();
    let leaf = |contents| [ints([contents, -1]), shorts([0, 0, 0, 64, 64, 64, 0, 0]), ints([0])].concat();
    let model = [floats([0., 0., 0., 64., 64., 64., 0., 0., 0.]), ints([0, 0, 0, 0, 2, 0, 1])].concat();
    let lumps = [
        (0, ENTITIES.as_bytes().to_vec()),
        (1, plane),
        (2, textures),
        (3, square),
        (5, node),
        (6, info),
        (7, face),
        (10, [leaf(-2), leaf(-3), leaf(-2)].concat()),
        (12, shorts([0, 0, 0, 3, 3, 2, 2, 1, 1, 0])),
        (13, ints([1, 2, 3, 4])),
        (14, model),
    ];
    file(&29i32.to_le_bytes(), 15, &lumps)
}

/// Normals and distances of the planes of a cube of 64 units.
fn cube() -> [Vec<u8>; 6] {
    [0, 1, 2, 3, 4, 5].map(|side| {
        let mut normal = [0.0f32; 3];
        normal[side / 2] = if side % 2 == 0 { 1.0 } else { -1.0 };
        let [x, y, z] = normal;
        floats([x, y, z, if side % 2 == 0 { 64.0 } else { 0.0 }])
    })
}

/// One cube, of six planes, in one of two leaves.
pub(crate) fn quake2() -> Vec<u8> {
    let planes = cube().map(|plane| [plane, ints([0])].concat());
    let mut info = [floats([0.0; 8]), ints([0, 0])].concat();
    info.extend(b"stone");
    info.resize(76, 0);
    let node = [ints([0, -1, -2]), shorts([0; 8])].concat();
    let leaf = |contents, brushes| [ints([contents]), shorts([0; 10]), shorts([0, brushes])].concat();
    let model = [floats([0., 0., 0., 64., 64., 64., 0., 0., 0.]), ints([0, 0, 0])].concat();
    let lumps = [
        (0, ENTITIES.as_bytes().to_vec()),
        (1, planes.concat()),
        (4, node),
        (5, info),
        (8, [leaf(0, 0), leaf(1, 1)].concat()),
        (10, shorts([0])),
        (13, model),
        (14, ints([0, 6, 1])),
        (15, shorts([0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0])),
    ];
    file(&[b"IBSP".to_vec(), ints([38])].concat(), 19, &lumps)
}

/// One cube, of six planes, in one of two leaves, and a flat patch.
pub(crate) fn quake3() -> Vec<u8> {
    let mut shader = b"stone".to_vec();
    shader.resize(64, 0);
    shader.extend(ints([0, 1]));
    let sides = [0, 1, 2, 3, 4, 5].map(|plane| ints([plane, 0])).concat();
    let node = [ints([0, -1, -2]), ints([0; 6])].concat();
    let leaves = [0, -1].map(|cluster| [ints([cluster]), ints([0; 11])].concat()).concat();
    let model = [floats([0., 0., 0., 64., 64., 64.]), ints([0, 1, 0, 1])].concat();
    let points = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|i| {
        let [x, y] = [(i % 3) as f32 * 32.0, (i / 3) as f32 * 32.0];
        floats([x, y, 96.0, 0., 0., 0., 0., 0., 0., 1., 0.])
    });
    let mut surface = ints([0, -1, 2, 0, 9, 0, 0, 0, 0, 0, 0, 0]);
    surface.extend(floats([0.0; 12]));
    surface.extend(ints([3, 3]));
    let lumps = [
        (0, ENTITIES.as_bytes().to_vec()),
        (1, shader),
        (2, cube().concat()),
        (3, node),
        (4, leaves),
        (7, model),
        (8, ints([0, 6, 0])),
        (9, sides),
        (10, points.concat()),
        (13, surface),
    ];
    let header = [b"IBSP".to_vec(), ints([46])].concat();
    // The vertices last, so that nothing may be missing at the end.
    file(&header, 17, &lumps)
}
