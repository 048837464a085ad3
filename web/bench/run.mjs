// The figures of the package's README. Times are ratios, measured by turns in one run: this machine may be busy.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Body, Character, Mesh, Shape, World, init, memoryBytes } from 'carom';
import { depthGauge, level, walkers, wishes } from './walk.mjs';

const TICKS = 6000;
const TURNS = 7;
const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

await init();
const place = await level();
const ways = wishes(TICKS);
const gauge = depthGauge(place.mesh);

/** Nanoseconds a tick, and where it ends. */
async function run(name) {
  const step = await walkers[name](place);
  const begun = performance.now();
  let at;
  for (let tick = 0; tick < TICKS; tick += 1) {
    const way = 2 * Math.floor(tick / 30);
    at = step(ways[way], ways[way + 1]);
  }
  return { time: (1e6 * (performance.now() - begun)) / TICKS, end: { x: at.x, y: at.y, z: at.z } };
}

/** The deepest that a walk gets into the level, and in how many ticks it is deeper than a centimeter. */
async function depths(name) {
  const step = await walkers[name](place);
  let [deepest, inside] = [0, 0];
  for (let tick = 0; tick < TICKS; tick += 1) {
    const way = 2 * Math.floor(tick / 30);
    const depth = gauge(step(ways[way], ways[way + 1]));
    deepest = Math.max(deepest, depth);
    inside += depth >= 0.01 ? 1 : 0;
  }
  return { deepest, inside };
}

const native = () => {
  const [time, x, y, z] = execFileSync(process.env.TICK, [String(TICKS)], { encoding: 'utf8' }).trim().split(' ').map(Number);
  return { time, end: { x, y, z } };
};

const names = Object.keys(walkers);
const times = Object.fromEntries([...names, 'native'].map((name) => [name, []]));
let ends = null;
for (let turn = 0; turn < TURNS; turn += 1) {
  for (const name of names) {
    const { time, end } = await run(name);
    times[name].push(time);
    if (name === 'carom') ends = end;
  }
  if (process.env.TICK) {
    const { time, end } = native();
    times.native.push(time);
    if (JSON.stringify(end) !== JSON.stringify(ends)) throw new Error(`ends at ${JSON.stringify(ends)} here and at ${JSON.stringify(end)} natively`);
  }
}
const ratio = (a, b) => middle(times[a].map((time, i) => time / times[b][i])).toFixed(2);
console.log('| capsule in the courtyard, 6,000 ticks | µs a tick | deepest in the level | ticks deeper than 1 cm |');
console.log('|---|---|---|---|');
for (const name of names) {
  const { deepest, inside } = await depths(name);
  console.log(`| ${name} | ${(middle(times[name]) / 1000).toFixed(1)} | ${(1000 * deepest).toFixed(1)} mm | ${inside} |`);
}
if (times.native.length > 0) console.log(`wasm / native: ${ratio('carom', 'native')}, both end at the same bits`);
console.log(`carom / rapier3d-compat: ${ratio('carom', 'rapier')}; carom / three-mesh-bvh: ${ratio('carom', 'threeMeshBvh')}`);

const load = async (bytes, name) => {
  const begun = performance.now();
  const mesh = await (bytes ? Mesh.fromFile(bytes, name) : Mesh.builtIn('courtyard'));
  const world = new World();
  world.add(Body.fixed(mesh));
  const hero = new Character(Shape.capsule(0.4, 0.5), { position: place.start });
  hero.step(world, {});
  const seconds = (performance.now() - begun) / 1000;
  const count = mesh.triangleCount;
  for (const it of [hero, world, mesh]) it.dispose();
  return { seconds, count };
};
await load();
await load();
const before = memoryBytes();
for (let i = 0; i < 10; i += 1) await load();
console.log(`memory after ten levels more: ${(memoryBytes() / before).toFixed(2)} of what two took`);
const large = process.env.LARGE;
if (large) {
  const { seconds, count } = await load(readFileSync(large), large.split('/').at(-1));
  console.log(`${count.toLocaleString('en')} triangles from bytes to the first step: ${seconds.toFixed(2)} s`);
}
process.exit(0);
