// Colliders, sensors, balls and explorations: what they come to, and what they refuse.
#include "fails.h"

static const CaromCollider no_collider = {0};

static void colliders(double nan) {
    CaromWorld world;
    OK(carom_world_new(&world));
    CaromCollider collider, other;
    CaromVec3 corners[5] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {0.1, 0.1, 0.1}};
    OK(carom_collider_hull(corners, 5, &collider));
    CaromBodySettings settings = carom_body_settings_default();
    settings.user_data = 42;
    CaromBody hull;
    OK(carom_world_add(world, collider, &settings, &hull));
    // A body outlives its collider.
    OK(carom_collider_free(collider));
    FAILS(carom_world_add(world, collider, NULL, NULL), CAROM_STATUS_NO_SUCH_OBJECT, "freed");
    FAILS(carom_world_add(world, no_collider, NULL, NULL), CAROM_STATUS_NO_SUCH_OBJECT, "collider is null");
    CaromCast ray = carom_ray(vec3(0.5, 5, 0.5), vec3(0, -10, 0));
    CaromHit hit;
    OK(carom_world_cast(world, &ray, &hit));
    CHECK(hit.is_hit && hit.user_data == 42 && hit.body.value == hull.value);
    CHECK(hit.fraction > 0.399999 && hit.fraction <= 0.4);

    // A cylinder and a cone beside each other: the one is wide at the top, the other is not.
    OK(carom_collider_cylinder(1, 2, &collider));
    OK(carom_collider_cone(1, 2, &other));
    settings.pose.position = vec3(10, 0, 0);
    OK(carom_world_add(world, collider, &settings, NULL));
    settings.pose.position = vec3(20, 0, 0);
    OK(carom_world_add(world, other, &settings, NULL));
    ray = carom_ray(vec3(10.5, 4, 0), vec3(0, -8, 0));
    OK(carom_world_cast(world, &ray, &hit));
    CHECK(hit.is_hit && hit.fraction > 0.2499 && hit.fraction <= 0.25);
    ray.from.x = 20.5;
    OK(carom_world_cast(world, &ray, &hit));
    CHECK(hit.is_hit && hit.fraction > 0.4999 && hit.fraction <= 0.5);
    OK(carom_collider_free(collider));
    OK(carom_collider_free(other));
    FAILS(carom_collider_cylinder(nan, 1, &collider), CAROM_STATUS_BAD_VALUE, "radius");
    FAILS(carom_collider_cone(1, -1, &collider), CAROM_STATUS_BAD_VALUE, "half_height");
    FAILS(carom_collider_cone(1, 1, NULL), CAROM_STATUS_NULL_POINTER, "collider");
    FAILS(carom_collider_hull(corners, 3, &collider), CAROM_STATUS_BAD_VALUE, "4");
    FAILS(carom_collider_hull(NULL, 4, &collider), CAROM_STATUS_NULL_POINTER, "points");
    corners[1].y = nan;
    FAILS(carom_collider_hull(corners, 5, &collider), CAROM_STATUS_BAD_VALUE, "finite");
    FAILS(carom_collider_half_space(vec3(0, 0, 0), vec3(0, 0, 0), &collider), CAROM_STATUS_BAD_VALUE, "normal");
    FAILS(carom_collider_half_space(vec3(nan, 0, 0), vec3(0, 1, 0), &collider), CAROM_STATUS_BAD_VALUE, "finite");

    // A height field of samples in steps, with a hole and two materials.
    uint16_t steps[6] = {0, 2, 4, 0, 2, 4};
    uint32_t hole[2] = {1, 0};
    CaromSurface surfaces[2] = {carom_surface_default(), carom_surface_default()};
    surfaces[1].tag = 9;
    uint8_t ids[2] = {1, 0};
    CaromHeightFieldData data = carom_height_field_data_default();
    data.columns = 3;
    data.rows = 2;
    data.steps = steps;
    data.lowest = 10;
    data.step = 0.5;
    data.surfaces = surfaces;
    data.surface_count = 2;
    data.surface_ids = ids;
    OK(carom_collider_height_field(&data, &collider));
    OK(carom_world_add(world, collider, NULL, NULL));
    ray = carom_ray(vec3(0.5, 20, 0.5), vec3(0, -20, 0));
    OK(carom_world_cast(world, &ray, &hit));
    CHECK(hit.is_hit && hit.point.y > 10.4999 && hit.point.y < 10.5001);
    OK(carom_collider_free(collider));
    data.holes = hole;
    data.hole_count = 1;
    OK(carom_collider_height_field(&data, &collider));
    OK(carom_collider_free(collider));
    hole[0] = 2;
    FAILS(carom_collider_height_field(&data, &collider), CAROM_STATUS_BAD_VALUE, "no cell 2, 0");
    data.hole_count = SIZE_MAX;
    FAILS(carom_collider_height_field(&data, &collider), CAROM_STATUS_BAD_VALUE, "too many holes");
    data.hole_count = 0;
    ids[1] = 2;
    FAILS(carom_collider_height_field(&data, &collider), CAROM_STATUS_BAD_VALUE, "beyond");
    ids[1] = 0;
    surfaces[1].friction = nan;
    FAILS(carom_collider_height_field(&data, &collider), CAROM_STATUS_BAD_VALUE, "surface 1");
    data.surface_count = 0;
    data.surface_ids = NULL;
    data.row_spacing = 0;
    FAILS(carom_collider_height_field(&data, &collider), CAROM_STATUS_BAD_VALUE, "spacing");
    data.row_spacing = 1;
    data.step = nan;
    FAILS(carom_collider_height_field(&data, &collider), CAROM_STATUS_BAD_VALUE, "sample 0");
    float heights[6] = {0, 0, 0, 0, 0, (float)nan};
    data.heights = heights;
    FAILS(carom_collider_height_field(&data, &collider), CAROM_STATUS_BAD_VALUE, "either heights or steps");
    data.steps = NULL;
    FAILS(carom_collider_height_field(&data, &collider), CAROM_STATUS_BAD_VALUE, "sample 5");
    data.columns = 1;
    FAILS(carom_collider_height_field(&data, &collider), CAROM_STATUS_BAD_VALUE, "at least 2 columns");
    data.size = 0;
    FAILS(carom_collider_height_field(&data, &collider), CAROM_STATUS_STRUCT_SIZE, "_default");
    OK(carom_world_free(world));
}

