// The events of a tick and their reasons: numbers of the module to events, events to words.

const STAGES = ['probe', 'depenetrate', 'walk', 'step', 'snap', 'fall'];
const DECISIONS = [
  'stands on walkable ground',
  'stands still: no desired velocity, and friction holds it',
  'jumps',
  'leaves the ground',
  'climbs a step',
  'cannot step: too high, nothing to stand on behind the edge, or no room above it',
  'goes down to the ground',
  'returns to the last free position: it found no way out',
  'is crushed from several sides, and stays',
  'refuses: the input or the motion is not finite or too large',
];

/** The events of a trace, in order. */
export function events(numbers) {
  const list = [];
  let at = 0;
  const next = () => numbers[at++];
  const vector = () => ({ x: next(), y: next(), z: next() });
  while (at < numbers.length) {
    switch (next()) {
      case 0:
        list.push({ kind: 'stage', stage: STAGES[next()] });
        break;
      case 1:
        list.push({ kind: 'sweep', from: vector(), translation: vector(), free: next(), body: next(), part: next() });
        break;
      case 2: {
        const [wanted, motion, count] = [vector(), vector(), next()];
        const plane = () => ({ body: next(), part: next(), normal: vector(), bound: next() });
        list.push({ kind: 'solved', wanted, motion, planes: Array.from({ length: count }, plane) });
        break;
      }
      case 3:
        list.push({ kind: 'crushed' });
        break;
      default: {
        const [number, amount, normal] = [next(), next(), vector()];
        list.push({ kind: 'decided', decision: DECISIONS[number], amount, normal });
      }
    }
  }
  return list;
}

/** Why a character did not go where it wanted to, in a sentence or two; empty if it did. */
export function why(trace, name = (body) => (body <= -2 ? `character ${-2 - body}` : `body ${body}`)) {
  const solved = trace.findLast((event) => event.kind === 'solved' && event.planes.length > 0);
  const decided = trace.filter((event) => event.kind === 'decided').map((event) => event.decision);
  const refusal = decided.findLast((decision) => /cannot|crushed|refuses|put back/.test(decision));
  const words = [];
  if (solved && length(solved.motion) < 0.99 * length(solved.wanted)) {
    const share = Math.round((100 * length(solved.motion)) / length(solved.wanted));
    const planes = solved.planes.map((plane) => `${name(plane.body)}, ${lean(plane.normal)}`);
    words.push(`${share} % of the way is left by ${planes.join(' and by ')}.`);
  }
  if (refusal) words.push(`It ${refusal}.`);
  return words.join(' ');
}

function lean(normal) {
  const degrees = Math.round((Math.acos(Math.max(-1, Math.min(1, normal.y))) * 180) / Math.PI);
  if (degrees > 135) return 'a ceiling';
  if (degrees > 80 && degrees < 100) return 'a wall';
  return `a slope of ${degrees}°`;
}

function length(v) {
  return Math.hypot(v.x, v.y, v.z);
}
