import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyPlan,
  ConflictError,
  makePlan,
  memoryFolder,
  sha256,
  staleFiles,
} from '../../generator/write/index.js';
import type { PlanOptions, Step, Wanted } from '../../generator/write/index.js';
import { sized } from '../support/size.js';

const CAREFUL: PlanOptions = { force: false, prune: false };

function wanted(name: string, files: Record<string, string>, input = 'input'): Wanted {
  const entries = Object.entries(files).map(([file, text]): [string, { text: string }] => [
    `${name}/${file}`,
    { text },
  ]);
  return { name, input, clean: true, files: new Map(entries) };
}

function actions(plan: readonly Step[]): Record<string, string> {
  return Object.fromEntries(plan.map(({ path, action }) => [path, action]));
}

/** A folder that one run has written `a/types.ts` and `a/zod.ts` to. */
function written(): { files: Map<string, string>; folder: ReturnType<typeof memoryFolder> } {
  const files = new Map<string, string>();
  const folder = memoryFolder(files);
  applyPlan(makePlan(folder, [wanted('a', { 'types.ts': '1', 'zod.ts': '1' })], CAREFUL), folder);
  return { files, folder };
}

describe('makePlan', () => {
  it('creates missing files, and changes nothing in a second run', () => {
    const { files, folder } = written();
    expect([...files.keys()].sort()).toEqual(['a/types.ts', 'a/zod.ts', 'manifest.json']);
    const again = makePlan(folder, [wanted('a', { 'types.ts': '1', 'zod.ts': '1' })], CAREFUL);
    expect(new Set(Object.values(actions(again)))).toEqual(new Set(['skip']));
  });

  it('updates its own files and deletes those no longer wanted', () => {
    const { files, folder } = written();
    const plan = makePlan(folder, [wanted('a', { 'types.ts': '2' })], CAREFUL);
    expect(actions(plan)).toEqual({
      'a/types.ts': 'update',
      'a/zod.ts': 'delete',
      'manifest.json': 'update',
    });
    applyPlan(plan, folder);
    expect([...files.keys()].sort()).toEqual(['a/types.ts', 'manifest.json']);
  });

  it('reports a conflict for a local edit and writes nothing', () => {
    const { files, folder } = written();
    files.set('a/types.ts', 'mine');
    const before = new Map(files);
    const plan = makePlan(folder, [wanted('a', { 'types.ts': '2', 'zod.ts': '2' })], CAREFUL);
    expect(actions(plan)['a/types.ts']).toBe('conflict');
    expect(actions(plan)['a/zod.ts']).toBe('update');
    expect(() => applyPlan(plan, folder)).toThrow(ConflictError);
    expect(files).toEqual(before);
  });

  it('reports a conflict for an edited file that is no longer wanted', () => {
    const { files, folder } = written();
    files.set('a/zod.ts', 'mine');
    const plan = makePlan(folder, [wanted('a', { 'types.ts': '1' })], CAREFUL);
    expect(actions(plan)['a/zod.ts']).toBe('conflict');
  });

  it('reports a conflict for a file that it never wrote, unless it is equal', () => {
    const folder = memoryFolder(new Map([['a/types.ts', 'mine']]));
    expect(actions(makePlan(folder, [wanted('a', { 'types.ts': '1' })], CAREFUL))).toEqual({
      'a/types.ts': 'conflict',
      'manifest.json': 'create',
    });
    expect(actions(makePlan(folder, [wanted('a', { 'types.ts': 'mine' })], CAREFUL))).toEqual({
      'a/types.ts': 'skip',
      'manifest.json': 'create',
    });
  });

  it('overwrites both with force', () => {
    const { files, folder } = written();
    files.set('a/types.ts', 'mine');
    applyPlan(
      makePlan(folder, [wanted('a', { 'types.ts': '2' })], { force: true, prune: false }),
      folder,
    );
    expect(files.get('a/types.ts')).toBe('2');
  });

  it.each([
    ['a web manifest', '{ "name": "app" }'],
    ['another version', '{ "manifestVersion": 2, "protocols": {} }'],
    ['broken JSON', '{'],
    ['a list', '[]'],
    [
      'a path that leaves the folder',
      '{"manifestVersion":1,"protocols":{"a":{"input":"","clean":true,"files":{"../b":""}}}}',
    ],
  ])('treats %s as a foreign file', (_, text) => {
    const folder = memoryFolder(new Map([['manifest.json', text]]));
    const plan = makePlan(folder, [wanted('a', { 'types.ts': '1' })], CAREFUL);
    expect(actions(plan)['manifest.json']).toBe('conflict');
  });

  it('keeps other protocols unless they are pruned', () => {
    const { files, folder } = written();
    applyPlan(makePlan(folder, [wanted('b', { 'types.ts': '1' })], CAREFUL), folder);
    expect(files.has('a/types.ts')).toBe(true);
    const plan = makePlan(folder, [wanted('b', { 'types.ts': '1' })], {
      force: false,
      prune: true,
    });
    expect(actions(plan)).toMatchObject({ 'a/types.ts': 'delete', 'a/zod.ts': 'delete' });
    expect(staleFiles(plan).map(({ path }) => path)).toEqual(['a/types.ts', 'a/zod.ts']);
  });

  it('does not report a stale manifest when only the input changed', () => {
    const { folder } = written();
    const same = { 'types.ts': '1', 'zod.ts': '1' };
    const plan = makePlan(folder, [wanted('a', same, 'another input')], CAREFUL);
    expect(actions(plan)['manifest.json']).toBe('update');
    expect(staleFiles(plan)).toEqual([]);
  });

  it('refuses when a file changes between plan and write', () => {
    const { files, folder } = written();
    const plan = makePlan(folder, [wanted('a', { 'types.ts': '2', 'zod.ts': '2' })], CAREFUL);
    files.set('a/zod.ts', 'mine');
    expect(() => applyPlan(plan, folder)).toThrow('changed while');
    expect(files.get('a/types.ts')).toBe('1');
  });
});

