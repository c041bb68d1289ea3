import type { Server } from 'node:http';

import { createAdaptorServer } from '@hono/node-server';
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { HttpTransport } from '@tmcp/transport-http';
import { McpServer } from 'tmcp';
import * as z from 'zod';

import {
  DONE,
  GREETING,
  greetingOf,
  itemUri,
  ITEMS,
  PROMPT,
  QUESTION,
  resourcesOf,
  TIMES,
  TOOL,
} from './offered.js';
import { listening } from './sessions.js';

/** tmcp as in its documentation: one server instance, sessions and requests of 2026-07-28, without authorization. */
export function startTmcp(): Promise<string> {
  const transport = new HttpTransport(tmcpServer(), { path: '/mcp' });
  const fetch = async (request: Request): Promise<Response> =>
    (await transport.respond(request)) ?? new Response(null, { status: 404 });
  return listening(createAdaptorServer({ fetch }) as Server);
}

function tmcpServer(): McpServer<z.ZodType> {
  const server = new McpServer(
    { name: 'tmcp', version: '1', description: 'A server' },
    {
      adapter: new ZodJsonSchemaAdapter(),
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true } },
    },
  );
  const description = 'A tool';
  server.tool({ name: TOOL.plain, description, schema: z.object({}) }, () => DONE);
  server.tool({ name: TOOL.steps, description, schema: z.object({}) }, () => {
    for (let progress = 1; progress <= TIMES; progress += 1) server.progress(progress, TIMES);
    return DONE;
  });
  const asked = z.object({ name: z.string() });
  server.tool({ name: TOOL.ask, description, schema: z.object({}), replayable: true }, async () => {
    const { content } = await server.elicitation(QUESTION.message, asked);
    return { content: [{ type: 'text', text: greetingOf(content?.name) }] };
  });
  server.tool(
    { name: TOOL.touch, description, schema: z.object({ uri: z.string() }) },
    ({ uri }) => {
      for (const each of resourcesOf(uri)) server.changed('resource', each);
      return DONE;
    },
  );
  offerResources(server);
  server.prompt({ name: PROMPT.name, description: 'A prompt' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: PROMPT.text } }],
  }));
  return server;
}

function offerResources(server: McpServer<z.ZodType>): void {
  const { text, mimeType, ...greeting } = GREETING;
  const read = (uri: string): { contents: { uri: string; mimeType: string; text: string }[] } => ({
    contents: [{ uri, mimeType, text }],
  });
  server.resource({ ...greeting, description: 'A resource' }, read);
  for (let index = 0; index < ITEMS; index += 1) {
    for (const uri of resourcesOf(itemUri(index))) {
      server.resource({ name: uri, uri, description: 'Part of an item' }, read);
    }
  }
}
