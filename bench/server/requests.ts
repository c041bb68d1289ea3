import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { openWire } from './wire.js';

/** The bytes of requests: in a session of 2025-11-25, and without one in 2026-07-28. */

/** What a client sends in each request, beside the message. */
export type Headers = Readonly<Record<string, string>>;

/** Makes the requests of messages. Most of a request is the same each time, so that the client has little to do. */
export function requestsTo(
  url: string,
  headers: Headers,
): (message: object, more?: Headers) => string {
  const head = headOf('POST', url, { 'Content-Type': 'application/json', ...headers }).slice(0, -2);
  return (message, more = {}) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const length = Buffer.byteLength(body);
    return `${head}${linesOf(more)}Content-Length: ${length}\r\n\r\n${body}`;
  };
}

/** A request without a body. */
function headOf(method: string, url: string, headers: Headers): string {
  const { host, pathname } = new URL(url);
  const all = {
    Host: host,
    Authorization: 'Bearer ann',
    Accept: 'application/json, text/event-stream',
    ...headers,
  };
  return `${method} ${pathname} HTTP/1.1\r\n${linesOf(all)}\r\n`;
}

function linesOf(headers: Headers): string {
  let lines = '';
  for (const [name, value] of Object.entries(headers)) lines += `${name}: ${value}\r\n`;
  return lines;
}

/** A client of one server: the request of a message. */
export type Client = (method: string, params: object) => string;

/** What a client of 2025-11-25 sends to open a session. */
export const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'bench', version: '1' },
  },
} as const;

/** The id of the session in the answer to `initialize`. */
export function sessionIn(answer: string): string {
  const id = /\r\nmcp-session-id: (\S+)/i.exec(answer)?.[1];
  if (id === undefined) throw new Error(`No session: ${answer}`);
  return id;
}

/** The revision that the server chose: tmcp has no sessions of 2025-11-25, and answers with 2025-06-18. */
function versionIn(answer: string): string {
  const version = /"protocolVersion":"([^"]+)"/.exec(answer)?.[1];
  if (version === undefined) throw new Error(`No revision: ${answer}`);
  return version;
}

/** A session of 2025-11-25. */
export interface Session {
  /** The request of a message. */
  readonly post: (message: object) => string;
  /** The request for the stream of the session. */
  readonly get: string;
  /** The request that ends the session. */
  readonly end: string;
}

export async function openSession(url: string, token = 'ann'): Promise<Session> {
  const { ask, close } = await openWire(url);
  const own = { Authorization: `Bearer ${token}` };
  const opened = await ask(requestsTo(url, own)(INITIALIZE));
  const headers = {
    ...own,
    'Mcp-Session-Id': sessionIn(opened),
    'Mcp-Protocol-Version': versionIn(opened),
  };
  const post = requestsTo(url, headers);
  await ask(post({ method: 'notifications/initialized' }));
  close();
  return { post, get: headOf('GET', url, headers), end: headOf('DELETE', url, headers) };
}

/** A client in a session of 2025-11-25. */
export async function sessionClient(url: string, token = 'ann'): Promise<Client> {
  return clientIn(await openSession(url, token));
}

export function clientIn({ post }: Session): Client {
  let next = 0;
  return (method, params) => post({ id: (next += 1), method, params });
}

/** A client of 2026-07-28, which has no sessions. */
export function modernClient(url: string): Client {
  const _meta = {
    [META_KEYS.protocolVersion]: '2026-07-28',
    [META_KEYS.clientInfo]: { name: 'bench', version: '1' },
    [META_KEYS.clientCapabilities]: { elicitation: {}, extensions: { [EXTENSION_ID]: {} } },
  };
  const request = requestsTo(url, { 'Mcp-Protocol-Version': '2026-07-28' });
  let next = 0;
  return (method, params) => {
    const { name, uri = name, taskId = uri, _meta: own } = params as Named;
    const headers = { 'Mcp-Method': method, ...(taskId !== undefined && { 'Mcp-Name': taskId }) };
    const meta = own === undefined ? _meta : { ...own, ..._meta };
    const message = { id: (next += 1), method, params: { ...params, _meta: meta } };
    return request(message, headers);
  };
}

/** What a header repeats of the parameters. */
interface Named {
  readonly name?: string;
  readonly uri?: string;
  readonly taskId?: string;
  readonly _meta?: object;
}

/** The request that ends a session. */
export const endOf = (url: string, session: string): string =>
  headOf('DELETE', url, { 'Mcp-Session-Id': session, 'Mcp-Protocol-Version': '2025-11-25' });
