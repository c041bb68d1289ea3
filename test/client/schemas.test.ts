import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { contentProblem } from '../../runtime/client/schemas.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { sized } from '../support/size.js';
import { connect, coreTask, extTask, type Peer, peer, RESULT, TOOL } from './harness.js';

const HANGS = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
const HANGED = { text: `${'a'.repeat(60)}!` };

/** Schemas for which a plain validator needs minutes or gigabytes, each with a value that does not match. */
const HOSTILE: readonly (readonly [string, () => object, () => unknown])[] = [
  ['a pattern that backtracks', () => HANGS, () => HANGED],
  [
    'a patternProperties that backtracks',
    () => ({ patternProperties: { '^(a+)+!$': { type: 'string' } } }),
    () => ({ [HANGED.text]: 1 }),
  ],
  [
    'a propertyNames that backtracks',
    () => ({ propertyNames: { pattern: '^(a|a)*$' } }),
    () => ({ [HANGED.text]: 1 }),
  ],
  ['references that double at each step', () => doubling(40, 'allOf'), () => 'text'],
  ['nesting', () => nested(20_000), () => [[]]],
  ['a reference to itself', () => ({ $ref: '#' }), () => 1],
  ['alternatives that contain themselves twice', () => doubling(40, 'anyOf'), () => 1],
  [
    'uniqueItems',
    () => ({ type: 'array', uniqueItems: true, maxItems: 1e9 }),
    () => Array.from({ length: 60_000 }, (_, index) => ({ index: index % 59_999 })),
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

function doubling(steps: number, keyword: string): object {
  const twice = (step: number): object => {
    const next = { $ref: `#/$defs/${step + 1}` };
    return { [keyword]: [next, next] };
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
  it.each(HOSTILE)('does not occupy the client: %s', (_, schema, value) => {
    const problem = contentProblem(schema(), value(), () => undefined);
    expect(problem).toMatch(/^structuredContent\S* must|^the schema is invalid|10,000,000 steps/);
  });

  it.each(['at once', 'core task', 'ext task'])('fails a call: %s', async (way) => {
    const server = serving(HANGS, HANGED, way);
    const dialect = way === 'ext task' ? 'ext' : 'core';
    const { tasks } = await connect(server.transport, dialect);
    // Also after the caller listed the tools itself.
    await tasks.request('tools/list');
    await expect(tasks.call('work')).rejects.toMatchObject({
      reason: 'invalid_answer',
      message:
        'The result of work does not match its output schema: structuredContent/text must match the pattern "^(a+)+$"',
      ...(way !== 'at once' && { reference: expect.any(String) as string }),
    });
  });

  it.each([
    [{ properties: { a: { type: 'any' } } }, 'the schema is invalid at /properties/a/type: '],
    [{ properties: { a: { $ref: '#/$defs/gone' } } }, 'invalid at /properties/a/$ref: '],
    [{ $ref: 'https://example.com/other' }, 'points to another document'],
    [{ $schema: 'https://example.com/draft' }, 'draft'],
    [{ pattern: '(' }, 'invalid at /pattern: '],
    [{ properties: { '\u001b[2J': { type: 1 } } }, 'invalid at /properties/\\u{1b}[2J/type: '],
  ])('%j is named in the error of the call', async (schema, message) => {
    const { tasks } = await connect(
      serving({ type: 'object', ...schema }, {}, 'at once').transport,
      'core',
    );
    await tasks.tools();
    await expect(tasks.call('work')).rejects.toMatchObject({
      reason: 'invalid_answer',
      message: expect.stringContaining(message) as string,
    });
  });

  it('with a back-reference is checked without it, and onError gets a sentence, once', async () => {
    const schema = {
      type: 'object',
      properties: { text: { type: 'string', pattern: '^(.)\\1$' } },
    };
    const { tasks, problems } = await connect(
      serving(schema, { text: 'ab' }, 'at once').transport,
      'core',
    );
    await tasks.tools();
    for (const _ of [1, 2]) expect(await tasks.call('work')).toHaveProperty('structuredContent');
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The output schema of work: The pattern .* It is not checked\.$/),
    ]);
  });

  it('is not confused with another schema of the same $id', () => {
    const $id = 'https://example.com/x';
    expect(contentProblem({ $id, type: 'object' }, 1, () => undefined)).toContain('object');
    expect(contentProblem({ $id, type: 'number' }, 1, () => undefined)).toBeUndefined();
  });

  it('says that the content is nested too deeply', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const schema = { items: { $ref: '#' } };
    expect(contentProblem(schema, deep, () => undefined)).toContain('nested too deeply');
  });
});

describe('an output schema', () => {
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

  it('has the verdict of the SDK', () => {
    fc.assert(
      fc.property(schema, fc.jsonValue(), (inner, value) => {
        const whole = { properties: { value: inner } };
        const content = { value };
        const problem = contentProblem(whole, content, () => undefined);
        const checked = new AjvJsonSchemaValidator().getValidator(whole as object)(content);
        expect(problem === undefined).toBe(checked.valid);
      }),
      { numRuns: sized(60) },
    );
  });
});
