import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

import {
  type Channel,
  type Exchange,
  type Methods,
  methodsOf,
  Peer,
  ProtocolError,
  rpcError,
} from '../../runtime/peer/index.js';
import {
  META_KEYS,
  PROTOCOL_VERSIONS,
  REVISIONS,
  type RevisionVersion,
} from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { createOperations } from '../../runtime/telemetry/index.js';
import {
  createBacklog,
  createEndpoint,
  openSessions,
  createReceiving,
  type Endpoint,
  type EndpointOptions,
  type Incoming,
  nodeListener,
  type Origin,
  type Served,
  type ServedSession,
  webHandler,
} from '../../runtime/transport/index.js';
import { claimedIn, type Revision, loadRevisions } from '../../runtime/peer/wire/revision.js';
import { ON_DEMAND } from '../../runtime/peer/wire/on-demand.js';

const MIB = 2 ** 20;

export type Who = string;
export type TestOrigin = Origin<Who, TestSession>;
export type TestExchange = Exchange<TestOrigin>;
type Tool = (args: JsonObject, exchange: TestExchange) => JsonObject | Promise<JsonObject>;

export class TestSession implements ServedSession<Who, TestSession> {
  readonly id: string | undefined;
  readonly standalone: Channel;
  readonly peer: Peer<TestOrigin>;
  revision: Revision | undefined;

  constructor(id: string | undefined, standalone: Channel, peer: Peer<TestOrigin>) {
    this.id = id;
    this.standalone = standalone;
    this.peer = peer;
  }

  /** Sends a notification that belongs to no request. */
  async notify(method: string, params: JsonObject): Promise<void> {
    if (this.revision === undefined) throw new Error('no handshake yet');
    await this.peer.notifyOn(this.standalone, this.revision, method, params);
  }
}

export const text = (said: string): JsonObject => ({ content: [{ type: 'text', text: said }] });

/** A server of tools, which say what a test wants, with real peers. */
export class TestServed implements Served<Who, TestSession> {
  readonly versions: readonly RevisionVersion[];
  readonly sessions: TestSession[] = [];
  readonly problems: Error[] = [];
  readonly heard: [string, JsonObject][] = [];
  late = 0;
  schemas: Record<string, JsonObject> = {};
  readonly #tools: Readonly<Record<string, Tool>>;
  readonly #loaded: ReadonlyMap<string, Revision>;
  readonly #methods = new Map<Revision, Methods<TestOrigin>>();

  constructor(
    versions: readonly RevisionVersion[],
    loaded: ReadonlyMap<string, Revision>,
    tools: Readonly<Record<string, Tool>>,
  ) {
    this.versions = versions;
    this.#loaded = loaded;
    this.#tools = tools;
  }

  requests(isPipe: boolean): Peer<TestOrigin> | undefined {
    if (!this.versions.some((version) => REVISIONS[version].dialect === 'ext')) return undefined;
    return this.#peer(isPipe, (message) => {
      if (message['id'] === undefined && claimedIn(message) === undefined) return this.#of('ext');
      return this.#claimed(message);
    });
  }

  openSession(id: string | undefined, standalone: Channel): TestSession {
    const peer = this.#peer(true, (_, { session: own }) => own?.revision ?? this.#of('core'));
    const session = new TestSession(id, standalone, peer);
    this.sessions.push(session);
    return session;
  }

  refuseVersion(message: JsonObject): ProtocolError | undefined {
    const claimed = this.#claimed(message);
    return claimed instanceof ProtocolError ? claimed : undefined;
  }

  inputSchemaOf(tool: string): unknown {
    return this.schemas[tool];
  }

  #of(dialect: 'core' | 'ext'): Revision {
    const version = this.versions.find((each) => REVISIONS[each].dialect === dialect);
    return this.#loaded.get(version ?? '') as Revision;
  }

  #claimed(message: JsonObject): Revision | ProtocolError {
    const revision = this.#loaded.get(String(claimedIn(message)));
    if (revision?.dialect === 'ext') return revision;
    return rpcError(-32022, 'Unsupported protocol version', { supported: this.versions });
  }

  #peer(
    isConversation: boolean,
    revisionOf: (message: JsonObject, origin: TestOrigin) => Revision | ProtocolError,
  ): Peer<TestOrigin> {
    return new Peer({
      other: 'client',
      revisionOf,
      methodsIn: (revision) => this.#methodsIn(revision),
      isConversation,
      operations: createOperations('server'),
      factsOf: () => ({}),
      complete: (result, { revision }) =>
        revision.dialect === 'ext' ? { resultType: 'complete', ...result } : result,
      onNotification: (method, params) => void this.heard.push([method, params]),
      invalidAnswer: ({ message }) => rpcError(-32603, message),
      onLateAnswer: () => void (this.late += 1),
      onProblem: (error) => void this.problems.push(error),
    });
  }

  #methodsIn(revision: Revision): Methods<TestOrigin> {
    let methods = this.#methods.get(revision);
    if (methods === undefined) {
      const rows = {
        initialize: {
          answer: ({ protocolVersion }: JsonObject, { origin }: TestExchange) => {
            const known = this.#loaded.get(String(protocolVersion)) ?? this.#of('core');
            if (origin.session === undefined) throw rpcError(-32600, 'no session');
            origin.session.revision = known;
            const serverInfo = { name: 'test', version: '1' };
            return { protocolVersion: known.version, capabilities: { tools: {} }, serverInfo };
          },
        },
        ping: { answer: () => ({}) },
        'server/discover': {
          answer: () => ({
            supportedVersions: [...this.versions],
            capabilities: {},
            serverInfo: { name: 'test', version: '1' },
            ttlMs: 0,
            cacheScope: 'private',
          }),
        },
        'tools/call': {
          answer: (params: JsonObject, exchange: TestExchange) => {
            const tool = this.#tools[String(params['name'])];
            if (tool === undefined) throw rpcError(-32602, 'Unknown tool');
            return tool((params['arguments'] ?? {}) as JsonObject, exchange);
          },
        },
      };
      methods = methodsOf(revision, 'server', rows, { tools: {} });
      this.#methods.set(revision, methods);
    }
    return methods;
  }
}

