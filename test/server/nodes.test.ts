import { describe, expect, it, onTestFinished } from 'vitest';

import { createTaskServer } from '../../runtime/server/index.js';
import { running, serveHealth } from '../../runtime/program/index.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import { authorization, post, rig, tokenOf } from './support.js';

const broken = (): TaskStore => ({
  ...createMemoryStore(),
  probe: () => Promise.reject(new Error('The disk is full')),
});

describe('the key that a reverse proxy routes a session by', () => {
  const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

  /** The id of a new session. */
  async function beginSession(
    headers: Record<string, string>,
    sessionKeyHeader?: string,
  ): Promise<string> {
    const { http } = await rig(
      {},
      { auth: authorization, ...(sessionKeyHeader !== undefined && { sessionKeyHeader }) },
    );
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const sent = { authorization: `Bearer ${tokenOf('ann')}`, ...headers };
    const begun = await post(http, { id: 1, method: 'initialize', params }, sent);
    const id = begun.headers.get('mcp-session-id') ?? '';
    const session = { ...sent, 'mcp-session-id': id };
    expect((await post(http, { id: 2, method: 'ping' }, session)).status).toBe(200);
    return id;
  }

  it.each(['a', 'web-1', '0123456789abcdef0123456789abcdef', 'x'.repeat(64)])(
    'begins the id of the session: %s',
    async (key) => {
      const ids = await Promise.all(
        [1, 2].map(() => beginSession({ 'mcp-session-key': key }, 'mcp-session-key')),
      );
      expect(ids.map((id) => id.slice(0, key.length + 1))).toEqual([`${key}.`, `${key}.`]);
      expect(new Set(ids).size).toBe(2);
      for (const id of ids) expect(id.slice(key.length + 1)).toMatch(UUID);
    },
  );

  it.each(['', 'a b', 'a.b', 'a,b', 'é', '"', 'x'.repeat(65)])(
    'is ignored when it could not be part of an id: %j',
    async (key) => {
      expect(await beginSession({ 'mcp-session-key': key }, 'mcp-session-key')).toMatch(UUID);
    },
  );

  it('is ignored unless the header is named', async () => {
    expect(await beginSession({ 'mcp-session-key': 'web-1' })).toMatch(UUID);
    expect(await beginSession({ 'mcp-session-key': 'web-1' }, 'x-other')).toMatch(UUID);
  });
});

describe('/health/live', () => {
  it('answers while the store fails and while the server closes', async () => {
    const { http } = await rig({ store: broken() });
    const statuses = async (): Promise<number[]> => {
      const paths = ['/health', '/health/live'];
      const answers = paths.map((path) => http.fetch(new Request(`http://localhost${path}`)));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([503, 200]);
    await http.close();
    expect(await statuses()).toEqual([503, 200]);
  });
});

describe('a process that serves its health alone', () => {
  async function started(store: TaskStore): Promise<(path: string) => Promise<[number, unknown]>> {
    const server = await createTaskServer({
      name: 'worker',
      version: '1.0.0',
      tools: [],
      store,
      onError: () => undefined,
    });
    const worker = await running(server, serveHealth(server));
    onTestFinished(() => worker.close(0));
    return async (path) => {
      const response = await fetch(new URL(path, worker.address));
      return [response.status, await response.json()];
    };
  }

  it('answers as a server with clients does', async () => {
    const get = await started(createMemoryStore());
    const healthy = [200, { status: 'ok', parts: { store: 'ok' } }];
    expect(await get('/health')).toEqual(healthy);
    expect(await get('/health?from=probe')).toEqual(healthy);
    expect(await get('/health/live')).toEqual([200, { status: 'ok' }]);
    expect((await get('/mcp'))[0]).toBe(404);
  });

  it('says that the store fails', async () => {
    const get = await started(broken());
    expect(await get('/health')).toEqual([503, { status: 'failing', parts: { store: 'failing' } }]);
    expect((await get('/health/live'))[0]).toBe(200);
  });
});
