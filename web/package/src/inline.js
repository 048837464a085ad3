// The same with the modules in the file: for pages that are one file, and where nothing can be fetched.
import * as glue from './carom_core.js';
import * as levels from './carom_levels.js';
import { decode } from './decode.js';
import { checkWebAssembly, once, start, use } from './raw.js';
import { wasm as coreWasm } from './carom_core_wasm.js';
import { wasm as levelsWasm } from './carom_levels_wasm.js';

export * from './carom.js';

/** Unpacks and starts the module; once is enough. */
export const init = once(async () => {
  checkWebAssembly();
  use(glue, await start(glue, await decode(coreWasm)), once(loadLevels));
});

async function loadLevels() {
  await start(levels, await decode(levelsWasm));
  return levels;
}
