// Crates: they fall, stack, slide, ride and are pushed; copies go on to the same bits; mistakes are refused.
#include "fails.h"
#include <math.h>

enum { CRATES = 3, TICKS = 240 };

static const double tick_length = 1.0 / 60.0;

typedef struct {
    CaromWorld world;
    CaromPushed pushed;
    CaromBody floor, lift, crates[CRATES];
} Yard;

static CaromVec3 position(CaromWorld world, CaromBody body) {
    CaromPose pose;
    OK(carom_world_pose(world, body, &pose));
    return pose.position;
}

// A floor, a lift beside it, and crates above: two of them end on each other.
static Yard yard(void) {
    Yard yard;
    OK(carom_world_new(&yard.world));
    CaromBodySettings settings = carom_body_settings_default();
    settings.pose.position = vec3(0, -1, 0);
    OK(carom_world_add_shape(yard.world, carom_cuboid(vec3(9, 1, 9)), &settings, &yard.floor));
    settings.motion = CAROM_MOTION_KINEMATIC;
    settings.pose.position = vec3(20, -1, 0);
    OK(carom_world_add_shape(yard.world, carom_cuboid(vec3(2, 1, 2)), &settings, &yard.lift));
    settings.motion = CAROM_MOTION_DYNAMIC;
    settings.mass = 40;
    OK(carom_pushed_new(vec3(0, -9.81, 0), 0.1, &yard.pushed));
    const CaromVec3 places[CRATES] = {{1.5, 2, 0}, {1.5, 4, 0}, {20, 0.5, 0}};
    for (int i = 0; i < CRATES; i++) {
        settings.pose.position = places[i];
        OK(carom_world_add_shape(yard.world, carom_cuboid(vec3(0.5, 0.5, 0.5)), &settings, &yard.crates[i]));
        OK(carom_pushed_add(yard.pushed, yard.world, yard.crates[i]));
    }
    return yard;
}

static void tick(const Yard *yard, double rise) {
    CaromMove move = carom_drive(yard->lift, vec3(0, rise, 0), vec3(0, 0, 0));
    OK(carom_pushed_advance(yard->pushed, yard->world, tick_length, &move, 1));
}

static void crates_move(void) {
    Yard one = yard();
    for (int i = 0; i < TICKS; i++) tick(&one, 0.5);
    CHECK(fabs(position(one.world, one.crates[0]).y - 0.5) < 1e-3);
    CHECK(fabs(position(one.world, one.crates[1]).y - 1.5) < 1e-3);
    CHECK(fabs(position(one.world, one.crates[2]).y - 2.5) < 2e-3);
    CaromVec3 velocity;
    OK(carom_pushed_velocity(one.pushed, one.crates[0], &velocity));
    CHECK(velocity.x == 0 && velocity.y == 0 && velocity.z == 0);
    OK(carom_pushed_velocity(one.pushed, one.crates[2], &velocity));
    CHECK(fabs(velocity.y - 0.5) < 1e-6);

    // 80 newton seconds on 40 kg: 2 m/s, which friction takes within 2² / (2 · 0.1 · 9.81) = 2.04 m.
    OK(carom_pushed_push(one.pushed, one.world, one.crates[0], vec3(0, 0, 80)));
    for (int i = 0; i < TICKS; i++) tick(&one, 0);
    CHECK(fabs(position(one.world, one.crates[0]).z - 2.04) < 0.1);

    // A hero pushes it on.
    CaromCharacter hero;
    CaromVec3 before = position(one.world, one.crates[0]);
    OK(carom_character_new(carom_capsule(0.3, 0.6), NULL, vec3(1.5, 0.91, 0.5), &hero));
    for (int i = 0; i < TICKS; i++) {
        tick(&one, 0);
        OK(carom_character_step(hero, one.world, carom_walk(vec3(0, 0, 2)), tick_length, NULL));
        OK(carom_pushed_push_all(one.pushed, one.world, &hero, 1));
    }
    CHECK(position(one.world, one.crates[0]).z > before.z + 0.5);
    OK(carom_character_free(hero));
    OK(carom_pushed_free(one.pushed));
    OK(carom_world_free(one.world));
}

