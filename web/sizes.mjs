// Prints what the package and the playground weigh, and which module is over its goal; fails where the package holds what it should not.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const [dist, pack, playground] = process.argv.slice(2);
/** In thousands of bytes, by Brotli: what a server sends. */
const GOAL = { core: 500, levels: 250, explore: 900 };
const kB = (bytes) => `${Math.round(bytes / 1000)} kB`;
let isFine = true;
for (const [name, most] of Object.entries(GOAL)) {
  const files = [`carom_${name}_bg.wasm`, `carom_${name}.js`].map((file) => readFileSync(join(dist, file)));
  const sum = (size) => files.reduce((all, bytes) => all + size(bytes), 0);
  const brotli = sum((bytes) => brotliCompressSync(bytes).length);
  const gzip = sum((bytes) => gzipSync(bytes, { level: 9 }).length);
  console.log(`${name}: ${kB(sum((bytes) => bytes.length))}, gzip ${kB(gzip)}, brotli ${kB(brotli)} (${brotli > 1000 * most ? 'over the goal of' : 'goal'} ${most} kB)`);
}
const [{ files, size, unpackedSize }] = JSON.parse(readFileSync(pack, 'utf8'));
const paths = files.map(({ path }) => path);
console.log(`npm pack: ${paths.length} files, ${kB(size)} packed, ${kB(unpackedSize)} unpacked`);
const isMeant = (path) => /^(package\.json|README\.md|LICENSE-(MIT|APACHE)|dist\/[\w-]+(_bg\.wasm|\.d\.ts|\.js))$/.test(path);
const wanted = ['README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/inline.js', 'dist/explore.js', 'dist/explore-worker.js', 'dist/carom_core_bg.wasm', 'dist/carom_levels_bg.wasm', 'dist/carom_explore_bg.wasm'];
for (const path of paths.filter((path) => !isMeant(path))) {
  console.log(`not meant to be in the package: ${path}`);
  isFine = false;
}
for (const path of wanted.filter((path) => !paths.includes(path))) {
  console.log(`missing in the package: ${path}`);
  isFine = false;
}
for (const file of readdirSync(playground).filter((name) => name.endsWith('.html'))) {
  console.log(`${file}: ${kB(statSync(join(playground, file)).size)}, all in one`);
}
process.exit(isFine ? 0 : 1);
