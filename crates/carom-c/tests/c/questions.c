// Exits of rays, one hit a body, the deepest first, manifolds, and characters as targets: what they come to, and what
// they refuse.
#include "fails.h"

static int near(double a, double b) {
    return a - b < 1e-9 && b - a < 1e-9;
}

static CaromBody add_box(CaromWorld world, CaromVec3 at, CaromVec3 half, uint64_t user_data) {
    CaromBodySettings settings = carom_body_settings_default();
    settings.pose.position = at;
    settings.user_data = user_data;
    CaromBody body;
    OK(carom_world_add_shape(world, carom_cuboid(half), &settings, &body));
    return body;
}

static void answers(double nan) {
    CaromWorld world;
    OK(carom_world_new(&world));
    CaromBody floor = add_box(world, vec3(0, -1, 0), vec3(9, 1, 9), 1);
    CaromBody box = add_box(world, vec3(4, 1, 0), vec3(1, 1, 1), 2);
    // A mesh of two triangles, one above the other: two hits, one body.
    float corners[18] = {-5, 3, -5, -5, 3, 5, -3, 3, 0, -5, 4, -5, -5, 4, 5, -3, 4, 0};
    uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
    CaromMeshData data = carom_mesh_data_default();
    data.vertices = corners;
    data.vertex_count = 6;
    data.triangles = triangles;
    data.triangle_count = 2;
    CaromMesh mesh;
    OK(carom_mesh_new(&data, &mesh));
    CaromBody sheets;
    OK(carom_world_add_mesh(world, mesh, NULL, &sheets));
    OK(carom_mesh_free(mesh));

    CaromHit hits[4];
    size_t count;
    CaromCast down = carom_ray(vec3(-4, 9, 0), vec3(0, -12, 0));
    OK(carom_world_cast_all(world, &down, hits, 4, &count));
    CHECK(count == 3);
    OK(carom_world_cast_bodies(world, &down, hits, 4, &count));
    CHECK(count == 2 && hits[0].body.value == sheets.value && hits[1].body.value == floor.value);
    CHECK(hits[0].part == 1 && hits[1].user_data == 1);
    FAILS(carom_world_cast_bodies(world, &down, hits, 1, &count), CAROM_STATUS_BUFFER_TOO_SMALL, "2 answers");

    // Into the box from the side, and out of it from within.
    OK(carom_world_ray_exits(world, vec3(0, 1, 0), vec3(10, 0, 0), CAROM_LAYERS_ALL, hits, 4, &count));
    CHECK(count == 1 && hits[0].body.value == box.value && hits[0].user_data == 2);
    CHECK(near(hits[0].fraction, 0.5) && hits[0].normal.x == 1);
    OK(carom_world_ray_exits(world, vec3(4, 1, 0), vec3(0, 0, 2), CAROM_LAYERS_ALL, hits, 4, &count));
    CHECK(count == 1 && near(hits[0].fraction, 0.5));
    FAILS(carom_world_ray_exits(world, vec3(nan, 1, 0), vec3(0, 0, 2), CAROM_LAYERS_ALL, hits, 4, &count),
          CAROM_STATUS_BAD_VALUE, "from");
    FAILS(carom_world_ray_exits(world, vec3(4, 1, 0), vec3(0, 0, 2), CAROM_LAYERS_ALL, NULL, 0, &count),
          CAROM_STATUS_BUFFER_TOO_SMALL, "1 answers");

    // A ball that is deeper in the box than in the floor.
    CaromContact contacts[4];
    OK(carom_world_deepest(world, carom_sphere(0.5), vec3(2.75, 0.375, 0), CAROM_LAYERS_ALL, contacts, 4, &count));
    CHECK(count == 2 && contacts[0].body.value == box.value && contacts[1].body.value == floor.value);
    CHECK(near(contacts[0].gap, -0.25) && near(contacts[1].gap, -0.125) && contacts[0].user_data == 2);
    FAILS(carom_world_deepest(world, carom_sphere(-1), vec3(0, 0, 0), CAROM_LAYERS_ALL, contacts, 4, &count),
          CAROM_STATUS_BAD_VALUE, "radius");

    // A crate on the floor that leans on the box: two planes of four points.
    CaromManifold manifolds[4];
    CaromShape crate = carom_cuboid(vec3(0.5, 0.5, 0.5));
    OK(carom_world_manifolds(world, crate, vec3(2.5, 0.5, 0), 0.01, CAROM_LAYERS_ALL, manifolds, 4, &count));
    CHECK(count == 2 && manifolds[0].body.value == floor.value && manifolds[1].body.value == box.value);
    CHECK(manifolds[0].normal.y == 1 && manifolds[1].normal.x == -1 && manifolds[1].user_data == 2);
    for (size_t i = 0; i < 2; i++) {
        CHECK(manifolds[i].point_count == CAROM_MANIFOLD_POINTS);
        for (uint32_t j = 0; j < manifolds[i].point_count; j++) CHECK(near(manifolds[i].points[j].gap, 0));
    }
    OK(carom_world_manifolds(world, carom_sphere(0.5), vec3(0, 0.5, 0), 0.01, CAROM_LAYERS_ALL, manifolds, 4, &count));
    CHECK(count == 1 && manifolds[0].point_count == 1 && manifolds[0].points[1].gap == 0);
    FAILS(carom_world_manifolds(world, crate, vec3(2.5, 0.5, 0), nan, CAROM_LAYERS_ALL, manifolds, 4, &count),
          CAROM_STATUS_BAD_VALUE, "distance");
    FAILS(carom_world_manifolds(world, crate, vec3(2.5, 0.5, 0), 0.01, CAROM_LAYERS_ALL, manifolds, 1, &count),
          CAROM_STATUS_BUFFER_TOO_SMALL, "2 answers");

    // Another number for a body.
    OK(carom_world_set_user_data(world, box, 77));
    down.from.x = 4;
    OK(carom_world_cast(world, &down, hits));
    CHECK(hits[0].user_data == 77);
    OK(carom_world_remove(world, box));
    FAILS(carom_world_set_user_data(world, box, 78), CAROM_STATUS_NO_SUCH_BODY, "no such body");
    OK(carom_world_free(world));
}

