import type { Host } from '../rule.js';

const READ = '2026-11-25';

export const cursor: Host = {
  id: 'cursor',
  name: 'Cursor',
  rules: [
    {
      check: 'keyword',
      names: ['oneOf', 'anyOf', 'allOf'],
      effect: 'breaks-all',
      says: 'Its gateway refuses the whole request.',
      source: 'https://github.com/code-yeongyu/senpi/issues/952',
      read: READ,
    },
    {
      check: 'type',
      id: 'type-list',
      kind: 'list',
      effect: 'drops',
      says: 'Its check of arguments refuses every value of such a parameter.',
      source: 'https://github.com/cursor/cursor/issues/3540',
      read: READ,
    },
    {
      check: 'tool-name-length',
      most: 60,
      prefix: 1,
      effect: 'drops',
      says: 'A tool whose name and server have more than 60 characters is left out.',
      source: 'https://github.com/ComposioHQ/composio/issues/2788',
      read: READ,
    },
    {
      check: 'tool-count',
      most: 80,
      effect: 'misreads',
      says: 'The agent gets at most 80 tools, those of other servers included.',
      source: 'https://github.com/Snowflake-Labs/mcp/issues/77',
      read: READ,
    },
    {
      check: 'earlier-form',
      effect: 'breaks-all',
      says: 'With models of Anthropic the whole request is refused.',
      source: 'https://github.com/afrise/MCPSharp/issues/9',
      read: READ,
    },
  ],
};
