import { examine } from '../../contracts/doctor/index.js';
import type { Calls, Examination } from '../../contracts/doctor/index.js';
import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import { createTaskClient } from '../../runtime/client/index.js';
import type { ClientTransport } from '../../runtime/client/index.js';
import { DIALECT_VERSIONS, PROTOCOL_VERSIONS, REVISIONS } from '../../runtime/protocol.js';

type Json = Readonly<Record<string, unknown>>;
export type Handler = (params: Json, server: Served) => unknown;
export type Handlers = Readonly<Record<string, Handler | undefined>>;

/** What a handler can do beside answering. */
export interface Served {
  /** Sends a message as it is. */
  readonly send: (message: unknown) => void;
  readonly close: () => void;
}

export class Refusal extends Error {
  constructor(readonly code: number) {
    super('Refused');
  }
}

/** A handler that returns it does not answer. */
export const SILENCE = Symbol('silence');

export const ADD = {
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  annotations: { readOnlyHint: true },
};
export const TEXT = { content: [{ type: 'text', text: 'Done.' }] };

const REMOVE = {
  name: 'remove',
  description: 'Removes the last sum.',
  inputSchema: { type: 'object', properties: {} },
};

const onePage =
  (member: string, entries: readonly unknown[]): Handler =>
  ({ cursor }) => {
    if (cursor !== undefined) throw new Refusal(-32602);
    return { [member]: entries };
  };

/** A server of sessions without a fault. */
export const GOOD: Handlers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: (PROTOCOL_VERSIONS as readonly unknown[]).includes(protocolVersion)
      ? protocolVersion
      : DIALECT_VERSIONS.core,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'good', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': onePage('tools', [ADD, REMOVE]),
  'tools/call': ({ name, arguments: given }) => {
    const isSum = ['a', 'b'].every((key) => typeof (given as Json)[key] === 'number');
    if (name === REMOVE.name || (name === ADD.name && isSum)) return TEXT;
    throw new Refusal(-32602);
  },
  'prompts/list': onePage('prompts', [{ name: 'greet' }]),
  'resources/list': onePage('resources', [{ name: 'notes', uri: 'note://today' }]),
  'resources/templates/list': onePage('resourceTemplates', []),
  'prompts/get': () => {
    throw new Refusal(-32602);
  },
  'resources/read': () => {
    throw new Refusal(-32002);
  },
};

export interface Options {
  readonly calls?: Calls;
  readonly seed?: number;
  readonly secrets?: readonly string[];
}

/** Examines a server with these handlers, which replace those of the good one. */
export async function examined(own: Handlers = {}, options: Options = {}): Promise<Examination> {
  const handlers = { ...GOOD, ...own };
  return await examine({
    ...{ server: 'test', secrets: [], calls: 'read-only', seed: 0, ...options },
    protocols: PROTOCOLS,
    patience: 300,
    async open(revision, watch, work) {
      const client = createTaskClient({
        ...{ name: 'doctor', version: '1.0.0', onError: () => undefined },
        ...(revision && { revisions: [revision] }),
      });
      try {
        await client.connect(watch.through(serving(handlers)), { timeout: 1_000 });
        return await work(client);
      } finally {
        await client.close();
      }
    },
  });
}

/** The answer to a message; none for a notification, or for a handler that is silent. */
export async function answerOf(
  handlers: Handlers,
  { id, method, params = {} }: Json,
  server: Served,
): Promise<object | undefined> {
  const handler = handlers[method as string];
  const jsonrpc = '2.0';
  if (id === undefined) return void handler?.(params as Json, server);
  try {
    if (!handler) throw new Refusal(-32601);
    const result = await handler(params as Json, server);
    return result === SILENCE ? undefined : { jsonrpc, id, result };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { jsonrpc, id, error: { code: error.code, message: error.message } };
  }
}

/** The client's end of a connection to a server of these handlers. */
function serving(handlers: Handlers): ClientTransport {
  const server: Served = {
    send: (message) => setImmediate(() => transport.onmessage?.(message as never)),
    close: () => transport.onclose?.(),
  };
  const transport: ClientTransport = {
    kind: 'pipe',
    start: () => Promise.resolve(),
    close: () => Promise.resolve(transport.onclose?.()),
    async send(message: Json) {
      const answer = await answerOf(handlers, message, server);
      if (answer) server.send(answer);
    },
  };
  return transport;
}

/** The revisions that the good server accepts, newest first. */
export const SESSIONS = PROTOCOL_VERSIONS.filter((each) => REVISIONS[each].dialect === 'core');
