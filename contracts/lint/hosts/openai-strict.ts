import type { Check, Evidence, Host, Rule, Total } from '../rule.js';
import { report, source } from './evidence.js';
import { openai } from './openai.js';

const FORMATS = 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ');
const TOTALS: readonly (readonly [Total, number])[] = [
  ['properties', 5000],
  ['enum-values', 1000],
  ['name-characters', 120_000],
  ['enum-characters', 15_000],
];

const SUBSET = source(
  'https://github.com/openai/codex/blob/0a8919893fd9fc2334bd5bad91edda820f89cfb5/codex-rs/tools/src/json_schema_structured_outputs.rs',
);
/** What others read in https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas */
const LIMITS = report(
  'https://docs.rs/crate/artifactize-core/0.14.2/source/src/agent/verdict/structured/limits.rs',
);
const KEYWORDS = report('https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai');

type Strict = readonly [Check & { readonly id?: string }, Evidence];
const CHECKS: readonly Strict[] = [
  [{ check: 'open-object' }, SUBSET],
  [{ check: 'optional-property' }, SUBSET],
  [
    {
      check: 'keyword',
      names: ['allOf', 'oneOf', 'not', 'dependentRequired', 'dependentSchemas', 'if'],
    },
    KEYWORDS,
  ],
  [{ check: 'format', accepts: FORMATS }, KEYWORDS],
  [{ check: 'depth', most: 10 }, LIMITS],
  ...TOTALS.map(([what, most]): Strict => [{ check: 'total', id: what, what, most }, LIMITS]),
];

export const openaiStrict: Host = {
  id: 'openai-strict',
  name: 'OpenAI API, strict',
  rules: [
    ...openai.rules,
    ...CHECKS.map(([check, evidence]): Rule => ({
      ...check,
      where: 'functions with strict: true',
      effect: evidence.grade === 'report' ? 'reported' : 'drops',
      says: 'A schema for strict mode is refused.',
      evidence: [evidence],
    })),
  ],
};
