import { resolve } from '../../ir/index.js';
import type { Definitions, ObjectNode } from '../../ir/index.js';
import { quoted } from '../format/layout.js';
import type { Imports } from '../imports.js';
import { awkwardProperties, plainType } from './field.js';
import { saidOf } from './forms.js';
import type { Form, Forms } from './forms.js';

/** An explicit type, which `isolatedDeclarations` requires. `typed` are the definitions as `types.ts` has them. */
export function annotationOf(
  { name, said }: Form,
  forms: Forms,
  typed: Definitions,
  imports: Imports,
): string {
  const target = said && saidOf(said, forms);
  const plain = target && plainType(target);
  if (plain !== undefined) return plain;
  if (target?.kind !== 'object') return `z.ZodType<types.${name}>`;
  const type = resolve({ kind: 'ref', name }, typed);
  const awkward = awkwardProperties(target.properties, type, typed, (node) => {
    const own = saidOf(node, forms);
    return own && plainType(own);
  });
  const others = awkward.length > 0 ? `, ${awkward.map(quoted).join(' | ')}` : '';
  return `${imports.type('zod', OBJECT_TYPES[target.additional.kind])}<types.${name}${others}>`;
}

const OBJECT_TYPES = {
  unsaid: 'LooseObject',
  open: 'LooseObject',
  closed: 'StrictObject',
  typed: 'RecordObject',
} as const satisfies Record<ObjectNode['additional']['kind'], string>;
