import { mapNode } from '../../ir/index.js';
import type { Node } from '../../ir/index.js';
import type { Form } from './forms.js';

/** Definitions after those that their schemas refer to, otherwise by name. */
export function dependencyOrder(definitions: readonly Form[]): Form[] {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const ordered = new Set<Form>();
  const started = new Set<string>();
  for (const { name } of definitions) {
    // An explicit stack, because an untrusted schema decides the length of a chain of references.
    const stack = [{ name, waiting: undefined as string[] | undefined }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const definition = byName.get(top.name);
      if (!definition || (top.waiting === undefined && started.has(top.name))) {
        stack.pop();
        continue;
      }
      started.add(top.name);
      top.waiting ??= definition.said ? referencesOf(definition.said) : [];
      const next = top.waiting.shift();
      if (next !== undefined) {
        stack.push({ name: next, waiting: undefined });
      } else {
        ordered.add(definition);
        stack.pop();
      }
    }
  }
  return [...ordered];
}

function referencesOf(node: Node): string[] {
  const names: string[] = [];
  mapNode(node, (inner) => {
    if (inner.kind === 'ref') names.push(inner.name);
    return inner;
  });
  return names;
}
