import { convert, type Direction, isDescribed } from './conversion.js';
import { SchemaFault } from './fault.js';
import { assertKeywords } from './keywords.js';
import type { PlainCheck } from './plain-check.js';
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
      check: standard.validate.bind(standard),
    };
  }
  assertDraft(jsonSchema);
  return plainContract(jsonSchema);
}

function plainContract(jsonSchema: Record<string, unknown>): Contract {
  let check: PlainCheck | undefined;
  async function load(): Promise<void> {
    const { plainCheck } = await import('./plain-check.js');
    check ??= plainCheck(jsonSchema);
  }
  return {
    jsonSchema,
    load,
    check: (value) => check?.(value) ?? load().then(() => check?.(value) as Checked),
  };
}

/** Those that hosts know. */
const DRAFTS = [
  'http://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
];

/** @throws {SchemaFault} for a draft that hosts do not know. */
function assertDraft({ $schema }: Record<string, unknown>): void {
  const name = typeof $schema === 'string' ? $schema.replace(/#$/, '') : '';
  if ($schema === undefined || DRAFTS.includes(name)) return;
  throw new SchemaFault(
    '/$schema',
    `the draft ${name.slice(0, 200)} is not known`,
    `use one of ${DRAFTS.join(', ')}`,
  );
}
