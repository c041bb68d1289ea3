import { DIALECT_REVISIONS } from '../ir/revisions/index.js';
import { CLIENT_SOURCES } from './client-sources.js';
import type { Template } from './template.js';

/** `new client`: a small program that calls tools and follows their tasks. */
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
      name: 'minimal',
      describe: 'One file, which answers no questions',
      choices: [
        { value: 'full', describe: 'answers questions, and has a test' },
        { value: 'minimal', describe: 'one file, which answers no questions' },
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
  exclusions: ['elicitation-form', 'elicitation-url', 'sampling', 'roots'].map((feature) => ({
    features: ['minimal', feature],
    reason: 'A minimal client answers no questions of a server.',
    help: `Leave --minimal out, or ${feature} out of --capabilities.`,
  })),
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
    answers: ['elicitation-form', 'elicitation-url', 'sampling', 'roots'],
  },
  own: {
    capabilities:
      'elicitation-form,elicitation-url,sampling,roots,tasks-extension,elicitation-tasks,sampling-tasks',
  },
  slots: CLIENT_SOURCES,
  files: {
    'README.md': ['full'],
    'README.minimal.md': ['minimal'],
    gitignore: ['full'],
    'gitignore.minimal': ['minimal'],
    'src/client.ts': ['full'],
    'src/main.ts': ['full'],
    'src/main.minimal.ts': ['minimal'],
    'test/main.test.ts': ['full'],
    'vitest.config.js': ['full'],
    'yarnrc.yml': ['yarn'],
  },
  renamed: {
    'README.minimal.md': 'README.md',
    gitignore: '.gitignore',
    'gitignore.minimal': '.gitignore',
    'src/main.minimal.ts': 'src/main.ts',
    'yarnrc.yml': '.yarnrc.yml',
  },
  packages: { tsx: ['full'], vitest: ['full'], zod: ['full'] },
  scripts: { test: ['full'] },
  preparation: {},
  environment: {},
  start: 'node dist/main.js count-words \'{"text":"a b"}\' -- node ../my-server/dist/main.js',
};
