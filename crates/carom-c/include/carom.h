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
// answers: to room for them), which no other thread changes (for answers: or reads) until the call returns.
// Nothing is kept beyond the call. Texts are UTF-8 and end with a zero. Null where it is not allowed and
// addresses that are not aligned are refused with CAROM_STATUS_NULL_POINTER; anything else that breaks these
// rules cannot be seen, as everywhere in C.
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


// The version of the interface in carom.h. It changes with every change of a structure or of a function's
// parameters.
#define CAROM_ABI_VERSION 2

// The most points of a manifold: four hold up anything that is rigid.
#define CAROM_MANIFOLD_POINTS 4

// The index of no character.
#define CAROM_NO_CHARACTER UINT32_MAX

// Every layer: the default of queries.
#define CAROM_LAYERS_ALL UINT32_MAX

// Layer 0, the default of bodies.
#define CAROM_LAYERS_SOLID 1

// The result of a call. `CAROM_STATUS_OK` is 0. With any other status nothing was changed, unless the
// function says otherwise, and `carom_last_error` explains the error.
enum CaromStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The call succeeded.
    CAROM_STATUS_OK = 0,
    // A pointer that must not be null is null, or is not aligned for its type.
    CAROM_STATUS_NULL_POINTER = 1,
    // A handle that is null, was freed, or is of another kind of object.
    CAROM_STATUS_NO_SUCH_OBJECT = 2,
    // A body that is null, was removed, or is of another world.
    CAROM_STATUS_NO_SUCH_BODY = 3,
    // A number that is NaN, infinite or out of its range.
    CAROM_STATUS_BAD_VALUE = 4,
    // A buffer is too small for the answer. It was filled, and the full count was written.
    CAROM_STATUS_BUFFER_TOO_SMALL = 5,
    // A file cannot be read, or is not of the kind that its name says.
    CAROM_STATUS_BAD_FILE = 6,
    // A structure has a `size` that this library does not know: its `…_default` function did not make it, or
    // the program was compiled with another carom.h.
    CAROM_STATUS_STRUCT_SIZE = 7,
    // Another thread is using the object, or a call names it twice.
    CAROM_STATUS_BUSY = 8,
    // The body is fixed: only kinematic and dynamic bodies move in a tick.
    CAROM_STATUS_FIXED_BODY = 9,
    // The new shape of a character does not fit at its position.
    CAROM_STATUS_DOES_NOT_FIT = 10,
    // A bug in Carom. The objects that the call was to change can only be freed.
    CAROM_STATUS_PANIC = 11,
    // A level that cannot be explored: it has no floor, or is too large for its grid.
    CAROM_STATUS_CANNOT_EXPLORE = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromStatus CaromStatus;
#else
typedef int32_t CaromStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of a shape, which decides which of its numbers are used.
enum CaromShapeKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A ray, for casts. Uses no number.
    CAROM_SHAPE_KIND_POINT = 0,
    // A ball. `size.x` is the radius.
    CAROM_SHAPE_KIND_SPHERE = 1,
    // An ellipsoid. `size` has the three radii.
    CAROM_SHAPE_KIND_ELLIPSOID = 2,
    // A capsule. `size.x` is the radius, `size.y` half of the height of the cylinder, along y.
    CAROM_SHAPE_KIND_CAPSULE = 3,
    // A box. `size` has the half extents.
    CAROM_SHAPE_KIND_CUBOID = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromShapeKind CaromShapeKind;
#else
typedef uint32_t CaromShapeKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a body may move.
enum CaromMotion
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It never moves in a tick.
    CAROM_MOTION_FIXED = 0,
    // The game moves it: lifts, doors. Nothing stops it.
    CAROM_MOTION_KINEMATIC = 1,
    // The game moves it, and it has a mass: characters report how hard they push it.
    CAROM_MOTION_DYNAMIC = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromMotion CaromMotion;
#else
typedef uint32_t CaromMotion;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a body is driven.
enum CaromMoveKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // By its velocities.
    CAROM_MOVE_KIND_DRIVE = 0,
    // To a pose, which it has at the end of the tick.
    CAROM_MOVE_KIND_MOVE_TO = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromMoveKind CaromMoveKind;
#else
typedef uint32_t CaromMoveKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The touched feature of a triangle or polygon.
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
    // As its format defines it.
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

// How much of the velocity of a platform a character keeps when it leaves it.
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

// How a character that walks moves the characters on its head.
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
    // It went as far as desired, or along obstacles.
    CAROM_OUTCOME_MOVED = 0,
    // Obstacles left no way to continue.
    CAROM_OUTCOME_BLOCKED = 1,
    // It was pressed from several sides.
    CAROM_OUTCOME_CRUSHED = 2,
    // It could not get out of an overlap, and returned to the last place where it stood free.
    CAROM_OUTCOME_RECOVERED = 3,
    // The motion left the range of numbers, and it did not move.
    CAROM_OUTCOME_REFUSED = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromOutcome CaromOutcome;
#else
typedef uint32_t CaromOutcome;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The action of a visitor in a tick.
enum CaromSensorEventKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It was outside and came in.
    CAROM_SENSOR_EVENT_KIND_ENTERED = 0,
    // It was inside at the end of the last tick and still is.
    CAROM_SENSOR_EVENT_KIND_STAYED = 1,
    // It was inside and is outside at the end of the tick; or the sensor or the visitor was removed.
    CAROM_SENSOR_EVENT_KIND_LEFT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum CaromSensorEventKind CaromSensorEventKind;
#else
typedef uint32_t CaromSensorEventKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of a wall, which decides which of its numbers are used.
enum CaromWallKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A solid half-space: everything behind the plane through `a`; `b` is its normal, towards the balls.
    CAROM_WALL_KIND_PLANE = 0,
    // A cushion from `a` to `b`; z does not matter.
    CAROM_WALL_KIND_SEGMENT = 1,
    // An arc of a circle about `a` with this `radius`, counterclockwise between two angles; z does not
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

// The state of motion of a ball.
enum CaromBallMotion
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Straight on, or along a parabola.
    CAROM_BALL_MOTION_FREE = 0,
    // On the cloth, with slip.
    CAROM_BALL_MOTION_SLIDING = 1,
    // On the cloth, without slip.
    CAROM_BALL_MOTION_ROLLING = 2,
    // At rest, until something hits it or its support moves away.
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

// The kind of an event.
enum CaromTableEventKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // No event before the given time.
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

// The kind of a defect.
enum CaromFindingCode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A body leaves the world here.
    CAROM_FINDING_CODE_FALL_OUT = 0,
    // A body gets here and cannot move on.
    CAROM_FINDING_CODE_STUCK = 1,
    // A region from which no path leads back to a spawn.
    CAROM_FINDING_CODE_TRAP = 2,
    // A spawn in which the body does not fit.
    CAROM_FINDING_CODE_START_OVERLAP = 3,
    // A walk gets stuck on something lower than a step, and the floor continues behind it.
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

