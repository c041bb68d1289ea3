import { referencesOf } from '../../../json-schema/index.js';
import type { Form } from './forms.js';

/**
 * Definitions after those that their schemas refer to, otherwise by name. A definition that is a reference alone waits
 * for its target also in a circle, because it has the type of the target, which a lazy schema does not have.
 */
export function dependencyOrder(definitions: readonly Form[]): Form[] {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const ordered = new Set<Form>();
  const started = new Set<string>();
  const waiting = new Map<Form, Form[]>();
  const add = (definition: Form): void => {
    const target = definition.said?.kind === 'ref' ? byName.get(definition.said.name) : undefined;
    if (target && target !== definition && !ordered.has(target)) {
      waiting.set(target, [...(waiting.get(target) ?? []), definition]);
      return;
    }
    ordered.add(definition);
    waiting.get(definition)?.forEach(add);
  };
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
      top.waiting ??= definition.said ? [...referencesOf(definition.said)] : [];
      const next = top.waiting.shift();
      if (next !== undefined) {
        stack.push({ name: next, waiting: undefined });
      } else {
        add(definition);
        stack.pop();
      }
    }
  }
  return [...ordered];
}
