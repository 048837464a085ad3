//! Files in coding that others' tools write, made here with the encoders of those tools' ports.

use std::io::{Cursor, Write};

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder, PointAttribute,
};
use meshoptimizer_rs::Workspace;
use meshoptimizer_rs::codec::{IndexEncoding, VertexEncoding, encode_index_buffer, encode_vertex_buffer};

/// Eight corners and twelve triangles of a box that is not a cube, at places that f32 holds.
pub(crate) const CORNERS: [[f32; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [2.0, 0.0, 0.0],
    [2.0, 0.75, 0.0],
    [0.0, 0.75, 0.0],
    [0.0, 0.0, -3.5],
    [2.0, 0.0, -3.5],
    [2.0, 0.75, -3.5],
    [0.0, 0.75, -3.5],
];
pub(crate) const TRIANGLES: [[u32; 3]; 12] = [
    [0, 1, 2],
    [0, 2, 3],
    [5, 4, 7],
    [5, 7, 6],
    [4, 0, 3],
    [4, 3, 7],
    [1, 5, 6],
    [1, 6, 2],
    [3, 2, 6],
    [3, 6, 7],
    [4, 5, 1],
    [4, 1, 0],
];

fn glb(json: &str, blob: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut blob = blob.to_vec();
    blob.resize(blob.len().next_multiple_of(4), 0);
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + blob.len() as u32).to_le_bytes());
    for (kind, data) in [(b"JSON", &json), (b"BIN\0", &blob)] {
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(data);
    }
    bytes
}

/// A mesh in Draco's coding, its positions as they are: `method` 0 is sequential, 1 edge breaker.
pub(crate) fn draco(corners: &[[f32; 3]], triangles: &[[u32; 3]], method: i32) -> Vec<u8> {
    let mut positions = PointAttribute::new();
    positions.init(GeometryAttributeType::Position, 3, DataType::Float32, false, corners.len());
    positions.buffer_mut().write(
        0,
        corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>().as_slice(),
    );
    let mut mesh = Mesh::new();
    mesh.set_num_points(corners.len());
    mesh.add_attribute(positions);
    mesh.set_num_faces(triangles.len());
    for (face, &corners) in triangles.iter().enumerate() {
        mesh.set_face_from_indices(face, corners);
    }
    let mut options = EncoderOptions::new();
    options.set_encoding_method(method);
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut buffer = EncoderBuffer::new();
    encoder.encode(&options, &mut buffer).expect("a mesh that can be encoded");
    buffer.data().to_vec()
}

/// A level whose one mesh is in Draco's coding and has no other copy.
pub(crate) fn draco_glb(corners: &[[f32; 3]], triangles: &[[u32; 3]], method: i32) -> Vec<u8> {
    let data = draco(corners, triangles, method);
    let (size, count, indices) = (data.len(), corners.len(), 3 * triangles.len());
    glb(
        &format!(
            r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":["KHR_draco_mesh_compression"],"extensionsRequired":["KHR_draco_mesh_compression"],
"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,"name":"box"}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"extensions":{{"KHR_draco_mesh_compression":{{"bufferView":0,"attributes":{{"POSITION":0}}}}}}}}]}}],
"accessors":[{{"componentType":5126,"count":{count},"type":"VEC3"}},{{"componentType":5125,"count":{indices},"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":{size}}}],"buffers":[{{"byteLength":{size}}}]}}"#
        ),
        &data,
    )
}

/// A level whose vertices and indices are in meshoptimizer's coding, with a fallback buffer that has no data.
pub(crate) fn meshopt_glb(corners: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut workspace = Workspace::default();
    let raw: Vec<u8> = corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    let encoding = VertexEncoding::new(0, 0).expect("version 0");
    let vertices = encode_vertex_buffer(&raw, corners.len(), 12, encoding, &mut workspace);
    let vertices = vertices.expect("vertices that can be encoded");
    let indices = encode_index_buffer(triangles.as_flattened(), IndexEncoding::DEFAULT, &mut workspace);
    let indices = indices.expect("indices that can be encoded");
    let (a, b) = (vertices.len(), indices.len());
    let (count, corners_used) = (corners.len(), 3 * triangles.len());
    let (vertex_bytes, index_bytes) = (12 * count, 4 * corners_used);
    let (total, fallback) = (a + b, vertex_bytes + index_bytes);
    glb(
        &format!(
            r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":["EXT_meshopt_compression"],"extensionsRequired":["EXT_meshopt_compression"],
"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,"name":"box"}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC3"}},{{"bufferView":1,"componentType":5125,"count":{corners_used},"type":"SCALAR"}}],
"bufferViews":[{{"buffer":1,"byteLength":{vertex_bytes},"byteStride":12,"extensions":{{"EXT_meshopt_compression":{{"buffer":0,"byteLength":{a},"byteStride":12,"count":{count},"mode":"ATTRIBUTES"}}}}}},
{{"buffer":1,"byteOffset":{vertex_bytes},"byteLength":{index_bytes},"extensions":{{"EXT_meshopt_compression":{{"buffer":0,"byteOffset":{a},"byteLength":{b},"byteStride":4,"count":{corners_used},"mode":"TRIANGLES"}}}}}}],
"buffers":[{{"byteLength":{total}}},{{"byteLength":{fallback},"extensions":{{"EXT_meshopt_compression":{{"fallback":true}}}}}}]}}"#
        ),
        &[vertices, indices].concat(),
    )
}

/// An archive of these files.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(*name, options).expect("a name");
        archive.write_all(bytes).expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}

/// The box as text of FBX, as polygons of four corners, with the third axis up where `is_z_up` and of so many
/// centimeters a unit.
pub(crate) fn fbx(is_z_up: bool, centimeters: f64) -> Vec<u8> {
    let (up, front, front_sign) = if is_z_up { (2, 1, -1) } else { (1, 2, 1) };
    let corners: Vec<String> = CORNERS.as_flattened().iter().map(ToString::to_string).collect();
    let quads = [[0, 1, 2, 3], [5, 4, 7, 6], [4, 0, 3, 7], [1, 5, 6, 2], [3, 2, 6, 7], [4, 5, 1, 0]];
    let indices: Vec<String> =
        quads.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, -d - 1]).map(|index| index.to_string()).collect();
    format!(
        r#"; FBX 7.4.0 project file
FBXHeaderExtension:  {{
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}}
GlobalSettings:  {{
	Version: 1000
	Properties70:  {{
		P: "UpAxis", "int", "Integer", "",{up}
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",{front}
		P: "FrontAxisSign", "int", "Integer", "",{front_sign}
		P: "CoordAxis", "int", "Integer", "",0
		P: "CoordAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",{centimeters}
	}}
}}
Objects:  {{
	Geometry: 1000, "Geometry::shape", "Mesh" {{
		Vertices: *24 {{
			a: {}
		}}
		PolygonVertexIndex: *24 {{
			a: {}
		}}
		GeometryVersion: 124
	}}
	Model: 2000, "Model::crate", "Mesh" {{
		Version: 232
		Properties70:  {{
			P: "Lcl Translation", "Lcl Translation", "", "A",10,20,30
		}}
	}}
}}
Connections:  {{
	C: "OO",2000,0
	C: "OO",1000,2000
}}
"#,
        corners.join(","),
        indices.join(","),
    )
    .into_bytes()
}