// A vector: a position in meters, a velocity in m/s, or a direction.
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
    // The x of the axis times the sine of half the angle.
    double x;
    // The y of the axis times the sine of half the angle.
    double y;
    // The z of the axis times the sine of half the angle.
    double z;
    // The cosine of half the angle: 1 if nothing is turned.
    double w;
} CaromQuat;

// A shape about its own center, in meters. Functions such as `carom_sphere` fill it.
typedef struct CaromShape {
    // A `CaromShapeKind`.
    uint32_t kind;
    // Its numbers, depending on the kind.
    struct CaromVec3 size;
    // The rotation about its center. Points and spheres ignore it.
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
    // The gravity, in m/s². Default: (0, −9.81, 0).
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
    // 1: it climbs steps in the air too, once it no longer rises. Default: 0.
    uint32_t air_steps;
} CaromSettings;

// A body on legs, moved by desired velocities.
typedef struct CaromCharacter {
    // Opaque, except that 0 is no character.
    uint64_t value;
} CaromCharacter;

// A world: all bodies that movers can hit.
typedef struct CaromWorld {
    // Opaque, except that 0 is no world.
    uint64_t value;
} CaromWorld;

// The input of a player for one tick. All zeros: nothing, as `carom_idle` has it. `carom_walk` fills it.
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

// The id of a body of one world. A world refuses bodies of other worlds and removed bodies. A clone of a
// world accepts the ids of the bodies that it was cloned with. 0: no body.
typedef struct CaromBody {
    // Opaque, except that 0 is no body.
    uint64_t value;
} CaromBody;

// An obstacle of a character: a part of a body, or another character of its crowd.
typedef struct CaromObstacle {
    // The body; 0 if it is a character.
    struct CaromBody body;
    // The part of the body.
    uint32_t part;
    // The index of the character in the list of the crowd; `CAROM_NO_CHARACTER` if it is a body.
    uint32_t character;
} CaromObstacle;

// The report of a tick.
typedef struct CaromReport {
    // The center, in meters.
    struct CaromVec3 position;
    // The center at the start of the tick. Draw the character between this and `position`.
    struct CaromVec3 previous_position;
    // The velocity in m/s, including that of a platform.
    struct CaromVec3 velocity;
    // The most upright normal of the ground; 0 in the air.
    struct CaromVec3 ground_normal;
    // Its ground.
    struct CaromObstacle ground;
    // The user number of the ground; 0 in the air.
    uint64_t ground_user_data;
    // The character's user number.
    uint64_t user_data;
    // The tag of the surface that it stands on.
    uint32_t ground_tag;
    // Whether it stands on something.
    bool on_ground;
    // A `CaromOutcome`.
    uint32_t outcome;
    // The number of sweeps of the tick.
    uint32_t sweeps;
    // The height in meters that it gained by steps in this tick. Smooth the camera by it.
    double stepped;
    // The angle in radians by which platforms have turned it about `up`, including full turns.
    double yaw;
} CaromReport;

// A contact at the end of a tick.
typedef struct CaromTouch {
    // The obstacle.
    struct CaromObstacle obstacle;
    // Its user number.
    uint64_t user_data;
    // The point, in meters.
    struct CaromVec3 point;
    // The unit normal, towards the character.
    struct CaromVec3 normal;
    // The distance from its skin, in meters; negative inside.
    double gap;
} CaromTouch;

// A push against a dynamic body, for the game to apply.
typedef struct CaromPush {
    // The body.
    struct CaromBody body;
    // The body's user number.
    uint64_t user_data;
    // The point, in meters.
    struct CaromVec3 point;
    // The impulse, in newton seconds.
    struct CaromVec3 impulse;
} CaromPush;

// An obstacle that crushed a character.
typedef struct CaromCrusher {
    // The obstacle.
    struct CaromObstacle obstacle;
    // The user number of the body or the character.
    uint64_t user_data;
} CaromCrusher;

// A character that stands on another one.
typedef struct CaromRider {
    // Its place in the crowd.
    uint32_t character;
    // Its user number.
    uint64_t user_data;
} CaromRider;

// The collider of bodies. Many bodies may share one.
typedef struct CaromCollider {
    // Opaque, except that 0 is no collider.
    uint64_t value;
} CaromCollider;

// Triangles with their tree. Many bodies may share one mesh.
typedef struct CaromMesh {
    // Opaque, except that 0 is no mesh.
    uint64_t value;
} CaromMesh;

// The pose of a body.
typedef struct CaromPose {
    // The position, in meters.
    struct CaromVec3 position;
    // The rotation from the axes of the body to those of the world.
    struct CaromQuat rotation;
    // The scale, greater than 0.
    double scale;
} CaromPose;

// The material of a body or of a triangle of a mesh.
typedef struct CaromSurface {
    // The coefficient of friction, at least 0. −1: the default of the mover's rule.
    double friction;
    // The share of the speed into the surface that returns, at least 0.
    double restitution;
    // 1 if movers pass through it from the back, else 0.
    uint32_t one_sided;
    // A number of your own, returned unchanged.
    uint32_t tag;
} CaromSurface;

// A piece of a compound body. `carom_compound_piece` fills it.
typedef struct CaromCompoundPiece {
    // Its collider, which must not be a compound.
    struct CaromCollider collider;
    // Its pose in the body.
    struct CaromPose pose;
    // 1 if the piece has its own `surface`, 0 if it has the material of the body.
    uint32_t has_surface;
    // Its material. A mesh and a height field keep their own.
    struct CaromSurface surface;
} CaromCompoundPiece;

// A grid of heights along y. Its first sample is at x = 0 and z = 0 of the body. Columns run along x, rows
// along z. Samples are either `heights` or `steps`. All arrays are copied.
typedef struct CaromHeightFieldData {
    // The size of this structure; `carom_height_field_data_default` sets it.
    uint32_t size;
    // The number of samples along x, at least 2.
    uint32_t columns;
    // The number of samples along z, at least 2.
    uint32_t rows;
    // The distance of columns in meters, greater than 0.
    double column_spacing;
    // The distance of rows in meters, greater than 0.
    double row_spacing;
    // A height in meters for each sample, row by row; null if there are `steps`.
    const float *heights;
    // A height in integer steps for each sample, row by row, as in a 16-bit picture; null if there are
    // `heights`.
    const uint16_t *steps;
    // The height of 0 steps, in meters.
    double lowest;
    // The height that a step adds, in meters.
    double step;
    // Cells without ground, by column and row: two numbers each.
    const uint32_t *holes;
    // The number of holes.
    size_t hole_count;
    // The materials; may be null if there are none.
    const struct CaromSurface *surfaces;
    // The number of materials. 0: all cells have the default material.
    size_t surface_count;
    // The number of the material of each cell, row by row; null: all have material 0.
    const uint8_t *surface_ids;
} CaromHeightFieldData;

// Moves many characters at once. It holds nothing that changes an answer.
typedef struct CaromCrowd {
    // Opaque, except that 0 is no crowd.
    uint64_t value;
} CaromCrowd;

