import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../runtime/tasks/index.js';
import { RELATED_TASK } from '../../runtime/peer/wire/core-task.js';
import { startCore, ended } from './steps.js';
import { legacy, type LegacyClient, type Rig, rig, tokenOf, until } from './support.js';
import { release, signals } from './tools.js';

let labels = 0;
const label = (): string => `life-${++labels}`;

describe('cancelling', () => {
  it('CORE-CAN-1 CORE-LIFE-2 answers with the cancelled task and stops its handler', async () => {
    const client = await legacy(await rig());
    const name = label();
    const { taskId } = await startCore(client, 'held', { label: name });
    await until(
      () => Promise.resolve(signals.get(name)),
      (signal) => signal !== undefined,
    );
    const waiting = client.request('tasks/result', { taskId });
    const { result } = await client.request('tasks/cancel', { taskId });
    expect(result).toMatchObject({
      taskId,
      status: 'cancelled',
      ttl: expect.any(Number) as number,
    });
    expect(signals.get(name)?.aborted).toBe(true);
    expect((await waiting).error?.message).toContain('cancelled');
    release(name);
    expect(await ended(client, taskId)).toMatchObject({ status: 'cancelled' });
  });

  it('CORE-CAN-2 refuses to cancel what has ended', async () => {
    const client = await legacy(await rig());
    const { taskId } = await startCore(client, 'failing');
    await ended(client, taskId);
    expect((await client.request('tasks/cancel', { taskId })).error?.code).toBe(-32602);
  });

  it('CORE-CAN-3 a cancelled notification does not touch a task', async () => {
    const client = await legacy(await rig());
    const name = label();
    const { taskId } = await startCore(client, 'held', { label: name });
    for (let requestId = 1; requestId < 2_000; requestId += 499) {
      await client.notify('notifications/cancelled', { requestId });
    }
    release(name);
    expect(await ended(client, taskId)).toMatchObject({ status: 'completed' });
  });

  it.each(['tasks/get', 'tasks/result', 'tasks/cancel'])(
    'CORE-ERR-1 CORE-TTL-1 %s of an unknown or expired task is -32602',
    async (method) => {
      const client = await legacy(await rig());
      expect((await client.request(method, { taskId: 'nobody' })).error).toMatchObject({
        code: -32602,
        message: 'Unknown or expired task',
      });
      const { taskId } = await startCore(client, 'failing', {}, { ttl: 1 });
      const { error } = await until(
        () => client.request(method === 'tasks/cancel' ? 'tasks/get' : method, { taskId }),
        ({ error }) => error?.message === 'Unknown or expired task',
      );
      expect(error?.code).toBe(-32602);
      expect((await client.request(method, { taskId })).error?.code).toBe(-32602);
    },
  );
});

describe('listing', () => {
  it('CORE-LST-1 pages through the tasks of the caller with opaque cursors', async () => {
    const client = await legacy(await rig({ limits: { pageSize: 2 } }));
    const started: string[] = [];
    for (let i = 0; i < 5; i += 1) started.push((await startCore(client, 'failing')).taskId);
    const found: unknown[] = [];
    let cursor: unknown;
    do {
      const { result } = await client.request('tasks/list', cursor === undefined ? {} : { cursor });
      found.push(...(result?.['tasks'] as JsonObject[]).map(({ taskId }) => taskId));
      cursor = result?.['nextCursor'];
    } while (cursor !== undefined);
    expect(found.sort()).toEqual(started.sort());
    expect((await client.request('tasks/list', { cursor: 'x' })).error?.code).toBe(-32602);
  });
});

describe('relating', () => {
  async function twoTasks(): Promise<{ client: LegacyClient; taskId: string; _meta: JsonObject }> {
    const client = await legacy(await rig());
    const { taskId } = await startCore(client, 'failing');
    const other = await startCore(client, 'failing');
    await ended(client, taskId);
    return { client, taskId, _meta: { [RELATED_TASK]: { taskId: other.taskId } } };
  }

  it('CORE-REL-1 the id decides, not a related-task beside it', async () => {
    const { client, taskId, _meta } = await twoTasks();
    const found = await client.request('tasks/get', { taskId, _meta });
    expect(found.result).toMatchObject({ taskId });
    const { result } = await client.request('tasks/result', { taskId, _meta });
    expect(result?.['_meta']).toEqual({ [RELATED_TASK]: { taskId } });
  });

  it.each(['tasks/get', 'tasks/list'])(
    'CORE-REL-2 the answer to %s carries no related-task',
    async (method) => {
      const { client, taskId, _meta } = await twoTasks();
      const params = method === 'tasks/get' ? { taskId, _meta } : { _meta };
      const { result } = await client.request(method, params);
      expect(result).toBeDefined();
      expect(result).not.toHaveProperty('_meta');
    },
  );
});

describe('notifying', () => {
  async function told(rigged: Rig, progressToken: string): Promise<JsonObject[]> {
    const client = await legacy(rigged);
    const leave = new AbortController();
    const stream = await client.listen(leave.signal);
    const name = label();
    const { result } = await client.request('tools/call', {
      name: 'held',
      arguments: { label: name },
      task: {},
      _meta: { progressToken },
    });
    const { taskId } = result?.['task'] as { taskId: string };
    release(name);
    const messages: JsonObject[] = [];
    for await (const message of stream) {
      messages.push(message);
      if (message.params?.['status'] === 'completed') break;
    }
    leave.abort();
    expect(messages.every(({ params }) => JSON.stringify(params).includes(taskId))).toBe(true);
    return messages;
  }

  it('CORE-NOT-1 CORE-REL-2 sends the whole task when its status changes', async () => {
    const messages = await told(await rig(), 'bar');
    const last = messages.at(-1);
    expect(last).toMatchObject({
      method: 'notifications/tasks/status',
      params: { status: 'completed', ttl: expect.any(Number) as number, pollInterval: 100 },
    });
    expect(last?.['params']).not.toHaveProperty('_meta');
  });

  it('CORE-PRG-1 CORE-INP-2 goes on with the progress token of the call until the end', async () => {
    const messages = await told(await rig(), 'bar');
    const progress = messages.filter(({ method }) => method === 'notifications/progress');
    expect(progress).toMatchObject([
      { params: { progressToken: 'bar', progress: 1, _meta: { [RELATED_TASK]: {} } } },
      { params: { progressToken: 'bar', progress: 2 } },
    ]);
    expect(messages.at(-1)?.['method']).toBe('notifications/tasks/status');
  });

  it('the owner finds a task again from another session', async () => {
    const rigged = await rig();
    const { taskId } = await startCore(await legacy(rigged), 'failing');
    const again = await legacy(rigged, { token: tokenOf('ann') });
    expect((await again.request('tasks/get', { taskId })).result).toMatchObject({ taskId });
  });
});
