import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { completeLimits } from '../../runtime/client/limits.js';
import { type Message, until } from '../server/support.js';
import { at } from '../../runtime/peer/wire/json.js';
import { connect, peer, RESULT } from './harness.js';

const ANSWERS = { core: RESULT, ext: { resultType: 'complete', ...RESULT } };

/** A call that the server has got, and its connection. */
async function called(dialect: 'core' | 'ext', silence: number, timeout?: number) {
  const server = peer(() => undefined, { dialect });
  const { tasks } = await connect(server.transport, dialect, {
    limits: { silence },
    answer: { form: () => wait(3 * silence).then(() => ({ action: 'decline' })) },
  });
  const outcome = tasks.call('work', {}, timeout === undefined ? {} : { timeout });
  outcome.catch(() => undefined);
  const [call] = await until(
    () => Promise.resolve(server.requests('tools/call')),
    ({ length }) => length > 0,
  );
  return { server, outcome, call: call as Message };
}

describe.each(['core', 'ext'] as const)(
  '%s: a call about which the server sends nothing',
  (dialect) => {
    it('fails, and says what was sent last and what answered no request', async () => {
      const { server, outcome } = await called(dialect, 500);
      server.say('notifications/message', { level: 'info', data: 'Compiling' });
      server.answer('other', {});
      await expect(outcome).rejects.toMatchObject({
        reason: 'timeout',
        message: expect.stringMatching(
          /^The server did not answer the call of work, and sent nothing about it for 500 ms \(limit silence\); the server sent notifications\/message last, .*An answer came with the id "other", which no request has/,
        ) as string,
      });
    });

    it.each([
      ['its progress', 'notifications/progress'],
      ['log messages', 'notifications/message'],
    ])('goes on while the server sends %s', async (_, method) => {
      const { server, outcome, call } = await called(dialect, 1_500);
      const progressToken = at(call.params, ['_meta', 'progressToken']);
      for (let progress = 1; progress <= 40; progress += 1) {
        server.say(method, { progressToken, progress, level: 'info', data: 1 });
        await wait(50);
      }
      server.answer(call.id, ANSWERS[dialect]);
      await expect(outcome).resolves.toMatchObject(RESULT);
    });

    it('fails although the server sends progress of another call', async () => {
      const { server, outcome } = await called(dialect, 300);
      const say = setInterval(
        () => server.say('notifications/progress', { progressToken: 'other', progress: 1 }),
        50,
      );
      await expect(outcome).rejects.toMatchObject({ reason: 'timeout' });
      clearInterval(say);
    });

    it.each([
      ['without the limit', 0, undefined],
      ['with a timeout', 100, 60_000],
    ])('goes on %s', async (_, silence, timeout) => {
      const { server, outcome, call } = await called(dialect, silence, timeout);
      await wait(400);
      server.answer(call.id, ANSWERS[dialect]);
      await expect(outcome).resolves.toMatchObject(RESULT);
    });
  },
);

it('a call goes on while a question of the server is answered', async () => {
  const { server, outcome, call } = await called('core', 300);
  const params = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
  await server.ask('elicitation/create', params);
  server.answer(call.id, RESULT);
  await expect(outcome).resolves.toMatchObject(RESULT);
});

it('the limit of silence may be 0, and nothing below', () => {
  expect(completeLimits({ silence: 0 }).silence).toBe(0);
  expect(() => completeLimits({ silence: -1 })).toThrow(/silence must be an integer of at least 0/);
});