// A table of pieces: a top of a box, a leg of a mesh with a material of its own, one body.
static void compounds(double nan) {
    CaromWorld world;
    OK(carom_world_new(&world));
    CaromCollider top, leg, table;
    OK(carom_collider_shape(carom_cuboid(vec3(2, 0.5, 2)), &top));
    float corners[12] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0};
    uint32_t triangles[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    CaromMeshData data = carom_mesh_data_default();
    data.vertices = corners;
    data.vertex_count = 4;
    data.triangles = triangles;
    data.triangle_count = 4;
    CaromMesh mesh;
    OK(carom_mesh_new(&data, &mesh));
    OK(carom_collider_mesh(mesh, &leg));
    OK(carom_mesh_free(mesh));
    CaromPose up = carom_pose_at(vec3(0, 3, 0)), aside = carom_pose_at(vec3(5, 0, 0));
    CaromCompoundPiece pieces[2] = {carom_compound_piece(top, up), carom_compound_piece(leg, aside)};
    pieces[0].has_surface = 1;
    pieces[0].surface.friction = 0.25;
    OK(carom_collider_compound(pieces, 2, &table));
    OK(carom_collider_free(leg));
    CaromBodySettings settings = carom_body_settings_default();
    settings.pose.position = vec3(10, 0, 0);
    settings.user_data = 7;
    CaromBody body;
    OK(carom_world_add(world, table, &settings, &body));
    CaromHit hit;
    CaromCast ray = carom_ray(vec3(10, 13.5, 0), vec3(0, -20, 0));
    OK(carom_world_cast(world, &ray, &hit));
    CHECK(hit.is_hit && hit.user_data == 7 && hit.part == 0 && hit.fraction > 0.499999 && hit.fraction <= 0.5);
    ray.from.x = 15.1;
    ray.from.z = 0.1;
    OK(carom_world_cast(world, &ray, &hit));
    CHECK(hit.is_hit && hit.body.value == body.value && hit.part > 0);
    size_t piece;
    uint32_t own_part;
    OK(carom_collider_piece_of(table, hit.part, &piece, &own_part));
    CHECK(piece == 1 && own_part + 1 == hit.part);
    OK(carom_collider_piece_of(table, 0, &piece, NULL));
    CHECK(piece == 0);
    FAILS(carom_collider_piece_of(table, 5, &piece, NULL), CAROM_STATUS_BAD_VALUE, "no part 5");
    FAILS(carom_collider_piece_of(top, 0, &piece, NULL), CAROM_STATUS_BAD_VALUE, "not a compound");
    FAILS(carom_collider_piece_of(leg, 0, &piece, NULL), CAROM_STATUS_NO_SUCH_OBJECT, "freed");

    CaromCollider refused;
    FAILS(carom_collider_compound(NULL, 0, &refused), CAROM_STATUS_BAD_VALUE, "at least one piece");
    FAILS(carom_collider_compound(NULL, 1, &refused), CAROM_STATUS_NULL_POINTER, "pieces");
    FAILS(carom_collider_compound(pieces, 2, &refused), CAROM_STATUS_NO_SUCH_OBJECT, "piece 1: ");
    pieces[1].collider = table;
    FAILS(carom_collider_compound(pieces, 2, &refused), CAROM_STATUS_BAD_VALUE, "piece 1 is a compound");
    pieces[0].has_surface = 2;
    FAILS(carom_collider_compound(pieces, 1, &refused), CAROM_STATUS_BAD_VALUE, "piece 0: has_surface is 2");
    pieces[0].has_surface = 1;
    pieces[0].surface.restitution = -1;
    FAILS(carom_collider_compound(pieces, 1, &refused), CAROM_STATUS_BAD_VALUE, "piece 0: ");
    pieces[0].has_surface = 0;
    pieces[0].pose.position.y = nan;
    FAILS(carom_collider_compound(pieces, 1, &refused), CAROM_STATUS_BAD_VALUE, "piece 0: ");
    OK(carom_collider_free(top));
    OK(carom_collider_free(table));
    OK(carom_world_free(world));
}

