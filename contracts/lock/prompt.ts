import type { JsonValue } from '../../json-schema/index.js';
import { isObject } from '../../json-schema/json.js';
import type { At, Change } from './change.js';
import type { Sent } from './model.js';
import { schemaChanges } from './schemas.js';
import { own, textChange } from './texts.js';
import { below } from './tool.js';

export function comparePrompts(before: Sent, after: Sent, at: At): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const place = below(at, 'arguments');
  return [
    ...schemaChanges('input', asSchema(before), asSchema(after), place).map((change) =>
      // The arguments of a prompt are a list, in which a pointer into a schema leads nowhere.
      ({ ...change, pointer: place.pointer }),
    ),
    ...[...keys]
      .filter((key) => key !== 'name' && key !== 'arguments')
      .flatMap((key) => textChange(below(at, key), key, own(before, key), own(after, key))),
  ];
}

/** The arguments of a prompt, which are texts, as JSON Schema. */
function asSchema({ arguments: list = [] }: Sent): JsonValue {
  const entries = (Array.isArray(list) ? list : []).filter(isObject);
  const named = entries.flatMap((entry): [string, JsonValue][] => {
    const { name, required: _, ...texts } = entry;
    return typeof name === 'string' ? [[name, { ...annotated(texts), type: 'string' }]] : [];
  });
  const required = entries
    .filter((entry) => entry['required'] === true)
    .map(({ name }) => name ?? '');
  return { type: 'object', properties: Object.fromEntries(named), required };
}

/** Texts under names that no keyword of JSON Schema has. */
function annotated(texts: { readonly [key: string]: JsonValue }): { [key: string]: JsonValue } {
  const known = ['title', 'description'];
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [known.includes(key) ? key : `x-${key}`, value]),
  );
}
