import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as program from '../../runtime/program/index.js';
import { formatTypeScript } from '../../generator/emit/format/format.js';
import { migrate } from '../../generator/scaffold/migrate.js';
import { MOVES } from '../../generator/scaffold/moves.js';

const SERVER = '@mcp-codegen/runtime/server';
const PROGRAM = '@mcp-codegen/runtime/program';

const migrated = (text: string, path = 'src/main.ts') => migrate(path, text, MOVES);

/** The names that a text imports or exports again, with their modules. */
function bindingsOf(text: string): string[] {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement): string[] => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const named = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : statement.exportClause;
    if (!named || !('elements' in named)) return [];
    const [head = ''] = statement.getText().split('{');
    const module = statement.moduleSpecifier?.getText() ?? '';
    return named.elements.map((each) => `${each.getText()} | ${head.trim()} ${module}`);
  });
}

describe('migrate', () => {
  it.each([
    {
      title: 'all names, by another module',
      before: `import { running, type RunningServer } from '${SERVER}';\n`,
      after: `import { running, type RunningServer } from '${PROGRAM}';\n`,
    },
    {
      title: 'one of several names, by an import of its own',
      before: `import { createTaskServer, running as run, serveStdio } from "${SERVER}"\nfoo()\n`,
      after: `import { createTaskServer, serveStdio } from "${SERVER}"\nimport { running as run } from "${PROGRAM}"\nfoo()\n`,
    },
    {
      title: 'the last names of a line',
      before: `import {createTaskServer, running, runUntilStopped} from '${SERVER}'\n`,
      after: `import {createTaskServer} from '${SERVER}'\nimport { running, runUntilStopped } from '${PROGRAM}'\n`,
    },
    {
      title: 'the last names of a line with a comma',
      before: `import {a, running, } from '${SERVER}' // mine\n`,
      after: `import {a, } from '${SERVER}' // mine\nimport { running } from '${PROGRAM}'\n`,
    },
    {
      title: 'names on lines of their own, whose comments stay',
      before: `import {\r\n\ta, // the first\r\n\trunning,\r\n\t// about b\r\n\tb,\r\n\tserveHealth // mine\r\n} from '${SERVER}';\r\n`,
      after: `import {\r\n\ta, // the first\r\n\t// about b\r\n\tb,\r\n\t // mine\r\n} from '${SERVER}';\r\nimport { running, serveHealth } from '${PROGRAM}';\r\n`,
    },
    {
      title: 'types',
      before: `import type { RunningServer, ServerLog } from '${SERVER}';\n`,
      after: `import type { ServerLog } from '${SERVER}';\nimport type { RunningServer } from '${PROGRAM}';\n`,
    },
    {
      title: 'exports of an import',
      before: `export { running, bearer as auth } from '${SERVER}';\nexport type { RunningServer } from '${SERVER}';\n`,
      after: `export { bearer as auth } from '${SERVER}';\nexport { running } from '${PROGRAM}';\nexport type { RunningServer } from '${PROGRAM}';\n`,
    },
  ])('moves $title', async ({ before, after }) => {
    const { text, changes } = await migrated(before);
    expect(text).toBe(after);
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.every(({ isFixed }) => isFixed)).toBe(true);
    expect((await migrated(text)).changes).toEqual([]);
  });

  it('keeps a file formatted that is', async () => {
    const names = 'bearer, createHttpHandler, createTaskServer, exitWithReason, serve';
    const before = await formatTypeScript(`import { ${names} } from '${SERVER}';`);
    expect(before).toContain('\n  bearer,\n');
    const { text } = await migrated(before);
    expect(text).toBe(
      `import { bearer, createHttpHandler, createTaskServer, serve } from '${SERVER}';\n` +
        `import { exitWithReason } from '${PROGRAM}';\n`,
    );
  });

  it.each([
    [`import * as s from '${SERVER}';\nawait s.running(x);`, '2:9', 'running'],
    [`import * as s from '${SERVER}';\ntype A = s.RunningServer;`, '2:12', 'RunningServer'],
    [`const { running: r } = await import('${SERVER}');`, '1:9', 'running'],
    [`const r = (await import('${SERVER}')).running;`, '1:57', 'running'],
    [`const { running } = require('${SERVER}');`, '1:9', 'running'],
    [`const s = await import('${SERVER}');\ns.running();`, '1:17', 'running'],
    [`type A = import('${SERVER}').RunningServer;`, '1:48', 'RunningServer'],
    [`import s = require('${SERVER}');\ns.running();`, '1:12', 'running'],
    [`export * from '${SERVER}';`, '1:1', 'running'],
    [`export * as s from '${SERVER}';`, '1:1', 'running'],
  ])('only reports %s', async (before, at, name) => {
    const { text, changes } = await migrated(`${before}\n`, 'src/a.mts');
    expect(text).toBe(`${before}\n`);
    expect(changes).toHaveLength(1);
    const [
      { path, line, column, message, isFixed } = { path: '', line: 0, column: 0, message: '' },
    ] = changes;
    expect({ path, at: `${line}:${column}`, isFixed }).toEqual({
      path: 'src/a.mts',
      at,
      isFixed: false,
    });
    expect(message).toContain(name);
  });

  it.each([
    `import { createTaskServer } from '${SERVER}';`,
    `import { running } from './mine.js';\nconst text = "${SERVER}";`,
    `import * as s from '${SERVER}';\ns.bearer();`,
    `const s = await import('${SERVER}');\ns.bearer();`,
    `// import { running } from '${SERVER}';`,
  ])('has nothing to say about %s', async (text) => {
    expect(await migrated(text)).toEqual({ changes: [], text });
  });

  it.each(['src/a.tsx', 'src/a.jsx', 'src/a.cjs', 'src/a.mjs', 'src/a.js'])(
    'reads %s',
    async (path) => {
      const element = path.endsWith('x') ? 'const a = <b>{running}</b>;\n' : '';
      const text = `import { running } from '${SERVER}';\n${element}`;
      expect((await migrated(text, path)).text).toBe(text.replace(SERVER, PROGRAM));
    },
  );

  it('changes nothing in a file that does not parse', async () => {
    const before = `import { running } from '${SERVER}';\nconst a = [;\n`;
    const { text, changes } = await migrated(before);
    expect(text).toBe(before);
    expect(changes.map(({ isFixed }) => isFixed)).toEqual([false]);
  });

  it('keeps every name, and its module but for those that moved', async () => {
    const name = fc.constantFrom(
      'a',
      'bearer',
      'running',
      'serveHealth',
      'exitWithReason',
      'LogOptions',
    );
    const element = fc.record({
      name,
      alias: fc.boolean(),
      comment: fc.boolean(),
      line: fc.boolean(),
    });
    const list = fc.uniqueArray(element, { selector: (each) => each.name, minLength: 1 });
    await fc.assert(
      fc.asyncProperty(
        list,
        fc.boolean(),
        fc.constantFrom('import', 'import type', 'export'),
        async (elements, comma, kind) => {
          const written = elements.map(({ name, alias, comment, line }, index) => {
            const end = index === elements.length - 1 && !comma ? '' : ',';
            const text = alias ? `${name} as x${index}` : name;
            return `${line ? '\n  ' : ' '}${text}${end}${comment ? ' /* c */' : ''}`;
          });
          const before = `${kind} {${written.join('')}\n} from '${SERVER}'\nlet z\n`;
          const { text, changes } = await migrated(before);
          const moved = new Set(MOVES.map((move) => move.name));
          const expected = bindingsOf(before).map((each) => {
            const [word = ''] = each.split(' ');
            return moved.has(word) ? each.replace(SERVER, PROGRAM) : each;
          });
          expect(bindingsOf(text).sort()).toEqual(expected.sort());
          expect(changes).toHaveLength(elements.filter((each) => moved.has(each.name)).length);
          expect(text.match(/\/\* c \*\//g)?.length).toBe(before.match(/\/\* c \*\//g)?.length);
          expect(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([]);
          expect(text.endsWith('let z\n')).toBe(true);
        },
      ),
    );
  });
});

describe('the table of moves', () => {
  it('names what the new module exports', () => {
    const text = readFileSync(
      fileURLToPath(import.meta.resolve('../../runtime/program/index.ts')),
      'utf8',
    );
    for (const { name, to, instead } of MOVES) {
      expect(to === undefined).toBe(instead !== undefined);
      if (to === PROGRAM) expect(name in program || text.includes(`type ${name}`), name).toBe(true);
    }
  });
});

describe('old projects', () => {
  const root = fileURLToPath(new URL('old-projects', import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );

  it('need changes at these places, all of which are safe', async () => {
    const found: string[] = [];
    for (const path of sources) {
      const { changes, text } = await migrated(readFileSync(join(root, path), 'utf8'), path);
      for (const { line, column, message, isFixed } of changes) {
        expect(isFixed).toBe(true);
        found.push(`${path}:${line}:${column} ${message.split(' ', 1).join('')}`);
      }
      expect((await migrated(text, path)).changes).toEqual([]);
    }
    expect(found.sort()).toMatchInlineSnapshot(`
      [
        "http-postgres-jwt/src/main.ts:10:3 runUntilStopped",
        "http-postgres-jwt/src/main.ts:6:3 exitWithReason",
        "http-postgres-jwt/src/main.ts:8:3 logOptions",
        "http-postgres-jwt/src/main.ts:9:3 preferSmallHeap",
        "http-postgres-jwt/src/server.ts:11:15 RunningServer",
        "http-postgres-jwt/src/server.ts:6:3 running",
        "http-postgres-jwt/src/server.ts:7:3 serveHealth",
        "minimal/src/main.ts:2:10 exitWithReason",
        "minimal/src/main.ts:2:26 preferSmallHeap",
        "minimal/src/main.ts:2:43 runUntilStopped",
        "minimal/src/server.ts:2:41 running",
        "minimal/src/server.ts:4:3 RunningServer",
      ]
    `);
  });
});
