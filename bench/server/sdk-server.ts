import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

import {
  DONE,
  GREETING,
  greetingOf,
  PROMPT,
  QUESTION,
  resourcesOf,
  TIMES,
  TOOL,
} from './offered.js';

export interface SdkOptions {
  /** Whether the client has no session: a question is then part of a result. */
  readonly isModern: boolean;
  /** Tells the clients that follow the item. */
  readonly updated: (uri: string) => void;
}

/** A server instance of SDK v2, as in its documentation. */
export function sdkServer({ isModern, updated }: SdkOptions): McpServer {
  const server = new McpServer(
    { name: 'sdk', version: '1' },
    { capabilities: { resources: { subscribe: true } } },
  );
  server.registerTool(TOOL.plain, { inputSchema: EMPTY }, () => DONE);
  server.registerTool(TOOL.steps, { inputSchema: EMPTY }, async (_, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    if (progressToken === undefined) return DONE;
    for (let progress = 1; progress <= TIMES; progress += 1) {
      const params = { progressToken, progress, total: TIMES };
      await ctx.mcpReq.notify({ method: 'notifications/progress', params });
    }
    return DONE;
  });
  server.registerTool(TOOL.ask, { inputSchema: EMPTY }, async (_, ctx) => {
    if (!isModern) {
      const { content } = await ctx.mcpReq.elicitInput(FORM, {
        relatedRequestId: ctx.mcpReq.id,
      });
      return greeted(content?.['name']);
    }
    const given = acceptedContent(ctx.mcpReq.inputResponses, 'name', ANSWER);
    if (given !== undefined) return greeted(given.name);
    return inputRequired({ inputRequests: { name: inputRequired.elicit(FORM) } });
  });
  server.registerTool(TOOL.touch, { inputSchema: ITEM }, ({ uri }) => {
    for (const each of resourcesOf(uri)) updated(each);
    return DONE;
  });
  const { name, uri, mimeType, text } = GREETING;
  server.registerResource(name, uri, { mimeType }, ({ href }) => ({
    contents: [{ uri: href, mimeType, text }],
  }));
  server.registerPrompt(PROMPT.name, {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: PROMPT.text } }],
  }));
  return server;
}

const EMPTY = z.object({});
const ITEM = z.object({ uri: z.string() });
const ANSWER = z.object({ name: z.string() });
const FORM = {
  message: QUESTION.message,
  requestedSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string' as const } },
    required: ['name'],
  },
};

const greeted = (name: unknown): typeof DONE => ({
  content: [{ type: 'text', text: greetingOf(name) }],
});
