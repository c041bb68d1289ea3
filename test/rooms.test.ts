import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { circlesIn, localImports } from './support/imports.js';
import { bypasses, unusedPermissions, violations } from './support/room-rules.js';
import { ROOMS, roomOf } from './support/rooms.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const PERMISSIONS = 'The permissions of rooms are in test/support/rooms.ts';
const TREES = [
  'cli',
  'contracts',
  'create',
  'examples',
  'generator',
  'generated',
  'json-schema',
  'pages',
  'runtime',
  'templates',
];

function filesBelow(folder: string): string[] {
  if (!existsSync(root + folder)) return [];
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.[cm]?tsx?$|^create\/bin\.js$/.test(path))
    .filter((path) => !/\/(?:node_modules|dist)\//.test(path));
}

const files = TREES.flatMap(filesBelow);
const texts = new Map(
  [...files, ...['bench', 'scripts', 'test'].flatMap(filesBelow)].map((file) => [
    file,
    readFileSync(root + file, 'utf8'),
  ]),
);

describe('the rooms', () => {
  it.each(TREES.filter((tree) => filesBelow(tree).length > 0))(
    'of %s import only what they may',
    (tree) => {
      const found = filesBelow(tree).flatMap((file) =>
        violations(file, readFileSync(root + file, 'utf8')),
      );
      expect(found, PERMISSIONS).toEqual([]);
    },
  );

  it.each(
    ROOMS.map(({ folder }) => folder)
      .filter((folder) => !['generator', 'generated', 'runtime'].includes(folder))
      .filter((folder) => files.some((file) => roomOf(file)?.folder === folder)),
  )('%s says in a README what it is', (folder) => {
    expect(existsSync(`${root}${folder}/README.md`)).toBe(true);
  });
});

