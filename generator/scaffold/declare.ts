import { ts } from 'ts-morph';
import { definitionIn, find, isCallOf, objectOf, valueOf } from './definition.js';
import { applyEdits, checkSyntax, formattedLike, insertMember, parse } from './edit.js';
import type { Edit, Source } from './edit.js';
import { ScaffoldError } from './template.js';
import type { ToolTraits } from './tool-text.js';

/**
 * Adds to a server's declaration of capabilities what a tool needs, and returns the new text; the same text
 * when nothing is missing, or when the server declares nothing itself and so what its tools need.
 *
 * @throws {ScaffoldError} when the declaration cannot be changed, or the server must not ask users.
 */
export async function declareFor(
  { task, ask }: ToolTraits,
  file: string,
  text: string,
): Promise<string> {
  checkSyntax(file, text);
  if (ask) refuseUnidentified(file, text);
  const paths = [
    ...(task ? [['core', 'tasks', 'requests', 'tools', 'call']] : []),
    ...(ask ? [['asks', 'elicitation', 'form']] : []),
  ];
  // One at a time, because an object may get several members.
  const changed = paths.reduce((before, path) => withPath(file, before, path), text);
  return changed === text ? text : await formattedLike(text, changed);
}

function withPath(file: string, text: string, path: readonly string[]): string {
  const source = parse(text, file);
  const declared = declarationIn(file, source);
  if (!declared || (path[0] === 'core' && valueOf(declared, 'ext'))) return text;
  return applyEdits(text, add(file, source, declared, path));
}

/**
 * A server that cannot identify its users may not ask them: anybody could answer.
 *
 * @throws {ScaffoldError}
 */
function refuseUnidentified(file: string, text: string): void {
  const source = parse(text, file);
  const isOpen =
    (isSet(source, 'allowUnidentified') || find(source, isOpenHttp) !== undefined) &&
    !isSet(source, 'allowUnidentifiedInput');
  if (!isOpen) return;
  throw new ScaffoldError(
    `Tools of this server cannot ask users: ${file} serves clients that it does not identify.`,
    `Make the server with --auth bearer or jwt, or set allowUnidentifiedInput: true in ${file}.`,
  );
}

function isSet(source: Source, name: string): boolean {
  const isProperty = (node: ts.Node): node is ts.PropertyAssignment =>
    ts.isPropertyAssignment(node) &&
    ts.isIdentifier(node.name) &&
    node.name.text === name &&
    node.initializer.kind === ts.SyntaxKind.TrueKeyword;
  return find(source, isProperty) !== undefined;
}

/** `http()` of the program entry without authorization. */
function isOpenHttp(node: ts.Node): node is ts.CallExpression {
  if (!isCallOf(node, ['http'])) return false;
  const source = node.getSourceFile();
  if (!source.text.includes('@mcp-codegen/runtime/program')) return false;
  const [argument] = node.arguments;
  if (!argument) return true;
  const options = objectOf(source, argument);
  if (!options || options.properties.some(ts.isSpreadAssignment)) return false;
  return !valueOf(options, 'auth') && !valueOf(options, 'identify');
}

/** The object behind `capabilities:`. */
function declarationIn(file: string, source: Source): ts.ObjectLiteralExpression | undefined {
  const definition = definitionIn(source);
  const value = definition && valueOf(definition, 'capabilities');
  if (!value) return undefined;
  const object = objectOf(source, value);
  if (object) return object;
  throw new ScaffoldError(
    `Cannot find the capabilities that ${file} declares.`,
    `Write them as an object in ${file}.`,
  );
}

/** Adds what is missing of a path of properties, whose last is an empty object. */
function add(
  file: string,
  source: Source,
  object: ts.ObjectLiteralExpression,
  [name = '', ...rest]: readonly string[],
): Edit[] {
  const value = valueOf(object, name);
  if (!value) {
    const inner = rest.reduceRight((text, each) => `{ ${each}: ${text} }`, '{}');
    return insertMember(source, object, `${name}: ${inner}`);
  }
  if (rest.length === 0) return [];
  const next = objectOf(source, value);
  if (next) return add(file, source, next, rest);
  throw new ScaffoldError(
    `Cannot add ${[name, ...rest].join('.')} to the capabilities that ${file} declares.`,
    `Write ${name} as an object in ${file}.`,
  );
}
