import { compile, pointerParts, read, TooManySteps } from '../../json-schema/index.js';
import { SchemaFault } from './fault.js';
import type { Checked } from './standard.js';

/** Checks values against plain JSON Schema, without `eval`. */
export type PlainCheck = (value: unknown) => Checked;

/** A text with all that is wrong with a long list would be as long. */
const MOST_ISSUES = 20;

/** @throws {SchemaFault} for a schema that cannot be read. */
export function plainCheck(schema: Record<string, unknown>): PlainCheck {
  const { node, definitions, faults } = read(schema);
  const fault = faults.find(({ severity }) => severity === 'error');
  if (fault) throw new SchemaFault(fault.pointer, fault.message, fault.help ?? 'correct it');
  const { accepts, refusals } = compile(node, definitions);
  return (value) => {
    try {
      if (accepts(value)) return { value };
      return {
        issues: refusals(value, { all: true, limit: MOST_ISSUES }).map(({ pointer, reason }) => ({
          path: pointerParts(pointer),
          message: reason,
        })),
      };
    } catch (error) {
      const isDeep = error instanceof RangeError && !(error instanceof TooManySteps);
      return {
        issues: [{ message: isDeep ? 'it is nested too deeply' : (error as Error).message }],
      };
    }
  };
}
