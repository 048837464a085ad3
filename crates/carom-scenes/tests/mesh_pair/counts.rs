//! How many pairs of triangles meet: known numbers, on every kind of volume.

use carom::Pose;
use carom::mesh_pair::{MeshPair, TriangleTree};
use carom::tree::{BoundingSphere, PackedAabb, Settings};
use carom_scenes::workload::{BLOB_SEEDS, blob, blob_poses};

use crate::files::mesh;

/// The numbers are those that came with the meshes.
#[test]
fn files_have_the_pairs_that_they_are_known_for() {
    for (first, second, expected) in [
        ("fcl_env_rob/env.obj", "fcl_env_rob/rob.obj", 192),
        ("trimesh_parts/ballA.off", "trimesh_parts/ballB.off", 276),
        ("manifold_pairs/hull-body.obj", "manifold_pairs/hull-mask.obj", 1570),
        ("manifold_pairs/self_intersectA.obj", "manifold_pairs/self_intersectB.obj", 600),
    ] {
        let (Some(a), Some(b)) = (mesh(first), mesh(second)) else { return };
        let trees = [&a, &b].map(|mesh| TriangleTree::new(mesh.clone()));
        let pairs = MeshPair::new(&trees[0], Pose::IDENTITY, &trees[1], Pose::IDENTITY).pairs();
        assert_eq!(pairs.len(), expected, "{first} and {second}");
        let swapped = MeshPair::new(&trees[1], Pose::IDENTITY, &trees[0], Pose::IDENTITY).pairs();
        assert_eq!(swapped.len(), expected, "{second} and {first}");
        let boxes = [&a, &b].map(|mesh| TriangleTree::<PackedAabb>::of(mesh.clone(), &Settings::DEFAULT));
        assert_eq!(MeshPair::new(&boxes[0], Pose::IDENTITY, &boxes[1], Pose::IDENTITY).pairs(), pairs);
        let balls = [&a, &b].map(|mesh| TriangleTree::<BoundingSphere>::of(mesh.clone(), &Settings::DEFAULT));
        assert_eq!(MeshPair::new(&balls[0], Pose::IDENTITY, &balls[1], Pose::IDENTITY).pairs(), pairs);
    }
}

/// W6 of the comparison with other libraries: 498 of 1000 poses meet, in 163,645 pairs.
#[test]
fn two_blobs_meet_in_498_of_1000_poses() {
    let [first, second] = BLOB_SEEDS.map(|seed| TriangleTree::new(blob(seed).into_mesh().unwrap()));
    let (mut meeting, mut pairs) = (0, 0);
    for pose in blob_poses(1000) {
        let pose = Pose::at(pose.translation).and_then(|at| at.with_rotation(pose.rotation)).unwrap();
        let pair = MeshPair::new(&first, Pose::IDENTITY, &second, pose);
        let found = pair.pairs().len();
        assert_eq!(pair.overlaps(), found > 0);
        meeting += usize::from(found > 0);
        pairs += found;
    }
    assert_eq!((meeting, pairs), (498, 163_645));
}
