// Walking: a world, a character, ticks of a sixtieth, and all that can be done with time.
import { Body, Character, Keyframes, Shape, World, why } from 'carom';
import { ChaseCamera } from './camera.js';
import { download, say, showError } from './messages.js';
import { Overlay } from './overlay.js';
import { sceneOf } from './scene.js';
import { findSpawn } from './spawn.js';

export const TICK = 1 / 60;
/** Ten seconds of states. */
const KEPT = 600;
/** Below this a tick has fallen out of the world, in meters below its lowest point. */
const ABYSS = 10;
const element = (id) => document.getElementById(id);

export class Walk {
  constructor(stage, controls, panel) {
    this.stage = stage;
    this.controls = controls;
    this.panel = panel;
    this.camera = new ChaseCamera(stage);
    this.overlay = new Overlay(stage);
    this.character = null;
    this.tempo = 1;
    this.isPaused = false;
    this.isRewinding = false;
    this.velocity = { x: 0, y: 0, z: 0 };
    this.input = { velocity: this.velocity, jump: NaN };
    /** Milliseconds that a tick takes, smoothed. */
    this.cost = 0;
    this.listen();
  }

  listen() {
    const press = (id, run) => element(id).addEventListener('click', run);
    press('pause', () => this.pause(!this.isPaused));
    press('single', () => this.single());
    press('respawn', () => this.respawn());
    press('save-scene', () => this.saveScene());
    const rewind = element('rewind');
    for (const start of ['pointerdown', 'keydown']) {
      rewind.addEventListener(start, ({ code }) => {
        if (!code || code === 'Space' || code === 'Enter') this.isRewinding = true;
      });
    }
    for (const end of ['pointerup', 'pointerleave', 'keyup', 'blur']) {
      rewind.addEventListener(end, () => {
        this.isRewinding = false;
      });
    }
    element('tempo').addEventListener('input', ({ target }) => {
      this.tempo = Number(target.value);
      element('tempo').nextElementSibling.textContent = target.value;
    });
    element('first-person').addEventListener('change', ({ target }) => {
      this.camera.isFirst = target.checked;
    });
    element('overlay').addEventListener('change', ({ target }) => this.setOverlay(target.checked));
  }

  /** A level, its machines, and a place to begin. */
  setLevel(level) {
    this.dispose();
    this.level = level;
    this.world = new World();
    this.world.add(Body.fixed(level.mesh));
    this.machines = level.movers.map((mover) => {
      const frames = new Keyframes(mover.frames, { repeat: true });
      const pose = frames.poseAt(0);
      const shape = Shape.cuboid(mover.half);
      const body = this.world.add(Body.kinematic(shape, pose));
      return { ...mover, keyframes: frames, body, pose, shape };
    });
    this.stage.showMachines(this.machines);
    this.names = ['the level', ...this.machines.map((mover) => `the ${mover.name}`)];
    this.makeBody();
  }

  makeBody() {
    this.shape = this.panel.shape();
    this.spawn = findSpawn(this.world, this.shape, this.level, this.stage.bounds);
    this.character?.dispose();
    if (!this.spawn) {
      this.character = null;
      this.stage.showHero(null);
      showError(new Error(`${this.level.name} has no floor where this body could stand: check the axis that is up and the units, or make the body smaller.`));
      return;
    }
    this.character = new Character(this.shape, { ...this.panel.settings(), position: this.spawn });
    this.character.traced = this.overlay.isShown;
    this.stage.showHero(this.shape);
    this.restart();
  }

  /** From the spawn, and from the first tick. */
  restart() {
    this.tick = 0;
    this.oldest = 0;
    this.debt = 0;
    this.record = [];
    this.isRecordWhole = true;
    this.placeMachines();
    this.character.save(0);
    this.camera.jumpTo(this.character.position);
    this.controls.yaw = this.level.yaw ?? this.controls.yaw;
  }

  respawn() {
    if (!this.level) return;
    if (!this.character) {
      this.makeBody();
      return;
    }
    this.character.dispose();
    this.character = new Character(this.shape, { ...this.panel.settings(), position: this.spawn });
    this.character.traced = this.overlay.isShown;
    this.restart();
  }

  applyPanel() {
    if (!this.world) return;
    const wanted = JSON.stringify(this.panel.shape().spec);
    if (!this.character || wanted !== JSON.stringify(this.shape.spec)) {
      const shape = this.panel.shape();
      const fits = this.character?.resize(this.world, shape);
      if (!fits) {
        this.makeBody();
        return;
      }
      this.shape = shape;
      this.stage.showHero(shape);
    }
    this.character.setSettings(this.panel.settings());
    // A scene has one body and one set of settings: what was recorded with others does not replay.
    if (this.tick > 0) this.isRecordWhole = false;
    else this.respawn();
  }

  pause(isPaused) {
    this.isPaused = isPaused;
    element('pause').setAttribute('aria-pressed', String(isPaused));
  }

  single() {
    this.pause(true);
    if (this.character) this.step();
  }

