import { expect } from 'vitest';

import { type Draft, ext, INITIALIZE, REQUESTS } from '../drafts.js';
import { sessionsIn } from './pair.js';
import { bytesOf, requestOf } from './request.js';
import { ROOM, type Target } from './target.js';
import { eventually, type Wire, wireTo } from './wire.js';

const draft = (name: string): Draft => REQUESTS[name] as Draft;

/**
 * No client uses the server any more, so it has room for as many waiters, subscriptions and sessions as it may hold,
 * and for none beyond.
 */
export async function expectRoom(target: Target): Promise<void> {
  await finishAll(target);
  await expectRoomForWaiters(target);
  await expectRoomForSubscriptions(target);
  await expectRoomForSessions(target);
}

/** Ends the sessions that the target has begun. */
export async function finishAll({ fill, finish }: Target): Promise<void> {
  for (const name of ['{session}', '{foreign-session}']) await finish(fill(name));
}

export async function expectRoomForWaiters(target: Target): Promise<void> {
  // A session listens to the tasks that it has created.
  const creator = await target.begin();
  const params = { name: 'wait', arguments: { ms: 1e8 }, task: {} };
  const { result } = await creator.request('tools/call', params);
  target.names.set('waited', (result?.['task'] as { readonly taskId: string }).taskId);
  await target.finish(creator.sessionId);
  const { sessionId } = await target.begin();
  target.names.set('session', sessionId);
  await expectOneRefused(target, ROOM.waiters, waiting);
  await target.finish(sessionId);
}

export async function expectRoomForSubscriptions(target: Target): Promise<void> {
  target.names.set('heard', await createdTask(target));
  await expectOneRefused(target, ROOM.subscriptions, () => listening);
}

/** All sessions were ended. */
export async function expectRoomForSessions(target: Target): Promise<void> {
  await expectOneRefused(target, ROOM.sessions, () => INITIALIZE);
}

function waiting(id: number): Draft {
  const { headers } = draft('core ping');
  const params = { taskId: '{waited}' };
  return { headers, message: { jsonrpc: '2.0', id, method: 'tasks/result', params } };
}

const listening = ext('subscriptions/listen', { notifications: { taskIds: ['{heard}'] } });

/** The id of a new task, because callers may have ended those that were there. */
async function createdTask({ url, fill }: Target): Promise<string> {
  const call = ext('tools/call', { name: 'wait', arguments: { ms: 1e8 } });
  const wire = wireTo(url);
  await wire.send([bytesOf(requestOf(call), fill)], ['POST']);
  await eventually(() => wire.answers[0]?.whole === true);
  wire.break();
  const { result } = JSON.parse(wire.answers[0]?.body ?? '') as {
    readonly result: { readonly taskId: string };
  };
  return result.taskId;
}

/** Of one request more than there is room for. Repeated, because a server may just be noticing who has left. */
async function expectOneRefused(
  { url, fill, finish }: Target,
  room: number,
  draftOf: (id: number) => Draft,
): Promise<void> {
  let refused = NaN;
  for (let attempts = 0; attempts < 20 && refused !== 1; attempts += 1) {
    const wires: Wire[] = [];
    for (let id = 1; id <= room + 1; id += 1) {
      const wire = wireTo(url);
      wires.push(wire);
      await wire.send([bytesOf(requestOf(draftOf(id)), fill)], ['POST']);
    }
    const texts = (): string[] => wires.flatMap(({ answers }) => answers.map(({ body }) => body));
    await eventually(() => texts().length > room && texts().some(isRefusal));
    refused = texts().filter(isRefusal).length;
    for (const wire of wires) wire.break();
    const begun = wires.flatMap(({ answers }) => sessionsIn(answers));
    await Promise.all(begun.map(finish));
  }
  expect(refused).toBe(1);
}

function isRefusal(body: string): boolean {
  return /"error":\{"code":(?:429|-32603|-32000)/.test(body);
}
