import { type Definitions, findProperty, literalsOf, type Node } from '../../json-schema/index.js';

/** The literals of a definition's `method`: usually one; none when it accepts anything else. */
export function methodsOf(node: Node, definitions: Definitions): string[] {
  const method = findProperty(node, 'method', definitions);
  const values = (method && literalsOf(method.node, definitions)) ?? [];
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === values.length ? texts : [];
}
