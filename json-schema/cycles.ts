import { recursiveNames } from './graph.js';
import { partsForSameValue } from './lookup.js';
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

/** The definitions that a node refers to for the same value, also in negations and conditions. */
export function directReferences(node: Node): string[] {
  if (node.kind === 'ref') return [node.name];
  return partsForSameValue(node).flatMap(directReferences);
}
