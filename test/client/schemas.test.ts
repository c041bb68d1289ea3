import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createSchemaChecker } from '../../runtime/client/schemas.js';
import { isCheapCheck } from '../../runtime/client/schema-cost.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { until } from '../server/support.js';
import { sized } from '../support/size.js';
import { connect, coreTask, extTask, type Peer, peer, RESULT, TOOL } from './harness.js';

const HANGS = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
const HANGED = { text: `${'a'.repeat(60)}!` };

/** Schemas for which a plain validator needs minutes or gigabytes, each with a value. */
const HOSTILE: readonly (readonly [string, () => object, () => unknown])[] = [
  ['a pattern that backtracks', () => HANGS, () => HANGED],
  [
    'a patternProperties that backtracks',
    () => ({ patternProperties: { '^(a+)+$': {} } }),
    () => ({ [HANGED.text]: 1 }),
  ],
  [
    'a propertyNames that backtracks',
    () => ({ propertyNames: { pattern: '^(a|a)*$' } }),
    () => ({ [HANGED.text]: 1 }),
  ],
  ['references that double at each step', () => doubling(40), () => 1],
  ['nesting', () => nested(20_000), () => [[]]],
  ['a reference to itself', () => ({ $ref: '#' }), () => 1],
  [
    'uniqueItems',
    () => ({ type: 'array', uniqueItems: true, maxItems: 1e9 }),
    () => Array.from({ length: 60_000 }, (_, index) => ({ index })),
  ],
  [
    'an enum of objects',
    () => ({ items: { enum: Array.from({ length: 20_000 }, (_, index) => ({ index })) } }),
    () => Array.from({ length: 20_000 }, (_, index) => ({ index: -index })),
  ],
  [
    'more errors than memory',
    () => ({ items: { type: 'string', minimum: 1, enum: ['a'] } }),
    () => Array.from({ length: 2_000_000 }, (_, index) => index),
  ],
];

function doubling(steps: number): object {
  const twice = (step: number): object => {
    const next = { $ref: `#/$defs/${step + 1}` };
    return { allOf: [next, next] };
  };
  const $defs: Record<number, object> = { [steps]: { type: 'string' } };
  for (let step = 0; step < steps; step += 1) $defs[step] = twice(step);
  return { $ref: '#/$defs/0', $defs };
}

function nested(depth: number): object {
  return JSON.parse(`${'{"items":'.repeat(depth)}{}${'}'.repeat(depth)}`) as object;
}

/** A server whose tool has this output schema and returns this value, at once or by a task. */
function serving(outputSchema: object, structuredContent: unknown, way: string): Peer {
  const tool = { ...TOOL, outputSchema, ...(way === 'at once' && { execution: undefined }) };
  const dialect = way === 'ext task' ? 'ext' : 'core';
  const result = { ...RESULT, structuredContent } as JsonObject;
  return peer(
    ({ method }) => {
      if (way === 'at once') return result;
      if (way === 'ext task') {
        return method === 'tools/call'
          ? extTask('working', { resultType: 'task' })
          : extTask('completed', { result: { ...result, resultType: 'complete' } });
      }
      if (method === 'tools/call') return { task: coreTask('working') };
      return method === 'tasks/get' ? coreTask('completed') : result;
    },
    { dialect, tools: [JSON.parse(JSON.stringify(tool)) as JsonObject] },
  );
}

describe('a hostile output schema', () => {
  it.each(HOSTILE)('does not block the thread: %s', async (_, schema, value) => {
    const checker = createSchemaChecker(200);
    onTestFinished(() => checker.close());
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 5);
    onTestFinished(() => clearInterval(turning));
    const problem = await checker.problem(schema(), value());
    expect(problem).toMatch(/limit schemaTimeout|memory|check failed|RangeError|must/);
    // The thread runs timers during the check.
    if (problem?.includes('schemaTimeout')) expect(turns).toBeGreaterThan(0);
    // The next check gets a new worker; on a busy machine the first ones may time out.
    await until(
      () => checker.problem({ pattern: '^b$' }, 'b'),
      (again) => again === undefined,
    );
    await until(
      () => checker.problem({ pattern: '^b$' }, 'c'),
      (again) => again?.includes('must match') === true,
    );
  });

  it.each(['at once', 'core task', 'ext task'])(
    'fails a call with schemaTimeout: %s',
    async (way) => {
      const server = serving(HANGS, HANGED, way);
      const dialect = way === 'ext task' ? 'ext' : 'core';
      const { tasks } = await connect(server.transport, dialect, {
        limits: { schemaTimeout: 100 },
      });
      // Also after the caller listed the tools itself.
      await tasks.request('tools/list');
      await expect(tasks.call('work')).rejects.toMatchObject({
        reason: 'invalid_answer',
        message: expect.stringContaining('schemaTimeout') as string,
        ...(way !== 'at once' && { reference: expect.any(String) as string }),
      });
    },
  );

  it('does not delay the timeout or the signal of the call', async () => {
    for (const way of ['at once', 'core task', 'ext task']) {
      const server = serving(HANGS, HANGED, way);
      const dialect = way === 'ext task' ? 'ext' : 'core';
      const limits = { schemaTimeout: 600_000 };
      const { tasks } = await connect(server.transport, dialect, { limits });
      await tasks.tools();
      await expect(tasks.call('work', {}, { timeout: 300 })).rejects.toMatchObject({
        reason: 'timeout',
      });
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 300);
      await expect(tasks.call('work', {}, { signal: stop.signal })).rejects.toMatchObject({
        reason: 'cancelled',
      });
      await tasks.close();
    }
  });

  it('is not confused with another schema of the same $id', async () => {
    const checker = createSchemaChecker(5_000);
    onTestFinished(() => checker.close());
    expect(await checker.problem({ $id: 'https://example.com/x', type: 'object' }, 1)).toContain(
      'object',
    );
    expect(
      await checker.problem({ $id: 'https://example.com/x', type: 'number' }, 1),
    ).toBeUndefined();
  });
});

describe('a cheap output schema', () => {
  const leaf = fc.oneof(
    fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null') }),
    fc.record({ enum: fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1 }) }),
    fc.record({ minLength: fc.nat(5), maxLength: fc.nat(5) }),
    fc.record({ format: fc.constantFrom('date', 'date-time', 'uuid') }),
    fc.boolean(),
  );
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.record({ type: fc.constant('array'), items: tie('schema') }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 3 }),
        additionalProperties: tie('schema'),
      }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    ),
  }));

  it('gets the same verdict in this thread, in a worker and from the SDK', async () => {
    const checker = createSchemaChecker(10_000);
    onTestFinished(() => checker.close());
    await fc.assert(
      fc.asyncProperty(schema, fc.jsonValue(), async (inner, value) => {
        const whole = { properties: { value: inner } };
        const content = { value };
        expect(isCheapCheck(whole, content)).toBe(true);
        const problem = await checker.problem(whole, content);
        const unknown = { ...whole, $defs: {} };
        expect(isCheapCheck(unknown, content)).toBe(false);
        expect(await checker.problem(unknown, content)).toEqual(problem);
        const checked = new AjvJsonSchemaValidator().getValidator(whole as object)(content);
        expect(problem === undefined).toBe(checked.valid);
      }),
      { numRuns: sized(60) },
    );
  });

  it.each(HOSTILE)('is never a hostile one: %s', (_, make, value) => {
    expect(isCheapCheck(make(), value())).toBe(false);
  });
});
