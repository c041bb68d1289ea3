import { connect, type Socket } from 'node:net';

import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { createTaskServer, defineTool, serveHttp } from '../../runtime/server/index.js';
import { createBacklog } from '../../runtime/server/sdk/backlog.js';
import { paced } from '../../runtime/server/sdk/paced.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { request } from './raw.js';
import { modern, until } from './support.js';
import { authorization, RESOURCE, tokenOf } from './tokens.js';

const MIB = 2 ** 20;

describe('a backlog', () => {
  it('never holds more than its bound beside what was added last', () => {
    const step = fc.record({
      stream: fc.nat(9),
      bytes: fc.integer({ min: 1, max: 400 }),
      act: fc.constantFrom('add', 'add', 'take', 'close'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const backlog = createBacklog(1_000, { stalledMs: 0 });
        const held = new Map<number, number>();
        const open = (stream: number) => backlog.open(() => held.delete(stream));
        const accounts = Array.from({ length: 10 }, (_, stream) => open(stream));
        for (const { stream, bytes, act } of steps) {
          const account = accounts[stream] ?? open(stream);
          const before = held.get(stream) ?? 0;
          if (act === 'add') {
            held.set(stream, before + bytes);
            account.added(bytes);
            const others = [...held].filter(([each]) => each !== stream);
            const total = [...held.values()].reduce((sum, each) => sum + each, 0);
            expect(total <= 1_000 || others.length === 0).toBe(true);
          } else if (act === 'take') {
            account.taken(bytes);
            if (before > bytes) held.set(stream, before - bytes);
            else held.delete(stream);
          } else {
            account.close();
            held.delete(stream);
            accounts[stream] = open(stream);
          }
        }
      }),
    );
  });

  it('ends the stream whose reader has taken nothing for the longest time', () => {
    const ended: string[] = [];
    const backlog = createBacklog(100, { stalledMs: 0 });
    const [a, b, c] = ['a', 'b', 'c'].map((name) => backlog.open(() => ended.push(name)));
    a?.added(40);
    b?.added(40);
    a?.taken(10);
    c?.added(40);
    expect(ended).toEqual(['b']);
    c?.added(200);
    expect(ended).toEqual(['b', 'a']);
  });
});

describe('a backlog of readers that do not stall', () => {
  it('may hold four times its bound, and ends those that stall meanwhile', () => {
    let now = 0;
    const ended: string[] = [];
    const backlog = createBacklog(100, { stalledMs: 1_000, now: () => now });
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => backlog.open(() => ended.push(name)));
    a?.added(100);
    b?.added(100);
    c?.added(100);
    expect(ended).toEqual([]);
    d?.added(200);
    expect(ended).toEqual(['a']);
    now = 1_500;
    b?.taken(1);
    d?.added(1);
    expect(ended).toEqual(['a', 'c']);
  });

  it('looks again when nothing is added any more', async () => {
    const ended: string[] = [];
    const backlog = createBacklog(100, { stalledMs: 20 });
    const [a, b] = ['a', 'b'].map((name) => backlog.open(() => ended.push(name)));
    a?.added(90);
    b?.added(90);
    expect(ended).toEqual([]);
    await until(
      () => Promise.resolve(ended),
      ({ length }) => length > 0,
    );
    expect(ended).toEqual(['a']);
  });
});

describe('a paced stream', () => {
  const bytesOf = (size: number): Uint8Array => new Uint8Array(size).map((_, index) => index % 251);

  async function all(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  it.each([true, false])('holds what its source held (one that waits: %s)', async (waits) => {
    const chunks = [bytesOf(10), bytesOf(200_000), bytesOf(0), bytesOf(MIB * 3), bytesOf(1)];
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        if (waits) return;
        for (const chunk of chunks.slice(0, 4)) controller.enqueue(chunk);
        controller.close();
      },
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const expected = Buffer.concat(waits ? [...chunks] : chunks.slice(0, 4));
    const backlog = createBacklog(MIB);
    const stream = paced(source, { request: new Request(RESOURCE), backlog, waits });
    expect((await all(stream)).equals(expected)).toBe(true);
  });

  it('ends when more than 1 MiB waits and more comes from a source that does not wait', async () => {
    let push = (_: Uint8Array): void => undefined;
    let cancelled = false;
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (chunk) => controller.enqueue(chunk);
      },
      cancel: () => void (cancelled = true),
    });
    let ends = 0;
    const options = { request: new Request(RESOURCE), backlog: createBacklog(MIB), waits: false };
    const stream = paced(source, { ...options, onEnd: () => (ends += 1) });
    push(bytesOf(2 * MIB));
    push(bytesOf(1));
    await until(() => Promise.resolve(cancelled), Boolean);
    await expect(all(stream)).rejects.toThrow('too slow');
    expect(ends).toBe(1);
  });
});

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