  setOverlay(isShown) {
    element('overlay').checked = isShown;
    this.overlay.show(isShown);
    if (this.character) this.character.traced = isShown;
    if (!isShown) element('why').textContent = '';
  }

  enter() {
    this.stage.showBalls(null);
    if (this.character) this.stage.showHero(this.shape);
  }

  leave() {
    document.exitPointerLock?.();
  }

  frame(seconds) {
    this.controls.update(seconds);
    for (const code of this.controls.take()) this.key(code);
    if (!this.character) {
      this.stage.orbit(seconds);
      return;
    }
    const isBack = this.isRewinding || this.controls.keys.has('KeyR');
    if (isBack) this.rewind(Math.max(1, Math.round(seconds / TICK)));
    else if (!this.isPaused) this.run(seconds * this.tempo);
    const { position } = this.character;
    this.stage.placeHero(position, this.controls.yaw);
    this.camera.follow(this, seconds);
    this.overlay.draw(this.character, this.shape);
    this.tell();
  }

  run(seconds) {
    this.debt = Math.min(this.debt + seconds, 6 * TICK);
    while (this.debt >= TICK) {
      this.debt -= TICK;
      this.step();
    }
  }

  /** One tick. */
  step() {
    const { speed, jump } = this.panel.values;
    const [right, ahead] = this.controls.move();
    const [sin, cos] = [Math.sin(this.controls.yaw), Math.cos(this.controls.yaw)];
    this.velocity.x = speed * (-sin * ahead + cos * right);
    this.velocity.z = speed * (-cos * ahead - sin * right);
    this.input.jump = this.controls.jumps && jump > 0 ? jump : NaN;
    this.stepWith(this.input);
  }

  /** One tick with an input of one's own. */
  stepWith(input) {
    const { world, character } = this;
    const started = performance.now();
    const end = (this.tick + 1) * TICK;
    for (const machine of this.machines) {
      const { position, rotation } = machine.keyframes.poseAt(end, machine.pose);
      machine.body.moveTo(position, rotation);
    }
    if (this.machines.length > 0) world.advance(TICK);
    const { velocity, jump } = input;
    if (this.record.length < 36_000) this.record.push(velocity.x, velocity.y, velocity.z, jump);
    character.step(world, input, TICK);
    this.tick += 1;
    character.save(this.tick % KEPT);
    this.oldest = Math.max(this.oldest, this.tick - KEPT + 1);
    this.cost += 0.05 * (performance.now() - started - this.cost);
    this.stage.placeMachines(this.machines);
    this.camera.smooth(character.report.stepped);
    if (this.overlay.isShown) this.explainStop();
    if (character.position.y < this.stage.bounds.min.y - ABYSS) {
      say('Fallen out of the level: back to the spawn.');
      this.respawn();
    }
  }

  explainStop() {
    const said = why(this.character.trace(), (body) => this.names[body] ?? `body ${body}`);
    element('why').textContent = said;
  }

  rewind(ticks) {
    const to = Math.max(this.oldest, this.tick - ticks);
    if (to === this.tick) return;
    this.tick = to;
    this.character.restore(to % KEPT);
    this.record.length = Math.min(this.record.length, 4 * to);
    this.placeMachines();
  }

  /** All machines where they are at this tick, at rest. */
  placeMachines() {
    for (const machine of this.machines) {
      const { position, rotation } = machine.keyframes.poseAt(this.tick * TICK, machine.pose);
      machine.body.setPose(position, rotation);
    }
    this.stage.placeMachines(this.machines);
  }

  key(code) {
    if (code === 'KeyV') {
      this.camera.isFirst = !this.camera.isFirst;
      element('first-person').checked = this.camera.isFirst;
    } else if (code === 'KeyO') this.setOverlay(!this.overlay.isShown);
    else if (code === 'KeyP') this.pause(!this.isPaused);
    else if (code === 'KeyN') this.single();
    else if (code === 'Backspace') this.respawn();
  }

  tell() {
    const { position: p, velocity: v, grounded, outcome } = this.character.report;
    const number = (x) => x.toFixed(2);
    const speed = Math.hypot(v.x, v.z).toFixed(1);
    const ground = grounded ? 'on ground' : 'in the air';
    const odd = outcome === 'moved' ? '' : `, ${outcome}`;
    say(`${number(p.x)}, ${number(p.y)}, ${number(p.z)} m · ${speed} m/s · ${ground}${odd} · tick ${this.tick}: ${this.cost.toFixed(2)} ms`);
  }

  /** The walk since the spawn, for `carom walk`. */
  scene() {
    if (!this.isRecordWhole) throw new Error('The body changed during this walk. Respawn, and the walk from then on can be saved.');
    if (!this.character || this.tick === 0) throw new Error('There is no walk yet.');
    return sceneOf(this, TICK);
  }

  saveScene() {
    try {
      download('walk.json', JSON.stringify(this.scene()), 'application/json');
    } catch (error) {
      showError(error);
    }
  }

  dispose() {
    this.character?.dispose();
    this.character = null;
    for (const machine of this.machines ?? []) machine.keyframes.dispose();
    this.world?.dispose();
    this.world = null;
  }
}