static void sensors(void) {
    CaromWorld world;
    OK(carom_world_new(&world));
    CaromBodySettings settings = carom_body_settings_default();
    settings.pose.position = vec3(0, -1, 0);
    OK(carom_world_add_shape(world, carom_cuboid(vec3(99, 1, 99)), &settings, NULL));
    settings.pose.position = vec3(4, 1, 0);
    settings.is_sensor = 1;
    settings.user_data = 7;
    CaromBody gate;
    OK(carom_world_add_shape(world, carom_cuboid(vec3(0.01, 2, 5)), &settings, &gate));
    CaromCharacter heroes[2];
    OK(carom_character_new(carom_capsule(0.3, 0.6), NULL, vec3(50, 0.95, 0), &heroes[0]));
    OK(carom_character_new(carom_capsule(0.3, 0.6), NULL, vec3(0, 0.95, 0), &heroes[1]));
    OK(carom_character_set_user_data(heroes[1], 11));
    CaromSensors sensors, saved;
    OK(carom_sensors_new(&sensors));
    CaromSensorEvent events[4];
    size_t count, all = 0;
    uint32_t kinds[16];
    for (int tick = 0; tick < 10; tick++) {
        OK(carom_world_advance(world, 1.0 / 60.0, NULL, 0));
        // 3 m in a tick, through 2 cm.
        OK(carom_character_step(heroes[1], world, carom_walk(vec3(180, 0, 0)), 1.0 / 60.0, NULL));
        OK(carom_character_step(heroes[0], world, carom_idle(), 1.0 / 60.0, NULL));
        OK(carom_sensors_update(sensors, world, heroes, 2, &count));
        size_t again;
        OK(carom_sensors_events(sensors, events, 4, &again));
        CHECK(count == again);
        for (size_t i = 0; i < count; i++) {
            CHECK(events[i].sensor.value == gate.value && events[i].sensor_user_data == 7);
            CHECK(events[i].visitor.character == 1 && events[i].visitor_user_data == 11);
            kinds[all++] = events[i].kind;
        }
    }
    CHECK(all == 2 && kinds[0] == CAROM_SENSOR_EVENT_KIND_ENTERED && kinds[1] == CAROM_SENSOR_EVENT_KIND_LEFT);
    // In it, and out of it by a teleport, in a copy of a moment ago too.
    OK(carom_character_teleport(heroes[1], vec3(4, 0.95, 0)));
    OK(carom_character_step(heroes[1], world, carom_idle(), 1.0 / 60.0, NULL));
    OK(carom_sensors_update(sensors, world, heroes, 2, &count));
    CHECK(count == 1);
    CaromObstacle visitors[2];
    OK(carom_sensors_inside(sensors, gate, visitors, 2, &count));
    CHECK(count == 1 && visitors[0].character == 1 && visitors[0].body.value == 0);
    OK(carom_sensors_clone(sensors, &saved));
    OK(carom_character_teleport(heroes[1], vec3(-9, 0.95, 0)));
    OK(carom_sensors_update(sensors, world, heroes, 2, &count));
    OK(carom_sensors_events(sensors, events, 4, &count));
    CHECK(count == 1 && events[0].kind == CAROM_SENSOR_EVENT_KIND_LEFT && events[0].time == 0);
    OK(carom_sensors_inside(saved, gate, visitors, 2, &count));
    CHECK(count == 1);
    FAILS(carom_sensors_inside(saved, gate, NULL, 0, &count), CAROM_STATUS_BUFFER_TOO_SMALL, "1 answers");
    CaromBody nothing = {0};
    FAILS(carom_sensors_inside(saved, nothing, visitors, 2, &count), CAROM_STATUS_NO_SUCH_BODY, "null");
    FAILS(carom_sensors_update(sensors, world, NULL, 1, &count), CAROM_STATUS_NULL_POINTER, "characters");
    OK(carom_character_free(heroes[0]));
    FAILS(carom_sensors_update(sensors, world, heroes, 2, &count), CAROM_STATUS_NO_SUCH_OBJECT, "character 0");
    OK(carom_sensors_free(saved));
    OK(carom_sensors_free(sensors));
    FAILS(carom_sensors_events(sensors, events, 4, &count), CAROM_STATUS_NO_SUCH_OBJECT, "freed");
    OK(carom_character_free(heroes[1]));
    OK(carom_world_free(world));
}

