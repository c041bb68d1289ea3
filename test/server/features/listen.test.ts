import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { EXTENSION_ID, META_KEYS } from '../../../runtime/protocol.js';
import { definePrompt } from '../../../runtime/server/prompt.js';
import { defineResource } from '../../../runtime/server/resource.js';
import { defineTool } from '../../../runtime/server/tool.js';
import type { JsonObject } from '../../../runtime/tasks/index.js';
import { EXT, type Line, serverOf, settled, type Wire, wireOf, type WireOptions } from './wire.js';

/** Tasks that wait for their release, by label. */
const held = new Map<string, () => void>();
const waits = defineTool({
  name: 'waits',
  description: 'Waits for its release.',
  input: z.object({ label: z.string(), size: z.number().default(1) }),
  taskSupport: 'optional',
  async run({ args, task }) {
    task.progress({ progress: 1, total: 2 });
    await new Promise<void>((resolve) => held.set(args.label, resolve));
    return 'x'.repeat(args.size);
  },
});

const asks = defineTool({
  name: 'asks',
  description: 'Asks the user.',
  input: z.object({}),
  taskSupport: 'optional',
  async run({ task }) {
    const requestedSchema = { type: 'object', properties: { it: { type: 'string' } } };
    const { action } = await task.elicit({ message: 'Which?', requestedSchema }, { key: 'it' });
    return action;
  },
});

const options = {
  limits: { readsPerSecond: 1_000_000 },
  tools: [waits, asks],
  prompts: [definePrompt({ name: 'p', get: () => '' })],
  resources: [defineResource({ uri: 'x:r', name: 'r', read: () => ({ text: '' }) })],
};

const TASKS = { extensions: { [EXTENSION_ID]: {} }, elicitation: {} };

/** Lets a task end, once it has begun. */
async function release(name: string): Promise<void> {
  while (!held.has(name)) await settled();
  held.get(name)?.();
}

let labels = 0;
const label = (): string => `listen ${(labels += 1)}`;

const wire = (more: WireOptions = {}, own = options): Promise<Wire> =>
  wireOf(EXT, own, { capabilities: TASKS, ...more });

async function start({ request }: Wire, name: string, args: JsonObject = {}): Promise<string> {
  const { taskId } = await request('tools/call', { name, arguments: args });
  return String(taskId);
}

async function reaches({ request }: Wire, taskId: string, status: string): Promise<JsonObject> {
  for (;;) {
    const task = await request('tasks/get', { taskId });
    if (task['status'] === status) return task;
    await settled();
  }
}

const listen = (
  { open }: Wire,
  notifications: JsonObject,
): { readonly line: Line; readonly result: Promise<JsonObject> } => {
  const opened = open('subscriptions/listen', { notifications });
  opened.result.catch(() => undefined);
  return opened;
};

const methods = ({ sent }: Line): unknown[] => sent.map(({ method }) => method);
const paramsOf = (message: JsonObject | undefined): JsonObject => message?.['params'] as JsonObject;
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const TASK = 'notifications/tasks';

