import { type JsonValue, type Refusal, TooManySteps } from '../../../json-schema/index.js';
import { readSchema, type Schema } from '../../../json-schema/public.js';

/** Why a JSON value is refused; undefined for one that the schema accepts. */
export type ValueCheck = (value: unknown) => Pick<Refusal, 'pointer' | 'reason'> | undefined;

/** How often one check may look at a part of a value of a stranger. */
export const MOST_STEPS = 100_000;
/** How schemas of strangers are read. */
export const READING = { nullable: true, depth: 50, parts: 5_000 } as const;

/** Why a part of a schema is left out, as the end of a sentence. */
export const UNREADABLE =
  'cannot be read: it is malformed, too large, or leads to another document';

/**
 * The check of a schema of a stranger, or why there is none. It runs no code of the schema, matches patterns in linear time,
 * and refuses a value that takes too many steps.
 */
export function valueCheck(schema: JsonValue): ValueCheck | string {
  const { exact, refusals } = opened(schema);
  if (!exact) return `a part of it ${UNREADABLE}`;
  return (value) => {
    try {
      return refusals(value)[0];
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      return { pointer: '', reason: 'takes too many steps to check' };
    }
  };
}

/** Values that a schema of a stranger accepts, the simplest first; none where none was found. */
export function acceptedValues(schema: JsonValue): readonly JsonValue[] {
  const { exact, samples } = opened(schema);
  try {
    return exact ? samples() : [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [];
  }
}

const opened = (schema: JsonValue): Schema => readSchema(schema, { ...READING, steps: MOST_STEPS });
