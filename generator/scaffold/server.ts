import type { Template } from './template.js';

/** `new server`: tools that may run as tasks, over one transport. */
export const SERVER: Template = {
  name: 'server',
  folder: 'templates/server',
  placeholder: 'my-mcp-server',
  options: [
    {
      name: 'transport',
      describe: 'How clients reach it',
      choices: [
        { value: 'stdio', describe: 'a local process, started by its client' },
        { value: 'http', describe: 'Streamable HTTP' },
      ],
      many: false,
      default: ['stdio'],
      always: [],
      askedWith: [],
    },
    {
      name: 'store',
      describe: 'Where tasks are kept',
      choices: [
        { value: 'memory', describe: 'until the process ends' },
        { value: 'sqlite', describe: 'in a file, across restarts' },
      ],
      many: false,
      default: ['memory'],
      always: [],
      askedWith: [],
    },
    {
      name: 'auth',
      describe: 'Who may use it over HTTP',
      choices: [
        { value: 'none', describe: 'anybody on this machine' },
        { value: 'bearer', describe: 'whoever has a token of your authorization server' },
      ],
      many: false,
      default: ['none'],
      always: [],
      askedWith: ['http'],
    },
    {
      name: 'dialects',
      describe: 'In which dialects calls become tasks',
      choices: [
        { value: 'core', describe: 'of revision 2025-11-25' },
        { value: 'ext', describe: 'the tasks extension of 2026-07-28' },
      ],
      many: true,
      default: ['core', 'ext'],
      always: [],
    },
    {
      name: 'revisions',
      describe: 'Revisions to speak',
      choices: [
        { value: '2024-11-05', describe: '' },
        { value: '2025-03-26', describe: '' },
        { value: '2025-06-18', describe: '' },
        { value: '2025-11-25', describe: 'always' },
        { value: '2026-07-28', describe: 'always' },
      ],
      many: true,
      default: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
      always: ['2025-11-25', '2026-07-28'],
    },
    {
      name: 'pm',
      describe: 'Package manager',
      choices: ['npm', 'pnpm', 'yarn', 'bun'].map((value) => ({ value, describe: '' })),
      many: false,
      default: ['npm'],
      always: [],
    },
  ],
  exclusions: [
    {
      features: ['stdio', 'bearer'],
      reason: 'A server over stdio belongs to whoever started it: there are no tokens.',
      help: 'Use --transport http with --auth bearer.',
    },
  ],
  files: {
    'src/auth.ts': ['bearer'],
    'src/backup.ts': ['sqlite'],
    'test/backup.test.ts': ['sqlite'],
    'config.json': ['bearer'],
    'test/auth.test.ts': ['bearer'],
    'test/authorization-server.ts': ['bearer'],
    'test/http.test.ts': ['http'],
  },
  omitted: ['src/feature.ts'],
  renamed: { gitignore: '.gitignore' },
  packages: {
    '@mcp-codegen/runtime': [],
    '@modelcontextprotocol/server': [],
    libsql: ['sqlite'],
    zod: [],
  },
  scripts: { 'tasks:backup': ['sqlite'] },
  environment: { 'AUTH_CLIENT_SECRET=change-me': ['bearer'] },
  // Not by way of a package manager, which would write to the client as well.
  start: 'node dist/main.js',
};
