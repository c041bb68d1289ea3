/** The permissions of a room. */
export interface Room {
  /** From the repository's root. */
  readonly folder: string;
  /** Rooms that it may import. */
  readonly rooms: readonly string[];
  /** Packages, by name. */
  readonly packages: readonly string[];
  /** Packages of which it may import only types. */
  readonly types?: readonly string[];
  /** Modules of Node.js; the disk is `node:fs`. */
  readonly node: readonly string[];
  /** Files that may use the global `process`. */
  readonly process?: readonly string[];
  /** Files beside its `index.ts` that other rooms may import; with a slash at the end, all of a folder. */
  readonly entries?: readonly string[];
  /** Whether other rooms may import all its files, because it has no `index.ts`. */
  readonly open?: boolean;
}

const PURE = { rooms: [], packages: [], node: [] } as const;
const SDK = '@modelcontextprotocol/';

/** The rooms with their permissions. A file belongs to the most specific folder. */
export const ROOMS: readonly Room[] = [
  // Under all others. What is portable is copied unchanged into the user's folder, too.
  {
    ...PURE,
    folder: 'json-schema',
    // Not every program that reads schemas compares or draws, and some need a text or a pointer alone.
    entries: [
      ...[
        'compare/index.ts',
        'compare/joined.ts',
        'portable/',
        'public.ts',
        'sample/index.ts',
        'witness/index.ts',
      ],
      ...['draft.ts', 'json.ts', 'model.ts', 'nearest.ts', 'pointer.ts', 'text.ts'],
    ].map((name) => `json-schema/${name}`),
  },
  { ...PURE, folder: 'generator/ir', rooms: ['json-schema'] },
  {
    ...PURE,
    folder: 'generator/diagnostics',
    rooms: ['json-schema'],
    // Few commands need lines of JSON, or tables.
    entries: ['generator/diagnostics/lines.ts', 'generator/diagnostics/table.ts'],
  },
  {
    ...PURE,
    folder: 'generator/read',
    // What each command needs at its start, without the reader.
    entries: ['limits', 'location', 'pointer', 'source', 'tree', 'version'].map(
      (name) => `generator/read/load/${name}.ts`,
    ),
    node: ['node:crypto', 'node:fs', 'node:module', 'node:path', 'node:url', 'node:zlib'],
    packages: ['yaml'],
    rooms: ['generator/ir', 'generator/diagnostics', 'json-schema'],
  },
  {
    ...PURE,
    folder: 'generator/emit',
    rooms: ['generator/emit/support', 'generator/ir', 'json-schema'],
    packages: ['json-schema-to-typescript', 'prettier'],
    // Hides VERBOSE from json-schema-to-typescript.
    process: ['generator/emit/types/emit-types.ts'],
    entries: [
      'generator/emit/comment.ts',
      'generator/emit/format/',
      'generator/emit/types/emit-types.ts',
      'generator/emit/validators/identifiers.ts',
      'generator/emit/validators/index.ts',
    ],
  },
  // Copied unchanged into the user's folder. Only `zod.ts` imports a package.
  {
    ...PURE,
    folder: 'generator/emit/support',
    packages: ['zod'],
    entries: [
      'generator/emit/support/characters.ts',
      'generator/emit/support/schema-hash.ts',
      'generator/emit/support/wire.ts',
    ],
  },
  {
    ...PURE,
    folder: 'pages',
    rooms: [
      'generator/diff',
      'generator/emit',
      'generator/ir',
      'pages/toolkit',
      'pages/findings',
      'contracts/validate',
      'runtime',
      'json-schema',
    ],
    packages: ['preact'],
  },
  // Runs in a browser, with all that it imports: its build fails when a module of Node is left.
  {
    ...PURE,
    folder: 'pages/playground',
    rooms: [
      'contracts/protocols',
      'generator/diagnostics',
      'generator/emit',
      'generator/ir',
      'generator/protocol',
      'pages',
      'pages/toolkit',
      'generator/read',
      'pages/findings',
      'contracts/validate',
      'json-schema',
    ],
    packages: ['yaml'],
    // For the view.
    entries: ['questions', 'serve'].map((name) => `pages/playground/${name}.ts`),
  },
  // The view: components that ask the engine and show its answers.
  {
    ...PURE,
    folder: 'pages/playground/page',
    rooms: ['generator/ir', 'pages/playground', 'json-schema'],
    packages: ['preact'],
  },
  // What all pages share, when they are written and in the browser.
  {
    ...PURE,
    folder: 'pages/toolkit',
    packages: ['preact', 'preact-render-to-string'],
    node: ['node:crypto'],
    // For scripts of pages and for rooms that write no page.
    entries: ['focus', 'keys', 'search', 'text', 'words'].map((name) => `pages/toolkit/${name}.ts`),
  },
  {
    ...PURE,
    folder: 'pages/findings',
    rooms: [
      'pages/toolkit',
      'contracts/validate',
      'generator/diagnostics',
      'runtime',
      'json-schema',
    ],
    entries: ['pages/findings/severity.ts', 'pages/findings/summary.ts'],
  },
  {
    ...PURE,
    folder: 'pages/doctor',
    rooms: ['contracts/doctor', 'pages/toolkit'],
  },
  {
    ...PURE,
    folder: 'contracts/recording',
    rooms: [
      // Checks values, and makes values of a schema.
      'contracts/lock',
      'generator/diagnostics',
      'contracts/validate',
      'runtime/client',
      'runtime/client/node/process',
      // The codes of errors.
      'runtime',
      'runtime/peer',
      'runtime/transport',
      'runtime/transport/reading',
      'json-schema',
    ],
    node: ['node:fs', 'node:events', 'node:http', 'node:https'],
    types: ['node:child_process', 'node:net', 'node:stream'],
  },
  { ...PURE, folder: 'generator/write', node: ['node:crypto', 'node:fs', 'node:path'] },
  {
    ...PURE,
    folder: 'generator/diff',
    rooms: ['generator/ir', 'generator/diagnostics', 'json-schema'],
  },
  {
    ...PURE,
    folder: 'cli/config',
    rooms: [
      'generator/plan',
      'generator/diagnostics',
      'generator/emit',
      'generator/read',
      'json-schema',
    ],
  },
  {
    ...PURE,
    folder: 'generator/scaffold',
    rooms: ['generator/emit', 'generator/ir', 'json-schema'],
    packages: ['ts-morph'],
  },
  {
    ...PURE,
    folder: 'generator/tools',
    rooms: [
      'generator/diagnostics',
      'generator/emit',
      'generator/emit/support',
      'generator/ir',
      'json-schema',
    ],
  },
  {
    ...PURE,
    folder: 'contracts/lock',
    rooms: ['generator/diagnostics', 'generator/diff', 'json-schema'],
  },
  {
    ...PURE,
    folder: 'contracts/lint',
    rooms: ['generator/diagnostics', 'generator/tools', 'json-schema'],
    // Fingerprints for code scanning.
    node: ['node:crypto'],
  },
  {
    ...PURE,
    folder: 'contracts/doctor',
    rooms: [
      'contracts/lint',
      'contracts/lock',
      'contracts/recording',
      'contracts/validate',
      'generator/diagnostics',
      'runtime',
      'runtime/client',
      'runtime/transport/reading',
      'json-schema',
    ],
    // Requests with the headers of other sites.
    node: ['node:http', 'node:https'],
    types: ['node:http'],
  },
  {
    ...PURE,
    folder: 'cli/client/connect',
    rooms: [
      'generator/diagnostics',
      'runtime/client',
      'runtime/client/node/process',
      'runtime',
      'json-schema',
    ],
    packages: ['zod'],
  },
  {
    ...PURE,
    folder: 'contracts/validate',
    rooms: [
      'generator/diagnostics',
      'generator/emit/support',
      'generator/ir',
      'runtime',
      'runtime/transport/reading',
      'json-schema',
    ],
    // To unpack recordings, and to show which secrets are equal.
    node: ['node:crypto', 'node:stream', 'node:zlib'],
    // Names alone, for those who show the address of a server.
    entries: ['contracts/validate/secrets/names.ts'],
  },
  {
    ...PURE,
    folder: 'contracts/recording/guard',
    rooms: [
      'contracts/lock',
      'contracts/recording',
      'generator/ir',
      'contracts/validate',
      // What a server refuses, so that its answers are the same.
      'runtime',
      'runtime/transport',
      'json-schema',
    ],
    node: ['node:util'],
  },
  // Calls servers. It is bundled into the command line, and so are the rooms of the runtime that it imports.
  {
    folder: 'cli/client',
    rooms: [
      'generated',
      'cli/client/connect',
      'generator/diagnostics',
      // The type of what `lock` reads.
      'contracts/lock',
      'contracts/recording',
      'contracts/validate',
      'runtime/client',
      'runtime/client/node',
      'runtime',
      'json-schema',
    ],
    packages: ['@clack/prompts', 'strip-json-comments'],
    node: ['child_process', 'crypto', 'fs', 'os', 'path', 'stream', 'url'].map(
      (name) => `node:${name}`,
    ),
  },
  // Plays recordings as a server. It is bundled, as `cli/client` is.
  {
    ...PURE,
    folder: 'contracts/mock',
    rooms: [
      'contracts/lock',
      'generator/diagnostics',
      'contracts/validate',
      'runtime/peer',
      'runtime',
      'runtime/server',
      'runtime/tasks',
      'json-schema',
    ],
    node: ['node:fs', 'node:module', 'node:path', 'node:stream', 'node:timers/promises'],
    // The path of Node.js, for the command line of a mock.
    process: ['contracts/mock/mock.ts'],
    // For `contracts/index.ts`, which is published.
    entries: ['contracts/mock/mock.ts', 'contracts/mock/types.ts'],
  },
  // Runs a server of a project as several processes. It is bundled into the command line, as `cli/client` is.
  {
    ...PURE,
    folder: 'cli/client/cluster',
    rooms: ['cli/client', 'cli/client/connect', 'runtime/client', 'runtime/testing', 'json-schema'],
    node: ['child_process', 'events', 'fs', 'http', 'net', 'path', 'readline', 'stream', 'url'].map(
      (name) => `node:${name}`,
    ),
    // To start Node.js again, and to end with its nodes.
    process: [
      'cli/client/cluster/database-process.ts',
      'cli/client/cluster/processes.ts',
      'cli/client/cluster/project.ts',
    ],
  },
  {
    folder: 'cli',
    rooms: [
      'generator/plan',
      'generator/protocol',
      'contracts/protocols',
      'cli/client',
      'cli/client/cluster',
      'cli/config',
      'cli/client/connect',
      'generator/diagnostics',
      'generator/diff',
      'generator/emit',
      'contracts/recording/guard',
      'generator/ir',
      'contracts/doctor',
      'contracts/lint',
      'generator/read',
      'contracts/lock',
      'contracts/mock',
      'pages',
      'contracts/recording',
      'pages/doctor',
      'pages/findings',
      'generator/scaffold',
      'contracts/validate',
      'generator/tools',
      'generator/write',
      'runtime/client/node',
      'runtime',
      'json-schema',
    ],
    packages: ['@clack/prompts', 'yargs'],
    // The disk, to stream validated files. Other rooms read files as a whole, up to a limit.
    node: [
      'node:child_process',
      'node:crypto',
      'node:events',
      'node:fs',
      // To load a module of tools, for `lint` only.
      'node:module',
      'node:os',
      'node:path',
      'node:stream',
      'node:tty',
      'node:url',
      // The text of a warning that a package prints.
      'node:util',
      'node:v8',
    ],
    process: ['cli/bin.ts'],
  },
  {
    ...PURE,
    folder: 'generator',
    open: true,
    rooms: [
      'generator/diagnostics',
      'generator/diff',
      'generator/emit',
      'generator/ir',
      'generator/plan',
      'generator/protocol',
      'generator/read',
      'generator/write',
    ],
  },
  {
    ...PURE,
    folder: 'generator/protocol',
    rooms: ['generator/diagnostics', 'generator/ir', 'generator/read', 'json-schema'],
    open: true,
  },
  {
    ...PURE,
    folder: 'generator/plan',
    rooms: [
      'generator/diagnostics',
      'generator/emit',
      'generator/protocol',
      'generator/read',
      'generator/scaffold',
      'generator/tools',
      'generator/write',
      'json-schema',
    ],
    open: true,
  },
  // What is published of the contracts, which is bundled.
  {
    ...PURE,
    folder: 'contracts',
    rooms: [
      'contracts/lock',
      'contracts/mock',
      'contracts/protocols',
      'contracts/recording',
      'contracts/recording/guard',
    ],
  },
  {
    ...PURE,
    folder: 'contracts/protocols',
    rooms: ['contracts/validate', 'generated', 'generator/ir', 'json-schema'],
    open: true,
  },
  { ...PURE, folder: 'generated', packages: ['zod'], open: true },
  // The names and the rules of the protocol, and what loads optional packages. Every room of the runtime may import them.
  { ...PURE, folder: 'runtime', open: true },
  {
    ...PURE,
    folder: 'runtime/telemetry',
    rooms: ['runtime'],
    // To load an optional package at once, where there is Node.
    process: ['runtime/telemetry/operations.ts'],
  },
  {
    ...PURE,
    folder: 'runtime/tasks',
    rooms: ['runtime', 'runtime/telemetry'],
    packages: ['@noble/hashes'],
  },
  {
    folder: 'runtime/stores',
    rooms: ['runtime/tasks'],
    packages: [],
    // The SQLite store watches the files of its database, creates them privately, and flushes a backup as the system can.
    node: ['node:buffer', 'node:crypto', 'node:fs', 'node:module', 'node:os', 'node:path'],
    // To load a built-in module that some supported Node.js versions lack.
    process: ['runtime/stores/sqlite/driver.ts'],
  },
  {
    folder: 'runtime/testing/testkit',
    rooms: ['runtime', 'runtime/stores', 'runtime/tasks'],
    packages: [],
    // It damages files, and kills processes that have a store open.
    node: ['assert', 'child_process', 'events', 'fs', 'url', 'util'].map((name) => `node:${name}`),
    process: ['runtime/testing/testkit/store-process.ts'],
  },
  {
    folder: 'runtime/stores/postgres',
    rooms: ['runtime', 'runtime/tasks'],
    packages: ['pg'],
    node: ['node:buffer', 'node:crypto', 'node:tls'],
    // Declarations that need no package, which those of `index.ts` do.
    entries: ['runtime/stores/postgres/options.ts'],
  },
  {
    ...PURE,
    folder: 'runtime/admin',
    rooms: ['runtime/tasks'],
    node: ['node:util'],
    entries: ['runtime/admin/print.ts'],
  },
  {
    ...PURE,
    folder: 'runtime/admin/board',
    rooms: [
      'runtime/admin',
      'runtime/server',
      'runtime/tasks',
      'runtime/transport',
      'runtime/transport/reading',
    ],
    node: ['node:crypto', 'node:fs', 'node:http', 'node:util'],
    process: ['runtime/admin/board/command.ts'],
    // The types of what its page reads.
    entries: ['runtime/admin/board/api.ts'],
  },
  {
    ...PURE,
    folder: 'runtime/program/bundle',
    rooms: ['runtime'],
    // The build puts it into the module.
    packages: ['@jridgewell/sourcemap-codec'],
    types: ['esbuild'],
    node: ['node:fs', 'node:fs/promises', 'node:module', 'node:path'],
  },
  // Runs in the browser. The build bundles it with the toolkit, so the package imports neither of them.
  {
    ...PURE,
    folder: 'runtime/admin/board/page',
    rooms: ['pages/toolkit', 'runtime/admin/board'],
    packages: ['preact'],
  },
  {
    ...PURE,
    folder: 'runtime/executors',
    rooms: ['runtime/tasks'],
    node: ['node:fs', 'node:module', 'node:os', 'node:url', 'node:worker_threads'],
  },
  {
    folder: 'runtime/executors/dbos',
    rooms: ['runtime', 'runtime/stores/postgres', 'runtime/tasks', 'runtime/executors'],
    packages: ['@dbos-inc/dbos-sdk', 'pg'],
    node: ['node:async_hooks', 'node:crypto', 'node:tls'],
  },
  // One end of a conversation, of which it sees messages only.
  {
    ...PURE,
    folder: 'runtime/peer',
    rooms: [
      'generated',
      'runtime',
      'runtime/tasks',
      'runtime/telemetry',
      'runtime/transport/reading',
    ],
    // What reads and writes messages, for servers and clients.
    entries: ['runtime/peer/wire/'],
  },
  // Runs where Node is not: its adapter for Node gets Node's objects, and imports their types.
  {
    ...PURE,
    folder: 'runtime/transport',
    rooms: [
      'runtime/transport/reading',
      'runtime/peer',
      'runtime',
      'runtime/tasks',
      'runtime/telemetry',
    ],
    types: ['node:http', 'node:net'],
    // What a server refuses by the headers and the envelope of a request.
    entries: ['classify', 'incoming', 'reply'].map((name) => `runtime/transport/http/${name}.ts`),
  },
  // Reads what comes from other programs, for all rooms.
  { ...PURE, folder: 'runtime/transport/reading', rooms: ['runtime'], open: true },
  // What authors define, before a server has it.
  {
    ...PURE,
    folder: 'runtime/schemas',
    // Loaded only by a server that wants such schemas.
    entries: ['runtime/schemas/portable.ts'],
    rooms: ['json-schema', 'runtime/tasks', 'runtime/peer', 'runtime/transport/reading'],
  },
  // A server as the main program of a process.
  {
    ...PURE,
    folder: 'runtime/program',
    // Loads the rooms of stores, executors, commands and tokens when a program uses them.
    rooms: [
      'runtime/admin',
      'runtime/server/auth',
      'runtime/server/auth/jwt',
      'runtime/admin/board',
      'runtime/executors/dbos',
      'runtime/server',
      'runtime',
      'runtime/stores',
      'runtime/stores/postgres',
      'runtime/tasks',
      'runtime/telemetry',
      'runtime/transport',
    ],
    packages: ['pino', 'zod'],
    node: [
      'node:fs',
      'node:http',
      'node:path',
      'node:timers/promises',
      'node:url',
      'node:util',
      'node:v8',
    ],
    // For signals, arguments, the environment, the exit, and which processes run.
    process: [
      'runtime/program/program.ts',
      'runtime/program/sqlite.ts',
      'runtime/program/run-server.ts',
    ],
  },
  // Servers in tests of their authors, in this process and in one of their own.
  {
    ...PURE,
    folder: 'runtime/testing',
    rooms: [
      'runtime/server/auth',
      'runtime/client',
      'runtime',
      'runtime/server',
      'runtime/tasks',
      'runtime/transport',
    ],
    types: ['pg'],
    node: [
      'child_process',
      'crypto',
      'events',
      'fs',
      'http',
      'module',
      'net',
      'os',
      'path',
      'stream',
      'url',
    ].map((name) => `node:${name}`),
    process: [
      'runtime/testing/postgres/index.ts',
      'runtime/testing/postgres/installed.ts',
      'runtime/testing/program.ts',
    ],
    // For the command `cluster`, which needs nothing else of it.
    entries: ['runtime/testing/issuer.ts', 'runtime/testing/postgres/installed.ts'],
  },
  // Who may come in over HTTP, and who it is.
  {
    ...PURE,
    folder: 'runtime/server/auth',
    rooms: [
      'runtime/peer',
      'runtime',
      'runtime/tasks',
      'runtime/transport',
      'runtime/transport/reading',
    ],
  },
  {
    ...PURE,
    folder: 'runtime/server',
    rooms: [
      'runtime/server/auth',
      'runtime/schemas',
      'runtime',
      'runtime/tasks',
      'runtime/stores',
      'runtime/executors',
      'runtime/telemetry',
      'runtime/peer',
      'runtime/transport',
      'runtime/server/sdk-guest',
      'generated',
    ],
    packages: [],
    // Arguments of prompts are Zod's.
    types: ['zod'],
    entries: [
      // They load nothing else of the server.
      'runtime/server/guest.ts',
      'runtime/server/hosts.ts',
      'runtime/server/listen.ts',
      'runtime/server/log/audit-lines.ts',
      'runtime/server/log/log.ts',
      'runtime/server/features/completions.ts',
      // For programs, which `index.ts` exports.
      'runtime/server/health.ts',
      'runtime/server/serve.ts',
      'runtime/server/server.ts',
      'runtime/server/stdio.ts',
    ],
    node: ['node:http', 'node:net', 'node:fs'],
    // For the standard streams.
    process: ['runtime/server/log/audit-lines.ts', 'runtime/server/stdio.ts'],
  },
  // Servers of the official SDK, by the interface that it documents: nothing of it is imported.
  {
    ...PURE,
    folder: 'runtime/server/sdk-guest',
    rooms: ['runtime/peer', 'runtime', 'runtime/server', 'runtime/tasks', 'runtime/telemetry'],
    // Servers load it without `withTasks`.
    entries: ['runtime/server/sdk-guest/guest.ts'],
  },
  {
    ...PURE,
    folder: 'runtime/server/auth/jwt',
    rooms: ['runtime', 'runtime/peer', 'runtime/server/auth', 'runtime/transport/reading'],
    packages: ['jose'],
  },
  {
    ...PURE,
    folder: 'runtime/client',
    rooms: [
      'runtime/transport/reading',
      'runtime/peer',
      'runtime',
      'runtime/tasks',
      'runtime/stores',
      'runtime/executors',
      'runtime/telemetry',
      'generated',
      'json-schema',
    ],
    entries: ['runtime/client/printable.ts', 'runtime/client/unknown-status.ts'],
  },
  // What clients on Node.js need beside calls: logins, and private files.
  {
    ...PURE,
    folder: 'runtime/client/node',
    rooms: [
      'runtime/client',
      'runtime/client/node/process',
      'runtime',
      'runtime/peer',
      'runtime/tasks',
      'runtime/transport/reading',
    ],
    packages: ['oauth4webapi'],
    node: [
      'node:crypto',
      'node:fs',
      'node:http',
      'node:https',
      'node:net',
      'node:os',
      'node:path',
      'node:readline',
      'node:stream',
      'node:timers/promises',
    ],
    // To ask the user on standard input and standard error; to say which process holds a lock, and whether it lives.
    process: ['runtime/client/node/ask.ts', 'runtime/client/node/file-lock.ts'],
    // For commands that change files of a project, and need no SDK.
    entries: ['runtime/client/node/file-lock.ts'],
  },
  // Starts servers; for `record`, too.
  {
    ...PURE,
    folder: 'runtime/client/node/process',
    rooms: ['runtime/client', 'runtime', 'runtime/tasks', 'runtime/transport/reading'],
    packages: ['cross-spawn'],
    node: ['child_process', 'events', 'fs', 'os', 'path', 'timers/promises'].map(
      (name) => `node:${name}`,
    ),
    // To signal process groups, which `ChildProcess` cannot do, and for the environment of servers.
    process: ['command', 'group'].map((name) => `runtime/client/node/process/${name}.ts`),
  },
  {
    folder: 'templates',
    rooms: [],
    packages: ['@mcp-codegen/', 'zod', 'vitest'],
    node: ['node:'],
    process: ['templates/'],
  },
  // It starts the tool, whatever that does.
  { ...PURE, folder: 'create', process: ['create/bin.js'] },
  {
    folder: 'examples',
    rooms: [],
    packages: ['@mcp-codegen/runtime', SDK, 'playwright-core', 'vite', 'vitest', 'zod'],
    node: ['node:'],
    process: ['examples/'],
  },
];

/** The room of a file. */
export function roomOf(file: string): Room | undefined {
  return ROOMS.filter(({ folder }) => file.startsWith(`${folder}/`)).sort(
    (a, b) => b.folder.length - a.folder.length,
  )[0];
}
