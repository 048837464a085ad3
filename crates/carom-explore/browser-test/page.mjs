// Uses every control of a report's page in a real browser. See README.md.
import assert from "node:assert/strict";
import { readFile, mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const [folder, shots = "shots"] = process.argv.slice(2);
assert(folder, "usage: node page.mjs REPORT-FOLDER [SHOTS]");
await mkdir(shots, { recursive: true });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--allow-file-access-from-files"],
});
const faults = [];
const open = async (url, view) => {
  const page = await browser.newPage();
  await page.setViewport(view);
  page.on("console", message => { if (message.type() === "error") faults.push(message.text()); });
  page.on("pageerror", error => faults.push(String(error)));
  page.on("request", request => { if (!/^(file|data|blob):/.test(request.url()) && !request.url().startsWith("http://127.0.0.1")) faults.push("network: " + request.url()); });
  await page.goto(url);
  return page;
};
const settle = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
const picture = async page => { await settle(page); return (await page.$("#view")).screenshot({ encoding: "base64" }); };
const changes = async (page, what, act) => {
  const before = await picture(page);
  await act();
  assert.notEqual(await picture(page), before, `${what} changes nothing`);
};
const pick = (page, id, value) => page.select("#" + id, value);
const slide = (page, id, value) => page.$eval("#" + id, (input, value) => { input.value = value; input.dispatchEvent(new Event("input")); }, value);

const url = pathToFileURL(path.resolve(folder, "report.html")).href;
const page = await open(url, { width: 1400, height: 1000 });
const state = () => page.evaluate(() => ({ chosen: carom.chosen?.id ?? null, number: carom.chosen?.number, clock: carom.clock, visible: carom.visible.length, cut: carom.cut, away: carom.eye.away, yaw: carom.eye.yaw, target: [...carom.eye.target], hash: location.hash }));
const findings = await page.evaluate(() => carom.data.findings.map(f => ({ id: f.id, code: f.code, severity: f.severity, folded: f.folded, number: f.number, status: f.status, last: f.last })));
const listed = findings.filter(f => !f.folded);
assert.equal((await state()).visible, listed.length);
await page.screenshot({ path: `${shots}/desktop.png` });

// The first view holds all of the level, however wide it is.
const outside = page => page.evaluate(() => {
  const { eye: { target, yaw, pitch, away }, data: { low, high } } = carom, { clientWidth, clientHeight } = document.getElementById("canvas"), f = 1 / Math.tan(0.45);
  const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)], axes = [[cy, 0, -sy], [-sy * sp, cp, -cy * sp], [sy * cp, sp, cy * cp]];
  return [...Array(8).keys()].filter(n => {
    const c = target.map((x, i) => (n >> i & 1 ? high[i] : low[i]) - x), [x, y, z] = axes.map(a => a[0] * c[0] + a[1] * c[1] + a[2] * c[2]), deep = away - z;
    return !(deep > 0 && Math.abs(x) * f * clientHeight / clientWidth <= deep && Math.abs(y) * f <= deep);
  });
});
for (const view of [{ width: 1400, height: 1000 }, { width: 844, height: 390 }, { width: 390, height: 844 }, { width: 2600, height: 700 }]) {
  await page.setViewport(view);
  await settle(page); await settle(page);
  assert.deepEqual(await outside(page), [], `${view.width} × ${view.height} does not show all of the level`);
}
await page.setViewport({ width: 1400, height: 1000 });
await settle(page);

// Bodies that move are where the witnesses' scenes have them.
const planned = await page.evaluate(() => carom.data.moving.length);
if (planned > 0) {
  const scene = JSON.parse(await readFile(path.join(folder, "witness/0001.json"))), bodies = scene.bodies.slice(-planned);
  for (const [i, { keyframes, loop, position = [0, 0, 0] }] of bodies.entries()) {
    for (const time of [0, 0.4, 1.7, 3.1, 60.3]) {
      const last = keyframes?.at(-1).time, t = loop && time > last ? time % last : time, next = keyframes?.findIndex(frame => frame.time > t) ?? -1;
      const [a, b] = keyframes ? next < 0 ? [keyframes.at(-1), keyframes.at(-1)] : [keyframes[Math.max(next - 1, 0)], keyframes[next]] : [{ position }, { position }];
      const share = b.time > a.time ? Math.max(0, (t - a.time) / (b.time - a.time)) : 0, expected = a.position.map((x, k) => x + share * (b.position[k] - x));
      const drawn = await page.evaluate((i, time) => [...poseAt({ ...carom.data.moving[i], way: floats(carom.data.moving[i].way) }, time)].slice(12, 15), i, time);
      drawn.forEach((x, k) => assert(Math.abs(x - expected[k]) < 1e-3, `body ${i} at ${time} s: ${drawn}, not ${expected}`));
    }
  }
}