describe('subscriptions/listen', () => {
  it('acknowledges what the server has, and sends that alone, with the id of the request', async () => {
    const own = await wire();
    const { line } = listen(own, {
      promptsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ['x:r', 'x:r', 'x:later'],
    });
    await settled();
    const { notify } = own.server;
    notify.promptsChanged();
    notify.resourcesChanged();
    for (const uri of ['x:r', 'x:other', 'x:later']) notify.resourceUpdated(uri);
    await settled();
    const id = (paramsOf(line.sent[0])['_meta'] as JsonObject)[META_KEYS.subscriptionId];
    const _meta = { [META_KEYS.subscriptionId]: id };
    const notifications = {
      promptsListChanged: true,
      resourceSubscriptions: ['x:r', 'x:later'],
    };
    expect(line.sent).toEqual([
      { jsonrpc: '2.0', method: ACKNOWLEDGED, params: { notifications, _meta } },
      { jsonrpc: '2.0', method: 'notifications/prompts/list_changed', params: { _meta } },
      ...['x:r', 'x:later'].map((uri) => ({
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri, _meta },
      })),
    ]);
    own.close();
  });

  it('ends at once where it asks for nothing that the server has', async () => {
    const own = await wireOf(EXT);
    for (const notifications of [
      {},
      { promptsListChanged: true, resourceSubscriptions: ['x:r'] },
      { taskIds: ['unknown'] },
    ]) {
      const { line, result } = listen(own, notifications);
      expect(await result).toMatchObject({ resultType: 'complete' });
      expect(paramsOf(line.sent[0])['notifications']).toEqual({});
      expect(line.isClosed).toBe(true);
    }
  });

  it('is answered when the endpoint closes, after what waited was sent', async () => {
    const own = await wire();
    const { line, result } = listen(own, { promptsListChanged: true });
    await settled();
    line.hold();
    own.server.notify.promptsChanged();
    await settled();
    own.server.notify.promptsChanged();
    own.close();
    await settled();
    expect(methods(line)).toEqual([ACKNOWLEDGED, 'notifications/prompts/list_changed']);
    line.release();
    await expect(result).rejects.toThrow('The server ended the subscription');
    expect(methods(line).at(-2)).toBe('notifications/cancelled');
    const answered = (id: unknown): object => ({
      id,
      result: { resultType: 'complete', _meta: { [META_KEYS.subscriptionId]: id } },
    });
    expect(line.sent.at(-1)).toMatchObject(answered(line.sent.at(-1)?.['id']));
    expect(line.sent).toHaveLength(5);
    own.server.notify.promptsChanged();
    await settled();
    expect(line.sent).toHaveLength(5);
    const late = listen(own, { promptsListChanged: true });
    await expect(late.result).rejects.toThrow('The server is shutting down');
  });

  it('holds nothing when its client leaves, and gets no answer', async () => {
    const own = await wire({ maxSubscriptions: 1 });
    const first = listen(own, { promptsListChanged: true });
    await settled();
    await expect(listen(own, { promptsListChanged: true }).result).rejects.toMatchObject({
      code: 429,
      message: 'Limit maxSubscriptions (1) reached; retry in 10000 ms',
      data: { reason: 'limit', limit: 'maxSubscriptions', max: 1, retryAfterMs: 10_000 },
    });
    first.line.gone.abort(new Error('The client left'));
    await settled();
    own.server.notify.promptsChanged();
    await settled();
    expect(methods(first.line)).toEqual([ACKNOWLEDGED]);
    const second = listen(own, { promptsListChanged: true });
    await settled();
    expect(methods(second.line)).toEqual([ACKNOWLEDGED]);
    own.close();
  });

  it('refuses an invalid filter, and more than it takes', async () => {
    const own = await wire();
    const refused = (notifications: unknown): Promise<unknown> =>
      listen(own, notifications as JsonObject).result.catch((error: unknown) => error);
    const many = (n: number, of: string) =>
      Array.from({ length: n }, (_, index) => `${of}${index}`);
    expect(await refused({ resourceSubscriptions: many(1_001, 'x:') })).toMatchObject({
      code: -32602,
    });
    expect(await refused({ taskIds: many(1_001, 't') })).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/1001 ids.* 1000/) as string,
    });
    expect(await refused({ note: 'x'.repeat(2 ** 18) })).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/characters, limit 262144/) as string,
    });
    expect(await refused({ taskIds: ['a', 7] })).toMatchObject({
      code: -32602,
      message: '/params/notifications/taskIds/1 must be a string, but is the number 7.',
    });
  });
});

