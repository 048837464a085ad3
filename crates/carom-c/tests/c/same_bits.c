// Asks and moves as examples/same_bits.rs does, and prints the hash of all answers. With a number it asks the casts
// so many times and nothing else: to measure what a cast through C costs.
#include "scene.h"

enum { CASTS = 4000, HEROES = 12, ALONE = 6, GATES = 8, POINTS = 24, FIELD = 12, COMPOUNDS = 12, BALLS = 60, CRATES = 8 };

// A collider somewhere in a compound.
static CaromCompoundPiece random_piece(CaromCollider collider) {
    CaromPose pose = carom_pose_at(random_vector(-1.0, 1.0));
    pose.rotation = random_rotation();
    return carom_compound_piece(collider, pose);
}

// Three pieces each.
static void add_compounds(CaromWorld world) {
    for (int i = 0; i < COMPOUNDS; i++) {
        CaromCollider made_of[3], compound;
        CaromCompoundPiece pieces[3];
        OK(carom_collider_shape(carom_sphere(between(0.2, 1.0)), &made_of[0]));
        pieces[0] = random_piece(made_of[0]);
        OK(carom_collider_shape(carom_cuboid(random_vector(0.2, 1.0)), &made_of[1]));
        pieces[1] = random_piece(made_of[1]);
        OK(carom_collider_cone(between(0.2, 1.0), 0.5, &made_of[2]));
        pieces[2] = random_piece(made_of[2]);
        OK(carom_collider_compound(pieces, 3, &compound));
        CaromBodySettings settings = carom_body_settings_default();
        settings.pose.position.x = between(0.0, 32.0);
        settings.pose.position.y = between(0.0, 4.0);
        settings.pose.position.z = between(0.0, 32.0);
        settings.pose.rotation = random_rotation();
        OK(carom_world_add(world, compound, &settings, NULL));
        OK(carom_collider_free(compound));
        for (int piece = 0; piece < 3; piece++) OK(carom_collider_free(made_of[piece]));
    }
}

// Hulls, cylinders, cones, a height field, a half-space and compounds.
static void add_colliders(CaromWorld world) {
    for (int kind = 0; kind < 60; kind++) {
        CaromCollider collider;
        if (kind % 3 == 0) {
            CaromVec3 points[POINTS];
            for (int i = 0; i < POINTS; i++) points[i] = random_vector(-1.0, 1.0);
            OK(carom_collider_hull(points, POINTS, &collider));
        } else {
            double radius = between(0.2, 1.0);
            double half_height = between(0.2, 1.0);
            if (kind % 3 == 1) OK(carom_collider_cylinder(radius, half_height, &collider));
            else OK(carom_collider_cone(radius, half_height, &collider));
        }
        CaromBodySettings settings = carom_body_settings_default();
        settings.pose.position.x = between(0.0, 32.0);
        settings.pose.position.y = between(0.0, 4.0);
        settings.pose.position.z = between(0.0, 32.0);
        settings.pose.rotation = random_rotation();
        OK(carom_world_add(world, collider, &settings, NULL));
        OK(carom_collider_free(collider));
    }
    float heights[FIELD * FIELD];
    for (int i = 0; i < FIELD * FIELD; i++) heights[i] = (float)between(0.0, 2.0);
    uint32_t holes[4] = {3, 4, 7, 1};
    CaromHeightFieldData data = carom_height_field_data_default();
    data.columns = FIELD;
    data.rows = FIELD;
    data.column_spacing = 1.5;
    data.row_spacing = 0.75;
    data.heights = heights;
    data.holes = holes;
    data.hole_count = 2;
    CaromCollider collider;
    OK(carom_collider_height_field(&data, &collider));
    CaromBodySettings settings = carom_body_settings_default();
    settings.pose.position = vec3(4.0, 1.0, 4.0);
    OK(carom_world_add(world, collider, &settings, NULL));
    OK(carom_collider_free(collider));
    OK(carom_collider_half_space(vec3(0.0, -3.0, 0.0), vec3(0.1, 2.0, 0.0), &collider));
    OK(carom_world_add(world, collider, NULL, NULL));
    OK(carom_collider_free(collider));
    add_compounds(world);
}

static void hash_casts(CaromWorld world, const CaromCast *casts, int count) {
    for (int i = 0; i < count; i++) {
        CaromHit hit;
        OK(carom_world_cast(world, &casts[i], &hit));
        hash_hit(&hit);
    }
}

