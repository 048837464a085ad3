// Bodies, casts and ticks.
import { coded, raw, view } from './raw.js';
import { Mesh } from './mesh.js';
import { Shape } from './shape.js';
import { ORIGIN, UNTURNED, disposable, read, readTurn } from './vector.js';

const ALL = 0xffffffff;
const FEATURES = ['face', 'edge', 'vertex'];
const HIT = 11;
const NO_OPTIONS = Object.freeze({});

export class Body {
  constructor(collider, mass, options) {
    this.collider = collider;
    this.mass = mass;
    this.options = options;
    this.world = null;
    this.id = -1;
  }

  static fixed(collider, options = NO_OPTIONS) {
    return new Body(collider, NaN, options);
  }

  static kinematic(collider, options = NO_OPTIONS) {
    return new Body(collider, 0, options);
  }

  static dynamic(collider, mass, options = NO_OPTIONS) {
    if (!(mass > 0)) throw coded('BAD_VALUE', `a mass is greater than 0, not ${mass}`);
    return new Body(collider, mass, options);
  }

  /** Puts it elsewhere at once. */
  setPose(position, rotation = UNTURNED, scale = 1) {
    const [p, q] = [position, rotation];
    this.home.setPose(this.id, p.x, p.y, p.z, q.x, q.y, q.z, q.w, scale);
  }

  /** Sends it on its way through the next tick, by velocities. */
  drive(linear, angular = ORIGIN) {
    this.home.drive(this.id, linear.x, linear.y, linear.z, angular.x, angular.y, angular.z);
  }

  /** Sends it on its way through the next tick, to a pose. */
  moveTo(position, rotation = UNTURNED) {
    const [p, q] = [position, rotation];
    this.home.moveTo(this.id, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
  }

  pose(target = { position: {}, rotation: {}, scale: 1 }) {
    this.home.pose(this.id);
    const numbers = this.world.numbers();
    read(target.position, numbers, 0);
    readTurn(target.rotation, numbers, 3);
    target.scale = numbers[7];
    return target;
  }

  remove() {
    this.home.remove(this.id);
    this.world.bodies[this.id] = undefined;
    this.world = null;
    this.id = -1;
  }

  /** @private */
  get home() {
    if (this.world === null) throw coded('NO_SUCH_OBJECT', 'this body is in no world: add it first');
    return this.world.raw;
  }
}

export class World {
  constructor() {
    this.raw = new raw.RawWorld();
    this.ray = new raw.RawShape(0, 0, 0, 0, 0, 0, 0, 1);
    this.bodies = [];
    this.answer = null;
    this.queries = null;
    this.hits = null;
  }

  add(body) {
    if (body.world !== null) throw coded('BAD_VALUE', 'this body is in a world already');
    const { position: p = ORIGIN, rotation: q = UNTURNED, scale = 1, layers = 1 } = body.options;
    const place = [p.x, p.y, p.z, q.x, q.y, q.z, q.w, scale, layers];
    const isMesh = body.collider instanceof Mesh;
    if (!isMesh && !(body.collider instanceof Shape)) {
      throw coded('BAD_VALUE', 'a collider is a Shape or a Mesh (await Mesh.fromFile and Mesh.builtIn)');
    }
    const add = isMesh ? 'addMesh' : 'addShape';
    body.id = this.raw[add](body.collider.raw, body.mass, ...place);
    body.world = this;
    this.bodies[body.id] = body;
    return body;
  }

  advance(seconds) {
    this.raw.advance(seconds);
  }

  raycast(from, translation, options = NO_OPTIONS, target = newHit()) {
    return this.sweep(this.ray, from, translation, options, target);
  }

  cast(shape, from, translation, options = NO_OPTIONS, target = newHit()) {
    return this.sweep(shape.raw, from, translation, options, target);
  }

  /** @private */
  sweep(shape, from, way, { layers = ALL, exclude = null }, target) {
    const id = exclude === null ? -1 : exclude.id;
    if (!this.raw.cast(shape, from.x, from.y, from.z, way.x, way.y, way.z, layers, id)) return null;
    const numbers = this.numbers();
    target.fraction = numbers[0];
    read(target.point, numbers, 1);
    read(target.normal, numbers, 4);
    target.body = this.bodies[numbers[7]] ?? null;
    target.part = numbers[8];
    target.feature = FEATURES[numbers[9]];
    target.startOverlap = numbers[10] === 1;
    return target;
  }

  /** Six numbers a cast in, eleven out: see the types. */
  castMany(shape, queries, hits, options = NO_OPTIONS) {
    const count = queries.length / 6;
    if (!Number.isInteger(count)) throw coded('BAD_VALUE', 'a cast is six numbers: from x, y, z, translation x, y, z');
    if (hits.length !== HIT * count) throw coded('BAD_VALUE', `hits need ${HIT} numbers a cast: ${HIT * count}`);
    this.queries = view(this.queries, this.raw.queriesAddress(count), 6 * count);
    this.queries.set(queries);
    const address = this.raw.castMany(shape.raw, options.layers ?? ALL);
    this.hits = view(this.hits, address, HIT * count);
    hits.set(this.hits);
    return hits;
  }

  overlaps(shape, position, options = NO_OPTIONS) {
    const { x, y, z } = position;
    return Array.from(this.raw.overlaps(shape.raw, x, y, z, options.layers ?? ALL), (id) => this.bodies[id]);
  }

  closest(shape, position, distance, options = NO_OPTIONS) {
    const { x, y, z } = position;
    if (!this.raw.closest(shape.raw, x, y, z, distance, options.layers ?? ALL)) return null;
    const numbers = this.numbers();
    return { distance: numbers[0], point: read({}, numbers, 1), body: this.bodies[numbers[4]], part: numbers[5] };
  }

  dispose() {
    this.ray.free();
    this.raw.free();
  }

  /** @private */
  numbers() {
    return (this.answer = view(this.answer, this.raw.answers(), 32));
  }
}

function newHit() {
  const point = { x: 0, y: 0, z: 0 };
  const normal = { x: 0, y: 0, z: 0 };
  return { fraction: 1, point, normal, body: null, part: 0, feature: 'face', startOverlap: false };
}

disposable(World);
