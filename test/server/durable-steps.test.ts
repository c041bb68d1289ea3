import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';

import type { ToolControls } from '../../runtime/server/controls.js';
import { defineTool } from '../../runtime/server/index.js';
import { sized } from '../support/size.js';
import { ended, startCore } from './steps.js';
import { legacy, modern, rig, until } from './support.js';

const counted = defineTool({
  name: 'counted',
  description: 'Two steps and a pause.',
  input: z.object({}),
  taskSupport: 'optional',
  async run({ task }) {
    const one = await task.step('one', ({ idempotencyKey }) => idempotencyKey.split('/').at(-1));
    await task.sleep(1);
    const two = await task.step(() => 2);
    return `${one} ${two}`;
  },
});
const CALL = { name: 'counted', arguments: {} };
const RESULT = { content: [{ type: 'text', text: 'one 2' }] };

it('a tool with steps gives the same result in a plain call and as a task of the core dialect', async () => {
  const client = await legacy(await rig({ tools: [counted] }));
  expect((await client.request('tools/call', CALL)).result).toMatchObject(RESULT);
  const created = await client.request('tools/call', { ...CALL, task: {} });
  const { taskId } = created.result?.['task'] as { taskId: string };
  expect((await client.request('tasks/result', { taskId })).result).toMatchObject(RESULT);
});

it('a tool with steps gives its result as a task of the extension', async () => {
  const service = await rig({ tools: [counted] });
  const { result } = await modern(service, 'tools/call', CALL);
  const ended = await until(
    () => modern(service, 'tasks/get', { taskId: String(result?.['taskId']) }),
    (answer) => answer.result?.['status'] === 'completed',
  );
  expect(ended.result?.['result']).toMatchObject(RESULT);
});

describe('a step in a plain call and in a task', () => {
  /** What the tool's `run` came to, in a plain call and in a task. */
  async function bothWays(run: (task: ToolControls) => Promise<unknown>): Promise<unknown[]> {
    const seen: unknown[] = [];
    const tool = defineTool({
      ...{ name: 'steps', description: 'Steps.', input: z.object({}), taskSupport: 'optional' },
      async run({ task }) {
        seen.push(await run(task).catch((error: unknown) => error));
        return 'done';
      },
    });
    const client = await legacy(await rig({ tools: [tool] }));
    await client.request('tools/call', { name: 'steps' });
    const { taskId } = await startCore(client, 'steps');
    await ended(client, taskId);
    return seen;
  }

  it('has the value that JSON makes of what it returned', async () => {
    const any = fc.anything({ withDate: true, withMap: true, withSet: true, withTypedArray: true });
    await fc.assert(
      fc.asyncProperty(any, async (value) => {
        const [plain, task] = await bothWays((steps) => steps.step('one', () => value));
        expect(task).toEqual(plain);
        if (value !== undefined) expect(plain).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: sized(30), seed: 3 },
    );
  });

  it('has the type that JSON makes of it', async () => {
    class Order {
      readonly at = new Date(0);
      readonly tags = new Set(['a']);
      readonly parts: [Date, (() => void)?] = [new Date(0)];
      note?: string;
      total(): number {
        return 1;
      }
    }
    const [plain, task] = await bothWays(async (steps) => {
      const order = await steps.step('order', () => new Order());
      expectTypeOf(order.at).toEqualTypeOf<string>();
      expectTypeOf(order.tags).toEqualTypeOf<Record<never, never>>();
      expectTypeOf(order.parts[0]).toEqualTypeOf<string>();
      expectTypeOf(order.note).toEqualTypeOf<string | undefined>();
      expectTypeOf<keyof typeof order>().toEqualTypeOf<'at' | 'tags' | 'parts' | 'note'>();
      expectTypeOf(await steps.step('void', () => undefined)).toEqualTypeOf<undefined>();
      expectTypeOf(await steps.step('a', () => ({ b: [1, null], c: true }))).toEqualTypeOf<{
        b: (number | null)[];
        c: boolean;
      }>();
      return order;
    });
    expect(plain).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      tags: {},
      parts: ['1970-01-01T00:00:00.000Z'],
    });
    expect(task).toEqual(plain);
  });

  it.each<[string, (task: ToolControls) => Promise<unknown>, string]>([
    [
      'a name that was used before',
      async (task) => {
        await task.step('same', () => 1);
        return task.step('same', () => 2);
      },
      'A step of this run has the name same already',
    ],
    [
      'a name that a running step has',
      (task) => Promise.all([task.step('same', () => 1), task.step('same', () => 2)]),
      'A step of this run has the name same already',
    ],
    [
      'the name of a pause',
      async (task) => {
        await task.sleep(1);
        return task.step('sleep-1', () => 1);
      },
      'A step of this run has the name sleep-1 already',
    ],
    [
      'a BigInt',
      (task) => task.step('sums', () => ({ all: [1n] })),
      'The result of step sums is not JSON: /all/0 is a BigInt, which JSON does not have',
    ],
    ['a pause of no length', (task) => task.sleep(NaN), 'Not a pause: NaN'],
  ])('rejects alike: %s', async (_, run, message) => {
    const rejected = expect.objectContaining({ message }) as unknown;
    expect(await bothWays(run)).toEqual([rejected, rejected]);
  });

  it('may be tried again under its name after it threw', async () => {
    const seen = await bothWays(async (task) => {
      const failed = task.step('flaky', () => Promise.reject(new Error('busy')));
      await failed.catch(() => undefined);
      return task.step('flaky', () => 'done');
    });
    expect(seen).toEqual(['done', 'done']);
  });

  it('may reject without a handler that awaits it', async () => {
    const seen = await bothWays(async (task) => {
      void task.step('lost', () => Promise.reject(new Error('lost')));
      void task.elicit({ message: 'Nobody can answer', requestedSchema: { type: 'object' } });
      return task.step('kept', () => 'kept');
    });
    expect(seen).toEqual(['kept', 'kept']);
  });
});
