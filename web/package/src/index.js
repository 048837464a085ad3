// The package: the classes, and `init`, which loads the module beside this file.
import * as glue from './carom_core.js';
import { bytesOf, checkWebAssembly, once, start, use } from './raw.js';

export * from './carom.js';

/** Loads the module; once is enough. `core`, `levels`: where the `.wasm` files are, or their bytes, if they are not beside this file. */
export const init = once(async (core, levels) => {
  checkWebAssembly();
  const exports = await start(glue, await (core ?? bytesOf(new URL('./carom_core_bg.wasm', import.meta.url))));
  use(glue, exports, once(() => loadLevels(levels)));
});

/** The module that reads levels: loaded with the first one. */
async function loadLevels(source) {
  const levels = await import('./carom_levels.js');
  await start(levels, await (source ?? bytesOf(new URL('./carom_levels_bg.wasm', import.meta.url))));
  return levels;
}
