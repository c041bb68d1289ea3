import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Admission } from '../../runtime/admin/board/access.js';
import { type Answer, refusal } from '../../runtime/admin/board/answer.js';
import { watchAdmission } from '../../runtime/admin/board/serve.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream that was admitted for a minute; `answer` is what its request would get now. */
function stream(first: Admission = { by: 'ann', until: Date.now() + 60_000 }) {
  let now: () => Promise<Admission | Answer> = () => Promise.resolve(first);
  let ended = 0;
  let looks = 0;
  const stop = watchAdmission(
    first,
    () => {
      looks += 1;
      return now();
    },
    () => (ended += 1),
  );
  return {
    stop,
    ended: () => ended,
    looks: () => looks,
    answer: (next: typeof now) => (now = next),
  };
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(1_000 * seconds);

it('ends a stream when its token expires, not before', async () => {
  const { ended } = stream();
  await pass(59);
  expect(ended()).toBe(0);
  await pass(1);
  expect(ended()).toBe(1);
  await pass(600);
  expect(ended()).toBe(1);
});

it.each([401, 403])('ends it within 15 s when its token would be refused with %i', async (code) => {
  const { ended, answer } = stream();
  await pass(20);
  answer(() => Promise.resolve(refusal(code, 'revoked')));
  await pass(15);
  expect(ended()).toBe(1);
});

it.each([
  ['fails', () => Promise.reject(new Error('away'))],
  ['has a fault', () => Promise.resolve(refusal(500, 'away'))],
])('lets it go on until its token expires while the authorization %s', async (_, answered) => {
  const { ended, answer } = stream();
  answer(answered);
  await pass(59);
  expect(ended()).toBe(0);
  await pass(1);
  expect(ended()).toBe(1);
});

it('looks no more when the stream has ended, and keeps no timer', async () => {
  // Other files share this realm, and what they left behind may set timers later.
  const before = vi.getTimerCount();
  const { ended, looks, stop } = stream();
  expect(vi.getTimerCount()).toBe(before + 1);
  stop();
  expect(vi.getTimerCount()).toBe(before);
  await pass(600);
  expect([ended(), looks()]).toEqual([0, 0]);
});

it('does not watch a stream that no token admitted', async () => {
  const before = vi.getTimerCount();
  const { looks } = stream({ by: 'board' });
  expect(vi.getTimerCount()).toBe(before);
  await pass(600);
  expect(looks()).toBe(0);
});
