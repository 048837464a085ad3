// The package: the classes, and `init`, which loads the module beside this file.
import * as glue from './carom_core.js';
import { bytesOf, checkWebAssembly, use } from './raw.js';

export * from './carom.js';

let loading = null;

/** Loads the module; once is enough. `source`: where the `.wasm` is, or its bytes, if it is not beside this file. */
export function init(source) {
  loading ??= load(source).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(source) {
  checkWebAssembly();
  const module_or_path = await (source ?? bytesOf(new URL('./carom_core_bg.wasm', import.meta.url)));
  use(glue, await glue.default({ module_or_path }));
}
