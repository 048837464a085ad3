// Shapes about their own centers.
import { raw } from './raw.js';
import { UNTURNED, disposable } from './vector.js';

const KINDS = ['point', 'sphere', 'ellipsoid', 'capsule', 'cuboid'];

export class Shape {
  constructor(spec) {
    const { kind, a = 0, b = 0, c = 0, rotation: q = UNTURNED } = spec;
    this.spec = Object.freeze({ kind, a, b, c, rotation: { x: q.x, y: q.y, z: q.z, w: q.w } });
    this.raw = new raw.RawShape(KINDS.indexOf(kind), a, b, c, q.x, q.y, q.z, q.w);
  }

  static point() {
    return new Shape({ kind: 'point' });
  }

  static sphere(radius) {
    return new Shape({ kind: 'sphere', a: radius });
  }

  static ellipsoid(radii, rotation = UNTURNED) {
    return new Shape({ kind: 'ellipsoid', a: radii.x, b: radii.y, c: radii.z, rotation });
  }

  static capsule(radius, halfHeight, rotation = UNTURNED) {
    return new Shape({ kind: 'capsule', a: radius, b: halfHeight, rotation });
  }

  static cuboid(halfExtents, rotation = UNTURNED) {
    return new Shape({ kind: 'cuboid', a: halfExtents.x, b: halfExtents.y, c: halfExtents.z, rotation });
  }

  get kind() {
    return this.spec.kind;
  }

  /** Half of the height of the box around an unturned shape. */
  get halfHeight() {
    const { kind, a, b } = this.spec;
    if (kind === 'sphere') return a;
    if (kind === 'capsule') return a + b;
    return b;
  }

  dispose() {
    this.raw.free();
  }
}

disposable(Shape);
