// Carom for C++17: owners that free what they own, and exceptions instead of statuses, over carom.h.
//
//     carom::World world;
//     world.add(carom_cuboid({9, 1, 9}));
//     if (auto hit = world.cast(carom_ray({0, 5, 0}, {0, -20, 0}))) std::printf("%f\n", hit->fraction);
//
// Owners move and do not copy; clone() copies. An owner that was moved from is null, and its calls throw. For what
// is not here get() gives the handle: carom.h takes it.
#ifndef CAROM_HPP
#define CAROM_HPP

#include "carom.h"
#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace carom {

// A call that failed, with the message of the library.
class Error : public std::runtime_error {
public:
    explicit Error(CaromStatus status) : std::runtime_error(carom_last_error()), status_(status) {}
    CaromStatus status() const noexcept { return status_; }

private:
    CaromStatus status_;
};

inline void check(CaromStatus status) {
    if (status != CAROM_STATUS_OK) throw Error(status);
}

// All answers of a call that writes as many as there is room for: asked for their number first.
template <typename Answer, typename Ask>
std::vector<Answer> all_of(Ask ask) {
    std::vector<Answer> answers;
    std::size_t count = 0;
    CaromStatus status = ask(nullptr, 0, &count);
    if (status == CAROM_STATUS_BUFFER_TOO_SMALL) {
        answers.resize(count);
        status = ask(answers.data(), answers.size(), &count);
    }
    check(status);
    return answers;
}

