// Pool and marbles: tables that go from event to event.
import { Table } from 'carom';
import * as THREE from 'three';
import { say } from './messages.js';

const LENGTH = 2.54;
const WIDTH = 1.27;
const COLORS = [0xf5f1e6, 0xf2c230, 0x2f57c4, 0xd8402f, 0x5b3a91, 0xe8802a, 0x2a8f4a, 0x8a2b30, 0x1a1a1a, 0xf2d877, 0x6d8be0, 0xe78478, 0x937ab8, 0xf0b27c, 0x7cc493, 0xbb7277];
const element = (id) => document.getElementById(id);

export class Balls {
  constructor(stage, canvas) {
    this.stage = stage;
    this.canvas = canvas;
    this.kind = 'pool';
    this.table = null;
    this.aim = 0;
    this.power = 9;
    this.events = 0;
    element('ball-scene').addEventListener('change', ({ target }) => this.open(target.value));
    element('again').addEventListener('click', () => this.open(this.kind));
    element('shoot').addEventListener('click', () => this.shoot());
    element('aim').addEventListener('input', ({ target }) => this.setAim(Number(target.value)));
    element('power').addEventListener('input', ({ target }) => {
      this.power = Number(target.value);
      target.nextElementSibling.textContent = target.value;
    });
    canvas.addEventListener('pointermove', (event) => {
      if (this.isOpen && this.kind === 'pool' && (event.buttons === 1 || event.pointerType === 'mouse')) this.aimAt(event);
    });
    canvas.addEventListener('dblclick', () => this.isOpen && this.kind === 'pool' && this.shoot());
  }

  get isOpen() {
    return document.body.dataset.mode === 'balls';
  }

  enter() {
    this.open(this.kind);
  }

  leave() {
    this.table?.dispose();
    this.table = null;
    this.stage.showBalls(null);
  }

  open(kind) {
    this.kind = kind;
    this.table?.dispose();
    this.events = 0;
    this.cost = 0;
    element('cue').hidden = kind !== 'pool';
    this.table = kind === 'pool' ? Table.pool() : Table.marbles();
    const group = new THREE.Group();
    this.radii = Array.from({ length: this.table.count }, (_, i) => this.table.ball(i).radius);
    const sphere = new THREE.SphereGeometry(1, 20, 14);
    this.spheres = new THREE.InstancedMesh(sphere, new THREE.MeshStandardMaterial({ roughness: 0.35 }), this.table.count);
    this.spheres.frustumCulled = false;
    for (let i = 0; i < this.table.count; i += 1) {
      const color = kind === 'pool' ? new THREE.Color(COLORS[i % 16]) : new THREE.Color().setHSL((i % 89) / 89, 0.6, 0.55);
      this.spheres.setColorAt(i, color);
    }
    group.add(this.spheres, kind === 'pool' ? this.poolTable() : this.slope());
    this.stage.showBalls(group);
    this.place();
    if (kind === 'pool') this.setAim(Number(element('aim').value));
  }

