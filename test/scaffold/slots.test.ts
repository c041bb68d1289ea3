import { describe, expect, it } from 'vitest';
import { readPackageFolder } from '../../generator/read/load/index.js';
import { ownFeatures } from '../../generator/scaffold/choose.js';
import {
  choose,
  CLIENT,
  featuresIn,
  projectUnits,
  SERVER,
  TEMPLATES,
} from '../../generator/scaffold/index.js';
import type { Template } from '../../generator/scaffold/index.js';
import { fillSlots } from '../../generator/scaffold/slots.js';

const SOURCES = new Map(TEMPLATES.flatMap(({ folder }) => [...readPackageFolder(folder)]));

/** Choices of which each slot has at least two texts. */
const FLAGS: Readonly<Record<string, readonly Record<string, string>[]>> = {
  server: [
    { transport: 'stdio', store: 'memory', capabilities: '', dialects: 'core', pm: 'pnpm' },
    { transport: 'http', store: 'sqlite', auth: 'none', revisions: '2026-07-28', dialects: 'ext' },
    { transport: 'http', store: 'postgres', auth: 'jwt', pm: 'yarn' },
    { transport: 'stdio', store: 'postgres', pm: 'bun', minimal: 'minimal' },
  ],
  client: [
    { capabilities: 'sampling' },
    { capabilities: 'elicitation-form', pm: 'bun' },
    { capabilities: 'tasks-extension' },
  ],
};

describe.each(TEMPLATES.map((template) => ({ name: template.name, template })))(
  'the slots of the template $name',
  ({ name, template }) => {
    const own = ownFeatures(template);
    const chosen = (FLAGS[name] ?? []).map((flags) =>
      featuresIn(template, choose(template, flags)),
    );

    it.each(template.slots.map((slot, index) => ({ index, file: slot.file, slot })))(
      'number $index is in $file exactly once, and depends on the choices',
      ({ file, slot }) => {
        const text = SOURCES.get(`${template.folder}/${file}`) ?? '';
        expect(text.split(slot.text(own))).toHaveLength(2);
        const texts = new Set([own, ...chosen].map((features) => slot.text(features)));
        expect(texts.size).toBeGreaterThan(1);
      },
    );

    it('leave the template as it is under its own choices', () => {
      for (const [path, text] of SOURCES) {
        if (!path.startsWith(`${template.folder}/`)) continue;
        const file = path.slice(template.folder.length + 1);
        expect(fillSlots(file, text, template.slots, { own, chosen: own })).toBe(text);
      }
    });
  },
);

describe('a template', () => {
  const files = async (template: Template, flags: Record<string, string>): Promise<string[]> => {
    const choices = choose(template, flags);
    const request = { template, choices, name: '@acme/shop', sources: SOURCES, runtime: '^1.0.0' };
    return (await projectUnits(request)).map(({ path }) => path).sort();
  };

  it('leaves out whole files by its choices', async () => {
    expect(await files(CLIENT, { minimal: 'minimal' })).toEqual([
      ...['.gitignore', 'README.md', 'package.json', 'src/main.ts'],
      ...['tsconfig.build.json', 'tsconfig.json'],
    ]);
    const open = await files(SERVER, { transport: 'http', auth: 'none' });
    expect(open).not.toContain('src/tools/book-room.ts');
    expect(open).not.toContain('.env.example');
    expect(await files(SERVER, { pm: 'yarn' })).toContain('.yarnrc.yml');
  });

  it('has files and slots for what exists', () => {
    for (const { folder, files: held, renamed, slots } of TEMPLATES) {
      const named = [
        ...Object.keys(held),
        ...Object.keys(renamed),
        ...slots.map(({ file }) => file),
      ];
      for (const file of named) expect(SOURCES.has(`${folder}/${file}`), file).toBe(true);
    }
  });
});

describe('fillSlots', () => {
  const own = new Set(['a']);
  const slot = { file: 'x.ts', text: (features: ReadonlySet<string>) => [...features].join() };
  const filled = (text: string, slots = [slot], chosen = new Set(['b'])): string =>
    fillSlots('x.ts', text, slots, { own, chosen });

  it('replaces a text', () => {
    expect(filled('1 a 2')).toBe('1 b 2');
    expect(fillSlots('y.ts', '1 a 2', [slot], { own, chosen: new Set() })).toBe('1 a 2');
  });

  it('takes no text that another slot has put there', () => {
    const other = {
      file: 'x.ts',
      text: (features: ReadonlySet<string>) => `${[...features].join()}!`,
    };
    const first = {
      file: 'x.ts',
      text: (features: ReadonlySet<string>) => (features.has('a') ? '1' : 'a!'),
    };
    expect(filled('1 a!', [first, other])).toBe('a! b!');
  });

  it.each(['', 'no such text', 'a and a', 'aa'])('refuses a template with %j', (text) => {
    if (text !== 'no such text')
      expect(() => filled(text)).toThrow('must contain this exactly once');
    else expect(() => filled('1 2')).toThrow(/x\.ts must contain this exactly once:\na$/);
  });

  it('refuses a slot without a text', () => {
    const empty = { file: 'x.ts', text: () => '' };
    expect(() => filled('a', [empty])).toThrow('exactly once');
  });
});
