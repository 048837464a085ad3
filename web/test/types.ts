// Compiled, never run: the types hold together, and with those of three.js.
import * as THREE from 'three';
import { Body, Character, Crowd, Keyframes, Mesh, Shape, Table, World, init, why } from '../package/dist/index.js';
import { init as initInline } from '../package/dist/inline.js';
import { explore, presets, type Exploration } from '../package/dist/explore.js';

export async function all(bytes: ArrayBuffer): Promise<Exploration> {
  await init();
  await initInline();
  const mesh = await Mesh.fromFile(bytes, 'level.glb', { up: 'z', scale: 0.01 });
  const world = new World();
  const level = world.add(Body.fixed(mesh, { position: new THREE.Vector3(), rotation: new THREE.Quaternion() }));
  const hero = new Character(Shape.capsule(0.4, 0.5), { position: new THREE.Vector3(0, 2, 0), stepHeight: 0.4 });
  const report = hero.step(world, { velocity: new THREE.Vector3(1, 0, 0), jump: 4 }, 1 / 60);
  new THREE.Object3D().position.copy(report.position);
  const hit = world.raycast(hero.position, { x: 0, y: -9, z: 0 }, { exclude: level });
  if (hit !== null) console.log(hit.body?.id, hit.feature === 'edge', why(hero.trace()));
  const hits: Float64Array = world.castMany(Shape.point(), new Float64Array(6), new Float64Array(11));
  const crowd = new Crowd();
  crowd.setInput(crowd.add(Shape.sphere(0.4)), null);
  crowd.step(world, 1 / 60);
  const pose = new Keyframes([{ time: 0 }, { time: 1, position: { x: 1, y: 0, z: 0 } }], { repeat: true }).poseAt(0.5, { position: new THREE.Vector3(), rotation: new THREE.Quaternion() });
  console.log(hits.length, crowd.positions[0], pose.rotation.w, Table.pool().advance(1), presets[0]!.name);
  using table = new Table({ flat: true, gravity: { x: 0, y: 0, z: 0 } });
  table.addBall({ position: { x: 0, y: 0, z: 0 }, radius: 1 });
  // @ts-expect-error a shape is no mesh
  await explore(Shape.sphere(1));
  return explore(mesh, { preset: 'quake' }, { onProgress: ({ done, expected }) => console.log(done / expected) });
}