// The body that walks a level, what it can do, and how finely it is sampled.
typedef struct CaromExploreRules {
    // The size of this structure; `carom_explore_rules_default` and `carom_explore_preset` set it.
    uint32_t size;
    // The most places. Beyond, the report is partial.
    uint32_t most_places;
    // The body, which must not be a point.
    struct CaromShape shape;
    // Its settings; up is +y.
    struct CaromSettings settings;
    // The speed of walking, in m/s, greater than 0.
    double speed;
    // The speed of a jump, in m/s; 0: no jumping.
    double jump;
    // The time of a tick, in seconds, greater than 0.
    double tick;
    // The side of a cell of the grid, in meters; 0: from the width of the body.
    double cell;
    // Unreached floor smaller than this, in m², is not a finding.
    double min_area;
    // After this many seconds it stops and reports what was walked until then; 0: never.
    double most_seconds;
} CaromExploreRules;

// The progress of an exploration.
typedef struct CaromExploreProgress {
    // Places found.
    size_t places;
    // Of those, left in all directions.
    size_t done;
    // The expected number of places.
    size_t expected;
    // The floor of finished places, in m².
    double area;
    // Ticks that characters made.
    uint64_t ticks;
    // Bytes in use.
    size_t memory;
} CaromExploreProgress;

// A defect of a level. Texts and arrays are valid until the callback returns.
typedef struct CaromFinding {
    // A `CaromFindingCode`.
    uint32_t code;
    // Whether it is an error; else it is a warning.
    bool is_error;
    // Whether a report lists it; else it is part of another finding, or minor.
    bool is_listed;
    // The number of its cells.
    uint32_t cells;
    // The position, in meters.
    struct CaromVec3 position;
    // The least coordinates of its cells, in meters.
    struct CaromVec3 min;
    // The greatest coordinates of its cells, in meters.
    struct CaromVec3 max;
    // The area of unreached floor, in m²; else 0.
    double area;
    // The path there: the center of the body after every tick, in meters.
    const struct CaromVec3 *way;
    // The number of positions of the path.
    size_t way_count;
    // An id that stays the same when the level changes elsewhere.
    const char *id;
    // Its meaning, in a sentence.
    const char *meaning;
    // The reason why it is not listed; null if it is.
    const char *folded;
} CaromFinding;

// The callbacks of an exploration. Each function may be null. Each is called on the exploring thread, and
// may call any function of this library. None may throw an exception or jump out.
typedef struct CaromExploreListener {
    // The size of this structure; `carom_explore_listener_default` sets it.
    uint32_t size;
    // Passed to every function.
    void *user;
    // The progress, several times a second. Return false to end the walk with a report of what was walked
    // until then.
    bool (*progress)(void*, const struct CaromExploreProgress*);
    // A finding, the most important first.
    void (*finding)(void*, const struct CaromFinding*);
    // A warning about the level as a whole: its name, such as `WINDING`, and a sentence.
    void (*warning)(void*, const char*, const char*);
    // The text of report.json, at the end.
    void (*report)(void*, const char*);
} CaromExploreListener;

// The result of an exploration.
typedef struct CaromExplored {
    // Whether every place that was found was left in all directions, and everything was judged.
    bool is_complete;
    // The number of listed errors.
    size_t error_count;
    // The number of listed findings.
    size_t listed_count;
    // The number of findings.
    size_t finding_count;
    // Places found.
    size_t places;
    // Ticks that characters made.
    uint64_t ticks;
    // The reached floor, in m².
    double reached_area;
    // All floor with room for the body, in m².
    double floor_area;
    // The wall time, in seconds.
    double seconds;
} CaromExplored;

// A point at which a mover is held up.
typedef struct CaromManifoldPoint {
    // On the surface of the body, in meters. `point` and `gap` along the normal are on that of the mover.
    struct CaromVec3 point;
    // The gap along the normal, in meters; negative in an overlap.
    double gap;
    // Which part of the body.
    uint32_t part;
} CaromManifoldPoint;

// How a mover rests on one plane of a body.
typedef struct CaromManifold {
    // The body that has this plane.
    struct CaromBody body;
    // The body's own number.
    uint64_t user_data;
    // The unit normal, towards the mover.
    struct CaromVec3 normal;
    // 1 to `CAROM_MANIFOLD_POINTS`.
    uint32_t point_count;
    // As many as `point_count` says, the deepest first; all else is 0.
    struct CaromManifoldPoint points[CAROM_MANIFOLD_POINTS];
} CaromManifold;

// The arrays of a mesh. They are copied.
typedef struct CaromMeshData {
    // The size of this structure; `carom_mesh_data_default` sets it.
    uint32_t size;
    // The point from which the vertices are measured, in meters.
    struct CaromVec3 origin;
    // Three numbers per vertex, in meters.
    const float *vertices;
    // The number of vertices.
    size_t vertex_count;
    // Three indices per triangle, counterclockwise as seen from the front.
    const uint32_t *triangles;
    // The number of triangles.
    size_t triangle_count;
    // The materials; may be null if there are none.
    const struct CaromSurface *surfaces;
    // The number of materials. 0: all triangles have the default material.
    size_t surface_count;
    // The number of the material of each triangle; null: all have material 0.
    const uint16_t *surface_ids;
} CaromMeshData;

// How to read a level file.
typedef struct CaromLoadOptions {
    // The size of this structure; `carom_load_options_default` sets it.
    uint32_t size;
    // A `CaromUp`.
    uint32_t up;
    // Meters per unit of the file, greater than 0; 0: as its format defines it.
    double scale;
    // The most bytes that are read; 0: 4 GiB.
    uint64_t most_bytes;
    // The most triangles; 0: 100 million.
    size_t most_triangles;
} CaromLoadOptions;

// The pushed bodies of a world, and their velocities.
typedef struct CaromPushed {
    // Opaque, except that 0 is no pushed bodies.
    uint64_t value;
} CaromPushed;

// The motion of one body in a tick. `carom_drive` and `carom_move_to` fill it.
typedef struct CaromMove {
    // The body.
    struct CaromBody body;
    // A `CaromMoveKind`.
    uint32_t kind;
    // The velocity in m/s, if it is driven.
    struct CaromVec3 linear;
    // The angular velocity in rad/s about the axes of the world, if it is driven.
    struct CaromVec3 angular;
    // The pose, if it is moved to a pose.
    struct CaromPose pose;
} CaromMove;

// A mover, the start of its center, and its translation. `carom_cast` and `carom_ray` fill it.
typedef struct CaromCast {
    // The mover.
    struct CaromShape shape;
    // The start of its center, in meters.
    struct CaromVec3 from;
    // The whole displacement, in meters.
    struct CaromVec3 translation;
    // A body that it ignores; 0: none.
    struct CaromBody exclude;
    // Bit i says whether bodies of layer i are hit.
    uint32_t layers;
} CaromCast;

