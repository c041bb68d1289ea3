import { ts } from 'ts-morph';
import { quote } from '../../json-schema/text.js';
import { arrayOf, definitionIn, exported, topNames, valueOf } from './definition.js';
import {
  applyEdits,
  checkSyntax,
  formattedLike,
  insertImport,
  insertMember,
  parse,
} from './edit.js';
import type { Edit, Source } from './edit.js';
import { ScaffoldError } from './template.js';

/** What a server's project lists. */
export type ListName = 'tools' | 'resources' | 'prompts';

export interface Registration {
  /** The path and the text of the user's file. */
  readonly file: string;
  readonly text: string;
  readonly list: ListName;
  /** The module to import, from the file: `./tools/look-up.js`. */
  readonly module: string;
  /** The name that it exports. */
  readonly local: string;
}

/**
 * Adds what a module exports to the user's list: to the exported array of that name, or to the array in the server's
 * definition, which gets one when it has none. A file that is formatted as ours stays so; in any other, nothing else
 * changes. Returns the same text when the file imports the module already.
 *
 * @throws {ScaffoldError} for a file that does not parse or has no such list, and for a name that is taken in it.
 */
export async function register(registration: Registration): Promise<string> {
  const { file, text, module, local } = registration;
  checkSyntax(file, text);
  const source = parse(text, file);
  const imports = source.statements.filter(ts.isImportDeclaration);
  const isImported = imports.some(
    ({ moduleSpecifier: from }) => ts.isStringLiteral(from) && from.text === module,
  );
  if (isImported) return text;
  if (topNames(source).has(local)) {
    throw new ScaffoldError(
      `${file} already uses the name ${quote(local)} for something else.`,
      'Choose another name.',
    );
  }
  const edits = memberOf(source, registration);
  const added = applyEdits(text, [...edits, insertImport(source, `{ ${local} }`, module)]);
  return await formattedLike(text, added);
}

/** Whether a file has the list, or the definition of a server that can have it. */
export function hasList(text: string | undefined, list: ListName): text is string {
  if (text === undefined) return false;
  const source = parse(text);
  return exported(source, list) !== undefined || definitionIn(source) !== undefined;
}

function memberOf(source: Source, { file, list, local }: Registration): Edit[] {
  const value = exported(source, list);
  const array = value && arrayOf(source, value);
  if (array) return insertMember(source, array, local);
  const definition = definitionIn(source);
  const given = definition && valueOf(definition, list);
  const inner = given && arrayOf(source, given);
  if (inner) return insertMember(source, inner, local);
  if (definition && !given) return insertMember(source, definition, `${list}: [${local}]`);
  throw new ScaffoldError(
    `${file} has no array named ${list}.`,
    `Add to ${file}: export const ${list} = [];`,
  );
}
