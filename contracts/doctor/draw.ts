import { typeOf } from '../../json-schema/index.js';
import { readSchema } from '../../json-schema/public.js';
import type { JsonValue, Schema } from '../../json-schema/public.js';
import type { JsonObject } from '../../runtime/client/index.js';
import { isRecord } from '../validate/index.js';

/** How often a check may look at a part of a value. */
const LIMITS = { parts: 10_000, depth: 100, steps: 100_000 };
/** Characters of drawn arguments. */
const MOST = 10_000;

/** Arguments that a schema accepts: the simplest first, then some by the seed. None where the schema cannot be read. */
export function drawn(schema: unknown, seed: number, most: number): readonly JsonObject[] {
  try {
    const read = readSchema(schema, LIMITS);
    if (!read.exact) return [];
    const values = read.samples().filter(isShort);
    const [simple, ...others] = values;
    if (simple === undefined) return [];
    const more = Array.from({ length: Math.min(most - 1, others.length) }, (_, index) =>
      others.at((seed + index * STEP) % others.length),
    );
    return [simple, ...more.filter((each) => each !== undefined)];
  } catch {
    // It takes too many steps.
    return [];
  }
}

/** Neighbours are alike. */
const STEP = 17;

function isShort(value: JsonValue): value is JsonObject & JsonValue {
  return isRecord(value) && JSON.stringify(value).length <= MOST;
}

/** Arguments that the schema refuses, and why: without one that is required, or with one of another type. */
export function wrongFor(
  schema: unknown,
  simple: JsonObject,
): { readonly value: JsonObject; readonly why: string } | undefined {
  try {
    const read = readSchema(schema, LIMITS);
    if (!read.exact) return undefined;
    for (const value of candidates(schema, simple)) {
      const why = refusalOf(read, value);
      if (why !== undefined) return { value, why };
    }
  } catch {
    // It takes too many steps.
  }
  return undefined;
}

function refusalOf(schema: Schema, value: JsonObject): string | undefined {
  const [first] = schema.refusals(value);
  return first && `${first.pointer || '/'}: ${first.reason}.`;
}

function* candidates(schema: unknown, simple: JsonObject): Generator<JsonObject> {
  for (const key of Object.keys(simple)) {
    const { [key]: _, ...others } = simple;
    yield others;
  }
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};
  for (const key of Object.keys(properties)) {
    const now = simple[key];
    yield { ...simple, [key]: typeOf(now) === 'array' ? {} : [[]] };
  }
}
