import { describe, expect, it } from 'vitest';

import { defineTool } from '../../runtime/server/index.js';

/** What a tool with plain JSON Schema says of arguments, and how long that takes. */
async function refusal(
  properties: object,
  args: object,
  milliseconds = 2_000,
): Promise<string | undefined> {
  const tool = defineTool({
    name: 'tool',
    description: 'A tool.',
    input: { type: 'object', properties },
    run: () => 'ran',
  });
  await tool.load();
  const start = process.cpuUsage();
  const found = await tool.validationError(args);
  // Not the time of day: other processes may use the processor.
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(milliseconds);
  return found?.message;
}

describe('arguments of a stranger, checked against plain JSON Schema', () => {
  const unique = { list: { type: 'array', uniqueItems: true } };
  const items = (count: number) => Array.from({ length: count }, (_, at) => ({ at }));

  it('have items compared in linear time, where these have to be unique', async () => {
    expect(await refusal(unique, { list: items(100_000) })).toBeUndefined();
    expect(await refusal(unique, { list: [...items(100_000), { at: 1 }] })).toContain(
      '/list: must not have two equal items, as 1 and 100000 are',
    );
    const wide = Array.from({ length: 1_900 }, (_, at) => [...Array<number>(1_000).fill(0), at]);
    expect(await refusal(unique, { list: wide })).toBeUndefined();
    const deep = { list: { items: { $ref: '#/properties/list' }, uniqueItems: true } };
    let list: unknown[] = [];
    for (let level = 0; level < 200; level += 1) list = [list, 'x'.repeat(1_000) + level];
    expect(await refusal(deep, { list })).toBeUndefined();
  });

  it('are equal for `uniqueItems` as JSON has it', async () => {
    const equal = [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      [0, -0],
      [[], []],
      [JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}')],
    ];
    for (const list of equal) {
      expect(await refusal(unique, { list }), JSON.stringify(list)).toContain('two equal items');
    }
    const different = [1, '1', true, 'true', null, 'null', [], {}, [1], ['1'], [[1]], '[1]', '#0'];
    expect(await refusal(unique, { list: different })).toBeUndefined();
    expect(await refusal(unique, { list: 'no list' })).toContain('/list: ');
  });

  it('heed `uniqueItems` in alternatives, beside other keywords, and where a reference leads', async () => {
    const alternatives = {
      list: { anyOf: [{ uniqueItems: true }, { maxItems: 2 }] },
      other: { not: { uniqueItems: true, minItems: 1 }, unevaluatedItems: { type: 'number' } },
      shared: { $ref: '#/properties/other/x-list' },
    };
    const properties = {
      ...alternatives,
      other: { ...alternatives.other, 'x-list': { type: 'array', uniqueItems: true } },
    };
    expect(await refusal(properties, { list: [1, 1] })).toBeUndefined();
    expect(await refusal(properties, { list: [1, 1, 1] })).toContain('/list: ');
    expect(await refusal(properties, { other: [1, 2] })).toContain('/other: ');
    expect(await refusal(properties, { other: [1, 1] })).toBeUndefined();
    expect(await refusal(properties, { other: ['a', 'a'] })).toContain('/other');
    expect(await refusal(properties, { shared: items(50_000) })).toBeUndefined();
    expect(await refusal(properties, { shared: [1, 1] })).toContain(
      '/shared: must not have two equal items',
    );
  });

  it('are refused when alternatives that contain themselves take too many steps', async () => {
    const branch = (op: string) => ({
      properties: { left: { $ref: '#/properties/e' }, op: { const: op } },
    });
    const e = { anyOf: [branch('and'), branch('or')] };
    let value: unknown = {};
    for (let level = 0; level < 10; level += 1) value = { left: value, op: 'and' };
    expect(await refusal({ e }, { e: value })).toBeUndefined();
    for (let level = 0; level < 40; level += 1) value = { left: value, op: 'or' };
    expect(await refusal({ e }, { e: value }, 20_000)).toContain('more than 10,000,000 steps');
  });

  it.each(['url', 'uri', 'hostname', 'email', 'regex', 'date-time', 'ipv6', 'uri-template'])(
    'have the format %s checked in linear time',
    async (format) => {
      const length = 20_000;
      const hostile = ['a', 'a.', '1', '-', '/', ':', '@', '%41', '(', 'http://a:@', '\\a'].flatMap(
        (part) => [
          part.repeat(length),
          `http://${part.repeat(length)}!`,
          `a@${part.repeat(length)} `,
        ],
      );
      for (const text of hostile) await refusal({ text: { type: 'string', format } }, { text });
    },
  );

  it('have host names as they may be', async () => {
    const host = { host: { type: 'string', format: 'hostname' } };
    expect(await refusal(host, { host: 'example.com' })).toBeUndefined();
    expect(await refusal(host, { host: 'not a host' })).toContain('/host: ');
    expect(await refusal(host, { host: 'a'.repeat(100_000) })).toContain('/host: ');
  });

  it('are refused when they are nested too deeply', async () => {
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    expect(await refusal({ deep: { $ref: '#' } }, { deep })).toContain('nested too deeply');
  });

  it('are refused with a short text, however much is wrong', async () => {
    const list = Array.from({ length: 100_000 }, () => 'x'.repeat(100));
    const found = await refusal({ list: { items: { type: 'number' } } }, { list });
    expect(found?.length).toBeLessThan(2_000);
  });

  it('have no members that objects inherit', async () => {
    const tool = defineTool({
      name: 'tool',
      description: 'A tool.',
      input: { type: 'object', required: ['constructor'], additionalProperties: false },
      run: () => 'ran',
    });
    expect((await tool.validationError({}))?.message).toContain('constructor');
    expect((await tool.validationError(JSON.parse('{"__proto__": 1}')))?.message).toContain(
      '"__proto__"',
    );
  });
});
