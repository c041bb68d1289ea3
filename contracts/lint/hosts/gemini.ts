import type { Host } from '../rule.js';
import { document, report, source, tracker } from './evidence.js';

const GEMINI_CLI = 'https://github.com/google-gemini/gemini-cli';
const REFERENCE =
  'https://pub.dev/documentation/googleapis/13.1.0/aiplatform_v1/GoogleCloudAiplatformV1Schema-class.html';
const PROBES = report('https://github.com/danny-avila/LibreChat/pull/13850', '2026-06-19');

/** The field of before November 2025. What sends JSON Schema in `parametersJsonSchema`, as Gemini CLI does, is not concerned. */
const where = 'the field parameters, not parametersJsonSchema';
const says = 'Programs that send the schema in the old field as it is are refused.';

export const gemini: Host = {
  id: 'gemini',
  name: 'Gemini API',
  rules: [
    {
      check: 'tool-name',
      pattern: '^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$',
      where: 'functions that are sent under the name that the server lists',
      effect: 'breaks-all',
      says: 'The API refuses the whole request. A name begins with a letter or _.',
      evidence: [
        document(
          'https://cloud.google.com/vertex-ai/generative-ai/docs/reference/java/latest/com.google.cloud.vertexai.api.FunctionDeclarationOrBuilder',
        ),
        tracker(`${GEMINI_CLI}/issues/2966`, '2025-07'),
      ],
    },
    {
      check: 'enum-value',
      id: 'empty-enum',
      refuses: 'empty',
      where,
      effect: 'drops',
      says: 'The API refuses an empty text in enum.',
      evidence: [
        tracker(`${GEMINI_CLI}/issues/3401`, '2025-07-06'),
        report('https://github.com/sbroenne/mcp-server-excel/issues/607', '2026-04-24'),
      ],
    },
    {
      check: 'properties-of-other-type',
      where,
      effect: 'drops',
      says: 'The API takes properties and required for objects only.',
      evidence: [
        document(REFERENCE),
        report('https://github.com/anomalyco/opencode/issues/11889', '2026-02-03'),
      ],
    },
    {
      check: 'required-undefined',
      where,
      effect: 'drops',
      says: 'The API refuses a required name that is no property.',
      evidence: [
        document(REFERENCE),
        report('https://github.com/cline/cline/issues/11162', '2026-05-31'),
      ],
    },
    {
      check: 'reference',
      where,
      effect: 'reported',
      says,
      evidence: [tracker(`${GEMINI_CLI}/issues/13326`, '2025-11-18'), PROBES],
    },
    {
      check: 'keyword',
      names: [
        ...['propertyNames', 'patternProperties', 'const', 'exclusiveMinimum', 'exclusiveMaximum'],
        ...['oneOf', 'allOf', 'not', 'if', 'prefixItems', 'uniqueItems', 'multipleOf'],
      ],
      where,
      effect: 'reported',
      says,
      evidence: [document(REFERENCE), PROBES],
    },
    {
      check: 'enum-value',
      id: 'enum-type',
      refuses: 'no-string',
      where,
      effect: 'reported',
      says,
      evidence: [
        document(REFERENCE),
        report('https://github.com/JetBrains/mcp-jetbrains/issues/71', '2026-05-15'),
      ],
    },
    {
      check: 'type',
      kind: 'missing',
      where,
      effect: 'reported',
      says,
      evidence: [report(`${GEMINI_CLI}/issues/4400`, '2025-07-17')],
    },
    {
      check: 'type',
      id: 'type-list',
      kind: 'list',
      where,
      effect: 'reported',
      says,
      evidence: [report('https://github.com/nanbingxyz/5ire/issues/218', '2025-04-26')],
    },
    {
      check: 'format',
      accepts: ['enum', 'date-time', 'float', 'double', 'int32', 'int64'],
      where,
      effect: 'reported',
      says,
      evidence: [document(REFERENCE)],
    },
  ],
};

export const geminiCli: Host = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  rules: [
    {
      check: 'tool-name-length',
      most: 64,
      prefix: 'mcp__'.length,
      effect: 'misreads',
      says: 'The middle of the name is left out.',
      evidence: [
        source(`${GEMINI_CLI}/blob/main/packages/core/src/tools/mcp-tool.ts`, '2026-06-11'),
      ],
    },
  ],
};
