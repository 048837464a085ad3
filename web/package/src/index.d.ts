/**
 * Carom moves things through game worlds: exact continuous collision detection and response.
 *
 * Lengths are meters, times seconds, and angles radians, unless a name says degrees. y is up. A refused call
 * throws an `Error` with a `code`. Objects use memory of the WebAssembly module: `dispose()` and `using` free it at
 * once; otherwise it is freed when the object is garbage-collected.
 */

/** Any object with x, y and z: a plain object, or a `THREE.Vector3`. */
export interface Vector {
  x: number;
  y: number;
  z: number;
}

/** A rotation, of length 1: a plain object, or a `THREE.Quaternion`. */
export interface Rotation extends Vector {
  w: number;
}

/** The error of a refused call. */
export interface CaromError extends Error {
  name: 'CaromError';
  code:
    | 'BAD_VALUE'
    | 'NO_SUCH_OBJECT'
    | 'BAD_FILE'
    | 'UNKNOWN_FORMAT'
    | 'EMPTY_LEVEL'
    | 'CANNOT_EXPLORE'
    | 'NOT_LOADED'
    | 'NO_WEBASSEMBLY'
    | 'NO_SIMD'
    | 'NO_WASM'
    | 'WORKER_FAILED'
    | 'OUT_OF_MEMORY'
    | 'UNKNOWN';
}

/** The URL of a `.wasm` file, or its bytes. */
export type WasmSource = string | URL | Request | Response | BufferSource;

/**
 * Loads the module. Await it before any other call; calling it again is free.
 * @param core `carom_core_bg.wasm`, if it is not beside the script.
 * @param levels `carom_levels_bg.wasm`, if it is not beside the script. The first file that is read loads it.
 */
export function init(core?: WasmSource, levels?: WasmSource): Promise<void>;

/** The bytes to which the memory of the modules has grown. */
export function memoryBytes(): number;

export type ShapeKind = 'point' | 'sphere' | 'ellipsoid' | 'capsule' | 'cuboid';

