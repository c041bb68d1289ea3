import { describe, expect, it } from 'vitest';

import { defineTool } from '../../runtime/server/index.js';

/** What a tool with plain JSON Schema says of arguments, and how long that takes. */
async function refusal(properties: object, args: object): Promise<string | undefined> {
  const tool = defineTool({
    name: 'tool',
    description: 'A tool.',
    input: { type: 'object', properties },
    run: () => 'ran',
  });
  await tool.load();
  const start = performance.now();
  const found = await tool.validationError(args);
  expect(performance.now() - start).toBeLessThan(2_000);
  return found;
}

describe('arguments of a stranger, checked against plain JSON Schema', () => {
  const unique = { list: { type: 'array', uniqueItems: true } };
  const items = (count: number) => Array.from({ length: count }, (_, at) => ({ at }));

  it('are refused beyond 2,000 items that have to be unique', async () => {
    expect(await refusal(unique, { list: items(2_000) })).toBeUndefined();
    expect(await refusal(unique, { list: [...items(3), { at: 1 }] })).toContain('/list: Duplicate');
    expect(await refusal(unique, { list: items(100_000) })).toContain('/list: Array has too many');
    expect(await refusal(unique, { list: 'no list' })).toContain('/list: ');
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
    expect(await tool.validationError({})).toContain('constructor');
    expect(await tool.validationError(JSON.parse('{"__proto__": 1}'))).toContain('/__proto__');
  });
});
