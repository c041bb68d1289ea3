import { createNames } from '../../emit/validators/identifiers.js';
import type { JsonValue } from '../../ir/index.js';
import { readToolSchema, TooLarge } from '../../tools/read.js';
import type { ReadToolSchema } from '../../tools/read.js';

/** Schemas and literals in one schema. */
const MOST_PARTS = 5_000;

/** Reads schemas of strangers into one table of definitions: each has the name that is given. */
export function createSchemaReader(): (schema: JsonValue, name: string) => ReadToolSchema {
  const names = createNames([]);
  return (schema, name) => {
    let left = MOST_PARTS;
    return readToolSchema(schema, {
      name: names.take(name),
      names,
      path: [],
      report: () => undefined,
      spend: () => {
        left -= 1;
        if (left < 0) throw new TooLarge('is too large');
      },
    });
  };
}

/** Why a part of a schema is left out, as the end of a sentence. */
export const UNREADABLE =
  'cannot be read: it is malformed, too large, or leads to another document';
