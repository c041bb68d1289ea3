import type { Host } from '../rule.js';
import { document, LLAMA_GRAMMAR, source, tracker } from './evidence.js';

const SPECIFICATION = 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools';
const SDK_V1 = source(
  'https://www.npmjs.com/package/@modelcontextprotocol/sdk/v/1.32.2',
  '2026-10-23',
);
const VSCODE =
  'https://github.com/microsoft/vscode/blob/0052d689f910e056718b44fdecc7a5e1ad2c3b66/src/vs/workbench/contrib/mcp/common/mcpServer.ts';

/** What the protocol asks of every tool, and what no host can use well. */
export const mcp: Host = {
  id: 'mcp',
  name: 'MCP',
  rules: [
    {
      check: 'schema',
      effect: 'breaks-all',
      says: 'The protocol asks for valid JSON Schemas. VS Code omits the tool, the API of Anthropic refuses the request, and Claude Code loses the list when an output refers to nothing.',
      evidence: [
        document(SPECIFICATION, '2025-11-25'),
        source(VSCODE),
        tracker('https://github.com/anthropics/claude-code/issues/76040', '2026-07-09'),
      ],
    },
    {
      check: 'root-type',
      of: 'input',
      effect: 'breaks-all',
      says: 'The protocol asks for an object of arguments; the official SDKs refuse the whole list of tools.',
      evidence: [document(SPECIFICATION, '2025-11-25'), SDK_V1],
    },
    {
      check: 'root-type',
      id: 'output-type',
      of: 'output',
      where: 'revisions before 2026-07-28',
      effect: 'breaks-all',
      says: 'An output is an object there; the official TypeScript SDK 1 refuses the whole list of tools.',
      evidence: [document(SPECIFICATION, '2025-11-25'), SDK_V1],
    },
    {
      check: 'tool-name',
      pattern: '^[^]{1,128}$',
      effect: 'drops',
      says: 'The protocol asks for 1 to 128 characters, and no API takes a name without any.',
      evidence: [document(SPECIFICATION, '2025-11-25')],
    },
    {
      check: 'double-name',
      effect: 'drops',
      says: 'Codex skips the second tool.',
      evidence: [
        source(
          'https://github.com/openai/codex/blob/00a35b1bf7756fef83d5100d40804d2a9c4e6a04/codex-rs/codex-mcp/src/tools.rs',
        ),
      ],
    },
    {
      check: 'required-undefined',
      effect: 'misreads',
      says: 'The model has to give a property that the schema does not describe.',
      evidence: [
        document('https://json-schema.org/understanding-json-schema/reference/object#required'),
      ],
    },
    {
      check: 'pattern',
      engine: 're2',
      where: 'strict modes, and local models',
      effect: 'reported',
      says: 'Hosts that match with RE2 or a grammar refuse lookarounds and references to groups.',
      evidence: [LLAMA_GRAMMAR, document('https://github.com/google/re2/wiki/Syntax')],
    },
  ],
};
