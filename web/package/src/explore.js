// Explores a level in a Worker.
import { coded } from './raw.js';
import { startWorker } from './start-worker.js';

export { presets } from './presets.js';

/** Walks a whole level with the character of some rules. The types say what goes in and comes out. */
export function explore(level, rules = {}, options = {}) {
  const { onProgress, signal, finishEarly } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    Promise.resolve((options.worker ?? startWorker)()).then((worker) => {
      const listeners = new AbortController();
      const end = () => {
        listeners.abort();
        worker.terminate();
      };
      const fail = (error) => {
        end();
        reject(error);
      };
      const hear = ({ data }) => {
        if (data.kind === 'progress') onProgress?.(data);
        else if (data.kind === 'error') fail(coded(data.code, data.message));
        else if (data.kind === 'done') {
          end();
          const files = new Map(data.files);
          files.set('report.json', new TextEncoder().encode(data.text));
          resolve({ report: JSON.parse(data.text), text: data.text, files, ways: data.ways });
        }
      };
      const broken = (event) => {
        fail(coded('WORKER_FAILED', event.message || 'the Worker of the exploration could not run'));
      };
      if (worker.addEventListener) {
        worker.addEventListener('message', hear, { signal: listeners.signal });
        worker.addEventListener('error', broken, { signal: listeners.signal });
      } else {
        worker.on('message', (data) => hear({ data }));
        worker.on('error', broken);
      }
      const once = { once: true, signal: listeners.signal };
      signal?.addEventListener('abort', () => fail(signal.reason), once);
      const finish = () => worker.postMessage({ kind: 'finish' });
      if (finishEarly?.aborted) finish();
      else finishEarly?.addEventListener('abort', finish, once);
      worker.postMessage({ kind: 'start', level: level.source ?? level, rules: plain(rules) });
    }, reject);
  });
}

/** Rules that can be sent: a shape as its numbers, spawns as theirs. */
function plain(rules) {
  const { shape, spawns, ...numbers } = rules;
  return {
    ...numbers,
    shape: shape?.spec ?? shape,
    spawns: spawns?.flatMap((spawn) => [spawn.x, spawn.y, spawn.z]) ?? [],
  };
}
