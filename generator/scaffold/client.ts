import { DIALECT_REVISIONS } from '../revisions/index.js';
import type { Template } from './template.js';

/** `new client`: a command line for any server's tools and tasks. */
export const CLIENT: Template = {
  name: 'client',
  folder: 'templates/client',
  placeholder: 'my-mcp-client',
  options: [
    {
      name: 'capabilities',
      describe: 'Capabilities that the client declares',
      choices: [
        { value: 'elicitation-form', describe: 'shows forms of the server to the user' },
        { value: 'elicitation-url', describe: 'asks the user to visit addresses' },
        { value: 'sampling', describe: "answers the server's requests for a model's reply" },
        { value: 'roots', describe: 'lists the folders that the server may use' },
        {
          value: 'tasks-extension',
          describe: `tool calls may become tasks (${DIALECT_REVISIONS.ext})`,
        },
        {
          value: 'elicitation-tasks',
          describe: `runs elicitation as core tasks (${DIALECT_REVISIONS.core})`,
        },
        {
          value: 'sampling-tasks',
          describe: `runs sampling as core tasks (${DIALECT_REVISIONS.core})`,
        },
      ],
      many: true,
      default: ['elicitation-form', 'elicitation-url', 'tasks-extension'],
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
  exclusions: [],
  requirements: [
    {
      feature: 'elicitation-tasks',
      anyOf: ['elicitation-form', 'elicitation-url'],
      reason: 'A client that does not declare elicitation cannot run it as tasks.',
      help: 'Add elicitation-form or elicitation-url to --capabilities.',
    },
    {
      feature: 'sampling-tasks',
      anyOf: ['sampling'],
      reason: 'A client that does not declare sampling cannot run it as tasks.',
      help: 'Add sampling to --capabilities.',
    },
  ],
  groups: {
    elicitation: ['elicitation-form', 'elicitation-url'],
    questions: ['elicitation-form', 'elicitation-url', 'sampling'],
    receiver: ['elicitation-tasks', 'sampling-tasks'],
  },
  files: {
    'src/form-prompt.ts': ['elicitation-form'],
    'src/form.ts': ['elicitation-form'],
    'src/roots.ts': ['roots'],
    'src/sampling.ts': ['sampling'],
    'src/url-prompt.ts': ['elicitation-url'],
    'test/form-prompt.test.ts': ['elicitation-form'],
    'test/form.test.ts': ['elicitation-form'],
    'test/sampling.test.ts': ['sampling'],
    'test/url-prompt.test.ts': ['elicitation-url'],
    'yarnrc.yml': ['yarn'],
  },
  omitted: [],
  renamed: { gitignore: '.gitignore', 'yarnrc.yml': '.yarnrc.yml' },
  packages: { '@mcp-codegen/runtime': [], '@modelcontextprotocol/client': [], zod: [] },
  scripts: {},
  environment: {},
  start: 'node dist/main.js',
};
