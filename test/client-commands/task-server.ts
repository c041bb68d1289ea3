import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the server answers to a method: a result, an error, nothing, or a status of HTTP without a body. */
export type TaskAnswer =
  | { readonly result: object }
  | { readonly error: { readonly code: number; readonly message: string } }
  | 'none'
  | number;

export interface TaskServer {
  readonly url: string;
  /** Replaces the answers of methods. */
  readonly answers: Record<string, TaskAnswer>;
  /** The methods that were called so far. */
  readonly called: readonly string[];
  /** The sessions that clients have ended. */
  readonly ended: readonly string[];
}

/** The state of a task of 2025-11-25. */
export function taskState(status: string, taskId = 'one'): object {
  const at = '2026-01-01T00:00:00Z';
  return { taskId, status, createdAt: at, lastUpdatedAt: at, ttl: 60_000, pollInterval: 20 };
}

/**
 * A server of revision 2025-11-25 over HTTP whose only tool `work` is always a task; it runs until `answers` says more.
 * With `session`, each client gets this session.
 */
export async function openTaskServer({ session }: { session?: string } = {}): Promise<TaskServer> {
  const execution = { taskSupport: 'required' };
  const answers: Record<string, TaskAnswer> = {
    initialize: {
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
        serverInfo: { name: 'tasks', version: '1' },
      },
    },
    'tools/list': {
      result: { tools: [{ name: 'work', inputSchema: { type: 'object' }, execution }] },
    },
    'tools/call': { result: { task: taskState('working') } },
    'tasks/get': { result: taskState('working') },
    'tasks/cancel': { result: taskState('cancelled') },
  };
  const called: string[] = [];
  const ended: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'DELETE') {
      ended.push(String(request.headers['mcp-session-id']));
      return void response.end();
    }
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (session !== undefined) response.setHeader('mcp-session-id', session);
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id, method } = JSON.parse(text) as { id?: number; method: string };
      called.push(method);
      if (id === undefined) return void response.writeHead(202).end();
      const answer = answers[method] ?? { error: { code: -32601, message: 'Unknown method' } };
      if (answer === 'none') return;
      if (method === 'tasks/cancel' && typeof answer === 'object' && 'result' in answer) {
        answers['tasks/get'] = answer;
      }
      if (typeof answer === 'number') return void response.writeHead(answer).end();
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}/mcp`, answers, called, ended };
}
