import type { Schemas } from '../compare/proof.js';
import type { JsonValue, Node } from '../model.js';
import { createSampler } from '../sample/samples.js';
import type { Difference } from './difference.js';
import { walkSchemas } from './walk.js';

/** Places of the schemas, values of each that are put into whole values, and values around each. */
const MOST_PLACES = 200;
const MOST_LIFTED = 12;
const TURNS = 8;

/** A value that only `narrow` accepts, if one is found: a sample of it, or one around a value of a place where they differ. */
export function witnessOf(wide: Node, narrow: Node, schemas: Schemas): JsonValue | undefined {
  const { acceptance } = schemas;
  const refusedBy = (node: Node) => (value: JsonValue) => !acceptance.accepts(node, value);
  const sampler = createSampler([narrow, wide], schemas, 'all');
  const sampled = sampler.samples(narrow).find(refusedBy(wide));
  if (sampled !== undefined) return sampled;
  const places: Difference[] = [];
  const report = (place: Difference): void => void places.push(place);
  walkSchemas(narrow, wide, { ...schemas, direction: 'input', sampler, report });
  for (const place of places.slice(0, MOST_PLACES)) {
    const refused = valuesOf(place, schemas).filter(refusedBy(place.wide)).slice(0, MOST_LIFTED);
    for (const value of liftedFrom(refused, place.lift, narrow, schemas))
      if (refusedBy(wide)(value)) return value;
  }
  return undefined;
}

function valuesOf({ narrow, wide }: Difference, schemas: Schemas): readonly JsonValue[] {
  if (narrow.kind === 'literal') return narrow.values;
  return createSampler([narrow, wide], schemas, 'all').samples(narrow);
}

/** Values of the whole schema around values of a part. */
export function* liftedFrom(
  values: readonly JsonValue[],
  lift: Difference['lift'],
  whole: Node,
  { acceptance }: Schemas,
): Generator<JsonValue> {
  for (const value of values) {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const lifted = lift(value, turn);
      if (acceptance.accepts(whole, lifted)) yield lifted;
    }
  }
}
