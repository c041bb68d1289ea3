import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

import type { JsonObject } from '../../runtime/tasks/index.js';
import type { Message } from '../server/support.js';
import { RELAY } from './relay.js';

/** Plays servers that are wrong in one way, over each transport. All that they send comes from this process. */

/** `old`: HTTP+SSE of 2024-11-05. */
export const OVER = ['stdio', 'json', 'sse', 'old'] as const;
export type Over = (typeof OVER)[number];

/** A process: what it does besides writing lines. */
export interface Pipe {
  error(text: string): void;
  /** Ends it with this code, or by this signal. */
  exit(how: number | NodeJS.Signals): void;
}

/** Where a server answers. */
export interface Line {
  /** Sends messages in the frames of the transport; texts and bytes as they are. */
  say(...messages: readonly unknown[]): void;
  /** Sends a message as `say` does, and leaves the event stream of the answer open. */
  send(message: unknown): void;
  /** Sends without a frame: to the standard output, the body, or the event stream. */
  write(text: string | Uint8Array): void;
  /** Ends the output, the body, or the event stream. */
  end(): void;
  readonly pipe?: Pipe;
  readonly http?: ServerResponse;
  /** Opens the stream of HTTP+SSE. */
  readonly open?: () => void;
}

/** A request of the client: its method is GET or DELETE where it has no message. */
export interface Exchange {
  readonly request: Message & { readonly method: string };
  readonly headers: IncomingMessage['headers'];
  /** How many requests of this method have come. */
  readonly times: number;
  /** The right answer. */
  readonly answer: JsonObject;
}

export type Play = (line: Line, exchange: Exchange) => void;

/** What a server does, by method. `start` is before the first request, over stdio. Else it answers right. */
export type Script = Readonly<Record<string, Play>>;

export interface Played {
  readonly over: Over;
  /** The command of a process, or the URL. */
  readonly command?: readonly [string, ...string[]];
  readonly url?: string;
  close(): void;
}

const EVENTS = { 'content-type': 'text/event-stream' };

const bytesOf = (message: unknown): Buffer =>
  Buffer.from(
    message instanceof Uint8Array || typeof message === 'string'
      ? message
      : JSON.stringify(message),
  );

/** Starts a server. `right` answers what the script does not. */
export async function play(
  over: Over,
  script: Script,
  right: (request: Message) => JsonObject | undefined,
): Promise<Played> {
  const counts = new Map<string, number>();
  function take(line: Line, request: Message, headers: IncomingMessage['headers'] = {}): void {
    const { method = '', id } = request;
    const times = (counts.get(method) ?? 0) + 1;
    counts.set(method, times);
    const answer = id === undefined || method === '' ? undefined : right(request);
    const wrong = script[method];
    if (wrong !== undefined) {
      wrong(line, { request: { ...request, method }, headers, times, answer: answer ?? {} });
    } else if (answer !== undefined) line.say(answer);
    else if (line.open) line.open();
    else if (line.http?.headersSent === false) {
      line.http.writeHead(method === 'GET' ? 405 : 202).end();
    }
  }
  return over === 'stdio' ? playProcess(take, script) : playHttp(over, take);
}

type Take = (line: Line, request: Message, headers?: IncomingMessage['headers']) => void;

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Bytes of one order to the process, a multiple of three. */
const PART = 3 * 65_536;

/** A process that passes on what this one says. */
async function playProcess(take: Take, { start }: Script): Promise<Played> {
  const sockets = new Set<Socket>();
  const tcp = createTcp((socket) => {
    sockets.add(socket.on('error', () => undefined));
    const order = (what: object): void => void socket.write(`${JSON.stringify(what)}\n`);
    const write = (text: string | Uint8Array): void => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += PART) {
        order({ out: bytes.toString('base64', at, at + PART) });
      }
    };
    const send = (message: unknown): void => write(Buffer.concat([bytesOf(message), LF]));
    const line: Line = {
      say: (...messages) => messages.forEach(send),
      send,
      write,
      end: () => order({ end: true }),
      pipe: { error: (text) => order({ err: text }), exit: (how) => order({ exit: how }) },
    };
    start?.(line, { request: { method: 'start' }, headers: {}, times: 1, answer: {} });
    createInterface(socket)
      .on('error', () => undefined)
      .on('line', (text) => take(line, JSON.parse(text) as Message));
  });
  const port = await listening(tcp);
  return {
    over: 'stdio',
    command: [process.execPath, RELAY, String(port)],
    close() {
      for (const each of sockets) each.destroy();
      tcp.close();
    },
  };
}

const LF = Buffer.from('\n');

const eventOf = (message: unknown): Buffer =>
  Buffer.from(
    `data: ${bytesOf(message).toString('latin1').replaceAll('\n', '\ndata: ')}\n\n`,
    'latin1',
  );

async function playHttp(over: Exclude<Over, 'stdio'>, take: Take): Promise<Played> {
  const http = createHttp((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { method = '', headers, url } = request;
      // As servers of that revision do.
      if (url === '/sse' && method !== 'GET') return response.writeHead(405).end();
      const message = (text === '' ? { method } : JSON.parse(text)) as Message;
      take(
        over === 'old' ? oldLine(method, response) : lineOf(over, response, message),
        message,
        headers,
      );
    });
    request.on('error', () => undefined);
    response.on('error', () => undefined);
  });
  let stream: ServerResponse | undefined;

  /** Answers come on the stream of the first GET. */
  function oldLine(method: string, response: ServerResponse): Line {
    const open = (): void => {
      stream = response.writeHead(200, EVENTS);
      stream.write('event: endpoint\ndata: /messages\n\n');
    };
    const accept = (): void => {
      if (response !== stream && !response.headersSent) response.writeHead(202).end();
    };
    const send = (message: unknown): void => {
      accept();
      stream?.write(eventOf(message));
    };
    return {
      say: (...messages) => messages.forEach(send),
      send,
      write(bytes) {
        accept();
        stream?.write(bytes);
      },
      end: () => void stream?.end(),
      http: response,
      ...(method === 'GET' && { open }),
    };
  }
  const port = await listening(http);
  return {
    over,
    url: `http://127.0.0.1:${String(port)}/${over === 'old' ? 'sse' : 'mcp'}`,
    close() {
      http.closeAllConnections();
      http.close();
    },
  };
}

function lineOf(over: 'json' | 'sse', response: ServerResponse, { method }: Message): Line {
  const session = method === 'initialize' ? { 'mcp-session-id': 's' } : {};
  const begin = (): void => {
    if (response.headersSent) return;
    const type = over === 'json' ? { 'content-type': 'application/json' } : EVENTS;
    response.writeHead(200, { ...type, ...session });
  };
  const send = (message: unknown): void => {
    begin();
    response.write(over === 'json' ? bytesOf(message) : eventOf(message));
  };
  return {
    say(...messages) {
      messages.forEach(send);
      response.end();
    },
    send,
    write(bytes) {
      begin();
      response.write(bytes);
    },
    end() {
      begin();
      response.end();
    },
    http: response,
  };
}
