// Carom: exact continuous collision detection and response. The C interface.
//
//     CaromWorld world;
//     if (carom_world_new(&world) != CAROM_STATUS_OK) puts(carom_last_error());
//
// Made by cbindgen from the crate carom-c: change it there.
//
// STATUS. Every function that can fail returns a CaromStatus; 0 is CAROM_STATUS_OK. carom_last_error() then has
// the message, one for each thread. A call that fails changes nothing and writes nothing, unless it says so.
//
// HANDLES. Worlds, meshes, characters and their like are handles: numbers in a structure, copied as you like.
// All zeros is null. A handle that was freed, or is of another kind, is refused with
// CAROM_STATUS_NO_SUCH_OBJECT, also after its place has been used again. Each object is freed by its ..._free;
// the order does not matter.
//
// POINTERS. A pointer is null, or leads to as many initialized elements of its type as the call says (for
// answers: to room for them), which nobody else changes (for answers: or reads) until the call returns. Nothing
// is kept beyond the call. Texts are UTF-8 and end with a zero. Null where it is not allowed and addresses that
// are not aligned are refused with CAROM_STATUS_NULL_POINTER; anything else that breaks these rules cannot be
// seen, as everywhere in C.
//
// NUMBERS. NaN and infinities are refused with CAROM_STATUS_BAD_VALUE wherever they make no sense. Lengths are
// meters, times seconds, angles radians; y is up unless the settings of a character say otherwise.
//
// SIZES. Structures that begin with `size` may grow: get one from its ..._default function and change what you
// want. Another size is refused with CAROM_STATUS_STRUCT_SIZE. All others keep their size for a
// CAROM_ABI_VERSION; carom_abi_version() has that of the library.
//
// THREADS. Any function may be called on any thread. Many may ask one object at the same time; a call that
// changes an object wants it alone. A call that would have to wait returns CAROM_STATUS_BUSY at once and changes
// nothing, so a mistake is an error and never a race. Answers do not depend on threads.
//
// BUGS. A panic in Carom does not cross the border: the call returns CAROM_STATUS_PANIC, and what it was
// changing can only be freed. Running out of memory ends the process.


#ifndef CAROM_H
#define CAROM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


// The version of the interface that carom.h describes. It changes with every change of a structure or of
// what a function takes.
#define CAROM_ABI_VERSION 2

// The place of no character.
#define CAROM_NO_CHARACTER UINT32_MAX

// Every layer: the default of queries.
#define CAROM_LAYERS_ALL UINT32_MAX

// Layer 0, the default of bodies.
#define CAROM_LAYERS_SOLID 1

// What a call came to. `CAROM_STATUS_OK` is 0; whatever else it is, nothing was changed unless the function
// says so, and `carom_last_error` says what is wrong.
enum CaromStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Done.
    CAROM_STATUS_OK = 0,
    // A pointer that must not be null is null, or is not aligned for its type.
    CAROM_STATUS_NULL_POINTER = 1,
    // A handle that is null, was freed, or is of another kind of object.
    CAROM_STATUS_NO_SUCH_OBJECT = 2,
    // A body that is null, was removed, or is of another world.
    CAROM_STATUS_NO_SUCH_BODY = 3,
    // A number that is NaN, infinite or out of its range.
    CAROM_STATUS_BAD_VALUE = 4,
    // A buffer with less room than the answer needs. What fits was written, and how much there is.
    CAROM_STATUS_BUFFER_TOO_SMALL = 5,
    // A file that cannot be read, or is not what its name says.
    CAROM_STATUS_BAD_FILE = 6,
    // A structure whose `size` is not that of this library: it was not made by its `…_default` function,
    // or the program was compiled with another carom.h.
    CAROM_STATUS_STRUCT_SIZE = 7,
    // Another thread is using the object, or it is named twice in one call.
    CAROM_STATUS_BUSY = 8,
    // The body is fixed: only kinematic and dynamic ones move in a tick.
    CAROM_STATUS_FIXED_BODY = 9,
    // The new shape of a character does not fit where it stands.
    CAROM_STATUS_DOES_NOT_FIT = 10,
    // A bug in Carom, caught at the border. The objects that the call was to change can only be freed.
    CAROM_STATUS_PANIC = 11,
    // A level that cannot be explored: without floor, or too large for its grid.
    CAROM_STATUS_CANNOT_EXPLORE = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromStatus CaromStatus;
#else
typedef int32_t CaromStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which numbers of a shape count.
enum CaromShapeKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A ray, when cast. No number counts.
    CAROM_SHAPE_KIND_POINT = 0,
    // `size.x` is the radius.
    CAROM_SHAPE_KIND_SPHERE = 1,
    // `size` has the three radii.
    CAROM_SHAPE_KIND_ELLIPSOID = 2,
    // `size.x` is the radius, `size.y` half of the height of the cylinder, along y.
    CAROM_SHAPE_KIND_CAPSULE = 3,
    // `size` has half of each side.
    CAROM_SHAPE_KIND_CUBOID = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromShapeKind CaromShapeKind;
#else
typedef uint32_t CaromShapeKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What may move a body.
enum CaromMotion
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing: it stays where it is put.
    CAROM_MOTION_FIXED = 0,
    // The game: lifts, doors. Nothing stops it.
    CAROM_MOTION_KINEMATIC = 1,
    // The game; it has a mass, and characters say how hard they push it.
    CAROM_MOTION_DYNAMIC = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromMotion CaromMotion;
#else
typedef uint32_t CaromMotion;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a body is set in motion.
enum CaromMoveKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // By its velocities.
    CAROM_MOVE_KIND_DRIVE = 0,
    // To a pose, where it is at the end of the tick.
    CAROM_MOVE_KIND_MOVE_TO = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromMoveKind CaromMoveKind;
#else
typedef uint32_t CaromMoveKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What part of a triangle or polygon was touched.
enum CaromFeature
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The inside of a face, or the surface of a solid.
    CAROM_FEATURE_FACE = 0,
    // An edge.
    CAROM_FEATURE_EDGE = 1,
    // A corner.
    CAROM_FEATURE_VERTEX = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromFeature CaromFeature;
#else
typedef uint32_t CaromFeature;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The axis of a file that points up.
enum CaromUp
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // As its format has it.
    CAROM_UP_FORMAT = 0,
    // y.
    CAROM_UP_Y = 1,
    // z.
    CAROM_UP_Z = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromUp CaromUp;
#else
typedef uint32_t CaromUp;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a character keeps of the velocity of the platform that it leaves.
enum CaromPlatformVelocity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All of it.
    CAROM_PLATFORM_VELOCITY_INHERIT = 0,
    // Nothing.
    CAROM_PLATFORM_VELOCITY_DROP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromPlatformVelocity CaromPlatformVelocity;
