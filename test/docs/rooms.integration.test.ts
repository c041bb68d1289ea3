import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import ts from 'typescript';
import { expect, it } from 'vitest';

import { violations } from '../support/room-rules.js';
import { root, snippetsIn } from './snippets.js';

/** Modules in the READMEs of rooms: blocks that start with their path from the README's folder. */
const modules = ['cli', 'contracts', 'generator', 'pages', 'runtime'].flatMap((tree) =>
  readdirSync(root + tree, { recursive: true, encoding: 'utf8' })
    .map((path) => `${tree}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('/README.md') && !/\/(?:node_modules|dist)\//.test(path))
    .flatMap((readme) =>
      snippetsIn(readme).flatMap(({ language, text }) => {
        const [, path] = /^ *\/\/ ([\w./-]+\.ts)\n/.exec(text) ?? [];
        return language === 'ts' && path ? [{ file: join(dirname(readme), path), text }] : [];
      }),
    ),
);

it('the READMEs of rooms have modules', () => {
  const files = modules.map(({ file }) => file.replaceAll('\\', '/'));
  expect(files).toEqual(
    expect.arrayContaining(['cli/commands/names.ts', 'generator/emit/names/emit-names.ts']),
  );
});

it.each(modules)('$file compiles in its room, and imports what it may', ({ file, text }) => {
  const path = join(root, file);
  const read = ts.readConfigFile(join(root, 'tsconfig.json'), (name) => ts.sys.readFile(name));
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
  const host = ts.createCompilerHost({ ...options, noEmit: true });
  host.fileExists = (name) => join(name) === path || ts.sys.fileExists(name);
  host.readFile = (name) => (join(name) === path ? text : ts.sys.readFile(name));
  const program = ts.createProgram({
    rootNames: [path],
    options: { ...options, noEmit: true },
    host,
  });
  const source = program.getSourceFile(path);
  const found = [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ];
  expect(
    found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  ).toEqual([]);
  expect(violations(file.replaceAll('\\', '/'), text)).toEqual([]);
});
