import { onTestFinished } from 'vitest';

import {
  type Channel,
  LazyAbort,
  methodsOf,
  Peer,
  rpcError,
  type Rows,
} from '../../../runtime/peer/index.js';
import { META_KEYS, REVISIONS, type RevisionVersion } from '../../../runtime/protocol.js';
import { createTaskServer, type TaskServer } from '../../../runtime/server/index.js';
import type { Session } from '../../../runtime/server/session.js';
import type { JsonObject } from '../../../runtime/tasks/index.js';
import { createOperations } from '../../../runtime/telemetry/index.js';
import { ON_DEMAND } from '../../../runtime/peer/wire/on-demand.js';
import { loadRevisions } from '../../../runtime/peer/wire/revision.js';

export const OLDER = ['2024-11-05', '2025-03-26', '2025-06-18'] as const;
export const CORE = '2025-11-25';
export const EXT = '2026-07-28';
export const SESSIONS = [...OLDER, CORE] as const;
export const VERSIONS = [...SESSIONS, EXT] as const;

export type ServerOptions = Partial<Parameters<typeof createTaskServer>[0]>;

/** A real server, and the errors that it reports. */
export async function serverOf(
  options: ServerOptions = {},
): Promise<{ readonly server: TaskServer; readonly errors: Error[] }> {
  const errors: Error[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: [],
    onError: (error) => void errors.push(error),
    ...options,
  });
  onTestFinished(() => server.close(0));
  return { server, errors };
}

/** What a server sends, on its way to the client. */
export class Line implements Channel {
  readonly gone = new LazyAbort();
  readonly sent: JsonObject[] = [];
  isClosed = false;
  readonly #deliver: (message: JsonObject) => void;
  #held: (() => void)[] | undefined;

  constructor(deliver: (message: JsonObject) => void) {
    this.#deliver = deliver;
  }

  send(_message: JsonObject, text: string): Promise<void> | void {
    const message = JSON.parse(text) as JsonObject;
    this.sent.push(message);
    const deliver = (): void => queueMicrotask(() => this.#deliver(message));
    if (this.#held === undefined) return deliver();
    const held = this.#held;
    return new Promise((resolve) => held.push(() => (deliver(), resolve())));
  }

  close(): void {
    this.isClosed = true;
  }

  /** The client does not read any more. */
  hold(): void {
    this.#held = [];
  }

  /** The client reads on. */
  release(): void {
    for (const let_ of this.#held?.splice(0) ?? []) let_();
    this.#held = undefined;
  }
}

export interface Wire {
  readonly server: TaskServer;
  readonly errors: readonly Error[];
  readonly notifications: { readonly method: string; readonly params: JsonObject }[];
  /** Undefined without sessions. */
  readonly session: Session | undefined;
  /** What belongs to no request. */
  readonly standalone: Line;
  /** What is declared in the handshake, or in `server/discover`. */
  readonly capabilities: JsonObject;
  /** Rejects with the error of the answer. */
  readonly request: (method: string, params?: JsonObject) => Promise<JsonObject>;
  /** The same, and the channel of the request. */
  readonly open: (
    method: string,
    params?: JsonObject,
  ) => { readonly line: Line; readonly result: Promise<JsonObject> };
  /** Ends the endpoint. */
  readonly close: () => void;
}

export interface WireOptions {
  /** What the client answers, by the method that it is asked. */
  readonly answers?: Readonly<Record<string, (params: JsonObject) => JsonObject>>;
  readonly capabilities?: JsonObject;
  /** Instead of a server of its own. */
  readonly served?: Awaited<ReturnType<typeof serverOf>>;
  readonly maxSubscriptions?: number;
}

/** A client of one revision on a server, joined in memory: both are real peers. */
export async function wireOf(
  version: RevisionVersion,
  options: ServerOptions = {},
  { answers = {}, capabilities = {}, served, maxSubscriptions }: WireOptions = {},
): Promise<Wire> {
  const { server, errors } = served ?? (await serverOf(options));
  const { load } = await loadRevisions([version], true, ON_DEMAND);
  const revision = await load(version);
  const serving = server.serve({
    identification: 'local',
    asksUnidentified: true,
    ...(maxSubscriptions !== undefined && { maxSubscriptions }),
  });
  const notifications: Wire['notifications'] = [];
  const rows: Rows<undefined> = Object.fromEntries(
    Object.entries(answers).map(([method, answer]) => [
      method,
      { answer: (params: JsonObject) => answer(params) },
    ]),
  );
  const methods = methodsOf(revision, 'client', rows, capabilities);
  const client = new Peer<undefined>({
    other: 'server',
    revisionOf: () => revision,
    methodsIn: () => methods,
    isConversation: true,
    onNotification: (method, params) => void notifications.push({ method, params }),
    operations: createOperations('client'),
    factsOf: () => ({ revision: version }),
    invalidAnswer: ({ message }) => rpcError(-32603, message),
    onLateAnswer: () => undefined,
    onProblem: (error) => {
      throw error;
    },
  });
  const isSession = REVISIONS[version].dialect === 'core';
  const line = (): Line =>
    new Line((message) => client.receive(message, towardsServer(standalone), undefined));
  const standalone: Line = line();
  const session = isSession ? serving.openSession(undefined, standalone) : undefined;
  const peer = session?.peer ?? serving.requests(false);
  if (peer === undefined) throw new Error(`${version} is not served`);
  const origin = { who: undefined, session, http: undefined };

  function towardsServer(answersGoTo: Channel): Channel {
    return {
      gone: new LazyAbort(),
      close: () => undefined,
      send: (_message, text) =>
        queueMicrotask(() => peer?.receive(JSON.parse(text), answersGoTo, origin)),
    };
  }

  const meta = {
    [META_KEYS.protocolVersion]: version,
    [META_KEYS.clientCapabilities]: capabilities,
    [META_KEYS.clientInfo]: { name: 'test', version: '1' },
  };
  const open: Wire['open'] = (method, params = {}) => {
    const own = line();
    const full = isSession
      ? params
      : { ...params, _meta: { ...meta, ...(params['_meta'] as JsonObject | undefined) } };
    const result = client.askOn(towardsServer(own), revision, method, full);
    // A server that drains ends the subscriptions that a test leaves open.
    result.catch(() => undefined);
    return { line: own, result };
  };
  const request: Wire['request'] = (method, params) => open(method, params).result;
  const first = isSession
    ? await request('initialize', {
        protocolVersion: version,
        capabilities,
        clientInfo: { name: 'test', version: '1' },
      })
    : await request('server/discover');
  return {
    server,
    errors,
    notifications,
    session,
    standalone,
    capabilities: first['capabilities'] as JsonObject,
    open,
    request,
    close: () => void serving.drain(),
  };
}

/** Enough turns for what is under way in memory. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
