import { describe, expect, it, onTestFinished } from 'vitest';

import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { startExt, getExt, reaches } from './steps.js';
import { modern, type ModernOptions, EVERY_ASK, rig, type Rig, until } from './support.js';
import { CORE_ONLY, release, signals } from './tools.js';

let labels = 0;
const label = (): string => `ext-${++labels}`;
const undeclared: ModernOptions = { capabilities: EVERY_ASK };

describe('declaring', () => {
  it('the extension is declared in its own revision only, and only if a tool may be a task', async () => {
    const declares = async (options: Parameters<typeof rig>[0]): Promise<unknown> => {
      const { result } = await modern(await rig(options), 'server/discover');
      return (result?.['capabilities'] as JsonObject)['extensions'];
    };
    expect(await declares({})).toEqual({ [EXTENSION_ID]: {} });
    expect(await declares({ capabilities: CORE_ONLY })).toBeUndefined();
    expect(await declares({ tools: [] })).toBeUndefined();
  });

  it('EXT-CAP-1 a client that does not declare gets the result itself, whatever it did before', async () => {
    const rigged = await rig();
    const name = label();
    release(name);
    await startExt(rigged, 'held', { label: name });
    const params = { name: 'held', arguments: { label: name } };
    const { result } = await modern(rigged, 'tools/call', params, undeclared);
    expect(result).toMatchObject({
      resultType: 'complete',
      content: [{ type: 'text', text: `done ${name}` }],
    });
    expect(result).not.toHaveProperty('taskId');
  });

  it('EXT-CAP-2 what can only be a task needs a client that declares', async () => {
    const { status, error } = await modern(
      await rig(),
      'tools/call',
      { name: 'task-only' },
      undeclared,
    );
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [EXTENSION_ID]: {} } } },
    });
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'EXT-CAP-3 %s needs a client that declares',
    async (method) => {
      const rigged = await rig();
      const params = {
        taskId: await startExt(rigged, 'failing'),
        ...(method === 'tasks/update' && { inputResponses: {} }),
      };
      expect((await modern(rigged, method, params, undeclared)).error?.code).toBe(-32021);
      expect((await modern(rigged, method, params)).error).toBeUndefined();
    },
  );

  it('EXT-CAP-4 tasks/list and tasks/result do not exist, and params.task means nothing', async () => {
    const rigged = await rig();
    for (const method of ['tasks/list', 'tasks/result']) {
      const { error } = await modern(rigged, method, { taskId: 'x' });
      expect(error?.code).toBe(-32601);
    }
    const { result } = await modern(rigged, 'tools/call', {
      name: 'add',
      arguments: { a: 1, b: 2 },
      task: { ttl: 5 },
    });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { sum: 3 } });
  });

  it('tasks/* do not exist where the dialect is not served', async () => {
    const rigged = await rig({ capabilities: CORE_ONLY });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await modern(rigged, method, { taskId: 'x', inputResponses: {} });
      expect(error?.code).toBe(-32601);
    }
  });
});

describe('creating', () => {
  /** The answer to a call that becomes a task, while its tool runs. */
  async function created(rigged: Rig): Promise<JsonObject> {
    const name = label();
    onTestFinished(() => release(name));
    const { result } = await modern(rigged, 'tools/call', {
      name: 'held',
      arguments: { label: name },
    });
    const { _meta, ...task } = result ?? {};
    return task;
  }

  it('EXT-NEW-1 the server makes a task of a call that did not ask for one', async () => {
    expect(await created(await rig())).toMatchObject({ resultType: 'task' });
  });

  it('EXT-NEW-2 the answer is flat, and has no fields but those of the task', async () => {
    expect(Object.keys(await created(await rig())).sort()).toEqual([
      'createdAt',
      'lastUpdatedAt',
      'pollIntervalMs',
      'resultType',
      'status',
      'taskId',
      'ttlMs',
    ]);
  });

  it('EXT-NEW-5 the fields of the task have their types', async () => {
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    expect(await created(await rig())).toMatchObject({
      taskId: expect.any(String) as string,
      status: 'working',
      createdAt: time,
      lastUpdatedAt: time,
      ttlMs: expect.any(Number) as number,
      pollIntervalMs: 100,
    });
  });

  it('EXT-NEW-3 the task is found at once', async () => {
    const rigged = await rig();
    const { taskId } = await created(rigged);
    expect(await getExt(rigged, String(taskId))).toMatchObject({ status: 'working' });
  });

  it('EXT-NEW-4 what has to be known before is asked before, on the call itself', async () => {
    const rigged = await rig();
    const first = await modern(rigged, 'tools/call', { name: 'asks-first' });
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { name: { method: 'elicitation/create' } },
    });
    const second = await modern(rigged, 'tools/call', {
      name: 'asks-first',
      inputResponses: { name: { action: 'accept', content: { name: 'Ann' } } },
      requestState: first.result?.['requestState'],
    });
    expect(second.result).toMatchObject({ resultType: 'task' });
    expect(second.result).not.toHaveProperty('requestState');
    const ended = await reaches(rigged, String(second.result?.['taskId']), 'completed');
    expect(ended).toMatchObject({ result: { content: [{ text: 'for Ann' }] } });
  });

  it('arguments that the schema forbids are for the model to read, and make no task', async () => {
    const { result } = await modern(await rig(), 'tools/call', {
      name: 'held',
      arguments: { label: 5 },
    });
    expect(result).toMatchObject({ resultType: 'complete', isError: true });
    expect(JSON.stringify(result)).toContain('/label');
    const first = await modern(await rig(), 'tools/call', {
      name: 'asks-first',
      arguments: { name: 5 },
    });
    expect(first.result).toMatchObject({ resultType: 'complete', isError: true });
    expect(JSON.stringify(first.result)).toContain('/name');
  });
});

