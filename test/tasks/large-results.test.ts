import { expect, it } from 'vitest';
import { roomFor } from '../../runtime/tasks/index.js';
import { sampleTask } from '../../runtime/testing/testkit/index.js';

const MIB = 2 ** 20;
const resultOf = (characters: number) => sampleTask(1, { outcome: 'x'.repeat(characters) });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** In which turns of the event loop results of these sizes have room; 0 is this one. */
async function turnsOf(sizes: readonly number[]): Promise<readonly (number | undefined)[]> {
  const found: (number | undefined)[] = sizes.map(() => undefined);
  let now = 0;
  for (const [index, size] of sizes.entries()) {
    const room = roomFor(resultOf(size));
    if (room === undefined) found[index] = 0;
    else void room.then(() => (found[index] = now));
  }
  for (now = 1; found.includes(undefined) && now < 50; now += 1) await turn();
  // What was counted goes with its turn.
  for (let rest = 0; rest < 10; rest += 1) await turn();
  return found;
}

it('small results have room at once, however many and whatever waits', async () => {
  expect(await turnsOf([4 * MIB, ...Array<number>(300).fill(4_096), 0])).toEqual(
    Array<number>(302).fill(0),
  );
  expect(roomFor(sampleTask(1))).toBeUndefined();
});

it('large results share a turn up to a mebibyte, and then take turns', async () => {
  expect(await turnsOf([MIB])).toEqual([0]);
  const [first, second, third, fourth] = await turnsOf([MIB, MIB, MIB, MIB]);
  expect(first).toBe(0);
  expect([second, third, fourth].every((each) => (each ?? 0) > 0)).toBe(true);
  expect((second ?? 0) < (third ?? 0) && (third ?? 0) < (fourth ?? 0)).toBe(true);
  expect(
    (await turnsOf([MIB / 4, MIB / 4, MIB / 4, MIB / 4, 4_097]))?.map((each) => each === 0),
  ).toEqual([true, true, true, true, false]);
});

it('a result that comes when the others were sent has room at once', async () => {
  await turnsOf([MIB, MIB, MIB]);
  expect(await turnsOf([MIB])).toEqual([0]);
});
