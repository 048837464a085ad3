// Triangles with their tree, from files, lists, or built in.
import { coded, raw } from './raw.js';
import { disposable } from './vector.js';

const AXES = { y: 1, z: 2 };

export class Mesh {
  constructor(inner, source) {
    this.raw = inner;
    /** What it was made from, so that a Worker can make it once more. */
    this.source = source;
  }

  static fromFile(bytes, name, options = {}) {
    const { up, scale, flip = false, files = {} } = options;
    if (up !== undefined && !(up in AXES)) throw coded('BAD_VALUE', `up is 'y' or 'z', not ${up}`);
    const data = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    const beside = new raw.RawFiles();
    try {
      for (const [file, content] of Object.entries(files)) {
        beside.add(file, content instanceof Uint8Array ? content : new Uint8Array(content));
      }
      const inner = raw.RawMesh.fromFile(data, name, beside, AXES[up] ?? 0, scale ?? NaN, flip);
      return new Mesh(inner, { kind: 'file', bytes: data, name, options: { up, scale, flip, files } });
    } finally {
      beside.free();
    }
  }

  static fromTriangles(vertices, indices) {
    const corners = vertices instanceof Float32Array ? vertices : new Float32Array(vertices);
    const list = indices instanceof Uint32Array ? indices : new Uint32Array(indices);
    const inner = raw.RawMesh.fromTriangles(corners, list);
    return new Mesh(inner, { kind: 'triangles', vertices: corners, indices: list });
  }

  static builtIn(name) {
    return new Mesh(raw.RawMesh.builtIn(name), { kind: 'built-in', name });
  }

  /** From what another mesh says as its source. */
  static fromSource(source) {
    switch (source.kind) {
      case 'file':
        return Mesh.fromFile(source.bytes, source.name, source.options);
      case 'triangles':
        return Mesh.fromTriangles(source.vertices, source.indices);
      default:
        return Mesh.builtIn(source.name);
    }
  }

  get triangleCount() {
    return this.raw.triangleCount;
  }

  vertices() {
    return this.raw.vertices();
  }

  indices() {
    return this.raw.indices();
  }

  surfaceIds() {
    return this.raw.surfaceIds();
  }

  surfaceNames() {
    return this.raw.surfaceNames();
  }

  landmarks() {
    const positions = this.raw.landmarkPositions();
    return this.raw.landmarkNames().map((name, i) => ({ name, position: vector(positions, 3 * i) }));
  }

  spawns() {
    const numbers = this.raw.spawns();
    return Array.from({ length: numbers.length / 3 }, (_, i) => vector(numbers, 3 * i));
  }

  frame() {
    const [isZUp, scale] = this.raw.frame();
    return { up: isZUp ? 'z' : 'y', scale };
  }

  guess() {
    const [isZUp, scale, watertight, insideOut, ...counts] = this.raw.guess();
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
    this.raw.free();
  }
}

function vector(numbers, at) {
  return { x: numbers[at], y: numbers[at + 1], z: numbers[at + 2] };
}

disposable(Mesh);
