import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';

import type { Kind, Usage } from './kinds.js';
import { programs } from './programs.js';

/** A minimal client, the same for both servers, so that the bench measures the servers. */

type Json = Record<string, unknown>;

export interface Session {
  call(method: string, params?: object): Promise<Json>;
  /** Resolves with the new task's id. */
  start(tool: string): Promise<string>;
}

export interface Server {
  readonly url: string;
  session(token?: string): Promise<Session>;
  /** With `collect`, after a garbage collection. */
  usage(collect?: 'collect'): Promise<Usage>;
}

/** Starts a server of each kind in its own process for `work`. */
export async function withServers<T>(
  kinds: readonly Kind[],
  work: (...servers: Server[]) => Promise<T>,
): Promise<T> {
  const { server } = await programs();
  const children = kinds.map((kind) => fork(server, [kind], { execArgv: ['--expose-gc'] }));
  const agent = new Agent({ keepAlive: true });
  try {
    const servers = children.map(async (child): Promise<Server> => {
      const [{ url }] = (await once(child, 'message')) as [{ url: string }];
      return {
        url,
        session: (token = 'ann') => openSession(url, token, agent),
        async usage(collect) {
          child.send(collect ?? 'usage');
          return ((await once(child, 'message')) as [Usage])[0];
        },
      };
    });
    return await work(...(await Promise.all(servers)));
  } finally {
    agent.destroy();
    for (const child of children) child.disconnect();
  }
}

async function openSession(url: string, token: string, agent: Agent): Promise<Session> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  let nextId = 0;

  function send(message: Json): Promise<{ head: IncomingMessage; answer: Json | undefined }> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST', headers, agent }, (head) => {
        let text = '';
        head.setEncoding('utf8').on('data', (part: string) => (text += part));
        head.on('end', () => resolve({ head, answer: answerIn(text) }));
      });
      request.on('error', reject);
      request.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
  }

  async function call(method: string, params: object = {}): Promise<Json> {
    const { answer } = await send({ id: (nextId += 1), method, params });
    if (answer === undefined) throw new Error(`${method} was not answered`);
    return answer;
  }

  const { head } = await send({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    },
  });
  headers['mcp-session-id'] = String(head.headers['mcp-session-id']);
  headers['mcp-protocol-version'] = '2025-11-25';
  await send({ method: 'notifications/initialized' });

  return {
    call,
    async start(name) {
      const { result } = await call('tools/call', { name, arguments: {}, task: {} });
      return (result as { task: { taskId: string } }).task.taskId;
    },
  };
}

/** The answer in a JSON body, or the last message of an event stream. */
function answerIn(text: string): Json | undefined {
  if (text === '') return undefined;
  if (text.startsWith('{')) return JSON.parse(text) as Json;
  const data = text.split('\n').findLast((line) => line.startsWith('data: {'));
  return data === undefined ? undefined : (JSON.parse(data.slice('data: '.length)) as Json);
}

/** The time in a tool's result. */
export function doneAt({ result }: Json): number {
  return Number((result as { content: [{ text: string }] }).content[0].text);
}
