import fc from 'fast-check';
import { expect, it } from 'vitest';

import { TASK_ERROR_CODES, TaskError } from '../../runtime/tasks/index.js';
import { STORE_KINDS } from '../support/stores.js';
import { sized } from '../support/size.js';
import { ANN, rig } from './support.js';

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
});
const hostileId = fc.oneof(anything, fc.string({ unit: 'binary' }), fc.string({ maxLength: 500 }));

it.each(STORE_KINDS)(
  'no public input makes the engine reject with anything but its own errors ($name)',
  async ({ place }) => {
    const where = place();
    const store = await where.open();
    const tasks = await rig(
      { quick: () => ({ content: [] }), asks: ({ task }) => task.elicit({}) },
      { store, limits: { readBurst: 1e6, createBurst: 1e6, live: 1e6, livePerOwner: 1e6 } },
    );
    const { id } = await tasks.start('asks');
    const { engine } = tasks;
    const attempts: readonly ((input: never) => Promise<unknown>)[] = [
      (input) => engine.get(ANN, input),
      (input) => engine.cancel(ANN, input),
      (input) => engine.wait(ANN, input),
      (input) => engine.subscribe(ANN, input, () => undefined),
      (input) => engine.answer(ANN, input, {}),
      (input) => engine.answer(ANN, id, input),
      (input) => engine.answer(ANN, id, { 'input-1': input }),
      (input) => engine.list(ANN, input),
      (input) => tasks.start('quick', { ttl: input }),
      (input) => tasks.start('quick', { args: input }),
      (input) => tasks.start('quick', { meta: { progressToken: input, traceparent: input } }),
      (input) => tasks.start('quick', { meta: { baggage: input, tracestate: input } }),
    ];
    await fc.assert(
      fc.asyncProperty(hostileId, fc.nat(attempts.length - 1), async (input, which) => {
        try {
          await attempts[which]?.(input as never);
        } catch (error) {
          expect(error).toBeInstanceOf(TaskError);
          const { reason, code } = error as TaskError;
          expect(code).toBe(TASK_ERROR_CODES[reason]);
          expect(reason).not.toBe('internal');
        }
      }),
      { numRuns: sized(1_500) },
    );
    await engine.close(0);
    await store.close();
    await where.remove();
  },
);
