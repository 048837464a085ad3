// Vectors and rotations come as objects with x, y, z (and w): plain ones, or those of three.js.

/** What stands for a rotation that was not given. */
export const UNTURNED = Object.freeze({ x: 0, y: 0, z: 0, w: 1 });
export const ORIGIN = Object.freeze({ x: 0, y: 0, z: 0 });

/** Writes three numbers of a view into a vector of any kind. */
export function read(target, numbers, at) {
  target.x = numbers[at];
  target.y = numbers[at + 1];
  target.z = numbers[at + 2];
  return target;
}

export function readTurn(target, numbers, at) {
  target.x = numbers[at];
  target.y = numbers[at + 1];
  target.z = numbers[at + 2];
  target.w = numbers[at + 3];
  return target;
}

/** `[Symbol.dispose]` where the language has it. */
export function disposable(...classes) {
  if (typeof Symbol.dispose !== 'symbol') return;
  for (const it of classes) {
    Object.defineProperty(it.prototype, Symbol.dispose, { value: it.prototype.dispose, configurable: true });
  }
}
