// carom.hpp: owners free what they own, errors are exceptions, and a restored character goes on to the same bits.
#include "carom.hpp"
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(what)                                                                                          \
    do {                                                                                                     \
        if (!(what)) {                                                                                       \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                          \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

int main() {
    CaromWorld freed{};
    {
        carom::World world;
        freed = world.get();
        const carom::Mesh floor({-9, 0, -9, -9, 0, 9, 9, 0, 9, 9, 0, -9}, {0, 1, 2, 0, 2, 3});
        const CaromBody level = world.add(floor);
        const auto hit = world.cast(carom_ray({0, 5, 1}, {0, -20, 0}));
        CHECK(hit && hit->body.value == level.value && hit->normal.y == 1.0);
        CHECK(!world.cast(carom_ray({0, 5, 0}, {0, 20, 0})));
        CHECK(world.cast_many({carom_ray({0, 5, 1}, {0, -20, 0}), carom_ray({0, 5, 0}, {0, 9, 0})})[0].is_hit);

        carom::Character hero(carom_capsule(0.3, 0.6), {0, 1, 0});
        for (int i = 0; i < 30; i++) hero.step(world, carom_walk({3, 0, 0}), 1.0 / 60.0);
        const carom::Character saved = hero.clone();
        const CaromReport first = hero.step(world, carom_jump(carom_walk({1, 0, 2}), 4), 1.0 / 60.0);
        hero.restore(saved);
        const CaromReport again = hero.step(world, carom_jump(carom_walk({1, 0, 2}), 4), 1.0 / 60.0);
        CHECK(std::memcmp(&first.position, &again.position, sizeof first.position) == 0);
        CHECK(std::memcmp(&first.velocity, &again.velocity, sizeof first.velocity) == 0);

        carom::World moved = std::move(world);
        CHECK(moved.get().value == freed.value && world.get().value == 0);
        try {
            world.add(carom_sphere(1));
            CHECK(false);
        } catch (const carom::Error &error) {
            CHECK(error.status() == CAROM_STATUS_NO_SUCH_OBJECT && std::strstr(error.what(), "null"));
        }
        try {
            carom::Mesh::load("no/such.glb");
            CHECK(false);
        } catch (const carom::Error &error) {
            CHECK(error.status() == CAROM_STATUS_BAD_FILE);
        }
    }
    {
        carom::World world;
        world.add(carom::Collider::half_space({0, 0, 0}, {0, 1, 0}));
        const CaromBody hull = world.add(carom::Collider::hull({{4, 0, 0}, {6, 0, 0}, {5, 0, 2}, {5, 2, 0}}));
        const auto hit = world.cast(carom_ray({5, 9, 0.1}, {0, -20, 0}));
        CHECK(hit && hit->body.value == hull.value);
        const auto ball = carom::Collider::shape(carom_sphere(1));
        const CaromPose left = carom_pose_at({-9, 1, 0}), right = carom_pose_at({-6, 1, 0});
        const CaromBody pair = world.add(carom::Collider::compound(
            {carom_compound_piece(ball.get(), left), carom_compound_piece(ball.get(), right)}));
        const auto met = world.cast(carom_ray({-6, 9, 0}, {0, -20, 0}));
        CHECK(met && met->body.value == pair.value && met->part == 1);
        CaromBodySettings gate = carom_body_settings_default();
        gate.is_sensor = 1;
        const CaromBody sensor = world.add(carom::Collider::cylinder(1, 2), gate);
        carom::Character hero(carom_capsule(0.3, 0.6), {0, 1, 0});
        hero.step(world, carom_idle(), 1.0 / 60.0);
        carom::Sensors sensors;
        const auto events = sensors.update(world, {hero.get()});
        CHECK(events.size() == 1 && events[0].kind == CAROM_SENSOR_EVENT_KIND_ENTERED);
        CHECK(sensors.inside(sensor).size() == 1 && sensors.clone().inside(hull).empty());
        try {
            carom::Collider::cone(-1, 1);
            CHECK(false);
        } catch (const carom::Error &error) {
            CHECK(error.status() == CAROM_STATUS_BAD_VALUE);
        }

        const std::vector<CaromBall> balls = {{{0, 0, 0}, {1, 0, 0}, 0.5, 1}, {{3, 0, 0}, {0, 0, 0}, 0.5, 1}};
        CaromTableSetup setup = carom_table_setup_default();
        setup.balls = balls.data();
        setup.ball_count = balls.size();
        carom::Table table(setup);
        const carom::Table before = table.clone();
        const auto event = table.next_event(9);
        CHECK(event && event->kind == CAROM_TABLE_EVENT_KIND_BALLS && event->time == 2);
        CHECK(!table.next_event(9) && table.time() == 9 && table.balls()[1].velocity.x == 1);
        CHECK(before.time() == 0);

        const carom::Mesh floor({-9, 0, -9, -9, 0, 9, 9, 0, 9, 9, 0, -9}, {0, 1, 2, 0, 2, 3});
        std::vector<std::string> ids;
        const auto explored = carom::explore(
            floor, carom_explore_rules_default(), {{0, 1, 0}}, [](const CaromExploreProgress &) { return true; },
            [&](const CaromFinding &finding) { ids.emplace_back(finding.id); });
        CHECK(explored.is_complete && ids.size() == explored.finding_count);
        try {
            carom::explore(
                floor, carom_explore_rules_default(), {},
                [](const CaromExploreProgress &) -> bool { throw std::runtime_error("enough"); },
                [](const CaromFinding &) {});
            CHECK(false);
        } catch (const std::runtime_error &error) {
            CHECK(std::strcmp(error.what(), "enough") == 0);
        }
    }
    {
        carom::World world;
        CaromBodySettings settings = carom_body_settings_default();
        settings.pose.position = {0, -1, 0};
        const CaromBody floor = world.add(carom_cuboid({9, 1, 9}), settings);
        settings.pose.position = {2, 3, 0};
        settings.motion = CAROM_MOTION_DYNAMIC;
        settings.mass = 20;
        const CaromBody box = world.add(carom_cuboid({0.5, 0.5, 0.5}), settings);
        carom::Pushed pushed({0, -9.81, 0}, 0.1);
        pushed.add(world, box);
        carom::Character hero(carom_capsule(0.3, 0.6), {0, 0.91, 0});
        hero.set_user_data(7);
        hero.set_layers(2);
        for (int i = 0; i < 120; i++) {
            pushed.advance(world, 1.0 / 60.0);
            hero.step(world, carom_walk({2, 0, 0}), 1.0 / 60.0);
            pushed.push_all(world, {hero.get()});
        }
        CHECK(world.pose(box).position.x > 2.5 && world.pose(box).position.y < 0.501);
        const carom::World world_before = world.clone();
        const carom::Pushed pushed_before = pushed.clone();
        pushed.push(world, box, {0, 200, 0});
        CHECK(pushed.velocity(box).y == 10 && pushed_before.velocity(box).y == 0);
        pushed.advance(world, 1.0 / 60.0);
        CHECK(world.pose(box).position.y > 0.6 && world_before.pose(box).position.y < 0.501);
        pushed.remove(box);

        carom::Targets targets;
        targets.update({hero.get()});
        const CaromVec3 at = hero.report().position;
        const CaromCast shot = carom_ray({at.x, at.y, 5}, {0, 0, -9});
        const auto hit = targets.cast(shot);
        CHECK(hit && hit->character == 0 && hit->user_data == 7 && !targets.cast(shot, 0));
        CHECK(targets.cast_all(shot).size() == 1 && targets.overlaps(carom_sphere(1), at, 1).empty());
        CHECK(targets.contacts(carom_sphere(1), at, 0).size() == 1 && targets.closest(carom_point(), at, 1, 2));

        const CaromShape crate = carom_cuboid({0.5, 0.5, 0.5});
        const auto manifolds = world.manifolds(crate, {-5, 0.5, 0}, 0.01);
        CHECK(manifolds.size() == 1 && manifolds[0].point_count == 4);
        CHECK(world.deepest(crate, {-5, 0.4, 0}).size() == 1 && world.overlaps(crate, {-5, 0.4, 0}).size() == 1);
        CHECK(world.contacts(crate, {-5, 0.6, 0}, 0.2).size() == 1);
        CHECK(world.closest(crate, {-5, 0.6, 0}, 1)->body.value == floor.value);
        CHECK(!world.closest(crate, {-5, 9, 0}, 1));
        const CaromCast down = carom_ray({-5, 5, 0}, {0, -9, 0});
        CHECK(world.cast_bodies(down).size() == 1 && world.cast_all(down).size() == 1);
        CHECK(world.ray_exits({-5, 5, 0}, {0, -9, 0}).size() == 1);

        settings = carom_body_settings_default();
        settings.pose.position = {-5, 1.4, 0};
        world.add(carom_cuboid({1, 0.1, 1}), settings);
        carom::Character low(carom_capsule(0.3, 0.2), {-5, 0.51, 0});
        CHECK(!low.resize(world, carom_capsule(0.3, 0.6)));
        low.teleport({5, 0.51, 0});
        CHECK(low.resize(world, carom_capsule(0.3, 0.6)));
    }
    size_t count = 0;
    CHECK(carom_world_body_count(freed, &count) == CAROM_STATUS_NO_SUCH_OBJECT);
    std::puts("owners: freed, moved, restored");
}