static void balls(double nan, double infinity) {
    // The first goes at 1 m/s to the second, and gives it all it has; then comes a wall.
    CaromBall two[2] = {{{0, 0, 0}, {1, 0, 0}, 0.5, 1}, {{3, 0, 0}, {0, 0, 0}, 0.5, 1}};
    CaromWall wall;
    memset(&wall, 0, sizeof wall);
    wall.kind = CAROM_WALL_KIND_SEGMENT;
    wall.a = vec3(6, -1, 0);
    wall.b = vec3(6, 1, 0);
    CaromTableSetup setup = carom_table_setup_default();
    setup.is_flat = 1;
    setup.balls = two;
    setup.ball_count = 2;
    setup.walls = &wall;
    setup.wall_count = 1;
    CaromTable table, saved;
    OK(carom_table_new(&setup, &table));
    CaromTableEvent event;
    OK(carom_table_next_event(table, 9, &event));
    CHECK(event.kind == CAROM_TABLE_EVENT_KIND_BALLS && event.ball == 0 && event.other == 1 && event.time == 2);
    OK(carom_table_clone(table, &saved));
    OK(carom_table_next_event(table, 9, &event));
    CHECK(event.kind == CAROM_TABLE_EVENT_KIND_WALL && event.ball == 1 && event.other == 0 && event.time == 4.5);
    CaromBallState states[2];
    size_t count;
    OK(carom_table_balls(table, states, 2, &count));
    CHECK(count == 2 && states[1].velocity.x == -1 && states[0].velocity.x == 0 && states[0].position.x == 2);
    FAILS(carom_table_balls(table, states, 1, &count), CAROM_STATUS_BUFFER_TOO_SMALL, "2 answers");
    double energy, seconds;
    CaromVec3 momentum;
    OK(carom_table_energy(table, &energy, &momentum));
    CHECK(energy == 0.5 && momentum.x == -1);
    OK(carom_table_energy(table, NULL, NULL));
    OK(carom_table_reverse(table));
    OK(carom_table_next_event(saved, 4, &event));
    OK(carom_table_time(saved, &seconds));
    CHECK(event.kind == CAROM_TABLE_EVENT_KIND_NONE && seconds == 4);
    OK(carom_table_strike(saved, 0, vec3(0, 1, 0)));
    FAILS(carom_table_strike(saved, 2, vec3(0, 1, 0)), CAROM_STATUS_BAD_VALUE, "no ball 2");
    FAILS(carom_table_strike(saved, 0, vec3(0, 0, 1)), CAROM_STATUS_BAD_VALUE, "plane");
    FAILS(carom_table_strike(saved, 0, vec3(0, nan, 0)), CAROM_STATUS_BAD_VALUE, "velocity");
    FAILS(carom_table_next_event(saved, nan, &event), CAROM_STATUS_BAD_VALUE, "until");
    OK(carom_table_next_event(saved, -infinity, &event));
    FAILS(carom_table_drive(saved, (CaromBody){0}, vec3(0, 0, 0), vec3(0, 0, 0)), CAROM_STATUS_NO_SUCH_BODY, "null");
    OK(carom_table_free(saved));
    FAILS(carom_table_next_event(saved, 1, &event), CAROM_STATUS_NO_SUCH_OBJECT, "freed");
    OK(carom_table_free(table));

    // A door comes at 1 m/s.
    CaromWorld obstacles;
    OK(carom_world_new(&obstacles));
    CaromBodySettings settings = carom_body_settings_default();
    settings.motion = CAROM_MOTION_KINEMATIC;
    settings.pose.position = vec3(-3, 0, 0);
    CaromBody door, post;
    OK(carom_world_add_shape(obstacles, carom_cuboid(vec3(0.5, 2, 2)), &settings, &door));
    OK(carom_world_add_shape(obstacles, carom_sphere(1), NULL, &post));
    OK(carom_world_set_pose(obstacles, post, carom_pose_at(vec3(0, 50, 0))));
    two[0].velocity.x = 0;
    setup.ball_count = 1;
    setup.wall_count = 0;
    setup.is_flat = 0;
    setup.obstacles = obstacles;
    OK(carom_table_new(&setup, &table));
    OK(carom_world_free(obstacles));
    OK(carom_table_drive(table, door, vec3(1, 0, 0), vec3(0, 0, 0)));
    FAILS(carom_table_drive(table, post, vec3(1, 0, 0), vec3(0, 0, 0)), CAROM_STATUS_NO_SUCH_BODY, "obstacles");
    OK(carom_table_next_event(table, 9, &event));
    CHECK(event.kind == CAROM_TABLE_EVENT_KIND_OBSTACLE && event.body.value == door.value && event.time == 2);
    CaromPose pose;
    OK(carom_table_body_pose(table, door, &pose));
    CHECK(pose.position.x == -1);
    FAILS(carom_table_body_pose(table, post, &pose), CAROM_STATUS_NO_SUCH_BODY, "obstacles");
    OK(carom_table_place_body(table, door, carom_pose_at(vec3(-30, 0, 0))));
    OK(carom_table_body_pose(table, door, &pose));
    CHECK(pose.position.x == -30);
    OK(carom_table_free(table));

    // A ball in a pocket.
    CaromPocket pocket = {{2, 0, 0}, 0.25};
    setup = carom_table_setup_default();
    two[0].velocity.x = 1;
    setup.balls = two;
    setup.ball_count = 1;
    setup.pockets = &pocket;
    setup.pocket_count = 1;
    OK(carom_table_new(&setup, &table));
    OK(carom_table_next_event(table, infinity, &event));
    CHECK(event.kind == CAROM_TABLE_EVENT_KIND_POCKET && event.ball == 0 && event.time == 1.75);
    FAILS(carom_table_strike(table, 0, vec3(1, 0, 0)), CAROM_STATUS_BAD_VALUE, "pocket");
    OK(carom_table_free(table));

    two[1].position.x = 0.5;
    setup.ball_count = 2;
    FAILS(carom_table_new(&setup, &table), CAROM_STATUS_BAD_VALUE, "balls 0 and 1 overlap");
    two[1].radius = nan;
    FAILS(carom_table_new(&setup, &table), CAROM_STATUS_BAD_VALUE, "ball 1");
    setup.ball_count = 1;
    setup.restitution = 2;
    FAILS(carom_table_new(&setup, &table), CAROM_STATUS_BAD_VALUE, "restitution");
    setup.restitution = 1;
    setup.has_cloth = 2;
    FAILS(carom_table_new(&setup, &table), CAROM_STATUS_BAD_VALUE, "has_cloth");
    setup.has_cloth = 0;
    setup.walls = &wall;
    setup.wall_count = 1;
    wall.kind = 3;
    FAILS(carom_table_new(&setup, &table), CAROM_STATUS_BAD_VALUE, "wall 0: there is no kind of wall 3");
    setup.balls = NULL;
    FAILS(carom_table_new(&setup, &table), CAROM_STATUS_NULL_POINTER, "balls");
    setup.size++;
    FAILS(carom_table_new(&setup, &table), CAROM_STATUS_STRUCT_SIZE, "setup");
}

