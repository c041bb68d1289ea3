import type { Host } from '../rule.js';

const READ = '2026-11-25';
const SOURCE = 'https://modelcontextprotocol.io/specification/latest/server/tools';

/** What the protocol asks of every tool, so that no host can use it otherwise. */
export const mcp: Host = {
  id: 'mcp',
  name: 'MCP',
  rules: [
    {
      check: 'schema',
      of: 'both',
      effect: 'breaks-all',
      says: 'The protocol asks for valid JSON Schemas; many clients refuse the whole list of tools, or the request with it.',
      source: SOURCE,
      read: READ,
    },
    {
      check: 'root-type',
      of: 'input',
      effect: 'breaks-all',
      says: 'The protocol asks for an object of arguments; the official SDKs refuse the whole list of tools.',
      source: SOURCE,
      read: READ,
    },
  ],
};
