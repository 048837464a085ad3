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

// What bodies are made of besides shapes and meshes.
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

// Who is in which sensor of a world.
class Sensors : public Owner<CaromSensors, carom_sensors_free> {
public:
    Sensors() : Owner(made()) {}
    Sensors clone() const {
        CaromSensors copy{};
        check(carom_sensors_clone(get(), &copy));
        return Sensors(copy);
    }
    // What the last tick brought. Events name characters by their places in the list.
    std::vector<CaromSensorEvent> update(const World &world, const std::vector<CaromCharacter> &characters) {
        std::size_t count = 0;
        check(carom_sensors_update(get(), world.get(), characters.data(), characters.size(), &count));
        std::vector<CaromSensorEvent> events(count);
        check(carom_sensors_events(get(), events.data(), events.size(), &count));
        return events;
    }
    std::vector<CaromObstacle> inside(CaromBody sensor) const {
        std::vector<CaromObstacle> visitors;
        std::size_t count = 0;
        CaromStatus status = carom_sensors_inside(get(), sensor, nullptr, 0, &count);
        if (status == CAROM_STATUS_BUFFER_TOO_SMALL) {
            visitors.resize(count);
            status = carom_sensors_inside(get(), sensor, visitors.data(), count, &count);
        }
        check(status);
        return visitors;
    }

private:
    explicit Sensors(CaromSensors handle) : Owner(handle) {}
    static CaromSensors made() {
        CaromSensors sensors{};
        check(carom_sensors_new(&sensors));
        return sensors;
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
        std::vector<CaromBallState> states;
        std::size_t count = 0;
        CaromStatus status = carom_table_balls(get(), nullptr, 0, &count);
        if (status == CAROM_STATUS_BUFFER_TOO_SMALL) {
            states.resize(count);
            status = carom_table_balls(get(), states.data(), count, &count);
        }
        check(status);
        return states;
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

// Walks a level and says where it breaks. `on_progress(const CaromExploreProgress &)` returns whether to go on;
// `on_finding(const CaromFinding &)` may keep what it copies. What they throw ends the walk and is thrown here.
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
