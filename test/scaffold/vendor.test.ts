import { describe, expect, it } from 'vitest';
import { vendor } from '../../generator/scaffold/vendor.js';
import type { Module } from '../../generator/scaffold/vendor.js';

function vendored(files: Record<string, string>): Record<string, string> {
  const modules = modulesOf(files);
  return Object.fromEntries(modules.map(({ path, text }) => [path, text.trim()]));
}

/** `lib/` becomes `deep/er/`; the entry becomes `index.ts`. */
function modulesOf(files: Record<string, string>): Module[] {
  return vendor({
    entry: 'app/src/entry.ts',
    read: (path) => files[path],
    place: (path) => (path.startsWith('lib/') ? `deep/er/${path.slice(4)}` : 'index.ts'),
  });
}

describe('vendoring', () => {
  it('takes what is imported in any way, and nothing else', () => {
    const files = {
      'app/src/entry.ts': "import type { A } from '../../lib/a.js';\nexport const x: A = 1;",
      'lib/a.ts': "import './b.js';\nexport type A = import('./c.js').C;\n",
      'lib/b.ts': "export const load = () => import('./d.js');",
      'lib/c.ts': "export * as C from './x/e.js';",
      'lib/d.ts': 'export {};',
      'lib/x/e.ts': "import '../b.js';",
      'lib/unused.ts': '',
    };
    expect(vendored(files)).toEqual({
      'index.ts': "import type { A } from './deep/er/a.js';\nexport const x: A = 1;",
      'deep/er/a.ts': "import './b.js';\nexport type A = import('./c.js').C;",
      'deep/er/b.ts': "export const load = () => import('./d.js');",
      'deep/er/c.ts': "export * as C from './x/e.js';",
      'deep/er/d.ts': 'export {};',
      'deep/er/x/e.ts': "import '../b.js';",
    });
  });

  it('passes on through barrels only what is asked for', () => {
    const files = {
      'app/src/entry.ts':
        "export { memory } from '../../lib/index.js';\nimport '../../lib/user.js';",
      'lib/user.ts': "import { type Row, renamed } from './index.js';",
      'lib/index.ts': [
        "export { memory, spare } from './memory.js';",
        "export { sqlite } from './sqlite.js';",
        "export type { Row, Column } from './rows/index.js';",
        "export { original as renamed } from './names.js';",
      ].join('\n'),
      'lib/memory.ts': 'export const memory = 1, spare = 2;',
      'lib/sqlite.ts': "import 'libsql';",
      'lib/rows/index.ts':
        "export type { Row } from './row.js';\nexport type { Column } from './column.js';",
      'lib/rows/row.ts': 'export type Row = 1;',
      'lib/rows/column.ts': 'export type Column = 1;',
      'lib/names.ts': 'export const original = 1;',
    };
    const result = vendored(files);
    expect(Object.keys(result)).not.toContain('deep/er/sqlite.ts');
    expect(Object.keys(result)).not.toContain('deep/er/rows/column.ts');
    expect(result['deep/er/rows/index.ts']).toBe("export type { Row } from './row.js';");
    expect(result['deep/er/index.ts']?.replace(/\s+/g, ' ')).toBe(
      "export { memory, } from './memory.js'; export type { Row, } from './rows/index.js'; export { original as renamed } from './names.js';",
    );
  });

  it('passes everything on where there is no telling what is asked for', () => {
    const files = {
      'app/src/entry.ts': "import * as all from '../../lib/index.js';",
      'lib/index.ts': "export { a } from './a.js';\nexport * from './b.js';",
      'lib/a.ts': 'export const a = 1;',
      'lib/b.ts': 'export const b = 1;',
    };
    expect(Object.keys(vendored(files))).toEqual([
      'deep/er/a.ts',
      'deep/er/b.ts',
      'deep/er/index.ts',
      'index.ts',
    ]);
  });

  it('knows the packages of what is left', () => {
    const files = {
      'app/src/entry.ts': "import { a } from '../../lib/index.js';",
      'lib/index.ts': "export { a } from './a.js';\nexport { b } from './b.js';",
      'lib/a.ts': "import 'node:fs';\nimport x from '@scope/name/deep';\nimport 'zod';",
      'lib/b.ts': "import 'heavy';",
    };
    expect(modulesOf(files).flatMap(({ packages }) => packages)).toEqual(['@scope/name', 'zod']);
  });

  it('touches no text that only looks like an import', () => {
    const text = "const s = \"import x from './b.js'\"; // import './c.js'";
    expect(vendored({ 'app/src/entry.ts': text })).toEqual({ 'index.ts': text });
  });

  it('says what is missing, and who wants it', () => {
    expect(() => vendored({ 'app/src/entry.ts': "import './x.js';" })).toThrow(
      'app/src/entry.ts imports app/src/x.ts, which is not there',
    );
  });
});
