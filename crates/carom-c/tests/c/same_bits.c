// Asks and moves as examples/same_bits.rs does, and prints the hash of all answers.
#include "scene.h"

enum { CASTS = 4000, HEROES = 12, ALONE = 6 };

int main(void) {
    random_state = 24;
    CaromWorld world = random_world();
    static CaromCast casts[CASTS];
    static CaromHit hits[CASTS];
    for (int i = 0; i < CASTS; i++) casts[i] = random_cast(i);
    for (int i = 0; i < CASTS; i++) {
        CaromHit hit;
        OK(carom_world_cast(world, &casts[i], &hit));
        hash_hit(&hit);
        size_t count;
        OK(carom_world_cast_all(world, &casts[i], hits, CASTS, &count));
        hash_bits(count);
        for (size_t j = 0; j < count; j++) hash_hit(&hits[j]);
        CaromClosest closest;
        OK(carom_world_closest(world, casts[i].shape, casts[i].from, 2.0, CAROM_LAYERS_ALL, &closest));
        if (closest.is_found) hash_number(closest.distance);
        else hash_bits(0);
    }
    OK(carom_world_cast_many(world, casts, CASTS, hits));
    for (int i = 0; i < CASTS; i++) hash_hit(&hits[i]);

    CaromBodySettings settings = carom_body_settings_default();
    settings.motion = CAROM_MOTION_KINEMATIC;
    CaromBody lift, plate;
    settings.pose.position = vec3(16.0, 0.0, 16.0);
    OK(carom_world_add_shape(world, carom_cuboid(vec3(2.0, 0.2, 2.0)), &settings, &lift));
    settings.pose.position = vec3(11.0, 0.8, 16.0);
    OK(carom_world_add_shape(world, carom_cuboid(vec3(3.0, 0.1, 0.5)), &settings, &plate));

    CaromShape shapes[3] = {carom_capsule(0.3, 0.6), carom_ellipsoid(vec3(0.4, 0.9, 0.4)),
                            carom_cuboid(vec3(0.3, 0.8, 0.3))};
    CaromCharacter heroes[HEROES];
    CaromSettings walking = carom_settings_default();
    walking.step_height = 0.3;
    for (int i = 0; i < HEROES; i++) {
        double x = between(8.0, 24.0);
        double z = between(8.0, 24.0);
        OK(carom_character_new(shapes[i % 3], &walking, vec3(x, 4.0, z), &heroes[i]));
    }
    CaromCrowd crowd;
    OK(carom_crowd_new(&crowd));
    for (int tick = 0; tick < 240; tick++) {
        double rise = tick / 60 % 2 == 0 ? 1.5 : -1.5;
        CaromMove moves[2] = {carom_drive(lift, vec3(0.0, rise, 0.0), vec3(0.0, 0.0, 0.0)),
                              carom_drive(plate, vec3(0.0, 0.0, 0.0), vec3(0.0, 1.25, 0.25))};
        OK(carom_world_advance(world, 1.0 / 60.0, moves, 2));
        CaromInput inputs[HEROES];
        for (int i = 0; i < HEROES; i++) {
            double x = between(-4.0, 4.0);
            double z = between(-4.0, 4.0);
            inputs[i] = carom_walk(vec3(x, 0.0, z));
            if (unit() < 0.1) inputs[i] = carom_jump(inputs[i], 5.0);
        }
        CaromReport reports[HEROES];
        for (int i = 0; i < ALONE; i++) {
            OK(carom_character_step(heroes[i], world, inputs[i], 1.0 / 60.0, &reports[i]));
        }
        OK(carom_crowd_step(crowd, world, heroes + ALONE, inputs + ALONE, HEROES - ALONE, 1.0 / 60.0,
                            reports + ALONE));
        for (int i = 0; i < HEROES; i++) {
            hash_vector(reports[i].position);
            hash_vector(reports[i].velocity);
            hash_number(reports[i].yaw);
            hash_bits(reports[i].on_ground);
        }
    }
    for (int i = 0; i < HEROES; i++) OK(carom_character_free(heroes[i]));
    OK(carom_crowd_free(crowd));
    OK(carom_world_free(world));
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