export async function served(
  tools: Readonly<Record<string, Tool>> = {},
  versions: readonly RevisionVersion[] = PROTOCOL_VERSIONS,
): Promise<TestServed> {
  const { loaded, load } = await loadRevisions(versions, true, ON_DEMAND);
  await Promise.all(versions.map(load));
  return new TestServed(versions, loaded, tools);
}

export interface Rig {
  readonly served: TestServed;
  readonly endpoint: Endpoint<Who>;
  readonly url: string;
  readonly http: Server;
  readonly problems: unknown[];
  readonly slow: unknown[];
  readonly web: (request: Request) => Promise<Response>;
}

/** A server behind Node's HTTP, whose callers say who they are. */
export async function rig(
  tools: Readonly<Record<string, Tool>> = {},
  options: Partial<EndpointOptions<Who, TestSession>> & {
    readonly versions?: readonly RevisionVersion[];
  } = {},
): Promise<Rig> {
  const problems: unknown[] = [];
  const slow: unknown[] = [];
  const own = await served(tools, options.versions);
  const backlog = createBacklog(64 * MIB);
  const receiving = createReceiving(64 * MIB);
  const endpoint = createEndpoint<Who, TestSession>({
    served: own,
    backlog,
    maxBodyBytes: 4 * MIB,
    maxPendingBytes: 128 * MIB,
    onTooSlow: (owner) => void slow.push(owner),
    ...(own.versions.some((each) => REVISIONS[each].dialect === 'core') && { openSessions }),
    ...options,
  });
  const answer = async (incoming: Incoming) => {
    const who = incoming.header('authorization') ?? 'ann';
    return endpoint.answer(incoming, { who, owner: who, subject: who });
  };
  const onError = (error: unknown): void => void problems.push(error);
  const listener = nodeListener({
    answer,
    refused: (reply) => reply,
    receiving,
    onError,
  });
  const http = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    endpoint.close();
    http.closeAllConnections();
    http.close();
  });
  return {
    served: own,
    endpoint,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    http,
    problems,
    slow,
    web: webHandler({ answer, receiving, onError }),
  };
}

export const BASE: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** A request of 2026-07-28, with its headers. */
export function stateless(method: string, params: JsonObject = {}, id: unknown = 1) {
  const _meta = {
    [META_KEYS.protocolVersion]: '2026-07-28',
    [META_KEYS.clientInfo]: { name: 'test', version: '1' },
    [META_KEYS.clientCapabilities]: {},
    ...(params['_meta'] as JsonObject | undefined),
  };
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  return {
    headers: {
      ...BASE,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    } as Record<string, string>,
    message: { jsonrpc: '2.0', id, method, params: { ...params, _meta } } as JsonObject,
  };
}

export function initialize(protocolVersion = '2025-11-25'): JsonObject {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  return { jsonrpc: '2.0', id: 'init', method: 'initialize', params };
}

export function post(
  url: string,
  message: unknown,
  headers: Readonly<Record<string, string>> = BASE,
  signal?: AbortSignal,
): Promise<Response> {
  const body = JSON.stringify(message);
  return fetch(url, {
    method: 'POST',
    headers: { ...BASE, ...headers },
    body,
    signal: signal ?? null,
  });
}

/** The headers of a new session. */
export async function begin(url: string, version = '2025-11-25'): Promise<Record<string, string>> {
  const response = await post(url, initialize(version));
  await response.text();
  const id = response.headers.get('mcp-session-id') ?? '';
  return { ...BASE, 'mcp-session-id': id, 'mcp-protocol-version': version };
}

export interface Event {
  readonly id: string | undefined;
  readonly data: string;
}

/** The events of a stream, also those without data, as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let rest = '';
  const body = response.body as unknown as AsyncIterable<Uint8Array>;
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const parts = rest.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const field = (name: string): string | undefined =>
        part
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = field('data');
      if (data !== undefined) yield { id: field('id'), data };
    }
  }
}

export async function messagesOf(response: Response): Promise<JsonObject[]> {
  const messages: JsonObject[] = [];
  for await (const { data } of eventsOf(response)) {
    if (data !== '') messages.push(JSON.parse(data) as JsonObject);
  }
  return messages;
}

/** Lets a test decide when something goes on. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}