#else
typedef uint32_t CaromPlatformVelocity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What becomes of those that stand on the head of a character when it walks.
enum CaromRiders
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // They go along.
    CAROM_RIDERS_CARRY = 0,
    // It walks out from under them.
    CAROM_RIDERS_LEAVE_BEHIND = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromRiders CaromRiders;
#else
typedef uint32_t CaromRiders;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How gravity is applied.
enum CaromGravityPass
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // One motion along the ground, one up or down.
    CAROM_GRAVITY_PASS_SEPARATE = 0,
    // One motion of both.
    CAROM_GRAVITY_PASS_COMBINED = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromGravityPass CaromGravityPass;
#else
typedef uint32_t CaromGravityPass;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a tick ended.
enum CaromOutcome
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // As far as it wanted to, or along what was in the way.
    CAROM_OUTCOME_MOVED = 0,
    // Something left no way to continue.
    CAROM_OUTCOME_BLOCKED = 1,
    // It was pressed from several sides.
    CAROM_OUTCOME_CRUSHED = 2,
    // It could not get out of what it overlapped, and was put back to where it last stood free.
    CAROM_OUTCOME_RECOVERED = 3,
    // The motion left the range of numbers: it stayed where it was.
    CAROM_OUTCOME_REFUSED = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromOutcome CaromOutcome;
#else
typedef uint32_t CaromOutcome;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a visitor did in a tick.
enum CaromSensorEventKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It was outside and came in.
    CAROM_SENSOR_EVENT_KIND_ENTERED = 0,
    // It was in at the end of the last tick and is in at the end of this one.
    CAROM_SENSOR_EVENT_KIND_STAYED = 1,
    // It was in and is outside at the end of the tick; or the sensor or the visitor is gone.
    CAROM_SENSOR_EVENT_KIND_LEFT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromSensorEventKind CaromSensorEventKind;
#else
typedef uint32_t CaromSensorEventKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which numbers of a wall count.
enum CaromWallKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All that lies behind the plane through `a` is solid; `b` is its normal, towards the balls.
    CAROM_WALL_KIND_PLANE = 0,
    // A cushion from `a` to `b`; z does not matter.
    CAROM_WALL_KIND_SEGMENT = 1,
    // A piece of a circle about `a`, of this `radius`, counterclockwise between two angles; z does not
    // matter.
    CAROM_WALL_KIND_ARC = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromWallKind CaromWallKind;
#else
typedef uint32_t CaromWallKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a ball is doing.
enum CaromBallMotion
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Straight on, or along a parabola.
    CAROM_BALL_MOTION_FREE = 0,
    // On the cloth, slower or faster than it turns.
    CAROM_BALL_MOTION_SLIDING = 1,
    // On the cloth, as fast as it turns.
    CAROM_BALL_MOTION_ROLLING = 2,
    // Not at all, until something meets it or what it lies on goes away.
    CAROM_BALL_MOTION_RESTING = 3,
    // In a pocket, and off the table.
    CAROM_BALL_MOTION_POCKETED = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromBallMotion CaromBallMotion;
#else
typedef uint32_t CaromBallMotion;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What happened on a table.
enum CaromTableEventKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing until the time that was asked for.
    CAROM_TABLE_EVENT_KIND_NONE = 0,
    // `ball` met the ball `other`, the lower number first.
    CAROM_TABLE_EVENT_KIND_BALLS = 1,
    // `ball` met the wall `other`.
    CAROM_TABLE_EVENT_KIND_WALL = 2,
    // `ball` met the part `other` of `body`.
    CAROM_TABLE_EVENT_KIND_OBSTACLE = 3,
    // `body` presses `ball` against something that does not give way.
    CAROM_TABLE_EVENT_KIND_CRUSHED = 4,
    // `ball` fell into the pocket `other`.
    CAROM_TABLE_EVENT_KIND_POCKET = 5,
    // `ball` came to rest: on `body`, or, if that is 0, on a wall, on cloth or on other balls.
    CAROM_TABLE_EVENT_KIND_REST = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromTableEventKind CaromTableEventKind;
#else
typedef uint32_t CaromTableEventKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is wrong.
enum CaromFindingCode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A body leaves the world there.
    CAROM_FINDING_CODE_FALL_OUT = 0,
    // A body gets there and can no longer move on.
    CAROM_FINDING_CODE_STUCK = 1,
    // A region from which no way leads back to a spawn.
    CAROM_FINDING_CODE_TRAP = 2,
    // A spawn in which the body does not fit.
    CAROM_FINDING_CODE_START_OVERLAP = 3,
    // The walk hangs where a body raised by a step passes, and beyond the floor continues.
    CAROM_FINDING_CODE_SNAG = 4,
    // Floor that is flat enough, with room for the body, that was never reached.
    CAROM_FINDING_CODE_UNREACHED = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromFindingCode CaromFindingCode;
#else
typedef uint32_t CaromFindingCode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Three numbers: a position in meters, a velocity in m/s, a direction.
typedef struct CaromVec3 {
    // Along x.
    double x;
    // Along y.
    double y;
    // Along z.
    double z;
} CaromVec3;

// A rotation as a quaternion. It is scaled to length one; all zeros are refused.
typedef struct CaromQuat {
    // The x of the axis.
    double x;
    // The y of the axis.
    double y;
    // The z of the axis.
    double z;
    // 1 if nothing is turned.
    double w;
} CaromQuat;

// A shape about its own center, in meters. `carom_sphere` and its like fill it.
typedef struct CaromShape {
    // A `CaromShapeKind`.
    uint32_t kind;
    // Its numbers, as the kind has them.
    struct CaromVec3 size;
    // How it is turned about its center. Points and spheres do not mind.
    struct CaromQuat rotation;
} CaromShape;