describe('getting', () => {
  it('EXT-GET-1 EXT-GET-2 a completed task holds exactly what the call would have been answered', async () => {
    const rigged = await rig();
    const name = label();
    release(name);
    const params = { name: 'held', arguments: { label: name } };
    const plain = await modern(rigged, 'tools/call', params, undeclared);
    const { result } = await reaches(
      rigged,
      await startExt(rigged, 'held', params.arguments),
      'completed',
    );
    const { _meta, ...expected } = plain.result ?? {};
    expect(result).toEqual(expected);
  });

  it('EXT-GET-2 EXT-GET-3 a JSON-RPC error is a failed task with that error', async () => {
    const rigged = await rig();
    const task = await reaches(rigged, await startExt(rigged, 'broken'), 'failed');
    expect(task).toMatchObject({
      resultType: 'complete',
      error: { code: -32055, message: 'No such shelf', data: { shelf: 7 } },
    });
    expect(task).not.toHaveProperty('result');
  });

  it('EXT-GET-3 a tool error is a completed task', async () => {
    const rigged = await rig();
    const task = await reaches(rigged, await startExt(rigged, 'failing'), 'completed');
    expect(task).toMatchObject({ result: { isError: true } });
  });

  it('a result that is none fails the task, or the call, and the field is named', async () => {
    const rigged = await rig();
    const call = { name: 'untrue', arguments: { structured: true } };
    const plain = await modern(rigged, 'tools/call', call, undeclared);
    expect(plain.error).toMatchObject({ code: -32603 });
    expect(plain.error?.message).toMatch(
      / returned an invalid result: \/content\/0\/text must be /,
    );
    const taskId = await startExt(rigged, 'untrue', { structured: true });
    expect(await reaches(rigged, taskId, 'failed')).toMatchObject({ error: plain.error });
  });

  it('EXT-ERR-1 an unknown task is -32602 everywhere', async () => {
    const rigged = await rig();
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await modern(rigged, method, { taskId: 'nobody', inputResponses: {} });
      expect(error).toMatchObject({ code: -32602, message: 'Unknown or expired task' });
    }
  });

  it('EXT-HDR-1 a task under another name in the headers is refused', async () => {
    const rigged = await rig();
    const taskId = await startExt(rigged, 'failing');
    const { status, error } = await modern(
      rigged,
      'tasks/get',
      { taskId },
      { headers: { 'mcp-name': 'another' } },
    );
    expect({ status, code: error?.code }).toEqual({ status: 400, code: -32020 });
  });
});

describe('cancelling', () => {
  it('EXT-CAN-1 is acknowledged, stops the handler, and may be repeated', async () => {
    const rigged = await rig();
    const name = label();
    const taskId = await startExt(rigged, 'held', { label: name });
    await until(
      () => Promise.resolve(signals.get(name)),
      (signal) => signal !== undefined,
    );
    for (let i = 0; i < 2; i += 1) {
      const { result } = await modern(rigged, 'tasks/cancel', { taskId });
      const { _meta, ...answer } = result ?? {};
      expect(answer).toEqual({ resultType: 'complete' });
    }
    expect(signals.get(name)?.aborted).toBe(true);
    expect(await getExt(rigged, taskId)).toMatchObject({ status: 'cancelled' });
  });

  it('EXT-CAN-2 a cancelled notification does not touch a task', async () => {
    const rigged = await rig();
    const name = label();
    const taskId = await startExt(rigged, 'held', { label: name });
    for (let requestId = 1; requestId < 2_000; requestId += 499) {
      await modern(rigged, 'notifications/cancelled', { requestId });
    }
    expect(await getExt(rigged, taskId)).toMatchObject({ status: 'working' });
    release(name);
    await reaches(rigged, taskId, 'completed');
  });
});
