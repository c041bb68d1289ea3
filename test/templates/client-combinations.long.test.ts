import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from 'prettier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, CLIENT } from '../../generator/scaffold/index.js';
import { judge, type Judge } from './judge.js';
import { filesOf, openWorkshop, programOf, runNode, TEST } from './workshop.js';
import type { Workshop } from './workshop.js';

const ESLINT = fileURLToPath(new URL('../../templates/server/eslint.config.js', import.meta.url));
const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'];
const DECLARED: Readonly<Record<string, RegExp>> = {
  'elicitation-form': /^ {2}elicitation: \{[^}]*form: \{\}/m,
  'elicitation-url': /^ {2}elicitation: \{[^]*url: \{\}/m,
  sampling: /^ {2}sampling: \{\}/m,
  roots: /^ {2}roots: \{\}/m,
  'tasks-extension': /\[EXTENSION_ID\]: \{\}/,
  'elicitation-tasks': /elicitation: \{ create: \{\} \}/,
  'sampling-tasks': /sampling: \{ createMessage: \{\} \}/,
};
const ALL = Object.keys(DECLARED);

/** Every set of capabilities that the options allow. */
const SETS = Array.from({ length: 2 ** ALL.length }, (_, bits) =>
  ALL.filter((__, index) => bits & (2 ** index)),
).filter(isAllowed);

function isAllowed(capabilities: readonly string[]): boolean {
  try {
    choose(CLIENT, { capabilities: capabilities.join(',') });
    return true;
  } catch {
    return false;
  }
}

const nameOf = (capabilities: readonly string[]): string => capabilities.join('-and-');

let workshop: Workshop;
let judged: Judge;
beforeAll(async () => {
  workshop = openWorkshop();
  const roots: string[] = [];
  for (const [index, each] of SETS.entries()) {
    const flags = { capabilities: each.join(','), pm: MANAGERS[index % MANAGERS.length] };
    roots.push(await workshop.make({ name: nameOf(each), choices: choose(CLIENT, flags) }, CLIENT));
  }
  for (const pm of MANAGERS) {
    const choices = choose(CLIENT, { minimal: 'minimal', pm });
    roots.push(await workshop.make({ name: `minimal-${pm}`, choices }, CLIENT));
  }
  judged = await judge(roots, ESLINT);
}, 600_000);
afterAll(() => workshop.close());

/** Nothing wrong, at most 12 files, and at most 200 lines of source. */
async function expectGood(name: string): Promise<string[]> {
  const root = workshop.rootOf(name);
  expect(judged.checkTypes(root)).toEqual([]);
  expect(judged.lint(root)).toEqual([]);
  const files = filesOf(root);
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(12);
  const sources = files.filter((path) => path.endsWith('.ts'));
  let lines = 0;
  for (const path of sources) {
    const text = readFileSync(join(root, path), 'utf8');
    const options = { filepath: path, singleQuote: true, printWidth: 100 };
    expect(await check(text, options), path).toBe(true);
    expect(text).not.toContain('@when');
    lines += text.split('\n').length - 1;
  }
  expect(lines).toBeLessThanOrEqual(200);
  return sources;
}

describe('new client', () => {
  it('has every set of capabilities that makes sense', () => {
    expect(SETS.length).toBe(83);
  });

  it.each(SETS.map((each) => [nameOf(each), each] as const))(
    'is formatted, linted and compiled with %s',
    async (name, capabilities) => {
      await expectGood(name);
      const text = readFileSync(join(workshop.rootOf(name), 'src', 'client.ts'), 'utf8');
      const declared = ALL.filter((each) => DECLARED[each]?.test(text));
      expect(declared).toEqual(capabilities);
    },
  );

  it.each(MANAGERS)('is one file with --minimal and %s', async (pm) => {
    expect(await expectGood(`minimal-${pm}`)).toEqual(['src/main.ts']);
  });

  const built = [['roots'], ['elicitation-form', 'elicitation-url', 'tasks-extension'], ALL];
  it.each(built.map((each) => [nameOf(each)]))(
    'builds and passes its own test with %s',
    async (name) => {
      const root = workshop.rootOf(name);
      const tsc = programOf('typescript', 'bin', 'tsc');
      const compiled = await runNode([tsc, '-p', 'tsconfig.build.json'], root);
      expect(compiled.code, compiled.output).toBe(0);
      const { code, output } = await runNode(TEST, root);
      expect(code, output).toBe(0);
    },
  );

  it('refuses questions with --minimal', () => {
    expect(() => choose(CLIENT, { minimal: 'minimal', capabilities: 'sampling' })).toThrow(
      'A minimal client answers no questions of a server.',
    );
  });
});