// How a character moves. Lengths in meters, speeds in m/s, angles in radians. docs/feel.md says what each
// does.
typedef struct CaromSettings {
    // That of this structure: `carom_settings_default` sets it.
    uint32_t size;
    // The layers that stop it. Default: all.
    uint32_t collides_with;
    // The direction that is up; of any length, but not 0. Default: +y.
    struct CaromVec3 up;
    // What makes it fall, in m/s². Default: (0, −9.81, 0).
    struct CaromVec3 gravity;
    // The distance that it keeps from everything, above 0. 0, the default: a thousandth of its smallest
    // radius, but at least 0.1 mm.
    double skin;
    // The highest step that it climbs, at least 0. Default: 0.4.
    double step_height;
    // The steepest ground that it walks on, 0 … π/2. Default: π/4.
    double max_slope;
    // How far ground may fall away before it is left, at least 0. −1, the default: step height and skin.
    double snap_distance;
    // The share of what is missing to the wanted velocity that a tick in the air makes up, 0 … 1.
    // Default: 1.
    double air_control;
    // The friction of surfaces that have none of their own, at least 0. Default: 0.5.
    double friction;
    // The most that it reports as a push, in newtons, at least 0. Default: 100.
    double push_force;
    // How fast it gets out of what has crushed it, in m/s, at least 0. −1, the default: as fast as what
    // presses moves, but at least 1.5 m/s.
    double escape_speed;
    // A `CaromPlatformVelocity`. Default: inherit.
    uint32_t platform_velocity;
    // A `CaromRiders`. Default: carry.
    uint32_t riders;
    // A `CaromGravityPass`. Default: separate.
    uint32_t gravity_pass;
} CaromSettings;

// A body on legs, moved by wanted velocities.
typedef struct CaromCharacter {
    // Meaningless but for 0: no character.
    uint64_t value;
} CaromCharacter;

// All that movers can meet.
typedef struct CaromWorld {
    // Meaningless but for 0: no world.
    uint64_t value;
} CaromWorld;

// What a player wants for one tick. All zeros: nothing, as `carom_idle` has it. `carom_walk` fills it.
typedef struct CaromInput {
    // 1 if there is a wanted velocity; 0: hands off, it stands if it can and flies on if it is in the air.
    uint32_t has_velocity;
    // 1 to jump; done only from the ground.
    uint32_t has_jump;
    // The wanted velocity, in m/s.
    struct CaromVec3 desired_velocity;
    // The speed of the jump, in m/s along `up`.
    double jump;
} CaromInput;

// Names a body of one world. A world refuses the bodies of others and those that were removed; those that it
// shares with the world that it was cloned from are good in both. 0: no body.
typedef struct CaromBody {
    // Meaningless but for 0.
    uint64_t value;
} CaromBody;

// What a character touches: a part of a body, or another character of its crowd.
typedef struct CaromObstacle {
    // The body; 0 if it is a character.
    struct CaromBody body;
    // Which part of the body.
    uint32_t part;
    // The place of the character in the list of the crowd; `CAROM_NO_CHARACTER` if it is a body.
    uint32_t character;
} CaromObstacle;

// What a tick came to.
typedef struct CaromReport {
    // The center, in meters.
    struct CaromVec3 position;
    // Where it was when the tick began: what is drawn lies between the two.
    struct CaromVec3 previous_position;
    // In m/s, that of a platform included.
    struct CaromVec3 velocity;
    // The most upright normal of the ground; 0 in the air.
    struct CaromVec3 ground_normal;
    // What it stands on.
    struct CaromObstacle ground;
    // The own number of what it stands on; 0 in the air.
    uint64_t ground_user_data;
    // The character's own number.
    uint64_t user_data;
    // The tag of the surface that it stands on.
    uint32_t ground_tag;
    // Whether it stands on anything.
    bool on_ground;
    // A `CaromOutcome`.
    uint32_t outcome;
    // How many sweeps the tick took.
    uint32_t sweeps;
    // By how many meters it climbed steps in this tick: what a camera should smooth.
    double stepped;
    // By how much platforms have turned it about `up`, in radians, counted on beyond full turns.
    double yaw;
} CaromReport;

// Something touched at the end of a tick.
typedef struct CaromTouch {
    // What.
    struct CaromObstacle obstacle;
    // Its own number.
    uint64_t user_data;
    // Where, in meters.
    struct CaromVec3 point;
    // The unit normal, towards the character.
    struct CaromVec3 normal;
    // How far from its skin, in meters; negative where it is inside.
    double gap;
} CaromTouch;

// A push against a dynamic body, for the game to apply.
typedef struct CaromPush {
    // Which body.
    struct CaromBody body;
    // The body's own number.
    uint64_t user_data;
    // Where, in meters.
    struct CaromVec3 point;
    // In newton seconds.
    struct CaromVec3 impulse;
} CaromPush;

// What bodies are made of. Many bodies may be made of one.
typedef struct CaromCollider {
    // Meaningless but for 0: no collider.
    uint64_t value;
} CaromCollider;

// Triangles with their tree, shared by all bodies that are made of them.
typedef struct CaromMesh {
    // Meaningless but for 0: no mesh.
    uint64_t value;
} CaromMesh;

// Where a body is.
typedef struct CaromPose {
    // In meters.
    struct CaromVec3 position;
    // From the axes of the body to those of the world.
    struct CaromQuat rotation;
    // How many times as large as its own numbers, greater than 0.
    double scale;
} CaromPose;

// What a body, or a triangle of a mesh, is made of.
typedef struct CaromSurface {
    // The coefficient of friction, at least 0; −1: whatever is the default of the rule that moves.
    double friction;
    // The share of the speed into the surface that comes back, at least 0.
    double restitution;
    // 1 if movers pass through from the back, else 0.
    uint32_t one_sided;
    // A number of your own, given back unread.
    uint32_t tag;
} CaromSurface;

// A part of a body that is made of several. `carom_compound_piece` fills it.
typedef struct CaromCompoundPiece {
    // What it is made of; not of pieces itself.
    struct CaromCollider collider;
    // Where it is in the body.
    struct CaromPose pose;
    // 1 if `surface` counts, 0 if the piece is of the material of the body.
    uint32_t has_surface;
    // Its material. A mesh and a height field have their own and keep them.
    struct CaromSurface surface;
} CaromCompoundPiece;

// A grid of heights along y. Its first sample is at x = 0 and z = 0 of the body; columns follow each other
// along x, rows along z. Samples are either `heights` or `steps`. All lists are copied.
typedef struct CaromHeightFieldData {
    // That of this structure: `carom_height_field_data_default` sets it.
    uint32_t size;
    // How many samples there are along x, at least 2.
    uint32_t columns;
    // How many samples there are along z, at least 2.
    uint32_t rows;
    // How many meters columns are apart, greater than 0.
    double column_spacing;
    // How many meters rows are apart, greater than 0.
    double row_spacing;
    // A height in meters for each sample, row by row; null if there are `steps`.
    const float *heights;
    // A height in whole steps for each sample, row by row, as in a picture of 16 bits; null if there are
    // `heights`.
    const uint16_t *steps;
    // The height of 0 steps, in meters.
    double lowest;
    // The height that a step adds, in meters.
    double step;
    // Cells without ground, by column and row: two numbers each.
    const uint32_t *holes;
    // How many holes there are.
    size_t hole_count;
    // The materials; may be null if there are none.
    const struct CaromSurface *surfaces;
    // How many materials there are. 0: all cells are of the default material.
    size_t surface_count;
    // The number of the material of each cell, row by row; null: all are of material 0.
    const uint8_t *surface_ids;
} CaromHeightFieldData;

