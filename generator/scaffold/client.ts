import type { Template } from './template.js';

/** `new client`: a command line for any server's tools and tasks. */
export const CLIENT: Template = {
  name: 'client',
  folder: 'templates/client',
  placeholder: 'my-mcp-client',
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
  packages: { '@mcp-codegen/runtime': [], '@modelcontextprotocol/client': [] },
  scripts: {},
  environment: {},
  start: 'node dist/main.js',
};
