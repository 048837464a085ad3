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
    size_t count = 0;
    CHECK(carom_world_body_count(freed, &count) == CAROM_STATUS_NO_SUCH_OBJECT);
    std::puts("owners: freed, moved, restored");
}
