import { dirname, join, normalize } from 'node:path/posix';
import ts from 'typescript';

/** What a room may import, beside itself. */
export interface Room {
  /** From the repository's root. */
  readonly folder: string;
  /** Folders whose files it may import; `generator` stands for what lies in no room of it. */
  readonly rooms: readonly string[];
  /** Packages, by name. */
  readonly packages: readonly string[];
  /** Modules of Node.js; the disk is `node:fs`. */
  readonly node: readonly string[];
  /** Files that may use the global `process`. */
  readonly process?: readonly string[];
}

const PURE = { rooms: [], packages: [], node: [] } as const;
const SDK = '@modelcontextprotocol/';

/** Who may import whom. The most specific folder that a file lies in decides. */
export const ROOMS: readonly Room[] = [
  { ...PURE, folder: 'generator/ir' },
  { ...PURE, folder: 'generator/diagnostics' },
  {
    ...PURE,
    folder: 'generator/errata',
    rooms: ['generator/ir', 'generator/diagnostics'],
    node: ['node:util'],
  },
  {
    folder: 'generator/load',
    rooms: ['generator/errata', 'generator/ir', 'generator/diagnostics'],
    packages: [],
    node: ['node:crypto', 'node:fs', 'node:path', 'node:url'],
  },
  { ...PURE, folder: 'generator/format', packages: ['prettier'] },
  {
    ...PURE,
    folder: 'generator/emit',
    rooms: ['generator/ir', 'generator/diagnostics', 'generator/format'],
    packages: ['json-schema-to-typescript', 'ts-morph'],
  },
  { ...PURE, folder: 'generator/write', node: ['node:crypto', 'node:fs', 'node:path'] },
  { ...PURE, folder: 'generator/diff', rooms: ['generator/ir', 'generator/diagnostics'] },
  {
    ...PURE,
    folder: 'generator/config',
    rooms: ['generator', 'generator/diagnostics', 'generator/emit', 'generator/load'],
  },
  {
    ...PURE,
    folder: 'generator/scaffold',
    rooms: ['generator/diagnostics', 'generator/emit', 'generator/format', 'generator/ir'],
    packages: ['ts-morph'],
    // Paths of modules, relative to one another.
    node: ['node:path'],
  },
  {
    ...PURE,
    folder: 'generator/tools',
    rooms: ['generator/diagnostics', 'generator/emit', 'generator/format', 'generator/ir'],
  },
  {
    folder: 'generator/connect',
    rooms: ['generator/diagnostics', 'generator/ir'],
    packages: ['@modelcontextprotocol/client', 'zod'],
    node: ['node:stream'],
  },
  { ...PURE, folder: 'generator/validate', rooms: ['generator/diagnostics'] },
  {
    folder: 'generator/cli',
    rooms: [
      // For `validate` alone, which checks messages against what was generated.
      'generated',
      'generator',
      'generator/config',
      'generator/connect',
      'generator/diagnostics',
      'generator/diff',
      'generator/emit',
      'generator/errata',
      'generator/ir',
      'generator/load',
      'generator/scaffold',
      'generator/tools',
      'generator/validate',
      'generator/write',
    ],
    packages: ['@clack/prompts', 'yargs'],
    // The disk to stream what is validated: other rooms read files as a whole, up to a limit.
    node: [
      'node:child_process',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:path',
      'node:stream',
      'node:tty',
    ],
    process: ['generator/cli/bin.ts'],
  },
  {
    ...PURE,
    folder: 'generator',
    rooms: [
      'generator/diagnostics',
      'generator/diff',
      'generator/emit',
      'generator/ir',
      'generator/load',
      'generator/scaffold',
      'generator/write',
    ],
  },
  { ...PURE, folder: 'generated', packages: ['zod'] },
  {
    ...PURE,
    folder: 'runtime/tasks',
    packages: ['@opentelemetry/api'],
    node: ['node:crypto', 'node:module'],
  },
  {
    folder: 'runtime/stores',
    rooms: ['runtime/tasks'],
    packages: ['libsql', 'pg'],
    // The SQLite store watches the files of its database, and creates them privately.
    node: [
      'node:assert',
      'node:buffer',
      'node:crypto',
      'node:fs',
      'node:module',
      'node:path',
      'node:sqlite',
    ],
    // To ask for a built-in module that not every supported Node.js has.
    process: ['runtime/stores/sqlite/driver.ts'],
  },
  {
    ...PURE,
    folder: 'runtime/executors',
    rooms: ['runtime/tasks'],
    packages: ['@dbos-inc/dbos-sdk'],
    node: ['node:crypto', 'node:fs', 'node:module', 'node:os', 'node:url', 'node:worker_threads'],
  },
  { ...PURE, folder: 'runtime/wire', rooms: ['runtime/tasks', 'generated'] },
  {
    folder: 'runtime',
    rooms: ['runtime/tasks', 'runtime/stores', 'runtime/executors', 'runtime/wire', 'generated'],
    packages: [SDK, 'zod'],
    // A thread for schemas of strangers, and the package that it loads; files for the audit's lines.
    node: [
      'node:crypto',
      'node:fs',
      'node:http',
      'node:module',
      'node:net',
      'node:stream',
      'node:worker_threads',
    ],
    // Standard input and output are a transport.
    process: ['runtime/server/'],
  },
  {
    folder: 'templates',
    rooms: [],
    packages: [
      '@mcp-codegen/',
      SDK,
      '@clack/prompts',
      'zod',
      '@eslint/js',
      'eslint',
      'typescript-eslint',
      'vitest',
    ],
    node: ['node:'],
    process: ['templates/'],
  },
];

/** The room that a file lies in. */
export function roomOf(file: string): Room | undefined {
  return ROOMS.filter(({ folder }) => file.startsWith(`${folder}/`)).sort(
    (a, b) => b.folder.length - a.folder.length,
  )[0];
}

/** What a file does that its room may not. */
export function violations(file: string, text: string): string[] {
  const room = roomOf(file);
  if (!room) return [`${file} lies in no room`];
  const forbidden = importsOf(text)
    .filter((specifier) => !mayImport(room, file, specifier))
    .map((specifier) => `${file} imports ${specifier}`);
  const mayUseProcess = room.process?.some((allowed) => file.startsWith(allowed)) ?? false;
  return mayUseProcess || !usesProcess(file, text)
    ? forbidden
    : [...forbidden, `${file} uses process`];
}

function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

function mayImport(room: Room, file: string, specifier: string): boolean {
  if (specifier.startsWith('.')) {
    const target = roomOf(normalize(join(dirname(file), specifier)));
    return target !== undefined && (target === room || room.rooms.includes(target.folder));
  }
  const allowed = specifier.startsWith('node:') ? room.node : room.packages;
  return allowed.some(
    (name) =>
      specifier === name ||
      specifier.startsWith(`${name}/`) ||
      (/[/:]$/.test(name) && specifier.startsWith(name)),
  );
}

/** Whether code reads the global, as opposed to a property, a comment or a text of that name. */
function usesProcess(file: string, text: string): boolean {
  if (!text.includes('process')) return false;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  let found = false;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === 'process' && !isMemberName(node)) found = true;
    if (!found) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isPropertySignature(parent)
  );
}
