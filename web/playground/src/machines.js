// Bodies that move in the second built-in level: as scenes have them, so that a walk among them replays.

/** A lift, a turntable and a door beside the spawn of the courtyard. */
export function machines() {
  const turn = (degrees) => {
    const half = (degrees * Math.PI) / 360;
    return { x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) };
  };
  const still = { x: 0, y: 0, z: 0, w: 1 };
  const rise = (y) => ({ x: -3.5, y, z: -7.5 });
  const slide = (x) => ({ x, y: 1, z: -8.5 });
  return [
    {
      name: 'lift',
      half: { x: 1, y: 0.1, z: 1 },
      frames: [[0, rise(0.1)], [1, rise(0.1)], [4, rise(3)], [5, rise(3)], [8, rise(0.1)]],
    },
    {
      name: 'turntable',
      half: { x: 1.4, y: 0.06, z: 1.4 },
      frames: [0, 1, 2, 3, 4].map((i) => [1.5 * i, { x: 1.8, y: 0.06, z: -7 }, turn(90 * i)]),
    },
    { name: 'ram', half: { x: 0.6, y: 0.6, z: 0.3 }, frames: [[0, slide(-0.5)], [2, slide(1.2)], [4, slide(-0.5)]] },
  ].map(({ name, half, frames }) => ({
    name,
    half,
    frames: frames.map(([time, position, rotation = still]) => ({ time, position, rotation })),
  }));
}