/** A shape about its own center: a mover to sweep, or the shape of a body. */
export class Shape {
  static point(): Shape;
  static sphere(radius: number): Shape;
  static ellipsoid(radii: Vector, rotation?: Rotation): Shape;
  /** @param halfHeight half the length of the cylinder between the caps, along y */
  static capsule(radius: number, halfHeight: number, rotation?: Rotation): Shape;
  static cuboid(halfExtents: Vector, rotation?: Rotation): Shape;
  readonly kind: ShapeKind;
  /** The distance from the center to the lowest point, without rotation. */
  readonly halfHeight: number;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface FileOptions {
  /** The axis that points up in the file. Default: that of the format: z for .bsp and .map, else y. */
  up?: 'y' | 'z';
  /** Meters per unit. Default: that of the format: 1/32 for .bsp and .map, else 1. */
  scale?: number;
  /** Whether to flip the triangles of the file. */
  flip?: boolean;
  /** The buffers of a .gltf, by their names. */
  files?: Record<string, Uint8Array | ArrayBuffer>;
}

export interface Guess {
  up: 'y' | 'z';
  /** Meters per unit. */
  scale: number;
  watertight: boolean;
  insideOut: boolean;
  defects: { degenerate: number; duplicate: number; sliver: number; openEdges: number; nonManifoldEdges: number };
}

/** Triangles with their tree. Any number of bodies and explorations can share it. */
export class Mesh {
  /** Reads a .glb, .gltf, .obj, .stl, .ply, .bsp or .map file; the name gives the format. */
  static fromFile(bytes: Uint8Array | ArrayBuffer, name: string, options?: FileOptions): Promise<Mesh>;
  /** Three coordinates per vertex, three indices per triangle, counterclockwise as seen from the front. */
  static fromTriangles(vertices: Float32Array | ArrayLike<number>, indices: Uint32Array | ArrayLike<number>): Mesh;
  /** The built-in courtyard of `carom explore`, with or without planted defects. */
  static builtIn(name: 'courtyard' | 'courtyard-whole'): Promise<Mesh>;
  readonly triangleCount: number;
  /** For drawing: three coordinates per vertex, in meters, y up. A copy. */
  vertices(): Float32Array;
  /** For drawing: three indices per triangle. A copy. */
  indices(): Uint32Array;
  /** The number of each triangle's surface; empty if there is only one surface. */
  surfaceIds(): Uint16Array;
  surfaceNames(): string[];
  /** Named points of the file. */
  landmarks(): { name: string; position: Vector }[];
  /** The spawns of a built-in level. */
  spawns(): Vector[];
  /** How the file was read. */
  frame(): { up: 'y' | 'z'; scale: number };
  /** Guesses about the level as it was read: read a file with y up and scale 1 to learn about the file. */
  guess(): Guess;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface BodyOptions {
  position?: Vector;
  rotation?: Rotation;
  scale?: number;
  /** The layers that the body is on, 32 bits. Default: layer 1. */
  layers?: number;
}

export interface Pose {
  position: Vector;
  rotation: Rotation;
  scale: number;
}

/** Something in a world that stops movers. */
export class Body {
  /** It never moves in a tick. */
  static fixed(collider: Shape | Mesh, options?: BodyOptions): Body;
  /** The game moves it, and it pushes, carries or crushes characters. */
  static kinematic(collider: Shape | Mesh, options?: BodyOptions): Body;
  /** Characters can push it: `Character.pushes` tells how hard, and the game moves it. Mass in kilograms. */
  static dynamic(collider: Shape, mass: number, options?: BodyOptions): Body;
  /** Its number in its world; −1 before it is added and after it is removed. */
  readonly id: number;
  readonly world: World | null;
  /** Moves it at once. */
  setPose(position: Vector, rotation?: Rotation, scale?: number): void;
  /** Drives it in the next tick: m/s, and rad/s about the axes of the world. */
  drive(linear: Vector, angular?: Vector): void;
  /** Moves it to a pose, which it has at the end of the next tick. */
  moveTo(position: Vector, rotation?: Rotation): void;
  /** Writes its pose into `target`, or into a new object. */
  pose<T extends Pose>(target?: T): T;
  remove(): void;
}

export interface Hit {
  /** The free share of the translation, from 0 to 1. */
  fraction: number;
  /** The touched point, in meters. */
  point: Vector;
  /** The unit normal, towards the mover. */
  normal: Vector;
  body: Body | null;
  /** The triangle of a mesh; 0 for a solid. */
  part: number;
  feature: 'face' | 'edge' | 'vertex';
  /** Whether the mover overlapped the body at the start. */
  startOverlap: boolean;
}

export interface CastOptions {
  /** The layers of the bodies to hit, 32 bits. Default: all. */
  layers?: number;
  /** A body to ignore. */
  exclude?: Body | null;
}

/** Bodies, and queries on them. */
export class World {
  add(body: Body): Body;
  /** Makes a tick: bodies that were driven or moved since the last one move, all others stay. */
  advance(seconds: number): void;
  /** The first hit of a ray; null if the path is free. With `target` it allocates nothing. */
  raycast(from: Vector, translation: Vector, options?: CastOptions, target?: Hit): Hit | null;
  /** The first hit of a moving shape. */
  cast(shape: Shape, from: Vector, translation: Vector, options?: CastOptions, target?: Hit): Hit | null;
  /**
   * Many casts of one shape. `queries` has 6 numbers per cast: from x, y, z and translation x, y, z. `hits` gets 11:
   * fraction, point, normal, id of the body, part, feature (0 face, 1 edge, 2 vertex), 1 for an overlap at the start; all
   * NaN if the path is free.
   * @returns `hits`
   */
  castMany(shape: Shape, queries: Float64Array, hits: Float64Array, options?: { layers?: number }): Float64Array;
  /** The bodies that a shape overlaps, each once. */
  overlaps(shape: Shape, position: Vector, options?: { layers?: number }): Body[];
  /** The closest body within a distance. */
  closest(
    shape: Shape,
    position: Vector,
    distance: number,
    options?: { layers?: number },
  ): { distance: number; point: Vector; body: Body; part: number } | null;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** How a character moves; docs/feel.md explains each setting. Omitted settings stay unchanged. */
export interface CharacterSettings {
  up?: Vector;
  /** In m/s², downward; or a vector. Default: 9.81. */
  gravity?: number | Vector;
  /** The distance kept from everything. Default: a thousandth of the smallest radius, but at least 0.1 mm. */
  skin?: number;
  /** The highest step, in meters. Default: 0.4. */
  stepHeight?: number;
  /** The steepest ground to walk on, in degrees. Default: 45. */
  maxSlopeDegrees?: number;
  /** How far the ground may drop in a tick, in meters. Default: a step plus the skin. */
  snapDistance?: number;
  /** From 0 to 1. Default: 1. */
  airControl?: number;
  /** Whether it climbs steps in the air too, once it no longer rises. Default: false. */
  airSteps?: boolean;
  friction?: number;
  /** Default: true. */
  inheritPlatformVelocity?: boolean;
  /** One motion of walking and falling, instead of one after the other. Default: false. */
  combinedGravity?: boolean;
  /** The largest push, in newtons. Default: 100. */
  pushForce?: number;
  /** How fast it escapes from a crush, in m/s. */
  escapeSpeed?: number;
  /** The layers of the bodies that stop it, 32 bits. */
  collidesWith?: number;
}

export interface CharacterInput {
  /** The desired velocity in m/s; without it there is no input, and on ground the character stands. */
  velocity?: Vector | null;
  /** An upward speed in m/s; it only jumps from the ground. */
  jump?: number;
}

export type Outcome = 'moved' | 'blocked' | 'crushed' | 'recovered' | 'refused';

export interface CharacterReport {
  /** The position of the center. */
  position: Vector;
  velocity: Vector;
  grounded: boolean;
  groundNormal: Vector;
  groundBody: Body | null;
  /** The height in meters that it gained by steps in this tick. Smooth the camera by it. */
  stepped: number;
  outcome: Outcome;
  /** The angle by which platforms have turned it, in radians. */
  yaw: number;
  sweeps: number;
  /** The number of surfaces that it touches. */
  contacts: number;
}

export interface Touch {
  point: Vector;
  /** The unit normal, towards the character. */
  normal: Vector;
  /** The distance from the skin; negative inside. */
  gap: number;
  body: Body | null;
  part: number;
}

export interface Push {
  body: Body | null;
  point: Vector;
  /** The impulse, in newton seconds. */
  impulse: Vector;
}

/** The events of a tick. A body is an id, −1 for none, −2 − n for character n. */
export type TraceEvent =
  | { kind: 'stage'; stage: 'probe' | 'depenetrate' | 'walk' | 'step' | 'snap' | 'fall' }
  | { kind: 'sweep'; from: Vector; translation: Vector; free: number; body: number; part: number }
  | {
      kind: 'solved';
      wanted: Vector;
      motion: Vector;
      planes: { body: number; part: number; normal: Vector; bound: number }[];
    }
  | { kind: 'crushed' }
  | { kind: 'decided'; decision: string; amount: number; normal: Vector };

/** Why a character did not go where it wanted to, in words; empty if it did. */
export function why(trace: TraceEvent[], name?: (body: number) => string): string;

/** A player. */
export class Character {
  constructor(shape: Shape, settings?: CharacterSettings & { position?: Vector });
  /** The report of the last tick. It is always the same object: a tick allocates nothing. */
  readonly report: CharacterReport;
  readonly position: Vector;
  readonly velocity: Vector;
  /** Makes one tick, by default of 1/60 s. */
  step(world: World, input?: CharacterInput, seconds?: number): CharacterReport;
  setSettings(settings: CharacterSettings): void;
  contacts(): Touch[];
  pushes(): Push[];
  /** Whether to trace the next ticks. */
  set traced(isTraced: boolean);
  trace(): TraceEvent[];
  /** Moves it at once, at rest. */
  teleport(position: Vector): void;
  /** Sets its velocity and leaves the ground. */
  launch(velocity: Vector): void;
  /** Changes its shape in place; returns false if it does not fit, and then nothing changes. */
  resize(world: World, shape: Shape): boolean;
  /** Saves its whole state under a number below 2²⁰, for rewinding or rollback. */
  save(slot: number): void;
  restore(slot: number): void;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Characters that collide with each other; all move at once. */
export class Crowd {
  /** @returns its number: 0, 1, 2 … */
  add(shape: Shape, settings?: CharacterSettings & { position?: Vector }): number;
  readonly count: number;
  setSettings(number: number, settings: CharacterSettings): void;
  /** Sets the input until it is set again. */
  setInput(number: number, velocity: Vector | null, jump?: number): void;
  /** Sets all inputs: four numbers per character, velocity and jump speed; NaN for none. */
  setInputs(inputs: Float64Array): void;
  step(world: World, seconds: number): void;
  /** Three numbers per character, in the memory of the module: read it before the next call. */
  readonly positions: Float64Array;
  report(number: number, target?: CharacterReport): CharacterReport;
  contacts(number: number): Touch[];
  pushes(number: number): Push[];
  setTraced(number: number, isTraced: boolean): void;
  trace(number: number): TraceEvent[];
  teleport(number: number, position: Vector): void;
  launch(number: number, velocity: Vector): void;
  resize(world: World, number: number, shape: Shape): boolean;
  save(number: number, slot: number): void;
  restore(number: number, slot: number): void;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface Keyframe {
  /** Increasing, from 0 on. */
  time: number;
  position?: Vector;
  rotation?: Rotation;
}

/** Poses over time: straight paths, and turns the short way. */
export class Keyframes {
  /** @param options `repeat`: time runs modulo the last time; else the last pose stays. */
  constructor(frames: Keyframe[], options?: { repeat?: boolean });
  poseAt<T extends { position: Vector; rotation: Rotation }>(seconds: number, target?: T): T;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface TableOptions {
  /** Circles on a plane, z = 0, instead of spheres. */
  flat?: boolean;
  gravity?: Vector;
  /** The restitution of two balls, from 0 to 1. Default: 1. */
  restitution?: number;
  /** The restitution of a ball and a wall. Default: 1. */
  wallRestitution?: number;
  /** The friction of the cloth, sliding and rolling. Default: 0. */
  sliding?: number;
  rolling?: number;
}

export interface Ball {
  position: Vector;
  velocity: Vector;
  /** The spin, as the velocity at which it would roll. */
  roll: Vector;
  motion: 'free' | 'sliding' | 'rolling' | 'resting' | 'pocketed';
  radius: number;
}

/** Balls, from event to event: add everything, then advance. */
export class Table {
  constructor(options?: TableOptions);
  /** A nine-foot pool table with a rack; ball 0 is the cue ball. 2.54 by 1.27 m, with a corner at the origin. */
  static pool(): Table;
  /** 2,000 marbles above a slope. */
  static marbles(): Table;
  addBall(ball: { position: Vector; velocity?: Vector; radius: number; mass?: number }): number;
  /** Everything behind it is solid. */
  addPlane(point: Vector, normal: Vector): void;
  addSegment(a: { x: number; y: number }, b: { x: number; y: number }): void;
  addPocket(position: { x: number; y: number; z?: number }, radius: number): void;
  addMesh(mesh: Mesh): void;
  /** Plays this many seconds, or until this many events have happened. @returns the number of events */
  advance(seconds: number, mostEvents?: number): number;
  /** Sets the velocity of a ball. */
  strike(ball: number, velocity: { x: number; y: number; z?: number }): void;
  readonly time: number;
  /** The energy, in joules. */
  readonly energy: number;
  readonly count: number;
  /** Three numbers per ball, in the memory of the module: read it before the next call. */
  readonly positions: Float64Array;
  ball<T extends Ball>(number: number, target?: T): T;
  /** Cushions: four numbers each. */
  segments(): Float64Array;
  /** Pockets: x, y and radius. */
  pockets(): Float64Array;
  /** Obstacles: nine numbers per triangle. */
  triangles(): Float32Array;
  dispose(): void;
  [Symbol.dispose](): void;
}
