// Balls, event by event.
import { raw, view } from './raw.js';
import { ORIGIN, disposable, read } from './vector.js';

const MOTIONS = ['free', 'sliding', 'rolling', 'resting', 'pocketed'];

export class Table {
  constructor(options = {}) {
    const { flat = false, gravity: g = ORIGIN, restitution = 1, wallRestitution = 1, sliding = 0, rolling = 0 } = options;
    this.raw =
      options instanceof raw.RawTable
        ? options
        : new raw.RawTable(flat, g.x, g.y, g.z, restitution, wallRestitution, sliding, rolling);
    this.places = null;
    this.answer = null;
  }

  static pool() {
    return new Table(raw.RawTable.pool());
  }

  static marbles() {
    return new Table(raw.RawTable.marbles());
  }

  addBall({ position: p, velocity: v = ORIGIN, radius, mass = 1 }) {
    return this.raw.addBall(p.x, p.y, p.z, v.x, v.y, v.z, radius, mass);
  }

  addPlane(point, normal) {
    this.raw.addPlane(point.x, point.y, point.z, normal.x, normal.y, normal.z);
  }

  addSegment(a, b) {
    this.raw.addSegment(a.x, a.y, b.x, b.y);
  }

  addPocket(position, radius) {
    this.raw.addPocket(position.x, position.y, position.z ?? 0, radius);
  }

  addMesh(mesh) {
    this.raw.addMesh(mesh.raw);
  }

  advance(seconds, mostEvents = 1_000_000) {
    return this.raw.advance(seconds, mostEvents);
  }

  strike(ball, velocity) {
    this.raw.strike(ball, velocity.x, velocity.y, velocity.z ?? 0);
  }

  get time() {
    return this.raw.time;
  }

  get energy() {
    return this.raw.energy;
  }

  get count() {
    return this.raw.count;
  }

  get positions() {
    return (this.places = view(this.places, this.raw.positionsAddress(), 3 * this.count));
  }

  ball(number, target = { position: {}, velocity: {}, roll: {}, motion: 'free', radius: 0 }) {
    this.raw.ball(number);
    const numbers = (this.answer = view(this.answer, this.raw.answers(), 32));
    read(target.position, numbers, 0);
    read(target.velocity, numbers, 3);
    read(target.roll, numbers, 6);
    target.motion = MOTIONS[numbers[9]];
    target.radius = numbers[10];
    return target;
  }

  segments() {
    return this.raw.segments();
  }

  pockets() {
    return this.raw.pockets();
  }

  triangles() {
    return this.raw.triangles();
  }

  dispose() {
    this.raw.free();
  }
}

disposable(Table);
