// The camera of a walk: behind the shoulder, at a place that a sphere can be swept to, or in the head.
import { Shape } from 'carom';

export class ChaseCamera {
  constructor(stage) {
    this.stage = stage;
    this.isFirst = false;
    this.shape = Shape.sphere(0.15);
    this.eye = { x: 0, y: 0, z: 0 };
    this.way = { x: 0, y: 0, z: 0 };
    this.hit = { point: {}, normal: {} };
    /** Meters of steps that the eye has yet to climb. */
    this.behind = 0;
    this.far = 4;
  }

  jumpTo() {
    this.behind = 0;
    this.far = 4;
  }

  /** A step is climbed within a tick; the eye takes its time. */
  smooth(stepped) {
    this.behind = Math.min(1, this.behind + stepped);
  }

  follow({ character, shape, world, controls }, seconds) {
    const { eye, way } = this;
    const { position: p } = character;
    this.behind *= Math.exp(-12 * seconds);
    eye.x = p.x;
    eye.y = p.y + 0.75 * shape.halfHeight - this.behind;
    eye.z = p.z;
    const [yaw, pitch] = [controls.yaw, controls.pitch];
    const ahead = { x: -Math.sin(yaw) * Math.cos(pitch), y: Math.sin(pitch), z: -Math.cos(yaw) * Math.cos(pitch) };
    this.stage.hero.visible = !this.isFirst;
    if (this.isFirst) {
      this.stage.lookFrom(eye, ahead);
      return;
    }
    const distance = 4 * controls.wheel * Math.max(0.5, shape.halfHeight / 0.9);
    way.x = -ahead.x * distance;
    way.y = -ahead.y * distance;
    way.z = -ahead.z * distance;
    const hit = world.cast(this.shape, eye, way, undefined, this.hit);
    const free = hit ? (hit.startOverlap ? 0 : hit.fraction) : 1;
    const wanted = Math.max(0.05, free * distance);
    // In at once, so that nothing comes between; out gently.
    this.far = wanted < this.far ? wanted : this.far + (wanted - this.far) * (1 - Math.exp(-6 * seconds));
    const share = this.far / distance;
    this.stage.lookFrom({ x: eye.x + way.x * share, y: eye.y + way.y * share, z: eye.z + way.z * share }, ahead);
    this.stage.hero.visible = this.far > shape.halfHeight * 0.7;
  }
}
