import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fragmentParts, jsonPointer, pointerParts, targetOf } from '../../json-schema/pointer.js';

/** Copied unchanged into the user's folder, where they import each other only. */
const COPIED = ['report', 'standard', 'zod'].map((name) => `generator/emit/support/${name}.ts`);

/** A server loads them at its start, and none of the room `json-schema`. */
const AT_START = ['runtime/schemas/pointers.ts', 'runtime/tasks/json.ts'];

describe('JSON pointers', () => {
  it('are written and read in one file, except where code is copied or loaded at the start', () => {
    const files = ['cli', 'contracts', 'generator', 'json-schema', 'pages', 'runtime'].flatMap(
      (folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .map((name) => `${folder}/${name}`)
          .filter(
            (file) => file.endsWith('.ts') && !/\/(?:dist|node_modules|generated)\//.test(file),
          ),
    );
    expect(files.length).toBeGreaterThan(500);
    const own = files.filter((file) => /(['"`])~[01]\1/.test(readFileSync(file, 'utf8')));
    expect(own.sort()).toEqual([...COPIED, 'json-schema/pointer.ts', ...AT_START]);
  });

  it.each(['#/$defs/a~1b', '#/$defs/a%7E1b', '#/%24defs/a~1b'])(
    'lead to own members: %s',
    (each) => {
      expect(targetOf(each, { $defs: { 'a/b': 1 } })).toBe(1);
      expect(targetOf('#/constructor', {})).toBeUndefined();
      expect(pointerParts(jsonPointer(fragmentParts(each)))).toEqual(['$defs', 'a/b']);
    },
  );
});
