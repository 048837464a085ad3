// Everything that a program can get wrong and the library can see: each is a status with a message.
#include "fails.h"

static const CaromWorld no_world = {0};
static const CaromMesh no_mesh = {0};
static const CaromCharacter no_character = {0};
static const CaromBody no_body = {0};

static CaromWorld world_with(CaromBody *floor, CaromBody *lift) {
    CaromWorld world;
    OK(carom_world_new(&world));
    OK(carom_world_add_shape(world, carom_cuboid(vec3(9, 1, 9)), NULL, floor));
    CaromBodySettings settings = carom_body_settings_default();
    settings.motion = CAROM_MOTION_KINEMATIC;
    settings.pose.position = vec3(0, 5, 0);
    OK(carom_world_add_shape(world, carom_sphere(1), &settings, lift));
    return world;
}

static void handles(void) {
    CaromBody floor, lift;
    CaromWorld world = world_with(&floor, &lift);
    CaromHit hit;
    CaromCast cast = carom_ray(vec3(3, 5, 0), vec3(0, -9, 0));
    OK(carom_world_cast(world, &cast, &hit));
    CHECK(hit.is_hit && hit.body.value == floor.value && hit.normal.y == 1.0);

    // Null.
    FAILS(carom_world_cast(no_world, &cast, &hit), CAROM_STATUS_NO_SUCH_OBJECT, "world is null");
    FAILS(carom_world_add_mesh(world, no_mesh, NULL, NULL), CAROM_STATUS_NO_SUCH_OBJECT, "mesh is null");
    FAILS(carom_character_teleport(no_character, vec3(0, 0, 0)), CAROM_STATUS_NO_SUCH_OBJECT, "null");
    OK(carom_world_free(no_world));
    OK(carom_mesh_free(no_mesh));
    OK(carom_character_free(no_character));

    // Of another kind, and never given out.
    CaromMesh not_a_mesh = {world.value};
    FAILS(carom_world_add_mesh(world, not_a_mesh, NULL, NULL), CAROM_STATUS_NO_SUCH_OBJECT, "another kind");
    CaromWorld made_up = {world.value + 1000};
    FAILS(carom_world_cast(made_up, &cast, &hit), CAROM_STATUS_NO_SUCH_OBJECT, "never given out");
    CaromWorld ones = {UINT64_MAX};
    FAILS(carom_world_cast(ones, &cast, &hit), CAROM_STATUS_NO_SUCH_OBJECT, "never given out");

    // Freed, freed twice, and freed with another in its place.
    OK(carom_world_free(world));
    FAILS(carom_world_free(world), CAROM_STATUS_NO_SUCH_OBJECT, "freed");
    FAILS(carom_world_cast(world, &cast, &hit), CAROM_STATUS_NO_SUCH_OBJECT, "freed");
    CaromBody other_floor, other_lift;
    CaromWorld next = world_with(&other_floor, &other_lift);
    FAILS(carom_world_cast(world, &cast, &hit), CAROM_STATUS_NO_SUCH_OBJECT, "freed");

    // Bodies of another world, null, removed; of a clone.
    CaromPose pose;
    FAILS(carom_world_pose(next, floor, &pose), CAROM_STATUS_NO_SUCH_BODY, "no such body");
    FAILS(carom_world_pose(next, no_body, &pose), CAROM_STATUS_NO_SUCH_BODY, "null");
    FAILS(carom_world_set_pose(next, floor, carom_pose_at(vec3(0, 0, 0))), CAROM_STATUS_NO_SUCH_BODY, "no such");
    FAILS(carom_world_remove(next, floor), CAROM_STATUS_NO_SUCH_BODY, "no such body");
    cast.exclude = floor;
    FAILS(carom_world_cast(next, &cast, &hit), CAROM_STATUS_NO_SUCH_BODY, "no such body");
    CaromWorld clone;
    OK(carom_world_clone(next, &clone));
    OK(carom_world_pose(clone, other_floor, &pose));
    CaromBody only_there;
    OK(carom_world_add_shape(clone, carom_sphere(1), NULL, &only_there));
    FAILS(carom_world_pose(next, only_there, &pose), CAROM_STATUS_NO_SUCH_BODY, "no such body");
    OK(carom_world_remove(next, other_floor));
    FAILS(carom_world_remove(next, other_floor), CAROM_STATUS_NO_SUCH_BODY, "no such body");
    size_t count;
    OK(carom_world_body_count(next, &count));
    CHECK(count == 1);
    OK(carom_world_body_count(clone, &count));
    CHECK(count == 3);

    // Moves.
    CaromMove moves[3] = {carom_drive(other_lift, vec3(0, 1, 0), vec3(0, 0, 0)),
                          carom_drive(other_floor, vec3(0, 1, 0), vec3(0, 0, 0)),
                          carom_move_to(other_lift, carom_pose_at(vec3(0, 7, 0)))};
    FAILS(carom_world_advance(clone, 0.5, moves, 3), CAROM_STATUS_FIXED_BODY, "move 1");
    OK(carom_world_pose(clone, other_lift, &pose));
    CHECK(pose.position.y == 7.0); // The others have gone.
    FAILS(carom_world_advance(next, 0.5, moves, 3), CAROM_STATUS_NO_SUCH_BODY, "move 1");
    moves[1].kind = 7;
    FAILS(carom_world_advance(clone, 0.5, moves, 2), CAROM_STATUS_BAD_VALUE, "kind of move 7");
    moves[1] = carom_drive(other_lift, vec3(0, 1e308 * 10, 0), vec3(0, 0, 0));
    FAILS(carom_world_advance(clone, 0.5, moves, 2), CAROM_STATUS_BAD_VALUE, "move 1");
    FAILS(carom_world_advance(clone, -1, NULL, 0), CAROM_STATUS_BAD_VALUE, "seconds");
    OK(carom_world_free(clone));
    OK(carom_world_free(next));
}

