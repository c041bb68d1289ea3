import type { Alternatives } from './alternatives.js';
import { definitionOf, referencedName } from './document.js';
import type { Schema, SchemaDocument } from './document.js';
import type { Json } from './json.js';
import { scalars, typesOrGuess } from './scalars.js';

/** A small value that the schema accepts, or undefined when there is none of finite depth. */
export type Smallest = (schema: Schema | boolean) => Json | undefined;

/** Ends on recursive definitions: a definition never stands within itself. */
export function smallestIn(document: SchemaDocument, alternatives: Alternatives): Smallest {
  const smallest = (schema: Schema | boolean, within: readonly string[]): Json | undefined => {
    for (const alternative of alternatives(schema)) {
      const value = smallestOf(alternative, within);
      if (value !== undefined) return value;
    }
    return undefined;
  };

  const smallestOf = (schema: Schema, within: readonly string[]): Json | undefined => {
    if (schema.$ref !== undefined) {
      const name = referencedName(schema.$ref);
      if (within.includes(name)) return undefined;
      return smallest(definitionOf(document, name), [...within, name]);
    }
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return schema.enum[0];
    const [type = 'any'] = typesOrGuess(schema);
    if (type === 'object') return smallestObject(schema, within);
    if (type === 'array') return smallestArray(schema, within);
    return scalars(schema, type)[0];
  };

  const smallestObject = (schema: Schema, within: readonly string[]): Json | undefined => {
    const members: [string, Json][] = [];
    for (const key of schema.required ?? []) {
      const child = schema.properties?.[key] ?? schema.additionalProperties ?? true;
      const value = smallest(child, within);
      if (value === undefined) return undefined;
      members.push([key, value]);
    }
    return Object.fromEntries(members);
  };

  const smallestArray = (
    { items = true, minItems = 0 }: Schema,
    within: readonly string[],
  ): Json | undefined => {
    if (minItems === 0) return [];
    const item = smallest(items, within);
    return item === undefined ? undefined : Array.from({ length: minItems }, () => item);
  };

  return (schema) => smallest(schema, []);
}
