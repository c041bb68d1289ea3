import type { Host } from '../rule.js';
import { DRAFT_2020_12 } from './drafts.js';

const READ = '2026-11-25';

export const claude: Host = {
  id: 'claude',
  name: 'Claude',
  rules: [
    {
      check: 'root-keyword',
      names: ['oneOf', 'anyOf', 'allOf', 'not', 'if'],
      effect: 'drops',
      says: 'Claude Code leaves the tool out without a message; the API refuses the whole request.',
      source: 'https://github.com/anthropics/claude-code/issues/95504',
      read: READ,
    },
    {
      check: 'property-name',
      pattern: '^[a-zA-Z0-9_.-]{1,64}$',
      effect: 'breaks-all',
      says: 'The API refuses the whole request, so that no tool can be used.',
      source: 'https://github.com/anthropics/claude-code/issues/34771',
      read: READ,
    },
    {
      check: 'tool-name',
      pattern: '^[a-zA-Z0-9_-]{1,128}$',
      effect: 'breaks-all',
      says: 'The API refuses the whole request, so that no tool can be used.',
      source: 'https://github.com/github/copilot-cli/issues/1879',
      read: READ,
    },
    {
      check: 'draft',
      accepts: DRAFT_2020_12,
      of: 'both',
      effect: 'drops',
      says: 'The tool cannot be called: only 2020-12 is validated.',
      source: 'https://github.com/anthropics/claude-code/issues/88882',
      read: READ,
    },
    {
      check: 'earlier-form',
      of: 'both',
      effect: 'breaks-all',
      says: 'The API refuses the whole request, because the schema is not valid in 2020-12.',
      source: 'https://github.com/Dokploy/mcp/issues/74',
      read: READ,
    },
    {
      check: 'root-type',
      of: 'output',
      effect: 'breaks-all',
      says: 'Clients on the first official SDK refuse the whole list of tools.',
      source: 'https://github.com/opentokenz/mcpx/issues/28',
      read: READ,
    },
    {
      check: 'tool-name-length',
      most: 128,
      prefix: 'mcp____'.length,
      effect: 'drops',
      says: 'Claude Code leaves out a tool whose full name is longer.',
      source: 'https://github.com/xsyetopz/claudetto/wiki/Claude-Code-MCP-Runtime',
      read: READ,
    },
  ],
};