static void targets(double nan, double infinity) {
    CaromCharacter players[3];
    for (int i = 0; i < 3; i++) {
        OK(carom_character_new(carom_capsule(0.3, 0.6), NULL, vec3(4.0 * i, 0, 0), &players[i]));
        OK(carom_character_set_user_data(players[i], 10 + (uint64_t)i));
    }
    enum { RED = 2 };
    OK(carom_character_set_layers(players[2], RED));
    CaromTargets targets;
    OK(carom_targets_new(&targets));
    CaromCast shot = carom_ray(vec3(0, 0.5, 0), vec3(20, 0, 0));
    CaromCharacterHit hit, hits[3];
    size_t count;
    OK(carom_targets_cast(targets, &shot, CAROM_NO_CHARACTER, &hit));
    CHECK(!hit.is_hit && hit.fraction == 1 && hit.character == CAROM_NO_CHARACTER);
    OK(carom_targets_update(targets, players, 3));
    // The shooter is in the way of its own shot only if it is asked for.
    OK(carom_targets_cast(targets, &shot, 0, &hit));
    CHECK(hit.is_hit && hit.character == 1 && hit.user_data == 11 && near(hit.fraction, 3.7 / 20));
    CHECK(near(hit.point.x, 3.7) && hit.normal.x == -1);
    shot.layers = RED;
    OK(carom_targets_cast(targets, &shot, 0, &hit));
    CHECK(hit.character == 2 && hit.user_data == 12);
    shot.layers = CAROM_LAYERS_ALL;
    shot.from.x = 1;
    OK(carom_targets_cast_all(targets, &shot, hits, 3, &count));
    CHECK(count == 2 && hits[0].character == 1 && hits[1].character == 2);
    FAILS(carom_targets_cast_all(targets, &shot, hits, 1, &count), CAROM_STATUS_BUFFER_TOO_SMALL, "2 answers");
    shot.from.y = nan;
    FAILS(carom_targets_cast(targets, &shot, 0, &hit), CAROM_STATUS_BAD_VALUE, "from");

    CaromCharacterOverlap overlaps[3];
    CaromShape blast = carom_sphere(4);
    OK(carom_targets_overlaps(targets, blast, vec3(2, 0, 0), CAROM_LAYERS_ALL, overlaps, 3, &count));
    CHECK(count == 2 && overlaps[0].character == 0 && overlaps[1].character == 1 && overlaps[1].user_data == 11);
    FAILS(carom_targets_overlaps(targets, blast, vec3(2, nan, 0), CAROM_LAYERS_ALL, overlaps, 3, &count),
          CAROM_STATUS_BAD_VALUE, "at");
    CaromCharacterContact contacts[3];
    OK(carom_targets_contacts(targets, carom_sphere(0.5), vec3(2, 0, 0), 1.5, CAROM_LAYERS_ALL, contacts, 3, &count));
    CHECK(count == 2 && contacts[1].character == 1 && contacts[1].user_data == 11 && near(contacts[1].gap, 1.2));
    CaromClosestCharacter closest;
    OK(carom_targets_closest(targets, carom_point(), vec3(9, 0, 0), infinity, CAROM_LAYERS_ALL, &closest));
    CHECK(closest.is_found && closest.character == 2 && closest.user_data == 12 && near(closest.distance, 0.7));
    OK(carom_targets_closest(targets, carom_point(), vec3(90, 0, 0), 1, CAROM_LAYERS_ALL, &closest));
    CHECK(!closest.is_found && closest.character == CAROM_NO_CHARACTER);
    FAILS(carom_targets_closest(targets, blast, vec3(0, 0, 0), -1, CAROM_LAYERS_ALL, &closest), CAROM_STATUS_BAD_VALUE,
          "distance");

    // One is gone; the next is named by its new place.
    CaromCharacter left[2] = {players[0], players[2]};
    OK(carom_targets_update(targets, left, 2));
    OK(carom_targets_closest(targets, carom_point(), vec3(9, 0, 0), infinity, CAROM_LAYERS_ALL, &closest));
    CHECK(closest.character == 1 && closest.user_data == 12);
    FAILS(carom_targets_update(targets, NULL, 1), CAROM_STATUS_NULL_POINTER, "characters");
    OK(carom_character_free(players[2]));
    FAILS(carom_targets_update(targets, left, 2), CAROM_STATUS_NO_SUCH_OBJECT, "character 1");
    OK(carom_targets_free(targets));
    FAILS(carom_targets_update(targets, left, 1), CAROM_STATUS_NO_SUCH_OBJECT, "target set was freed");
    OK(carom_targets_free((CaromTargets){0}));
    OK(carom_character_free(players[0]));
    OK(carom_character_free(players[1]));
    FAILS(carom_character_set_layers(players[0], RED), CAROM_STATUS_NO_SUCH_OBJECT, "freed");
}

int main(void) {
    double zero = 0.0;
    double nan = zero / zero, infinity = 1.0 / zero;
    answers(nan);
    targets(nan, infinity);
    puts("questions: exits, bodies, depths, manifolds and targets");
    return 0;
}
