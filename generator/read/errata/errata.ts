/** A type of a JSON Schema, without other rules. */
export type PlainType = 'string' | 'integer' | 'number' | 'boolean' | 'null';

/** A correction to a schema whose JSON contradicts the TypeScript that it is derived from. */
export interface Erratum {
  /** A stable id for documentation. */
  readonly id: string;
  /** The keys from the document's definitions to the schema that is wrong, as if it had no references. */
  readonly path: readonly string[];
  /** The values beside objects and arrays that the wrong schema accepts, however that is written. */
  readonly was: readonly PlainType[];
  /** Those that it accepts instead. */
  readonly becomes: readonly PlainType[];
  /** The valid messages that the uncorrected schema refuses, and the evidence. */
  readonly reason: string;
}

const SCALARS = ['string', 'integer', 'boolean'] as const;

export const ERRATA: readonly Erratum[] = [
  {
    id: 'elicit-result-fraction',
    path: ['ElicitResult', 'properties', 'content', 'additionalProperties'],
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
    was: SCALARS,
    becomes: ['string', 'number', 'boolean', 'null'],
    reason:
      'The TypeScript definition is any JSON value. The JSON Schema leaves out null and takes ' +
      'numbers only without a fraction.',
  },
];