// The result of a cast.
typedef struct CaromHit {
    // Whether something was hit. If not, `fraction` is 1 and everything else 0.
    bool is_hit;
    // Whether the mover was already inside the body, by more than rounding, and moves deeper.
    bool start_overlap;
    // A `CaromFeature`.
    uint32_t feature;
    // The number of the touched edge or corner, from 0.
    uint32_t feature_index;
    // The triangle of a mesh; 0 for a solid.
    uint32_t part;
    // The body that was hit.
    struct CaromBody body;
    // The body's user number.
    uint64_t user_data;
    // The share of the translation that is free, 0 … 1.
    double fraction;
    // The touched point, in meters.
    struct CaromVec3 point;
    // The unit normal, towards the mover.
    struct CaromVec3 normal;
} CaromHit;

// How a mover at rest relates to a part.
typedef struct CaromContact {
    // The body.
    struct CaromBody body;
    // The part of the body.
    uint32_t part;
    // The body's user number.
    uint64_t user_data;
    // The distance along the normal, in meters; negative in an overlap.
    double gap;
    // The nearest point of the part, in meters.
    struct CaromVec3 point;
    // The unit normal, towards the mover.
    struct CaromVec3 normal;
} CaromContact;

// A part of a body: a triangle of a mesh, or a whole solid (0).
typedef struct CaromPart {
    // The body.
    struct CaromBody body;
    // The part of the body.
    uint32_t part;
    // The body's user number.
    uint64_t user_data;
} CaromPart;

// The closest part.
typedef struct CaromClosest {
    // Whether a part is within the distance. If not, everything else is 0.
    bool is_found;
    // The part of the body.
    uint32_t part;
    // The body.
    struct CaromBody body;
    // The body's user number.
    uint64_t user_data;
    // The distance in meters; 0 if they touch or overlap.
    double distance;
    // The nearest point of the part, in meters.
    struct CaromVec3 point;
} CaromClosest;

// The visitors of all sensors of a world.
typedef struct CaromSensors {
    // Opaque, except that 0 is no sensors.
    uint64_t value;
} CaromSensors;

// An event of a sensor.
typedef struct CaromSensorEvent {
    // A `CaromSensorEventKind`.
    uint32_t kind;
    // The sensor.
    struct CaromBody sensor;
    // The sensor's user number.
    uint64_t sensor_user_data;
    // The body or the character; its `part` is 0.
    struct CaromObstacle visitor;
    // The visitor's user number.
    uint64_t visitor_user_data;
    // The share of the tick, 0 … 1, of the first touch or of the last. 1 for one that stayed, 0 for one that
    // was moved without a path.
    double time;
} CaromSensorEvent;

// A ball for the setup of a table.
typedef struct CaromBall {
    // The center, in meters.
    struct CaromVec3 position;
    // The velocity, in m/s.
    struct CaromVec3 velocity;
    // In meters, greater than 0.
    double radius;
    // In kilograms, greater than 0.
    double mass;
} CaromBall;

// A wall of a table.
typedef struct CaromWall {
    // A `CaromWallKind`.
    uint32_t kind;
    // Depends on the kind, in meters.
    struct CaromVec3 a;
    // Depends on the kind, in meters.
    struct CaromVec3 b;
    // The radius of an arc, in meters.
    double radius;
    // The start of an arc, in radians from +x towards +y.
    double from_angle;
    // The end of an arc, not before `from_angle`. A full turn or more is the whole circle.
    double to_angle;
} CaromWall;

// A pocket: a ball whose center is inside is off the table.
typedef struct CaromPocket {
    // The center, in meters.
    struct CaromVec3 position;
    // The radius in meters, greater than 0.
    double radius;
} CaromPocket;

// Everything that a table is made of. The arrays are copied.
typedef struct CaromTableSetup {
    // The size of this structure; `carom_table_setup_default` sets it.
    uint32_t size;
    // 1 for circles: z is 0 for all balls. 0 for spheres.
    uint32_t is_flat;
    // 1 if the table has a cloth, on which balls slide until they roll, and roll until they rest. Only
    // without gravity. Else 0.
    uint32_t has_cloth;
    // The gravity, in m/s².
    struct CaromVec3 gravity;
    // The share of the speed of approach that two balls return, 0 … 1.
    double restitution;
    // The same between a ball and a wall or an obstacle.
    double wall_restitution;
    // The coefficient of friction of a sliding ball on the cloth.
    double cloth_sliding;
    // The coefficient of friction of a rolling ball.
    double cloth_rolling;
    // The acceleration that presses balls onto the cloth, in m/s².
    double cloth_weight;
    // The lengths of the periodic sides, in meters; 0 for open sides.
    struct CaromVec3 periodic;
    // The height of the lowest bounce as a share of the radius, greater than 0. A ball whose bounces are all
    // lower comes to rest.
    double rest_share;
    // The balls, which are numbered in this order.
    const struct CaromBall *balls;
    // The number of balls.
    size_t ball_count;
    // The walls, which are numbered in this order.
    const struct CaromWall *walls;
    // The number of walls.
    size_t wall_count;
    // The pockets, which are numbered in this order.
    const struct CaromPocket *pockets;
    // The number of pockets.
    size_t pocket_count;
    // A world of obstacles, copied as it is now; null: none.
    struct CaromWorld obstacles;
} CaromTableSetup;

// Balls and their obstacles.
typedef struct CaromTable {
    // Opaque, except that 0 is no table.
    uint64_t value;
} CaromTable;

// An event and its time.
typedef struct CaromTableEvent {
    // A `CaromTableEventKind`.
    uint32_t kind;
    // Depends on the kind; else 0.
    uint32_t other;
    // The number of the ball.
    size_t ball;
    // Depends on the kind; else 0.
    struct CaromBody body;
    // The time in seconds since the start.
    double time;
} CaromTableEvent;

// A ball at the time of the table.
typedef struct CaromBallState {
    // The center, in meters.
    struct CaromVec3 position;
    // The velocity, in m/s.
    struct CaromVec3 velocity;
    // The velocity at which it would roll with its present spin, in m/s; only on cloth.
    struct CaromVec3 roll;
    // A `CaromBallMotion`.
    uint32_t motion;
} CaromBallState;

// Characters as targets of queries.
typedef struct CaromTargets {
    // Opaque, except that 0 is no targets.
    uint64_t value;
} CaromTargets;

// The result of a cast at characters.
typedef struct CaromCharacterHit {
    // Whether a character was met. If not, `fraction` is 1, `character` `CAROM_NO_CHARACTER` and all else 0.
    bool is_hit;
    // Whether the mover was inside the character already, by more than rounding, and moves deeper.
    bool start_overlap;
    // Its index in the list of the last update.
    uint32_t character;
    // The character's own number.
    uint64_t user_data;
    // The share of the translation that is free, 0 … 1.
    double fraction;
    // The touched point, in meters.
    struct CaromVec3 point;
    // The unit normal, towards the mover.
    struct CaromVec3 normal;
} CaromCharacterHit;

// A character that a mover overlaps.
typedef struct CaromCharacterOverlap {
    // Its index in the list of the last update.
    uint32_t character;
    // The character's own number.
    uint64_t user_data;
} CaromCharacterOverlap;

