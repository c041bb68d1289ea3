import { type Draft, draftNamed, KEYWORDS } from '../../json-schema/index.js';
import { inlined } from './inlining.js';
import { schemasIn } from './keywords.js';
import { modernised } from './modernising.js';
import { respelled } from './spelling.js';

type Json = Record<string, unknown>;

/** They give names to schemas beside their pointers, so that a schema cannot be moved. */
const NAMING = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', 'id'];
/** Keywords that mean nothing in draft-07, and something in 2020-12. */
const LATER = [...KEYWORDS].flatMap(([name, { since }]) => (since?.startsWith('20') ? [name] : []));

/**
 * The same schema in the words that most hosts take, as `docs/hosts.md` lists them. It accepts the same values:
 *
 * - references to other parts are replaced by these,
 * - alternatives of constants and `const` become `enum`, lists of types become `anyOf`,
 * - draft-07 becomes 2020-12, and `$schema` is left out,
 * - an object at the root has `properties`.
 *
 * A schema stays as it is where that cannot be done for all of it, because moving a part changes what references mean.
 */
export function portable(schema: Readonly<Json>): Json {
  const result = rewritten(schema);
  if (result === undefined) return withoutCurrent(schema);
  const isBare = result['type'] === 'object' && result['properties'] === undefined;
  return isBare ? { ...result, properties: {} } : result;
}

function rewritten(schema: Json): Json | undefined {
  const draft = draftOf(schema);
  const isOld = draft === 'draft-06' || draft === 'draft-07';
  if (!isOld && draft !== '2020-12') return undefined;
  const parts = [...schemasIn(schema).keys()];
  if (parts.some((part) => NAMING.some((name) => typeof part[name] === 'string'))) return undefined;
  if (isOld && parts.some((part) => LATER.some((name) => name in part))) return undefined;
  const alone = inlined(schema, isOld);
  if (alone === undefined) return undefined;
  const { $schema: _, ...root } = alone;
  return respelled(isOld ? modernised(root) : root);
}

/** 2020-12 is what a schema without `$schema` means. */
function draftOf({ $schema }: Json): Draft | undefined {
  if ($schema === undefined) return '2020-12';
  return typeof $schema === 'string' ? draftNamed($schema) : undefined;
}

function withoutCurrent(schema: Json): Json {
  const { $schema: _, ...rest } = schema;
  return draftOf(schema) === '2020-12' ? rest : schema;
}
