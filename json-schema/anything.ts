import type { Node } from './model.js';

/** Every value, one type after another: what a schema accepts that says nothing. */
export const ANYTHING: Node = {
  kind: 'union',
  members: [
    { kind: 'null' },
    { kind: 'boolean' },
    { kind: 'number', integer: false },
    { kind: 'string' },
    { kind: 'array', items: { kind: 'any' } },
    { kind: 'object', properties: [], additional: { kind: 'unsaid' }, hasProperties: false },
  ],
};