// The lift comes down on a crate: the crate has no room, is told so, and is free when the lift rises.
static void a_crate_under_a_lift_is_pressed(void) {
    Yard one = yard();
    CaromPose pose;
    OK(carom_world_pose(one.world, one.lift, &pose));
    pose.position = vec3(1.5, 4, 0);
    OK(carom_pushed_remove(one.pushed, one.crates[1]));
    OK(carom_world_remove(one.world, one.crates[1]));
    OK(carom_world_set_pose(one.world, one.lift, pose));
    CaromBody by;
    for (int i = 0; i < TICKS; i++) tick(&one, 0);
    OK(carom_pushed_pressed_by(one.pushed, one.crates[0], &by));
    CHECK(by.value == 0);
    for (int i = 0; i < 150; i++) tick(&one, -1);
    OK(carom_pushed_pressed_by(one.pushed, one.crates[0], &by));
    CHECK(by.value == one.lift.value);
    CHECK(fabs(position(one.world, one.crates[0]).y - 0.5) < 1e-3);
    for (int i = 0; i < 150; i++) tick(&one, 1);
    OK(carom_pushed_pressed_by(one.pushed, one.crates[0], &by));
    CHECK(by.value == 0);
    CHECK(fabs(position(one.world, one.crates[0]).y - 0.5) < 1e-3);
    OK(carom_pushed_free(one.pushed));
    OK(carom_world_free(one.world));
}

// Both copies are played on: the same bits.
static void copies_go_on_to_the_same_bits(void) {
    Yard one = yard();
    for (int i = 0; i < 30; i++) tick(&one, 0.5);
    Yard other = one;
    OK(carom_world_clone(one.world, &other.world));
    OK(carom_pushed_clone(one.pushed, &other.pushed));
    for (int i = 0; i < 60; i++) tick(&one, 0.5);
    for (int i = 0; i < 60; i++) tick(&other, 0.5);
    for (int i = 0; i < CRATES; i++) {
        CaromVec3 a = position(one.world, one.crates[i]), b = position(other.world, one.crates[i]);
        CHECK(memcmp(&a, &b, sizeof a) == 0);
    }
    OK(carom_pushed_free(other.pushed));
    OK(carom_world_free(other.world));
    OK(carom_pushed_free(one.pushed));
    OK(carom_world_free(one.world));
}

