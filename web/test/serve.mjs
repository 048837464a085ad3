// A server of static files, for tests and for looking at the playground.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json' };

/** Serves a folder; resolves to its address and a way to close it. */
export function serve(folder, port = 0) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    const file = join(folder, normalize(path.endsWith('/') ? `${path}index.html` : path));
    try {
      if (!file.startsWith(folder + sep)) throw new Error('outside');
      const bytes = await readFile(file);
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end('not found');
    }
  });
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }));
  });
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const folder = new URL('../playground/dist/site', import.meta.url).pathname;
  const { url } = await serve(folder, Number(process.argv[2] ?? 8000));
  console.log(`The playground is at ${url}`);
}
