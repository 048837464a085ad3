// The playground in headless Chromium, beside the command.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch, open, ready } from './browser.mjs';
import { serve } from './serve.mjs';

const here = new URL('.', import.meta.url).pathname;
const carom = process.env.CAROM;
const folder = mkdtempSync(join(tmpdir(), 'carom-web-'));
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const shot = (page, name) => page.screenshot({ path: join(here, '../shots', `${name}.png`) });
const text = (page, selector) => page.$eval(selector, (element) => element.textContent.trim());

let server;
let browser;
before(async () => {
  server = await serve(join(here, '../playground/dist/site'));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** A page with the courtyard, and its errors. */
async function start(options) {
  const opened = await open(browser, server.url, options);
  await ready(opened.page);
  return opened;
}

/** Gives a file to the page, as if it was chosen. */
async function give(page, ...files) {
  const input = await page.$('#files');
  await input.uploadFile(...files);
  await wait(300);
}

const write = (name, content) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test('one walks by keyboard alone, stops, rewinds, and steps', async () => {
  const { page, errors } = await start();
  await page.focus('#view');
  const position = () => page.evaluate(() => ({ ...window.playground.walk.character.position }));
  const rewind = async () => {
    await page.keyboard.down('KeyR');
    await page.waitForFunction(() => window.playground.walk.tick === 0);
    await page.keyboard.up('KeyR');
  };
  // A slow machine has settled the body before the first key.
  await page.keyboard.press('KeyP');
  await rewind();
  const before = await position();
  await page.keyboard.press('KeyP');
  await page.keyboard.down('KeyW');
  await page.waitForFunction(() => window.playground.walk.tick > 60);
  await page.keyboard.up('KeyW');
  const there = await position();
  assert.ok(Math.hypot(there.x - before.x, there.z - before.z) > 2, 'it walked');
  await shot(page, 'walk');
  await page.keyboard.press('KeyO');
  await wait(400);
  await shot(page, 'walk-overlay');
  await page.keyboard.press('KeyP');
  const tick = await page.evaluate(() => window.playground.walk.tick);
  await page.keyboard.press('KeyN');
  await page.waitForFunction((was) => window.playground.walk.tick === was + 1, {}, tick);
  await rewind();
  assert.deepEqual(await position(), before, 'back where it began, to the bit');
  await page.keyboard.press('KeyV');
  await page.keyboard.press('KeyP');
  await wait(400);
  await shot(page, 'walk-first-person');
  assert.deepEqual(errors, []);
  await page.close();
});

test('ten recorded inputs end at the same position as in `carom walk`, to the bit', async () => {
  const { page } = await start();
  for (let run = 0; run < 10; run += 1) {
    const { scene, end, level } = await page.evaluate(async (run) => {
      const { levels, walk, panel } = window.playground;
      await levels.openBuiltIn(run % 2 === 0 ? 'courtyard' : 'machines');
      panel.choose(['', 'quake', 'unreal', 'minecraft', 'unity'][run % 5]);
      walk.pause(true);
      walk.respawn();
      // A walk that turns and jumps, the same each time.
      let seed = run + 1;
      const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
      const input = { velocity: { x: 0, y: 0, z: 0 }, jump: NaN };
      const { speed, jump } = panel.values;
      for (let tick = 0; tick < 600; tick += 1) {
        if (tick % 30 === 0) {
          const angle = 2 * Math.PI * random();
          input.velocity = { x: speed * Math.cos(angle), y: 0, z: speed * Math.sin(angle) };
        }
        input.jump = random() < 0.05 ? jump : NaN;
        const before = walk.tick;
        walk.stepWith(input);
        // Fallen out: the walk began again.
        if (walk.tick < before) break;
      }
      return { scene: walk.tick > 0 ? walk.scene() : null, end: { ...walk.character.position }, level: walk.level.name };
    }, run);
    assert.ok(scene, `run ${run} fell out of ${level}`);
    const file = write(`walk-${run}.json`, JSON.stringify(scene));
    const lines = execFileSync(carom, ['walk', file], { maxBuffer: 1 << 28, encoding: 'utf8' }).trim().split('\n');
    const last = JSON.parse(lines.findLast((line) => line.startsWith('{"tick"'))).characters[0].position;
    assert.deepEqual(last, [end.x + 0, end.y + 0, end.z + 0], `run ${run}`);
  }
  await page.close();
});

test('the courtyard explored here and natively: the same report to the byte, cost aside', { timeout: 1_200_000 }, async () => {
  const { page, errors } = await start();
  await page.click('#tab-explore');
  await page.click('#start');
  await page.waitForFunction(() => document.getElementById('progress').value > 0.3, { timeout: 600_000 });
  await shot(page, 'explore-running');
  await page.waitForFunction(() => window.playground.exploring.result, { timeout: 900_000 });
  await wait(500);
  await shot(page, 'explore-done');
  const here = await page.evaluate(() => window.playground.exploring.result.text);
  spawnSync(carom, ['explore', '--threads', '1', '--out', join(folder, 'native')]);
  const native = readFileSync(join(folder, 'native/report.json'), 'utf8');
  const without = (report) => report.replace(/\n  "cost": \{[^]*?\n  \},/, '');
  assert.equal(without(here), without(native));
  const [mine, its] = [JSON.parse(here).cost.seconds, JSON.parse(native).cost.seconds];
  console.log(`explored in ${mine.toFixed(1)} s here, ${its.toFixed(1)} s natively on one thread: ${(its / mine).toFixed(2)} of its speed`);
  await page.click('#findings li:nth-child(2) button');
  await wait(3000);
  await shot(page, 'explore-finding');
  assert.deepEqual(errors, []);
  await page.close();
});

test('an exploration that is stopped is judged', { timeout: 600_000 }, async () => {
  const { page } = await start();
  await page.click('#tab-explore');
  await page.click('#start');
  await page.waitForFunction(() => document.getElementById('progress').value > 0.02, { timeout: 300_000 });
  await page.click('#finish');
  await page.waitForFunction(() => window.playground.exploring.result, { timeout: 300_000 });
  assert.match(await text(page, '#explore-state'), /Stopped before the end/);
  await page.close();
});

/** A wall, and no floor: as glTF, of which up is not guessed. */
function wall() {
  const corners = Buffer.from(new Float32Array([0, 0, 0, 9, 0, 0, 0, 9, 0]).buffer).toString('base64');
  return JSON.stringify({
    asset: { version: '2.0' },
    buffers: [{ uri: `data:application/octet-stream;base64,${corners}`, byteLength: 36 }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
  });
}

test('broken files, empty files, and levels without floor are messages in the page', async () => {
  const { page, errors } = await start();
  const cases = [
    [write('broken.glb', Buffer.from('glTF\x02\0\0\0nonsense')), /broken\.glb: /],
    [write('empty.obj', ''), /empty\.obj: the file is empty/],
    [write('picture.png', 'x'), /picture\.png is no level/],
    [write('wall.gltf', wall()), /no floor/],
    [write('points.ply', 'ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n'), /./],
  ];
  for (const [file, said] of cases) {
    await give(page, file);
    await page.waitForSelector('#message:not([hidden])', { timeout: 60_000 });
    assert.match(await text(page, '#message p'), said);
    if (/no floor/.test(String(said))) {
      await shot(page, 'message-no-floor');
      await page.click('#tab-explore');
      await page.click('#message button');
      await page.click('#start');
      await page.waitForSelector('#message:not([hidden])', { timeout: 60_000 });
      assert.match(await text(page, '#message p'), /floor/);
      await page.click('#tab-walk');
    } else if (/broken/.test(file)) await shot(page, 'message-broken');
    await page.click('#message button');
  }
  await page.select('#built-in', 'machines');
  await page.waitForFunction(() => window.playground.walk.character);
  await wait(800);
  await shot(page, 'machines');
  assert.deepEqual(errors, []);
  await page.close();
});

test('axis, units and winding are guessed, shown, and can be changed', async () => {
  const { page, errors } = await start();
  // A floor of 40 m and a box, in centimeters, z up, seen from below.
  const corners = [[-20, -20], [20, -20], [20, 20], [-20, 20]];
  const level = [0, 0.01, 250].flatMap((z) => corners.map(([x, y]) => (z === 0 ? [x * 100, y * 100, 0] : [x * 10, y * 10, z])));
  const faces = ['4 3 2 1', '5 9 10 6', '6 10 11 7', '7 11 12 8', '8 12 9 5', '12 11 10 9'];
  await give(page, write('hall.obj', [...level.map((v) => `v ${v.join(' ')}`), ...faces.map((f) => `f ${f}`)].join('\n')));
  await page.waitForFunction(() => window.playground.levels.level.name === 'hall.obj');
  const read = () => page.evaluate(() => ({ up: document.getElementById('up').value, scale: Number(document.getElementById('scale').value), flip: document.getElementById('flip').checked }));
  const first = await read();
  assert.match(await text(page, '#guess'), /Guessed/);
  assert.equal(first.up, 'z');
  await page.select('#up', 'y');
  await page.waitForFunction(() => window.playground.levels.level.options.up === 'y');
  await page.select('#up', 'z');
  await page.$eval('#scale', (input) => {
    input.value = '0.02';
    input.dispatchEvent(new Event('change'));
  });
  await page.waitForFunction(() => window.playground.levels.level.options.scale === 0.02 && window.playground.walk.character);
  const width = await page.evaluate(() => window.playground.stage.bounds.max.x);
  assert.ok(Math.abs(width - 40) < 1e-3);
  await wait(400);
  await shot(page, 'read-as');
  assert.deepEqual(errors, []);
  await page.close();
});

test('balls: the break and the marbles', async () => {
  const { page, errors } = await start();
  await page.click('#tab-balls');
  await wait(300);
  await page.click('#shoot');
  await page.waitForFunction(() => window.playground.balls.events > 20);
  await wait(600);
  await shot(page, 'pool');
  await page.select('#ball-scene', 'marbles');
  await page.waitForFunction(() => window.playground.balls.table.count === 2000 && window.playground.balls.table.time > 0.5, { timeout: 120_000 });
  await shot(page, 'marbles');
  assert.deepEqual(errors, []);
  await page.close();
});

test('a phone: panel, stick and jump, all within 390 pixels; motion can be unwanted', async () => {
  const { page, errors } = await start({ width: 390, height: 844, features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.ok(await page.evaluate(() => window.playground.stage.isStill));
  await shot(page, 'phone');
  const before = await page.evaluate(() => ({ ...window.playground.walk.character.position }));
  const tick = await page.evaluate(() => window.playground.walk.tick);
  const box = await (await page.$('#stick')).boundingBox();
  const touch = await page.touchscreen.touchStart(box.x + 60, box.y + 10);
  await page.waitForFunction((was) => window.playground.walk.tick > was + 60, {}, tick);
  await touch.end();
  const after = await page.evaluate(() => ({ ...window.playground.walk.character.position }));
  assert.ok(Math.hypot(after.x - before.x, after.z - before.z) > 0.5, 'the stick walks');
  await page.tap('#toggle');
  await wait(300);
  await shot(page, 'phone-panel');
  assert.deepEqual(errors, []);
  await page.close();
});

test('the page that is one file opens from disk and explores', { timeout: 900_000 }, async () => {
  const url = pathToFileURL(join(here, '../playground/dist/playground.html')).href;
  const { page, errors } = await open(browser, url);
  await ready(page);
  await page.click('#tab-explore');
  await page.click('#start');
  await page.waitForFunction(() => document.getElementById('progress').value > 0.01, { timeout: 300_000 });
  await shot(page, 'one-file');
  await page.click('#cancel');
  assert.deepEqual(errors, []);
  await page.close();
});

test('without WebGL and without WebAssembly the page says so', async () => {
  const without = async (script, name, said) => {
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(script);
    await page.goto(server.url);
    await page.waitForSelector('#message:not([hidden])');
    assert.match(await text(page, '#message p'), said);
    await shot(page, name);
    await page.close();
  };
  await without(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  }, 'no-webgl', /WebGL/);
  await without(() => {
    delete window.WebAssembly;
  }, 'no-webassembly', /WebAssembly/);
});
