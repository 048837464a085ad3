// The scene of examples/same_bits.rs, through carom.h: random numbers, movers, terrain, and a hash.
#ifndef SCENE_H
#define SCENE_H

#include "carom.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Ends the program where a call fails.
#define OK(call)                                                                                             \
    do {                                                                                                     \
        CaromStatus status_ = (call);                                                                        \
        if (status_ != CAROM_STATUS_OK) {                                                                    \
            fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call, carom_status_name(status_),    \
                    carom_last_error());                                                                     \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

// Ends the program where something is not so.
#define CHECK(what)                                                                                          \
    do {                                                                                                     \
        if (!(what)) {                                                                                       \
            fprintf(stderr, "%s:%d: not so: %s (last error: %s)\n", __FILE__, __LINE__, #what,               \
                    carom_last_error());                                                                     \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static inline CaromVec3 vec3(double x, double y, double z) {
    CaromVec3 v = {x, y, z};
    return v;
}

// Knuth's generator: whole numbers only, so that Rust has the same.
static uint64_t random_state;

static inline double unit(void) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(random_state >> 40) / 16777216.0;
}

static inline double between(double low, double high) {
    return low + (high - low) * unit();
}

static inline CaromVec3 random_vector(double low, double high) {
    CaromVec3 v;
    v.x = between(low, high);
    v.y = between(low, high);
    v.z = between(low, high);
    return v;
}

static inline CaromQuat random_rotation(void) {
    CaromVec3 axis = random_vector(-1.0, 1.0);
    CaromQuat q = {axis.x, axis.y, axis.z, 0.0};
    q.w = between(0.5, 1.0);
    return q;
}

static inline CaromShape random_mover(int kind, double size) {
    CaromVec3 radii = random_vector(0.4, 1.0);
    radii = vec3(radii.x * size, radii.y * size, radii.z * size);
    CaromQuat rotation = random_rotation();
    CaromShape shape;
    switch (kind % 5) {
    case 0: return carom_point();
    case 1: return carom_sphere(size);
    case 2: shape = carom_ellipsoid(radii); break;
    case 3: shape = carom_capsule(radii.x * 0.5, radii.y); break;
    default: shape = carom_cuboid(radii); break;
    }
    shape.rotation = rotation;
    return shape;
}

enum { SIDE = 32 };

static inline CaromMesh random_terrain(void) {
    static float vertices[(SIDE + 1) * (SIDE + 1) * 3];
    static uint32_t triangles[SIDE * SIDE * 2 * 3];
    float *vertex = vertices;
    for (int z = 0; z <= SIDE; z++) {
        for (int x = 0; x <= SIDE; x++) {
            *vertex++ = (float)x;
            *vertex++ = (float)between(-0.5, 0.5);
            *vertex++ = (float)z;
        }
    }
    uint32_t *index = triangles;
    for (uint32_t z = 0; z < SIDE; z++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            uint32_t corner = z * (SIDE + 1) + x;
            uint32_t six[6] = {corner,     corner + SIDE + 1, corner + 1,
                               corner + 1, corner + SIDE + 1, corner + SIDE + 2};
            memcpy(index, six, sizeof six);
            index += 6;
        }
    }
    CaromMeshData data = carom_mesh_data_default();
    data.vertices = vertices;
    data.vertex_count = (SIDE + 1) * (SIDE + 1);
    data.triangles = triangles;
    data.triangle_count = SIDE * SIDE * 2;
    CaromMesh mesh;
    OK(carom_mesh_new(&data, &mesh));
    return mesh;
}

// Terrain and solids of every kind.
static inline CaromWorld random_world(void) {
    CaromWorld world;
    OK(carom_world_new(&world));
    CaromMesh mesh = random_terrain();
    OK(carom_world_add_mesh(world, mesh, NULL, NULL));
    OK(carom_mesh_free(mesh));
    for (int kind = 0; kind < 200; kind++) {
        CaromShape shape = random_mover(kind, 0.8);
        if (shape.kind == CAROM_SHAPE_KIND_POINT) continue;
        CaromBodySettings settings = carom_body_settings_default();
        settings.pose.position.x = between(0.0, 32.0);
        settings.pose.position.y = between(-1.0, 4.0);
        settings.pose.position.z = between(0.0, 32.0);
        settings.pose.rotation = random_rotation();
        settings.pose.scale = between(0.5, 1.5);
        OK(carom_world_add_shape(world, shape, &settings, NULL));
    }
    return world;
}

static inline CaromCast random_cast(int kind) {
    CaromShape shape = random_mover(kind, 0.5);
    CaromVec3 from;
    from.x = between(0.0, 32.0);
    from.y = between(0.0, 5.0);
    from.z = between(0.0, 32.0);
    return carom_cast(shape, from, random_vector(-6.0, 6.0));
}

// FNV-1a.
static uint64_t hash = UINT64_C(0xCBF29CE484222325);

static inline void hash_bits(uint64_t bits) {
    for (int i = 0; i < 8; i++) {
        hash = (hash ^ ((bits >> (8 * i)) & 0xFF)) * UINT64_C(0x00000100000001B3);
    }
}

static inline void hash_number(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    hash_bits(bits);
}

static inline void hash_vector(CaromVec3 v) {
    hash_number(v.x);
    hash_number(v.y);
    hash_number(v.z);
}

static inline void hash_hit(const CaromHit *hit) {
    hash_bits(hit->is_hit);
    if (!hit->is_hit) return;
    hash_number(hit->fraction);
    hash_vector(hit->point);
    hash_vector(hit->normal);
    hash_bits(hit->feature);
    hash_bits(hit->feature_index);
    hash_bits(hit->part);
    hash_bits(hit->start_overlap);
}

#endif
