import { app } from './app.js';
import { REVISIONS } from './revisions.js';

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (at: { port: number }) => void },
    handler: (request: Request) => Promise<Response>,
  ): void;
};

const onListen = ({ port }: { port: number }): void =>
  console.log(`http://127.0.0.1:${String(port)}/mcp`);
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, app(REVISIONS));
