import type { Host } from '../rule.js';
import { document, LLAMA_GRAMMAR, report, source } from './evidence.js';

const CODEX = source(
  'https://github.com/openai/codex/blob/1048c68e183b97cfec9f78d5c2b951b026350c07/codex-rs/tools/src/json_schema.rs',
);
const CONVERSE = document(
  'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html',
);

export const codex: Host = {
  id: 'codex',
  name: 'Codex',
  rules: [
    {
      check: 'boolean-schema',
      effect: 'misreads',
      says: 'The model is told that the property is a text.',
      evidence: [CODEX],
    },
    {
      check: 'keyword',
      names: ['oneOf', 'allOf', 'not', 'if', 'patternProperties'],
      effect: 'misreads',
      says: 'The model does not see the keyword.',
      evidence: [CODEX],
    },
  ],
};

export const bedrock: Host = {
  id: 'bedrock',
  name: 'Amazon Bedrock',
  rules: [
    {
      check: 'tool-name',
      pattern: '^[a-zA-Z0-9_-]{1,64}$',
      where: 'Converse, with the name that the server lists',
      effect: 'drops',
      says: 'The API refuses the request.',
      evidence: [CONVERSE],
    },
    {
      check: 'empty-description',
      where: 'Converse',
      effect: 'drops',
      says: 'The API refuses a description without characters. It may be left out.',
      evidence: [CONVERSE],
    },
    {
      check: 'root-type',
      of: 'input',
      where: 'Converse',
      effect: 'reported',
      says: 'The API refuses the request.',
      evidence: [report('https://github.com/kirodotdev/Kiro/issues/11027', '2026-08-24')],
    },
  ],
};

export const llama: Host = {
  id: 'llama.cpp',
  name: 'llama.cpp',
  rules: [
    {
      check: 'pattern',
      engine: 'llama',
      effect: 'drops',
      says: 'The request is refused: a pattern begins with ^, ends with $, and has neither lookarounds nor references to groups.',
      evidence: [
        LLAMA_GRAMMAR,
        report('https://github.com/containers/kubernetes-mcp-server/issues/758', '2026-02-10'),
      ],
    },
    {
      check: 'boolean-schema',
      effect: 'drops',
      says: 'The request is refused: its grammar has no schema true or false.',
      evidence: [LLAMA_GRAMMAR],
    },
  ],
};
