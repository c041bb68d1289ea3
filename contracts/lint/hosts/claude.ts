import type { Host } from '../rule.js';
import { document, report, tracker } from './evidence.js';

const CLAUDE_CODE = 'https://github.com/anthropics/claude-code';
const DRAFT_2020_12 = ['', '#'].map((end) => `https://json-schema.org/draft/2020-12/schema${end}`);

export const claude: Host = {
  id: 'claude',
  name: 'Claude Code',
  rules: [
    {
      check: 'root-keyword',
      names: ['oneOf', 'anyOf', 'allOf'],
      effect: 'drops',
      says: 'The API of Anthropic refuses each request with the tool.',
      evidence: [
        tracker(`${CLAUDE_CODE}/issues/4886`, '2025-12-12'),
        report('https://github.com/makenotion/notion-mcp-server/issues/341', '2026-08-05'),
      ],
    },
    {
      check: 'property-name',
      pattern: '^[a-zA-Z0-9_.-]{1,64}$',
      effect: 'drops',
      says: 'The API of Anthropic refuses each request after the tool was loaded.',
      evidence: [
        tracker(`${CLAUDE_CODE}/issues/79418`, '2026-08-17'),
        report('https://github.com/decocms/studio/pull/6874', '2026-09-02'),
      ],
    },
    {
      check: 'boolean-schema',
      where: 'Agent SDK 0.1.77, and servers that Claude Desktop passes on',
      effect: 'breaks-all',
      says: 'All tools of the server are left out without a message.',
      evidence: [
        tracker(`${CLAUDE_CODE}/issues/92900`, '2026-09-08'),
        tracker(`${CLAUDE_CODE}/issues/82949`, '2026-07-31'),
      ],
    },
    {
      check: 'reference',
      effect: 'misreads',
      says: 'Arguments whose schema is a reference may arrive as a text of JSON.',
      evidence: [
        tracker(`${CLAUDE_CODE}/issues/18260`, '2026-01-15'),
        tracker(`${CLAUDE_CODE}/issues/10590`, '2025-10-29'),
      ],
    },
    {
      check: 'description-length',
      most: 2048,
      where: 'Claude Code ≥ 2.1.84',
      effect: 'misreads',
      says: 'The rest of the description is cut off. The same holds for the instructions of the server.',
      evidence: [document(`${CLAUDE_CODE}/blob/main/CHANGELOG.md`, '2026-03-26')],
    },
    {
      check: 'earlier-form',
      effect: 'reported',
      says: 'The API of Anthropic refuses a schema that is not valid in 2020-12.',
      evidence: [report(`${CLAUDE_CODE}/issues/586`, '2025-07-08')],
    },
  ],
};

export const claudeDesktop: Host = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  rules: [
    {
      check: 'draft',
      accepts: DRAFT_2020_12,
      of: 'output',
      where: 'Claude Desktop and Cowork since 2026-08-13; not the CLI of Claude Code ≥ 2.1.233',
      effect: 'drops',
      says: 'The tool cannot be called: an output of another draft than 2020-12 is refused.',
      evidence: [
        tracker(`${CLAUDE_CODE}/issues/86142`, '2026-09-20'),
        tracker('https://github.com/modelcontextprotocol/typescript-sdk/issues/2721', '2026-09-12'),
      ],
    },
    {
      check: 'tool-name',
      pattern: '^[a-zA-Z0-9_-]{1,64}$',
      effect: 'drops',
      says: 'The chat is refused with the tool in it.',
      evidence: [
        tracker(`${CLAUDE_CODE}/issues/34960`, '2026-03-16'),
        report('https://github.com/mims-harvard/ToolUniverse/issues/35', '2025-11-04'),
      ],
    },
  ],
};
