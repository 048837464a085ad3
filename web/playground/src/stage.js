// The scene that is drawn: the level, the hero, machines, floor that was reached, alarms, ways.
import * as THREE from 'three';

const WALKABLE = new THREE.Color(0xcfc6b4);
const STEEP = new THREE.Color(0x8d99ab);
const UNDER = new THREE.Color(0x6d6470);
/** Floor is drawn in pieces of so many places. */
const PIECE = 8192;

export class Stage {
  constructor(canvas) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(0x1a2230);
    this.scene.fog = new THREE.Fog(0x1a2230, 60, 400);
    this.camera = new THREE.PerspectiveCamera(65, 1, 0.05, 2000);
    this.scene.add(new THREE.HemisphereLight(0xdfe9ff, 0x4a4440, 2.2));
    const sun = new THREE.DirectionalLight(0xfff2dd, 1.6);
    sun.position.set(0.4, 1, 0.25);
    this.scene.add(sun);
    this.hero = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshStandardMaterial({ color: 0x4fd1c5, roughness: 0.6 }));
    this.nose = new THREE.Mesh(new THREE.SphereGeometry(1, 12, 8), new THREE.MeshStandardMaterial({ color: 0x12303a }));
    this.hero.add(this.nose);
    this.hero.visible = false;
    this.level = null;
    this.machines = new THREE.Group();
    this.floor = new THREE.Group();
    this.marks = new THREE.Group();
    this.balls = new THREE.Group();
    this.scene.add(this.hero, this.machines, this.floor, this.marks, this.balls);
    this.bounds = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    this.target = new THREE.Vector3();
    this.turn = 0;
    this.isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.resize();
    addEventListener('resize', () => this.resize());
  }

  resize() {
    const { innerWidth: width, innerHeight: height } = window;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // The middle of what the panel leaves free.
    const panel = width > 720 ? 340 : 0;
    this.camera.setViewOffset(width, height, panel / 2, 0, width, height);
    this.camera.updateProjectionMatrix();
  }

  render() {
    this.renderer.render(this.scene, this.camera);
  }

  showLevel({ mesh }) {
    if (this.level) {
      this.scene.remove(this.level);
      this.level.geometry.dispose();
    }
    const [vertices, indices] = [mesh.vertices(), mesh.indices()];
    const soup = new Float32Array(3 * indices.length);
    for (let i = 0; i < indices.length; i += 1) {
      const at = 3 * indices[i];
      soup[3 * i] = vertices[at];
      soup[3 * i + 1] = vertices[at + 1];
      soup[3 * i + 2] = vertices[at + 2];
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(soup, 3));
    geometry.computeVertexNormals();
    const normals = geometry.getAttribute('normal').array;
    const colors = new Uint8Array(soup.length);
    for (let i = 0; i < soup.length; i += 3) {
      const up = normals[i + 1];
      const { r, g, b } = up > 0.7 ? WALKABLE : up < -0.3 ? UNDER : STEEP;
      colors[i] = 255 * r;
      colors[i + 1] = 255 * g;
      colors[i + 2] = 255 * b;
    }
    geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3, true));
    geometry.computeBoundingBox();
    this.bounds.copy(geometry.boundingBox);
    const material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 1, side: THREE.DoubleSide });
    this.level = new THREE.Mesh(geometry, material);
    this.scene.add(this.level);
    const size = this.bounds.getSize(new THREE.Vector3()).length();
    this.camera.far = Math.max(200, 3 * size);
    this.camera.near = Math.min(0.05, size / 2000);
    this.camera.updateProjectionMatrix();
    this.scene.fog.near = 0.8 * size;
    this.scene.fog.far = 3 * size;
    this.clearFloor();
    this.clearMarks();
  }

  showHero(shape) {
    this.hero.visible = shape !== null;
    if (!shape) return;
    this.hero.geometry.dispose();
    this.hero.geometry = geometryOf(shape.spec);
    const { a, b } = shape.spec;
    const deep = shape.spec.kind === 'ellipsoid' || shape.spec.kind === 'cuboid' ? shape.spec.c : a;
    this.nose.position.set(0, 0.45 * (shape.spec.kind === 'capsule' ? a + b : b), -0.85 * deep);
    this.nose.scale.setScalar(0.22 * a);
  }

  placeHero(position, yaw) {
    this.hero.position.copy(position);
    // A box does not turn: it is swept as it stands.
    this.nose.visible = true;
    this.hero.rotation.y = this.hero.geometry.type === 'BoxGeometry' ? 0 : yaw;
  }

  showMachines(machines) {
    this.machines.clear();
    for (const { half } of machines) {
      const geometry = new THREE.BoxGeometry(2 * half.x, 2 * half.y, 2 * half.z);
      this.machines.add(new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0xd98c5f })));
    }
  }

  placeMachines(machines) {
    machines.forEach(({ pose }, i) => {
      this.machines.children[i].position.copy(pose.position);
      this.machines.children[i].quaternion.copy(pose.rotation);
    });
  }

  lookFrom(eye, ahead) {
    this.camera.position.copy(eye);
    this.camera.lookAt(eye.x + ahead.x, eye.y + ahead.y, eye.z + ahead.z);
  }

  /** Slowly round the level, or from one side where motion is not wanted. */
  orbit(seconds) {
    if (!this.isStill) this.turn += 0.08 * seconds;
    const center = this.bounds.getCenter(this.target);
    const size = this.bounds.getSize(new THREE.Vector3());
    const far = 0.75 * Math.max(size.x, size.z, 1.5 * size.y) + 4;
    const eye = { x: center.x + far * Math.sin(this.turn), y: this.bounds.max.y + 0.45 * far, z: center.z + far * Math.cos(this.turn) };
    this.camera.position.copy(eye);
    this.camera.lookAt(center);
  }

  clearFloor() {
    for (const piece of this.floor.children) piece.dispose();
    this.floor.clear();
    this.piece = null;
  }

  /** Paints places: three numbers each, centers of bodies so high above the floor. */
  paintFloor(places, cell, halfHeight) {
    const matrix = new THREE.Matrix4();
    for (let i = 0; i < places.length; i += 3) {
      if (!this.piece || this.piece.count === PIECE) {
        const square = new THREE.PlaneGeometry(0.92 * cell, 0.92 * cell).rotateX(-Math.PI / 2);
        const paint = { color: 0x2fd0bd, transparent: true, opacity: 0.7, depthWrite: false };
        this.piece = new THREE.InstancedMesh(square, new THREE.MeshBasicMaterial(paint), PIECE);
        this.piece.count = 0;
        this.piece.frustumCulled = false;
        this.floor.add(this.piece);
      }
      matrix.makeTranslation(places[i], places[i + 1] - halfHeight + 0.08, places[i + 2]);
      this.piece.setMatrixAt(this.piece.count, matrix);
      this.piece.count += 1;
      this.piece.instanceMatrix.needsUpdate = true;
    }
  }

  clearMarks() {
    for (const mark of this.marks.children) mark.geometry.dispose();
    this.marks.clear();
  }

  /** A ball where something is wrong. */
  mark(position, color, radius = 0.25) {
    const ball = new THREE.Mesh(new THREE.SphereGeometry(radius, 16, 12), new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.8 }));
    ball.position.copy(position);
    this.marks.add(ball);
    return ball;
  }

  /** A way: three numbers a tick. */
  line(way, color) {
    const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(Float32Array.from(way), 3));
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color, depthTest: false, transparent: true }));
    this.marks.add(line);
    return line;
  }

  showBalls(group) {
    this.balls.clear();
    const isLevel = group === null;
    for (const part of [this.level, this.machines, this.floor, this.marks]) if (part) part.visible = isLevel;
    if (group) {
      this.hero.visible = false;
      this.balls.add(group);
    }
  }
}

/** The shape of a body, for drawing. */
export function geometryOf({ kind, a, b, c }) {
  if (kind === 'capsule') return new THREE.CapsuleGeometry(a, 2 * b, 8, 24);
  if (kind === 'cuboid') return new THREE.BoxGeometry(2 * a, 2 * b, 2 * c);
  if (kind === 'sphere') return new THREE.SphereGeometry(a, 24, 16);
  return new THREE.SphereGeometry(1, 32, 20).scale(a, b, c);
}
