// Bodies that move: where one is at a time, as a matrix by columns. A body has its poses in order, eight numbers each: time, position,
// rotation. Before the first it is at the first, after the last at the last; with `repeats` time begins again there.
const movedTo = p => new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...p, 1]), STAYS = movedTo([0, 0, 0]);
function poseAt({ way, repeats = false }, t) {
  const end = way[way.length - 8];
  if (repeats && t > end) t %= end;
  let a = 0, b = way.length / 8 - 1;
  while (a < b) { const m = (a + b + 1) >> 1; if (way[8 * m] <= t) a = m; else b = m - 1; }
  const p = 8 * a, q = 8 * Math.min(a + 1, way.length / 8 - 1), span = way[q] - way[p], share = span > 0 ? Math.max(0, Math.min(1, (t - way[p]) / span)) : 0;
  let dot = 0; for (let k = 4; k < 8; k++) dot += way[p + k] * way[q + k];
  // Positions go straight, rotations turn the short way at constant speed.
  const angle = Math.acos(Math.min(1, Math.abs(dot))), arc = s => angle > 1e-4 ? Math.sin(s * angle) / Math.sin(angle) : s, [from, to] = [arc(1 - share), arc(share) * (dot < 0 ? -1 : 1)];
  let [x, y, z, w] = [4, 5, 6, 7].map(k => way[p + k] * from + way[q + k] * to); const long = Math.hypot(x, y, z, w) || 1; x /= long; y /= long; z /= long; w /= long;
  return new Float32Array([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0, 2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
    2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0, ...[1, 2, 3].map(k => way[p + k] * (1 - share) + way[q + k] * share), 1]);
}
