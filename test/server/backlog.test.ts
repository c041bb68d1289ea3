import { connect, type Socket } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { createTaskServer, defineTool, serveHttp } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { request } from './raw.js';
import { modern, until } from './support.js';
import { authorization, tokenOf } from './tokens.js';

const MIB = 2 ** 20;

describe('readers that never read', () => {
  const large = defineTool({
    name: 'large',
    description: 'Returns 3.9 million characters.',
    input: z.object({ progress: z.boolean().default(false) }),
    taskSupport: 'optional',
    run({ args, task }) {
      if (args.progress) task.progress({ progress: 1 });
      return 'x'.repeat(3_900_000);
    },
  });

  const headers = (host: string, method: string, name: string, body: string) =>
    [
      ['Host', host],
      ['Authorization', `Bearer ${tokenOf('ann')}`],
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
      ['Mcp-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', method],
      ...(name === '' ? [] : [['Mcp-Name', name] as const]),
      ['Content-Length', String(Buffer.byteLength(body))],
    ] as const;

  it.each(['subscriptions/listen', 'tasks/get', 'tools/call'])(
    'of %s cost the server a bounded number of bytes',
    async (method) => {
      const server = await createTaskServer({ name: 't', version: '1', tools: [large] });
      const maxWaitingBytes = 8 * MIB;
      const options = { auth: authorization, maxWaitingBytes };
      const http = await serveHttp(server, options);
      const sockets: Socket[] = [];
      onTestFinished(async () => {
        for (const socket of sockets) socket.destroy();
        await http.close();
        await server.close(0);
      });
      const reach = { http: { fetch: (asked: Request) => fetch(http.url, forward(asked)) } };
      const { result } = await modern(reach, 'tools/call', { name: 'large', arguments: {} });
      const taskId = String(result?.['taskId']);
      await until(
        () => modern(reach, 'tasks/get', { taskId }),
        ({ result: task }) => task?.['status'] === 'completed',
      );

      const _meta = {
        progressToken: 'p',
        [META_KEYS.protocolVersion]: '2026-07-28',
        [META_KEYS.clientInfo]: { name: 't', version: '1' },
        [META_KEYS.clientCapabilities]:
          method === 'tools/call' ? {} : { extensions: { [EXTENSION_ID]: {} } },
      };
      const params: Record<string, JsonObject> = {
        'subscriptions/listen': { notifications: { taskIds: [taskId] } },
        'tasks/get': { taskId },
        'tools/call': { name: 'large', arguments: { progress: true } },
      };
      const name = { 'tasks/get': taskId, 'tools/call': 'large' }[method] ?? '';
      const { host, hostname, port } = new URL(http.url);
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params[method], _meta },
      });
      let ended = 0;
      for (let n = 0; n < 20; n += 1) {
        const socket = connect(Number(port), hostname);
        socket.pause();
        socket.on('error', () => undefined);
        socket.on('close', () => (ended += 1));
        socket.write(request('POST /mcp HTTP/1.1', headers(host, method, name, body), body));
        sockets.push(socket);
      }
      // Each answer is larger than what the sockets hold; all together are far larger than what may wait.
      const waits = Math.ceil(maxWaitingBytes / 3_900_000) + 1;
      await until(
        async () => {
          // A socket learns that its other end is closed when it reads.
          const closed = await Promise.all(sockets.map(isCut));
          return closed.filter(Boolean).length;
        },
        (cut) => cut >= 20 - waits,
      );
      // Those who read are served all the same.
      const { result: task } = await modern(reach, 'tasks/get', { taskId });
      expect(task?.['status']).toBe('completed');
      expect(ended).toBeLessThanOrEqual(20);
    },
  );

  /** Whether the server has closed the connection: what it sent before is still there to be read. */
  function isCut(socket: Socket): Promise<boolean> {
    return new Promise((resolve) => {
      if (socket.destroyed) return resolve(true);
      socket.write(' ', (error) => resolve(error !== undefined && error !== null));
    });
  }

  function forward(asked: Request): RequestInit {
    const given = Object.fromEntries([...asked.headers].filter(([name]) => name !== 'host'));
    return {
      method: asked.method,
      headers: given,
      body: asked.body,
      duplex: 'half',
    };
  }
});
