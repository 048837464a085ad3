// The Worker of `explore`: the module is beside this file.
import * as glue from './carom_explore.js';
import { serve } from './exploration.js';
import { bytesOf, checkWebAssembly } from './raw.js';

async function load() {
  checkWebAssembly();
  const module_or_path = await bytesOf(new URL('./carom_explore_bg.wasm', import.meta.url));
  return glue.default({ module_or_path });
}

if (typeof self === 'object' && typeof self.postMessage === 'function') {
  const handle = serve(glue, load, (message, owned) => self.postMessage(message, owned));
  self.onmessage = ({ data }) => handle(data);
} else {
  // No `await` at the top: bundlers make classic scripts of Workers.
  import(/* @vite-ignore */ 'node:worker_threads').then(({ parentPort }) => {
    const handle = serve(glue, load, (message, owned) => parentPort.postMessage(message, owned));
    parentPort.on('message', handle);
  });
}
