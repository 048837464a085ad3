// A place to begin: a named point, or the roomiest place of the largest floor.
import { Shape } from 'carom';

const SPAWN = /spawn|player_?start|start/i;
/** Columns each way, and how far is far enough to walk. */
const COLUMNS = 24;
const ROOM = 6;

/** A center for the body, or null if it can stand nowhere. */
export function findSpawn(world, shape, level, bounds) {
  const height = shape.halfHeight;
  const stands = (x, y, z) => {
    const fall = world.cast(shape, { x, y: y + 0.05, z }, { x: 0, y: -Math.max(3 * height, 3), z: 0 });
    if (!fall || fall.startOverlap || fall.normal.y < 0.7) return null;
    const drop = Math.max(3 * height, 3) * fall.fraction;
    return { x, y: y + 0.05 - drop + 0.002, z };
  };
  const given = level.mesh.spawns();
  for (const { x, y, z } of given) {
    const place = stands(x, y, z);
    if (place) return { x, y: Math.max(y, place.y), z };
  }
  for (const { name, position } of level.mesh.landmarks().filter((landmark) => SPAWN.test(landmark.name))) {
    const place = stands(position.x, position.y, position.z) ?? stands(position.x, position.y + height, position.z);
    if (place) return { ...place, name };
  }
  return roomiest(world, shape, bounds, stands);
}

function roomiest(world, shape, { min, max }, stands) {
  const places = [];
  const ray = Shape.point();
  const [width, depth] = [max.x - min.x, max.z - min.z];
  const deep = max.y - min.y + 2;
  for (let i = 0; i < COLUMNS; i += 1) {
    for (let j = 0; j < COLUMNS; j += 1) {
      // Off the middle, so that no column runs along an edge of a grid.
      const x = min.x + (width * (i + 0.513)) / COLUMNS;
      const z = min.z + (depth * (j + 0.487)) / COLUMNS;
      let y = max.y + 1;
      for (let layer = 0; layer < 12; layer += 1) {
        const hit = world.raycast({ x, y, z }, { x: 0, y: -deep, z: 0 });
        if (!hit) break;
        y = hit.point.y - 0.01;
        if (hit.normal.y < 0.7) continue;
        const place = stands(x, hit.point.y + shape.halfHeight, z);
        if (place) places.push(place);
      }
    }
  }
  ray.dispose();
  if (places.length === 0) return null;
  // The storey with the most places, then the place with the most room.
  const storey = (place) => Math.round(place.y);
  const counts = new Map();
  for (const place of places) counts.set(storey(place), (counts.get(storey(place)) ?? 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1])[0][0];
  const middle = { x: (min.x + max.x) / 2, z: (min.z + max.z) / 2 };
  const size = Math.hypot(width, depth);
  const score = (place) => {
    let free = 0;
    for (let k = 0; k < 8; k += 1) {
      const angle = (k * Math.PI) / 4;
      const way = { x: ROOM * Math.cos(angle), y: 0, z: ROOM * Math.sin(angle) };
      free += world.cast(shape, { ...place, y: place.y + 0.1 }, way)?.fraction ?? 1;
    }
    return free - (4 * Math.hypot(place.x - middle.x, place.z - middle.z)) / size;
  };
  const same = places.filter((place) => storey(place) === most);
  return same.map((place) => [score(place), place]).sort((a, b) => b[0] - a[0])[0][1];
}
