import type { Definition, JsonValue } from '../../ir/index.js';
import { createAcceptance, TooManySteps } from './acceptance.js';
import type { Refusal } from './acceptance.js';
import { createSchemaReader, UNREADABLE } from './read-schema.js';

/** Why a JSON value is refused; undefined for one that the schema accepts. */
export type ValueCheck = (value: unknown) => Refusal | undefined;

/**
 * The check of a schema of a stranger, or why there is none. It runs no code of the schema, matches patterns in linear time,
 * and refuses a value that takes too many steps.
 */
export function valueCheck(schema: JsonValue): ValueCheck | string {
  const { definitions, exact } = createSchemaReader()(schema, 'Root');
  if (!exact) return `a part of it ${UNREADABLE}`;
  const acceptance = createAcceptance(
    new Map(definitions.map((each): [string, Definition] => [each.name, each])),
  );
  return (value) => {
    try {
      return acceptance.refusal({ kind: 'ref', name: 'Root' }, value as JsonValue);
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      return { pointer: '', reason: 'takes too many steps to check' };
    }
  };
}
