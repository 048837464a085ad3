// Parts of the package that are made from the module: the presets, and the modules as text within scripts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';

const dist = process.argv[2];
const glue = await import(pathToFileURL(join(dist, 'carom_explore.js')));
await glue.default({ module_or_path: readFileSync(join(dist, 'carom_explore_bg.wasm')) });
const presets = JSON.stringify(JSON.parse(glue.rawPresets()), null, 2);
writeFileSync(join(dist, 'presets.js'), `// The bodies of engines and games, as the module has them.\nexport const presets = ${presets};\n`);
for (const name of ['core', 'levels', 'explore']) {
  const bytes = deflateSync(readFileSync(join(dist, `carom_${name}_bg.wasm`)), { level: 9 });
  writeFileSync(join(dist, `carom_${name}_wasm.js`), `export const wasm = '${bytes.toString('base64')}';\n`);
}
