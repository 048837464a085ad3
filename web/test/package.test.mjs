// The package in Node: every class, errors, memory, and the explorer in a Worker.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Body, Character, Crowd, Keyframes, Mesh, Shape, Table, World, init, memoryBytes, why } from 'carom';
import { init as initInline, Mesh as InlineMesh, Shape as InlineShape } from 'carom/inline';
import { explore, presets } from 'carom/explore';

assert.throws(() => Shape.sphere(1), { code: 'NOT_LOADED', message: /await init/ });
await assert.rejects(Mesh.builtIn('courtyard'), { code: 'NOT_LOADED' });
await init();

const floor = (world) => world.add(Body.fixed(Shape.cuboid({ x: 9, y: 1, z: 9 }), { position: { x: 0, y: -1, z: 0 } }));
const vector = (x, y, z) => ({ x, y, z });
const hero = (x = 0) => new Character(Shape.ellipsoid(vector(0.4, 0.9, 0.4)), { position: vector(x, 0.95, 0) });

test('a character walks to the wall and says why it stopped', () => {
  const world = new World();
  floor(world);
  const wall = world.add(Body.fixed(Shape.cuboid(vector(0.1, 2, 9)), { position: vector(3, 2, 0) }));
  const walker = hero();
  walker.traced = true;
  const report = walker.report;
  for (let i = 0; i < 120; i += 1) walker.step(world, { velocity: vector(4, 0, 1) });
  assert.equal(walker.report, report, 'the report is one object');
  assert.ok(report.grounded && Math.abs(report.position.x - 2.4996) < 1e-9 && report.position.z > 1.9);
  assert.match(why(walker.trace(), (id) => (id === wall.id ? 'the wall' : 'the floor')), /the wall, a wall/);
  assert.ok(walker.contacts().some(({ body, normal }) => body === wall && normal.x === -1));
  walker.save(7);
  const { x } = walker.position;
  for (let i = 0; i < 30; i += 1) walker.step(world, { velocity: vector(-4, 0, 0) });
  assert.notEqual(walker.position.x, x);
  walker.restore(7);
  assert.equal(walker.position.x, x);
  for (const it of [walker, world]) it.dispose();
});

test('casts one by one and all at once agree to the bit', async () => {
  const world = new World();
  world.add(Body.fixed(await Mesh.builtIn('courtyard')));
  const shape = Shape.sphere(0.3);
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const queries = Float64Array.from({ length: 600 }, (_, i) => (i % 6 === 1 ? 1 + 3 * random() : 30 * random() - 15));
  const hits = world.castMany(shape, queries, new Float64Array(1100));
  let met = 0;
  for (let i = 0; i < 100; i += 1) {
    const [x, y, z, a, b, c] = queries.subarray(6 * i, 6 * i + 6);
    const hit = world.cast(shape, vector(x, y, z), vector(a, b, c));
    if (hit === null) assert.ok(Number.isNaN(hits[11 * i]));
    else {
      met += 1;
      assert.deepEqual([hit.fraction, hit.normal.x, hit.normal.y, hit.normal.z, hit.part], [hits[11 * i], hits[11 * i + 4], hits[11 * i + 5], hits[11 * i + 6], hits[11 * i + 8]]);
    }
  }
  assert.ok(met > 20, `${met} of 100 casts met something`);
  assert.throws(() => world.castMany(shape, new Float64Array(7), hits), { code: 'BAD_VALUE' });
});

test('bodies move, carry, and are gone when they are removed', () => {
  const world = new World();
  floor(world);
  const lift = world.add(Body.kinematic(Shape.cuboid(vector(2, 0.1, 2)), { position: vector(0, 0.1, 0) }));
  const rider = new Character(Shape.capsule(0.4, 0.5), { position: vector(0, 1.15, 0) });
  for (let i = 0; i < 60; i += 1) {
    lift.drive(vector(0, 1, 0));
    world.advance(1 / 60);
    rider.step(world);
  }
  assert.ok(Math.abs(lift.pose().position.y - 1.1) < 1e-9);
  assert.ok(rider.report.groundBody === lift && Math.abs(rider.position.y - 2.1) < 2e-3);
  const plan = new Keyframes([{ time: 0 }, { time: 1, position: vector(2, 0, 0) }], { repeat: true });
  assert.deepEqual({ ...plan.poseAt(1.25).position }, vector(0.5, 0, 0));
  lift.remove();
  assert.throws(() => lift.drive(vector(0, 1, 0)), { name: 'CaromError', code: 'NO_SUCH_OBJECT' });
  assert.equal(world.overlaps(Shape.sphere(0.2), vector(0, 1.1, 0)).length, 0);
});

test('a crowd sees itself; positions are read in place', () => {
  const world = new World();
  floor(world);
  const crowd = new Crowd();
  const shape = Shape.sphere(0.4);
  for (const x of [-2, 2]) crowd.add(shape, { position: vector(x, 0.41, 0) });
  crowd.setInputs(new Float64Array([3, 0, 0, NaN, -3, 0, 0, NaN]));
  for (let i = 0; i < 120; i += 1) crowd.step(world, 1 / 60);
  assert.ok(crowd.positions[3] - crowd.positions[0] >= 0.8, 'they do not pass through each other');
  assert.equal(crowd.report(0).position.x, crowd.positions[0]);
});

