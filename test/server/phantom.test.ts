import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../runtime/tasks/index.js';
import {
  EVERY_ASK,
  legacy,
  type LegacyClient,
  messagesOf,
  modern,
  modernResponse,
  post,
  type Rig,
  rig,
  tokenOf,
  until,
} from './support.js';

/**
 * Mallory is a client in good standing, with a token of his own, who got hold of Ann's session id and
 * of the id of her task.
 */
const MALLORY = tokenOf('mallory');
const UNKNOWN = { code: -32602, message: 'Unknown or expired task' };

interface Scene {
  readonly rigged: Rig;
  readonly ann: LegacyClient;
  /** Mallory in Ann's session. */
  readonly phantom: LegacyClient;
  /** Mallory in his own. */
  readonly mallory: LegacyClient;
  /** Ann's task, which waits for her answer. */
  readonly taskId: string;
}

async function scene(): Promise<Scene> {
  const rigged = await rig();
  const ann = await legacy(rigged, { capabilities: EVERY_ASK });
  const mallory = await legacy(rigged, { token: MALLORY, capabilities: EVERY_ASK });
  const phantom = await legacy(rigged, { token: MALLORY, sessionId: ann.sessionId });
  const { result } = await ann.request('tools/call', { name: 'asks', task: {} });
  const { taskId } = result?.['task'] as { taskId: string };
  await until(
    () => statusOf(ann, taskId),
    (status) => status === 'input_required',
  );
  return { rigged, ann, phantom, mallory, taskId };
}

async function statusOf(client: LegacyClient, taskId: string): Promise<unknown> {
  return (await client.request('tasks/get', { taskId })).result?.['status'];
}

describe('the phantom-task attack', () => {
  it.each([
    ['creates', 'tools/call', { name: 'failing', task: {} }],
    ['gets', 'tasks/get', {}],
    ['fetches', 'tasks/result', {}],
    ['cancels', 'tasks/cancel', {}],
    ['lists', 'tasks/list', {}],
  ])('SEC-2 a client that %s in a session of another finds none', async (_, method, params) => {
    const { ann, phantom, taskId } = await scene();
    const given = method === 'tools/call' || method === 'tasks/list' ? params : { taskId };
    const answer = await phantom.request(method, given);
    expect(answer).toMatchObject({ status: 404, error: { message: 'Session not found' } });
    const { result } = await ann.request('tasks/list');
    expect(result?.['tasks']).toMatchObject([{ taskId, status: 'input_required' }]);
  });

  it('SEC-2 no other owner receives the messages of a session, or ends it', async () => {
    const { rigged, ann, phantom, taskId } = await scene();
    await expect(phantom.listen()).rejects.toThrow('404');
    const headers = {
      authorization: `Bearer ${MALLORY}`,
      'mcp-protocol-version': '2025-11-25',
      'mcp-session-id': ann.sessionId,
    };
    const request = new Request('http://localhost/mcp', {
      method: 'DELETE',
      headers: { host: 'localhost', ...headers },
    });
    expect((await rigged.http.fetch(request)).status).toBe(404);
    expect(await statusOf(ann, taskId)).toBe('input_required');
  });

  it('SEC-1 SEC-2 no other owner answers the question of a task, from either session', async () => {
    const { rigged, ann, phantom, mallory, taskId } = await scene();
    const waiting = ann.request('tasks/result', { taskId });
    await until(
      () => Promise.resolve(ann.heard.length),
      (heard) => heard > 0,
    );
    const forged = {
      id: ann.heard[0]?.id,
      result: { action: 'accept', content: { name: 'Mallory' } },
    };
    for (const { sessionId } of [phantom, mallory]) {
      const response = await post(rigged.http, forged, {
        authorization: `Bearer ${MALLORY}`,
        'mcp-protocol-version': '2025-11-25',
        'mcp-session-id': sessionId,
      });
      expect(response.status).toBe(sessionId === mallory.sessionId ? 202 : 404);
    }
    expect(await statusOf(ann, taskId)).toBe('input_required');
    await ann.request('tasks/cancel', { taskId });
    expect((await waiting).error?.message).toContain('cancelled');
  });

  it.each(['tasks/get', 'tasks/result', 'tasks/cancel'])(
    "SEC-1 %s of another owner's task answers as for one that never was",
    async (method) => {
      const { ann, mallory, taskId } = await scene();
      const stranger = await mallory.request(method, { taskId });
      expect(stranger.error).toMatchObject(UNKNOWN);
      expect(stranger).toEqual(await mallory.request(method, { taskId: 'never-was' }));
      expect((await mallory.request('tasks/list')).result).toEqual({ tasks: [] });
      expect(await statusOf(ann, taskId)).toBe('input_required');
    },
  );

  it('SEC-1 the extension refuses to get, answer, cancel and subscribe to it', async () => {
    const rigged = await rig();
    const { result } = await modern(rigged, 'tools/call', { name: 'asks' });
    const taskId = String(result?.['taskId']);
    const owned = (): Promise<JsonObject | undefined> =>
      modern(rigged, 'tasks/get', { taskId }).then((answer) => answer.result);
    await until(owned, (task) => task?.['status'] === 'input_required');
    const inputResponses = { name: { action: 'accept', content: { name: 'Mallory' } } };
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await modern(
        rigged,
        method,
        { taskId, inputResponses },
        { token: MALLORY },
      );
      expect(error).toMatchObject(UNKNOWN);
    }
    const response = await modernResponse(
      rigged,
      'subscriptions/listen',
      { notifications: { taskIds: [taskId] } },
      { token: MALLORY },
    );
    const told = [];
    for await (const message of messagesOf(response)) told.push(message);
    expect(told).toMatchObject([{ params: { notifications: { taskIds: [] } } }, { result: {} }]);
    expect(await owned()).toMatchObject({ status: 'input_required', inputRequests: { name: {} } });
  });

  it('SEC-2 the owner reaches her task from any session of hers', async () => {
    const { rigged, taskId } = await scene();
    const again = await legacy(rigged, { token: tokenOf('ann') });
    expect(await statusOf(again, taskId)).toBe('input_required');
    expect((await again.request('tasks/cancel', { taskId })).result).toMatchObject({
      status: 'cancelled',
    });
  });
});
