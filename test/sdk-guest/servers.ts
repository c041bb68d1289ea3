import {
  McpServer as McpServerV1,
  ResourceTemplate as TemplateV1,
} from '@modelcontextprotocol/sdk/server/mcp.js';
import { completable as completableV1 } from '@modelcontextprotocol/sdk/server/completable.js';
import {
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import * as newest from '@modelcontextprotocol/server';
import * as oldest from 'sdk-server-oldest';
import * as z from 'zod';

/** Servers of the SDK's versions, which have the same. */

export const INFO = { name: 'library', version: '3.0.0' };

/** What a handler may do, whichever version of the SDK it is of. */
export interface Doing {
  readonly progressToken: string | number | undefined;
  readonly signal: AbortSignal;
  readonly caller: unknown;
  readonly sessionId: string | undefined;
  readonly header: (name: string) => string | undefined;
  readonly notify: (method: string, params: object) => Promise<void>;
  readonly log: (data: string) => Promise<void>;
  readonly ask: (method: string, params: object) => Promise<unknown>;
}

/** The server, and what tests do with it. */
export interface Library {
  readonly server: {
    connect(transport: never): Promise<void>;
    close(): Promise<void>;
  };
  /** Adds a tool while clients are connected. */
  addTool(name: string): void;
  updated(uri: string): void;
  readonly subscribed: ReadonlySet<string>;
  /** Names of calls whose signal was aborted. */
  readonly cancelled: string[];
  readonly initialized: () => boolean;
  readonly clientCapabilities: () => unknown;
}

type Run = (args: Record<string, unknown>, doing: Doing) => Promise<object>;

const text = (value: string): object => ({ content: [{ type: 'text', text: value }] });

const FORM = {
  message: 'Which shelf?',
  requestedSchema: { type: 'object', properties: { shelf: { type: 'string' } } },
};

/** What every library's tools do. */
function toolsOf(cancelled: string[]): Record<string, { shape: z.ZodRawShape; run: Run }> {
  return {
    find: {
      shape: { title: z.string() },
      run: ({ title }) => Promise.resolve(text(`${String(title)} is on shelf 7`)),
    },
    count: {
      shape: { by: z.number().int().optional() },
      run: ({ by = 1 }) =>
        Promise.resolve({ ...text(String(by)), structuredContent: { count: by } }),
    },
    broken: { shape: {}, run: () => Promise.reject(new Error('The shelf fell')) },
    blocks: {
      shape: {},
      run: () =>
        Promise.resolve({
          content: [
            { type: 'text', text: 'see' },
            { type: 'image', data: 'aGk=', mimeType: 'image/png' },
            { type: 'resource', resource: { uri: 'library://rules', text: 'Be quiet' } },
          ],
          _meta: { shelf: 7 },
        }),
    },
    slow: {
      shape: { steps: z.number() },
      async run({ steps }, { progressToken, notify }) {
        for (let step = 1; step <= Number(steps); step += 1) {
          if (progressToken === undefined) break;
          await notify('notifications/progress', { progressToken, progress: step, total: steps });
        }
        return text('done');
      },
    },
    wait: {
      shape: { name: z.string() },
      run: ({ name }, { signal, progressToken, notify }) =>
        new Promise((resolve) => {
          if (progressToken !== undefined) {
            void notify('notifications/progress', { progressToken, progress: 1 });
          }
          signal.addEventListener('abort', () => {
            cancelled.push(String(name));
            resolve(text('cancelled'));
          });
        }),
    },
    where: {
      shape: {},
      async run(_args, { ask }) {
        return text(JSON.stringify(await ask('elicitation/create', FORM)));
      },
    },
    think: {
      shape: {},
      async run(_args, { ask }) {
        const messages = [{ role: 'user', content: { type: 'text', text: 'Hm' } }];
        const answer = await ask('sampling/createMessage', { messages, maxTokens: 5 });
        return text(JSON.stringify(answer));
      },
    },
    roots: {
      shape: {},
      run: async (_args, { ask }) => text(JSON.stringify(await ask('roots/list', {}))),
    },
    whoami: {
      shape: {},
      run: (_args, { caller, sessionId, header }) =>
        Promise.resolve(
          text(
            JSON.stringify({
              caller,
              hasSession: sessionId !== undefined,
              agent: header('user-agent'),
            }),
          ),
        ),
    },
    chat: {
      shape: { lines: z.number() },
      async run({ lines }, { log }) {
        for (let line = 1; line <= Number(lines); line += 1) await log(`line ${line}`);
        return text('logged');
      },
    },
  };
}

const RULES = { uri: 'library://rules', name: 'rules' };
const CAPABILITIES = {
  capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
  instructions: 'Ask for books.',
};

export function libraryV1(): Library {
  const mcp = new McpServerV1(INFO, CAPABILITIES);
  const cancelled: string[] = [];
  const subscribed = new Set<string>();
  let initialized = false;
  mcp.server.oninitialized = () => (initialized = true);
  for (const [name, { shape, run }] of Object.entries(toolsOf(cancelled))) {
    mcp.registerTool(name, { description: name, inputSchema: shape }, (async (
      args: Record<string, unknown>,
      extra: never,
    ) => run(args, doingV1(extra, mcp))) as never);
  }
  mcp.registerPrompt(
    'greet',
    { argsSchema: { who: completableV1(z.string(), (value) => [`${value}1`, `${value}2`]) } },
    ({ who }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Hi ${who}` } }] }),
  );
  mcp.registerResource('rules', RULES.uri, {}, (uri) => ({
    contents: [{ uri: uri.href, text: 'Be quiet' }],
  }));
  mcp.registerResource(
    'book',
    new TemplateV1('library://books/{id}', {
      list: () => ({ resources: [{ name: 'one', uri: 'library://books/1' }] }),
      complete: { id: (value) => [`${value}0`] },
    }),
    {},
    (uri, { id }) => ({ contents: [{ uri: uri.href, text: `Book ${String(id)}` }] }),
  );
  mcp.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  mcp.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  return {
    server: mcp,
    cancelled,
    subscribed,
    initialized: () => initialized,
    clientCapabilities: () => mcp.server.getClientCapabilities(),
    addTool: (name) => void mcp.registerTool(name, {}, () => text('new') as never),
    updated: (uri) => void mcp.server.sendResourceUpdated({ uri }),
  };
}

interface ExtraV1 {
  readonly _meta?: { readonly progressToken?: string | number };
  readonly signal: AbortSignal;
  readonly authInfo?: unknown;
  readonly sessionId?: string;
  readonly requestInfo?: { readonly headers: Record<string, string> };
  sendNotification(notification: object): Promise<void>;
  sendRequest(request: object, schema: object): Promise<unknown>;
}

function doingV1(extra: ExtraV1, mcp: McpServerV1): Doing {
  return {
    progressToken: extra._meta?.progressToken,
    signal: extra.signal,
    caller: extra.authInfo,
    sessionId: extra.sessionId,
    header: (name) => extra.requestInfo?.headers[name],
    notify: (method, params) => extra.sendNotification({ method, params }),
    log: (data) => mcp.sendLoggingMessage({ level: 'info', data }, extra.sessionId),
    ask: (method, params) => extra.sendRequest({ method, params }, z.looseObject({})),
  };
}

export const libraryV2 = (): Library => libraryOf(newest);
export const libraryOldest = (): Library => libraryOf(oldest as unknown as typeof newest);

function libraryOf({ McpServer, ResourceTemplate, completable }: typeof newest): Library {
  const mcp = new McpServer(INFO, CAPABILITIES);
  const cancelled: string[] = [];
  const subscribed = new Set<string>();
  let initialized = false;
  mcp.server.oninitialized = () => (initialized = true);
  for (const [name, { shape, run }] of Object.entries(toolsOf(cancelled))) {
    mcp.registerTool(name, { description: name, inputSchema: z.object(shape) }, (async (
      args: Record<string, unknown>,
      ctx: newest.ServerContext,
    ) => run(args, doingV2(ctx))) as never);
  }
  mcp.registerPrompt(
    'greet',
    {
      argsSchema: z.object({
        who: completable(z.string(), (value) => [`${value}1`, `${value}2`]),
      }),
    },
    ({ who }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Hi ${who}` } }] }),
  );
  mcp.registerResource('rules', RULES.uri, {}, (uri) => ({
    contents: [{ uri: uri.href, text: 'Be quiet' }],
  }));
  mcp.registerResource(
    'book',
    new ResourceTemplate('library://books/{id}', {
      list: () => ({ resources: [{ name: 'one', uri: 'library://books/1' }] }),
      complete: { id: (value) => [`${value}0`] },
    }),
    {},
    (uri, { id }) => ({ contents: [{ uri: uri.href, text: `Book ${String(id)}` }] }),
  );
  mcp.server.setRequestHandler('resources/subscribe', ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  mcp.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  return {
    server: mcp,
    cancelled,
    subscribed,
    initialized: () => initialized,
    clientCapabilities: () => mcp.server.getClientCapabilities(),
    addTool: (name) => void mcp.registerTool(name, {}, () => text('new') as never),
    updated: (uri) => void mcp.server.sendResourceUpdated({ uri }),
  };
}

function doingV2({ mcpReq, sessionId, http }: newest.ServerContext): Doing {
  return {
    progressToken: mcpReq._meta?.progressToken,
    signal: mcpReq.signal,
    caller: http?.authInfo,
    sessionId,
    header: (name) => http?.req?.headers.get(name) ?? undefined,
    notify: (method, params) => mcpReq.notify({ method, params } as never),
    log: (data) => mcpReq.log('info', data),
    ask: (method, params) => mcpReq.send({ method, params } as never),
  };
}

export const LIBRARIES = [
  ['v1', libraryV1],
  ['the oldest v2', libraryOldest],
  ['the newest v2', libraryV2],
] as const;
