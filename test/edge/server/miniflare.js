// Runs under a newer Node than the tests. The worker is its first argument; prints the URL.
import { readFileSync } from 'node:fs';
import { URL } from 'node:url';
import { Miniflare } from 'miniflare';

const miniflare = new Miniflare({
  modules: true,
  script: readFileSync(process.argv[2], 'utf8'),
  compatibilityDate: '2026-01-01',
  host: '127.0.0.1',
  port: 0,
  durableObjects: { PLACE: 'Place' },
});
console.log(new URL('/mcp', await miniflare.ready).href);
process.on('SIGTERM', () => void miniflare.dispose().then(() => process.exit()));
