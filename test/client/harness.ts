import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import {
  type ClientTransport,
  createTaskClient,
  type TaskClient,
  type TaskClientOptions,
} from '../../runtime/client/index.js';
import { httpTransport } from '../../runtime/client/transports/http.js';
import { PROTOCOL_VERSIONS, REVISIONS } from '../../runtime/protocol.js';
import type { Dialect, JsonObject } from '../../runtime/tasks/index.js';
import { pipedTo } from '../support/stdio.js';
import { type Message, RESOURCE, type Rig, tokenOf } from '../server/support.js';

export type { Dialect };
export type Kind = 'stdio' | 'http';

/** Both dialects over both transports. */
export const WAYS: readonly (readonly [Dialect, Kind])[] = [
  ['core', 'stdio'],
  ['core', 'http'],
  ['ext', 'stdio'],
  ['ext', 'http'],
];

/** The messages of a connection in both directions. */
export interface Traffic {
  readonly sent: Message[];
  readonly got: Message[];
}

export interface Connected extends Traffic {
  readonly tasks: TaskClient;
  /** The errors that `onError` got. */
  readonly problems: Error[];
}

/** A connected task client. */
export async function connect(
  transport: ClientTransport,
  dialect: Dialect,
  options: Partial<TaskClientOptions> = {},
): Promise<Connected> {
  const traffic: Traffic = { sent: [], got: [] };
  const problems: Error[] = [];
  const tasks = createTaskClient({
    name: 'test',
    version: '1',
    revisions: PROTOCOL_VERSIONS.filter((each) => REVISIONS[each].dialect === dialect),
    onError: (error) => problems.push(error),
    ...options,
  });
  await tasks.connect(recorded(transport, traffic));
  onTestFinished(() => tasks.close());
  return { tasks, problems, ...traffic };
}

/** The transport with recorded messages. */
function recorded(transport: ClientTransport, { sent, got }: Traffic): ClientTransport {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    // As on the wire.
    sent.push(JSON.parse(JSON.stringify(message)) as Message);
    return send(message, options);
  };
  return new Proxy(transport, {
    set(target, name, value) {
      if (name !== 'onmessage') return Reflect.set(target, name, value, target);
      const receive = value as NonNullable<ClientTransport['onmessage']>;
      target.onmessage = (message, extra) => {
        got.push(message);
        receive(message, extra);
      };
      return true;
    },
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A transport to a server of this repository, without a network. */
export function transportTo({ server, http }: Rig, kind: Kind): ClientTransport {
  if (kind === 'stdio') {
    return pipedTo(server);
  }
  return httpTransport(new URL(RESOURCE), {
    headers: { host: 'localhost', authorization: `Bearer ${tokenOf('ann')}` },
    fetch: (url, init) => http.fetch(new Request(url, init)),
  });
}

/** The answer of a scripted server: a result, `{ code, message }` for an error, or undefined for none. */
export type Script = (request: Message, times: number) => JsonObject | undefined;

export interface Peer {
  /** The transport for the client. */
  readonly transport: ClientTransport;
  /** Requests of the client so far, by method. */
  readonly requests: (method: string) => readonly Message[];
  say(method: string, params: JsonObject): void;
  /** Answers a request that the script left open. */
  answer(id: Message['id'], result: JsonObject): void;
  /** Sends a request to the client; resolves with its response. */
  ask(method: string, params: JsonObject, id?: string): Promise<Message>;
  close(): Promise<void>;
}

export interface PeerOptions {
  readonly dialect: Dialect;
  readonly capabilities?: JsonObject;
  readonly tools?: readonly JsonObject[];
  /** How long the list of tools is fresh, and for whom. */
  readonly hints?: JsonObject;
}

/** The tool of every scripted server. */
export const TOOL = {
  name: 'work',
  inputSchema: { type: 'object' },
  execution: { taskSupport: 'optional' },
};

/** A scripted server, which answers correctly, wrongly or not at all. */
export function peer(script: Script, options: PeerOptions): Peer {
  const { dialect } = options;
  const capabilities = options.capabilities ?? {
    tools: {},
    ...(dialect === 'core'
      ? { tasks: { cancel: {}, requests: { tools: { call: {} } } } }
      : { extensions: { [EXTENSION_ID]: {} } }),
  };
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  const requests: Message[] = [];
  const waiting = new Map<unknown, (response: Message) => void>();

  function respond(request: Message): JsonObject | undefined {
    const { method = '' } = request;
    if (method === 'initialize') {
      return {
        protocolVersion: '2025-11-25',
        capabilities,
        serverInfo: { name: 'peer', version: '1' },
      };
    }
    if (method === 'server/discover') {
      return {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities,
        ttlMs: 0,
        cacheScope: 'private',
      };
    }
    if (method === 'tools/list') {
      const { tools = [TOOL], hints = { ttlMs: 0, cacheScope: 'private' } } = options;
      return dialect === 'core' ? { tools } : { resultType: 'complete', tools, ...hints };
    }
    return script(request, requests.filter((each) => each.method === method).length);
  }

  const send = (message: JsonObject): void => {
    setImmediate(() => {
      theirs.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage).catch(() => undefined);
    });
  };
  theirs.onmessage = (incoming) => {
    const message = incoming as Message;
    if (message.method === undefined) return waiting.get(message.id)?.(message);
    if (message.id === undefined) return;
    requests.push(message);
    const given = respond(message);
    if (given === undefined) return;
    send({
      id: message.id,
      ...(typeof given['code'] === 'number' ? { error: given } : { result: given }),
    });
  };
  void theirs.start();

  return {
    transport: mine,
    requests: (method) => requests.filter((each) => each.method === method),
    say: (method, params) => send({ method, params }),
    answer: (id, result) => send({ id, result }),
    ask(method, params, id = `ask-${waiting.size}`) {
      send({ id, method, params });
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    close: () => theirs.close(),
  };
}

const NOW = '2026-01-01T00:00:00Z';

export function coreTask(status: string, more: JsonObject = {}): JsonObject {
  return {
    taskId: 'one',
    status,
    createdAt: NOW,
    lastUpdatedAt: NOW,
    ttl: 60_000,
    pollInterval: 1,
    ...more,
  };
}

export function extTask(status: string, more: JsonObject = {}): JsonObject {
  return {
    resultType: 'complete',
    taskId: 'one',
    status,
    createdAt: NOW,
    lastUpdatedAt: NOW,
    ttlMs: 60_000,
    pollIntervalMs: 1,
    ...more,
  };
}

export const RESULT: JsonObject = { content: [{ type: 'text', text: 'done' }] };
