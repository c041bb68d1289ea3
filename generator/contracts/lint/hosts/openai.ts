import type { Host } from '../rule.js';

const READ = '2026-11-25';

export const openai: Host = {
  id: 'openai',
  name: 'OpenAI',
  rules: [
    {
      check: 'root-keyword',
      names: ['oneOf', 'anyOf', 'allOf', 'enum', 'not'],
      effect: 'breaks-all',
      says: 'The API refuses the whole request.',
      source: 'https://github.com/langchain-ai/langchainjs/issues/9804',
      read: READ,
    },
    {
      check: 'object-without-properties',
      effect: 'breaks-all',
      says: 'The API refuses the whole request.',
      source: 'https://github.com/inboxapi/cli/issues/106',
      read: READ,
    },
    {
      check: 'array-without-items',
      effect: 'breaks-all',
      says: 'The API refuses the whole request.',
      source: 'https://github.com/microsoft/vscode/issues/257537',
      read: READ,
    },
    {
      check: 'tool-name',
      pattern: '^[a-zA-Z0-9_-]{1,64}$',
      effect: 'breaks-all',
      says: 'The API refuses the whole request.',
      source: 'https://docs.rs/crate/openai-client-base/0.12.0/source/src/models/json_schema.rs',
      read: READ,
    },
  ],
};