static void mistakes(double nan) {
    Yard one = yard();
    CaromPushed pushed;
    FAILS(carom_pushed_new(vec3(0, nan, 0), 0, &pushed), CAROM_STATUS_BAD_VALUE, "gravity");
    FAILS(carom_pushed_new(vec3(0, -9, 0), -1, &pushed), CAROM_STATUS_BAD_VALUE, "friction");
    FAILS(carom_pushed_new(vec3(0, -9, 0), 0, NULL), CAROM_STATUS_NULL_POINTER, "pushed");
    FAILS(carom_pushed_add(one.pushed, one.world, one.floor), CAROM_STATUS_BAD_VALUE, "no mass");
    FAILS(carom_pushed_add(one.pushed, one.world, one.lift), CAROM_STATUS_BAD_VALUE, "no mass");
    FAILS(carom_pushed_add(one.pushed, one.world, one.crates[0]), CAROM_STATUS_BAD_VALUE, "already");
    CaromBody nothing = {0};
    FAILS(carom_pushed_add(one.pushed, one.world, nothing), CAROM_STATUS_NO_SUCH_BODY, "null");
    CaromCollider cone;
    OK(carom_collider_cone(1, 1, &cone));
    CaromBodySettings settings = carom_body_settings_default();
    settings.motion = CAROM_MOTION_DYNAMIC;
    settings.mass = 1;
    settings.pose.position = vec3(0, 50, 0);
    CaromBody body;
    OK(carom_world_add(one.world, cone, &settings, &body));
    FAILS(carom_pushed_add(one.pushed, one.world, body), CAROM_STATUS_BAD_VALUE, "spheres");
    OK(carom_collider_free(cone));

    CaromVec3 velocity;
    FAILS(carom_pushed_velocity(one.pushed, one.floor, &velocity), CAROM_STATUS_NO_SUCH_BODY, "not among");
    FAILS(carom_pushed_pressed_by(one.pushed, one.floor, &body), CAROM_STATUS_NO_SUCH_BODY, "not among");
    FAILS(carom_pushed_pressed_by(one.pushed, one.crates[0], NULL), CAROM_STATUS_NULL_POINTER, "by");
    FAILS(carom_pushed_push(one.pushed, one.world, one.floor, vec3(1, 0, 0)), CAROM_STATUS_NO_SUCH_BODY, "not among");
    FAILS(carom_pushed_push(one.pushed, one.world, one.crates[0], vec3(nan, 0, 0)), CAROM_STATUS_BAD_VALUE, "impulse");
    FAILS(carom_pushed_push_all(one.pushed, one.world, NULL, 1), CAROM_STATUS_NULL_POINTER, "characters");
    CaromCharacter nobody = {0};
    FAILS(carom_pushed_push_all(one.pushed, one.world, &nobody, 1), CAROM_STATUS_NO_SUCH_OBJECT, "character 0");
    FAILS(carom_pushed_advance(one.pushed, one.world, nan, NULL, 0), CAROM_STATUS_BAD_VALUE, "seconds");
    FAILS(carom_pushed_advance(one.pushed, one.world, -1, NULL, 0), CAROM_STATUS_BAD_VALUE, "seconds");
    FAILS(carom_pushed_advance(one.pushed, one.world, 0.1, NULL, 1), CAROM_STATUS_NULL_POINTER, "moves");
    // The first move that cannot be made has its number; the crates have fallen all the same.
    CaromMove moves[2] = {carom_drive(one.lift, vec3(0, 1, 0), vec3(0, 0, 0)),
                          carom_drive(one.floor, vec3(0, 1, 0), vec3(0, 0, 0))};
    double before = position(one.world, one.crates[1]).y;
    FAILS(carom_pushed_advance(one.pushed, one.world, 0.1, moves, 2), CAROM_STATUS_FIXED_BODY, "move 1");
    CHECK(position(one.world, one.crates[1]).y < before);

    // One that is taken out stays where it is; one whose body is gone is forgotten.
    OK(carom_pushed_remove(one.pushed, one.crates[1]));
    FAILS(carom_pushed_remove(one.pushed, one.crates[1]), CAROM_STATUS_NO_SUCH_BODY, "not among");
    before = position(one.world, one.crates[1]).y;
    OK(carom_world_remove(one.world, one.crates[0]));
    FAILS(carom_pushed_push(one.pushed, one.world, one.crates[0], vec3(1, 0, 0)), CAROM_STATUS_NO_SUCH_BODY, "body");
    tick(&one, 0);
    CHECK(position(one.world, one.crates[1]).y == before);
    FAILS(carom_pushed_velocity(one.pushed, one.crates[0], &velocity), CAROM_STATUS_NO_SUCH_BODY, "not among");

    OK(carom_pushed_free(one.pushed));
    OK(carom_pushed_free((CaromPushed){0}));
    FAILS(carom_pushed_advance(one.pushed, one.world, 0.1, NULL, 0), CAROM_STATUS_NO_SUCH_OBJECT, "was freed");
    FAILS(carom_pushed_clone(one.pushed, &pushed), CAROM_STATUS_NO_SUCH_OBJECT, "was freed");
    OK(carom_world_free(one.world));
    FAILS(carom_pushed_free((CaromPushed){one.world.value}), CAROM_STATUS_NO_SUCH_OBJECT, "another kind");
}

int main(void) {
    double zero = 0.0;
    crates_move();
    a_crate_under_a_lift_is_pressed();
    copies_go_on_to_the_same_bits();
    mistakes(zero / zero);
    puts("pushed: crates fall, stack, slide, ride and are pushed");
    return 0;
}