// The contact of a mover at rest with a character.
typedef struct CaromCharacterContact {
    // Its index in the list of the last update.
    uint32_t character;
    // The character's own number.
    uint64_t user_data;
    // The gap along the normal, in meters; negative in an overlap.
    double gap;
    // The nearest point of the character, in meters.
    struct CaromVec3 point;
    // The unit normal, towards the mover.
    struct CaromVec3 normal;
} CaromCharacterContact;

// The character that is nearest.
typedef struct CaromClosestCharacter {
    // Whether there is one within the distance. If not, `character` is `CAROM_NO_CHARACTER` and all else 0.
    bool is_found;
    // Its index in the list of the last update.
    uint32_t character;
    // The character's own number.
    uint64_t user_data;
    // In meters; 0 where they touch or overlap.
    double distance;
    // The nearest point of it, in meters.
    struct CaromVec3 point;
} CaromClosestCharacter;

// The settings of a body: everything but its shape.
typedef struct CaromBodySettings {
    // The size of this structure; `carom_body_settings_default` sets it.
    uint32_t size;
    // A `CaromMotion`.
    uint32_t motion;
    // Its pose.
    struct CaromPose pose;
    // The mass in kilograms, greater than 0; only for dynamic bodies.
    double mass;
    // Bit i says whether it is on layer i.
    uint32_t layers;
    // 1 for a sensor: it stops nothing, and casts ignore it. Else 0.
    uint32_t is_sensor;
    // A number of your own, which every answer about the body contains.
    uint64_t user_data;
    // Its material. A mesh keeps its own materials.
    struct CaromSurface surface;
    // The velocity of its surface, like a conveyor belt, in m/s along the axes of the world.
    struct CaromVec3 surface_velocity;
} CaromBodySettings;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the interface in the library: compare it with `CAROM_ABI_VERSION`.
uint32_t carom_abi_version(void);

// A character with its center at `position`, at rest. `settings` may be null: the default.
CaromStatus carom_character_new(struct CaromShape shape,
                                const struct CaromSettings *settings,
                                struct CaromVec3 position,
                                struct CaromCharacter *character);

// A copy of the present character.
CaromStatus carom_character_clone(struct CaromCharacter character, struct CaromCharacter *copy);

// Gives a character the state and the settings of another one, for rollback to a saved copy. It continues
// from there with the same bits.
CaromStatus carom_character_restore(struct CaromCharacter character, struct CaromCharacter from);

// Frees a character. Null is allowed.
CaromStatus carom_character_free(struct CaromCharacter character);

// Makes one tick: from the world's poses at the start of the tick to those at its end. `report` may be null.
CaromStatus carom_character_step(struct CaromCharacter character,
                                 struct CaromWorld world,
                                 struct CaromInput input,
                                 double seconds,
                                 struct CaromReport *report);

// The report of the last tick; before the first, the character's position.
CaromStatus carom_character_report(struct CaromCharacter character, struct CaromReport *report);

// The contacts of the character at the end of its last tick, nearest first, at most 8. Writes as many as
// fit; `count` is the full number.
CaromStatus carom_character_touches(struct CaromCharacter character,
                                    struct CaromTouch *touches,
                                    size_t capacity,
                                    size_t *count);

// The pushes of the character in its last tick, at most 4 bodies.
CaromStatus carom_character_pushes(struct CaromCharacter character,
                                   struct CaromPush *pushes,
                                   size_t capacity,
                                   size_t *count);

// The obstacles that crushed the character in its last tick, at most 8; nothing unless it was crushed.
CaromStatus carom_character_crushed_by(struct CaromCharacter character,
                                       struct CaromCrusher *crushers,
                                       size_t capacity,
                                       size_t *count);

// The characters that stood on this one at the start of its last tick, at most 4. Writes as many as fit;
// `count` is the full number.
CaromStatus carom_character_riders(struct CaromCharacter character,
                                   struct CaromRider *riders,
                                   size_t capacity,
                                   size_t *count);

// The settings of a character.
CaromStatus carom_character_settings(struct CaromCharacter character, struct CaromSettings *settings);

// Changes the settings. On a planet, set `up` and gravity at every tick.
CaromStatus carom_character_set_settings(struct CaromCharacter character,
                                         const struct CaromSettings *settings);

// Sets the user number of a character, which every answer about it contains.
CaromStatus carom_character_set_user_data(struct CaromCharacter character, uint64_t user_data);

// Puts a character on other layers, for casts at targets and for sensors. Which bodies stop it is a setting,
// `collides_with`.
CaromStatus carom_character_set_layers(struct CaromCharacter character, uint32_t layer_bits);

// Moves the center at once, at rest.
CaromStatus carom_character_teleport(struct CaromCharacter character, struct CaromVec3 position);

// Sets the velocity, in m/s, and leaves the ground: for jump pads and knock-back.
CaromStatus carom_character_launch(struct CaromCharacter character, struct CaromVec3 velocity);

// Sets the velocity, in m/s. On the ground the next desired velocity replaces it.
CaromStatus carom_character_set_velocity(struct CaromCharacter character, struct CaromVec3 velocity);

// Changes the shape in place, with the feet at the same height: to crouch and to rise again. If there is no
// room, it returns `CAROM_STATUS_DOES_NOT_FIT` and changes nothing.
CaromStatus carom_character_resize(struct CaromCharacter character,
                                   struct CaromWorld world,
                                   struct CaromShape shape);

// A sphere, an ellipsoid, a capsule or a box.
CaromStatus carom_collider_shape(struct CaromShape shape, struct CaromCollider *collider);

// The triangles of a mesh. The mesh may be freed afterwards.
CaromStatus carom_collider_mesh(struct CaromMesh mesh, struct CaromCollider *collider);

// A cylinder about the y axis: its radius and half of its height, in meters.
CaromStatus carom_collider_cylinder(double radius, double half_height, struct CaromCollider *collider);

// A cone about the y axis with its point up and its center half way up: the radius of its base and half of
// its height, in meters.
CaromStatus carom_collider_cone(double radius, double half_height, struct CaromCollider *collider);

// Everything behind the plane through `point`; `normal` points out of the solid and may have any length.
CaromStatus carom_collider_half_space(struct CaromVec3 point,
                                      struct CaromVec3 normal,
                                      struct CaromCollider *collider);

// The convex hull of points, in meters. They must span a volume.
CaromStatus carom_collider_hull(const struct CaromVec3 *points,
                                size_t point_count,
                                struct CaromCollider *collider);

// A piece with the material of the body.
struct CaromCompoundPiece carom_compound_piece(struct CaromCollider collider, struct CaromPose pose);

// A collider of 1 to 1024 pieces. Parts of the body are those of the pieces, numbered on from piece to
// piece: see `carom_collider_piece_of`.
CaromStatus carom_collider_compound(const struct CaromCompoundPiece *pieces,
                                    size_t piece_count,
                                    struct CaromCollider *collider);

// The number of the piece of a compound to which a part belongs, as in hits and contacts. `own_part`, which
// may be null, receives the number of the part in that piece.
CaromStatus carom_collider_piece_of(struct CaromCollider collider,
                                    uint32_t part,
                                    size_t *piece,
                                    uint32_t *own_part);

