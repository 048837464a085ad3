// A small game loop: the hero walks through a level, up a step, onto a lift, jumps, and says where it goes.
//
//     walk [LEVEL.glb|.obj|.bsp|...]
//
// Without a level it walks in a room of its own. Reading a level shows errors, too: try a file that is not there.
#include "carom.h"
#include <stdio.h>
#include <stdlib.h>

// One place for errors: the message says what is wrong and what to do.
static void must(CaromStatus status) {
    if (status != CAROM_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", carom_status_name(status), carom_last_error());
        exit(1);
    }
}

static CaromVec3 vec3(double x, double y, double z) {
    CaromVec3 v = {x, y, z};
    return v;
}

static void add_box(CaromWorld world, CaromVec3 center, CaromVec3 half_extents) {
    CaromBodySettings settings = carom_body_settings_default();
    settings.pose = carom_pose_at(center);
    must(carom_world_add_shape(world, carom_cuboid(half_extents), &settings, NULL));
}

int main(int argc, char **argv) {
    const double tick = 1.0 / 60.0;
    CaromWorld world;
    must(carom_world_new(&world));
    CaromVec3 start = vec3(0.0, 1.0, 0.0);
    CaromBody lift = {0};
    if (argc > 1) {
        CaromMesh level;
        must(carom_mesh_load(argv[1], NULL, &level));
        must(carom_world_add_mesh(world, level, NULL, NULL));
        CaromVec3 spawn;
        size_t spawns;
        CaromStatus status = carom_mesh_spawns(level, &spawn, 1, &spawns);
        if (status != CAROM_STATUS_OK && status != CAROM_STATUS_BUFFER_TOO_SMALL) must(status);
        if (spawns > 0) start = spawn;
        must(carom_mesh_free(level)); // The body keeps its triangles.
    } else {
        add_box(world, vec3(0, -1, 0), vec3(20, 1, 20));
        add_box(world, vec3(3, 0.15, 0), vec3(0.5, 0.15, 2)); // A step of 0.3 m.
        add_box(world, vec3(12, 2, 0), vec3(0.5, 2, 5));      // A wall behind the lift.
        CaromBodySettings settings = carom_body_settings_default();
        settings.motion = CAROM_MOTION_KINEMATIC;
        settings.pose = carom_pose_at(vec3(8, 0.1, 0));
        must(carom_world_add_shape(world, carom_cuboid(vec3(1.5, 0.1, 1.5)), &settings, &lift));
    }

    CaromCharacter hero;
    must(carom_character_new(carom_capsule(0.3, 0.6), NULL, start, &hero));
    for (int i = 0; i < 300; i++) {
        // Walk for three seconds, stand for one while the lift rises, then jump off.
        CaromInput input = i < 156 || i > 240 ? carom_walk(vec3(3, 0, 0)) : carom_idle();
        if (i == 241) input = carom_jump(input, 4);
        CaromMove rise = carom_drive(lift, vec3(0, 1.5, 0), vec3(0, 0, 0));
        must(carom_world_advance(world, tick, &rise, lift.value != 0 && i >= 180 && i < 240 ? 1 : 0));
        CaromReport report;
        must(carom_character_step(hero, world, input, tick, &report));
        if (i % 20 == 0) {
            const char *on = "in the air";
            if (report.on_ground) on = report.ground.body.value == lift.value ? "on the lift" : "on the ground";
            printf("%4.2f s  x %6.3f  y %6.3f  z %6.3f  %s\n", (i + 1) * tick, report.position.x, report.position.y,
                   report.position.z, on);
        }
    }
    // What is ahead?
    CaromReport report;
    must(carom_character_report(hero, &report));
    CaromCast look = carom_ray(report.position, vec3(20, 0, 0));
    CaromHit hit;
    must(carom_world_cast(world, &look, &hit));
    if (hit.is_hit) printf("a wall %.3f m ahead\n", hit.fraction * 20);
    else puts("nothing within 20 m ahead");
    must(carom_character_free(hero));
    must(carom_world_free(world));
    return 0;
}
