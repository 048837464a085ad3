// The Worker's side of an exploration: a slice of work, then a look at what was asked.
import { use } from './raw.js';
import { readLevel } from './level.js';
import { Shape } from './shape.js';

/** How long a slice is, in milliseconds. */
const SLICE = 40;
const NUMBERS = ['speed', 'jump', 'stepHeight', 'maxSlopeDegrees', 'gravity', 'airControl', 'airSteps', 'cell', 'minArea'];

/** Serves one exploration. `load` starts the module; `send` posts an answer; returns the handler of messages. */
export function serve(glue, load, send) {
  let mustFinish = false;
  return async (message) => {
    if (message.kind === 'finish') {
      mustFinish = true;
      return;
    }
    try {
      const started = performance.now();
      use(glue, await load());
      const level = readLevel(glue, message.level);
      const { rules } = message;
      const shape = rules.shape ? new Shape(rules.shape) : undefined;
      const numbers = new Float64Array(NUMBERS.map((name) => Number(rules[name] ?? NaN)));
      const spawns = new Float64Array(rules.spawns);
      const work = new glue.RawExploration(level, rules.preset ?? '', shape?.raw, numbers, spawns);
      const [cell, halfHeight] = work.measures();
      let sent = 0;
      let more = true;
      while (more) {
        if (mustFinish) work.stop();
        const until = performance.now() + SLICE;
        while (more && performance.now() < until) more = work.advance();
        const [places, done, expected, area, ticks] = work.progress();
        const newPlaces = work.places(sent, places - sent);
        sent = places;
        const alarms = work.alarms();
        const seconds = (performance.now() - started) / 1000;
        const state = { kind: 'progress', places, done, expected, area, ticks, seconds, cell, halfHeight };
        send({ ...state, newPlaces, alarms }, [newPlaces.buffer, alarms.buffer]);
        await turn();
      }
      send({ kind: 'progress', judging: true }, []);
      await turn();
      const text = work.finish((performance.now() - started) / 1000);
      const { files: names, findings } = JSON.parse(text);
      const files = names.slice(1).map((name) => [name, work.file(name)]);
      const ways = findings.map((_, i) => work.way(i));
      const owned = [...files.map(([, bytes]) => bytes.buffer), ...ways.map((way) => way.buffer)];
      send({ kind: 'done', text, files, ways }, owned);
    } catch (error) {
      const code = error?.code ?? (error instanceof WebAssembly.RuntimeError ? 'OUT_OF_MEMORY' : 'UNKNOWN');
      send({ kind: 'error', code, message: String(error?.message ?? error) }, []);
    }
  };
}

/** Lets messages come in. A channel, because timers wait. */
function turn() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