  /** The table lies in x and y; the page has y up: z is −y. */
  poolTable() {
    const group = new THREE.Group();
    const cloth = new THREE.Mesh(new THREE.PlaneGeometry(LENGTH + 0.02, WIDTH + 0.02), new THREE.MeshStandardMaterial({ color: 0x1f6b52, roughness: 1 }));
    cloth.rotation.x = -Math.PI / 2;
    cloth.position.set(LENGTH / 2, -0.03, -WIDTH / 2);
    const frame = new THREE.Mesh(new THREE.BoxGeometry(LENGTH + 0.36, 0.08, WIDTH + 0.36), new THREE.MeshStandardMaterial({ color: 0x4a2f22 }));
    frame.position.set(LENGTH / 2, -0.075, -WIDTH / 2);
    group.add(cloth, frame);
    const [segments, pockets] = [this.table.segments(), this.table.pockets()];
    const rail = new THREE.MeshStandardMaterial({ color: 0x2f8c6c });
    for (let i = 0; i < segments.length; i += 4) {
      const [ax, ay, bx, by] = segments.slice(i, i + 4);
      const bar = new THREE.Mesh(new THREE.BoxGeometry(Math.hypot(bx - ax, by - ay), 0.05, 0.012), rail);
      bar.position.set((ax + bx) / 2, 0, -(ay + by) / 2);
      bar.rotation.y = Math.atan2(by - ay, bx - ax);
      group.add(bar);
    }
    for (let i = 0; i < pockets.length; i += 3) {
      const hole = new THREE.Mesh(new THREE.CircleGeometry(pockets[i + 2], 32).rotateX(-Math.PI / 2), new THREE.MeshBasicMaterial({ color: 0x05070a }));
      hole.position.set(pockets[i], -0.028, -pockets[i + 1]);
      group.add(hole);
    }
    const line = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(0.8, 0, 0)]);
    this.cue = new THREE.Line(line, new THREE.LineBasicMaterial({ color: 0xffffff }));
    group.add(this.cue);
    const tall = innerHeight > innerWidth;
    this.view = { eye: tall ? [LENGTH / 2, 5.2, -WIDTH / 2 + 0.01] : [LENGTH / 2, 1.75, 0.75], at: [LENGTH / 2, 0, -WIDTH / 2] };
    return group;
  }

  slope() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.table.triangles(), 3));
    geometry.computeVertexNormals();
    this.view = { eye: [46, 8, 58], at: [20, -12, 20] };
    return new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0x9c9485, side: THREE.DoubleSide, flatShading: true }));
  }

  setAim(degrees) {
    this.aim = (degrees * Math.PI) / 180;
    element('aim').value = degrees;
    element('aim').nextElementSibling.textContent = degrees.toFixed(0);
  }

  aimAt({ clientX, clientY }) {
    const place = new THREE.Vector2((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(place, this.stage.camera);
    const { origin, direction } = ray.ray;
    if (direction.y > -1e-6) return;
    const t = -origin.y / direction.y;
    const { position: p } = this.table.ball(0);
    const x = origin.x + t * direction.x - p.x;
    const y = -(origin.z + t * direction.z) - p.y;
    if (Math.hypot(x, y) > 0.02) this.setAim((Math.atan2(y, x) * 180) / Math.PI);
  }

  shoot() {
    const cue = this.table.ball(0);
    if (cue.motion === 'pocketed') {
      say('The cue ball is in a pocket: start over.');
      return;
    }
    this.table.strike(0, { x: this.power * Math.cos(this.aim), y: this.power * Math.sin(this.aim) });
  }

  place() {
    const matrix = new THREE.Matrix4();
    const { positions } = this.table;
    const isPool = this.kind === 'pool';
    for (let i = 0; i < this.radii.length; i += 1) {
      const radius = this.radii[i];
      const [x, y, z] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
      const isGone = isPool && this.table.ball(i).motion === 'pocketed';
      matrix.makeScale(radius, radius, radius);
      if (isPool) matrix.setPosition(x, isGone ? -1 : 0, -y);
      else matrix.setPosition(x, y, z);
      this.spheres.setMatrixAt(i, matrix);
    }
    this.spheres.instanceMatrix.needsUpdate = true;
    if (this.spheres.instanceColor) this.spheres.instanceColor.needsUpdate = true;
  }

  frame(seconds) {
    const { camera } = this.stage;
    camera.position.set(...this.view.eye);
    camera.lookAt(...this.view.at);
    const started = performance.now();
    this.events += this.table.advance(Math.min(seconds, 1 / 30), 20_000);
    this.cost += 0.1 * (performance.now() - started - this.cost);
    this.place();
    if (this.kind === 'pool') {
      const { position: p, motion } = this.table.ball(0);
      this.cue.visible = motion !== 'pocketed';
      this.cue.position.set(p.x, 0, -p.y);
      this.cue.rotation.y = this.aim;
    }
    element('ball-state').textContent = `${this.table.time.toFixed(1)} s, ${this.events.toLocaleString('en')} events, ${this.cost.toFixed(2)} ms a frame`;
  }
}
