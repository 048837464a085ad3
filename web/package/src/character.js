// Characters: one by itself, or many that see each other.
import { raw, view } from './raw.js';
import { ORIGIN, disposable, read } from './vector.js';
import { events } from './why.js';

const OUTCOMES = ['moved', 'blocked', 'crushed', 'recovered', 'refused'];
const IDLE = Object.freeze({});

/** Settings as the module takes them: NaN is as it was. */
function numbers(settings) {
  const { up, gravity, collidesWith } = settings;
  const flag = (value) => (value === undefined ? NaN : Number(value));
  const fall = typeof gravity === 'number' ? { x: 0, y: -gravity, z: 0 } : gravity;
  return new Float64Array([
    up?.x ?? NaN, up?.y ?? NaN, up?.z ?? NaN,
    fall?.x ?? NaN, fall?.y ?? NaN, fall?.z ?? NaN,
    settings.skin ?? NaN,
    settings.stepHeight ?? NaN,
    settings.maxSlopeDegrees ?? NaN,
    settings.snapDistance ?? NaN,
    settings.airControl ?? NaN,
    settings.friction ?? NaN,
    flag(settings.inheritPlatformVelocity),
    flag(settings.combinedGravity),
    flag(settings.airSteps),
    settings.pushForce ?? NaN,
    settings.escapeSpeed ?? NaN,
    collidesWith === undefined ? NaN : collidesWith >>> 0,
  ]);
}

function newReport() {
  return {
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
    grounded: false,
    groundNormal: { x: 0, y: 0, z: 0 },
    groundBody: null,
    stepped: 0,
    outcome: 'moved',
    yaw: 0,
    sweeps: 0,
    contacts: 0,
  };
}

export class Crowd {
  constructor() {
    this.raw = new raw.RawCrowd();
    this.count = 0;
    this.answer = null;
    this.places = null;
    this.world = null;
  }

  add(shape, settings = {}) {
    const { x, y, z } = settings.position ?? ORIGIN;
    const number = this.raw.add(shape.raw, numbers(settings), x, y, z);
    this.count += 1;
    return number;
  }

  setSettings(number, settings) {
    this.raw.setSettings(number, numbers(settings));
  }

  setInput(number, velocity, jump = NaN) {
    if (velocity == null) this.raw.setInput(number, NaN, NaN, NaN, jump);
    else this.raw.setInput(number, velocity.x, velocity.y, velocity.z, jump);
  }

  setInputs(inputs) {
    this.raw.setInputs(inputs);
  }

  step(world, seconds) {
    this.world = world;
    this.raw.step(world.raw, seconds);
  }

  get positions() {
    return (this.places = view(this.places, this.raw.positionsAddress(), 3 * this.count));
  }

  report(number, target = newReport()) {
    this.raw.report(number);
    const from = (this.answer = view(this.answer, this.raw.answers(), 32));
    read(target.position, from, 0);
    read(target.velocity, from, 3);
    target.grounded = from[6] === 1;
    read(target.groundNormal, from, 7);
    target.groundBody = from[10] < 0 ? null : (this.world?.bodies[from[10]] ?? null);
    target.stepped = from[11];
    target.outcome = OUTCOMES[from[12]];
    target.yaw = from[13];
    target.sweeps = from[14];
    target.contacts = from[15];
    return target;
  }

  contacts(number) {
    return chunks(this.raw.contacts(number), 9, (all, at) => ({
      point: read({}, all, at),
      normal: read({}, all, at + 3),
      gap: all[at + 6],
      body: this.world?.bodies[all[at + 7]] ?? null,
      part: all[at + 8],
    }));
  }

  pushes(number) {
    return chunks(this.raw.pushes(number), 7, (all, at) => ({
      body: this.world?.bodies[all[at]] ?? null,
      point: read({}, all, at + 1),
      impulse: read({}, all, at + 4),
    }));
  }

  setTraced(number, isTraced) {
    this.raw.setTraced(number, isTraced);
  }

  trace(number) {
    return events(this.raw.trace(number));
  }

  teleport(number, position) {
    this.raw.teleport(number, position.x, position.y, position.z);
  }

  launch(number, velocity) {
    this.raw.launch(number, velocity.x, velocity.y, velocity.z);
  }

  resize(world, number, shape) {
    return this.raw.resize(world.raw, number, shape.raw);
  }

  save(number, slot) {
    this.raw.save(number, slot);
  }

  restore(number, slot) {
    this.raw.restore(number, slot);
  }

  dispose() {
    this.raw.free();
  }
}

export class Character {
  constructor(shape, settings = {}) {
    this.crowd = new Crowd();
    this.crowd.add(shape, settings);
    /** What the last tick came to: the same object all the time. */
    this.report = this.crowd.report(0);
  }

  get position() {
    return this.report.position;
  }

  get velocity() {
    return this.report.velocity;
  }

  step(world, input = IDLE, seconds = 1 / 60) {
    this.crowd.setInput(0, input.velocity, input.jump);
    this.crowd.step(world, seconds);
    return this.crowd.report(0, this.report);
  }

  setSettings(settings) {
    this.crowd.setSettings(0, settings);
  }

  contacts() {
    return this.crowd.contacts(0);
  }

  pushes() {
    return this.crowd.pushes(0);
  }

  set traced(isTraced) {
    this.crowd.setTraced(0, isTraced);
  }

  trace() {
    return this.crowd.trace(0);
  }

  teleport(position) {
    this.crowd.teleport(0, position);
    this.crowd.report(0, this.report);
  }

  launch(velocity) {
    this.crowd.launch(0, velocity);
    this.crowd.report(0, this.report);
  }

  resize(world, shape) {
    const fits = this.crowd.resize(world, 0, shape);
    this.crowd.report(0, this.report);
    return fits;
  }

  save(slot) {
    this.crowd.save(0, slot);
  }

  restore(slot) {
    this.crowd.restore(0, slot);
    this.crowd.report(0, this.report);
  }

  dispose() {
    this.crowd.dispose();
  }
}

function chunks(numbers, size, make) {
  return Array.from({ length: numbers.length / size }, (_, i) => make(numbers, size * i));
}

disposable(Crowd, Character);
