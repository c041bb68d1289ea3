import type { Host } from '../rule.js';
import { document, report, source } from './evidence.js';

const CODEX = 'https://github.com/openai/codex';

export const openai: Host = {
  id: 'openai',
  name: 'OpenAI API',
  rules: [
    {
      check: 'object-without-properties',
      where: 'functions that are sent as the server lists them; most hosts add properties',
      effect: 'breaks-all',
      says: 'The API refuses the whole request.',
      evidence: [
        source('https://github.com/openai/openai-agents-python/pull/454', '2025-04-07'),
        source(`${CODEX}/pull/1150`, '2025-05-29'),
      ],
    },
    {
      check: 'array-without-items',
      where: 'functions that are sent as the server lists them',
      effect: 'drops',
      says: 'The API asks for items, and Codex therefore adds them.',
      evidence: [
        source(
          `${CODEX}/blob/1048c68e183b97cfec9f78d5c2b951b026350c07/codex-rs/tools/src/json_schema.rs`,
        ),
      ],
    },
    {
      check: 'tool-name',
      pattern: '^[a-zA-Z0-9_-]{1,64}$',
      where: 'functions that are sent as the server lists them',
      effect: 'drops',
      says: 'The API takes letters, digits, _ and -, at most 64.',
      evidence: [
        document('https://github.com/openai/openai-openapi/blob/master/openapi.yaml', '2026-08-21'),
      ],
    },
    {
      check: 'root-keyword',
      names: ['oneOf', 'anyOf', 'allOf', 'enum', 'not'],
      where: 'models before GPT-5',
      effect: 'reported',
      says: 'The API refuses the whole request.',
      evidence: [
        report('https://github.com/BerriAI/litellm/pull/38792', '2026-08-29'),
        report('https://github.com/nspady/google-calendar-mcp/issues/39', '2025-06-01'),
      ],
    },
  ],
};
