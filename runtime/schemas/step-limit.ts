import type { Schema } from '@cfworker/json-schema';

import { isObject } from '../peer/wire/json.js';
import { partsOf } from './keywords.js';

/** Steps of one check, which take about a second. A step applies one schema to one part of a value. */
export const MOST_STEPS = 1_000_000;

export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/** The schemas of a document by their URIs, as the library has them. */
type Lookup = Readonly<Record<string, Schema | boolean>>;

/** What the library reads once each time that it applies a schema. It is set only beside `$recursiveRef`. */
const READ_IN_EACH_STEP = '__absolute_recursive_ref__';

/**
 * Limits the steps in which the library checks a value against schemas that contain themselves: with alternatives these can
 * take a number of steps that is exponential in the depth of the value. Others take linear time, and have no limit, unless
 * the schema is a stranger's: one that names each of its parts twice takes exponential time too.
 *
 * @returns a function that begins to count anew, before each check. Beyond the limit the check throws {@link TooManySteps}.
 */
export function limitSteps(lookup: Lookup, most?: number): () => void {
  if (most === undefined && !isRecursive(lookup)) return () => undefined;
  const limit = most ?? MOST_STEPS;
  let steps = 0;
  const counted: PropertyDescriptor = {
    get: () => {
      steps += 1;
      if (steps > limit) throw new TooManySteps();
      return undefined;
    },
  };
  // A schema may have several URIs.
  for (const schema of new Set(Object.values(lookup))) {
    if (typeof schema === 'boolean' || Object.hasOwn(schema, READ_IN_EACH_STEP)) continue;
    Object.defineProperty(schema, READ_IN_EACH_STEP, counted);
  }
  return () => {
    steps = 0;
  };
}

/** Whether a schema contains itself by way of references. */
function isRecursive(lookup: Lookup): boolean {
  const entered = new Set<unknown>();
  const left = new Set<unknown>();

  function leadsBack(schema: unknown): boolean {
    if (!isObject(schema) || left.has(schema)) return false;
    if (entered.has(schema) || '$recursiveRef' in schema) return true;
    entered.add(schema);
    const uri = (schema as Schema).__absolute_ref__;
    const target = uri === undefined ? [] : [lookup[uri]];
    const isFound = [...target, ...partsOf(schema).map(([, part]) => part)].some(leadsBack);
    left.add(schema);
    return isFound;
  }
  return Object.values(lookup).some(leadsBack);
}
