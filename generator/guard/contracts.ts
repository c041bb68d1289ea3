import { isRefusal, readPattern } from '../pattern/index.js';
import { contractOf } from '../../runtime/schemas/index.js';
import type { Contract } from '../../runtime/schemas/index.js';
import { quote } from '../diagnostics/index.js';
import type { Sent } from '../lock/index.js';
import { isRecord } from '../validate/index.js';

/** The first violation of a value, with its place in the value; undefined for a valid one. */
export type SchemaCheck = (value: unknown) => Promise<Violation | undefined>;

export interface Violation {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

const LONGEST = 300;

/**
 * The check of a tool's schema, or why there is none: a schema comes from a stranger, and a check of it has to end soon.
 */
export function schemaCheck(schema: Sent): SchemaCheck | string {
  const slow = slowPattern(schema);
  if (slow !== undefined) return `its pattern ${quote(slow)} may take more than linear time`;
  try {
    return checkOf(contractOf(schema, 'input'));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function checkOf(contract: Contract): SchemaCheck {
  return async (value) => {
    const { issues = [] } = await contract.check(value);
    const [issue] = issues;
    if (!issue) return undefined;
    const path = (issue.path ?? []).map((part) => {
      const key = typeof part === 'object' ? part.key : part;
      return typeof key === 'number' ? key : String(key);
    });
    return { message: issue.message.slice(0, LONGEST), path };
  };
}

/** A pattern that JavaScript may match in more than linear time. */
function slowPattern(schema: unknown): string | undefined {
  if (Array.isArray(schema)) {
    for (const each of schema) {
      const found = slowPattern(each);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isRecord(schema)) return undefined;
  const { pattern, patternProperties } = schema;
  const own = [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isRecord(patternProperties) ? Object.keys(patternProperties) : []),
  ];
  return own.find(isSlow) ?? slowPattern(Object.values(schema));
}

function isSlow(pattern: string): boolean {
  const read = readPattern(pattern);
  return isRefusal(read) || read.program !== undefined;
}
