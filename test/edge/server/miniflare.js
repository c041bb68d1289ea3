// Runs under a newer Node than the tests: `<worker> <port> [<binding> <class of Durable Objects>]`. Prints the URL.
import { readFileSync } from 'node:fs';
import { URL } from 'node:url';
import { Miniflare } from 'miniflare';

const [, , worker, port, binding, className] = process.argv;
const miniflare = new Miniflare({
  modules: true,
  script: readFileSync(worker, 'utf8'),
  compatibilityDate: '2026-01-01',
  host: '127.0.0.1',
  port: Number(port),
  ...(binding && { durableObjects: { [binding]: className } }),
});
console.log(new URL('/mcp', await miniflare.ready).href);
process.on('SIGTERM', () => void miniflare.dispose().then(() => process.exit()));
