import { NewLineKind, Node, Project, SyntaxKind } from 'ts-morph';
import type { ObjectLiteralExpression, SourceFile } from 'ts-morph';
import { checkSyntax, formattedLike, lineEndOf } from './edit.js';
import { ScaffoldError, SERVER_FILE } from './template.js';
import type { ToolTraits } from './tool-text.js';

/**
 * Adds to a server's declaration of capabilities what a tool needs, and returns the new text; the same text
 * when nothing is missing, or when the server declares nothing itself and so what its tools need.
 *
 * @throws {ScaffoldError} when the declaration cannot be changed, or the server must not ask users.
 */
export async function declareFor({ task, ask }: ToolTraits, text: string): Promise<string> {
  checkSyntax(SERVER_FILE, text);
  const newLineKind =
    lineEndOf(text) === '\n' ? NewLineKind.LineFeed : NewLineKind.CarriageReturnLineFeed;
  const manipulationSettings = { newLineKind };
  const project = new Project({ useInMemoryFileSystem: true, manipulationSettings });
  const file = project.createSourceFile('server.ts', text);
  if (ask) refuseUnidentified(file);
  const declared = declarationIn(file);
  if (declared === undefined) return text;
  if (task && !has(declared, ['ext']))
    add(declared, ['core', 'tasks', 'requests', 'tools', 'call']);
  if (ask) add(declared, ['asks', 'elicitation', 'form']);
  const changed = file.getFullText();
  return changed === text ? text : await formattedLike(text, changed);
}

/** A server that cannot identify its users may not ask them: anybody could answer. */
function refuseUnidentified(file: SourceFile): void {
  const isSet = (name: string): boolean =>
    file
      .getDescendantsOfKind(SyntaxKind.PropertyAssignment)
      .some((each) => each.getName() === name && each.getInitializer()?.getText() === 'true');
  if (!isSet('allowUnidentified') || isSet('allowUnidentifiedInput')) return;
  throw new ScaffoldError(
    `Tools of this server cannot ask users: ${SERVER_FILE} serves clients that it does not identify.`,
    `Make the server with --auth bearer or jwt, or set allowUnidentifiedInput: true in ${SERVER_FILE}.`,
  );
}

/** The object behind `capabilities:` of `createTaskServer`. */
function declarationIn(file: SourceFile): ObjectLiteralExpression | undefined {
  const call = file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .find((each) => each.getExpression().getText() === 'createTaskServer');
  const options = call?.getArguments()[0];
  if (!Node.isObjectLiteralExpression(options)) return undefined;
  const property = options.getProperty('capabilities');
  if (property === undefined) return undefined;
  const value = Node.isPropertyAssignment(property) ? property.getInitializer() : property;
  const name = Node.isShorthandPropertyAssignment(value) ? value.getName() : value?.getText();
  const object =
    objectIn(value) ?? objectIn(file.getVariableDeclaration(name ?? '')?.getInitializer());
  if (object) return object;
  throw new ScaffoldError(
    `Cannot find the capabilities that ${SERVER_FILE} declares.`,
    `Write them as an object in ${SERVER_FILE}.`,
  );
}

/** The object in `{…} as const satisfies T`. */
function objectIn(node: Node | undefined): ObjectLiteralExpression | undefined {
  if (Node.isObjectLiteralExpression(node)) return node;
  const wraps = Node.isAsExpression(node) || Node.isSatisfiesExpression(node);
  return wraps ? objectIn(node.getExpression()) : undefined;
}

function has(object: ObjectLiteralExpression, [name = '', ...rest]: readonly string[]): boolean {
  const property = object.getProperty(name);
  if (property === undefined || rest.length === 0) return property !== undefined;
  const inner = Node.isPropertyAssignment(property)
    ? objectIn(property.getInitializer())
    : undefined;
  return inner !== undefined && has(inner, rest);
}

function add(object: ObjectLiteralExpression, [name = '', ...rest]: readonly string[]): void {
  if (object.getProperty(name) === undefined) {
    object.addPropertyAssignment({ name, initializer: '{}' });
  }
  if (rest.length === 0) return;
  const property = object.getProperty(name);
  const inner = Node.isPropertyAssignment(property)
    ? objectIn(property.getInitializer())
    : undefined;
  if (inner) return add(inner, rest);
  throw new ScaffoldError(
    `Cannot add ${[name, ...rest].join('.')} to the capabilities that ${SERVER_FILE} declares.`,
    `Write ${name} as an object in ${SERVER_FILE}.`,
  );
}