describe('listening to tasks', () => {
  it('EXT-NOT-1 EXT-NOT-2 is acknowledged with the accepted tasks, and sends what tasks/get would answer', async () => {
    const own = await wire();
    const name = label();
    const taskId = await start(own, 'waits', { label: name });
    await reaches(own, taskId, 'working');
    const { line, result } = listen(own, { taskIds: ['unknown', taskId, 'other', taskId] });
    await settled();
    expect(paramsOf(line.sent[0])['notifications']).toEqual({ taskIds: [taskId] });
    const expected = async (): Promise<JsonObject> => {
      const { _meta, resultType, ...task } = await own.request('tasks/get', { taskId });
      void [_meta, resultType];
      return task;
    };
    const shown = (): JsonObject => {
      const { _meta, ...task } = paramsOf(line.sent.filter(({ method }) => method === TASK).at(-1));
      void _meta;
      return task;
    };
    expect(shown()).toEqual(await expected());
    await release(name);
    expect(await result).toMatchObject({ resultType: 'complete' });
    expect(shown()).toEqual(await expected());
    expect(shown()).toMatchObject({ status: 'completed' });
    expect(new Set(methods(line))).toEqual(new Set([ACKNOWLEDGED, TASK, undefined]));
  });

  it('EXT-GET-1 EXT-NOT-1 sends the questions of a task', async () => {
    const own = await wire();
    const taskId = await start(own, 'asks');
    const { line } = listen(own, { taskIds: [taskId] });
    await reaches(own, taskId, 'input_required');
    await settled();
    expect(paramsOf(line.sent.at(-1))).toMatchObject({
      status: 'input_required',
      inputRequests: { it: { method: 'elicitation/create' } },
    });
    own.close();
  });

  it('EXT-CAP-3 needs a client that declares the extension', async () => {
    const own = await wire({ capabilities: {} });
    await expect(listen(own, { taskIds: ['any'] }).result).rejects.toMatchObject({ code: -32021 });
  });

  it('sends the state of a task that has ended, and ends', async () => {
    const own = await wire();
    const name = label();
    // Longer than what is kept: it is read again when it is sent.
    const taskId = await start(own, 'waits', { label: name, size: 100_000 });
    await reaches(own, taskId, 'working');
    await release(name);
    const { result } = await reaches(own, taskId, 'completed');
    const listening = listen(own, { taskIds: [taskId] });
    await listening.result;
    expect(methods(listening.line)).toEqual([ACKNOWLEDGED, TASK, undefined]);
    expect(paramsOf(listening.line.sent[1])).toMatchObject({ status: 'completed', result });
  });

  it('goes on beside other notifications after its tasks have ended', async () => {
    const own = await wire();
    const name = label();
    const taskId = await start(own, 'waits', { label: name });
    const { line } = listen(own, { promptsListChanged: true, taskIds: [taskId] });
    await reaches(own, taskId, 'working');
    await release(name);
    await reaches(own, taskId, 'completed');
    await settled();
    own.server.notify.promptsChanged();
    await settled();
    expect(methods(line).at(-1)).toBe('notifications/prompts/list_changed');
    own.close();
  });

  it('a client that does not read gets the last state of each task, and no more', async () => {
    const own = await wire();
    const name = label();
    const taskId = await start(own, 'waits', { label: name });
    const { line, result } = listen(own, { taskIds: [taskId] });
    line.hold();
    await reaches(own, taskId, 'working');
    await release(name);
    await reaches(own, taskId, 'completed');
    line.release();
    await result;
    const states = line.sent.filter(({ method }) => method === TASK);
    expect(states.length).toBeLessThanOrEqual(2);
    expect(paramsOf(states.at(-1))).toMatchObject({ status: 'completed' });
  });

  it('is refused as a whole beyond listenersPerOwner, and then holds nothing', async () => {
    const served = await serverOf({
      ...options,
      limits: { ...options.limits, listenersPerOwner: 2 },
    });
    const own = await wire({ served });
    const names = [label(), label(), label()];
    const ids = await Promise.all(names.map((each) => start(own, 'waits', { label: each })));
    for (let n = 0; n < 3; n += 1) {
      await expect(listen(own, { taskIds: ['unknown', ...ids] }).result).rejects.toMatchObject({
        code: 429,
        data: { limit: 'listenersPerOwner', max: 2 },
      });
    }
    const { line } = listen(own, { taskIds: ids.slice(0, 2) });
    await settled();
    expect(paramsOf(line.sent[0])['notifications']).toEqual({ taskIds: ids.slice(0, 2) });
    line.gone.abort(undefined);
    await settled();
    const again = listen(own, { taskIds: ids.slice(1) });
    await settled();
    expect(paramsOf(again.line.sent[0])['notifications']).toEqual({ taskIds: ids.slice(1) });
    own.close();
  });

  it('is answered when the engine closes', async () => {
    const own = await wire();
    const taskId = await start(own, 'waits', { label: label() });
    const { result } = listen(own, { taskIds: [taskId] });
    await settled();
    const ended = expect(result).rejects.toThrow('The server ended the subscription');
    await own.server.close(0);
    await ended;
  });
});
