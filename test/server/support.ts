import { onTestFinished } from 'vitest';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import {
  createHttpHandler,
  createTaskServer,
  type HttpHandler,
  type HttpOptions,
  type TaskServer,
  type TaskServerOptions,
} from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { authorization, RESOURCE, tokenOf } from './tokens.js';
import { testTools } from './tools.js';

export { authorization, RESOURCE, tokenOf };

/** A server and its HTTP face, called without a network. */
export interface Rig {
  readonly server: TaskServer;
  readonly http: HttpHandler;
  /** What went wrong beside the answers. */
  readonly problems: Error[];
}

/** Asks over HTTP. The signal is the request's as well, but that one does not survive a garbage collection. */
export type Fetch = (request: Request, signal?: AbortSignal) => Promise<Response>;

/** Whatever takes requests: the handler itself, or a network with the handler behind it. */
export interface Reachable {
  readonly http: {
    readonly fetch: Fetch;
  };
}

export async function rig(
  options: Partial<TaskServerOptions> = {},
  httpOptions: HttpOptions<Request> = { auth: authorization },
): Promise<Rig> {
  const problems: Error[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: testTools,
    pollInterval: 100,
    onError: (error) => problems.push(error),
    ...options,
  });
  onTestFinished(() => server.close(0));
  const handler = createHttpHandler(server, httpOptions);
  onTestFinished(() => handler.close(0));
  return { server, http: handler, problems };
}

export interface Answer {
  readonly status: number;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject };
}

/** A message as it went over the wire. */
export type Message = JsonObject & {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: NonNullable<Answer['error']>;
};

/** The messages of a response, JSON or event stream, as they come. */
export async function* messagesOf(response: Response): AsyncGenerator<Message> {
  if (response.body === null) return;
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    const text = await response.text();
    if (text !== '') yield JSON.parse(text) as Message;
    return;
  }
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true });
    const frames = rest.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = frame.split('\n').find((line) => line.startsWith('data: '));
      // The first event of a stream has an id and no message.
      if (data !== undefined && data !== 'data: ') yield JSON.parse(data.slice(6)) as Message;
    }
  }
}

let nextId = 1;

/** Sends one message as it is. */

export function post(
  http: Reachable['http'],
  message: object,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Response> {
  return http.fetch(
    new Request(RESOURCE, {
      method: 'POST',
      headers: {
        host: 'localhost',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      ...(signal && { signal }),
    }),
    signal,
  );
}

function bearerHeader(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** How a client answers what a server asks it. */
export type Respond = (request: Message) => JsonObject | undefined;

export interface LegacyClient {
  readonly sessionId: string;
  readonly initialized: JsonObject;
  request(method: string, params?: object, signal?: AbortSignal): Promise<Answer>;
  notify(method: string, params?: object): Promise<number>;
  /** What the server said while a request was open, beside its answer. */
  readonly heard: Message[];
  /** The stream of what belongs to no request. */
  listen(signal?: AbortSignal): Promise<AsyncGenerator<Message>>;
}

export interface LegacyOptions {
  readonly token?: string | undefined;
  readonly capabilities?: JsonObject;
  readonly respond?: Respond;
  /** Uses a session that another client began. */
  readonly sessionId?: string;
  /** The revision to ask for. Default: 2025-11-25. */
  readonly revision?: string;
}

/** A client of a revision with sessions. */
export async function legacy(
  { http }: Reachable,
  options: LegacyOptions = {},
): Promise<LegacyClient> {
  const { capabilities = {}, respond, revision = '2025-11-25' } = options;
  const token = 'token' in options ? options.token : tokenOf('ann');
  const heard: Message[] = [];
  let sessionId = options.sessionId ?? '';

  const headers = (): Record<string, string> => ({
    ...bearerHeader(token),
    'mcp-protocol-version': revision,
    ...(sessionId !== '' && { 'mcp-session-id': sessionId }),
  });

  async function request(method: string, params?: object, signal?: AbortSignal): Promise<Answer> {
    const id = nextId++;
    const response = await post(http, { id, method, params }, headers(), signal);
    sessionId = response.headers.get('mcp-session-id') ?? sessionId;
    for await (const message of messagesOf(response)) {
      if (message.method === undefined) {
        const { result, error } = message;
        return { status: response.status, ...(result && { result }), ...(error && { error }) };
      }
      heard.push(message);
      const result = message.id === undefined ? undefined : respond?.(message);
      if (result !== undefined) await post(http, { id: message.id, ...result }, headers());
    }
    return { status: response.status };
  }

  const client = {
    request,
    heard,
    async notify(method: string, params?: object) {
      return (await post(http, { method, params }, headers())).status;
    },
    async listen(signal?: AbortSignal) {
      const response = await http.fetch(
        new Request(RESOURCE, {
          headers: { host: 'localhost', accept: 'text/event-stream', ...headers() },
          ...(signal && { signal }),
        }),
      );
      if (response.status !== 200) throw new Error(`GET answered ${response.status}`);
      return messagesOf(response);
    },
  };
  if (options.sessionId !== undefined) return { ...client, sessionId, initialized: {} };
  const { result = {}, ...refused } = await request('initialize', {
    protocolVersion: revision,
    capabilities,
    clientInfo: { name: 'test', version: '1' },
  });
  if (sessionId === '') throw new Error(`No session: ${JSON.stringify(refused)}`);
  await client.notify('notifications/initialized');
  return { ...client, sessionId, initialized: result };
}

export const EVERY_ASK: JsonObject = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
};

export interface ModernOptions {
  readonly token?: string | undefined;
  /** Default: the tasks extension and every kind of question. */
  readonly capabilities?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request of revision 2026-07-28. */
export async function modernResponse(
  { http }: Reachable,
  method: string,
  params: JsonObject = {},
  options: ModernOptions = {},
  signal?: AbortSignal,
): Promise<Response> {
  const token = 'token' in options ? options.token : tokenOf('ann');
  const capabilities = options.capabilities ?? { ...EVERY_ASK, extensions: { [EXTENSION_ID]: {} } };
  const given = params['_meta'] as JsonObject | undefined;
  const _meta = {
    [META_KEYS.protocolVersion]: '2026-07-28',
    [META_KEYS.clientInfo]: { name: 'test', version: '1' },
    [META_KEYS.clientCapabilities]: capabilities,
    ...given,
  };
  const name = params['name'] ?? params['taskId'] ?? params['uri'];
  return post(
    http,
    {
      ...(!method.startsWith('notifications/') && { id: nextId++ }),
      method,
      params: { ...params, _meta },
    },
    {
      ...bearerHeader(token),
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...options.headers,
    },
    signal,
  );
}

export async function modern(
  rig: Reachable,
  method: string,
  params?: JsonObject,
  options?: ModernOptions,
): Promise<Answer> {
  const response = await modernResponse(rig, method, params, options);
  for await (const { method: said, result, error } of messagesOf(response)) {
    if (said !== undefined) continue;
    return { status: response.status, ...(result && { result }), ...(error && { error }) };
  }
  return { status: response.status };
}

/** Polls until the condition holds: what is waited for has no event of its own. */
export async function until<T>(look: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