// The eye.
const box = await (await page.$("#canvas")).boundingBox();
const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
const drag = async (dx, dy, options) => { await page.mouse.move(cx, cy); await page.mouse.down(options); await page.mouse.move(cx + dx, cy + dy, { steps: 4 }); await page.mouse.up(options); };
await changes(page, "a drag", () => drag(90, 20));
await changes(page, "a right drag", () => drag(60, 30, { button: "right" }));
await changes(page, "the wheel", async () => { await page.mouse.move(cx, cy); await page.mouse.wheel({ deltaY: -300 }); });
await changes(page, "from above", () => page.click("#top"));
await page.screenshot({ path: `${shots}/above.png` });
await changes(page, "whole level", () => page.click("#home"));

// What is drawn.
await changes(page, "the cut", () => slide(page, "cut", 0.4));
await slide(page, "cut", 1);
for (const value of ["time", "off", "reached"]) await changes(page, "floor " + value, () => pick(page, "heat", value));
const hasColors = await page.evaluate(() => carom.data.surfaces.colors.some(color => color));
assert.equal(await page.$eval("#paint", select => select.value), hasColors ? "own" : "material");
for (const value of ["plain", "off", "material", ...(hasColors ? ["own"] : [])]) {
  if (value === "plain" && await page.evaluate(() => carom.data.surfaces.names.length === 0)) continue;
  await changes(page, "level " + value, () => pick(page, "paint", value));
}
await page.$eval("#canvas", canvas => { carom.eye.pitch = -0.6; canvas.focus(); });
await page.keyboard.press("ArrowLeft");
await settle(page);
await page.click("#ceilings");
await page.click("#ceilings");
await page.click("#home");
await pick(page, "heat", "time");
await page.click("#top");
await settle(page);
await page.screenshot({ path: `${shots}/heat.png` });
await pick(page, "heat", "reached");
await page.click("#home");

if (listed.length) {
  // Filters.
  for (const code of new Set(findings.map(f => f.code))) {
    const of = listed.filter(f => f.code === code).length;
    await page.click(`[data-code=${code}]`);
    assert.equal((await state()).visible, listed.length - of, code);
    await page.click(`[data-code=${code}]`);
  }
  for (const severity of ["error", "warning"]) {
    await pick(page, "severity", severity);
    assert.equal((await state()).visible, listed.filter(f => f.severity === severity).length);
  }
  await pick(page, "severity", "");
  if (findings.some(f => f.status)) {
    await pick(page, "status", "new");
    assert.equal((await state()).visible, listed.filter(f => f.status === "new").length);
    await pick(page, "status", "");
  }
  if (findings.some(f => f.folded)) {
    await page.click("#folded");
    assert.equal((await state()).visible, findings.length);
    await page.click("#folded");
  }
  await page.type("#search", listed[0].id);
  assert.equal((await state()).visible, 1);
  await page.keyboard.press("Escape");
  await page.$eval("#search", input => { input.value = ""; input.dispatchEvent(new Event("input")); });

  // A marker, the list, the link, the keyboard.
  await page.$eval(".pin:not([hidden])", pin => pin.click());
  let now = await state();
  assert(now.chosen && now.hash === "#" + now.chosen);
  await page.screenshot({ path: `${shots}/chosen.png` });
  await page.keyboard.press("Escape");
  assert.equal((await state()).chosen, null);
  await page.click("#list li");
  assert.equal((await state()).number, listed[0].number);
  await page.keyboard.press("j");
  if (listed.length > 1) assert.equal((await state()).number, listed[1].number);
  await page.keyboard.press("k");
  assert.equal((await state()).number, listed[0].number);
  const far = listed.at(-1);
  await page.evaluate(id => { location.hash = id; }, far.id);
  await page.waitForFunction(id => carom.chosen?.id === id, {}, far.id);
  await page.click(".copy");
  await page.waitForFunction(() => !document.getElementById("said").hidden);

  // Playback.
  const way = findings.filter(f => !f.folded).reduce((a, b) => (a.last >= b.last ? a : b));
  await page.evaluate(id => { location.hash = id; }, way.id);
  await page.waitForFunction(id => carom.chosen?.id === id, {}, way.id);
  await changes(page, "the scrubber", () => slide(page, "scrub", way.last / 2));
  assert(Math.abs((await state()).clock - way.last / 2) < 1);
  await page.screenshot({ path: `${shots}/played.png` });
  await changes(page, "first person", () => pick(page, "camera", "first"));
  await page.screenshot({ path: `${shots}/first.png` });
  await changes(page, "follow", () => pick(page, "camera", "follow"));
  await page.screenshot({ path: `${shots}/follow.png` });
  await pick(page, "speed", "16");
  await slide(page, "scrub", 0);
  await page.click("#play");
  await page.waitForFunction(() => carom.clock > 1);
  await page.waitForFunction(() => carom.clock >= carom.chosen.last, { timeout: 60000 });
  await page.keyboard.press("Escape");
  await pick(page, "camera", "free");
  await changes(page, "ways", () => page.click("#ways"));
  await page.click("#ways");
  // A link that somebody was sent.
  const linked = await open(url + "#" + far.id, { width: 1400, height: 1000 });
  assert.equal(await linked.evaluate(() => carom.chosen.id), far.id);
  await linked.close();
}