// What it takes to move many characters at once. It holds nothing that changes an answer.
typedef struct CaromCrowd {
    // Meaningless but for 0: no crowd.
    uint64_t value;
} CaromCrowd;

// The body that walks a level, what it can do, and how finely it is sampled.
typedef struct CaromExploreRules {
    // That of this structure: `carom_explore_rules_default` and `carom_explore_preset` set it.
    uint32_t size;
    // No more places than this: then what is found is partial.
    uint32_t most_places;
    // The body; no point.
    struct CaromShape shape;
    // How it moves; up is +y.
    struct CaromSettings settings;
    // The speed of walking, in m/s, greater than 0.
    double speed;
    // The speed of a jump, in m/s; 0: no jumping.
    double jump;
    // The time of a tick, in seconds, greater than 0.
    double tick;
    // The side of a cell of the grid, in meters; 0: by the width of the body.
    double cell;
    // Floor that was not reached and is smaller than this, in m², is no finding.
    double min_area;
    // After this many seconds it stops, and judges what was walked until then; 0: never.
    double most_seconds;
} CaromExploreRules;

// How far an exploration is.
typedef struct CaromExploreProgress {
    // Places found.
    size_t places;
    // Of those, left in all directions.
    size_t done;
    // How many places there are to be found, about.
    size_t expected;
    // Floor of the places that are done, in m².
    double area;
    // Ticks that characters made.
    uint64_t ticks;
    // Bytes held.
    size_t memory;
} CaromExploreProgress;

// Something that is wrong with a level. Texts and lists are good until the callback returns.
typedef struct CaromFinding {
    // A `CaromFindingCode`.
    uint32_t code;
    // Whether it breaks the game; else it may be meant.
    bool is_error;
    // Whether a report lists it; else it is part of another one, or not worth a look.
    bool is_listed;
    // How many cells are concerned.
    uint32_t cells;
    // Where, in meters.
    struct CaromVec3 position;
    // The least coordinates of its cells, in meters.
    struct CaromVec3 min;
    // The greatest.
    struct CaromVec3 max;
    // Of floor that was not reached: how much, in m²; else 0.
    double area;
    // The way there, the center of the body after every tick, in meters.
    const struct CaromVec3 *way;
    // How many positions the way has.
    size_t way_count;
    // A name that stays the same when the level changes elsewhere.
    const char *id;
    // What it is, in a sentence.
    const char *meaning;
    // Why it is not listed; null if it is.
    const char *folded;
} CaromFinding;

// Whom an exploration reports to. Each function may be null; each is called on the thread that explores, and
// may call any function of this library. None may throw an exception or jump out.
typedef struct CaromExploreListener {
    // That of this structure: `carom_explore_listener_default` sets it.
    uint32_t size;
    // Handed to every function.
    void *user;
    // How far it is, several times a second; false ends the walk: what was walked until then is judged.
    bool (*progress)(void*, const struct CaromExploreProgress*);
    // Something that is wrong, the most important first.
    void (*finding)(void*, const struct CaromFinding*);
    // Something that is odd about the level as a whole: its name, as `WINDING`, and a sentence.
    void (*warning)(void*, const char*, const char*);
    // All of it at the end: the text of report.json.
    void (*report)(void*, const char*);
} CaromExploreListener;

// What an exploration came to.
typedef struct CaromExplored {
    // Whether every place that was found was left in all directions, and all was judged.
    bool is_complete;
    // How many listed findings break the game.
    size_t error_count;
    // How many findings are listed.
    size_t listed_count;
    // How many findings there are.
    size_t finding_count;
    // Places found.
    size_t places;
    // Ticks that characters made.
    uint64_t ticks;
    // Floor that was reached, in m².
    double reached_area;
    // All floor with room for the body, in m².
    double floor_area;
    // By the clock on the wall.
    double seconds;
} CaromExplored;

// Lists that a mesh is made from. They are copied.
typedef struct CaromMeshData {
    // That of this structure: `carom_mesh_data_default` sets it.
    uint32_t size;
    // What the vertices are measured from, in meters.
    struct CaromVec3 origin;
    // Three numbers a vertex, in meters.
    const float *vertices;
    // How many vertices there are.
    size_t vertex_count;
    // Three indices a triangle, counterclockwise as seen from the front.
    const uint32_t *triangles;
    // How many triangles there are.
    size_t triangle_count;
    // The materials; may be null if there are none.
    const struct CaromSurface *surfaces;
    // How many materials there are. 0: all triangles are of the default material.
    size_t surface_count;
    // The number of the material of each triangle; null: all are of material 0.
    const uint16_t *surface_ids;
} CaromMeshData;

// How a level file is read.
typedef struct CaromLoadOptions {
    // That of this structure: `carom_load_options_default` sets it.
    uint32_t size;
    // A `CaromUp`.
    uint32_t up;
    // Meters per unit of the file, greater than 0; 0: as its format has it.
    double scale;
    // The most bytes that are read; 0: 4 GiB.
    uint64_t most_bytes;
    // The most triangles; 0: 100 million.
    size_t most_triangles;
} CaromLoadOptions;

// A mover, where its center starts and how far it wants to go. `carom_cast` and `carom_ray` fill it.
typedef struct CaromCast {
    // What is moved.
    struct CaromShape shape;
    // Where its center starts, in meters.
    struct CaromVec3 from;
    // The whole path, in meters.
    struct CaromVec3 translation;
    // A body that it passes as if it were not there; 0: none.
    struct CaromBody exclude;
    // Bit i says whether bodies of layer i are hit.
    uint32_t layers;
} CaromCast;

// What a cast came to.
typedef struct CaromHit {
    // Whether anything was met. If not, `fraction` is 1 and all else 0.
    bool is_hit;
    // Whether the mover was inside what it met already, by more than rounding, and moves deeper.
    bool start_overlap;
    // A `CaromFeature`.
    uint32_t feature;
    // The number of the edge or corner that was touched, from 0.
    uint32_t feature_index;
    // Which triangle of a mesh; 0 for a solid.
    uint32_t part;
    // What was met.
    struct CaromBody body;
    // The body's own number.
    uint64_t user_data;
    // The share of the translation that is free, 0 … 1.
    double fraction;
    // The touched point, in meters.
    struct CaromVec3 point;
    // The unit normal, towards the mover.
    struct CaromVec3 normal;
} CaromHit;

