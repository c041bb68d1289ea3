import { recursiveNames } from './graph.js';
import type { Definition, Node } from './model.js';

/**
 * The definitions that refer to themselves without an object or array in between. No value can be checked
 * against one, and TypeScript refuses it.
 */
export function circularDefinitions(definitions: ReadonlyMap<string, Definition>): Set<string> {
  return recursiveNames(
    new Map([...definitions].map(([name, { node }]) => [name, directReferences(node)])),
  );
}

function directReferences(node: Node): string[] {
  switch (node.kind) {
    case 'ref':
      return [node.name];
    case 'union':
    case 'intersection':
    case 'exclusive':
      return node.members.flatMap(directReferences);
    case 'not':
    case 'unevaluated':
      return directReferences(node.node);
    case 'conditional':
      return [node.if, node.then, node.else].flatMap(directReferences);
    default:
      return [];
  }
}
