import type { Node, NumberNode } from '../model.js';
import { GROUPS } from './keywords.js';
import type { Values } from './values.js';

/** The values of one type that have no parts. */
export function scalarNode(
  type: 'null' | 'boolean' | 'number' | 'integer' | 'string',
  own: Values,
): Node {
  switch (type) {
    case 'null':
    case 'boolean':
      return { kind: type };
    case 'string': {
      if (!own.speaksOf(GROUPS.string)) return { kind: type };
      const written = own.text('pattern');
      const pattern = written === undefined ? undefined : own.pattern(written, 'pattern');
      return {
        kind: 'string',
        ...(own.format && { format: own.format }),
        ...(pattern !== undefined && { pattern }),
        ...own.numbers('minLength', 'maxLength'),
      };
    }
    case 'number':
    case 'integer':
      if (!own.speaksOf(GROUPS.number)) return { kind: 'number', integer: type === 'integer' };
      return {
        kind: 'number',
        integer: type === 'integer',
        ...bounds(own),
        ...own.numbers('multipleOf'),
      };
  }
}

const BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

type Bounds = Pick<NumberNode, (typeof BOUNDS)[number][number]>;

/** In draft-04 the exclusive one is a flag of the other. */
function bounds(own: Values): Bounds {
  const found: { -readonly [K in keyof Bounds]: Bounds[K] } = own.numbers(...BOUNDS.flat());
  for (const [inclusive, exclusive] of BOUNDS) {
    if (own.value(exclusive) !== true) continue;
    if (found[inclusive] !== undefined) found[exclusive] = found[inclusive];
    delete found[inclusive];
  }
  return found;
}