// A part of a body: a triangle of a mesh, or a whole solid (0).
typedef struct CaromPart {
    // The body.
    struct CaromBody body;
    // Which of its parts.
    uint32_t part;
    // The body's own number.
    uint64_t user_data;
} CaromPart;

// How a mover stands to a part where it is.
typedef struct CaromContact {
    // The body.
    struct CaromBody body;
    // Which of its parts.
    uint32_t part;
    // The body's own number.
    uint64_t user_data;
    // How far apart along the normal, in meters; negative where they overlap.
    double gap;
    // The nearest point of the part, in meters.
    struct CaromVec3 point;
    // The unit normal, towards the mover.
    struct CaromVec3 normal;
} CaromContact;

// What is nearest.
typedef struct CaromClosest {
    // Whether anything is so near. If not, all else is 0.
    bool is_found;
    // Which part of the body.
    uint32_t part;
    // The body.
    struct CaromBody body;
    // The body's own number.
    uint64_t user_data;
    // In meters; 0 where they touch or overlap.
    double distance;
    // The nearest point of it, in meters.
    struct CaromVec3 point;
} CaromClosest;

// The visitors of all sensors of a world.
typedef struct CaromSensors {
    // Meaningless but for 0: no sensors.
    uint64_t value;
} CaromSensors;

// Something that a sensor reports.
typedef struct CaromSensorEvent {
    // A `CaromSensorEventKind`.
    uint32_t kind;
    // Which sensor.
    struct CaromBody sensor;
    // The sensor's own number.
    uint64_t sensor_user_data;
    // The body or the character; its `part` is 0.
    struct CaromObstacle visitor;
    // The visitor's own number.
    uint64_t visitor_user_data;
    // After which share of the tick, 0 … 1: of the first touch or of the last. 1 for one that stayed, 0 for
    // one that was put elsewhere without a way.
    double time;
} CaromSensorEvent;

// A ball as a table is set up with it.
typedef struct CaromBall {
    // The center, in meters.
    struct CaromVec3 position;
    // In m/s.
    struct CaromVec3 velocity;
    // In meters, greater than 0.
    double radius;
    // In kilograms, greater than 0.
    double mass;
} CaromBall;

// What stands around a table.
typedef struct CaromWall {
    // A `CaromWallKind`.
    uint32_t kind;
    // As the kind has it, in meters.
    struct CaromVec3 a;
    // As the kind has it, in meters.
    struct CaromVec3 b;
    // Of an arc, in meters.
    double radius;
    // Where an arc begins, in radians from +x towards +y.
    double from_angle;
    // Where it ends: not before `from_angle`. A whole turn and more is the whole circle.
    double to_angle;
} CaromWall;

// A ball whose center is so near is in the pocket, and off the table.
typedef struct CaromPocket {
    // The middle, in meters.
    struct CaromVec3 position;
    // In meters, greater than 0.
    double radius;
} CaromPocket;

// All that a table is made of. The lists are copied.
typedef struct CaromTableSetup {
    // That of this structure: `carom_table_setup_default` sets it.
    uint32_t size;
    // 1 for circles: z is 0 for all balls. 0 for spheres.
    uint32_t is_flat;
    // 1 if the table has a cloth, on which balls slide until they roll, and roll until they rest. Only
    // without gravity. Else 0.
    uint32_t has_cloth;
    // In m/s².
    struct CaromVec3 gravity;
    // The share of the speed of approach that two balls give back, 0 … 1.
    double restitution;
    // The same between a ball and a wall or an obstacle.
    double wall_restitution;
    // The coefficient of friction while a ball slides on the cloth.
    double cloth_sliding;
    // While it rolls.
    double cloth_rolling;
    // How strongly balls are held down on the cloth, in m/s².
    double cloth_weight;
    // The lengths of the sides that come round again, in meters; 0 for those that do not.
    struct CaromVec3 periodic;
    // A bounce lower than this share of a radius counts as none. Greater than 0.
    double rest_share;
    // The balls, which are numbered in this order.
    const struct CaromBall *balls;
    // How many balls there are.
    size_t ball_count;
    // The walls, which are numbered in this order.
    const struct CaromWall *walls;
    // How many walls there are.
    size_t wall_count;
    // The pockets, which are numbered in this order.
    const struct CaromPocket *pockets;
    // How many pockets there are.
    size_t pocket_count;
    // A world of bodies that balls bounce off, copied as it is now; null: none.
    struct CaromWorld obstacles;
} CaromTableSetup;

// Balls, and what they bounce off.
typedef struct CaromTable {
    // Meaningless but for 0: no table.
    uint64_t value;
} CaromTable;

// Something that happened, and when.
typedef struct CaromTableEvent {
    // A `CaromTableEventKind`.
    uint32_t kind;
    // Whatever the kind says; else 0.
    uint32_t other;
    // The number of the ball.
    size_t ball;
    // Whatever the kind says; else 0.
    struct CaromBody body;
    // In seconds since the start.
    double time;
} CaromTableEvent;

// A ball at the time of the table.
typedef struct CaromBallState {
    // The center, in meters.
    struct CaromVec3 position;
    // In m/s.
    struct CaromVec3 velocity;
    // The velocity with which it would roll as it turns now, in m/s; only on cloth.
    struct CaromVec3 roll;
    // A `CaromBallMotion`.
    uint32_t motion;
} CaromBallState;

// All of a body but its shape.
typedef struct CaromBodySettings {
    // That of this structure: `carom_body_settings_default` sets it.
    uint32_t size;
    // A `CaromMotion`.
    uint32_t motion;
    // Where it is.
    struct CaromPose pose;
    // In kilograms, greater than 0; counts for dynamic bodies only.
    double mass;
    // Bit i says whether it is on layer i.
    uint32_t layers;
    // 1 for a sensor: it stops nothing, and casts pass it. Else 0.
    uint32_t is_sensor;
    // A number of your own, which comes with every answer that names the body.
    uint64_t user_data;
    // What it is made of; a mesh has its own materials and keeps them.
    struct CaromSurface surface;
    // How fast its surface runs, as that of a conveyor belt, in m/s along the axes of the world.
    struct CaromVec3 surface_velocity;
} CaromBodySettings;

// The way of one body through a tick. `carom_drive` and `carom_move_to` fill it.
typedef struct CaromMove {
    // Which body.
    struct CaromBody body;
    // A `CaromMoveKind`.
    uint32_t kind;
    // In m/s; counts if it is driven.
    struct CaromVec3 linear;
    // In rad/s about the axes of the world; counts if it is driven.
    struct CaromVec3 angular;
    // Where to; counts if it is moved to a pose.
    struct CaromPose pose;
} CaromMove;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the interface that the library has: compare it with `CAROM_ABI_VERSION`.
uint32_t carom_abi_version(void);

