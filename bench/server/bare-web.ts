import type { Server } from 'node:http';

import { createAdaptorServer } from '@hono/node-server';

import { DONE } from './offered.js';
import { listening } from './sessions.js';

/** The limit of the web-standard adapter: the same bridge, and a handler that parses a request and answers. */
export function startBareWeb(): Promise<string> {
  const fetch = async (request: Request): Promise<Response> => {
    const { id } = (await request.json()) as { id: unknown };
    return Response.json({ jsonrpc: '2.0', id, result: DONE });
  };
  return listening(createAdaptorServer({ fetch }) as Server);
}