struct listener {
    CaromMesh mesh;
    int progress, findings, falls, warnings, reports, most;
    double x;
};

static bool on_progress(void *user, const CaromExploreProgress *progress) {
    struct listener *listener = user;
    listener->progress++;
    CHECK(progress->done <= progress->places);
    // It may call what it wants, also about the level that is walked.
    size_t count;
    OK(carom_mesh_counts(listener->mesh, NULL, &count));
    return listener->progress < listener->most;
}

static void on_finding(void *user, const CaromFinding *finding) {
    struct listener *listener = user;
    listener->findings++;
    CHECK(finding->id != NULL && strlen(finding->id) > 0 && strlen(finding->meaning) > 0);
    CHECK((finding->folded == NULL) == finding->is_listed);
    if (finding->code == CAROM_FINDING_CODE_FALL_OUT && finding->is_listed) {
        listener->falls++;
        listener->x = finding->position.x;
        CHECK(finding->is_error && finding->way_count > 1 && finding->way[finding->way_count - 1].y < -5);
    }
}

static void on_warning(void *user, const char *code, const char *message) {
    struct listener *listener = user;
    listener->warnings++;
    CHECK(strlen(code) > 0 && strlen(message) > 0);
}

static void on_report(void *user, const char *json) {
    struct listener *listener = user;
    listener->reports++;
    CHECK(strstr(json, "\"FALL_OUT\"") != NULL || listener->falls == 0);
}

