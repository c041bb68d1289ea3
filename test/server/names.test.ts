import * as z from 'zod';
import { describe, expect, it } from 'vitest';

import { definePrompt, defineResource, defineTool } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at } from '../../runtime/peer/wire/json.js';
import { reaches } from './steps.js';
import { EVERY_ASK, legacy, modern, rig } from './support.js';

/** Names that every object inherits, or that set its prototype when they are assigned. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'] as const;

const form: JsonObject = {
  message: 'Which?',
  requestedSchema: { type: 'object', properties: { it: { type: 'string' } } },
};

/** Asks under the key that it is called with. */
const asksBy = defineTool({
  name: 'asks-by',
  description: 'Asks one question under a key of the choice of the caller.',
  input: z.object({ key: z.string() }),
  taskSupport: 'optional',
  retryable: true,
  async run({ args, task }) {
    const { content } = await task.elicit(form, { key: args.key });
    return String(content?.['it']);
  },
});

const own = (name: string, value: unknown): JsonObject =>
  JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) as JsonObject;

describe.each(INHERITED)('the name %s', (name) => {
  it('is no member of an object that does not have it', () => {
    expect(at({}, [name])).toBeUndefined();
    expect(at(own(name, 7), [name])).toBe(7);
  });

  it('is no tool', async () => {
    const rigged = await rig();
    const client = await legacy(rigged);
    const params = { name, arguments: {} };
    const message = `Unknown tool ${JSON.stringify(name)}`;
    expect((await client.request('tools/call', params)).error).toMatchObject({ message });
    expect((await modern(rigged, 'tools/call', params)).error).toMatchObject({ message });
  });

  it('is a question of a plain call like every other', async () => {
    const rigged = await rig({ tools: [asksBy] });
    const params = { name: 'asks-by', arguments: { key: name } };
    const undeclared = { capabilities: EVERY_ASK };
    const first = await modern(rigged, 'tools/call', params, undeclared);
    expect(first.result?.['resultType']).toBe('input_required');
    expect(Object.keys(first.result?.['inputRequests'] as JsonObject)).toEqual([name]);
  });

  it('is a question of a task like every other', async () => {
    const rigged = await rig({ tools: [asksBy] });
    const params = { name: 'asks-by', arguments: { key: name } };
    const { result } = await modern(rigged, 'tools/call', params);
    const taskId = String(result?.['taskId']);
    const asked = await reaches(rigged, taskId, 'input_required');
    expect(Object.keys(asked['inputRequests'] as JsonObject)).toEqual([name]);
  });

  it('names no prompt, resource or task', async () => {
    const rigged = await rig({
      prompts: [definePrompt({ name: 'p', get: () => ({ messages: [] }) })],
      resources: [defineResource({ name: 'r', uri: 'test://r', read: () => ({ text: '' }) })],
    });
    for (const [method, params] of [
      ['prompts/get', { name }],
      ['resources/read', { uri: name }],
      ['tasks/get', { taskId: name }],
    ] as const) {
      const { error } = await modern(rigged, method, params);
      expect(error?.code, method).toBe(-32602);
    }
  });
});

it('a name that cannot become text is refused as any other that is no text', async () => {
  const rigged = await rig();
  const name = { toString: 1, valueOf: 1 };
  for (const [method, params] of [
    ['tools/call', { name }],
    ['prompts/get', { name }],
    ['resources/read', { uri: name }],
    ['tasks/get', { taskId: name }],
  ] as const) {
    const { status } = await modern(rigged, method, params);
    expect(status, method).toBeLessThan(500);
  }
  expect(rigged.problems).toEqual([]);
});

it('a cursor for the list of tools is refused, because the list has one page', async () => {
  const rigged = await rig();
  const client = await legacy(rigged);
  for (const cursor of ['', 'x', '=']) {
    expect((await client.request('tools/list', { cursor })).error?.code).toBe(-32602);
    expect((await modern(rigged, 'tools/list', { cursor })).error?.code).toBe(-32602);
  }
});