// Owns a handle.
template <typename Handle, CaromStatus (*Free)(Handle)>
class Owner {
public:
    Owner(const Owner &) = delete;
    Owner &operator=(const Owner &) = delete;
    Owner(Owner &&other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
    Owner &operator=(Owner &&other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    // Freeing fails only while another thread uses the object, which is a mistake of the program.
    ~Owner() { (void)Free(handle_); }
    Handle get() const noexcept { return handle_; }

protected:
    explicit Owner(Handle handle) noexcept : handle_(handle) {}

private:
    Handle handle_;
};

// Triangles with their tree.
class Mesh : public Owner<CaromMesh, carom_mesh_free> {
public:
    explicit Mesh(const CaromMeshData &data) : Owner(made(data)) {}
    // Three numbers a vertex, three indices a triangle.
    Mesh(const std::vector<float> &vertices, const std::vector<uint32_t> &triangles)
        : Owner(made(listed(vertices, triangles))) {}
    static Mesh load(const std::string &path, const CaromLoadOptions &options = carom_load_options_default()) {
        CaromMesh mesh{};
        check(carom_mesh_load(path.c_str(), &options, &mesh));
        return Mesh(mesh);
    }

private:
    explicit Mesh(CaromMesh handle) : Owner(handle) {}
    static CaromMesh made(const CaromMeshData &data) {
        CaromMesh mesh{};
        check(carom_mesh_new(&data, &mesh));
        return mesh;
    }
    static CaromMeshData listed(const std::vector<float> &vertices, const std::vector<uint32_t> &triangles) {
        if (vertices.size() % 3 != 0 || triangles.size() % 3 != 0) {
            throw std::invalid_argument("vertices and triangles come in threes");
        }
        CaromMeshData data = carom_mesh_data_default();
        data.vertices = vertices.data();
        data.vertex_count = vertices.size() / 3;
        data.triangles = triangles.data();
        data.triangle_count = triangles.size() / 3;
        return data;
    }
};

// The colliders of bodies, besides shapes and meshes.
class Collider : public Owner<CaromCollider, carom_collider_free> {
public:
    static Collider shape(const CaromShape &shape) {
        return made([&](CaromCollider *made) { return carom_collider_shape(shape, made); });
    }
    static Collider mesh(const Mesh &mesh) {
        return made([&](CaromCollider *made) { return carom_collider_mesh(mesh.get(), made); });
    }
    // Several that are one body; `carom_compound_piece` makes a piece.
    static Collider compound(const std::vector<CaromCompoundPiece> &pieces) {
        return made(
            [&](CaromCollider *made) { return carom_collider_compound(pieces.data(), pieces.size(), made); });
    }
    static Collider cylinder(double radius, double half_height) {
        return made([&](CaromCollider *made) { return carom_collider_cylinder(radius, half_height, made); });
    }
    // With its point up.
    static Collider cone(double radius, double half_height) {
        return made([&](CaromCollider *made) { return carom_collider_cone(radius, half_height, made); });
    }
    static Collider hull(const std::vector<CaromVec3> &points) {
        return made([&](CaromCollider *made) { return carom_collider_hull(points.data(), points.size(), made); });
    }
    // All that lies behind a plane.
    static Collider half_space(CaromVec3 point, CaromVec3 normal) {
        return made([&](CaromCollider *made) { return carom_collider_half_space(point, normal, made); });
    }
    static Collider height_field(const CaromHeightFieldData &data) {
        return made([&](CaromCollider *made) { return carom_collider_height_field(&data, made); });
    }

private:
    explicit Collider(CaromCollider handle) : Owner(handle) {}
    template <typename Make>
    static Collider made(Make make) {
        CaromCollider collider{};
        check(make(&collider));
        return Collider(collider);
    }
};

// All that movers can meet.
class World : public Owner<CaromWorld, carom_world_free> {
public:
    World() : Owner(made()) {}
    World clone() const {
        CaromWorld copy{};
        check(carom_world_clone(get(), &copy));
        return World(copy);
    }
    CaromBody add(CaromShape shape, const CaromBodySettings &settings = carom_body_settings_default()) {
        CaromBody body{};
        check(carom_world_add_shape(get(), shape, &settings, &body));
        return body;
    }
    CaromBody add(const Mesh &mesh, const CaromBodySettings &settings = carom_body_settings_default()) {
        CaromBody body{};
        check(carom_world_add_mesh(get(), mesh.get(), &settings, &body));
        return body;
    }
    CaromBody add(const Collider &collider, const CaromBodySettings &settings = carom_body_settings_default()) {
        CaromBody body{};
        check(carom_world_add(get(), collider.get(), &settings, &body));
        return body;
    }
    void remove(CaromBody body) { check(carom_world_remove(get(), body)); }
    CaromPose pose(CaromBody body) const {
        CaromPose pose{};
        check(carom_world_pose(get(), body, &pose));
        return pose;
    }
    void set_pose(CaromBody body, const CaromPose &pose) { check(carom_world_set_pose(get(), body, pose)); }
    void advance(double seconds, const std::vector<CaromMove> &moves = {}) {
        check(carom_world_advance(get(), seconds, moves.data(), moves.size()));
    }
    // Nothing where the way is free.
    std::optional<CaromHit> cast(const CaromCast &cast) const {
        CaromHit hit{};
        check(carom_world_cast(get(), &cast, &hit));
        return hit.is_hit ? std::optional<CaromHit>(hit) : std::nullopt;
    }
    std::vector<CaromHit> cast_many(const std::vector<CaromCast> &casts) const {
        std::vector<CaromHit> hits(casts.size());
        check(carom_world_cast_many(get(), casts.data(), casts.size(), hits.data()));
        return hits;
    }
    // Every part on the way, nearest first.
    std::vector<CaromHit> cast_all(const CaromCast &cast) const {
        return all_of<CaromHit>([&](CaromHit *hits, std::size_t capacity, std::size_t *count) {
            return carom_world_cast_all(get(), &cast, hits, capacity, count);
        });
    }
    // One hit a body.
    std::vector<CaromHit> cast_bodies(const CaromCast &cast) const {
        return all_of<CaromHit>([&](CaromHit *hits, std::size_t capacity, std::size_t *count) {
            return carom_world_cast_bodies(get(), &cast, hits, capacity, count);
        });
    }
    std::vector<CaromHit> ray_exits(CaromVec3 from, CaromVec3 translation, uint32_t layers = CAROM_LAYERS_ALL) const {
        return all_of<CaromHit>([&](CaromHit *hits, std::size_t capacity, std::size_t *count) {
            return carom_world_ray_exits(get(), from, translation, layers, hits, capacity, count);
        });
    }
    std::vector<CaromPart> overlaps(CaromShape shape, CaromVec3 at, uint32_t layers = CAROM_LAYERS_ALL) const {
        return all_of<CaromPart>([&](CaromPart *parts, std::size_t capacity, std::size_t *count) {
            return carom_world_overlaps(get(), shape, at, layers, parts, capacity, count);
        });
    }
    std::vector<CaromContact> contacts(CaromShape shape, CaromVec3 at, double distance,
                                       uint32_t layers = CAROM_LAYERS_ALL) const {
        return all_of<CaromContact>([&](CaromContact *contacts, std::size_t capacity, std::size_t *count) {
            return carom_world_contacts(get(), shape, at, distance, layers, contacts, capacity, count);
        });
    }
    // Bodies that the shape overlaps, the deepest first.
    std::vector<CaromContact> deepest(CaromShape shape, CaromVec3 at, uint32_t layers = CAROM_LAYERS_ALL) const {
        return all_of<CaromContact>([&](CaromContact *contacts, std::size_t capacity, std::size_t *count) {
            return carom_world_deepest(get(), shape, at, layers, contacts, capacity, count);
        });
    }
    std::vector<CaromManifold> manifolds(CaromShape shape, CaromVec3 at, double distance,
                                         uint32_t layers = CAROM_LAYERS_ALL) const {
        return all_of<CaromManifold>([&](CaromManifold *manifolds, std::size_t capacity, std::size_t *count) {
            return carom_world_manifolds(get(), shape, at, distance, layers, manifolds, capacity, count);
        });
    }
    // Nothing where nothing is so near.
    std::optional<CaromClosest> closest(CaromShape shape, CaromVec3 at, double distance,
                                        uint32_t layers = CAROM_LAYERS_ALL) const {
        CaromClosest closest{};
        check(carom_world_closest(get(), shape, at, distance, layers, &closest));
        return closest.is_found ? std::optional<CaromClosest>(closest) : std::nullopt;
    }

private:
    explicit World(CaromWorld handle) : Owner(handle) {}
    static CaromWorld made() {
        CaromWorld world{};
        check(carom_world_new(&world));
        return world;
    }
};

// A body on legs.
class Character : public Owner<CaromCharacter, carom_character_free> {
public:
    Character(CaromShape shape, CaromVec3 position, const CaromSettings &settings = carom_settings_default())
        : Owner(made(shape, position, settings)) {}
    CaromReport step(const World &world, const CaromInput &input, double seconds) {
        CaromReport report{};
        check(carom_character_step(get(), world.get(), input, seconds, &report));
        return report;
    }
    CaromReport report() const {
        CaromReport report{};
        check(carom_character_report(get(), &report));
        return report;
    }
    void teleport(CaromVec3 position) { check(carom_character_teleport(get(), position)); }
    void launch(CaromVec3 velocity) { check(carom_character_launch(get(), velocity)); }
    void set_user_data(uint64_t user_data) { check(carom_character_set_user_data(get(), user_data)); }
    void set_layers(uint32_t layers) { check(carom_character_set_layers(get(), layers)); }
    // False where there is no room for the shape; then nothing changes.
    bool resize(const World &world, CaromShape shape) {
        const CaromStatus status = carom_character_resize(get(), world.get(), shape);
        if (status != CAROM_STATUS_DOES_NOT_FIT) check(status);
        return status == CAROM_STATUS_OK;
    }
    Character clone() const {
        CaromCharacter copy{};
        check(carom_character_clone(get(), &copy));
        return Character(copy);
    }
    void restore(const Character &from) { check(carom_character_restore(get(), from.get())); }

private:
    explicit Character(CaromCharacter handle) : Owner(handle) {}
    static CaromCharacter made(CaromShape shape, CaromVec3 position, const CaromSettings &settings) {
        CaromCharacter character{};
        check(carom_character_new(shape, &settings, position, &character));
        return character;
    }
};

// The bodies and characters in each sensor of a world.
class Sensors : public Owner<CaromSensors, carom_sensors_free> {
public:
    Sensors() : Owner(made()) {}
    Sensors clone() const {
        CaromSensors copy{};
        check(carom_sensors_clone(get(), &copy));
        return Sensors(copy);
    }
    // The events of the last tick. Events name characters by their places in the list.
    std::vector<CaromSensorEvent> update(const World &world, const std::vector<CaromCharacter> &characters) {
        std::size_t count = 0;
        check(carom_sensors_update(get(), world.get(), characters.data(), characters.size(), &count));
        std::vector<CaromSensorEvent> events(count);
        check(carom_sensors_events(get(), events.data(), events.size(), &count));
        return events;
    }
    std::vector<CaromObstacle> inside(CaromBody sensor) const {
        return all_of<CaromObstacle>([&](CaromObstacle *visitors, std::size_t capacity, std::size_t *count) {
            return carom_sensors_inside(get(), sensor, visitors, capacity, count);
        });
    }

private:
    explicit Sensors(CaromSensors handle) : Owner(handle) {}
    static CaromSensors made() {
        CaromSensors sensors{};
        check(carom_sensors_new(&sensors));
        return sensors;
    }
};

// Crates: dynamic bodies of a world that pushes, gravity and what they stand on move.
class Pushed : public Owner<CaromPushed, carom_pushed_free> {
public:
    explicit Pushed(CaromVec3 gravity, double friction = 0) : Owner(made(gravity, friction)) {}
    // To be put aside with a clone of the world.
    Pushed clone() const {
        CaromPushed copy{};
        check(carom_pushed_clone(get(), &copy));
        return Pushed(copy);
    }
    void add(const World &world, CaromBody body) { check(carom_pushed_add(get(), world.get(), body)); }
    void remove(CaromBody body) { check(carom_pushed_remove(get(), body)); }
    void push(const World &world, CaromBody body, CaromVec3 impulse) {
        check(carom_pushed_push(get(), world.get(), body, impulse));
    }
    // The pushes of these characters in their last ticks.
    void push_all(const World &world, const std::vector<CaromCharacter> &characters) {
        check(carom_pushed_push_all(get(), world.get(), characters.data(), characters.size()));
    }
    CaromVec3 velocity(CaromBody body) const {
        CaromVec3 velocity{};
        check(carom_pushed_velocity(get(), body, &velocity));
        return velocity;
    }
    // The moving body that it has no room beside; the null body if it has room.
    CaromBody pressed_by(CaromBody body) const {
        CaromBody by{};
        check(carom_pushed_pressed_by(get(), body, &by));
        return by;
    }
    // In the place of World::advance.
    void advance(World &world, double seconds, const std::vector<CaromMove> &moves = {}) {
        check(carom_pushed_advance(get(), world.get(), seconds, moves.data(), moves.size()));
    }

private:
    explicit Pushed(CaromPushed handle) : Owner(handle) {}
    static CaromPushed made(CaromVec3 gravity, double friction) {
        CaromPushed pushed{};
        check(carom_pushed_new(gravity, friction, &pushed));
        return pushed;
    }
};

// Characters as targets of casts. Answers name them by their places in the list of the last update.
class Targets : public Owner<CaromTargets, carom_targets_free> {
public:
    Targets() : Owner(made()) {}
    void update(const std::vector<CaromCharacter> &characters) {
        check(carom_targets_update(get(), characters.data(), characters.size()));
    }
    // Past one character: the one that shoots. Nothing where the way is free.
    std::optional<CaromCharacterHit> cast(const CaromCast &cast, uint32_t past = CAROM_NO_CHARACTER) const {
        CaromCharacterHit hit{};
        check(carom_targets_cast(get(), &cast, past, &hit));
        return hit.is_hit ? std::optional<CaromCharacterHit>(hit) : std::nullopt;
    }
    std::vector<CaromCharacterHit> cast_all(const CaromCast &cast) const {
        return all_of<CaromCharacterHit>([&](CaromCharacterHit *hits, std::size_t capacity, std::size_t *count) {
            return carom_targets_cast_all(get(), &cast, hits, capacity, count);
        });
    }
    std::vector<CaromCharacterOverlap> overlaps(CaromShape shape, CaromVec3 at,
                                                uint32_t layers = CAROM_LAYERS_ALL) const {
        return all_of<CaromCharacterOverlap>(
            [&](CaromCharacterOverlap *characters, std::size_t capacity, std::size_t *count) {
                return carom_targets_overlaps(get(), shape, at, layers, characters, capacity, count);
            });
    }
    std::vector<CaromCharacterContact> contacts(CaromShape shape, CaromVec3 at, double distance,
                                                uint32_t layers = CAROM_LAYERS_ALL) const {
        return all_of<CaromCharacterContact>(
            [&](CaromCharacterContact *contacts, std::size_t capacity, std::size_t *count) {
                return carom_targets_contacts(get(), shape, at, distance, layers, contacts, capacity, count);
            });
    }
    std::optional<CaromClosestCharacter> closest(CaromShape shape, CaromVec3 at, double distance,
                                                 uint32_t layers = CAROM_LAYERS_ALL) const {
        CaromClosestCharacter closest{};
        check(carom_targets_closest(get(), shape, at, distance, layers, &closest));
        return closest.is_found ? std::optional<CaromClosestCharacter>(closest) : std::nullopt;
    }

private:
    static CaromTargets made() {
        CaromTargets targets{};
        check(carom_targets_new(&targets));
        return targets;
    }
};

// Balls, from each exact contact to the next.
class Table : public Owner<CaromTable, carom_table_free> {
public:
    explicit Table(const CaromTableSetup &setup) : Owner(made(setup)) {}
    Table clone() const {
        CaromTable copy{};
        check(carom_table_clone(get(), &copy));
        return Table(copy);
    }
    // Nothing where nothing happens until then.
    std::optional<CaromTableEvent> next_event(double until) {
        CaromTableEvent event{};
        check(carom_table_next_event(get(), until, &event));
        return event.kind == CAROM_TABLE_EVENT_KIND_NONE ? std::nullopt : std::optional<CaromTableEvent>(event);
    }
    double time() const {
        double seconds = 0;
        check(carom_table_time(get(), &seconds));
        return seconds;
    }
    std::vector<CaromBallState> balls() const {
        return all_of<CaromBallState>([&](CaromBallState *states, std::size_t capacity, std::size_t *count) {
            return carom_table_balls(get(), states, capacity, count);
        });
    }
    void strike(std::size_t ball, CaromVec3 velocity) { check(carom_table_strike(get(), ball, velocity)); }
    void drive(CaromBody body, CaromVec3 linear, CaromVec3 angular) {
        check(carom_table_drive(get(), body, linear, angular));
    }

private:
    explicit Table(CaromTable handle) : Owner(handle) {}
    static CaromTable made(const CaromTableSetup &setup) {
        CaromTable table{};
        check(carom_table_new(&setup, &table));
        return table;
    }
};

// Walks a level and says where it breaks. `on_progress(const CaromExploreProgress &)` returns whether to go
// on; `on_finding(const CaromFinding &)` may keep what it copies. An exception of either ends the walk and is
// thrown here.
template <typename OnProgress, typename OnFinding>
CaromExplored explore(const Mesh &level, const CaromExploreRules &rules, const std::vector<CaromVec3> &spawns,
                      OnProgress on_progress, OnFinding on_finding) {
    struct Both {
        OnProgress &on_progress;
        OnFinding &on_finding;
        std::exception_ptr thrown;
    } both{on_progress, on_finding, nullptr};
    CaromExploreListener listener = carom_explore_listener_default();
    listener.user = &both;
    listener.progress = [](void *user, const CaromExploreProgress *progress) {
        Both &both = *static_cast<Both *>(user);
        try {
            return static_cast<bool>(both.on_progress(*progress));
        } catch (...) {
            both.thrown = std::current_exception();
            return false;
        }
    };
    listener.finding = [](void *user, const CaromFinding *finding) {
        Both &both = *static_cast<Both *>(user);
        if (both.thrown) return;
        try {
            both.on_finding(*finding);
        } catch (...) {
            both.thrown = std::current_exception();
        }
    };
    CaromExplored explored{};
    const CaromStatus status =
        carom_explore(level.get(), &rules, spawns.data(), spawns.size(), &listener, &explored);
    if (both.thrown) std::rethrow_exception(both.thrown);
    check(status);
    return explored;
}

} // namespace carom

#endif