// Characters as a cast sees them.
static void hash_targets(CaromTargets targets, const CaromCast *cast) {
    CaromCharacterHit hits[HEROES], first;
    size_t count;
    OK(carom_targets_cast_all(targets, cast, hits, HEROES, &count));
    hash_bits(count);
    for (size_t i = 0; i < count; i++) {
        hash_bits(hits[i].character);
        hash_number(hits[i].fraction);
        hash_vector(hits[i].normal);
    }
    OK(carom_targets_cast(targets, cast, 3, &first));
    if (first.is_hit) hash_number(first.fraction);
    else hash_bits(0);
    CaromClosestCharacter closest;
    OK(carom_targets_closest(targets, cast->shape, cast->from, 9.0, CAROM_LAYERS_ALL, &closest));
    if (closest.is_found) hash_number(closest.distance);
    else hash_bits(0);
    CaromCharacterContact contacts[HEROES];
    OK(carom_targets_contacts(targets, cast->shape, cast->from, 3.0, CAROM_LAYERS_ALL, contacts, HEROES, &count));
    for (size_t i = 0; i < count; i++) {
        hash_bits(contacts[i].character);
        hash_number(contacts[i].gap);
    }
    CaromCharacterOverlap overlapped[HEROES];
    OK(carom_targets_overlaps(targets, cast->shape, cast->from, CAROM_LAYERS_ALL, overlapped, HEROES, &count));
    for (size_t i = 0; i < count; i++) {
        hash_bits(overlapped[i].character);
        hash_bits(overlapped[i].user_data);
    }
}

// One hit a body, exits, the deepest first, and where a mover rests.
static void hash_answers(CaromWorld world, const CaromCast *cast) {
    static CaromHit hits[CASTS];
    size_t count;
    OK(carom_world_cast_bodies(world, cast, hits, CASTS, &count));
    for (size_t i = 0; i < count; i++) hash_hit(&hits[i]);
    OK(carom_world_ray_exits(world, cast->from, cast->translation, CAROM_LAYERS_ALL, hits, CASTS, &count));
    for (size_t i = 0; i < count; i++) hash_hit(&hits[i]);
    static CaromContact contacts[CASTS];
    OK(carom_world_deepest(world, cast->shape, cast->from, CAROM_LAYERS_ALL, contacts, CASTS, &count));
    for (size_t i = 0; i < count; i++) {
        hash_bits(contacts[i].part);
        hash_number(contacts[i].gap);
    }
    static CaromManifold manifolds[CASTS];
    OK(carom_world_manifolds(world, cast->shape, cast->from, 0.05, CAROM_LAYERS_ALL, manifolds, CASTS, &count));
    for (size_t i = 0; i < count; i++) {
        hash_vector(manifolds[i].normal);
        for (uint32_t j = 0; j < manifolds[i].point_count; j++) {
            hash_vector(manifolds[i].points[j].point);
            hash_number(manifolds[i].points[j].gap);
            hash_bits(manifolds[i].points[j].part);
        }
    }
}

// Balls that fall on a floor, some of them on a plate that turns.
static void hash_table(void) {
    static CaromBall balls[BALLS];
    for (int i = 0; i < BALLS; i++) {
        balls[i].position = vec3(i % 8 * 1.1, 2.0 + i / 8 * 1.1, between(-0.01, 0.01));
        balls[i].velocity = random_vector(-1.0, 1.0);
        balls[i].radius = 0.5;
        balls[i].mass = between(0.5, 2.0);
    }
    CaromWorld obstacles;
    OK(carom_world_new(&obstacles));
    CaromBodySettings settings = carom_body_settings_default();
    settings.motion = CAROM_MOTION_KINEMATIC;
    settings.pose.position = vec3(4.0, 0.5, 0.0);
    CaromBody plate;
    OK(carom_world_add_shape(obstacles, carom_cuboid(vec3(2.0, 0.1, 2.0)), &settings, &plate));
    CaromWall floor;
    memset(&floor, 0, sizeof floor);
    floor.kind = CAROM_WALL_KIND_PLANE;
    floor.b = vec3(0.0, 1.0, 0.0);
    CaromTableSetup setup = carom_table_setup_default();
    setup.gravity = vec3(0.0, -9.81, 0.0);
    setup.restitution = 0.8;
    setup.wall_restitution = 0.6;
    setup.balls = balls;
    setup.ball_count = BALLS;
    setup.walls = &floor;
    setup.wall_count = 1;
    setup.obstacles = obstacles;
    CaromTable table;
    OK(carom_table_new(&setup, &table));
    OK(carom_world_free(obstacles));
    OK(carom_table_drive(table, plate, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.5, 0.25)));
    for (;;) {
        CaromTableEvent event;
        OK(carom_table_next_event(table, 2.0, &event));
        if (event.kind == CAROM_TABLE_EVENT_KIND_NONE) break;
        hash_bits(event.kind);
        hash_bits(event.ball);
        hash_bits(event.other);
        hash_number(event.time);
    }
    CaromBallState states[BALLS];
    size_t count;
    OK(carom_table_balls(table, states, BALLS, &count));
    for (int i = 0; i < BALLS; i++) {
        hash_vector(states[i].position);
        hash_vector(states[i].velocity);
    }
    OK(carom_table_free(table));
}

