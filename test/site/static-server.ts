import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** A host of static sites on a free port: `/docs/tasks` is `docs/tasks.html`. */
export async function serveFolder(folder: string, base: string) {
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const path = normalize(decodeURIComponent(pathname));
    const below = path.startsWith(base) ? join(folder, path.slice(base.length)) : folder;
    const file = [below, `${below}.html`, join(below, 'index.html')].find(
      (each) => existsSync(each) && statSync(each).isFile(),
    );
    const found = file ?? join(folder, '404.html');
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': TYPES[extname(found)] ?? 'text/plain; charset=utf-8',
    });
    response.end(readFileSync(found));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}${base}`,
    close: () => new Promise<unknown>((done) => server.close(done)),
  };
}
