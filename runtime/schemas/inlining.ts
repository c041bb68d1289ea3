import { isAnnotation } from '../../json-schema/index.js';
import { isObject } from '../peer/wire/json.js';
import { mapParts } from './keywords.js';
import { targetOf } from './pointers.js';

type Json = Record<string, unknown>;

/** Schemas in one schema. Beyond it, references stay: each could double it. */
const MOST_NODES = 5_000;
/** Schemas around a schema. Deeper messages are refused by peers. */
const MOST_LEVELS = 100;

/**
 * The schema with references replaced by what they lead to in the schema as it is written, and so without definitions.
 * Undefined where a reference cannot be replaced: in a schema that contains itself, that would become huge, or that has
 * keywords beside the reference which cannot be joined with those of its target.
 *
 * @param isOld whether it is of draft-07, where nothing beside a reference counts.
 */
export function inlined(root: Json, isOld: boolean): Json | undefined {
  let nodes = 0;
  let isPossible = true;

  function inline(schema: Json, around: readonly unknown[], level: number): Json {
    nodes += 1;
    isPossible &&= nodes <= MOST_NODES && level <= MOST_LEVELS;
    if (!isPossible) return schema;
    const { $ref, $defs: _, definitions: __, ...own } = schema;
    if ($ref === undefined) return mapParts(own, (part) => inline(part, around, level + 1));
    const target = targetOf($ref, root);
    const isFound = isObject(target) && !around.includes(target);
    const result = isFound ? inline(target, [...around, target], level + 1) : undefined;
    // Lists have the type at the root, because every revision asks for it.
    const isAsked = schema === root && own['type'] === 'object';
    const both = result && joined(result, isOld && !isAsked ? withoutChecks(own) : own);
    isPossible &&= both !== undefined;
    return both ?? schema;
  }

  const result = inline(root, [root], 0);
  return isPossible ? result : undefined;
}

/** What a schema and the keywords beside a reference to it say together. Undefined if that is not sure. */
function joined(target: Json, beside: Json): Json | undefined {
  const { type, $schema, ...rest } = beside;
  if (!Object.keys(rest).every(isAnnotation)) return undefined;
  const { type: own = type } = target;
  const isInList = Array.isArray(own) && own.includes(type);
  const isSame = type === undefined || own === type || isInList;
  if (!isSame) return undefined;
  return {
    ...($schema !== undefined && { $schema }),
    ...(own !== undefined && { type: type ?? own }),
    ...target,
    ...(type !== undefined && { type }),
    ...rest,
  };
}

function withoutChecks(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => isAnnotation(keyword)));
}
