import type { Template } from './template.js';

/** `new client`: a command line for any server's tools and tasks. */
export const CLIENT: Template = {
  name: 'client',
  folder: 'templates/client',
  placeholder: 'my-mcp-client',
  facade: 'src/mcp/index.ts',
  protocols: ['2025-11-25', '2026-07-28', 'ext-tasks'],
  options: [
    {
      name: 'pm',
      describe: 'Package manager',
      choices: ['npm', 'pnpm', 'yarn', 'bun'].map((value) => ({ value, describe: '' })),
      many: false,
      default: ['npm'],
      always: [],
    },
  ],
  exclusions: [],
  files: {},
  omitted: [],
  renamed: { gitignore: '.gitignore' },
  packages: {},
  scripts: {},
  environment: {},
  start: 'node dist/main.js',
};
