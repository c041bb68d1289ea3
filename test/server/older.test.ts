import { describe, expect, it, onTestFinished } from 'vitest';

import { takesBatches } from '../../runtime/batches.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { PROTOCOL_VERSIONS as VERSIONS } from '../../runtime/protocol.js';
import { createTaskServer } from '../../runtime/server/index.js';
import { clientOf } from './pipes.js';
import { overHttp, overStdio } from './sessions.js';
import { until } from './support.js';
import { runs, testTools } from './tools.js';

/** Sessions of every revision that the server negotiates: only 2025-11-25 has tasks of the core dialect. */

const OLDER = VERSIONS.filter((version) => version < '2025-11-25');
const TASK_METHODS = ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list'];

describe.each([
  ['http', overHttp],
  ['stdio', overStdio],
])('over %s', (_, open) => {
  describe.each(OLDER)('a session of %s', (revision) => {
    it('CORE-CAP-1 CORE-CAP-6 gets no declaration of tasks, and is served none', async () => {
      const { initialized, request } = await open(revision);
      expect(initialized['protocolVersion']).toBe(revision);
      expect(initialized['capabilities']).toEqual({ tools: { listChanged: true } });
      const { result } = await request('tools/list');
      const tools = result?.['tools'] as JsonObject[];
      expect(tools.length).toBeGreaterThan(0);
      expect(tools.filter((tool) => 'execution' in tool)).toEqual([]);
      for (const method of TASK_METHODS) {
        const { error } = await request(method, method === 'tasks/list' ? {} : { taskId: 'x' });
        expect(error?.code).toBe(-32601);
      }
    });

    it('CORE-CAP-4 has params.task ignored, whatever the tool says of tasks', async () => {
      const { request } = await open(revision);
      const call = (name: string, args: object = {}) =>
        request('tools/call', { name, arguments: args, task: { ttl: 60_000 } });
      expect((await call('wait', { ms: 1 })).result).toMatchObject({
        content: [{ text: 'waited 1 ms' }],
      });
      expect((await call('plain-only')).result).toMatchObject({ content: [{ text: 'ran' }] });
      expect((await call('failing')).result).toMatchObject({
        isError: true,
        content: [{ text: 'It went wrong' }],
      });
      const before = runs.get('task-only');
      expect((await call('task-only')).error?.code).toBe(-32601);
      expect(runs.get('task-only')).toBe(before);
    });
  });

  it('CORE-CAP-1 a session of 2025-11-25 has tasks', async () => {
    const { initialized, request } = await open('2025-11-25');
    expect(initialized['capabilities']).toHaveProperty('tasks');
    const { result } = await request('tools/list');
    const tools = result?.['tools'] as JsonObject[];
    expect(tools.every((tool) => 'execution' in tool)).toBe(true);
    const created = await request('tools/call', {
      name: 'wait',
      arguments: { ms: 1 },
      task: {},
    });
    expect(created.result).toMatchObject({ task: { status: 'working' } });
  });
});

const SESSIONS = VERSIONS.filter((version) => version < '2026');

describe.each(SESSIONS)('over stdio, in %s', (revision) => {
  it('what is sent right behind a handshake is served as it is later', async () => {
    const server = await createTaskServer({ name: 'test', version: '1.0.0', tools: testTools });
    onTestFinished(() => server.close(0));
    const client = clientOf(server);
    const clientInfo = { name: 'test', version: '1' };
    const initialize = { protocolVersion: revision, capabilities: {}, clientInfo };
    const list = { jsonrpc: '2.0', id: 'list', method: 'tools/list' };
    const batch = [{ ...list, id: 'in a list' }];
    client.write(
      [{ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }, list, batch]
        .map((each) => JSON.stringify(each))
        .join('\n'),
    );
    const first = await until(
      () => Promise.resolve(client.lines.map((line) => JSON.parse(line) as JsonObject)),
      ({ length }) => length === 3,
    );
    const later = await client.request({ ...list, id: 'later' });
    expect(first[1]).toEqual({ ...later, id: 'list' });
    if (takesBatches(revision)) expect(first[2]).toEqual({ ...later, id: 'in a list' });
    else expect(first[2]).toMatchObject({ error: { code: -32600 } });
  });
});
