import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPackageFolder } from '../../generator/read/load/index.js';
import { ownFeatures } from '../../generator/scaffold/choose.js';
import {
  choose,
  CLIENT,
  featuresIn,
  projectUnits,
  ScaffoldError,
  SERVER,
  TEMPLATES,
} from '../../generator/scaffold/index.js';
import type { Features, Template } from '../../generator/scaffold/index.js';
import { fillSlots } from '../../generator/scaffold/project.js';

const SOURCES = new Map(TEMPLATES.flatMap(({ folder }) => [...readPackageFolder(folder)]));

/** The template's own choices and its defaults, each with one option changed to each of its values. */
function variantsOf(template: Template): Features[] {
  return [template.own, {}].flatMap((base) =>
    template.options.flatMap(({ name, choices, mayBeEmpty }) =>
      [...choices.map(({ value }) => value), ...(mayBeEmpty ? [''] : [])].flatMap((value) => {
        try {
          return [featuresIn(template, choose(template, { ...base, [name]: value }))];
        } catch (error) {
          if (error instanceof ScaffoldError) return []; // Choices that exclude each other.
          throw error;
        }
      }),
    ),
  );
}

describe.each(TEMPLATES.map((template) => ({ name: template.name, template })))(
  'the slots of the template $name',
  ({ template }) => {
    const own = ownFeatures(template);
    const variants = variantsOf(template);

    it.each(template.slots.map((slot, index) => ({ slot, title: `${index} of ${slot.file}` })))(
      'number $title is in its file exactly once, and depends on the choices',
      ({ slot }) => {
        const before = slot.text(own);
        expect(before, "text of the slot for the template's own choices").not.toBe('');
        const text = SOURCES.get(`${template.folder}/${slot.file}`) ?? '';
        expect(
          text.split(before).length - 1,
          `times that ${template.folder}/${slot.file} contains this text of the slot:\n${before}\n`,
        ).toBe(1);
        const texts = new Set([own, ...variants].map((features) => slot.text(features)));
        expect(
          texts.size,
          `texts of the slot for all values of all options; one text needs no slot:\n${before}\n`,
        ).toBeGreaterThan(1);
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

  it('is in TEMPLATES, and in templates/README.md', () => {
    const found = readdirSync('templates').filter((each) =>
      existsSync(`templates/${each}/package.json`),
    );
    const described = TEMPLATES.map(({ folder }) => folder);
    const list = readFileSync('templates/README.md', 'utf8');
    for (const each of found) {
      expect(described, 'TEMPLATES in generator/scaffold/index.ts').toContain(`templates/${each}`);
      expect(list, 'templates/README.md').toContain(`\n- \`${each}/\`: `);
    }
  });

  it.each(TEMPLATES)('needs only features that its options set: $name', (template) => {
    const values = template.options.flatMap(({ choices }) => choices.map(({ value }) => value));
    const twice = values.filter((value, index) => values.indexOf(value) < index);
    expect(
      twice,
      'values that two options have; rename one, because a value is one feature',
    ).toEqual([]);
    const known = [...values, ...Object.keys(template.groups ?? {}), 'vendored'];
    const { files: held, packages, scripts, preparation, environment } = template;
    const needed = [held, packages, scripts, preparation, environment].flatMap((things) =>
      Object.values(things).flat(),
    );
    const unknown = needed.filter((feature) => !known.includes(feature));
    expect(
      unknown,
      `features that are neither a value of an option nor a group of ${template.name}`,
    ).toEqual([]);
  });

  it.each(TEMPLATES)(
    'has a gitignore, which projects get as .gitignore: $name',
    async (template) => {
      expect(
        await files(template, {}),
        `list gitignore in the renamed of ${template.name}`,
      ).toContain('.gitignore');
    },
  );

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
