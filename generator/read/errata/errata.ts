import type { JsonValue } from '../../../json-schema/index.js';

/** A correction to a schema whose JSON contradicts the TypeScript that it is derived from. */
export interface Erratum {
  /** A stable id for documentation. */
  readonly id: string;
  /** The keys from the document's definitions to the schema that is wrong, or to the union that it is a member of. */
  readonly path: readonly string[];
  /** The keyword of that schema whose value changes. */
  readonly keyword: string;
  /** What the correction finds: arrays in any order. It does not apply to any other value. */
  readonly was: JsonValue;
  /** What it puts there. */
  readonly becomes: JsonValue;
  /** The valid messages that the uncorrected schema refuses, and the evidence. */
  readonly reason: string;
}

const SCALARS = ['string', 'integer', 'boolean'];

export const ERRATA: readonly Erratum[] = [
  {
    id: 'elicit-result-fraction',
    path: ['ElicitResult', 'properties', 'content', 'additionalProperties'],
    keyword: 'type',
    was: SCALARS,
    becomes: ['string', 'number', 'boolean'],
    reason:
      'A number field of a form may be answered with a fraction: the TypeScript definition says ' +
      '`number` and NumberSchema offers "number" beside "integer", but the JSON Schema says integer, ' +
      'so that an answer of 1.5 would be refused.',
  },
  {
    id: 'json-value-null-and-fraction',
    path: ['JSONValue'],
    keyword: 'type',
    was: SCALARS,
    becomes: ['string', 'number', 'boolean', 'null'],
    reason:
      'The TypeScript definition is any JSON value. The JSON Schema leaves out null and takes ' +
      'numbers only without a fraction.',
  },
];
