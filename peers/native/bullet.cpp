// Bullet behind four plain functions: a world of one triangle mesh, asked in batches.
//
// `btBvhTriangleMeshShape` with quantised bounds, as its manual has it; `convexSweepTest` with no allowed penetration and `rayTest`
// of the world. The mesh has the margin 0: with the default of 4 cm everything would stop 4 cm early.

#include <btBulletCollisionCommon.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace {

struct Level {
    std::unique_ptr<btTriangleIndexVertexArray> triangles;
    std::unique_ptr<btBvhTriangleMeshShape> shape;
    btCollisionObject object;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btCollisionWorld world{&dispatcher, &broadphase, &configuration};
};

btVector3 vector(const float* v) { return btVector3(v[0], v[1], v[2]); }

btTransform place(const btVector3& position) { return btTransform(btQuaternion::getIdentity(), position); }

constexpr double free_way = HUGE_VAL;

}  // namespace

extern "C" {

// The lists stay the caller's, and outlive the level.
void* peers_bullet_level(const float* vertices, size_t vertex_count, const uint32_t* triangles, size_t triangle_count) {
    auto* level = new Level;
    level->triangles = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(triangle_count), reinterpret_cast<int*>(const_cast<uint32_t*>(triangles)), 12,
        static_cast<int>(vertex_count), const_cast<float*>(vertices), 12);
    level->shape = std::make_unique<btBvhTriangleMeshShape>(level->triangles.get(), true);
    level->shape->setMargin(0);
    level->object.setCollisionShape(level->shape.get());
    level->object.setWorldTransform(place(btVector3(0, 0, 0)));
    level->world.addCollisionObject(&level->object);
    return level;
}

void peers_bullet_free(void* level) {
    auto* freed = static_cast<Level*>(level);
    freed->world.removeCollisionObject(&freed->object);
    delete freed;
}

// A half height of 0 is a sphere. Each way is six floats: from, to. A fraction for each.
void peers_bullet_sweep(void* level, float radius, float half_height, const float* ways, size_t count, double* fractions) {
    auto* asked = static_cast<Level*>(level);
    btSphereShape sphere(radius);
    btCapsuleShape capsule(radius, 2 * half_height);
    const btConvexShape* shape = half_height > 0 ? static_cast<btConvexShape*>(&capsule) : &sphere;
    for (size_t i = 0; i < count; ++i) {
        const btVector3 from = vector(ways + 6 * i), to = vector(ways + 6 * i + 3);
        btCollisionWorld::ClosestConvexResultCallback nearest(from, to);
        asked->world.convexSweepTest(shape, place(from), place(to), nearest, 0);
        fractions[i] = nearest.hasHit() ? nearest.m_closestHitFraction : free_way;
    }
}

void peers_bullet_rays(void* level, const float* ways, size_t count, double* fractions) {
    auto* asked = static_cast<Level*>(level);
    for (size_t i = 0; i < count; ++i) {
        const btVector3 from = vector(ways + 6 * i), to = vector(ways + 6 * i + 3);
        btCollisionWorld::ClosestRayResultCallback nearest(from, to);
        asked->world.rayTest(from, to, nearest);
        fractions[i] = nearest.hasHit() ? nearest.m_closestHitFraction : free_way;
    }
}

}  // extern "C"
