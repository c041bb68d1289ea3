import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { createPages } from '../../../runtime/server/features/pages.js';
import { definePrompt } from '../../../runtime/server/prompt.js';
import { defineResource, defineResourceTemplate } from '../../../runtime/server/resource.js';
import { defineTool } from '../../../runtime/server/tool.js';
import { sized } from '../../support/size.js';
import { CORE, EXT, VERSIONS, wireOf } from './wire.js';

const itemsOf = (length: number) => Array.from({ length }, (_, n) => ({ name: `item ${n}` }));

describe('pages', () => {
  it('give every item once and in order', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 20 }), (length, size) => {
        const items = itemsOf(length);
        const pages = createPages(items, size);
        const seen: unknown[] = [];
        let cursor: unknown;
        do {
          const { things, nextCursor } = pages.answer('things', cursor) as {
            things: unknown[];
            nextCursor?: string;
          };
          expect(things.length).toBeLessThanOrEqual(size);
          seen.push(...things);
          cursor = nextCursor;
        } while (cursor !== undefined);
        expect(seen).toEqual(items);
      }),
    );
  });

  it('refuse every cursor that they did not give', () => {
    const pages = createPages(itemsOf(30), 10);
    const given = [0, 10].map((n) => btoa(`things:${n + 10}`));
    const texts = fc.oneof(
      fc.string(),
      fc.string().map((text) => btoa(encodeURI(text))),
      fc
        .tuple(fc.constantFrom('things', 'others', ''), fc.integer())
        .map(([key, n]) => btoa(`${key}:${n}`)),
      fc.anything(),
    );
    fc.assert(
      fc.property(texts, (cursor) => {
        fc.pre(cursor !== undefined && !given.includes(cursor as string));
        expect(() => pages.answer('things', cursor)).toThrow('Invalid cursor');
      }),
      { numRuns: sized(1_000) },
    );
    for (const cursor of [`${given[0]}=`, `${given[0]} `, ` ${given[0]}`, btoa('things:010')]) {
      expect(() => pages.answer('things', cursor)).toThrow('Invalid cursor');
    }
    expect(pages.answer('things', given[0])).toHaveProperty('nextCursor', given[1]);
    expect(pages.answer('things', given[1])).not.toHaveProperty('nextCursor');
  });

  it('refuse a cursor of another list', () => {
    const { nextCursor } = createPages(itemsOf(30), 10).answer('others', undefined);
    expect(() => createPages(itemsOf(30), 10).answer('things', nextCursor)).toThrow(
      'Invalid cursor',
    );
  });
});

const tool = defineTool({ name: 't', description: '', input: z.object({}), run: () => '' });
const prompt = (n: number) => definePrompt({ name: `p${n}`, get: () => '' });
const resource = (n: number) =>
  defineResource({ uri: `x:${n}`, name: `r${n}`, read: () => ({ text: '' }) });
const template = defineResourceTemplate({
  uriTemplate: 'x:t/{id}',
  name: 't',
  list: () => [0, 1].map((n) => ({ uri: `x:t/${n}`, name: `t${n}` })),
  read: () => undefined,
});
const LISTS = [
  ['tools/list', 'tools', 1],
  ['prompts/list', 'prompts', 5],
  ['resources/list', 'resources', 7],
  ['resources/templates/list', 'resourceTemplates', 1],
] as const;
const lists = {
  tools: [tool],
  prompts: [0, 1, 2, 3, 4].map(prompt),
  resources: [...[0, 1, 2, 3, 4].map(resource), template],
};

describe.each(VERSIONS)('in %s', (version) => {
  it.each(LISTS)('%s refuses a cursor that it did not give, also with one page', async (method) => {
    const { request } = await wireOf(version, lists);
    for (const cursor of ['', 'x', '=', btoa('tools:1000')]) {
      await expect(request(method, { cursor })).rejects.toMatchObject({ code: -32602 });
    }
  });
});

it.each([CORE, EXT] as const)('in %s, every list has pages', async (version) => {
  const { request } = await wireOf(version, { ...lists, pageSize: 2 });
  for (const [method, key, length] of LISTS) {
    const names: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await request(method, cursor === undefined ? {} : { cursor });
      names.push(...(page[key] as { name: string }[]).map(({ name }) => name));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(new Set(names).size).toBe(length);
  }
});
