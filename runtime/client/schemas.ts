/**
 * Checks results against output schemas of untrusted servers. A check runs no code of a schema and ends after a bounded number
 * of steps, so it needs no thread of its own.
 */

import { compile, type Compiled, read, TooManySteps } from '../../json-schema/index.js';

/** Schemas in one output schema. */
const MOST_PARTS = 10_000;

type Check = (value: unknown) => string | undefined;

/** By schema, because a tool is called many times. */
const checks = new WeakMap<object, Check>();

/**
 * Why the structured content does not match, or cannot be checked: a clause. Undefined for a valid value. `onLeftOut` gets
 * a sentence for each part of the schema that is not checked, once for each schema.
 */
export function contentProblem(
  schema: object,
  content: unknown,
  onLeftOut: (what: string) => void,
): string | undefined {
  let check = checks.get(schema);
  if (check === undefined) checks.set(schema, (check = checkOf(schema, onLeftOut)));
  return check(content);
}

function checkOf(schema: object, onLeftOut: (what: string) => void): Check {
  const { node, definitions, faults } = read(schema, { parts: MOST_PARTS });
  for (const { code, severity, message, pointer } of faults) {
    if (severity === 'warning') continue;
    if (code !== 'unmatchable-pattern') {
      return () => `the schema is invalid at ${pointer || 'its root'}: ${message}`;
    }
    onLeftOut(`${message} It is not checked.`);
  }
  const compiled = compile(node, definitions);
  return (content) => problemOf(compiled, content);
}

function problemOf({ refusals }: Compiled, content: unknown): string | undefined {
  try {
    const [first] = refusals(content);
    return first && `structuredContent${first.pointer} ${first.reason}`;
  } catch (error) {
    if (error instanceof TooManySteps) return error.message;
    if (error instanceof RangeError) return 'structuredContent is nested too deeply';
    throw error;
  }
}
