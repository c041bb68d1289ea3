import { app } from './app.js';
import { REVISIONS } from './revisions.js';

declare const Bun: {
  serve(options: {
    hostname: string;
    port: number;
    idleTimeout: number;
    fetch: (request: Request) => Promise<Response>;
  }): { readonly port: number };
};

// Bun ends streams on which nothing was sent for 10 s. Comments come each 15 s.
const { port } = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 0,
  fetch: app(REVISIONS),
});
console.log(`http://127.0.0.1:${String(port)}/mcp`);
