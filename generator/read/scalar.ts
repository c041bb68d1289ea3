import type { Node } from '../ir/index.js';
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
      return {
        kind: 'number',
        integer: type === 'integer',
        ...own.numbers('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'),
      };
  }
}