int main(int argc, char **argv) {
    random_state = 24;
    CaromWorld world = random_world();
    static CaromCast casts[CASTS];
    static CaromHit hits[CASTS];
    for (int i = 0; i < CASTS; i++) casts[i] = random_cast(i);
    if (argc > 1) {
        size_t met = 0;
        for (int round = atoi(argv[1]); round > 0; round--) {
            for (int i = 0; i < CASTS; i++) {
                OK(carom_world_cast(world, &casts[i], &hits[0]));
                met += hits[0].is_hit;
            }
        }
        printf("%zu\n", met);
        return 0;
    }
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

    add_colliders(world);
    hash_casts(world, casts, CASTS);

    CaromBodySettings settings = carom_body_settings_default();
    CaromSensors sensors;
    OK(carom_sensors_new(&sensors));
    settings.is_sensor = 1;
    for (int i = 0; i < GATES; i++) {
        settings.pose.position = vec3(8.0 + 2.0 * i, 1.0, 16.0);
        OK(carom_world_add_shape(world, carom_cuboid(vec3(0.05, 3.0, 8.0)), &settings, NULL));
    }
    settings = carom_body_settings_default();
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
    CaromPushed pushed;
    OK(carom_pushed_new(vec3(0.0, -9.81, 0.0), 0.3, &pushed));
    CaromBody crates[CRATES];
    settings = carom_body_settings_default();
    settings.motion = CAROM_MOTION_DYNAMIC;
    settings.mass = 20.0;
    for (int i = 0; i < CRATES; i++) {
        settings.pose.position.x = between(10.0, 22.0);
        settings.pose.position.y = between(4.0, 9.0);
        settings.pose.position.z = between(10.0, 22.0);
        OK(carom_world_add_shape(world, carom_cuboid(vec3(0.4, 0.4, 0.4)), &settings, &crates[i]));
        OK(carom_pushed_add(pushed, world, crates[i]));
    }
    CaromTargets targets;
    OK(carom_targets_new(&targets));
    CaromCrowd crowd;
    OK(carom_crowd_new(&crowd));
    for (int tick = 0; tick < 240; tick++) {
        double rise = tick / 60 % 2 == 0 ? 1.5 : -1.5;
        CaromMove moves[2] = {carom_drive(lift, vec3(0.0, rise, 0.0), vec3(0.0, 0.0, 0.0)),
                              carom_drive(plate, vec3(0.0, 0.0, 0.0), vec3(0.0, 1.25, 0.25))};
        OK(carom_pushed_advance(pushed, world, 1.0 / 60.0, moves, 2));
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
        OK(carom_pushed_push_all(pushed, world, heroes, HEROES));
        for (int i = 0; i < HEROES; i++) {
            hash_vector(reports[i].position);
            hash_vector(reports[i].velocity);
            hash_number(reports[i].yaw);
            hash_bits(reports[i].on_ground);
        }
        size_t count;
        OK(carom_sensors_update(sensors, world, heroes, HEROES, &count));
        static CaromSensorEvent events[GATES * (HEROES + 2) * 2];
        OK(carom_sensors_events(sensors, events, GATES * (HEROES + 2) * 2, &count));
        for (size_t i = 0; i < count; i++) {
            hash_bits(events[i].kind);
            hash_bits(events[i].visitor.character);
            hash_number(events[i].time);
        }
        for (int i = 0; i < CRATES; i++) {
            CaromPose pose;
            CaromVec3 velocity;
            OK(carom_world_pose(world, crates[i], &pose));
            OK(carom_pushed_velocity(pushed, crates[i], &velocity));
            hash_vector(pose.position);
            hash_vector(velocity);
        }
        OK(carom_targets_update(targets, heroes, HEROES));
        for (int i = tick * 16; i < tick * 16 + 16; i++) {
            hash_targets(targets, &casts[i]);
            hash_answers(world, &casts[i]);
        }
    }
    hash_table();
    for (int i = 0; i < HEROES; i++) OK(carom_character_free(heroes[i]));
    OK(carom_crowd_free(crowd));
    OK(carom_sensors_free(sensors));
    OK(carom_targets_free(targets));
    OK(carom_pushed_free(pushed));
    OK(carom_world_free(world));
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