// An empty height field, to be filled: its samples are a meter apart.
struct CaromHeightFieldData carom_height_field_data_default(void);

// Terrain from a grid of heights. A cell has two triangles: part 2 · cell of a body on the side of the
// higher row, part 2 · cell + 1 on the side of the higher column; cells are numbered row by row.
CaromStatus carom_collider_height_field(const struct CaromHeightFieldData *data,
                                        struct CaromCollider *collider);

// Frees a collider; bodies that use it keep it. Null is allowed.
CaromStatus carom_collider_free(struct CaromCollider collider);

// The settings of a person on foot.
struct CaromSettings carom_settings_default(void);

// An input that wants nothing.
struct CaromInput carom_idle(void);

// A wanted velocity, in m/s.
struct CaromInput carom_walk(struct CaromVec3 desired_velocity);

// The same input with a jump at this speed, in m/s.
struct CaromInput carom_jump(struct CaromInput input, double speed);

// An empty crowd.
CaromStatus carom_crowd_new(struct CaromCrowd *crowd);

// Frees a crowd; its characters stay. Null is allowed.
CaromStatus carom_crowd_free(struct CaromCrowd crowd);

// Makes one tick of many characters at once, each by its own input, on all cores. Each keeps to its side. In
// reports they name each other by their index in this list. `reports` has room for `count`, or is null. If a
// character is named twice, the call returns `CAROM_STATUS_BUSY`, and none has moved.
CaromStatus carom_crowd_step(struct CaromCrowd crowd,
                             struct CaromWorld world,
                             const struct CaromCharacter *characters,
                             const struct CaromInput *inputs,
                             size_t count,
                             double seconds,
                             struct CaromReport *reports);

// A person on foot.
struct CaromExploreRules carom_explore_rules_default(void);

// The body of a known engine or game, by name, such as "quake" or "unity". For a wrong name the message
// lists all of them.
CaromStatus carom_explore_preset(const char *name, struct CaromExploreRules *rules);

// No callbacks.
struct CaromExploreListener carom_explore_listener_default(void);

// Explores a level from its spawns in every direction, on all cores, and reports where it breaks. It returns
// when it is done or stopped.
//
// `rules`, `listener` and `explored` may be null. `spawns` are centers of bodies. Without spawns it uses
// those of the file, or else the largest floor. The same level and rules have the same findings, to the bit,
// unless the exploration was stopped.
CaromStatus carom_explore(struct CaromMesh mesh,
                          const struct CaromExploreRules *rules,
                          const struct CaromVec3 *spawns,
                          size_t spawn_count,
                          const struct CaromExploreListener *listener,
                          struct CaromExplored *explored);

// Where a shape with its center at `at` rests: one manifold for each plane of each body within `distance`
// meters, by body, of each the deepest first. A hundredth of the size of the shape is a good distance: it
// also says how far a face may be tilted and still rest with all its corners. Writes as many as there is
// room for; `count` is how many there are.
CaromStatus carom_world_manifolds(struct CaromWorld world,
                                  struct CaromShape shape,
                                  struct CaromVec3 at,
                                  double distance,
                                  uint32_t layer_bits,
                                  struct CaromManifold *manifolds,
                                  size_t capacity,
                                  size_t *count);

// Empty arrays, to be filled.
struct CaromMeshData carom_mesh_data_default(void);

// The axes and the unit of the format, and the default limits.
struct CaromLoadOptions carom_load_options_default(void);

// Makes a mesh from arrays: checks, welds, and builds its tree. Refuses vertices that are not finite and
// indices out of range; the message has the number. Triangles without area are legal.
CaromStatus carom_mesh_new(const struct CaromMeshData *data, struct CaromMesh *mesh);

// Reads a level file. Its extension gives the format: .glb, .gltf, .obj, .stl, .ply, .bsp or .map. `path` is
// UTF-8; `options` may be null.
CaromStatus carom_mesh_load(const char *path, const struct CaromLoadOptions *options, struct CaromMesh *mesh);

// Reads a level from memory; the extension of `name` gives the format. A glTF must contain its buffers.
CaromStatus carom_mesh_parse(const uint8_t *bytes,
                             size_t byte_count,
                             const char *name,
                             const struct CaromLoadOptions *options,
                             struct CaromMesh *mesh);

// Frees a mesh; bodies that use it keep its triangles. Null is allowed.
CaromStatus carom_mesh_free(struct CaromMesh mesh);

// The number of vertices, welded, and the number of triangles. Either pointer may be null.
CaromStatus carom_mesh_counts(struct CaromMesh mesh, size_t *vertex_count, size_t *triangle_count);

// The triangles, for drawing: three coordinates per vertex, in meters about the mesh's origin, and three
// indices per triangle. The capacities are numbers of floats and of indices: three times the numbers from
// `carom_mesh_counts`.
CaromStatus carom_mesh_triangles(struct CaromMesh mesh,
                                 float *vertices,
                                 size_t vertex_capacity,
                                 uint32_t *indices,
                                 size_t index_capacity);

// The player starts of the file, in meters. Writes as many as fit; `count` is the full number.
CaromStatus carom_mesh_spawns(struct CaromMesh mesh,
                              struct CaromVec3 *spawns,
                              size_t capacity,
                              size_t *count);

// The bodies of no world yet, under this gravity, in m/s². `friction` is the coefficient of surfaces that
// have none of their own, at least 0.
CaromStatus carom_pushed_new(struct CaromVec3 gravity, double friction, struct CaromPushed *pushed);

// A copy of the present state. Keep it beside a clone of the world, which has the poses.
CaromStatus carom_pushed_clone(struct CaromPushed pushed, struct CaromPushed *copy);

// Frees it. The bodies stay in their world, and no longer move. Null is fine.
CaromStatus carom_pushed_free(struct CaromPushed pushed);

// Adds a dynamic body, at rest: a sphere, an ellipsoid, a capsule or a box. One that is fixed, kinematic, a
// sensor, of another shape or added already is refused with `CAROM_STATUS_BAD_VALUE`.
CaromStatus carom_pushed_add(struct CaromPushed pushed, struct CaromWorld world, struct CaromBody body);

// Takes a body out: it stays in its world where it is. `CAROM_STATUS_NO_SUCH_BODY` if it is not among them.
CaromStatus carom_pushed_remove(struct CaromPushed pushed, struct CaromBody body);

// Adds an impulse, in newton seconds, from the next tick on. `CAROM_STATUS_NO_SUCH_BODY` if the body is not
// among them.
CaromStatus carom_pushed_push(struct CaromPushed pushed,
                              struct CaromWorld world,
                              struct CaromBody body,
                              struct CaromVec3 impulse);

// Adds what these characters pushed in their last ticks. To be called once a tick, after all have moved;
// what they pushed that is not among the pushed bodies changes nothing.
CaromStatus carom_pushed_push_all(struct CaromPushed pushed,
                                  struct CaromWorld world,
                                  const struct CaromCharacter *characters,
                                  size_t character_count);

// The velocity of a body in the world, in m/s, including that of what carries it.
CaromStatus carom_pushed_velocity(struct CaromPushed pushed,
                                  struct CaromBody body,
                                  struct CaromVec3 *velocity);