// A floor of 20 × 20 m with walls around it and a hole of 2 × 2 m at x = 5.
static CaromMesh holey_floor(void) {
    enum { SIDE_CELLS = 10 };
    static float vertices[((SIDE_CELLS + 1) * (SIDE_CELLS + 1) + 8) * 3];
    static uint32_t triangles[(SIDE_CELLS * SIDE_CELLS + 4) * 6];
    size_t v = 0, t = 0;
    for (int z = 0; z <= SIDE_CELLS; z++) {
        for (int x = 0; x <= SIDE_CELLS; x++) {
            vertices[v++] = (float)(2 * x - 10);
            vertices[v++] = 0;
            vertices[v++] = (float)(2 * z - 10);
        }
    }
    for (uint32_t z = 0; z < SIDE_CELLS; z++) {
        for (uint32_t x = 0; x < SIDE_CELLS; x++) {
            if (x == 7 && z == 5) continue;
            uint32_t corner = z * (SIDE_CELLS + 1) + x;
            uint32_t six[6] = {corner,     corner + SIDE_CELLS + 1, corner + 1,
                               corner + 1, corner + SIDE_CELLS + 1, corner + SIDE_CELLS + 2};
            for (int i = 0; i < 6; i++) triangles[t++] = six[i];
        }
    }
    uint32_t first = (SIDE_CELLS + 1) * (SIDE_CELLS + 1);
    static const float corners[4][2] = {{-10, -10}, {10, -10}, {10, 10}, {-10, 10}};
    for (uint32_t i = 0; i < 4; i++) {
        for (int high = 0; high < 2; high++) {
            vertices[v++] = corners[i][0];
            vertices[v++] = (float)(6 * high);
            vertices[v++] = corners[i][1];
        }
        uint32_t a = first + 2 * i, b = first + 2 * ((i + 1) % 4);
        uint32_t six[6] = {a, b, b + 1, a, b + 1, a + 1};
        for (int j = 0; j < 6; j++) triangles[t++] = six[j];
    }
    CaromMeshData data = carom_mesh_data_default();
    data.vertices = vertices;
    data.vertex_count = v / 3;
    data.triangles = triangles;
    data.triangle_count = t / 3;
    CaromMesh mesh;
    OK(carom_mesh_new(&data, &mesh));
    return mesh;
}