test('pool is played to its end and is the same each time', () => {
  const play = () => {
    const table = Table.pool();
    table.strike(0, { x: 9, y: 0.04 });
    let events = 0;
    for (let i = 0; i < 20; i += 1) events += table.advance(1);
    return [events, ...table.positions];
  };
  const first = play();
  assert.ok(first[0] > 30, `${first[0]} events`);
  assert.deepEqual(play(), first);
});

test('what is refused throws errors with a code', async () => {
  const isSo = (wanted, said) => (error) => error instanceof Error && error.code === wanted && said.test(error.message);
  const code = (run, wanted, said) => assert.throws(run, isSo(wanted, said), wanted);
  const refused = (bytes, name, wanted, said) => assert.rejects(Mesh.fromFile(bytes, name), isSo(wanted, said), wanted);
  await refused(new Uint8Array(), 'a.glb', 'BAD_FILE', /a\.glb: the file is empty/);
  await refused(new Uint8Array([1, 2]), 'a.doc', 'UNKNOWN_FORMAT', /\.glb, \.gltf/);
  await refused(new TextEncoder().encode('v 0 0 0\nf 1 1 9\n'), 'a.obj', 'BAD_FILE', /line 2/);
  await refused(new TextEncoder().encode('v 0 0 0\n'), 'a.obj', 'EMPTY_LEVEL', /no triangles/);
  await assert.rejects(Mesh.fromFile(new Uint8Array(), 'a.obj', { up: 'x' }), isSo('BAD_VALUE', /up is 'y' or 'z'/));
  await assert.rejects(Mesh.builtIn('castle'), isSo('BAD_VALUE', /courtyard-whole/));
  code(() => new World().add(Body.fixed(Mesh.builtIn('courtyard'))), 'BAD_VALUE', /await Mesh\.fromFile/);
  code(() => Shape.sphere(-1), 'BAD_VALUE', /./);
  code(() => new Character(Shape.point()), 'BAD_VALUE', /./);
  code(() => new World().raycast(vector(NaN, 0, 0), vector(1, 0, 0)), 'BAD_VALUE', /./);
  code(() => Mesh.fromTriangles([0, 0, 0], [0, 1, 2]), 'BAD_FILE', /./);
  const table = Table.pool();
  table.advance(0.1);
  code(() => table.addBall({ position: vector(0, 0, 0), radius: 1 }), 'BAD_VALUE', /before the first tick/);
});

test('a glTF finds its buffers; axis and units are guessed', async () => {
  const corners = new Float32Array([0, 0, 0, 1, 0, 0, 0, 0, 1]);
  const gltf = JSON.stringify({
    asset: { version: '2.0' },
    buffers: [{ uri: 'a.bin', byteLength: 36 }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
  });
  const bytes = new TextEncoder().encode(gltf);
  await assert.rejects(Mesh.fromFile(bytes, 'a.gltf'), { code: 'BAD_FILE', message: /a\.bin/ });
  const read = await Mesh.fromFile(bytes, 'a.gltf', { files: { 'a.bin': corners.buffer } });
  assert.equal(read.triangleCount, 1);
  const yard = await Mesh.builtIn('courtyard');
  const [vertices, indices] = [yard.vertices(), yard.indices()];
  const turned = vertices.map((_, i) => (i % 3 === 1 ? -vertices[i + 1] : i % 3 === 2 ? vertices[i - 1] : vertices[i]));
  const { up, scale } = Mesh.fromTriangles(turned, indices).guess();
  assert.deepEqual({ up, scale }, { up: 'z', scale: 1 });
});

test('memory comes back: ten levels take no more than two', async () => {
  const load = async () => {
    const mesh = await Mesh.builtIn('courtyard');
    const world = new World();
    world.add(Body.fixed(mesh));
    const walker = hero();
    for (let i = 0; i < 10; i += 1) walker.step(world, {});
    for (const it of [walker, world, mesh]) it.dispose();
  };
  await load();
  await load();
  const before = memoryBytes();
  for (let i = 0; i < 10; i += 1) await load();
  assert.ok(memoryBytes() <= 1.1 * before, `${before} bytes, then ${memoryBytes()}`);
});

test('the variant with the module inside works by itself', async () => {
  await initInline();
  assert.equal(InlineShape.sphere(1).halfHeight, 1);
  assert.ok((await InlineMesh.builtIn('courtyard')).triangleCount > 8000);
});

test('the explorer refuses a level without floor, and can be canceled', { timeout: 120_000 }, async () => {
  const wall = Mesh.fromTriangles([0, 0, 0, 9, 0, 0, 0, 9, 0], [0, 1, 2]);
  await assert.rejects(explore(wall), { code: 'CANNOT_EXPLORE' });
  await assert.rejects(explore(wall, { preset: 'doom' }), { code: 'BAD_VALUE', message: /quake/ });
  const abort = new AbortController();
  const run = explore(await Mesh.builtIn('courtyard'), {}, { signal: abort.signal, onProgress: () => abort.abort() });
  await assert.rejects(run, { name: 'AbortError' });
  assert.ok(presets.length >= 7);
});

test('an exploration that is finished early is judged within seconds', { timeout: 120_000 }, async () => {
  const early = new AbortController();
  const onProgress = ({ done }) => {
    if (done > 100) early.abort();
  };
  const { report } = await explore(await Mesh.builtIn('courtyard'), {}, { finishEarly: early.signal, onProgress });
  assert.equal(report.complete, false);
  assert.ok(report.coverage.places > 100);
});