// The moving body that a body overlaps after the last tick for lack of room; the null body if it has room.
CaromStatus carom_pushed_pressed_by(struct CaromPushed pushed, struct CaromBody body, struct CaromBody *by);

// Starts a tick of the world instead of `carom_world_advance`: first the bodies of `moves` go, then the
// pushed ones, from the lowest up. Those that are not in the world any more are forgotten, so give it the
// world that they were added from, or a clone of that.
//
// If a body of `moves` cannot go, the status and the message are those of the first such; all others have
// gone, and so have the pushed ones.
CaromStatus carom_pushed_advance(struct CaromPushed pushed,
                                 struct CaromWorld world,
                                 double seconds,
                                 const struct CaromMove *moves,
                                 size_t move_count);

// The cast of a shape from `from` by `translation`, against all layers.
struct CaromCast carom_cast(struct CaromShape shape, struct CaromVec3 from, struct CaromVec3 translation);

// A ray from `from` by `translation`, against all layers.
struct CaromCast carom_ray(struct CaromVec3 from, struct CaromVec3 translation);

// The first hit of the mover. Many threads may query one world at once, as long as none changes it.
CaromStatus carom_world_cast(struct CaromWorld world, const struct CaromCast *cast, struct CaromHit *hit);

// The first hit of each of many casts, in their order, on all cores. `hits` has room for `count`. If one of
// the casts is refused, the message has its number, and no hit is written.
CaromStatus carom_world_cast_many(struct CaromWorld world,
                                  const struct CaromCast *casts,
                                  size_t count,
                                  struct CaromHit *hits);

// Every part of every body that the mover would hit on its path, each with its own first contact, nearest
// first. Writes as many as fit; `count` is the full number.
CaromStatus carom_world_cast_all(struct CaromWorld world,
                                 const struct CaromCast *cast,
                                 struct CaromHit *hits,
                                 size_t capacity,
                                 size_t *count);

// The first contact with each body on the way, nearest first. Writes as many as there is room for; `count`
// is how many there are.
CaromStatus carom_world_cast_bodies(struct CaromWorld world,
                                    const struct CaromCast *cast,
                                    struct CaromHit *hits,
                                    size_t capacity,
                                    size_t *count);

// Where a ray from `from` by `translation`, in meters, leaves what is on its way: solids, also one in which
// it starts, and triangles that it passes from the back to the front. Normals point along the ray. Nearest
// first. Writes as many as there is room for; `count` is how many there are.
CaromStatus carom_world_ray_exits(struct CaromWorld world,
                                  struct CaromVec3 from,
                                  struct CaromVec3 translation,
                                  uint32_t layer_bits,
                                  struct CaromHit *hits,
                                  size_t capacity,
                                  size_t *count);

// The overlaps of the shape with its center at `at`: the deepest part of each body, the deepest first.
// Writes as many as there is room for; `count` is how many there are.
CaromStatus carom_world_deepest(struct CaromWorld world,
                                struct CaromShape shape,
                                struct CaromVec3 at,
                                uint32_t layer_bits,
                                struct CaromContact *contacts,
                                size_t capacity,
                                size_t *count);

// The parts that the shape overlaps with its center at `at`, by body and part. Touching is not overlapping.
// Writes as many as fit; `count` is the full number.
CaromStatus carom_world_overlaps(struct CaromWorld world,
                                 struct CaromShape shape,
                                 struct CaromVec3 at,
                                 uint32_t layer_bits,
                                 struct CaromPart *parts,
                                 size_t capacity,
                                 size_t *count);

// Every part within `distance` meters of the shape with its center at `at`, nearest first. Writes as many as
// fit; `count` is the full number.
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

// No visitors.
CaromStatus carom_sensors_new(struct CaromSensors *sensors);

// A copy of the present visitors, for rollback together with the world and the characters of the same tick.
CaromStatus carom_sensors_clone(struct CaromSensors sensors, struct CaromSensors *copy);

// Frees it. Null is allowed.
CaromStatus carom_sensors_free(struct CaromSensors sensors);

// Reports what the last tick of the world and of these characters brought; characters are named by their
// places in this list. To be called once a tick, after all have moved. `count` is how many events there are;
// `carom_sensors_events` has them.
//
// Characters are seen on the whole of their paths, round corners too. Bodies are visitors if they may move
// (kinematic, dynamic) and are no sensors.
CaromStatus carom_sensors_update(struct CaromSensors sensors,
                                 struct CaromWorld world,
                                 const struct CaromCharacter *characters,
                                 size_t character_count,
                                 size_t *count);

// The events of the last update: by sensor, and for each sensor first bodies, then characters, by number.
// Writes as many as fit; `count` is the full number.
CaromStatus carom_sensors_events(struct CaromSensors sensors,
                                 struct CaromSensorEvent *events,
                                 size_t capacity,
                                 size_t *count);

// The visitors of a sensor now: bodies before characters, each by number. A body that is not a sensor has no
// visitors. Writes as many as fit; `count` is the full number.
CaromStatus carom_sensors_inside(struct CaromSensors sensors,
                                 struct CaromBody sensor,
                                 struct CaromObstacle *visitors,
                                 size_t capacity,
                                 size_t *count);

// The message of the last failed call of this thread, in UTF-8; empty before the first. The text is valid
// until the next call of the same thread fails; a call that succeeds leaves it unchanged.
const char *carom_last_error(void);

// The name of a status, such as `NoSuchBody`; "unknown" for any other number.
const char *carom_status_name(int32_t status);

// Makes a table. Refuses balls that overlap by more than rounding and numbers out of range; the message has
// the number.
CaromStatus carom_table_new(const struct CaromTableSetup *setup, struct CaromTable *table);

// A copy of the present table, for rollback.
CaromStatus carom_table_clone(struct CaromTable table, struct CaromTable *copy);

// Frees a table. Null is allowed.
CaromStatus carom_table_free(struct CaromTable table);

// Goes on to the next event, but not beyond the time `until`, in seconds since the start. If there is none,
// the kind is `CAROM_TABLE_EVENT_KIND_NONE`, and the table is at `until`, unless that is infinite. A time in
// the past changes nothing.
CaromStatus carom_table_next_event(struct CaromTable table, double until, struct CaromTableEvent *event);

// The time of the table, in seconds since the start.
CaromStatus carom_table_time(struct CaromTable table, double *seconds);

// All balls at the time of the table, by number, including those in pockets. Writes as many as fit; `count`
// is the full number.
CaromStatus carom_table_balls(struct CaromTable table,
                              struct CaromBallState *balls,
                              size_t capacity,
                              size_t *count);

// The energy of all balls on the table in joules, and their momentum in kg·m/s. Either pointer may be null.
CaromStatus carom_table_energy(struct CaromTable table, double *energy, struct CaromVec3 *momentum);

// Gives a ball another velocity, in m/s: a stroke. The ball does not spin, and wakes if it rested. Refused
// if there is no such ball, or if it is in a pocket.
CaromStatus carom_table_strike(struct CaromTable table, size_t ball, struct CaromVec3 velocity);

