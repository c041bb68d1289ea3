import {
  type Definitions,
  type Node,
  type ObjectNode,
  resolve,
} from '../../../json-schema/index.js';
import { quoted } from '../format/layout.js';
import type { Imports } from '../imports.js';
import { awkwardProperties, plainType, plainTypeOf } from './field.js';
import { saidOf } from './forms.js';
import type { Form, Forms } from './forms.js';

/**
 * An explicit type, which `isolatedDeclarations` requires. `typed` are the definitions as `types.ts` has them. The type that
 * Zod infers from it is that of `types.ts`, also where a validator says more than the schema.
 */
export function annotationOf(
  { name, said }: Form,
  forms: Forms,
  typed: Definitions,
  imports: Imports,
): string {
  const target = said && saidOf(said, forms);
  const type = resolve({ kind: 'ref', name }, typed);
  const plain = target && plainType(target);
  if (plain !== undefined && plain === plainTypeOf(type, typed)) return plain;
  const parts = partsOf(type, typed);
  if (target?.kind !== 'object' || !parts.every(isObjectOrUnion)) return `z.ZodType<types.${name}>`;
  const awkward = awkwardProperties(target.properties, type, typed, (node) => {
    const own = saidOf(node, forms);
    return own && plainType(own);
  });
  const others = awkward.length > 0 ? `, ${awkward.map(quoted).join(' | ')}` : '';
  const object = `${imports.type('zod', OBJECT_TYPES[target.additional.kind])}<types.${name}${others}>`;
  if (parts.every((part) => isSaidBy(target, part))) return object;
  return `${imports.type('zod', 'TypedObject')}<${object}, types.${name}>`;
}

const OBJECT_TYPES = {
  unsaid: 'LooseObject',
  open: 'LooseObject',
  closed: 'StrictObject',
  typed: 'RecordObject',
} as const satisfies Record<ObjectNode['additional']['kind'], string>;

const isObjectOrUnion = ({ kind }: Node): boolean => kind === 'object' || kind === 'union';

/** What a type consists of, through references, intersections and unions. The unions are parts themselves. */
function partsOf(type: Node, typed: Definitions): Node[] {
  const parts = new Set<Node>();
  const waiting = [type];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const target = resolve(next, typed);
    if (parts.has(target)) continue;
    parts.add(target);
    if (target.kind === 'intersection' || target.kind === 'union') waiting.push(...target.members);
  }
  return [...parts].filter(({ kind }) => kind !== 'intersection');
}

/** Whether a part of a type says no more than the schema, whose type has index signatures by `additional` alone. */
function isSaidBy(schema: ObjectNode, part: Node): boolean {
  if (part.kind !== 'object') return false;
  const { properties, additional, hasProperties } = part;
  const names = new Set(schema.properties.map(({ name }) => name));
  const isEmpty = properties.length === 0 && hasProperties;
  return (
    OBJECT_TYPES[additional.kind] === OBJECT_TYPES[schema.additional.kind] &&
    properties.every(({ name }) => names.has(name)) &&
    // The type `object` has no index signature.
    !(isEmpty && OBJECT_TYPES[additional.kind] === 'LooseObject')
  );
}
