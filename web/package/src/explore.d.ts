import type { Mesh, Shape, ShapeKind, Vector } from './index.js';

/** The game's character and what counts; what is left out is as the preset, or the command `carom explore`, has it. */
export interface Rules {
  /** quake, quake3, source, unreal, unity, godot or minecraft. */
  preset?: string;
  /** An upright ellipsoid of radii 0.4, 0.9, 0.4. */
  shape?: Shape;
  /** In m/s: 5. */
  speed?: number;
  /** The speed of a jump, in m/s: 4; 0: no jumping. */
  jump?: number;
  stepHeight?: number;
  maxSlopeDegrees?: number;
  /** In m/s², downward. */
  gravity?: number;
  airControl?: number;
  /** The side of a cell of the grid, in meters. */
  cell?: number;
  /** Unreached floor smaller than this is not reported, in m²: 1. */
  minArea?: number;
  /** Centers of bodies; else those of the level. */
  spawns?: Vector[];
}

export interface Progress {
  /** Places found, done, and about to be found. */
  places: number;
  done: number;
  expected: number;
  /** m² done. */
  area: number;
  ticks: number;
  seconds: number;
  /** The side of a cell, and half of the body's height, in meters. */
  cell: number;
  halfHeight: number;
  /** Centers since the last call, three numbers each. */
  newPlaces: Float32Array;
  /** What was seen since the last call: four numbers each, 0 for a fall and 1 for a snag, and where. */
  alarms: Float32Array;
  /** True in the last call: what was found is being judged, and nothing else is given. */
  judging?: boolean;
}

export interface Exploration {
  /** report.json, as docs/explore.md describes it. */
  report: any;
  /** The same as text: for the same input the same, but for `cost`, as that of the command. */
  text: string;
  /** All files of the report by their names: report.html, maps, pictures, scenes that replay the findings. */
  files: Map<string, Uint8Array>;
  /** Of each finding the way there: the centers from tick to tick, three numbers each. */
  ways: Float64Array[];
}

export interface ExploreOptions {
  /** Some 25 times a second. */
  onProgress?(progress: Progress): void;
  /** Ends it at once: the promise is rejected. */
  signal?: AbortSignal;
  /** Ends the flood: what was walked until then is judged and reported. */
  finishEarly?: AbortSignal;
  /** Makes the Worker, where `explore-worker.js` can't be found beside this file. */
  worker?(): Worker;
}

/** Walks a whole level with the character, in a Worker, and says where it breaks. */
export function explore(level: Mesh, rules?: Rules, options?: ExploreOptions): Promise<Exploration>;

export interface Preset {
  name: string;
  kind: ShapeKind;
  /** Of a capsule radius and half height; half extents of a cuboid. */
  size: number[];
  speed: number;
  jump: number;
  gravity: number;
  stepHeight: number;
  maxSlope: number;
  airControl: number;
}

/** The bodies of engines and games that people know. */
export const presets: Preset[];