static void explorations(double nan) {
    CaromMesh mesh = holey_floor();
    CaromExploreRules rules = carom_explore_rules_default();
    struct listener seen;
    memset(&seen, 0, sizeof seen);
    seen.mesh = mesh;
    seen.most = 1 << 30;
    CaromExploreListener listener = carom_explore_listener_default();
    listener.user = &seen;
    listener.progress = on_progress;
    listener.finding = on_finding;
    listener.warning = on_warning;
    listener.report = on_report;
    CaromVec3 spawn = {-4, 1, 0};
    CaromExplored explored;
    OK(carom_explore(mesh, &rules, &spawn, 1, &listener, &explored));
    CHECK(explored.is_complete && seen.reports == 1 && seen.progress > 1);
    CHECK(seen.falls == 1 && seen.x > 3 && seen.x < 7);
    CHECK((size_t)seen.findings == explored.finding_count && explored.error_count == 1);
    CHECK(explored.reached_area > 300 && explored.reached_area <= explored.floor_area);
    CHECK(explored.places > 100 && explored.ticks > 1000 && explored.seconds > 0);

    // Stopped by the listener, and by the clock; no listener.
    memset(&seen, 0, sizeof seen);
    seen.mesh = mesh;
    seen.most = 2;
    OK(carom_explore(mesh, &rules, &spawn, 1, &listener, &explored));
    CHECK(!explored.is_complete && seen.progress == 2 && seen.reports == 1);
    rules.most_seconds = 1e-9;
    OK(carom_explore(mesh, &rules, &spawn, 1, NULL, &explored));
    CHECK(!explored.is_complete);
    OK(carom_explore(mesh, &rules, &spawn, 1, NULL, NULL));

    CaromExploreRules quake;
    OK(carom_explore_preset("quake", &quake));
    CHECK(quake.shape.kind == CAROM_SHAPE_KIND_CUBOID && quake.speed == 10);
    FAILS(carom_explore_preset("chess", &quake), CAROM_STATUS_BAD_VALUE, "no preset chess: use quake");
    FAILS(carom_explore_preset(NULL, &quake), CAROM_STATUS_NULL_POINTER, "name");

    rules.most_seconds = nan;
    FAILS(carom_explore(mesh, &rules, &spawn, 1, NULL, NULL), CAROM_STATUS_BAD_VALUE, "most_seconds");
    rules.most_seconds = 0;
    rules.speed = nan;
    FAILS(carom_explore(mesh, &rules, &spawn, 1, NULL, NULL), CAROM_STATUS_BAD_VALUE, "speed");
    rules.speed = 5;
    rules.cell = -1;
    FAILS(carom_explore(mesh, &rules, &spawn, 1, NULL, NULL), CAROM_STATUS_BAD_VALUE, "cell");
    rules.cell = 0;
    rules.shape = carom_point();
    FAILS(carom_explore(mesh, &rules, &spawn, 1, NULL, NULL), CAROM_STATUS_BAD_VALUE, "point");
    rules.shape = carom_sphere(0.5);
    rules.settings.size = 0;
    FAILS(carom_explore(mesh, &rules, &spawn, 1, NULL, NULL), CAROM_STATUS_STRUCT_SIZE, "size");
    spawn.y = nan;
    FAILS(carom_explore(mesh, NULL, &spawn, 1, NULL, NULL), CAROM_STATUS_BAD_VALUE, "spawn");
    FAILS(carom_explore(mesh, NULL, NULL, 1, NULL, NULL), CAROM_STATUS_NULL_POINTER, "spawns");
    listener.size = 4;
    FAILS(carom_explore(mesh, NULL, NULL, 0, &listener, NULL), CAROM_STATUS_STRUCT_SIZE, "listener");
    OK(carom_mesh_free(mesh));
    FAILS(carom_explore(mesh, NULL, NULL, 0, NULL, NULL), CAROM_STATUS_NO_SUCH_OBJECT, "freed");

    // A wall alone has no floor; a level with an origin of its own has no grid.
    float wall[9] = {0, 0, 0, 0, 5, 0, 5, 0, 0};
    uint32_t triangle[3] = {0, 1, 2};
    CaromMeshData data = carom_mesh_data_default();
    data.vertices = wall;
    data.vertex_count = 3;
    data.triangles = triangle;
    data.triangle_count = 1;
    OK(carom_mesh_new(&data, &mesh));
    FAILS(carom_explore(mesh, NULL, NULL, 0, NULL, NULL), CAROM_STATUS_CANNOT_EXPLORE, "floor");
    OK(carom_mesh_free(mesh));
    data.origin.x = 1000;
    OK(carom_mesh_new(&data, &mesh));
    FAILS(carom_explore(mesh, NULL, NULL, 0, NULL, NULL), CAROM_STATUS_CANNOT_EXPLORE, "origin");
    OK(carom_mesh_free(mesh));
}

