import { describe, expect, it } from 'vitest';

import { rpcError } from '../../runtime/peer/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { begin, gate, post, rig, type Rig, stateless, text } from './rig.js';

const KIB = 2 ** 10;
const MOST = 400 * KIB;
/** A share is two such bodies and their envelopes. */
const LARGE = 90 * KIB;

interface Pending {
  readonly response: Response;
  readonly leave: () => void;
}

/** A server with a tool that waits for the test, and one that fails. */
async function open() {
  const { opened, open: release } = gate();
  let running = 0;
  const server = await rig(
    {
      async hold() {
        running += 1;
        await opened;
        return text('done');
      },
      fail: () => Promise.reject(rpcError(-32603, 'failed')),
    },
    { maxPendingBytes: MOST, streamAfterMs: 1, resumeMs: 1 },
  );
  return { ...server, release, running: () => running };
}

const argumentsOf = (bytes: number): JsonObject => ({ text: 'x'.repeat(bytes) });

/** Calls a tool without a session. */
async function call({ url }: Rig, who: string, bytes = LARGE, name = 'hold'): Promise<Pending> {
  const { message, headers } = stateless('tools/call', { name, arguments: argumentsOf(bytes) });
  const stop = new AbortController();
  const response = await post(url, message, { ...headers, authorization: who }, stop.signal);
  return { response, leave: () => stop.abort() };
}

const statusOf = async (rig: Rig, who: string, bytes?: number): Promise<number> =>
  (await call(rig, who, bytes)).response.status;

/** Whether two large bodies of a user are taken, as when nothing is pending. */
async function isFree(rig: Rig, who: string): Promise<boolean> {
  const { message, headers } = stateless('ping', { _meta: { padding: 'x'.repeat(2 * LARGE) } });
  const { status } = await post(rig.url, message, { ...headers, authorization: who });
  return status !== 429 && status !== 503;
}

describe('the bodies of requests that are not answered yet', () => {
  it('have a bound, of which each subject gets half', async () => {
    const server = await open();
    expect(await statusOf(server, 'ann')).toBe(200);
    expect(await statusOf(server, 'ann')).toBe(200);
    const { response } = await call(server, 'ann');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({
      id: 1,
      error: {
        code: -32000,
        message: expect.stringContaining('The caller has too many bytes') as string,
      },
    });
    expect(await statusOf(server, 'bob')).toBe(200);
    expect(await statusOf(server, 'bob')).toBe(200);
    const beyond = await call(server, 'cleo');
    expect(beyond.response.status).toBe(503);
    expect(await beyond.response.text()).toContain('The server has too many bytes');
    expect(server.running()).toBe(4);
  });

  it('count beyond 16 KiB only', async () => {
    const server = await open();
    const all = Array.from({ length: 60 }, () => statusOf(server, 'ann', 15 * KIB));
    expect(new Set(await Promise.all(all))).toEqual(new Set([200]));
  });

  it('may be one that is larger than a share', async () => {
    const server = await open();
    expect(await statusOf(server, 'ann', MOST)).toBe(200);
    expect(await statusOf(server, 'ann')).toBe(429);
    expect(await statusOf(server, 'bob')).toBe(503);
  });
});

/** Ways in which requests end, in sessions and without. */
const ENDS: Readonly<Record<string, (server: Awaited<ReturnType<typeof open>>) => Promise<void>>> =
  {
    async 'are answered'(server) {
      const calls = await Promise.all([call(server, 'ann'), call(server, 'ann')]);
      server.release();
      for (const { response } of calls) expect(await response.text()).toContain('done');
    },
    async 'fail at once'(server) {
      for (let n = 0; n < 5; n += 1) {
        const { response } = await call(server, 'ann', LARGE, 'fail');
        expect(await response.text()).toContain('failed');
      }
    },
    async 'are refused'(server) {
      const { message, headers } = stateless('tools/call', {
        name: 'hold',
        arguments: argumentsOf(LARGE),
      });
      for (const more of [{ 'mcp-name': 'other' }, { 'mcp-method': 'ping' }]) {
        for (let n = 0; n < 3; n += 1) {
          const all = { ...headers, ...more, authorization: 'ann' };
          expect((await post(server.url, message, all)).status).toBe(400);
        }
      }
    },
    async 'lose their clients'(server) {
      const calls = await Promise.all([call(server, 'ann'), call(server, 'ann')]);
      for (const { leave } of calls) leave();
    },
    async 'are notifications'(server) {
      const session = await begin(server.url);
      const method = 'notifications/roots/list_changed';
      const params = { _meta: argumentsOf(LARGE) };
      for (let n = 0; n < 5; n += 1) {
        expect((await post(server.url, { jsonrpc: '2.0', method, params }, session)).status).toBe(
          202,
        );
      }
    },
    async 'are cancelled in a session'(server) {
      const session = await begin(server.url);
      const params = { name: 'hold', arguments: argumentsOf(LARGE) };
      for (const id of [1, 2]) {
        const message = { jsonrpc: '2.0', id, method: 'tools/call', params };
        expect((await post(server.url, message, session)).status).toBe(200);
        const cancel = { requestId: id };
        const method = 'notifications/cancelled';
        await post(server.url, { jsonrpc: '2.0', method, params: cancel }, session);
      }
    },
    async 'end with their session'(server) {
      const session = await begin(server.url);
      const params = { name: 'hold', arguments: argumentsOf(LARGE) };
      for (const id of [1, 2]) {
        await post(server.url, { jsonrpc: '2.0', id, method: 'tools/call', params }, session);
      }
      await fetch(server.url, { method: 'DELETE', headers: session });
    },
    async 'are batches'(server) {
      const session = await begin(server.url, '2025-03-26');
      const params = { name: 'hold', arguments: argumentsOf(LARGE) };
      const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
      const response = await post(server.url, batch, session);
      expect(await isFree(server, 'ann')).toBe(false);
      server.release();
      expect(await response.text()).toContain('done');
    },
  };

describe.each(Object.keys(ENDS))('requests that %s', (name) => {
  it('make room for others', async () => {
    const server = await open();
    await ENDS[name]?.(server);
    await expect.poll(() => isFree(server, 'ann')).toBe(true);
    server.release();
    expect(server.problems).toEqual([]);
  });
});
