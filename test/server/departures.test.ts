import { setTimeout as sleep } from 'node:timers/promises';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type Draft, ext, INITIALIZE, REQUESTS, WAIT } from './drafts.js';
import { sessionsIn, withId } from './hostile/pair.js';
import { bytesOf, requestOf } from './hostile/request.js';
import { hostileRequests } from './hostile/requests.js';
import {
  expectRoom,
  expectRoomForSessions,
  expectRoomForSubscriptions,
  expectRoomForWaiters,
  finishAll,
} from './hostile/room.js';
import { type Target, target } from './hostile/target.js';
import { eventually, type Wire, wireTo } from './hostile/wire.js';
import { authorization, rig } from './support.js';
import { sized } from '../support/size.js';

const LISTEN = ext('subscriptions/listen', { notifications: { taskIds: ['{ext-cancelable}'] } });
const QUEUED: readonly (readonly [string, Draft, (at: Target) => Promise<void>])[] = [
  ['a wait for a result', WAIT, expectRoomForWaiters],
  ['a subscription', LISTEN, expectRoomForSubscriptions],
  ['a handshake', INITIALIZE, expectRoomForSessions],
];

/** What does not cancel the request that it waits behind. */
const requests = hostileRequests(
  Object.entries(REQUESTS).flatMap(([name, draft]) =>
    /call|plain|cancel/.test(name) ? [] : draft,
  ),
).map((request) => ({ ...request, method: 'POST' }));
const queue = fc.array(requests, { minLength: 1, maxLength: 4 });
const handshakes = fc
  .array(fc.integer({ min: 1, max: 100 }), { maxLength: 4 })
  .map((chunks) => [{ ...requestOf(INITIALIZE), chunks }]);
const numRuns = sized(100);

describe('a client that leaves', () => {
  it.each(QUEUED)('frees %s behind an open stream', async (_name, draft, expectThere) => {
    const at = await target();
    await finishAll(at);
    const { sessionId } = await at.begin();
    at.names.set('session', sessionId);
    const wire = await open(at, [WAIT, draft, draft]);
    expect(await eventually(() => wire.answers.length > 0)).toBe(true);
    wire.break();
    if (draft === INITIALIZE) await at.finish(sessionId);
    await expectThere(at);
  });

  it(
    'frees whatever waits behind an open stream',
    async () => {
      // Node does not notice who leaves while more waits for the connection than it wants to keep, before it writes.
      const at = await target({ keepAliveMs: 200 });
      let lastId = 1_000;
      await fc.assert(
        fc.asyncProperty(queue, fc.nat(10), async (drawn, ms) => {
          const wire = wireTo(at.url);
          const wait = withId(requestOf(WAIT), (lastId += 1));
          await wire.send([bytesOf(wait, at.fill)], ['POST']);
          expect(await eventually(() => wire.answers.length > 0)).toBe(true);
          await wire.send([Buffer.concat(drawn.map((each) => bytesOf(each, at.fill)))], []);
          await sleep(ms);
          wire.break();
        }),
        { numRuns },
      );
      await expectRoom(at);
    },
    60_000 + numRuns * 200,
  );

  it(
    'leaves no session whose handshake it did not see answered',
    async () => {
      const at = await target();
      await fc.assert(
        fc.asyncProperty(
          fc.array(requests, { maxLength: 2 }),
          handshakes,
          queue,
          async (...drawn) => {
            const wire = wireTo(at.url);
            const all = drawn.flat().map((each, id) => withId(each, 100 + id));
            await wire.send(
              [Buffer.concat(all.map((each) => bytesOf(each, at.fill)))],
              all.map(() => 'POST'),
            );
            wire.end();
            expect(await eventually(() => wire.closed)).toBe(true);
            await Promise.all(sessionsIn(wire.answers).map(at.finish));
          },
        ),
        { numRuns },
      );
      await finishAll(at);
      await expectRoomForSessions(at);
    },
    60_000 + numRuns * 200,
  );
});

describe('a host that has web requests', () => {
  const handshake = (signal: AbortSignal): Request =>
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: INITIALIZE.headers,
      body: JSON.stringify(INITIALIZE.message),
      signal,
    });

  it('keeps no session whose handshake the client did not wait for', async () => {
    const { http } = await rig({}, { auth: authorization, sessions: 1 });
    const leaving = new AbortController();
    const left = http.fetch(handshake(leaving.signal));
    leaving.abort();
    await left;
    const { status } = await http.fetch(handshake(new AbortController().signal));
    expect(status).toBe(200);
  });

  it('may abort the signal of a handshake that was answered', async () => {
    const { http } = await rig({}, { auth: authorization });
    const over = new AbortController();
    const { headers } = await http.fetch(handshake(over.signal));
    over.abort();
    const sessionId = headers.get('mcp-session-id') ?? '';
    const ended = await http.fetch(
      new Request('http://localhost/mcp', {
        method: 'DELETE',
        headers: { ...INITIALIZE.headers, 'Mcp-Session-Id': sessionId },
      }),
    );
    expect(ended.status).toBe(200);
  });
});

async function open({ url, fill }: Target, drafts: readonly Draft[]): Promise<Wire> {
  const wire = wireTo(url);
  const bytes = drafts.map((draft, at) => bytesOf(withId(requestOf(draft), 100 + at), fill));
  await wire.send(
    [Buffer.concat(bytes)],
    drafts.map(() => 'POST'),
  );
  return wire;
}
