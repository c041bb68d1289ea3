import { compile } from 'json-schema-to-typescript';
import type { Options } from 'json-schema-to-typescript';
import type { Protocol } from '../../ir/index.js';
import type { Definition, Node } from '../../../json-schema/index.js';
import { docComment } from '../comment.js';
import { formatDeclaration } from '../format/declaration.js';
import { bounded } from './bounds.js';
import type { Bounded } from './bounds.js';
import { relaxed } from './relax.js';
import { Placeholders, schemaOf } from './schema.js';
import type { Tuple } from './schema.js';

/** A placeholder for the definition's name, which json-schema-to-typescript would rewrite. */
const PLACEHOLDER = 'Definition';

const OPTIONS: Partial<Options> = {
  bannerComment: '',
  format: false,
  additionalProperties: false,
};

/** `types.ts`: every definition once, under its own name, in the order of names. */
export async function emitTypes({ definitions }: Protocol): Promise<string> {
  return await declarationsOf(typesOf(definitions).definitions);
}

/**
 * The definitions as TypeScript can express them. Every value that a definition accepts has its type. The values of
 * `objects` are objects, even if their schemas do not say so.
 */
export function typesOf(
  definitions: readonly Definition[],
  objects: ReadonlySet<string> = new Set(),
): Bounded {
  return bounded(relaxed(new Map(definitions.map((each) => [each.name, each])), objects));
}

/** The declarations of definitions that `typesOf` made. */
export async function declarationsOf(definitions: readonly Definition[]): Promise<string> {
  const declarations: string[] = [];
  for (const { name, node, description = node.description } of definitions) {
    // json-schema-to-typescript leaves @deprecated out of the comments of aliases.
    const lines = [...(node.deprecated ? ['@deprecated'] : []), description ?? ''];
    const declaration = `${docComment(lines.join('\n'))}export type ${name} = ${await print(node)}\n`;
    declarations.push(await formatDeclaration(declaration));
  }
  return declarations.join('\n');
}

/**
 * Writes a type for an alias, because values of an alias are assignable to `[key: string]: unknown` of
 * upstream's types, and values of an interface are not.
 */
async function print(node: Node): Promise<string> {
  const placeholders = new Placeholders(JSON.stringify(node));
  const text = await quietly(() => compile(schemaOf(node, placeholders), PLACEHOLDER, OPTIONS));
  const declaration = /^export (?:interface Definition \{$|type Definition = ?)/m.exec(text);
  if (!declaration) throw new Error('json-schema-to-typescript declared nothing');
  const isInterface = declaration[0].includes('interface');
  const type = text.slice(declaration.index + declaration[0].length).trimEnd();
  const tuples: string[] = [];
  for (const tuple of placeholders.tuples) tuples.push(await printTuple(tuple));
  return placeholders.restore(`${isInterface ? '{' : ''}${type}`, tuples);
}

/** json-schema-to-typescript prints its steps to stdout where VERBOSE is set, for example for another tool. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { VERBOSE } = process.env;
  delete process.env['VERBOSE'];
  try {
    return await work();
  } finally {
    if (VERBOSE !== undefined) process.env['VERBOSE'] = VERBOSE;
  }
}

async function printTuple({ items, required, rest }: Tuple): Promise<string> {
  const members: string[] = [];
  for (const [index, item] of items.entries()) {
    const type = await print(item);
    members.push(index < required ? type : `(${type})?`);
  }
  if (rest) members.push(`...(${await print(rest)})[]`);
  return `[${members.join(', ')}]`;
}
