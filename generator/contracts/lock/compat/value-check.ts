import {
  createJudge,
  type Definition,
  type Definitions,
  type JsonValue,
  type Node,
  type Refusal,
  TooManySteps,
} from '../../../../json-schema/index.js';
import { sample } from '../../../../json-schema/sample/index.js';
import { createSchemaReader, UNREADABLE } from './read-schema.js';

/** Why a JSON value is refused; undefined for one that the schema accepts. */
export type ValueCheck = (value: unknown) => Pick<Refusal, 'pointer' | 'reason'> | undefined;

/** How often one check may look at a part of a value of a stranger. */
const MOST_STEPS = 100_000;

const ROOT: Node = { kind: 'ref', name: 'Root' };

/**
 * The check of a schema of a stranger, or why there is none. It runs no code of the schema, matches patterns in linear time,
 * and refuses a value that takes too many steps.
 */
export function valueCheck(schema: JsonValue): ValueCheck | string {
  const definitions = definitionsOf(schema);
  if (!definitions) return `a part of it ${UNREADABLE}`;
  const acceptance = createJudge(definitions, { steps: MOST_STEPS });
  return (value) => {
    try {
      return acceptance.refusals(ROOT, value)[0];
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      return { pointer: '', reason: 'takes too many steps to check' };
    }
  };
}

/** Values that a schema of a stranger accepts, the simplest first; none where none was found. */
export function acceptedValues(schema: JsonValue): readonly JsonValue[] {
  const definitions = definitionsOf(schema);
  if (!definitions) return [];
  try {
    return sample(ROOT, {
      definitions,
      acceptance: createJudge(definitions, { steps: MOST_STEPS }),
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [];
  }
}

function definitionsOf(schema: JsonValue): Definitions | undefined {
  const { definitions, exact } = createSchemaReader()(schema, 'Root');
  if (!exact) return undefined;
  return new Map(definitions.map((each): [string, Definition] => [each.name, each]));
}
