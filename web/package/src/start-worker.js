// Starts the Worker of `explore`, which is beside this file.

export async function startWorker() {
  if (typeof Worker === 'function') {
    return new Worker(new URL('./explore-worker.js', import.meta.url), { type: 'module' });
  }
  const threads = await import(/* @vite-ignore */ 'node:worker_threads');
  return new threads.Worker(new URL('./explore-worker.js', import.meta.url));
}