describe('any sequence of runs and edits', () => {
  const path = fc.constantFrom('a/types.ts', 'a/zod.ts', 'b/types.ts', 'b/zod.ts', 'b/notes.md');
  const event = fc.oneof(
    fc.record({
      kind: fc.constant('edit' as const),
      path,
      text: fc.constantFrom('x', 'y'),
    }),
    fc.record({ kind: fc.constant('erase' as const), path }),
    fc.record({
      kind: fc.constant('run' as const),
      prune: fc.boolean(),
      wanted: fc.dictionary(
        fc.constantFrom('a', 'b'),
        fc.dictionary(fc.constantFrom('types.ts', 'zod.ts'), fc.constantFrom('1', '2')),
      ),
    }),
  );

  it('never loses an edit, and changes nothing when repeated', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        const files = new Map<string, string>();
        const folder = memoryFolder(files);
        const theirs = new Map<string, string>();
        for (const each of events) {
          if (each.kind === 'edit') {
            if (files.get(each.path) !== each.text) theirs.set(each.path, each.text);
            files.set(each.path, each.text);
          } else if (each.kind === 'erase') {
            files.delete(each.path);
            theirs.delete(each.path);
          } else {
            const all = Object.entries(each.wanted).map(([name, texts]) => wanted(name, texts));
            const options = { force: false, prune: each.prune };
            const before = new Map(files);
            try {
              applyPlan(makePlan(folder, all, options), folder);
              const again = makePlan(folder, all, options);
              expect(again.every(({ action }) => action === 'skip')).toBe(true);
            } catch (error) {
              if (!(error instanceof ConflictError)) throw error;
              expect(files).toEqual(before);
            }
          }
          for (const [file, text] of theirs) expect(files.get(file)).toBe(text);
        }
      }),
      { numRuns: sized(500) },
    );
  });
});

describe('a manifest', () => {
  it('lists files with their hashes, sorted, whatever the order of the request', () => {
    const texts = [
      [wanted('b', { 'z.ts': '1', 'a.ts': '2' }), wanted('a', { 'x.ts': '3' })],
      [wanted('a', { 'x.ts': '3' }), wanted('b', { 'a.ts': '2', 'z.ts': '1' })],
    ].map((all) => makePlan(memoryFolder(), all, CAREFUL).at(-1)?.text ?? '');
    expect(texts[0]).toBe(texts[1]);
    const manifest = JSON.parse(texts[0] ?? '') as {
      protocols: Record<string, { files: Record<string, string> }>;
    };
    expect(Object.keys(manifest.protocols)).toEqual(['a', 'b']);
    expect(Object.entries(manifest.protocols['b']?.files ?? {})).toEqual([
      ['b/a.ts', sha256('2')],
      ['b/z.ts', sha256('1')],
    ]);
  });
});