// A character with its center at `position`, at rest. `settings` may be null: the default.
CaromStatus carom_character_new(struct CaromShape shape,
                                const struct CaromSettings *settings,
                                struct CaromVec3 position,
                                struct CaromCharacter *character);

// A copy of a character as it is now.
CaromStatus carom_character_clone(struct CaromCharacter character, struct CaromCharacter *copy);

// Makes a character what another one is, state and settings: to go back to a copy that was put aside. It
// continues from there to the same bits.
CaromStatus carom_character_restore(struct CaromCharacter character, struct CaromCharacter from);

// Frees a character. Null is fine.
CaromStatus carom_character_free(struct CaromCharacter character);

// One tick: from the world's poses at the start of the tick to those at its end. `report` may be null.
CaromStatus carom_character_step(struct CaromCharacter character,
                                 struct CaromWorld world,
                                 struct CaromInput input,
                                 double seconds,
                                 struct CaromReport *report);

// What the last tick came to; before the first, where the character is.
CaromStatus carom_character_report(struct CaromCharacter character, struct CaromReport *report);

// What the character touched at the end of its last tick, nearest first, at most 8. Writes as many as there
// is room for; `count` is how many there are.
CaromStatus carom_character_touches(struct CaromCharacter character,
                                    struct CaromTouch *touches,
                                    size_t capacity,
                                    size_t *count);

// What the character pushed in its last tick, at most 4 bodies.
CaromStatus carom_character_pushes(struct CaromCharacter character,
                                   struct CaromPush *pushes,
                                   size_t capacity,
                                   size_t *count);

// What crushed the character in its last tick, at most 8; none unless it was crushed.
CaromStatus carom_character_crushed_by(struct CaromCharacter character,
                                       struct CaromObstacle *obstacles,
                                       size_t capacity,
                                       size_t *count);

// The settings of a character.
CaromStatus carom_character_settings(struct CaromCharacter character, struct CaromSettings *settings);

// Changes the settings: also `up` and gravity, on a planet at every tick.
CaromStatus carom_character_set_settings(struct CaromCharacter character,
                                         const struct CaromSettings *settings);

// Gives a character a number of its own, which comes with every answer that names it.
CaromStatus carom_character_set_user_data(struct CaromCharacter character, uint64_t user_data);

// Puts the center elsewhere, at once and at rest.
CaromStatus carom_character_teleport(struct CaromCharacter character, struct CaromVec3 position);

// Sets the velocity, in m/s, and leaves the ground: jump pads, knock-back.
CaromStatus carom_character_launch(struct CaromCharacter character, struct CaromVec3 velocity);

// Sets the velocity, in m/s. On the ground the next wanted velocity replaces it.
CaromStatus carom_character_set_velocity(struct CaromCharacter character, struct CaromVec3 velocity);

// Changes the shape where the character stands, feet on the same place: to crouch and to rise again.
// `CAROM_STATUS_DOES_NOT_FIT` where there is no room; then nothing changes.
CaromStatus carom_character_resize(struct CaromCharacter character,
                                   struct CaromWorld world,
                                   struct CaromShape shape);

// A sphere, an ellipsoid, a capsule or a box.
CaromStatus carom_collider_shape(struct CaromShape shape, struct CaromCollider *collider);

// The triangles of a mesh, which may be freed then.
CaromStatus carom_collider_mesh(struct CaromMesh mesh, struct CaromCollider *collider);

// A cylinder about the y axis: its radius and half of its height, in meters.
CaromStatus carom_collider_cylinder(double radius, double half_height, struct CaromCollider *collider);

// A cone about the y axis with its point up, its center half way up: the radius of its base and half of its
// height, in meters.
CaromStatus carom_collider_cone(double radius, double half_height, struct CaromCollider *collider);

// All that lies behind the plane through `point`, to which `normal` points the way out. Its length does not
// matter.
CaromStatus carom_collider_half_space(struct CaromVec3 point,
                                      struct CaromVec3 normal,
                                      struct CaromCollider *collider);

// The convex hull of points, in meters. They must span a volume.
CaromStatus carom_collider_hull(const struct CaromVec3 *points,
                                size_t point_count,
                                struct CaromCollider *collider);

// A piece of the material of the body.
struct CaromCompoundPiece carom_compound_piece(struct CaromCollider collider, struct CaromPose pose);

// Several colliders that are one body, 1 to 1024 of them. Parts of the body are those of the pieces, counted
// on from piece to piece: see `carom_collider_piece_of`.
CaromStatus carom_collider_compound(const struct CaromCompoundPiece *pieces,
                                    size_t piece_count,
                                    struct CaromCollider *collider);

// The number of the piece of a compound to which a part of its bodies belongs, as hits and contacts name it.
// `own_part`, which may be null, is the number that the part has in that piece.
CaromStatus carom_collider_piece_of(struct CaromCollider collider,
                                    uint32_t part,
                                    size_t *piece,
                                    uint32_t *own_part);

// A height field of nothing, to be filled: its samples are a meter apart.
struct CaromHeightFieldData carom_height_field_data_default(void);

// Terrain from a grid of heights. A cell has two triangles: part 2 · cell of a body on the side of the
// higher row, part 2 · cell + 1 on the side of the higher column; cells are numbered row by row.
CaromStatus carom_collider_height_field(const struct CaromHeightFieldData *data,
                                        struct CaromCollider *collider);

// Frees a collider; bodies that are made of it keep it. Null is fine.
CaromStatus carom_collider_free(struct CaromCollider collider);

// The settings of a person on foot.
struct CaromSettings carom_settings_default(void);

// An input that wants nothing.
struct CaromInput carom_idle(void);

// A wanted velocity, in m/s.
struct CaromInput carom_walk(struct CaromVec3 desired_velocity);

// The same input with a jump at this speed, in m/s.
struct CaromInput carom_jump(struct CaromInput input, double speed);

// A crowd that has moved nobody yet.
CaromStatus carom_crowd_new(struct CaromCrowd *crowd);

// Frees a crowd; its characters stay. Null is fine.
CaromStatus carom_crowd_free(struct CaromCrowd crowd);

// One tick of many characters at once, each by its own input, on all cores: each keeps to its side. In
// reports they name each other by their places in this list. `reports` has room for `count`, or is null.
// A character that is named twice is refused with `CAROM_STATUS_BUSY`; then none has moved.
CaromStatus carom_crowd_step(struct CaromCrowd crowd,
                             struct CaromWorld world,
                             const struct CaromCharacter *characters,
                             const struct CaromInput *inputs,
                             size_t count,
                             double seconds,
                             struct CaromReport *reports);

