// Poses by time.
import { raw, view } from './raw.js';
import { ORIGIN, UNTURNED, disposable, read, readTurn } from './vector.js';

export class Keyframes {
  constructor(frames, options = {}) {
    const rows = frames.flatMap(({ time, position: p = ORIGIN, rotation: q = UNTURNED }) => [
      time, p.x, p.y, p.z, q.x, q.y, q.z, q.w,
    ]);
    this.raw = new raw.RawKeyframes(new Float64Array(rows), options.repeat ?? false);
    this.answer = null;
  }

  poseAt(seconds, target = { position: {}, rotation: {} }) {
    this.raw.poseAt(seconds);
    const numbers = (this.answer = view(this.answer, this.raw.answers(), 32));
    read(target.position, numbers, 0);
    readTurn(target.rotation, numbers, 3);
    return target;
  }

  dispose() {
    this.raw.free();
  }
}

disposable(Keyframes);
