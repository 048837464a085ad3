// The same with the module in the file: for pages that are one file, and where nothing can be fetched.
import * as glue from './carom_core.js';
import { decode } from './decode.js';
import { checkWebAssembly, use } from './raw.js';
import { wasm } from './carom_core_wasm.js';

export * from './carom.js';

let loading = null;

/** Unpacks and starts the module; once is enough. */
export function init() {
  loading ??= load();
  return loading;
}

async function load() {
  checkWebAssembly();
  use(glue, await glue.default({ module_or_path: await decode(wasm) }));
}
