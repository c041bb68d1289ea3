import { describe, expect, it } from 'vitest';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { definePrompt } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import {
  EVERY_ASK,
  type Message,
  messagesOf,
  modern,
  modernResponse,
  type Rig,
  rig,
  tokenOf,
  until,
} from './support.js';
import { release } from './tools.js';

let labels = 0;
const label = (): string => `listen-${++labels}`;

async function start(rigged: Rig, name: string, args: object = {}): Promise<string> {
  const { result } = await modern(rigged, 'tools/call', { name, arguments: args });
  return String(result?.['taskId']);
}

interface Listening {
  readonly messages: AsyncGenerator<Message>;
  readonly leave: () => void;
}

async function listen(rigged: Rig, notifications: JsonObject, token?: string): Promise<Listening> {
  const leave = new AbortController();
  const response = await modernResponse(
    rigged,
    'subscriptions/listen',
    { notifications },
    token === undefined ? {} : { token },
    leave.signal,
  );
  return { messages: messagesOf(response), leave: () => leave.abort() };
}

async function next({ messages }: Listening): Promise<Message> {
  const result = await messages.next();
  if (result.done === true) throw new Error('The stream has ended');
  return result.value;
}

async function rest({ messages }: Listening): Promise<Message[]> {
  const all: Message[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

describe('listening to tasks', () => {
  it('EXT-NOT-1 is acknowledged with the accepted tasks, and sends what tasks/get would answer', async () => {
    const rigged = await rig();
    const name = label();
    const taskId = await start(rigged, 'held', { label: name });
    // Its report of progress is a change that would be sent otherwise.
    await until(
      () => modern(rigged, 'tasks/get', { taskId }),
      ({ result }) => result?.['statusMessage'] === '50% (1/2)',
    );
    const listening = await listen(rigged, { taskIds: [taskId, 'nobody', taskId] });
    const ack = await next(listening);
    expect(ack).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [taskId] } },
    });
    const subscriptionId = (ack.params?.['_meta'] as JsonObject)[META_KEYS.subscriptionId];

    const told = async (): Promise<void> => {
      const { method, params } = await next(listening);
      expect(method).toBe('notifications/tasks');
      const { _meta, ...task } = params ?? {};
      expect(_meta).toEqual({ [META_KEYS.subscriptionId]: subscriptionId });
      const { result } = await modern(rigged, 'tasks/get', { taskId });
      const { _meta: stamp, resultType, ...expected } = result ?? {};
      expect(task).toEqual(expected);
    };
    await told();
    release(name);
    await told();
    expect(await rest(listening)).toMatchObject([{ id: subscriptionId, result: {} }]);
  });

  it('EXT-GET-1 EXT-NOT-1 sends the questions of a task', async () => {
    const rigged = await rig();
    const listening = await listen(rigged, { taskIds: [await start(rigged, 'asks')] });
    await next(listening);
    let message = await next(listening);
    while (message.params?.['status'] !== 'input_required') message = await next(listening);
    expect(message.params?.['inputRequests']).toMatchObject({ name: {} });
    listening.leave();
  });

  it('EXT-NOT-2 sends no progress', async () => {
    const rigged = await rig();
    const name = label();
    const { result } = await modern(rigged, 'tools/call', {
      name: 'held',
      arguments: { label: name },
      _meta: { progressToken: 'p' },
    });
    const listening = await listen(rigged, { taskIds: [String(result?.['taskId'])] });
    release(name);
    const methods = (await rest(listening)).map(({ method }) => method);
    expect(new Set(methods)).toEqual(
      new Set(['notifications/subscriptions/acknowledged', 'notifications/tasks', undefined]),
    );
  });

  it('EXT-CAP-3 needs a client that declares the extension', async () => {
    const rigged = await rig();
    const params = { notifications: { taskIds: [await start(rigged, 'failing')] } };
    const { status, error } = await modern(rigged, 'subscriptions/listen', params, {
      capabilities: EVERY_ASK,
    });
    expect({ status, code: error?.code }).toEqual({ status: 400, code: -32021 });
  });

  it('refuses ids that are none, and names them', async () => {
    const { error } = await modern(await rig(), 'subscriptions/listen', {
      notifications: { taskIds: ['a', 7] },
    });
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('/params/notifications/taskIds/1') as string,
    });
  });

  it('SEC-1 accepts no task of another owner', async () => {
    const rigged = await rig();
    const taskId = await start(rigged, 'held', { label: label() });
    const listening = await listen(rigged, { taskIds: [taskId] }, tokenOf('bob'));
    const [ack, end, ...more] = await rest(listening);
    expect(ack).toMatchObject({ params: { notifications: { taskIds: [] } } });
    expect(end).toHaveProperty('result');
    expect(more).toEqual([]);
  });

  it('goes on beside the notifications of lists', async () => {
    const rigged = await rig({
      prompts: [definePrompt({ name: 'p', get: () => ({ messages: [] }) })],
    });
    const taskId = await start(rigged, 'failing');
    const listening = await listen(rigged, { promptsListChanged: true, taskIds: [taskId] });
    expect(await next(listening)).toMatchObject({
      params: { notifications: { promptsListChanged: true, taskIds: [taskId] } },
    });
    let message = await next(listening);
    while (message.params?.['status'] !== 'completed') message = await next(listening);
    rigged.server.notify.promptsChanged();
    expect(await next(listening)).toMatchObject({ method: 'notifications/prompts/list_changed' });
    listening.leave();
  });

  it('a slow reader finds the last state of each task, and no more', async () => {
    const rigged = await rig();
    const name = label();
    const taskId = await start(rigged, 'held', { label: name });
    const listening = await listen(rigged, { taskIds: [taskId] });
    await next(listening);
    release(name);
    await until(
      () => modern(rigged, 'tasks/get', { taskId }),
      ({ result }) => result?.['status'] === 'completed',
    );
    const told = (await rest(listening)).filter(({ method }) => method === 'notifications/tasks');
    expect(told.length).toBeLessThanOrEqual(2);
    expect(told.at(-1)?.params).toMatchObject({ status: 'completed' });
  });

  it('ends when the server does, and holds nothing when its reader goes', async () => {
    const rigged = await rig({ limits: { listenersPerOwner: 1 } });
    const taskId = await start(rigged, 'held', { label: label() });
    const first = await listen(rigged, { taskIds: [taskId] });
    await next(first);
    first.leave();
    await rest(first).catch(() => undefined);
    const second = await listen(rigged, { taskIds: [taskId] });
    expect(await next(second)).toMatchObject({ params: { notifications: { taskIds: [taskId] } } });
    await next(second);
    const ending = rest(second);
    await rigged.http.close();
    expect((await ending).at(-1)).toMatchObject({ result: {} });
  });

  it('is refused as a whole beyond listenersPerOwner, and then holds nothing', async () => {
    const rigged = await rig({ limits: { listenersPerOwner: 2 } });
    const start3 = [1, 2, 3].map(() => start(rigged, 'held', { label: label() }));
    const [one, two, three] = await Promise.all(start3);
    for (let n = 0; n < 3; n += 1) {
      const params = { notifications: { taskIds: [one, 'nobody', two, three] } };
      const { error } = await modern(rigged, 'subscriptions/listen', params);
      expect(error).toEqual({
        code: 429,
        message: 'Limit listenersPerOwner (2) reached; retry in 100 ms',
        data: { reason: 'limit', limit: 'listenersPerOwner', max: 2, retryAfterMs: 100 },
      });
    }
    const listening = await listen(rigged, { taskIds: [one, two] });
    expect(await next(listening)).toMatchObject({
      params: { notifications: { taskIds: [one, two] } },
    });
    listening.leave();
  });

  it('is refused with more ids than a subscription takes', async () => {
    const taskIds = Array.from({ length: 1_001 }, (_, n) => `task-${n}`);
    const { error } = await modern(await rig(), 'subscriptions/listen', {
      notifications: { taskIds },
    });
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/1001 ids.* 1000/) as string,
    });
  });
});
