import { convert, type Direction, isDescribed } from './conversion.js';
import {
  type JsonCheck,
  assertStatic,
  draftOf,
  jsonCheck,
  loadJsonValidator,
} from './json-validator.js';
import { assertKeywords } from './keywords.js';
import { assertReferences } from './references.js';
import type { Checked } from './standard.js';

/** A schema in use: what clients get of it, and the check of values. */
export interface Contract {
  readonly jsonSchema: Record<string, unknown>;
  /** Loads what the checks need, so that they need not wait. */
  load(): Promise<void>;
  /** Answers at once, unless the schema has asynchronous parts or has not been loaded. */
  check(value: unknown): Checked | Promise<Checked>;
}

/**
 * Reads a schema once.
 *
 * @throws {SchemaFault} for what clients cannot read.
 */
export function contractOf(schema: unknown, direction: Direction): Contract {
  const jsonSchema = convert(schema, direction);
  assertKeywords(jsonSchema);
  assertReferences(jsonSchema);
  if (isDescribed(schema)) {
    const standard = schema['~standard'];
    return {
      jsonSchema,
      load: () => Promise.resolve(),
      check: (value) => standard.validate(value),
    };
  }
  draftOf(jsonSchema);
  assertStatic(jsonSchema);
  return plainContract(jsonSchema);
}

function plainContract(jsonSchema: Record<string, unknown>): Contract {
  let check: JsonCheck | undefined;
  async function load(): Promise<void> {
    await loadJsonValidator();
    check ??= jsonCheck(jsonSchema);
  }
  return {
    jsonSchema,
    load,
    check: (value) => check?.(value) ?? load().then(() => check?.(value) as Checked),
  };
}
