import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Line, Message } from './recording.js';

/** A proxy in front of a Streamable HTTP server, that writes down the messages of each session. */
export interface Wiretap {
  readonly url: string;
  /** By session id. Messages without a session are under an empty one. */
  readonly sessions: ReadonlyMap<string, readonly Line[]>;
  close(): Promise<void>;
}

export async function wiretap(target: string): Promise<Wiretap> {
  const sessions = new Map<string, Line[]>();
  const note = (session: string, direction: Line['direction'], text: string): void => {
    const message = parsed(text);
    if (message === undefined) return;
    const lines = sessions.get(session) ?? [];
    sessions.set(session, lines);
    lines.push({ direction, message });
  };
  const proxy = createServer((request, response) => void relay(request, response, target, note));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const { pathname } = new URL(target);
  return {
    url: `http://127.0.0.1:${String(port)}${pathname}`,
    sessions,
    close: () => closed(proxy),
  };
}

type Note = (session: string, direction: Line['direction'], text: string) => void;

async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  note: Note,
): Promise<void> {
  const body = await textOf(request);
  const { hostname, port, host } = new URL(target);
  const { url: path, method } = request;
  const headers = { ...request.headers, host };
  const onward = forward({ hostname, port, path, method, headers });
  const answered = once(onward, 'response') as Promise<[IncomingMessage]>;
  const own = String(request.headers['mcp-session-id'] ?? '');
  // The session of `initialize` is in its answer.
  const isFirst = body.includes('"initialize"');
  if (body !== '' && !isFirst) note(own, 'client', body);
  response.on('close', () => onward.destroy());
  onward.on('error', () => response.destroy());
  onward.end(body);
  const [answer] = await answered.catch(() => [undefined] as const);
  if (answer === undefined) return;
  const session = String(answer.headers['mcp-session-id'] ?? own);
  if (body !== '' && isFirst) note(session, 'client', body);
  response.writeHead(answer.statusCode ?? 500, answer.headers);
  answer.on('error', () => response.destroy());
  if (/event-stream/.test(answer.headers['content-type'] ?? ''))
    stream(answer, response, (text) => note(session, 'server', text));
  else {
    const text = await textOf(answer);
    note(session, 'server', text);
    response.end(text);
  }
}

/** Passes events on, each as a whole after it was noted. */
function stream(
  answer: IncomingMessage,
  response: ServerResponse,
  note: (text: string) => void,
): void {
  let rest = '';
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    rest += chunk;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const event = rest.slice(0, end + 2);
      rest = rest.slice(end + 2);
      const data = event.split('\n').flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []);
      if (data.length > 0) note(data.join('\n'));
      response.write(event);
    }
  });
  answer.on('end', () => response.end(rest));
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

async function closed(proxy: Server): Promise<void> {
  proxy.closeAllConnections();
  proxy.close();
  await once(proxy, 'close');
}
