/**
 * Carom moves things through game worlds: exact continuous collision detection and response.
 *
 * Lengths are meters, times seconds, angles radians but where a name says degrees, y is up. Every call that is
 * refused throws an `Error` with a `code`. Objects hold memory of the WebAssembly module: `dispose()` frees it at
 * once (`using` does so too); what is forgotten is freed when it is collected.
 */

/** Anything with x, y and z: a plain object, or a `THREE.Vector3`. */
export interface Vector {
  x: number;
  y: number;
  z: number;
}

/** A rotation, of length 1: a plain object, or a `THREE.Quaternion`. */
export interface Rotation extends Vector {
  w: number;
}

/** What every refused call throws. */
export interface CaromError extends Error {
  name: 'CaromError';
  code:
    | 'BAD_VALUE'
    | 'NO_SUCH_OBJECT'
    | 'BAD_FILE'
    | 'UNKNOWN_FORMAT'
    | 'EMPTY_LEVEL'
    | 'CANNOT_EXPLORE'
    | 'NO_WEBASSEMBLY'
    | 'NO_SIMD'
    | 'NO_WASM'
    | 'WORKER_FAILED'
    | 'OUT_OF_MEMORY'
    | 'UNKNOWN';
}

/**
 * Loads the module. Wait for it before anything else; calling it again is free.
 * @param source where `carom_core_bg.wasm` is, or its bytes, if it is not beside the script.
 */
export function init(source?: string | URL | Request | Response | BufferSource): Promise<void>;

/** Bytes that the module's memory has grown to. */
export function memoryBytes(): number;

export type ShapeKind = 'point' | 'sphere' | 'ellipsoid' | 'capsule' | 'cuboid';

