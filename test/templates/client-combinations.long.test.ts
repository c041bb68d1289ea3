import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, CLIENT } from '../../generator/scaffold/index.js';
import { judge, type Judge } from './judge.js';
import { CLIENT_TEST, openWorkshop, runNode } from './workshop.js';
import type { Workshop } from './workshop.js';

const known = CLIENT.options.find(({ name }) => name === 'capabilities')?.choices ?? [];
const all = known.map(({ value }) => value);

/** Each capability alone where that makes sense, every pair with elicitation, the default, and all. */
const SELECTIONS: readonly (readonly string[])[] = [
  ['elicitation-form'],
  ['elicitation-url'],
  ['sampling'],
  ['roots'],
  ['tasks-extension'],
  ['elicitation-form', 'elicitation-tasks'],
  ['elicitation-url', 'elicitation-tasks', 'tasks-extension'],
  ['sampling', 'sampling-tasks'],
  ['elicitation-form', 'elicitation-url', 'tasks-extension'],
  all,
];

const nameOf = (capabilities: readonly string[]): string =>
  capabilities === all ? 'all' : capabilities.join('-and-');

let workshop: Workshop;
let judged: Judge;
beforeAll(async () => {
  workshop = openWorkshop();
  const roots: string[] = [];
  for (const each of SELECTIONS) {
    const choices = choose(CLIENT, { capabilities: each.join(',') });
    roots.push(await workshop.make({ name: nameOf(each), choices }, CLIENT));
  }
  judged = await judge(roots);
});
afterAll(() => workshop.close());

describe('new client --capabilities', () => {
  it.each(SELECTIONS.map((each) => [nameOf(each), each] as const))(
    'compiles and lints with %s',
    (name, capabilities) => {
      const root = workshop.rootOf(name);
      expect(judged.checkTypes(root)).toEqual([]);
      expect(judged.lint(root)).toEqual([]);
      const text = readFileSync(join(root, 'src', 'capabilities.ts'), 'utf8');
      const has = (capability: string): boolean => capabilities.includes(capability);
      expect(text.includes('form: {}')).toBe(has('elicitation-form'));
      expect(text.includes('url: {}')).toBe(has('elicitation-url'));
      expect(text.includes('sampling: {}')).toBe(has('sampling'));
      expect(text.includes('roots: {}')).toBe(has('roots'));
      expect(text.includes('[EXTENSION_ID]: {}')).toBe(has('tasks-extension'));
      expect(text.includes('elicitation: { create: {} }')).toBe(has('elicitation-tasks'));
      expect(text.includes('sampling: { createMessage: {} }')).toBe(has('sampling-tasks'));
      expect(readdirSync(join(root, 'src')).includes('sampling.ts')).toBe(has('sampling'));
    },
  );

  // With the default in new-client, with less in the long tests.
  it('passes its own tests with all', async () => {
    const { code, output } = await runNode(CLIENT_TEST, workshop.rootOf('all'));
    expect(code, output).toBe(0);
  });
});