// What crushes a character and who stands on it are named with their own numbers.
static void crushers_and_riders(void) {
    CaromWorld world;
    OK(carom_world_new(&world));
    CaromBodySettings settings = carom_body_settings_default();
    settings.pose.position = vec3(0, -1, 0);
    settings.user_data = 21;
    OK(carom_world_add_shape(world, carom_cuboid(vec3(9, 1, 9)), &settings, NULL));
    settings.motion = CAROM_MOTION_KINEMATIC;
    settings.pose.position = vec3(0, 4.5, 0);
    settings.user_data = 22;
    CaromBody press;
    OK(carom_world_add_shape(world, carom_cuboid(vec3(1, 0.5, 1)), &settings, &press));
    CaromCharacter heroes[2];
    for (int i = 0; i < 2; i++) {
        OK(carom_character_new(carom_capsule(0.3, 0.6), NULL, vec3(0, 0.95 + 1.85 * i, 0), &heroes[i]));
        OK(carom_character_set_user_data(heroes[i], 10 + i));
    }
    CaromCrowd crowd;
    OK(carom_crowd_new(&crowd));
    CaromInput inputs[2] = {carom_idle(), carom_idle()};
    CaromMove down = carom_drive(press, vec3(0, -1, 0), vec3(0, 0, 0));
    bool is_ridden = false, is_crushed = false;
    for (int tick = 0; tick < 120 && !is_crushed; tick++) {
        OK(carom_world_advance(world, 1.0 / 60.0, &down, 1));
        OK(carom_crowd_step(crowd, world, heroes, inputs, 2, 1.0 / 60.0, NULL));
        CaromRider riders[4];
        size_t count;
        OK(carom_character_riders(heroes[0], riders, 4, &count));
        CHECK(count <= 1);
        is_ridden = is_ridden || (count == 1 && riders[0].character == 1 && riders[0].user_data == 11);
        CaromCrusher crushers[8];
        OK(carom_character_crushed_by(heroes[1], crushers, 8, &count));
        bool by_press = false, by_other = false;
        for (size_t i = 0; i < count; i++) {
            if (crushers[i].obstacle.body.value == press.value) by_press = crushers[i].user_data == 22;
            else if (crushers[i].obstacle.character == 0) by_other = crushers[i].user_data == 10;
        }
        CHECK(count == 0 || (by_press && by_other));
        is_crushed = count > 0;
        if (is_ridden && count == 2) FAILS(carom_character_crushed_by(heroes[1], crushers, 1, &count),
                                           CAROM_STATUS_BUFFER_TOO_SMALL, "2 answers");
    }
    CHECK(is_ridden && is_crushed);
    FAILS(carom_character_riders(heroes[0], NULL, 0, NULL), CAROM_STATUS_NULL_POINTER, "count");
    OK(carom_crowd_free(crowd));
    for (int i = 0; i < 2; i++) OK(carom_character_free(heroes[i]));
    OK(carom_world_free(world));
}

int main(void) {
    double zero = 0.0;
    double nan = zero / zero, infinity = 1.0 / zero;
    colliders(nan);
    compounds(nan);
    sensors();
    crushers_and_riders();
    balls(nan, infinity);
    explorations(nan);
    puts("games: colliders, sensors, crushers, balls and explorations");
    return 0;
}