static void pointers(void) {
    CaromBody floor, lift;
    CaromWorld world = world_with(&floor, &lift);
    CaromCast cast = carom_ray(vec3(3, 5, 0), vec3(0, -9, 0));
    CaromHit hits[2];
    size_t count;
    FAILS(carom_world_new(NULL), CAROM_STATUS_NULL_POINTER, "world must not be null");
    FAILS(carom_world_cast(world, NULL, hits), CAROM_STATUS_NULL_POINTER, "cast must not be null");
    FAILS(carom_world_cast(world, &cast, NULL), CAROM_STATUS_NULL_POINTER, "hit must not be null");
    FAILS(carom_world_cast_many(world, NULL, 2, hits), CAROM_STATUS_NULL_POINTER, "casts must not be null");
    FAILS(carom_world_cast_many(world, &cast, 1, NULL), CAROM_STATUS_NULL_POINTER, "hits must not be null");
    OK(carom_world_cast_many(world, NULL, 0, NULL));
    FAILS(carom_world_cast_all(world, &cast, hits, 2, NULL), CAROM_STATUS_NULL_POINTER, "count");
    FAILS(carom_world_advance(world, 0.1, NULL, 1), CAROM_STATUS_NULL_POINTER, "moves");
    FAILS(carom_mesh_load(NULL, NULL, NULL), CAROM_STATUS_NULL_POINTER, "mesh");
    FAILS(carom_mesh_new(NULL, NULL), CAROM_STATUS_NULL_POINTER, "mesh");
    // Not aligned, and longer than memory: refused before anything is read.
    const char *base = (const char *)hits;
    const CaromCast *crooked = (const CaromCast *)(const void *)(base + 1);
    FAILS(carom_world_cast(world, crooked, hits), CAROM_STATUS_NULL_POINTER, "aligned");
    FAILS(carom_world_cast_many(world, &cast, SIZE_MAX / 2, hits), CAROM_STATUS_BAD_VALUE, "more than memory");

    // Buffers that are too small get what fits, and the count.
    CaromCast down = carom_ray(vec3(0, 9, 0), vec3(0, -20, 0));
    OK(carom_world_cast_all(world, &down, hits, 2, &count));
    CHECK(count == 2 && hits[0].body.value == lift.value && hits[1].body.value == floor.value);
    memset(hits, 0, sizeof hits);
    FAILS(carom_world_cast_all(world, &down, hits, 1, &count), CAROM_STATUS_BUFFER_TOO_SMALL, "2 answers");
    CHECK(count == 2 && hits[0].is_hit && !hits[1].is_hit);
    FAILS(carom_world_cast_all(world, &down, NULL, 0, &count), CAROM_STATUS_BUFFER_TOO_SMALL, "room for 0");
    CaromPart part;
    FAILS(carom_world_overlaps(world, carom_sphere(9), vec3(0, 3, 0), CAROM_LAYERS_ALL, &part, 1, &count),
          CAROM_STATUS_BUFFER_TOO_SMALL, "2 answers");
    CaromContact contact;
    FAILS(carom_world_contacts(world, carom_sphere(1), vec3(0, 3, 0), 5, CAROM_LAYERS_ALL, &contact, 1, &count),
          CAROM_STATUS_BUFFER_TOO_SMALL, "2 answers");
    CHECK(count == 2);
    OK(carom_world_free(world));
}

