// A level in a module that reads levels, made from a source that can be sent to a Worker.
import { coded } from './raw.js';

const AXES = { y: 1, z: 2 };

/** Reads a source with the module of this glue. Whoever asks frees the level. */
export function readLevel(glue, source) {
  switch (source.kind) {
    case 'file':
      return readFile(glue, source);
    case 'triangles':
      return glue.RawLevel.fromTriangles(source.vertices, source.indices);
    default:
      return glue.RawLevel.builtIn(source.name);
  }
}

function readFile(glue, { bytes, name, options }) {
  const { up, scale, flip, files } = options;
  if (up !== undefined && !(up in AXES)) throw coded('BAD_VALUE', `up is 'y' or 'z', not ${up}`);
  const beside = new glue.RawFiles();
  try {
    for (const [file, content] of Object.entries(files)) beside.add(file, asBytes(content));
    return glue.RawLevel.fromFile(bytes, name, beside, AXES[up] ?? 0, scale ?? NaN, flip);
  } finally {
    beside.free();
  }
}

/** The bytes themselves, or those of a buffer. */
export function asBytes(content) {
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}
