import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { defineTool, type ServerTool } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { WRAPPED_META_KEY } from '../../runtime/peer/wire/wrapped-result.js';
import { connect, peer, transportTo, WAYS } from '../client/harness.js';
import { legacy, modern, rig } from '../server/support.js';

const tree: z.ZodType = z.lazy(() => z.union([z.string(), z.array(tree)]));

function returning(name: string, output: z.ZodType, value: unknown): ServerTool {
  return defineTool({
    name,
    description: `Returns ${name}.`,
    input: z.object({}),
    output,
    taskSupport: 'optional',
    run: () => value,
  });
}

/** Values that are no objects, and one that is. */
const VALUES: readonly (readonly [string, z.ZodType, unknown])[] = [
  ['text', z.string(), 'Bonn'],
  ['number', z.number(), 0],
  ['flag', z.boolean(), false],
  ['nothing', z.null(), null],
  ['list', z.array(z.object({ city: z.string() })), [{ city: 'Bonn' }]],
  ['empty-list', z.array(z.string()), []],
  ['choice', z.union([z.string(), z.object({ a: z.string() })]), { a: 'b' }],
  ['recursive', tree, ['a', ['b', []]]],
  ['own-result', z.union([z.object({ result: z.string() }), z.string()]), { result: 'x' }],
  ['object', z.object({ result: z.string() }), { result: 'x' }],
];
const tools = VALUES.map(([name, output, value]) => returning(name, output, value));

describe.each(WAYS)('an output of any JSON type, %s over %s', (dialect, kind) => {
  it.each(VALUES)(
    '%s reaches the client as it is, from a call and from a task',
    async (name, _, value) => {
      const { tasks } = await connect(transportTo(await rig({ tools }), kind), dialect);
      // Without the list, the client unwraps what it cannot check.
      for (const isListed of [false, true]) {
        if (isListed) await tasks.tools();
        for (const asTask of [false, true]) {
          const result = await tasks.call(name, {}, { asTask });
          expect(result.structuredContent).toEqual(value);
          expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(value) }]);
          expect(result._meta ?? {}).not.toHaveProperty([WRAPPED_META_KEY]);
        }
      }
    },
  );
});

describe('on the wire', () => {
  const call = { name: 'list', arguments: {} };

  it('a session lists an object with the schema under `result`, and gets such objects', async () => {
    const client = await legacy(await rig({ tools }));
    const { result } = await client.request('tools/list');
    const listed = (result?.['tools'] as JsonObject[]).map(({ outputSchema }) => outputSchema);
    expect(listed).toHaveLength(VALUES.length);
    for (const schema of listed) expect(schema).toMatchObject({ type: 'object' });
    expect(listed[0]).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { result: { type: 'string' } },
      required: ['result'],
      'x-fastmcp-wrap-result': true,
    });
    expect((await client.request('tools/call', call)).result).toMatchObject({
      structuredContent: { result: [{ city: 'Bonn' }] },
      _meta: { [WRAPPED_META_KEY]: true },
    });
    const { result: object } = await client.request('tools/call', { ...call, name: 'object' });
    expect(object?.['_meta']).toBeUndefined();
    expect(object?.['structuredContent']).toEqual({ result: 'x' });
  });

  it('references of a wrapped schema lead to the schema', async () => {
    const client = await legacy(await rig({ tools }));
    const { result } = await client.request('tools/list');
    const recursive = (result?.['tools'] as JsonObject[]).find(({ name }) => name === 'recursive');
    expect(JSON.stringify(recursive?.['outputSchema'])).toContain('"$ref":"#/properties/result');
    expect(JSON.stringify(recursive?.['outputSchema'])).not.toMatch(/"\$ref":"#(?:\/\$defs)?"/);
  });

  it('2026-07-28 lists the schema, and gets the value', async () => {
    const rigged = await rig({ tools });
    const { result } = await modern(rigged, 'tools/list');
    expect((result?.['tools'] as JsonObject[])[0]).toMatchObject({
      outputSchema: { type: 'string' },
    });
    expect((await modern(rigged, 'tools/call', call, { capabilities: {} })).result).toMatchObject({
      structuredContent: [{ city: 'Bonn' }],
    });
  });

  it('schemas for most hosts describe what each dialect gets', async () => {
    const rigged = await rig({ tools, schemas: 'portable' });
    const modernList = (await modern(rigged, 'tools/list')).result?.['tools'] as JsonObject[];
    expect(modernList[0]?.['outputSchema']).toEqual({ type: 'string' });
    const { result } = await (await legacy(rigged)).request('tools/list');
    expect((result?.['tools'] as JsonObject[])[0]?.['outputSchema']).toMatchObject({
      type: 'object',
      properties: { result: { type: 'string' } },
    });
  });

  it('older sessions get the object too', async () => {
    for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18']) {
      const client = await legacy(await rig({ tools }), { revision });
      expect((await client.request('tools/list')).error).toBeUndefined();
      expect((await client.request('tools/call', call)).result).toMatchObject({
        content: [{ type: 'text', text: '[{"city":"Bonn"}]' }],
      });
    }
  });
});

describe('a client', () => {
  it.each<[string, JsonObject]>([
    ['without a mark', { structuredContent: { result: 1 } }],
    [
      'with another mark',
      { structuredContent: { result: 1 }, _meta: { [WRAPPED_META_KEY]: 'yes' } },
    ],
    [
      'with more',
      { structuredContent: { result: 1, more: 2 }, _meta: { [WRAPPED_META_KEY]: true } },
    ],
    ['without the key', { structuredContent: { value: 1 }, _meta: { [WRAPPED_META_KEY]: true } }],
    ['without content', { _meta: { [WRAPPED_META_KEY]: true } }],
  ])('takes a result %s as it is', async (_, result) => {
    const other = peer(
      ({ method }) => (method === 'tools/call' ? { content: [], ...result } : undefined),
      { dialect: 'core' },
    );
    const { tasks } = await connect(other.transport, 'core');
    const got = await tasks.call('work', {}, { asTask: false });
    expect(got.structuredContent).toEqual(result['structuredContent']);
    expect(got._meta).toEqual(result['_meta']);
  });

  it('keeps the other members of `_meta`', async () => {
    const other = peer(
      ({ method }) =>
        method === 'tools/call'
          ? {
              content: [],
              structuredContent: { result: null },
              _meta: { [WRAPPED_META_KEY]: true, 'example.com/a': 1 },
            }
          : undefined,
      { dialect: 'core' },
    );
    const { tasks } = await connect(other.transport, 'core');
    const got = await tasks.call('work', {}, { asTask: false });
    expect(got.structuredContent).toBeNull();
    expect(got._meta).toEqual({ 'example.com/a': 1 });
  });
});

it('a result that JSON does not have is an error of the tool', async () => {
  const nothing = {
    '~standard': { ...z.string()['~standard'], validate: () => ({ value: undefined }) },
  };
  const tool = defineTool({
    name: 'nothing',
    description: 'Returns nothing.',
    input: z.object({}),
    output: nothing,
    run: () => 'x',
  });
  const { error } = await modern(await rig({ tools: [tool] }), 'tools/call', {
    name: 'nothing',
    arguments: {},
  });
  expect(error).toMatchObject({
    code: -32603,
    message: 'Tool nothing returned an invalid result: /structuredContent: undefined is not JSON',
  });
});