static void numbers(double nan, double infinity) {
    CaromBody floor, lift;
    CaromWorld world = world_with(&floor, &lift);
    CaromHit hit;
    CaromCast cast = carom_cast(carom_sphere(nan), vec3(0, 0, 0), vec3(1, 0, 0));
    FAILS(carom_world_cast(world, &cast, &hit), CAROM_STATUS_BAD_VALUE, "radius");
    cast = carom_cast(carom_sphere(1), vec3(0, nan, 0), vec3(1, 0, 0));
    FAILS(carom_world_cast(world, &cast, &hit), CAROM_STATUS_BAD_VALUE, "from");
    cast = carom_cast(carom_sphere(1), vec3(0, 0, 0), vec3(1, infinity, 0));
    FAILS(carom_world_cast(world, &cast, &hit), CAROM_STATUS_BAD_VALUE, "translation");
    CaromCast two[2] = {carom_ray(vec3(0, 0, 0), vec3(0, 0, 0)), cast};
    CaromHit hits[2];
    memset(hits, 7, sizeof hits);
    FAILS(carom_world_cast_many(world, two, 2, hits), CAROM_STATUS_BAD_VALUE, "cast 1");
    cast.shape.kind = 5;
    FAILS(carom_world_cast(world, &cast, &hit), CAROM_STATUS_BAD_VALUE, "kind 5");
    cast.shape = carom_cuboid(vec3(1, 1, 1));
    memset(&cast.shape.rotation, 0, sizeof cast.shape.rotation);
    FAILS(carom_world_cast(world, &cast, &hit), CAROM_STATUS_BAD_VALUE, "rotation");
    FAILS(carom_world_add_shape(world, carom_point(), NULL, NULL), CAROM_STATUS_BAD_VALUE, "point");
    FAILS(carom_world_set_pose(world, lift, carom_pose_at(vec3(nan, 0, 0))), CAROM_STATUS_BAD_VALUE, "position");
    CaromPose flat = carom_pose_at(vec3(0, 0, 0));
    flat.scale = 0;
    FAILS(carom_world_set_pose(world, lift, flat), CAROM_STATUS_BAD_VALUE, "scale");
    CaromClosest closest;
    CaromShape ball = carom_sphere(1);
    FAILS(carom_world_closest(world, ball, vec3(0, 0, 0), nan, CAROM_LAYERS_ALL, &closest), CAROM_STATUS_BAD_VALUE,
          "distance");
    FAILS(carom_world_closest(world, ball, vec3(nan, 0, 0), 1, CAROM_LAYERS_ALL, &closest), CAROM_STATUS_BAD_VALUE,
          "at");
    OK(carom_world_closest(world, ball, vec3(0, 9, 0), infinity, CAROM_LAYERS_ALL, &closest));
    CHECK(closest.is_found && closest.body.value == lift.value);

    // A number of one's own comes back; a sensor stops nothing.
    CaromBodySettings own = carom_body_settings_default();
    own.pose.position = vec3(20, 0, 0);
    own.user_data = UINT64_C(0x123456789ABCDEF0);
    OK(carom_world_add_shape(world, ball, &own, NULL));
    CaromCast ray = carom_ray(vec3(20, 9, 0), vec3(0, -9, 0));
    OK(carom_world_cast(world, &ray, &hit));
    CHECK(hit.is_hit && hit.user_data == own.user_data);
    own.pose.position = vec3(30, 0, 0);
    own.is_sensor = 1;
    OK(carom_world_add_shape(world, ball, &own, NULL));
    ray.from.x = 30;
    OK(carom_world_cast(world, &ray, &hit));
    CHECK(!hit.is_hit);

    // Settings.
    CaromBodySettings body = carom_body_settings_default();
    body.motion = CAROM_MOTION_DYNAMIC;
    FAILS(carom_world_add_shape(world, ball, &body, NULL), CAROM_STATUS_BAD_VALUE, "mass");
    body.motion = 3;
    FAILS(carom_world_add_shape(world, ball, &body, NULL), CAROM_STATUS_BAD_VALUE, "motion 3");
    body = carom_body_settings_default();
    body.surface.friction = nan;
    FAILS(carom_world_add_shape(world, ball, &body, NULL), CAROM_STATUS_BAD_VALUE, "friction");
    body = carom_body_settings_default();
    body.surface_velocity.z = nan;
    FAILS(carom_world_add_shape(world, ball, &body, NULL), CAROM_STATUS_BAD_VALUE, "surface velocity");
    body.is_sensor = 2;
    body.surface_velocity.z = 0;
    FAILS(carom_world_add_shape(world, ball, &body, NULL), CAROM_STATUS_BAD_VALUE, "is_sensor");
    body.size -= 1;
    FAILS(carom_world_add_shape(world, ball, &body, NULL), CAROM_STATUS_STRUCT_SIZE, "carom.h");
    CaromSettings walking = carom_settings_default();
    CaromCharacter hero;
    walking.max_slope = 4;
    FAILS(carom_character_new(ball, &walking, vec3(0, 9, 0), &hero), CAROM_STATUS_BAD_VALUE, "max_slope");
    memset(&walking, 0, sizeof walking);
    FAILS(carom_character_new(ball, &walking, vec3(0, 9, 0), &hero), CAROM_STATUS_STRUCT_SIZE, "_default");
    FAILS(carom_character_new(carom_point(), NULL, vec3(0, 9, 0), &hero), CAROM_STATUS_BAD_VALUE, "point");
    FAILS(carom_character_new(ball, NULL, vec3(0, infinity, 0), &hero), CAROM_STATUS_BAD_VALUE, "position");

    // Characters.
    OK(carom_character_new(carom_capsule(0.3, 0.6), NULL, vec3(3, 1.95, 0), &hero));
    CaromReport report;
    CaromInput input = carom_walk(vec3(nan, 0, 0));
    FAILS(carom_character_step(hero, world, input, 0.1, &report), CAROM_STATUS_BAD_VALUE, "wanted velocity");
    input = carom_jump(carom_idle(), infinity);
    FAILS(carom_character_step(hero, world, input, 0.1, &report), CAROM_STATUS_BAD_VALUE, "jump");
    input.has_jump = 2;
    FAILS(carom_character_step(hero, world, input, 0.1, &report), CAROM_STATUS_BAD_VALUE, "has_jump");
    FAILS(carom_character_step(hero, world, carom_idle(), 0, &report), CAROM_STATUS_BAD_VALUE, "longer than 0");
    FAILS(carom_character_step(hero, world, carom_idle(), nan, &report), CAROM_STATUS_BAD_VALUE, "seconds");
    FAILS(carom_character_step(hero, no_world, carom_idle(), 0.1, &report), CAROM_STATUS_NO_SUCH_OBJECT, "world");
    size_t count;
    CaromTouch touches[8];
    FAILS(carom_character_touches(hero, touches, 8, &count), CAROM_STATUS_BAD_VALUE, "no tick");
    for (int i = 0; i < 3; i++) OK(carom_character_step(hero, world, carom_idle(), 0.1, NULL));
    OK(carom_character_set_user_data(hero, 77));
    OK(carom_character_report(hero, &report));
    CHECK(report.on_ground && report.user_data == 77 && report.ground.body.value == floor.value);
    OK(carom_character_touches(hero, touches, 8, &count));
    CHECK(count >= 1 && touches[0].obstacle.body.value == floor.value);
    FAILS(carom_character_teleport(hero, vec3(nan, 0, 0)), CAROM_STATUS_BAD_VALUE, "position");
    FAILS(carom_character_launch(hero, vec3(nan, 0, 0)), CAROM_STATUS_BAD_VALUE, "velocity");
    OK(carom_character_teleport(hero, vec3(0, 1.95, 0)));
    CaromShape tall = carom_capsule(0.3, 2.5);
    FAILS(carom_character_resize(hero, world, tall), CAROM_STATUS_DOES_NOT_FIT, "does not fit");

    // Crowds.
    CaromCrowd crowd;
    OK(carom_crowd_new(&crowd));
    CaromCharacter twice[2] = {hero, hero};
    CaromInput inputs[2] = {carom_idle(), carom_idle()};
    FAILS(carom_crowd_step(crowd, world, twice, inputs, 2, 0.1, NULL), CAROM_STATUS_BUSY, "character 1");
    OK(carom_crowd_step(crowd, world, twice, inputs, 1, 0.1, NULL));
    twice[1] = no_character;
    FAILS(carom_crowd_step(crowd, world, twice, inputs, 2, 0.1, NULL), CAROM_STATUS_NO_SUCH_OBJECT, "character 1");
    FAILS(carom_crowd_step(crowd, world, twice, NULL, 1, 0.1, NULL), CAROM_STATUS_NULL_POINTER, "inputs");
    OK(carom_crowd_free(crowd));
    OK(carom_character_free(hero));
    OK(carom_world_free(world));
}

