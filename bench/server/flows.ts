import { connect } from 'node:net';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { now } from './work.js';

/** Requests over sockets, with as little work for the client as can be: one connection sends one at a time. */

/** Sends the bytes of a request, and resolves with the whole answer. */
export type Ask = (request: string) => Promise<string>;

export interface Wire {
  readonly ask: Ask;
  readonly close: () => void;
}

export async function openWire(url: string): Promise<Wire> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1');
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  let text = '';
  let answer: ((text: string) => void) | undefined;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (!isWhole(text)) return;
    const whole = text;
    text = '';
    answer?.(whole);
  });
  return {
    ask: (request) =>
      new Promise((resolve) => {
        answer = resolve;
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return !/\r\ntransfer-encoding: chunked/i.test(head) || text.endsWith('0\r\n\r\n');
}

/** What a client sends in each request, beside the message. */
export type Headers = Readonly<Record<string, string>>;

/** Makes the requests of messages. Most of a request is the same each time, so that the client has little to do. */
export function requestsTo(
  url: string,
  headers: Headers,
): (message: object, more?: Headers) => string {
  const { host, pathname } = new URL(url);
  const all = {
    Host: host,
    Authorization: 'Bearer ann',
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...headers,
  };
  const head = `POST ${pathname} HTTP/1.1\r\n${linesOf(all)}`;
  return (message, more = {}) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const length = Buffer.byteLength(body);
    return `${head}${linesOf(more)}Content-Length: ${length}\r\n\r\n${body}`;
  };
}

function linesOf(headers: Headers): string {
  let lines = '';
  for (const [name, value] of Object.entries(headers)) lines += `${name}: ${value}\r\n`;
  return lines;
}

/** A client of one server: the request of a message. */
export type Client = (method: string, params: object) => string;

/** Opens a session of 2025-11-25. */
export async function sessionClient(url: string, token = 'ann'): Promise<Client> {
  const { ask, close } = await openWire(url);
  const own = { Authorization: `Bearer ${token}` };
  const open = requestsTo(url, own);
  const opened = await ask(
    open({
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      },
    }),
  );
  const id = /\r\nmcp-session-id: (\S+)/i.exec(opened)?.[1];
  if (id === undefined) throw new Error(`No session: ${opened}`);
  const headers = { ...own, 'Mcp-Session-Id': id, 'Mcp-Protocol-Version': '2025-11-25' };
  const request = requestsTo(url, headers);
  await ask(request({ method: 'notifications/initialized' }));
  close();
  let next = 0;
  return (method, params) => request({ id: (next += 1), method, params });
}

/** A client of 2026-07-28, which has no sessions. */
export function modernClient(url: string): Client {
  const _meta = {
    [META_KEYS.protocolVersion]: '2026-07-28',
    [META_KEYS.clientInfo]: { name: 'bench', version: '1' },
    [META_KEYS.clientCapabilities]: { extensions: { [EXTENSION_ID]: {} } },
  };
  const request = requestsTo(url, { 'Mcp-Protocol-Version': '2026-07-28' });
  let next = 0;
  return (method, params) => {
    const { name, taskId = name } = params as Record<'name' | 'taskId', string | undefined>;
    const headers = { 'Mcp-Method': method, 'Mcp-Name': taskId ?? '' };
    const message = { id: (next += 1), method, params: { ...params, _meta } };
    return request(message, headers);
  };
}

/** The id of the task in an answer. */
export function taskIn(answer: string): string {
  const id = /"taskId":"([^"]+)"/.exec(answer)?.[1];
  if (id === undefined) throw new Error(`No task: ${answer}`);
  return id;
}

/** One unit of work over a connection, such as a call or a life cycle. */
export type Flow = (ask: Ask) => Promise<unknown>;

export const plainCall = (client: Client): Flow => {
  const params = { name: 'plain', arguments: {} };
  return async (ask) => expectResult(await ask(client('tools/call', params)));
};

export const getTask = async (url: string, client: Client): Promise<Flow> => {
  const { ask, close } = await openWire(url);
  const params = { name: 'endless', arguments: {}, task: {} };
  const taskId = taskIn(await ask(client('tools/call', params)));
  close();
  return async (asked) => expectResult(await asked(client('tasks/get', { taskId })));
};

/** A `tasks/get` that has to be refused, of another task each time. */
export const guessTask = (client: Client): Flow => {
  let next = 0;
  return async (ask) => {
    const answer = await ask(client('tasks/get', { taskId: `bogus${(next += 1)}` }));
    if (!answer.includes('"error":')) throw new Error(`Not refused: ${answer}`);
  };
};

/** Starts a job of 50 ms and waits for its result. Returns the time from its end to the answer in milliseconds. */
export const blockedResult = (client: Client): ((ask: Ask) => Promise<number>) => {
  const params = { name: 'job', arguments: {}, task: {} };
  return async (ask) => {
    const taskId = taskIn(await ask(client('tools/call', params)));
    const answer = await ask(client('tasks/result', { taskId }));
    const end = /"text":"([\d.]+)"/.exec(answer)?.[1];
    if (end === undefined) throw new Error(`No result: ${answer}`);
    return now() - Number(end);
  };
};

/** Creates a task, and waits for its result. */
export const life = (client: Client): Flow => {
  const params = { name: 'quick', arguments: {}, task: {} };
  return async (ask) => {
    const taskId = taskIn(await ask(client('tools/call', params)));
    expectResult(await ask(client('tasks/result', { taskId })));
  };
};

function expectResult(answer: string): void {
  if (!answer.includes('"result":')) throw new Error(`No result: ${answer}`);
}