// From now on a body of the obstacles moves with this velocity, in m/s, and turns about its own position, in
// rad/s. Nothing stops it: balls bounce off it.
CaromStatus carom_table_drive(struct CaromTable table,
                              struct CaromBody body,
                              struct CaromVec3 linear,
                              struct CaromVec3 angular);

// Moves a body of the obstacles at once, at rest. It passes through balls that it then overlaps until they
// are free. The scale of the pose is ignored.
CaromStatus carom_table_place_body(struct CaromTable table, struct CaromBody body, struct CaromPose pose);

// The pose of a movable body of the obstacles at the time of the table; its scale is 1.
CaromStatus carom_table_body_pose(struct CaromTable table, struct CaromBody body, struct CaromPose *pose);

// Reverses all velocities, also those of bodies. Without friction and loss, everything goes back the way it
// came.
CaromStatus carom_table_reverse(struct CaromTable table);

// The default setup: spheres that keep their energy, without gravity, balls or walls.
struct CaromTableSetup carom_table_setup_default(void);

// No targets yet.
CaromStatus carom_targets_new(struct CaromTargets *targets);

// Frees them; the characters stay. Null is fine.
CaromStatus carom_targets_free(struct CaromTargets targets);

// Takes the characters as they are now: their shapes without the skin, their layers
// (`carom_character_set_layers`) and their numbers. To be called after each tick, and after a rollback. From
// then on answers name them by their places in this list.
CaromStatus carom_targets_update(struct CaromTargets targets,
                                 const struct CaromCharacter *characters,
                                 size_t character_count);

// The character that a cast meets first, on its layers, past the character `past`: the one that shoots, or
// `CAROM_NO_CHARACTER`. Of several at the same fraction the lowest one. `carom_world_cast` says whether a
// wall comes first; the body that the cast excludes plays no part here.
CaromStatus carom_targets_cast(struct CaromTargets targets,
                               const struct CaromCast *cast,
                               uint32_t past,
                               struct CaromCharacterHit *hit);

// All characters that a cast meets, nearest first. Writes as many as there is room for; `count` is how many
// there are.
CaromStatus carom_targets_cast_all(struct CaromTargets targets,
                                   const struct CaromCast *cast,
                                   struct CaromCharacterHit *hits,
                                   size_t capacity,
                                   size_t *count);

// The characters that the shape overlaps with its center at `at`, by place. Touching is not overlapping.
// Writes as many as there is room for; `count` is how many there are.
CaromStatus carom_targets_overlaps(struct CaromTargets targets,
                                   struct CaromShape shape,
                                   struct CaromVec3 at,
                                   uint32_t layer_bits,
                                   struct CaromCharacterOverlap *characters,
                                   size_t capacity,
                                   size_t *count);

// The characters within `distance` meters of the shape with its center at `at`, by place. Writes as many as
// there is room for; `count` is how many there are.
CaromStatus carom_targets_contacts(struct CaromTargets targets,
                                   struct CaromShape shape,
                                   struct CaromVec3 at,
                                   double distance,
                                   uint32_t layer_bits,
                                   struct CaromCharacterContact *contacts,
                                   size_t capacity,
                                   size_t *count);

// The character nearest to the shape with its center at `at`, no farther than `distance` meters, which may
// be infinite.
CaromStatus carom_targets_closest(struct CaromTargets targets,
                                  struct CaromShape shape,
                                  struct CaromVec3 at,
                                  double distance,
                                  uint32_t layer_bits,
                                  struct CaromClosestCharacter *closest);

// A ray, for casts.
struct CaromShape carom_point(void);

// A ball of this radius, in meters.
struct CaromShape carom_sphere(double radius);

// An ellipsoid with these radii along its axes, in meters.
struct CaromShape carom_ellipsoid(struct CaromVec3 radii);

// An upright capsule: its radius and half of the height of its cylinder, in meters.
struct CaromShape carom_capsule(double radius, double half_height);

// A box with these half extents, in meters.
struct CaromShape carom_cuboid(struct CaromVec3 half_extents);

// The pose at a position, not turned, at scale 1.
struct CaromPose carom_pose_at(struct CaromVec3 position);

// The default material: friction of the mover's rule, no bounce, solid from both sides, tag 0.
struct CaromSurface carom_surface_default(void);

// A fixed body at the origin on layer 0.
struct CaromBodySettings carom_body_settings_default(void);

// Drives a body by velocities, in m/s and rad/s.
struct CaromMove carom_drive(struct CaromBody body, struct CaromVec3 linear, struct CaromVec3 angular);

// Moves a body to a pose.
struct CaromMove carom_move_to(struct CaromBody body, struct CaromPose pose);

// An empty world.
CaromStatus carom_world_new(struct CaromWorld *world);

// A copy of the present world with all bodies, for rollback. Ids of bodies of one world name their copies in
// the other.
CaromStatus carom_world_clone(struct CaromWorld world, struct CaromWorld *copy);

// Frees a world and its bodies. Null is allowed.
CaromStatus carom_world_free(struct CaromWorld world);

// Adds a solid body. `settings` may be null: fixed, at the origin. `body` may be null.
CaromStatus carom_world_add_shape(struct CaromWorld world,
                                  struct CaromShape shape,
                                  const struct CaromBodySettings *settings,
                                  struct CaromBody *body);

// Adds a body of triangles. `settings` may be null: fixed, at the origin. `body` may be null.
CaromStatus carom_world_add_mesh(struct CaromWorld world,
                                 struct CaromMesh mesh,
                                 const struct CaromBodySettings *settings,
                                 struct CaromBody *body);

// Adds a body with a collider. `settings` may be null: fixed, at the origin. `body` may be null. A height
// field keeps its own materials.
CaromStatus carom_world_add(struct CaromWorld world,
                            struct CaromCollider collider,
                            const struct CaromBodySettings *settings,
                            struct CaromBody *body);

// Removes a body.
CaromStatus carom_world_remove(struct CaromWorld world, struct CaromBody body);

// Writes the number of bodies.
CaromStatus carom_world_body_count(struct CaromWorld world, size_t *count);

// The pose of a body; at the end of the tick, if it moves.
CaromStatus carom_world_pose(struct CaromWorld world, struct CaromBody body, struct CaromPose *pose);

// Moves a body at once, without motion between. It does not push characters there; they get out of it in
// their next tick.
CaromStatus carom_world_set_pose(struct CaromWorld world, struct CaromBody body, struct CaromPose pose);

// Gives a body another number of your own.
CaromStatus carom_world_set_user_data(struct CaromWorld world, struct CaromBody body, uint64_t user_data);

// Starts a tick of `seconds`: the bodies of `moves` move, all others stay. From then on casts find bodies at
// their poses at the end of the tick; characters meet them on their way.
//
// If some bodies cannot move, the status and the message are those of the first of them. All others have
// moved.
CaromStatus carom_world_advance(struct CaromWorld world,
                                double seconds,
                                const struct CaromMove *moves,
                                size_t move_count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CAROM_H */
