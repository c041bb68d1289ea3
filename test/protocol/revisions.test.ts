import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { writtenFor } from '../../scripts/revisions/modules.js';
import { readTable } from '../../scripts/revisions/table.js';
import { staleModules } from '../../scripts/revisions/write.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const table = readTable(root);
const names = Object.keys(table.revisions);

const CORE_TYPES = 'the messages of the dialect core';
const EXT_TYPES = 'the messages of the dialect ext';
const BOTH = 'each dialect has its own messages';
const FIXED = 'shows or measures messages of revisions that do not change';
const USER = 'imports a revision by its name, as the code of users does';

/** Files that may name a revision, each with its reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'bench/client/index.ts': FIXED,
  'bench/dear-requests.ts': FIXED,
  'bench/generate/index.ts': FIXED,
  'bench/generate/zod-size.ts': FIXED,
  'bench/pages/recording.ts': FIXED,
  'bench/schemas/arguments.ts': FIXED,
  'bench/schemas/declarations.ts': FIXED,
  'bench/server/bare.ts': FIXED,
  'bench/server/client.ts': FIXED,
  'bench/server/core-server.ts': FIXED,
  'bench/server/features.ts': FIXED,
  'bench/server/files.ts': FIXED,
  'bench/server/kinds.ts': FIXED,
  'bench/server/peers.ts': FIXED,
  'bench/client/calls.ts': FIXED,
  'bench/server/requests.ts': FIXED,
  'bench/server/size.ts': FIXED,
  'bench/validate/contender.ts': FIXED,
  'bench/validate/contenders/ours.ts': FIXED,
  'bench/validate/entries.ts': FIXED,
  'bench/validate/prepare.ts': FIXED,
  'bench/validate/traffic.ts': FIXED,
  'examples/browser-types/src/page.ts': USER,
  'examples/browser-types/src/verdict.ts': USER,
  'examples/gateway/src/gateway.ts': BOTH,
  'examples/gateway/src/revisions.ts': USER,
  'examples/gateway/test/careless-server.js': CORE_TYPES,
  'examples/gateway/test/gateway.test.ts': BOTH,
  'cli/client/form-prompt.ts': CORE_TYPES,
  'cli/client/form.ts': CORE_TYPES,
  'cli/client/prompter.ts': CORE_TYPES,
  'contracts/lint/hosts/mcp.ts': 'cites a revision of the specification as evidence',
  'generator/scaffold/client-sources.ts': 'the tasks extension',
  'generator/scaffold/server-sources.ts': 'the tasks extension',
  'runtime/client/capabilities.ts': BOTH,
  'runtime/client/receiver.ts': CORE_TYPES,
  'runtime/client/revisions.ts': BOTH,
  'runtime/client/statuses.ts': BOTH,
  'runtime/client/tools.ts': BOTH,
  'runtime/client/types.ts': CORE_TYPES,
  'runtime/server/capabilities.ts': CORE_TYPES,
  'runtime/server/controls.ts': BOTH,
  'runtime/server/prompt.ts': CORE_TYPES,
  'runtime/server/resource.ts': CORE_TYPES,
  'runtime/server/features/task-tools.ts': CORE_TYPES,
  'runtime/server/tool.ts': BOTH,
  'runtime/peer/wire/core-task.ts': CORE_TYPES,
  'runtime/peer/wire/revision.ts': BOTH,
  'runtime/server/served-ext.ts': 'the tasks extension',
  'runtime/peer/wire/on-demand.ts': 'the tasks extension',
  'runtime/client/ext.ts': EXT_TYPES,
  'runtime/client/input-requests.ts': EXT_TYPES,
  'runtime/client/states.ts': BOTH,
  'runtime/peer/exchange.ts': CORE_TYPES,
  'runtime/peer/wire/ext-task.ts': EXT_TYPES,
  'runtime/peer/wire/messages.ts': EXT_TYPES,
  'runtime/server/dialects/core.ts': CORE_TYPES,
  'runtime/server/endpoint.ts': BOTH,
  'runtime/server/dialects/ext.ts': BOTH,
  'runtime/server/features/resources.ts': CORE_TYPES,
  'runtime/server/features/tools.ts': CORE_TYPES,
  'templates/client/src/client.ts': BOTH,
  'templates/client/src/main.minimal.ts': BOTH,
  'scripts/demo.ts': FIXED,
  'scripts/docs/figures.ts': FIXED,
};

/** All hand-written code but the tests, which state what each revision says. */
const files = [
  ...readdirSync(root),
  ...[
    'bench',
    'cli',
    'contracts',
    'examples',
    'generator',
    'pages',
    'runtime',
    'scripts',
    'templates',
  ].flatMap((tree) =>
    readdirSync(root + tree, { recursive: true, encoding: 'utf8' }).map(
      (path) => `${tree}/${path.replaceAll('\\', '/')}`,
    ),
  ),
].filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !/\/(?:node_modules|dist)\//.test(path));
const written = new Set(writtenFor(readTable(root)).map(([path]) => path));

/** The names of revisions in the texts of a file. Comments may say of which revision a fact is. */
function namesIn(path: string): string[] {
  const text = readFileSync(root + path, 'utf8');
  if (!names.some((name) => text.includes(name))) return [];
  const found: string[] = [];
  function visit(node: ts.Node): void {
    if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node)) {
      // A date with a time, such as `2026-07-28T12:00:00Z`, is none.
      found.push(...names.filter((name) => new RegExp(`${name}(?!T\\d)`).test(node.text)));
    }
    ts.forEachChild(node, visit);
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

const naming = files.filter((path) => !written.has(path) && namesIn(path).length > 0);

it('stand in schema/revisions.json and in the files of one dialect only', () => {
  expect(naming.filter((path) => !(path in ALLOWED))).toEqual([]);
});

it('stand in each file that may name them', () => {
  expect(Object.keys(ALLOWED).filter((path) => !naming.includes(path))).toEqual([]);
});

it('are those of the modules that follow from them (to fix: npm run revisions)', async () => {
  expect(await staleModules(root)).toEqual([]);
});

it('have a source', () => {
  const text = readFileSync(`${root}schema/SOURCES.json`, 'utf8');
  const sources = JSON.parse(text) as Record<string, { readonly extends?: string }>;
  expect(Object.keys(sources).sort()).toEqual([...names].sort());
  for (const name of names) {
    expect(sources[name]?.extends, name).toBe(table.revisions[name]?.extends);
  }
});
