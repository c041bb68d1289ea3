import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { metamodelOf } from '../../generator/emit/index.js';
import { REVISIONS } from '../../generator/read/load/index.js';
import { protocolFromSource } from '../../generator/protocol/protocol.js';
import { TASK_STATUSES, TRANSITIONS } from '../../runtime/rules/tasks.js';
import { sized } from '../support/size.js';
import { hostileSchema } from './hostile.js';
import { ASSETS, HOSTILE, MODELS, pageFor, pageOf } from './pages.js';

/** The values of an attribute. */
const all = (page: string, pattern: RegExp): string[] =>
  [...page.matchAll(pattern)].map(([, found = '']) => found);
const idsIn = (page: string): string[] => all(page, /\sid="([^"]*)"/g);

describe.each(REVISIONS)('the page of %s', (revision) => {
  const page = pageOf(revision);
  const model = MODELS.find(({ name }) => name === revision);

  it('has a place for every method, definition and field of an object', () => {
    const ids = new Set(idsIn(page));
    for (const { method } of [...(model?.requests ?? []), ...(model?.notifications ?? [])]) {
      expect(ids).toContain(`method/${encodeURIComponent(method)}`);
    }
    for (const { name, node } of model?.definitions ?? []) {
      expect(ids).toContain(`type/${encodeURIComponent(name)}`);
      for (const field of node.kind === 'object' ? node.properties : []) {
        expect(ids).toContain(`type/${encodeURIComponent(`${name}.${field.name}`)}`);
      }
    }
  });

  it('has no place twice, and no link without a place', () => {
    const ids = idsIn(page);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const links = all(page, /\shref="#([^"]*)"/g);
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
    expect(links.length).toBeGreaterThan(200);
  });

  it('loads nothing, and has at most 500 kB', () => {
    expect(page).not.toMatch(/\s(?:src|style|on\w+)=/);
    expect(all(page, /\shref="([^"]*)"/g).filter((href) => !href.startsWith('#'))).toEqual([]);
    expect(Buffer.byteLength(page)).toBeLessThan(500_000);
  });

  it('is the same twice', () => {
    expect(pageOf(revision)).toBe(page);
  });
});

it.each(['core', 'ext'])(
  'CORE-LIFE-1 the life of a %s task has the transitions of the engine',
  (dialect) => {
    const [, list = ''] =
      new RegExp(`<ul id="${dialect}-tasks-text"[^]*?>([^]*?)</ul>`).exec(pageOf('2025-11-25')) ??
      [];
    const drawn = [...list.matchAll(/<li>(\w+) → (\w+):/g)].map(
      ([, from, to]) => `${from} → ${to}`,
    );
    const legal = TASK_STATUSES.flatMap((from) =>
      TRANSITIONS[from].filter((to) => to !== from).map((to) => `${from} → ${to}`),
    );
    // A sentence below the drawing says these.
    const said = ['input_required → completed', 'input_required → failed'];
    expect([...drawn, ...said].sort()).toEqual(['new → working', ...legal].sort());
  },
);

describe('the differences of a page', () => {
  const page = pageOf('2026-07-28', '2025-11-25');

  it('begin with the breaking ones, and say whom they break', () => {
    const [, breaking = '', others = ''] = /Breaking(.*)Other changes(.*)/s.exec(page) ?? [];
    expect(breaking).toContain('breaks clients that send it');
    expect(others.slice(0, others.indexOf('</section>'))).not.toContain('breaks');
    expect(breaking.indexOf('initialize')).toBeGreaterThan(-1);
    expect(Buffer.byteLength(page)).toBeLessThan(500_000);
  });
});

describe('a page of a hostile schema', () => {
  const tags = (page: string): string[] => all(page, /<([a-z][a-z0-9]*)/g);

  it('contains the texts, and no tag or attribute of theirs', () => {
    const page = hostilePage(HOSTILE);
    const usual = new Set(MODELS.flatMap(({ name }) => tags(pageOf(name))));
    expect(tags(page).filter((tag) => !usual.has(tag))).toEqual([]);
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page.match(/<style>/g)).toHaveLength(1);
    expect(page).not.toMatch(/<[^>]*\son\w+=/);
    expect(page).toContain('&lt;script>globalThis.broken = 1&lt;/script>');
    expect(page).toContain('\\u202e');
  });

  it('has one place for each name, whatever the name', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 12 }), {
          minLength: 1,
          maxLength: 5,
        }),
        (names) => {
          const page = hostilePage(names);
          for (const id of idsIn(page)) expect(id).toMatch(/^[\w!*().~%/'-]+$/);
          expect(page.match(/<script>/g)).toHaveLength(1);
        },
      ),
      { numRuns: sized(40) },
    );
  });
});

it('is made of long texts and definitions within each other', () => {
  const names = Array.from({ length: 40 }, (_, index) => `capability${String(index)}`);
  const properties = Object.fromEntries(
    names.map((name) => [name, { $ref: '#/$defs/ServerCapabilities' }]),
  );
  const $defs = {
    ServerCapabilities: { type: 'object', properties },
    Long: { description: `{@link ${'a'.repeat(1_000_000)}` },
    Links: { description: '{@link '.repeat(100_000) },
    Nested: { anyOf: [{ anyOf: [{ $ref: '#/$defs/Nested' }, true] }], maxItems: 1 },
  };
  const text = JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', $defs });
  const { protocol } = protocolFromSource({ label: 'long.json', text });
  const page = pageFor(metamodelOf(protocol));
  expect(page).toContain('server.capability0.capability1');
  expect(page.length).toBeLessThan(3_000_000);
});

it('has a style and a script that cannot end their element', () => {
  for (const text of [ASSETS.style, ASSETS.script ?? '']) {
    expect(text.length).toBeGreaterThan(500);
    expect(text).not.toContain('</');
  }
});

function hostilePage(texts: readonly string[]): string {
  const text = JSON.stringify(hostileSchema(texts));
  return pageFor(metamodelOf(protocolFromSource({ label: 'hostile.json', text }).protocol));
}
