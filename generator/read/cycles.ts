import type { Definition, Node } from '../ir/index.js';

/**
 * The definitions that refer to themselves without an object or array in between. No value can be checked
 * against one, and TypeScript refuses it.
 */
export function circularDefinitions(definitions: ReadonlyMap<string, Definition>): Set<string> {
  const direct = new Map(
    [...definitions].map(([name, { node }]) => [name, directReferences(node)]),
  );
  const circular = new Set<string>();
  for (const name of direct.keys()) {
    if (reaches(name, name, direct)) circular.add(name);
  }
  return circular;
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

function reaches(
  from: string,
  goal: string,
  edges: ReadonlyMap<string, readonly string[]>,
): boolean {
  const waiting = [...(edges.get(from) ?? [])];
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === goal) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...(edges.get(next) ?? []));
  }
  return false;
}