// A person on foot.
struct CaromExploreRules carom_explore_rules_default(void);

// The body of an engine or a game that people know, by its name, as in "quake" or "unity"; the message of a
// wrong name has all of them.
CaromStatus carom_explore_preset(const char *name, struct CaromExploreRules *rules);

// Nobody listens.
struct CaromExploreListener carom_explore_listener_default(void);

// Walks a level from its spawns on in every direction, on all cores, and says where it breaks. It returns
// when it is done or stopped.
//
// `rules`, `listener` and `explored` may be null. `spawns` are centers of bodies; with none of them the
// file's own count, or else the largest floor. The same level and rules have the same findings, to the bit,
// unless it was stopped.
CaromStatus carom_explore(struct CaromMesh mesh,
                          const struct CaromExploreRules *rules,
                          const struct CaromVec3 *spawns,
                          size_t spawn_count,
                          const struct CaromExploreListener *listener,
                          struct CaromExplored *explored);

// Lists of nothing, to be filled.
struct CaromMeshData carom_mesh_data_default(void);

// Axes and unit as the format has them, and the usual limits.
struct CaromLoadOptions carom_load_options_default(void);

// Makes a mesh from lists: checks, welds, and builds its tree. Refuses vertices that are not finite and
// indices out of range, by number. Triangles without area are legal.
CaromStatus carom_mesh_new(const struct CaromMeshData *data, struct CaromMesh *mesh);

// Reads a level file; its extension says what it is: .glb, .gltf, .obj, .stl, .ply, .bsp or .map. `path` is
// UTF-8; `options` may be null.
CaromStatus carom_mesh_load(const char *path, const struct CaromLoadOptions *options, struct CaromMesh *mesh);

// Reads a level from memory; `name` says by its extension what it is. A glTF has its buffers within it.
CaromStatus carom_mesh_parse(const uint8_t *bytes,
                             size_t byte_count,
                             const char *name,
                             const struct CaromLoadOptions *options,
                             struct CaromMesh *mesh);

// Frees a mesh; bodies that are made of it keep its triangles. Null is fine.
CaromStatus carom_mesh_free(struct CaromMesh mesh);

// How many vertices there are, welded, and how many triangles. Either pointer may be null.
CaromStatus carom_mesh_counts(struct CaromMesh mesh, size_t *vertex_count, size_t *triangle_count);

// The triangles, to be drawn: three coordinates a vertex, in meters about the mesh's origin, and three
// indices a triangle. The capacities are numbers of floats and indices; `carom_mesh_counts` says a third of
// what it takes.
CaromStatus carom_mesh_triangles(struct CaromMesh mesh,
                                 float *vertices,
                                 size_t vertex_capacity,
                                 uint32_t *indices,
                                 size_t index_capacity);

// Where the file says that players start, in meters. Writes as many as there is room for; `count` is how
// many there are.
CaromStatus carom_mesh_spawns(struct CaromMesh mesh,
                              struct CaromVec3 *spawns,
                              size_t capacity,
                              size_t *count);

// The cast of a shape from `from` by `translation`, against all layers.
struct CaromCast carom_cast(struct CaromShape shape, struct CaromVec3 from, struct CaromVec3 translation);

// A ray from `from` by `translation`, against all layers.
struct CaromCast carom_ray(struct CaromVec3 from, struct CaromVec3 translation);

// What the mover meets first. Many threads may ask one world at once, as long as none changes it.
CaromStatus carom_world_cast(struct CaromWorld world, const struct CaromCast *cast, struct CaromHit *hit);

// What each of many casts meets first, in their order, on all cores. `hits` has room for `count`. If one of
// the casts is refused, the message has its number, and no hit is written.
CaromStatus carom_world_cast_many(struct CaromWorld world,
                                  const struct CaromCast *casts,
                                  size_t count,
                                  struct CaromHit *hits);

// Every part of every body that the mover would meet on its path, each with its own first contact, nearest
// first. Writes as many as there is room for; `count` is how many there are.
CaromStatus carom_world_cast_all(struct CaromWorld world,
                                 const struct CaromCast *cast,
                                 struct CaromHit *hits,
                                 size_t capacity,
                                 size_t *count);

// The parts that the shape overlaps with its center at `at`, by body and part. Touching is not overlapping.
// Writes as many as there is room for; `count` is how many there are.
CaromStatus carom_world_overlaps(struct CaromWorld world,
                                 struct CaromShape shape,
                                 struct CaromVec3 at,
                                 uint32_t layer_bits,
                                 struct CaromPart *parts,
                                 size_t capacity,
                                 size_t *count);

// Every part within `distance` meters of the shape with its center at `at`, nearest first. Writes as many
// as there is room for; `count` is how many there are.
CaromStatus carom_world_contacts(struct CaromWorld world,
                                 struct CaromShape shape,
                                 struct CaromVec3 at,
                                 double distance,
                                 uint32_t layer_bits,
                                 struct CaromContact *contacts,
                                 size_t capacity,
                                 size_t *count);

// The part nearest to the shape with its center at `at`, no farther than `distance` meters, which may be
// infinite.
CaromStatus carom_world_closest(struct CaromWorld world,
                                struct CaromShape shape,
                                struct CaromVec3 at,
                                double distance,
                                uint32_t layer_bits,
                                struct CaromClosest *closest);

// Nobody is in any sensor.
CaromStatus carom_sensors_new(struct CaromSensors *sensors);

// A copy as it is now, to go back to with the world and the characters of the same tick.
CaromStatus carom_sensors_clone(struct CaromSensors sensors, struct CaromSensors *copy);

// Frees it. Null is fine.
CaromStatus carom_sensors_free(struct CaromSensors sensors);

// Reports what the last tick of the world and of these characters brought; characters are named by their
// places in this list. To be called once a tick, after all have moved. `count` is how many events there are;
// `carom_sensors_events` has them.
//
// Characters are seen on the whole of their ways, round corners too. Bodies are visitors if they may move
// (kinematic, dynamic) and are no sensors; a body made of triangles is seen by sensors that are one solid.
CaromStatus carom_sensors_update(struct CaromSensors sensors,
                                 struct CaromWorld world,
                                 const struct CaromCharacter *characters,
                                 size_t character_count,
                                 size_t *count);

// What the last update reported: by sensor, of each first the bodies, then the characters, by number.
// Writes as many as there is room for; `count` is how many there are.
CaromStatus carom_sensors_events(struct CaromSensors sensors,
                                 struct CaromSensorEvent *events,
                                 size_t capacity,
                                 size_t *count);

