import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { judge, type Judge } from './judge.js';
import { openWorkshop, type Workshop } from './workshop.js';

/** What a server declares for each value of `--capabilities`. */
const DECLARED: Readonly<Record<string, RegExp>> = {
  'tasks-list': /tasks: \{[^}]*list: \{\}/,
  'tasks-cancel': /tasks: \{.*cancel: \{\}/s,
  'elicitation-form': /elicitation: \{[^}]*form: \{\}/,
  'elicitation-url': /elicitation: \{.*url: \{\}/s,
  sampling: /sampling: \{\}/,
  roots: /roots: \{\}/,
};
const ALL = Object.keys(DECLARED);

const DECLARATIONS: readonly { flags: Readonly<Record<string, string>>; given: string[] }[] = [
  { flags: { transport: 'stdio' }, given: ALL },
  { flags: { transport: 'stdio' }, given: [] },
  { flags: { transport: 'http', auth: 'bearer' }, given: ['tasks-list', 'elicitation-url'] },
  { flags: { transport: 'http', auth: 'none' }, given: ['tasks-cancel', 'sampling', 'roots'] },
  { flags: { dialects: 'ext' }, given: ['elicitation-form'] },
  { flags: { dialects: 'core', minimal: 'minimal' }, given: ['tasks-cancel', 'roots'] },
];
const nameOf = ({ flags, given }: (typeof DECLARATIONS)[number]): string =>
  [...Object.values(flags), ...given].join('-');

let workshop: Workshop;
let judged: Judge;
beforeAll(async () => {
  workshop = openWorkshop();
  const roots: string[] = [];
  for (const each of DECLARATIONS) {
    const choices = choose(SERVER, { ...each.flags, capabilities: each.given.join(',') });
    roots.push(await workshop.make({ name: nameOf(each), choices }));
  }
  judged = await judge(roots);
});
afterAll(() => workshop.close());

describe('new server --capabilities', () => {
  it.each(DECLARATIONS)('declares $given with $flags', (declaration) => {
    const { flags, given } = declaration;
    const root = workshop.rootOf(nameOf(declaration));
    const file = flags['minimal'] === undefined ? 'src/server.ts' : 'src/main.ts';
    const server = readFileSync(join(root, file), 'utf8');
    for (const each of ALL) expect(DECLARED[each]?.test(server), each).toBe(given.includes(each));
    expect(judged.checkTypes(root)).toEqual([]);
    expect(judged.lint(root)).toEqual([]);
  });

  it.each([
    [{ dialects: 'ext', capabilities: 'tasks-list' }, 'Add core to --dialects'],
    [{ dialects: 'ext', capabilities: 'tasks-cancel' }, 'Add core to --dialects'],
    [{ transport: 'http', auth: 'none', capabilities: 'tasks-list' }, '--auth bearer'],
    [{ transport: 'http', auth: 'none', capabilities: 'elicitation-form' }, '--auth bearer'],
    [{ transport: 'http', auth: 'none', capabilities: 'elicitation-url' }, '--auth bearer'],
  ])('refuses %j and names the fix', (flags, fix) => {
    expect(() => choose(SERVER, flags)).toThrow(
      expect.objectContaining({ help: expect.stringContaining(fix) as string }) as Error,
    );
  });
});
