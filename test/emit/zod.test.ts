import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CallToolResultSchema, ToolSchema } from '../../generated/2025-11-25/zod.js';
import {
  CompleteResultSchema,
  JSONObjectSchema,
  ResultSchema,
} from '../../generated/2026-07-28/zod.js';
import { CreateTaskResultSchema } from '../../generated/ext-tasks/zod.js';
import { createCompiler } from '../read/compiled.js';

const compiler = createCompiler();
afterAll(() => compiler.remove());

describe('an array with limits', () => {
  it('refuses an object with a length that cannot be compared', () => {
    const values: unknown = { length: { toString: null } };
    const parsed = CompleteResultSchema.safeParse({
      resultType: 'complete',
      completion: { values },
    });
    expect(parsed.error?.issues).toMatchObject([{ path: ['completion', 'values'] }]);
  });

  it('has the limits as JSON Schema and in issues', async () => {
    const { schema } = await compiler.compile({ type: 'array', minItems: 1, maxItems: 2 });
    const it = await schema();
    expect(z.toJSONSchema(it)).toMatchObject({ minItems: 1, maxItems: 2 });
    expect(it.safeParse([]).error?.issues).toMatchObject([{ code: 'too_small', minimum: 1 }]);
    expect(it.safeParse([1, 2, 3]).error?.issues).toMatchObject([{ code: 'too_big', maximum: 2 }]);
  });
});

describe('an object schema', () => {
  const tool = { name: 'add', inputSchema: { type: 'object' } };

  it('can be extended', () => {
    const Priced = ToolSchema.extend({ price: z.number() });
    expect(Priced.parse({ ...tool, price: 2, more: true })).toEqual({
      ...tool,
      price: 2,
      more: true,
    });
    expect(Priced.safeParse(tool).success).toBe(false);
  });

  it('can be picked from, and shows its shape', () => {
    expect(ToolSchema.pick({ name: true }).safeParse({ name: 1 }).success).toBe(false);
    expect(ToolSchema.shape.name.min(3).safeParse('ab').success).toBe(false);
    expect(ToolSchema.omit({ inputSchema: true }).safeParse({ name: 'x' }).success).toBe(true);
  });

  it('of an intersection is an object schema too', () => {
    const task = {
      resultType: 'task',
      taskId: 't',
      status: 'working',
      createdAt: '',
      lastUpdatedAt: '',
      ttlMs: null,
    };
    expect(CreateTaskResultSchema.parse(task)).toEqual(task);
    expect(CreateTaskResultSchema.shape.taskId.safeParse(1).success).toBe(false);
    expect(Object.keys(CreateTaskResultSchema.shape)).toContain('resultType');
  });

  it('reports the member of a union that a value should match', () => {
    const parsed = CallToolResultSchema.safeParse({ content: [{ type: 'text', text: 1 }] });
    expect(parsed.error?.issues).toMatchObject([
      { path: ['content', 0, 'text'], code: 'invalid_type', expected: 'string' },
    ]);
  });
});

describe('a key named __proto__', () => {
  const parse = (text: string): unknown => JSON.parse(text);

  it('is kept as an own key and changes no prototype', () => {
    const value = parse('{"resultType":"complete","__proto__":{"polluted":true}}');
    const parsed = ResultSchema.parse(value);
    expect(Object.hasOwn(parsed, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect('polluted' in parsed).toBe(false);
    expect(parsed).toEqual(value);
  });

  it('is kept and checked where two schemas are for one value', async () => {
    const { schema } = await compiler.compile({
      allOf: [{ maxLength: 2 }, { additionalProperties: { maxItems: 2 } }],
    });
    const it = await schema();
    expect(it.safeParse(parse('{"__proto__":[1,2,3]}')).success).toBe(false);
    expect(Object.hasOwn(it.parse(parse('{"__proto__":[1,2]}')) as object, '__proto__')).toBe(true);
  });

  it('is checked if the schema constrains every key', () => {
    const good = parse('{"a":1,"__proto__":{"b":[null,1.5]}}');
    expect(JSONObjectSchema.parse(good)).toEqual(good);
    const bad = JSONObjectSchema.safeParse({ ['__proto__']: undefined });
    expect(bad.error?.issues[0]?.path).toEqual(['__proto__']);
  });
});
