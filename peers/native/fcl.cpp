// FCL behind three plain functions: two meshes, collided in batches of poses.
//
// `BVHModel<OBBRSS>` in double precision, the volume that its manual advises for meshes; contacts are counted, not worked out.

#include <fcl/fcl.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;
using Object = std::shared_ptr<Model>;

// Each pose is seven numbers: the quaternion x, y, z, w, then the place.
fcl::Transform3d transform(const double* pose) {
    fcl::Transform3d result = fcl::Transform3d::Identity();
    result.linear() = fcl::Quaterniond(pose[3], pose[0], pose[1], pose[2]).toRotationMatrix();
    result.translation() = fcl::Vector3d(pose[4], pose[5], pose[6]);
    return result;
}

}  // namespace

extern "C" {

void* peers_fcl_mesh(const double* vertices, size_t vertex_count, const uint32_t* triangles, size_t triangle_count) {
    std::vector<fcl::Vector3d> points(vertex_count);
    for (size_t i = 0; i < vertex_count; ++i) {
        points[i] = fcl::Vector3d(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
    }
    std::vector<fcl::Triangle> corners(triangle_count);
    for (size_t i = 0; i < triangle_count; ++i) {
        corners[i].set(triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
    }
    auto model = std::make_shared<Model>();
    model->beginModel(static_cast<int>(triangle_count), static_cast<int>(vertex_count));
    model->addSubModel(points, corners);
    model->endModel();
    return new Object(model);
}

void peers_fcl_free(void* mesh) { delete static_cast<Object*>(mesh); }

// How many pairs of triangles overlap in each pose of the second mesh, counted up to `most`.
void peers_fcl_count(const void* first, const void* second, const double* poses, size_t count, size_t most, size_t* pairs) {
    const auto& a = *static_cast<const Object*>(first);
    const auto& b = *static_cast<const Object*>(second);
    const fcl::Transform3d rest = fcl::Transform3d::Identity();
    const fcl::CollisionRequestd request(most, false);
    for (size_t i = 0; i < count; ++i) {
        fcl::CollisionResultd result;
        pairs[i] = fcl::collide(a.get(), rest, b.get(), transform(poses + 7 * i), request, result);
    }
}

}  // extern "C"