/** Which trees a tree may import, beside itself: down the arrows that CONTRIBUTING.md draws. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  'json-schema': [],
  generated: [],
  generator: ['json-schema'],
  runtime: ['json-schema', 'generated'],
  contracts: ['json-schema', 'generated', 'generator', 'runtime'],
  pages: ['json-schema', 'generator', 'runtime', 'contracts'],
  cli: ['json-schema', 'generated', 'generator', 'runtime', 'contracts', 'pages'],
};

describe('imports', () => {
  it.each(Object.entries(BELOW))('of %s go down the arrows', (tree, below) => {
    const found = filesBelow(tree).flatMap((file) =>
      localImports(file, texts.get(file) ?? '', texts)
        // The toolkit of pages imports nothing of ours, and serves the board, too.
        .filter((path) => !(tree === 'runtime' && path.startsWith('pages/toolkit/')))
        .map((path) => path.split('/')[0] ?? '')
        .filter((other) => other !== tree && TREES.includes(other) && !below.includes(other))
        .map((other) => `${file} imports ${other}`),
    );
    expect(found).toEqual([]);
  });

  it('have no cycles', () => {
    expect(circlesIn(texts)).toEqual([]);
  });

  it('enter other rooms by their index.ts', () => {
    const found = files.flatMap((file) => bypasses(file, texts.get(file) ?? ''));
    expect(found, `${PERMISSIONS}; "entries" are files beside index.ts`).toEqual([]);
  });

  it.each(ROOMS.map((room) => [room.folder, room] as const))(
    'of %s use every permission of the room',
    (_, room) => {
      expect(unusedPermissions(room, texts), PERMISSIONS).toEqual([]);
    },
  );

  it('with a cycle are detected', () => {
    const found = circlesIn(
      new Map([
        ['a/x.ts', "import type { Y } from './y.js';"],
        ['a/y.ts', "export * from '../b/z.js';"],
        ['b/z.ts', "const x = () => import('../a/x.js');"],
        ['b/own.ts', "import './own.js';"],
        ['b/none.ts', "import './z.js';"],
      ]),
    );
    expect(found).toEqual([['a/x.ts', 'a/y.ts', 'b/z.ts'], ['b/own.ts']]);
  });
});

/** Files and folders that a README names: `x.ts`, `emit/zod/` or `test/x.test.ts`, in backticks. */
function pathsIn(readme: string): string[] {
  return [...readme.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*(?:\/|\.(?:ts|js|json|md)))`/g)].map(
    ([, path = '']) => path,
  );
}

/** Files in users' projects. */
const ELSEWHERE = [
  ...['types.ts', 'zod.ts', 'validators.ts', 'protocol.ts', 'index.ts', 'manifest.json'],
  ...['mcp-codegen.json', 'package.json', 'schema.json', 'vendor/'],
];

describe('READMEs of rooms', () => {
  const readmes = TREES.concat('bench', 'test', 'schema', 'scripts').flatMap((tree) =>
    readdirSync(root + tree, { recursive: true, encoding: 'utf8' })
      .map((path) => `${tree}/${path}`)
      .filter((path) => /(?:^|\/)README\.md$/.test(path))
      .filter((path) => !/\/(?:node_modules|dist)\//.test(path)),
  );

  it.each(
    readmes.filter((path) => !path.startsWith('templates/') || path === 'templates/README.md'),
  )('%s names only files that are there', (readme) => {
    const folder = root + readme.slice(0, -'README.md'.length);
    const below = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const missing = pathsIn(readFileSync(root + readme, 'utf8')).filter(
      (path) =>
        !ELSEWHERE.includes(path) &&
        ![folder, root, `${root}generator/`].some((base) => existsSync(base + path)) &&
        !below.some((file) => `/${file}`.endsWith(`/${path}`) || `${file}/`.endsWith(`/${path}`)),
    );
    expect(missing).toEqual([]);
  });
});

/** The lines of a text that are comments, or end with one. */
const commentsIn = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) => /^\s*(?:\/?\*\*?|\/\/)(.*)$|\s\/\/\s(.*)$/.exec(line)?.[0] ?? []);

describe('comments', () => {
  it('name only files that are there', () => {
    const all = ['bench', 'scripts', 'test'].flatMap(filesBelow).concat(files);
    const examples = ['src/tools/look-up.ts', 'x.ts'];
    const found = files
      // Files of users, beside which these lie.
      .filter(
        (file) => !file.startsWith('generator/emit/support/') && !file.startsWith('generated/'),
      )
      .flatMap((file) =>
        commentsIn(texts.get(file) ?? '').flatMap((comment) =>
          [...comment.matchAll(/[\w@-][\w@.-]*(?:\/[\w@.-]+)*\.tsx?\b/g)]
            .map(([path]) => path)
            .filter((path) => !examples.includes(path))
            .filter((path) => !all.some((each) => `/${each}`.endsWith(`/${path}`)))
            .map((path) => `${file}: ${path}`),
        ),
      );
    expect(found).toEqual([]);
  });
});

describe('the rules', () => {
  it.each([
    ['generator/ir/x.ts', "import { quote } from '../diagnostics/index.js';"],
    ['generator/emit/x.ts', "import type { Source } from '../load/index.js';"],
    ['generator/emit/zod/x.ts', "const load = () => import('../../load/index.js');"],
    ['generator/emit/x.ts', "import { readFileSync } from 'node:fs';"],
    ['generator/diff/x.ts', "export * from '../write/index.js';"],
    ['cli/main.ts', 'process.exit(1);'],
    ['generator/read/load/x.ts', 'const folder = process.cwd();'],
    ['generator/read/load/x.ts', "import { x } from '../../generated/2025-11-25/types.js';"],
    ['generator/plan/generate.ts', "import { x } from '../runtime/tasks/index.js';"],
    ['generated/2025-11-25/x.ts', "import Ajv from 'ajv';"],
    ['runtime/tasks/x.ts', "import { Server } from '@modelcontextprotocol/server';"],
    ['runtime/tasks/x.ts', "import { memoryStore } from '../stores/memory/index.js';"],
    ['runtime/server/x.ts', "import { generate } from '../../generator/index.js';"],
    ['runtime/server/x.ts', "import { Server } from '@modelcontextprotocol/server';"],
    ['runtime/server/x.ts', "import { type Server } from '@modelcontextprotocol/server';"],
    ['runtime/server/x.ts', "import type { Server } from '@modelcontextprotocol/server';"],
    [
      'runtime/server/sdk-guest/x.ts',
      "import type { McpServer } from '@modelcontextprotocol/server';",
    ],
    ['runtime/peer/x.ts', "import { Session } from '../server/index.js';"],
    ['runtime/peer/x.ts', "import type { Reply } from '../transport/index.js';"],
    ['runtime/transport/x.ts', "import { createServer } from 'node:http';"],
    ['runtime/tasks/x.ts', "import { randomUUID } from 'node:crypto';"],
    ['elsewhere/x.ts', ''],
  ])('forbid in %s: %s', (file, text) => {
    expect(violations(file, text)).toHaveLength(1);
  });

  it('are named with the room and what it imports', () => {
    const importing = "import { connect } from 'node:net';";
    expect(violations('runtime/stores/json/x.ts', importing)).toEqual([
      'runtime/stores/json/x.ts imports node:net, which runtime/stores may not',
    ]);
    const past = "import { lock } from '../stores/sqlite/lock.js';";
    expect(bypasses('runtime/server/x.ts', past)).toEqual([
      'runtime/server/x.ts imports ../stores/sqlite/lock.js past the index.ts of runtime/stores',
    ]);
  });

  it.each([
    ['generator/emit/zod/x.ts', "import type { Node } from '../../ir/index.js';"],
    ['generator/write/x.ts', "import { readFileSync } from 'node:fs';"],
    ['cli/bin.ts', 'process.exitCode = 0;'],
    ['generator/emit/x.ts', "// process.exit\nconst text = 'process.exit'; task.process();"],
    ['runtime/transport/x.ts', "import type { Server } from 'node:http';"],
    ['runtime/server/x.ts', "import type { Tool } from '../../generated/2025-11-25/types.js';"],
    ['generated/2025-11-25/zod.ts', "import * as z from 'zod';"],
  ])('allow in %s: %s', (file, text) => {
    expect(violations(file, text)).toEqual([]);
  });
});