// Who is in a sensor now: bodies before characters, each by number. A body that is no sensor has no
// visitors. Writes as many as there is room for; `count` is how many there are.
CaromStatus carom_sensors_inside(struct CaromSensors sensors,
                                 struct CaromBody sensor,
                                 struct CaromObstacle *visitors,
                                 size_t capacity,
                                 size_t *count);

// What went wrong in the last call of this thread that failed: UTF-8, empty before the first. The text is
// good until the next call of the same thread fails; a call that succeeds leaves it.
const char *carom_last_error(void);

// The name of a status, as in `NoSuchBody`; "unknown" for any other number.
const char *carom_status_name(int32_t status);

// Spheres that keep their energy, without gravity: no balls, no walls.
struct CaromTableSetup carom_table_setup_default(void);

// Sets balls up. Refuses, by number, balls that overlap by more than rounding and numbers out of range.
CaromStatus carom_table_new(const struct CaromTableSetup *setup, struct CaromTable *table);

// A copy of a table as it is now: put it aside to go back to.
CaromStatus carom_table_clone(struct CaromTable table, struct CaromTable *copy);

// Frees a table. Null is fine.
CaromStatus carom_table_free(struct CaromTable table);

// Goes on to the next event, but not beyond the time `until`, in seconds since the start. If there is none
// its kind is `CAROM_TABLE_EVENT_KIND_NONE`, and the table is at `until`, unless that is infinite. A time
// that has passed changes nothing.
CaromStatus carom_table_next_event(struct CaromTable table, double until, struct CaromTableEvent *event);

// The time of the table, in seconds since the start.
CaromStatus carom_table_time(struct CaromTable table, double *seconds);

// All balls at the time of the table, by number, those in pockets too. Writes as many as there is room for;
// `count` is how many there are.
CaromStatus carom_table_balls(struct CaromTable table,
                              struct CaromBallState *balls,
                              size_t capacity,
                              size_t *count);

// The energy of all balls on the table in joules, and their momentum in kg·m/s. Either pointer may be null.
CaromStatus carom_table_energy(struct CaromTable table, double *energy, struct CaromVec3 *momentum);

// Gives a ball another velocity, in m/s: a stroke. It does not turn, and wakes if it rested. Refused for a
// ball that is not there or in a pocket.
CaromStatus carom_table_strike(struct CaromTable table, size_t ball, struct CaromVec3 velocity);

// From now on a body of the obstacles goes with this velocity, in m/s, and turns about its own position,
// in rad/s. Nothing stops it: balls bounce off it.
CaromStatus carom_table_drive(struct CaromTable table,
                              struct CaromBody body,
                              struct CaromVec3 linear,
                              struct CaromVec3 angular);

// Puts a body of the obstacles elsewhere, at rest. It goes through balls that it then overlaps until they
// are free. The scale of the pose does not count.
CaromStatus carom_table_place_body(struct CaromTable table, struct CaromBody body, struct CaromPose pose);

// Where a body of the obstacles that can move is at the time of the table; its scale is 1.
CaromStatus carom_table_body_pose(struct CaromTable table, struct CaromBody body, struct CaromPose *pose);

// Turns all velocities round, those of bodies too: without friction and loss, everything goes back the way
// it came.
CaromStatus carom_table_reverse(struct CaromTable table);

// A ray, when cast.
struct CaromShape carom_point(void);

// A ball of this radius, in meters.
struct CaromShape carom_sphere(double radius);

// A stretched ball with these radii along its axes, in meters.
struct CaromShape carom_ellipsoid(struct CaromVec3 radii);

// An upright capsule: its radius and half of the height of its cylinder, in meters.
struct CaromShape carom_capsule(double radius, double half_height);

// A box with these half extents, in meters.
struct CaromShape carom_cuboid(struct CaromVec3 half_extents);

// The pose at a position, not turned, in its own size.
struct CaromPose carom_pose_at(struct CaromVec3 position);

// The material of what has none of its own: friction of the rule that moves, no bounce, solid from both
// sides, tag 0.
struct CaromSurface carom_surface_default(void);

// A fixed body at the origin on layer 0.
struct CaromBodySettings carom_body_settings_default(void);

// A body's way by velocities, in m/s and rad/s.
struct CaromMove carom_drive(struct CaromBody body, struct CaromVec3 linear, struct CaromVec3 angular);

// A body's way to a pose.
struct CaromMove carom_move_to(struct CaromBody body, struct CaromPose pose);

// An empty world.
CaromStatus carom_world_new(struct CaromWorld *world);

// A copy of a world as it is now, bodies and all: put it aside to go back to. What names a body of the one
// names its copy in the other.
CaromStatus carom_world_clone(struct CaromWorld world, struct CaromWorld *copy);

// Frees a world and its bodies. Null is fine.
CaromStatus carom_world_free(struct CaromWorld world);

// Adds a solid body. `settings` may be null: fixed, at the origin. `body` may be null too.
CaromStatus carom_world_add_shape(struct CaromWorld world,
                                  struct CaromShape shape,
                                  const struct CaromBodySettings *settings,
                                  struct CaromBody *body);

// Adds a body of triangles. `settings` may be null: fixed, at the origin. `body` may be null too.
CaromStatus carom_world_add_mesh(struct CaromWorld world,
                                 struct CaromMesh mesh,
                                 const struct CaromBodySettings *settings,
                                 struct CaromBody *body);

// Adds a body of a collider. `settings` may be null: fixed, at the origin. `body` may be null too. A height
// field has its own materials and keeps them.
CaromStatus carom_world_add(struct CaromWorld world,
                            struct CaromCollider collider,
                            const struct CaromBodySettings *settings,
                            struct CaromBody *body);

// Takes a body out.
CaromStatus carom_world_remove(struct CaromWorld world, struct CaromBody body);

// How many bodies there are.
CaromStatus carom_world_body_count(struct CaromWorld world, size_t *count);

// Where a body is: at the end of the tick, if it moves.
CaromStatus carom_world_pose(struct CaromWorld world, struct CaromBody body, struct CaromPose *pose);

// Puts a body elsewhere, at once, without a way between: characters there are not pushed, but freed in the
// next tick.
CaromStatus carom_world_set_pose(struct CaromWorld world, struct CaromBody body, struct CaromPose pose);

// Starts a tick of `seconds`: the bodies of `moves` go, all others stay. From then on casts find bodies
// where they are at the end of the tick; characters meet them on their way.
//
// If a body cannot go, the status and the message are those of the first such; the others have gone.
CaromStatus carom_world_advance(struct CaromWorld world,
                                double seconds,
                                const struct CaromMove *moves,
                                size_t move_count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CAROM_H */
