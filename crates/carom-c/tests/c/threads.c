// Threads: many ask one world; a message belongs to its thread; a call that would have to wait is refused.
#include "scene.h"
#include <pthread.h>
#include <sched.h>

enum { THREADS = 4, CASTS = 300 };

static CaromWorld world;
static CaromCast casts[CASTS];
static uint64_t expected;

static uint64_t ask(void) {
    uint64_t sum = 0;
    for (int i = 0; i < CASTS; i++) {
        CaromHit hit;
        OK(carom_world_cast(world, &casts[i], &hit));
        uint64_t bits;
        memcpy(&bits, &hit.fraction, sizeof bits);
        sum = sum * 31 + bits;
    }
    return sum;
}

static void *reader(void *mine) {
    (void)mine;
    CHECK(strcmp(carom_last_error(), "") == 0);
    for (int round = 0; round < 3; round++) CHECK(ask() == expected);
    CaromWorld none = {0};
    CaromHit hit;
    CHECK(carom_world_cast(none, &casts[0], &hit) == CAROM_STATUS_NO_SUCH_OBJECT);
    CHECK(strstr(carom_last_error(), "null") != NULL);
    return NULL;
}

// Threads that make, step and free: each a character of its own, and all of them one that they share.
enum { ROUNDS = 200 };
static CaromCharacter shared;

static void *writer(void *mine) {
    size_t *refused = mine;
    for (int round = 0; round < ROUNDS; round++) {
        CaromCharacter own;
        OK(carom_character_new(carom_capsule(0.3, 0.6), NULL, vec3(16, 4, 16), &own));
        CaromStatus status;
        while ((status = carom_character_step(shared, world, carom_idle(), 1.0 / 60.0, NULL)) != CAROM_STATUS_OK) {
            CHECK(status == CAROM_STATUS_BUSY);
            ++*refused;
            sched_yield();
        }
        OK(carom_character_free(own));
        CHECK(carom_character_free(own) == CAROM_STATUS_NO_SUCH_OBJECT);
    }
    return NULL;
}

int main(void) {
    random_state = 7;
    world = random_world();
    for (int i = 0; i < CASTS; i++) casts[i] = random_cast(i);
    expected = ask();
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, reader, NULL) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    CHECK(strcmp(carom_last_error(), "") == 0); // Theirs, not ours.

    OK(carom_character_new(carom_capsule(0.3, 0.6), NULL, vec3(16, 4, 16), &shared));
    size_t counts[THREADS] = {0}, refused = 0;
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, writer, &counts[i]) == 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        refused += counts[i];
    }
    // A refused thread tries again: the ticks that all made are those of one thread, however they interleave.
    CaromReport after, alone;
    OK(carom_character_report(shared, &after));
    CaromCharacter again;
    OK(carom_character_new(carom_capsule(0.3, 0.6), NULL, vec3(16, 4, 16), &again));
    for (int i = 0; i < THREADS * ROUNDS; i++) OK(carom_character_step(again, world, carom_idle(), 1.0 / 60.0, &alone));
    CHECK(memcmp(&after.position, &alone.position, sizeof alone.position) == 0);
    OK(carom_character_free(again));
    OK(carom_character_free(shared));
    OK(carom_world_free(world));
    printf("threads: %d ticks made, %zu refused as busy\n", THREADS * ROUNDS, refused);
    return 0;
}
