// The WebAssembly modules in use, and views of their memory.

const tooEarly = () => {
  throw coded('NOT_LOADED', 'await init() before any other call');
};
/** The glue that wasm-bindgen made, once `init` has run. */
export let raw = new Proxy({}, { get: tooEarly });
/** Loads the module that reads levels, and returns its glue. */
export let loadLevels = tooEarly;
let memory = null;
const memories = new Set();

/** Takes a module into use. All classes need it. */
export function use(glue, exports, levels) {
  raw = glue;
  loadLevels = levels;
  memory = exports.memory;
}

/** Starts a module from its glue and its bytes. */
export async function start(glue, module_or_path) {
  const exports = await glue.default({ module_or_path });
  memories.add(exports.memory);
  return exports;
}

/** A function that does its work once. Where it failed, it tries again. */
export function once(work) {
  let running = null;
  return (...given) => {
    running ??= work(...given).catch((error) => {
      running = null;
      throw error;
    });
    return running;
  };
}

/** Bytes of WebAssembly memory, all that was ever needed: it never shrinks. */
export function memoryBytes() {
  return [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}

/** f64 at an address. The old view is kept while it is the same: when memory grows, views of it die. */
export function view(old, address, length) {
  const buffer = memory.buffer;
  if (old !== null && old.buffer === buffer && old.byteOffset === address && old.length === length) return old;
  return new Float64Array(buffer, address, length);
}

/** The bytes of a `.wasm` beside this package: fetched, or read where files are not fetched. */
export async function bytesOf(url) {
  if (url.protocol === 'file:' && typeof process === 'object' && process.versions?.node) {
    const { readFile } = await import(/* @vite-ignore */ 'node:fs/promises');
    return readFile(url);
  }
  const answer = await fetch(url);
  if (!answer.ok) throw coded('NO_WASM', `${url} cannot be loaded: ${answer.status} ${answer.statusText}`);
  return answer;
}

/** An error with a code, as the module's own are. */
export function coded(code, message) {
  const error = new Error(message);
  error.name = 'CaromError';
  error.code = code;
  return error;
}

/** What there is to say where there is no WebAssembly, or not enough of it. */
export function checkWebAssembly() {
  if (typeof WebAssembly !== 'object') {
    throw coded('NO_WEBASSEMBLY', 'This browser runs no WebAssembly: use a newer one, or turn it on.');
  }
  // A function that returns a vector of four zeros: is SIMD known?
  const simd = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ]);
  if (!WebAssembly.validate(simd)) {
    throw coded('NO_SIMD', 'This browser has no SIMD in WebAssembly: Chrome 91, Firefox 89 and Safari 16.4 have it.');
  }
}
