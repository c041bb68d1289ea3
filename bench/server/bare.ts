import { createServer } from 'node:http';

import { listening } from './sessions.js';

/** The limit: Node's HTTP server, which parses a request's JSON and answers with a result. */
export function startBare(): Promise<string> {
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown };
      const result = { content: [{ type: 'text', text: 'done' }] };
      const body = JSON.stringify({ jsonrpc: '2.0', id, result });
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
  });
  return listening(http);
}
