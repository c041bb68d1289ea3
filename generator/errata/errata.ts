import type { JsonValue } from '../ir/index.js';

/** A correction to a schema whose JSON contradicts the TypeScript that it is derived from. */
export interface Erratum {
  /** A stable id for documentation. */
  readonly id: string;
  /** The revisions that it corrects. */
  readonly revisions: readonly string[];
  /** The keys from the document's definitions to the value that changes. */
  readonly path: readonly (string | number)[];
  /** The original value; any other value is an error. */
  readonly was: JsonValue;
  readonly becomes: JsonValue;
  /** The valid messages that the uncorrected schema refuses, and the evidence. */
  readonly reason: string;
}

const FORM_ANSWER =
  'A number field of a form may be answered with a fraction: the TypeScript definition says ' +
  '`number` and NumberSchema offers "number" beside "integer", but the JSON Schema says integer, ' +
  'so that an answer of 1.5 would be refused.';

const ANY_JSON =
  'The TypeScript definition is any JSON value. The JSON Schema leaves out null and takes ' +
  'numbers only without a fraction.';

export const ERRATA: readonly Erratum[] = [
  {
    id: 'elicit-result-fraction',
    revisions: ['2025-06-18'],
    path: ['ElicitResult', 'properties', 'content', 'additionalProperties', 'type'],
    was: ['string', 'integer', 'boolean'],
    becomes: ['string', 'number', 'boolean'],
    reason: FORM_ANSWER,
  },
  {
    id: 'elicit-result-fraction',
    revisions: ['2025-11-25', '2026-07-28', 'ext-tasks'],
    path: ['ElicitResult', 'properties', 'content', 'additionalProperties', 'anyOf', 1, 'type'],
    was: ['string', 'integer', 'boolean'],
    becomes: ['string', 'number', 'boolean'],
    reason: FORM_ANSWER,
  },
  {
    id: 'json-value-null-and-fraction',
    revisions: ['2026-07-28', 'ext-tasks'],
    path: ['JSONValue', 'anyOf', 2, 'type'],
    was: ['string', 'integer', 'boolean'],
    becomes: ['string', 'number', 'boolean', 'null'],
    reason: ANY_JSON,
  },
];
