// The Worker of `explore` with the module in the file.
import * as glue from './carom_explore.js';
import { decode } from './decode.js';
import { serve } from './exploration.js';
import { checkWebAssembly } from './raw.js';
import { wasm } from './carom_explore_wasm.js';

async function load() {
  checkWebAssembly();
  return glue.default({ module_or_path: await decode(wasm) });
}

const handle = serve(glue, load, (message, owned) => self.postMessage(message, owned));
self.onmessage = ({ data }) => handle(data);