/** A shape about its own center, to be swept, or to be the body of something. */
export class Shape {
  static point(): Shape;
  static sphere(radius: number): Shape;
  static ellipsoid(radii: Vector, rotation?: Rotation): Shape;
  /** @param halfHeight half the length of the cylinder between the caps, along y */
  static capsule(radius: number, halfHeight: number, rotation?: Rotation): Shape;
  static cuboid(halfExtents: Vector, rotation?: Rotation): Shape;
  readonly kind: ShapeKind;
  /** From the center to the lowest point, while it is not turned. */
  readonly halfHeight: number;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface FileOptions {
  /** The axis that points up in the file; as the format has it unless given: z for .bsp and .map, else y. */
  up?: 'y' | 'z';
  /** Meters per unit; as the format has it unless given: 1/32 for .bsp and .map, else 1. */
  scale?: number;
  /** Whether triangles face the other way than the file says. */
  flip?: boolean;
  /** Buffers that a .gltf names, by their names. */
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
  /** Reads a .glb, .gltf, .obj, .stl, .ply, .bsp or .map file: its name says which. */
  static fromFile(bytes: Uint8Array | ArrayBuffer, name: string, options?: FileOptions): Mesh;
  /** Three coordinates a vertex, three indices a triangle, counterclockwise seen from the front. */
  static fromTriangles(vertices: Float32Array | ArrayLike<number>, indices: Uint32Array | ArrayLike<number>): Mesh;
  /** The courtyard that `carom explore` has built in, with defects planted in it, or whole. */
  static builtIn(name: 'courtyard' | 'courtyard-whole'): Mesh;
  readonly triangleCount: number;
  /** For drawing: three coordinates a vertex, in meters, y up. A copy. */
  vertices(): Float32Array;
  /** For drawing: three indices a triangle. A copy. */
  indices(): Uint32Array;
  /** The number of each triangle's surface; empty if all are of one. */
  surfaceIds(): Uint16Array;
  surfaceNames(): string[];
  /** Named points of the file. */
  places(): { name: string; position: Vector }[];
  /** Where bodies start in a built-in level. */
  spawns(): Vector[];
  /** How the file was read. */
  frame(): { up: 'y' | 'z'; scale: number };
  /** What the level looks like as it was read: read a file with y up and scale 1 to learn about the file. */
  guess(): Guess;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface BodyOptions {
  position?: Vector;
  rotation?: Rotation;
  scale?: number;
  /** 32 bits: the layers that the body is on. Layer 1 unless given. */
  layers?: number;
}

export interface Pose {
  position: Vector;
  rotation: Rotation;
  scale: number;
}

/** Something in a world: it stops movers. */
export class Body {
  /** Stands still. */
  static fixed(collider: Shape | Mesh, options?: BodyOptions): Body;
  /** Moves as it is driven, and pushes, carries or crushes characters. */
  static kinematic(collider: Shape | Mesh, options?: BodyOptions): Body;
  /** Can be pushed by characters: `Character.pushes` says how hard, and the game moves it. Mass in kilograms. */
  static dynamic(collider: Shape, mass: number, options?: BodyOptions): Body;
  /** Its number in its world; −1 before it is added and after it is removed. */
  readonly id: number;
  readonly world: World | null;
  /** Puts it elsewhere at once. */
  setPose(position: Vector, rotation?: Rotation, scale?: number): void;
  /** Sends it on its way through the next tick: m/s, and rad/s about the axes of the world. */
  drive(linear: Vector, angular?: Vector): void;
  /** Sends it to a pose, to be reached at the end of the next tick. */
  moveTo(position: Vector, rotation?: Rotation): void;
  /** Writes its pose into `target`, or into a new object. */
  pose<T extends Pose>(target?: T): T;
  remove(): void;
}

export interface Hit {
  /** The share of the way that is free, from 0 to 1. */
  fraction: number;
  /** Where the mover touches, in meters. */
  point: Vector;
  /** Of length 1, towards the mover. */
  normal: Vector;
  body: Body | null;
  /** Which triangle of a mesh; 0 of a solid. */
  part: number;
  feature: 'face' | 'edge' | 'vertex';
  /** Whether the mover overlapped the body where it started. */
  startOverlap: boolean;
}

export interface CastOptions {
  /** 32 bits: only bodies on these layers are met. All unless given. */
  layers?: number;
  /** A body that is passed. */
  exclude?: Body | null;
}

/** Bodies, and questions to them. */
export class World {
  add(body: Body): Body;
  /** Begins a tick: what was driven or sent since the last one goes, all else stays. */
  advance(seconds: number): void;
  /** What a ray meets first; null where the way is free. Nothing is allocated where `target` is given. */
  raycast(from: Vector, translation: Vector, options?: CastOptions, target?: Hit): Hit | null;
  /** What a moving shape meets first. */
  cast(shape: Shape, from: Vector, translation: Vector, options?: CastOptions, target?: Hit): Hit | null;
  /**
   * Many casts of one shape. Of each, `queries` holds 6 numbers: from x, y, z and translation x, y, z. `hits` takes 11:
   * fraction, point, normal, id of the body, part, feature (0 face, 1 edge, 2 vertex), 1 for an overlap at the start; all
   * NaN where the way is free.
   * @returns `hits`
   */
  castMany(shape: Shape, queries: Float64Array, hits: Float64Array, options?: { layers?: number }): Float64Array;
  /** The bodies that a shape overlaps, each once. */
  overlaps(shape: Shape, position: Vector, options?: { layers?: number }): Body[];
  /** What is closest within a distance. */
  closest(
    shape: Shape,
    position: Vector,
    distance: number,
    options?: { layers?: number },
  ): { distance: number; point: Vector; body: Body; part: number } | null;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** How a character moves; docs/feel.md says what each does. What is left out is as it was. */
export interface CharacterSettings {
  up?: Vector;
  /** In m/s², downward; or a vector. 9.81 unless given. */
  gravity?: number | Vector;
  /** The distance kept from everything; a thousandth of the smallest radius, but at least 0.1 mm. */
  skin?: number;
  /** 0.4 m. */
  stepHeight?: number;
  /** 45. */
  maxSlopeDegrees?: number;
  /** As far as a step and the skin. */
  snapDistance?: number;
  /** From 0 to 1: 1. */
  airControl?: number;
  friction?: number;
  /** True. */
  inheritPlatformVelocity?: boolean;
  /** One motion of walking and falling, instead of one after the other: false. */
  combinedGravity?: boolean;
  /** In newtons: 100. */
  pushForce?: number;
  /** In m/s. */
  escapeSpeed?: number;
  /** 32 bits. */
  collidesWith?: number;
}

export interface CharacterInput {
  /** The wanted velocity in m/s; left out: nothing is wanted, and on ground it stands. */
  velocity?: Vector | null;
  /** An upward speed in m/s; taken only on ground. */
  jump?: number;
}

export type Outcome = 'moved' | 'blocked' | 'crushed' | 'recovered' | 'refused';

export interface CharacterReport {
  /** Of the center. */
  position: Vector;
  velocity: Vector;
  grounded: boolean;
  groundNormal: Vector;
  groundBody: Body | null;
  /** How many meters it climbed in this tick: what a camera should smooth. */
  stepped: number;
  outcome: Outcome;
  /** How far platforms have turned it, in radians. */
  yaw: number;
  sweeps: number;
  /** How many surfaces it touches. */
  contacts: number;
}

export interface Touch {
  point: Vector;
  /** Towards the character. */
  normal: Vector;
  /** How far from the skin; negative inside. */
  gap: number;
  body: Body | null;
  part: number;
}

export interface Push {
  body: Body | null;
  point: Vector;
  /** In newton seconds. */
  impulse: Vector;
}

/** What happened in a tick. A body is an id, −1 for none, −2 − n for character n. */
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
  /** What the last tick came to. The same object all the time: nothing is allocated in a tick. */
  readonly report: CharacterReport;
  readonly position: Vector;
  readonly velocity: Vector;
  /** One tick; a 60th of a second unless given. */
  step(world: World, input?: CharacterInput, seconds?: number): CharacterReport;
  setSettings(settings: CharacterSettings): void;
  contacts(): Touch[];
  pushes(): Push[];
  /** Whether the next ticks are traced. */
  set traced(isTraced: boolean);
  trace(): TraceEvent[];
  /** Puts it elsewhere, at rest. */
  teleport(position: Vector): void;
  /** Gives it a velocity, off the ground. */
  launch(velocity: Vector): void;
  /** Another shape where it stands; false where that does not fit, and then nothing changes. */
  resize(world: World, shape: Shape): boolean;
  /** Keeps all its state under a number below 2²⁰: for rewinding, or rollback. */
  save(slot: number): void;
  restore(slot: number): void;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Characters that see each other; all move at once. */
export class Crowd {
  /** @returns its number: 0, 1, 2 … */
  add(shape: Shape, settings?: CharacterSettings & { position?: Vector }): number;
  readonly count: number;
  setSettings(number: number, settings: CharacterSettings): void;
  /** Wanted from now on, until it is set again. */
  setInput(number: number, velocity: Vector | null, jump?: number): void;
  /** All at once: four numbers a character, velocity and jump speed; NaN for none. */
  setInputs(inputs: Float64Array): void;
  step(world: World, seconds: number): void;
  /** Three numbers a character, in the memory of the module: read it before the next call. */
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
  /** From 0 on, increasing. */
  time: number;
  position?: Vector;
  rotation?: Rotation;
}

/** Poses by time: straight ways, and turns the short way round. */
export class Keyframes {
  /** @param options `repeat`: time runs modulo the last; else the last pose stays. */
  constructor(frames: Keyframe[], options?: { repeat?: boolean });
  poseAt<T extends { position: Vector; rotation: Rotation }>(seconds: number, target?: T): T;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface TableOptions {
  /** Circles on a plane, z = 0, instead of spheres. */
  flat?: boolean;
  gravity?: Vector;
  /** Of two balls, from 0 to 1: 1. */
  restitution?: number;
  /** Of a ball and a wall: 1. */
  wallRestitution?: number;
  /** Friction of the cloth, sliding and rolling: 0. */
  sliding?: number;
  rolling?: number;
}

export interface Ball {
  position: Vector;
  velocity: Vector;
  /** How it turns, as the velocity at which it would roll. */
  roll: Vector;
  motion: 'free' | 'sliding' | 'rolling' | 'resting' | 'pocketed';
  radius: number;
}

/** Balls, played from event to event: add everything, then advance. */
export class Table {
  constructor(options?: TableOptions);
  /** Nine feet long, racked; ball 0 is the cue ball. 2.54 by 1.27 m, from the corner at the origin. */
  static pool(): Table;
  /** 2,000 marbles above a slope. */
  static marbles(): Table;
  addBall(ball: { position: Vector; velocity?: Vector; radius: number; mass?: number }): number;
  /** All behind it is solid. */
  addPlane(point: Vector, normal: Vector): void;
  addSegment(a: { x: number; y: number }, b: { x: number; y: number }): void;
  addPocket(position: { x: number; y: number; z?: number }, radius: number): void;
  addMesh(mesh: Mesh): void;
  /** Plays so many seconds, or until so many events have happened. @returns how many happened */
  advance(seconds: number, mostEvents?: number): number;
  /** Gives a ball a velocity. */
  strike(ball: number, velocity: { x: number; y: number; z?: number }): void;
  readonly time: number;
  /** In joules. */
  readonly energy: number;
  readonly count: number;
  /** Three numbers a ball, in the memory of the module: read it before the next call. */
  readonly positions: Float64Array;
  ball<T extends Ball>(number: number, target?: T): T;
  /** Cushions: four numbers each. */
  segments(): Float64Array;
  /** Pockets: x, y and radius. */
  pockets(): Float64Array;
  /** What balls bounce off: nine numbers a triangle. */
  triangles(): Float32Array;
  dispose(): void;
  [Symbol.dispose](): void;
}
