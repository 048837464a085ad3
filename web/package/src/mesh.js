// Triangles with their tree, from files, lists, or built in.
import { asBytes, readLevel } from './level.js';
import { loadLevels, raw } from './raw.js';
import { disposable } from './vector.js';

const NOTHING_BESIDE = { surfaceIds: new Uint16Array(), surfaceNames: [], landmarks: [], spawns: [], frame: { up: 'y', scale: 1 } };

export class Mesh {
  constructor(source, triangles, beside) {
    const { vertices, indices } = triangles;
    this.raw = new raw.RawMesh(vertices, indices, beside.surfaceIds, source.name ?? 'triangles');
    /** From these a Worker can read it once more. */
    this.source = source;
    this.triangles = triangles;
    this.beside = beside;
  }

  static fromFile(bytes, name, options = {}) {
    const { up, scale, flip = false, files = {} } = options;
    return read({ kind: 'file', bytes: asBytes(bytes), name, options: { up, scale, flip, files } });
  }

  static fromTriangles(vertices, indices) {
    const corners = vertices instanceof Float32Array ? vertices : new Float32Array(vertices);
    const list = indices instanceof Uint32Array ? indices : new Uint32Array(indices);
    const triangles = { vertices: corners, indices: list };
    return new Mesh({ kind: 'triangles', ...triangles }, triangles, NOTHING_BESIDE);
  }

  static builtIn(name) {
    return read({ kind: 'built-in', name });
  }

  get triangleCount() {
    return this.triangles.indices.length / 3;
  }

  vertices() {
    return this.triangles.vertices.slice();
  }

  indices() {
    return this.triangles.indices.slice();
  }

  surfaceIds() {
    return this.beside.surfaceIds.slice();
  }

  surfaceNames() {
    return [...this.beside.surfaceNames];
  }

  landmarks() {
    return this.beside.landmarks.map(({ name, position }) => ({ name, position: { ...position } }));
  }

  spawns() {
    return this.beside.spawns.map((spawn) => ({ ...spawn }));
  }

  frame() {
    return { ...this.beside.frame };
  }

  guess() {
    const { vertices, indices } = this.triangles;
    const [isZUp, scale, watertight, insideOut, ...counts] = raw.RawMesh.guess(vertices, indices);
    const [degenerate, duplicate, sliver, openEdges, nonManifoldEdges] = counts;
    return {
      up: isZUp ? 'z' : 'y',
      scale,
      watertight: watertight === 1,
      insideOut: insideOut === 1,
      defects: { degenerate, duplicate, sliver, openEdges, nonManifoldEdges },
    };
  }

  dispose() {
    this.source = null;
    this.triangles = null;
    this.raw.free();
  }
}

/** A mesh from a source that the module of levels reads, and all that the level says beside its triangles. */
async function read(source) {
  const level = readLevel(await loadLevels(), source);
  try {
    const positions = level.landmarkPositions();
    const [isZUp, scale] = level.frame();
    return new Mesh(source, { vertices: level.vertices(), indices: level.indices() }, {
      surfaceIds: level.surfaceIds(),
      surfaceNames: level.surfaceNames(),
      landmarks: level.landmarkNames().map((name, i) => ({ name, position: vector(positions, i) })),
      spawns: vectors(level.spawns()),
      frame: { up: isZUp ? 'z' : 'y', scale },
    });
  } finally {
    level.free();
  }
}

function vector(numbers, number) {
  return { x: numbers[3 * number], y: numbers[3 * number + 1], z: numbers[3 * number + 2] };
}

function vectors(numbers) {
  return Array.from({ length: numbers.length / 3 }, (_, i) => vector(numbers, i));
}

disposable(Mesh);
