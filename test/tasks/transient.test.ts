import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

import { TransientSet } from '../../runtime/tasks/index.js';

it('a set has a member until the function that its addition returned is called', () => {
  const set = new TransientSet<{ readonly at: number }>();
  const [first, second] = [{ at: 1 }, { at: 2 }];
  const leave = set.add(first);
  set.add(second);
  expect([set.size, set.values()]).toEqual([2, [first, second]]);
  leave();
  leave();
  expect([set.size, set.values()]).toEqual([1, [second]]);
});

it('members may leave while the members are visited', () => {
  const set = new TransientSet<() => void>();
  const left: number[] = [];
  for (const at of [0, 1, 2]) {
    const leave = set.add(() => {
      left.push(at);
      leave();
    });
  }
  for (const member of set.values()) member();
  expect([left, set.size]).toEqual([[0, 1, 2], 0]);
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;

const MEMBERS = 2_000;
const BYTES = 8_000;
const AT_A_TIME = 16;

/** What deleted members leave in V8's space of old objects, when only the space of new ones is collected. */
function keptAfter(add: (member: object) => () => void): number {
  const used = (): number =>
    getHeapSpaceStatistics().find((each) => each.space_name === 'old_space')?.space_used_size ?? 0;
  for (let times = 0; times < 3; times += 1) collect();
  const before = used();
  const removals: (() => void)[] = [];
  for (let index = 0; index < MEMBERS; index += 1) {
    removals.push(add({ numbers: new Array<number>(BYTES / 8).fill(0.5) }));
    if (removals.length > AT_A_TIME) removals.shift()?.();
    if (index % 100 === 0) collect({ type: 'minor' });
  }
  return used() - before;
}

it('a deleted member of an old set stays in no memory', () => {
  const set = new TransientSet<object>();
  expect(keptAfter((member) => set.add(member))).toBeLessThan((MEMBERS * BYTES) / 10);
});