// A phone.
const phone = await open(url, { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
await settle(phone);
assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390, "the page is wider than a phone");
await phone.screenshot({ path: `${shots}/phone.png` });
const away = () => phone.evaluate(() => carom.eye.away);
const start = await away();
await phone.evaluate(() => {
  const canvas = document.getElementById("canvas"), box = canvas.getBoundingClientRect();
  const finger = (kind, id, x) => canvas.dispatchEvent(new PointerEvent(kind, { pointerId: id, pointerType: "touch", clientX: box.left + x, clientY: box.top + 100, bubbles: true }));
  finger("pointerdown", 11, 100); finger("pointerdown", 12, 200); finger("pointermove", 12, 300); finger("pointerup", 11, 100); finger("pointerup", 12, 300);
});
assert(await away() < start * 0.6, "a pinch does not zoom");
if (listed.length) {
  await phone.tap("#list li");
  await phone.waitForFunction(() => carom.chosen);
  assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390, "with a finding chosen the page is wider than a phone");
  await settle(phone);
  await new Promise(done => setTimeout(done, 500));
  await phone.screenshot({ path: `${shots}/phone-chosen.png` });
  await phone.$eval("#list", list => list.scrollIntoView());
  await phone.screenshot({ path: `${shots}/phone-list.png` });
}

// findings.glb in three.js: from a server on this machine, for modules are not loaded from files.
const three = path.resolve(path.dirname(createRequire(import.meta.url).resolve("three")), "..");
const viewer = `<!doctype html><link rel="icon" href="data:,"><style>body{margin:0}</style><script type="importmap">{"imports":{"three":"/three/build/three.module.js"}}</script><script type="module">
import * as THREE from "three"; import { GLTFLoader } from "/three/examples/jsm/loaders/GLTFLoader.js";
const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true }); renderer.setSize(1200, 800); document.body.append(renderer.domElement);
const { scene: model } = await new GLTFLoader().loadAsync("/findings.glb");
const scene = new THREE.Scene(); scene.background = new THREE.Color(0x202530); scene.add(model);
const box = new THREE.Box3().setFromObject(model), middle = box.getCenter(new THREE.Vector3()), size = box.getSize(new THREE.Vector3()).length() || 1;
const camera = new THREE.PerspectiveCamera(45, 1.5, size / 1000, size * 10); camera.position.copy(middle).add(new THREE.Vector3(0.4, 0.7, 0.5).multiplyScalar(size)); camera.lookAt(middle); renderer.render(scene, camera);
const names = []; model.traverse(node => names.push(node.name)); window.shown = { names, min: box.min.toArray(), max: box.max.toArray() };
</script>`;
const server = createServer(async (request, response) => {
  const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
  try {
    if (name === "/") { response.setHeader("content-type", "text/html"); response.end(viewer); return; }
    const file = name === "/findings.glb" ? path.join(folder, "findings.glb") : path.join(three, name.replace(/^\/three/, ""));
    response.setHeader("content-type", name.endsWith(".js") ? "text/javascript" : "application/octet-stream");
    response.end(await readFile(file));
  } catch { response.statusCode = 404; response.end(); }
}).listen(0, "127.0.0.1");
await new Promise(done => server.once("listening", done));
const model = await open(`http://127.0.0.1:${server.address().port}/`, { width: 1200, height: 800 });
await model.waitForFunction(() => window.shown, { timeout: 60000 });
const { names } = await model.evaluate(() => window.shown);
// three.js replaces spaces and drops characters that its paths use.
for (const finding of listed) assert(names.some(name => name.startsWith(finding.code) && name.includes(finding.id.split("-").at(-1))), `no node for ${finding.id} in ${names}`);
await model.screenshot({ path: `${shots}/glb.png` });
server.close();

await browser.close();
assert.deepEqual(faults, []);
console.log(`every control of ${folder}/report.html works: ${listed.length} listed findings, ${findings.length - listed.length} folded`);
