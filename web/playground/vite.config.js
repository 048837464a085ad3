// Two builds of one page: a folder of static files, and one HTML file that opens from disk (`--mode single`).
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(({ mode }) => {
  const isSingle = mode === 'single';
  const single = [
    { find: /^carom$/, replacement: here('../package/dist/inline.js') },
    { find: './start-worker.js', replacement: here('./src/start-worker-single.js') },
  ];
  return {
    root: here('.'),
    base: './',
    resolve: { alias: isSingle ? single : [] },
    plugins: isSingle ? [viteSingleFile()] : [],
    worker: { format: isSingle ? 'iife' : 'es' },
    build: {
      target: 'es2022',
      outDir: here(isSingle ? './dist/single' : './dist/site'),
      emptyOutDir: true,
      chunkSizeWarningLimit: 4000,
    },
  };
});
