import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { protocolNames } from '../../scripts/protocol-names.js';
import { ERROR_CODES, EXTENSION_ID, META_KEYS, METHODS } from '../../runtime/protocol.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const TEXTS: ReadonlySet<string> = new Set([
  EXTENSION_ID,
  ...Object.values(METHODS),
  ...Object.values(META_KEYS),
]);
const CODES: ReadonlySet<number> = new Set(Object.values(ERROR_CODES));

/** Files that may contain a name as a literal, with reasons. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['runtime/protocol.ts', 'written from the generated tables'],
  [
    'cli/client/session.ts',
    'keys of an object of the type TaskStatusHandlers, which comes from the generated tables',
  ],
  [
    'templates/client/src/client.ts',
    'keys of an object of the type TaskStatusHandlers, which comes from the generated tables',
  ],
]);

/** Sources; the tests of templates state what goes over the wire by themselves. */
function sourcesBelow(folder: string): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.ts$/.test(path) && !/\/(?:node_modules|dist|test)\//.test(path));
}

function namesIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && TEXTS.has(node.text)) found.push(node.text);
    if (ts.isPrefixUnaryExpression(node) && CODES.has(Number(node.getText(source)))) {
      found.push(node.getText(source));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.map((name) => `${file}: ${name}`);
}

describe('names of the protocol', () => {
  it('are those of the generated tables', () => {
    const tsx = fileURLToPath(import.meta.resolve('tsx/cli'));
    const check = [tsx, 'scripts/names.ts', '--check'];
    expect(() => execFileSync(process.execPath, check, { cwd: root, stdio: 'pipe' })).not.toThrow();
  });

  it.each(['runtime', 'templates', 'cli/client'])('are spelled out nowhere in %s', (tree) => {
    const found = sourcesBelow(tree)
      .filter((file) => !EXCEPTIONS.has(file))
      .flatMap((file) => namesIn(file, readFileSync(root + file, 'utf8')));
    expect(found).toEqual([]);
  });

  it.each([...EXCEPTIONS.keys()])(
    'are spelled out in %s, as the list of exceptions says',
    (file) => {
      expect(namesIn(file, readFileSync(root + file, 'utf8'))).not.toEqual([]);
    },
  );

  it.each([
    "request('tools/call')",
    'const table = { "tasks/get": 1 };',
    "type Method = 'roots/list';",
    'throw rpcError(-32602, text)',
    'const key = `io.modelcontextprotocol/related-task`;',
  ])('are found in %s', (text) => {
    expect(namesIn('x.ts', text)).toHaveLength(1);
  });
});

describe('names of several protocols', () => {
  const tables = { REQUESTS: {}, NOTIFICATIONS: {}, META_KEYS: {}, ERROR_CODES: {} };

  it('keep their first value', () => {
    const { text, leftOut } = protocolNames([
      { ...tables, ERROR_CODES: { Lost: -32050 } },
      { ...tables, ERROR_CODES: { Lost: -32051, Found: -32052 } },
    ]);
    expect(text).toContain('Found: -32052,\nLost: -32050,');
    expect(leftOut).toEqual(['Lost: -32051, instead of -32050']);
  });

  it('are those of the tasks extension, whatever other extensions there are', () => {
    const { text } = protocolNames([
      { ...tables, REQUESTS: { 'tasks/get': {} } },
      { ...tables, REQUESTS: { 'gadgets/list': {} }, EXTENSION_ID: 'com.example/gadgets' },
      { ...tables, REQUESTS: { 'tasks/get': {} }, EXTENSION_ID: 'com.example/tasks' },
    ]);
    expect(text).toContain('EXTENSION_ID = "com.example/tasks"');
  });
});
