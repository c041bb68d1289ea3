import { describe, expect, it } from 'vitest';
import { diffProtocols } from '../../generator/diff/index.js';
import { readProtocol } from '../../generator/protocol/protocol.js';
import { REVISIONS } from '../../generator/ir/revisions/index.js';
import { referencePages } from '../../scripts/site/reference.js';

const pages = await referencePages();
const protocols = await Promise.all(
  REVISIONS.map(async (each) => (await readProtocol(each)).protocol),
);
const pageOf = (revision: string): string => pages.get(`reference/${revision}.md`) ?? '';
const headings = (text: string): string[] =>
  [...text.matchAll(/<h[34] id="((?:type|method)\/[^"]+)"/g)].map(([, id = '']) => id);

/** The item of a page with a heading. */
function itemOf(revision: string, place: string): string {
  const text = pageOf(revision);
  const start = text.indexOf(` id="${place}"`);
  expect(start).toBeGreaterThan(0);
  return text.slice(start, text.indexOf('</article>', start));
}

describe('the reference', () => {
  it('has a page for each revision, and one that lists them', () => {
    expect([...pages.keys()].sort()).toEqual(
      ['index', ...REVISIONS].map((each) => `reference/${each}.md`).sort(),
    );
    for (const revision of REVISIONS) {
      expect(pages.get('reference/index.md')).toContain(`[${revision}](./${revision}.md)`);
    }
  });

  it.each(protocols.map((protocol) => [protocol.name, protocol] as const))(
    'of %s has a heading for each method and definition',
    (name, { definitions, requests, notifications }) => {
      const methods = [...requests, ...notifications].map(({ method }) => `method/${method}`);
      expect(headings(pageOf(name)).sort()).toEqual(
        [...new Set([...definitions.map((each) => `type/${each.name}`), ...methods])].sort(),
      );
    },
  );

  it.each(REVISIONS)('of %s is one block of HTML, in which Vue replaces nothing', (revision) => {
    const [, ...lines] = pageOf(revision).split('<div class="reference" v-pre>');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toContain('\n');
  });

  it.each(REVISIONS)('of %s has an anchor in each heading of an item', (revision) => {
    const text = pageOf(revision);
    expect(text.match(/<article/g)?.length).toBe(text.match(/<article class="item"><h/g)?.length);
    expect(text.match(/class="header-anchor"/g)?.length).toBe(
      text.match(/<h[234] id="[^"]+" tabindex/g)?.length,
    );
  });

  it('says what a method is', () => {
    const item = itemOf('2025-11-25', 'method/tools/call');
    for (const part of ['request', 'CallToolRequestParams', 'CallToolResult', 'server.tools']) {
      expect(item).toContain(part);
    }
  });

  it('says which properties are required and deprecated', () => {
    expect(itemOf('2025-11-25', 'type/Tool')).toMatch(
      /inputSchema<\/code> <span class="badge required">/,
    );
    expect(pageOf('2025-11-25')).toContain('deprecated');
  });

  it('leads from an item to the same item of the revisions that have it', () => {
    for (const { name, definitions } of protocols) {
      for (const definition of definitions) {
        const others = protocols.filter(
          (each) =>
            each.name !== name && each.definitions.some((it) => it.name === definition.name),
        );
        const item = itemOf(name, `type/${definition.name}`);
        const links = [...item.matchAll(/href="\.\/([^"#]+)#type\/(\w+)"/g)].map(([, to, type]) => [
          to,
          type,
        ]);
        expect(links).toEqual(others.map((each) => [each.name, definition.name]));
      }
    }
  });

  it('says what is new and what changed since the revision before', () => {
    const [before, after] = ['2025-06-18', '2025-11-25'].map((name) =>
      protocols.find((each) => each.name === name),
    );
    if (!before || !after) throw new Error('no revision');
    const { definitions, methods } = diffProtocols(before, after);
    const marked = (note: string): string[] =>
      [...pageOf(after.name).matchAll(/<article class="item"><h[34] id="([^"]+)".*?<\/article>/g)]
        .filter(([item]) => item.includes(`${note} since ${before.name}`))
        .map(([, id = '']) => id);
    expect(marked('New').sort()).toEqual(
      [
        ...definitions.added.map((name) => `type/${name}`),
        ...new Set(methods.added.map(({ method }) => `method/${method}`)),
      ].sort(),
    );
    expect(marked('Changed').length).toBeGreaterThan(definitions.changed.length / 2);
    expect(pageOf(after.name)).toContain(' id="differences"');
  });

  it('compares neither the first revision nor an extension', () => {
    for (const name of ['2024-11-05', 'ext-tasks']) {
      expect(pageOf(name)).not.toMatch(/(?:New|Changed) since/);
    }
  });
});
