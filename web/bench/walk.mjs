// A walk in the courtyard with a capsule, by three libraries: the same ways, the same body, the same triangles.
import RAPIER from '@dimforge/rapier3d-compat';
import { Body, Character, Mesh, Shape, World } from 'carom';
import * as THREE from 'three';
import { MeshBVH } from 'three-mesh-bvh';

export const RADIUS = 0.4;
export const HALF = 0.5;
const DT = 1 / 60;

/** The wishes, two numbers each: a new one every half second. `tick.rs` draws the same. */
export function wishes(ticks) {
  let seed = 1;
  const draw = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const list = new Float64Array(2 * Math.ceil(ticks / 30));
  for (let i = 0; i < list.length; i += 1) list[i] = 5 * (2 * draw() - 1);
  return list;
}

export async function level() {
  const mesh = await Mesh.builtIn('courtyard-whole');
  const [spawn] = mesh.spawns();
  return { mesh, vertices: mesh.vertices(), indices: mesh.indices(), start: { ...spawn, y: spawn.y + 0.01 } };
}

/** Each gives a function that makes one tick and returns the center. */
export const walkers = {
  async carom({ mesh, start }) {
    const world = new World();
    world.add(Body.fixed(mesh));
    const hero = new Character(Shape.capsule(RADIUS, HALF), { position: start });
    const input = { velocity: { x: 0, y: 0, z: 0 } };
    return (x, z) => {
      input.velocity.x = x;
      input.velocity.z = z;
      return hero.step(world, input, DT).position;
    };
  },

  async rapier({ vertices, indices, start }) {
    await RAPIER.init();
    const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
    world.timestep = DT;
    world.createCollider(RAPIER.ColliderDesc.trimesh(vertices, indices));
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(start.x, start.y, start.z));
    const capsule = world.createCollider(RAPIER.ColliderDesc.capsule(HALF, RADIUS), body);
    const control = world.createCharacterController(0.01);
    control.enableAutostep(0.4, 0.2, false);
    control.enableSnapToGround(0.4);
    control.setMaxSlopeClimbAngle(Math.PI / 4);
    control.setMinSlopeSlideAngle(Math.PI / 4);
    world.step();
    let fall = 0;
    return (x, z) => {
      fall = control.computedGrounded() ? 0 : fall - 9.81 * DT;
      control.computeColliderMovement(capsule, { x: x * DT, y: (fall - 9.81 * DT) * DT, z: z * DT });
      const way = control.computedMovement();
      const at = body.translation();
      const next = { x: at.x + way.x, y: at.y + way.y, z: at.z + way.z };
      body.setNextKinematicTranslation(next);
      world.step();
      return next;
    };
  },

  /** Five times a frame: move, then push the capsule out of every triangle that it reaches into. */
  async threeMeshBvh({ vertices, indices, start }) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(vertices.slice(), 3));
    geometry.setIndex(new THREE.BufferAttribute(indices.slice(), 1));
    const bvh = new MeshBVH(geometry);
    const segment = new THREE.Line3();
    const box = new THREE.Box3();
    const [onTriangle, onSegment, push] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const center = new THREE.Vector3().copy(start);
    let [fall, isOnGround] = [0, false];
    return (x, z) => {
      for (let i = 0; i < 5; i += 1) {
        const dt = DT / 5;
        fall = isOnGround ? -9.81 * dt : fall - 9.81 * dt;
        center.x += x * dt;
        center.y += fall * dt;
        center.z += z * dt;
        segment.start.set(center.x, center.y + HALF, center.z);
        segment.end.set(center.x, center.y - HALF, center.z);
        const before = push.copy(segment.start).clone();
        box.makeEmpty().expandByPoint(segment.start).expandByPoint(segment.end).expandByScalar(RADIUS);
        bvh.shapecast({
          intersectsBounds: (bounds) => bounds.intersectsBox(box),
          intersectsTriangle: (triangle) => {
            const distance = triangle.closestPointToSegment(segment, onTriangle, onSegment);
            if (distance >= RADIUS) return;
            push.subVectors(onSegment, onTriangle).normalize();
            segment.start.addScaledVector(push, RADIUS - distance);
            segment.end.addScaledVector(push, RADIUS - distance);
          },
        });
        push.subVectors(segment.start, before);
        isOnGround = push.y > Math.abs(0.25 * dt * fall);
        center.add(push);
      }
      return center;
    };
  },
};

/** How deep a capsule at a place is in the level, in meters: by how much smaller it must be not to overlap. */
export function depthGauge(mesh) {
  const world = new World();
  world.add(Body.fixed(mesh));
  const steps = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.39];
  const shapes = steps.map((less) => Shape.capsule(RADIUS - less, HALF));
  return (place) => {
    let depth = 0;
    for (let i = 0; i < steps.length && world.overlaps(shapes[i], place).length > 0; i += 1) depth = steps[i];
    return depth;
  };
}