static void meshes(double nan) {
    CaromMesh mesh;
    FAILS(carom_mesh_load("no/such.glb", NULL, &mesh), CAROM_STATUS_BAD_FILE, "no/such.glb: cannot be read");
    FAILS(carom_mesh_load("level.off", NULL, &mesh), CAROM_STATUS_BAD_FILE, "not a level format");
    FAILS(carom_mesh_load("\xff\xfe.obj", NULL, &mesh), CAROM_STATUS_BAD_VALUE, "UTF-8");
    const char good[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const char broken[] = "v 0 0 0\nv 1 0 zero\n";
    const uint8_t *bytes = (const uint8_t *)broken;
    FAILS(carom_mesh_parse(bytes, sizeof broken - 1, "a.obj", NULL, &mesh), CAROM_STATUS_BAD_FILE, "a.obj: line 2");
    FAILS(carom_mesh_parse(NULL, 0, "a.obj", NULL, &mesh), CAROM_STATUS_BAD_FILE, "a.obj");
    bytes = (const uint8_t *)good;
    FAILS(carom_mesh_parse(bytes, 8, "a.obj", NULL, &mesh), CAROM_STATUS_BAD_FILE, "no triangles");
    FAILS(carom_mesh_parse(bytes, sizeof good - 1, "a.txt", NULL, &mesh), CAROM_STATUS_BAD_FILE, "a.txt");
    CaromLoadOptions options = carom_load_options_default();
    options.scale = nan;
    FAILS(carom_mesh_parse(bytes, sizeof good - 1, "a.obj", &options, &mesh), CAROM_STATUS_BAD_VALUE, "scale");
    options.scale = 0;
    options.up = 3;
    FAILS(carom_mesh_parse(bytes, sizeof good - 1, "a.obj", &options, &mesh), CAROM_STATUS_BAD_VALUE, "axis 3");
    options.up = CAROM_UP_Z;
    options.most_bytes = 8;
    FAILS(carom_mesh_parse(bytes, sizeof good - 1, "a.obj", &options, &mesh), CAROM_STATUS_BAD_FILE, "a.obj");
    options.most_bytes = 0;
    options.size = 4;
    FAILS(carom_mesh_parse(bytes, sizeof good - 1, "a.obj", &options, &mesh), CAROM_STATUS_STRUCT_SIZE, "size");
    OK(carom_mesh_parse(bytes, sizeof good - 1, "a.obj", NULL, &mesh));
    size_t vertex_count, triangle_count;
    OK(carom_mesh_counts(mesh, &vertex_count, &triangle_count));
    CHECK(vertex_count == 3 && triangle_count == 1);
    float vertices[9];
    uint32_t indices[3];
    OK(carom_mesh_triangles(mesh, vertices, 9, indices, 3));
    CHECK(vertices[3] == 1.0f && indices[2] == 2);
    FAILS(carom_mesh_triangles(mesh, vertices, 8, indices, 3), CAROM_STATUS_BUFFER_TOO_SMALL, "vertices: ");
    size_t count;
    OK(carom_mesh_spawns(mesh, NULL, 0, &count));
    CHECK(count == 0);
    // A body outlives its mesh.
    CaromWorld world;
    OK(carom_world_new(&world));
    OK(carom_world_add_mesh(world, mesh, NULL, NULL));
    OK(carom_mesh_free(mesh));
    FAILS(carom_mesh_free(mesh), CAROM_STATUS_NO_SUCH_OBJECT, "freed");
    CaromCast cast = carom_ray(vec3(0.25, 0.25, 1), vec3(0, 0, -2));
    CaromHit hit;
    OK(carom_world_cast(world, &cast, &hit));
    CHECK(hit.is_hit && hit.fraction <= 0.5 && hit.fraction > 0.499999);
    OK(carom_world_free(world));

    // Lists.
    float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t triangle[3] = {0, 1, 3};
    CaromMeshData data = carom_mesh_data_default();
    data.vertices = corners;
    data.vertex_count = 3;
    data.triangles = triangle;
    data.triangle_count = 1;
    FAILS(carom_mesh_new(&data, &mesh), CAROM_STATUS_BAD_VALUE, "triangle 0 names vertex 3");
    triangle[2] = 2;
    corners[4] = (float)nan;
    FAILS(carom_mesh_new(&data, &mesh), CAROM_STATUS_BAD_VALUE, "vertex 1 is not finite");
    corners[4] = 0;
    CaromSurface surface = carom_surface_default();
    surface.friction = -2;
    data.surfaces = &surface;
    data.surface_count = 1;
    FAILS(carom_mesh_new(&data, &mesh), CAROM_STATUS_BAD_VALUE, "surface 0");
    surface.friction = 0.25;
    uint16_t id = 1;
    data.surface_ids = &id;
    FAILS(carom_mesh_new(&data, &mesh), CAROM_STATUS_BAD_VALUE, "surface 1");
    id = 0;
    data.vertex_count = SIZE_MAX / 2;
    FAILS(carom_mesh_new(&data, &mesh), CAROM_STATUS_BAD_VALUE, "too many vertices");
    data.vertex_count = 3;
    data.origin.y = nan;
    FAILS(carom_mesh_new(&data, &mesh), CAROM_STATUS_BAD_VALUE, "origin");
    data.origin.y = 0;
    OK(carom_mesh_new(&data, &mesh));
    OK(carom_mesh_free(mesh));
}

int main(void) {
    CHECK(carom_abi_version() == CAROM_ABI_VERSION);
    CHECK(strcmp(carom_last_error(), "") == 0);
    CHECK(strcmp(carom_status_name(3), "NoSuchBody") == 0 && strcmp(carom_status_name(-1), "unknown") == 0);
    double zero = 0.0;
    double nan = zero / zero, infinity = 1.0 / zero;
    handles();
    pointers();
    numbers(nan, infinity);
    meshes(nan);
    puts("bad input: every mistake is a status");
    return 0;
}
