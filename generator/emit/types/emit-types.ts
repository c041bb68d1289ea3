import { compile } from 'json-schema-to-typescript';
import type { Options } from 'json-schema-to-typescript';
import type { Definition, Protocol } from '../../ir/index.js';
import { formatDeclaration } from '../../format/declaration.js';
import { Names, schemaOf } from './schema.js';

/** A placeholder for the definition's name, which json-schema-to-typescript would rewrite. */
const PLACEHOLDER = 'Definition';

const OPTIONS: Partial<Options> = {
  bannerComment: '',
  format: false,
  additionalProperties: false,
};

/** `types.ts`: every definition once, under its own name, in the order of names. */
export async function emitTypes(protocol: Protocol): Promise<string> {
  const declarations: string[] = [];
  for (const definition of protocol.definitions) {
    declarations.push(await formatDeclaration(await declare(definition)));
  }
  return declarations.join('\n');
}

async function declare({ name, description, node }: Definition): Promise<string> {
  const names = new Names();
  const schema = schemaOf(description ? { ...node, description } : node, names);
  const text = await compile(schema, PLACEHOLDER, OPTIONS);
  return aliased(names.restore(text), name);
}

/**
 * Writes a type alias, because values of an alias are assignable to `[key: string]: unknown` of
 * upstream's types, and values of an interface are not.
 */
function aliased(text: string, name: string): string {
  const declaration = /^export (?:interface Definition \{$|type Definition = ?)/m.exec(text);
  if (!declaration) throw new Error(`json-schema-to-typescript declared nothing for ${name}`);
  const isInterface = declaration[0].includes('interface');
  const before = text.slice(0, declaration.index);
  const after = text.slice(declaration.index + declaration[0].length).trimEnd();
  return `${before}export type ${name} = ${isInterface ? '{' : ''}${after}\n`;
}
