import type { Mesh, Shape, ShapeKind, Vector } from './index.js';

/** The character of the game, and what counts. Omitted keys are those of the preset, or of the command `carom explore`. */
export interface Rules {
  /** quake, quake3, source, unreal, unity, godot or minecraft. */
  preset?: string;
  /** Default: an upright ellipsoid with the radii 0.4, 0.9, 0.4. */
  shape?: Shape;
  /** In m/s. Default: 5. */
  speed?: number;
  /** The speed of a jump, in m/s. Default: 4. With 0 the body does not jump. */
  jump?: number;
  stepHeight?: number;
  maxSlopeDegrees?: number;
  /** In m/s², downward. */
  gravity?: number;
  airControl?: number;
  /** Whether it climbs steps in the air too, once it no longer rises. */
  airSteps?: boolean;
  /** The side of a cell of the grid, in meters. */
  cell?: number;
  /** Unreached floor smaller than this is not reported, in m². Default: 1. */
  minArea?: number;
  /** Centers of bodies. Default: those of the level. */
  spawns?: Vector[];
}

export interface Progress {
  /** Places found, places done, and places expected. */
  places: number;
  done: number;
  expected: number;
  /** The finished floor, in m². */
  area: number;
  ticks: number;
  seconds: number;
  /** The side of a cell, and half of the body's height, in meters. */
  cell: number;
  halfHeight: number;
  /** Centers since the last call, three numbers each. */
  newPlaces: Float32Array;
  /** The events since the last call: four numbers each, 0 for a fall and 1 for a snag, and the position. */
  alarms: Float32Array;
  /** True in the last call: the findings are being judged, and nothing else is given. */
  judging?: boolean;
}

export interface Exploration {
  /** report.json, as docs/explore.md describes it. */
  report: any;
  /** The same as text. The same input gives the same text as the command, except for `cost`. */
  text: string;
  /** All files of the report by their names: report.html, maps, pictures, scenes that replay the findings. */
  files: Map<string, Uint8Array>;
  /** The path to each finding: the centers from tick to tick, three numbers each. */
  ways: Float64Array[];
}

export interface ExploreOptions {
  /** About 25 times a second. */
  onProgress?(progress: Progress): void;
  /** Aborts: the promise is rejected. */
  signal?: AbortSignal;
  /** Ends the flood early: what was walked until then is judged and reported. */
  finishEarly?: AbortSignal;
  /** Makes the Worker, if `explore-worker.js` is not beside this file. */
  worker?(): Worker;
}

/** Walks a whole level with the character, in a Worker, and reports where it breaks. */
export function explore(level: Mesh, rules?: Rules, options?: ExploreOptions): Promise<Exploration>;

export interface Preset {
  name: string;
  kind: ShapeKind;
  /** Radius and half height of a capsule; half extents of a cuboid. */
  size: number[];
  speed: number;
  jump: number;
  gravity: number;
  stepHeight: number;
  maxSlope: number;
  airControl: number;
  airSteps: boolean;
}

/** The bodies of well-known engines and games. */
export const presets: Preset[];
