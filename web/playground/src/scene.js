// A recorded walk as a scene: docs/scene.md says what its keys mean.

const list = (v) => [v.x, v.y, v.z];

/** The scene of a walk in ticks of `dt` seconds. */
export function sceneOf(walk, dt) {
  const { level, machines, panel, record, shape, spawn, tick } = walk;
  const { gravity, stepHeight, maxSlopeDegrees, airControl, airSteps } = panel.settings();
  return {
    gravity: [0, -gravity, 0],
    dt,
    ticks: tick,
    bodies: [
      { name: 'level', ...triangles(level) },
      ...machines.map(({ name, half, frames }) => ({
        name,
        box: { half_extents: list(half) },
        loop: true,
        keyframes: frames.map(({ time, position, rotation: q }) => ({ time, position: list(position), rotation: [...list(q), q.w] })),
      })),
    ],
    characters: [
      {
        name: 'hero',
        shape: shapeOf(shape.spec),
        position: list(spawn),
        settings: { step_height: stepHeight, max_slope_degrees: maxSlopeDegrees, air_control: airControl, air_steps: airSteps },
        input: inputs(record, dt),
      },
    ],
  };
}

/** The file, or the triangles of a built-in level. */
function triangles({ mesh, file, options }) {
  if (file && !options.flip) return { file, up: options.up, scale: options.scale };
  const rows = (numbers) => Array.from({ length: numbers.length / 3 }, (_, i) => Array.from(numbers.subarray(3 * i, 3 * i + 3)));
  return { mesh: { vertices: rows(mesh.vertices()), triangles: rows(mesh.indices()) } };
}

function shapeOf({ kind, a, b, c }) {
  if (kind === 'capsule') return { capsule: { radius: a, half_height: b } };
  if (kind === 'cuboid') return { cuboid: { half_extents: [a, b, c] } };
  return { ellipsoid: { radii: [a, b, c] } };
}

/** Equal ticks as one entry; times between the ticks, where no rounding matters. */
function inputs(record, dt) {
  const entries = [];
  const time = (tick) => (tick - 0.5) * dt;
  for (let at = 0; at < record.length; at += 4) {
    const [x, y, z, jump] = record.slice(at, at + 4);
    const tick = at / 4;
    const last = entries.at(-1);
    const isSame = last && Number.isNaN(jump) && last.jump === undefined && last.move.every((v, i) => Object.is(v, [x, y, z][i]));
    if (isSame) last.until = time(tick + 1);
    else {
      const entry = { from: time(tick), until: time(tick + 1), move: [x, y, z] };
      if (!Number.isNaN(jump)) entry.jump = jump;
      entries.push(entry);
    }
  }
  return entries;
}
