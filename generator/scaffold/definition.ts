import { ts } from 'ts-morph';
import type { Source } from './edit.js';

const MAKERS = ['defineServer', 'createTaskServer'];

/** The object that a server's source passes to `defineServer` or `createTaskServer`. */
export function definitionIn(source: Source): ts.ObjectLiteralExpression | undefined {
  const [argument] =
    find(source, (node): node is ts.CallExpression => isCallOf(node, MAKERS))?.arguments ?? [];
  return argument && objectOf(source, argument);
}

/** A call of one of these functions, by the name under which the file imports it. */
export function isCallOf(node: ts.Node, names: readonly string[]): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    names.includes(importedAs(node.getSourceFile(), node.expression.text))
  );
}

/** The exported name of what the file imports under another: `import { http as web }`. */
function importedAs(source: Source, local: string): string {
  const elements = source.statements
    .filter(ts.isImportDeclaration)
    .flatMap(({ importClause }) => importClause?.namedBindings ?? [])
    .flatMap((bindings) => (ts.isNamedImports(bindings) ? [...bindings.elements] : []));
  return elements.find(({ name }) => name.text === local)?.propertyName?.text ?? local;
}

/** The value of a property: what stands behind the colon, or the variable of a shorthand. */
export function valueOf(
  object: ts.ObjectLiteralExpression,
  name: string,
): ts.Expression | undefined {
  for (const each of object.properties) {
    if (!each.name || !('text' in each.name) || each.name.text !== name) continue;
    if (ts.isPropertyAssignment(each)) return each.initializer;
    if (ts.isShorthandPropertyAssignment(each)) return each.name;
  }
  return undefined;
}

/** The object behind `{…} as const satisfies T`, parentheses and the name of a variable. */
export function objectOf(
  source: Source,
  node: ts.Expression,
): ts.ObjectLiteralExpression | undefined {
  const literal = literalOf(source, node);
  return literal && ts.isObjectLiteralExpression(literal) ? literal : undefined;
}

/** The same for an array. */
export function arrayOf(
  source: Source,
  node: ts.Expression,
): ts.ArrayLiteralExpression | undefined {
  const literal = literalOf(source, node);
  return literal && ts.isArrayLiteralExpression(literal) ? literal : undefined;
}

/** What an exported variable is, also when it is exported under another name than its own. */
export function exported(source: Source, name: string): ts.Expression | undefined {
  for (const statement of source.statements) {
    const { exportClause, moduleSpecifier } = ts.isExportDeclaration(statement)
      ? statement
      : { exportClause: undefined, moduleSpecifier: undefined };
    if (!exportClause || moduleSpecifier || !ts.isNamedExports(exportClause)) continue;
    const found = exportClause.elements.find((each) => each.name.text === name);
    if (found) return variable(source, (found.propertyName ?? found.name).text);
  }
  return variable(source, name);
}

function literalOf(
  source: Source,
  node: ts.Expression,
  seen: readonly string[] = [],
): ts.Expression | undefined {
  const inner = unwrapped(node);
  if (!ts.isIdentifier(inner)) return inner;
  // `const a = b, b = a` compiles only with errors, but must not hang.
  if (seen.includes(inner.text)) return undefined;
  const value = variable(source, inner.text);
  return value && literalOf(source, value, [...seen, inner.text]);
}

function unwrapped(node: ts.Expression): ts.Expression {
  const wraps =
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isTypeAssertionExpression(node);
  return wraps ? unwrapped(node.expression) : node;
}

function variable(source: Source, name: string): ts.Expression | undefined {
  return source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find((each) => ts.isIdentifier(each.name) && each.name.text === name)?.initializer;
}

/** Every name that a file declares or imports at its top. */
export function topNames(source: Source): Set<string> {
  const names = new Set<string>();
  const bind = (name: ts.Node | undefined): void => {
    if (!name) return;
    if (ts.isIdentifier(name)) names.add(name.text);
    else if (ts.isBindingElement(name)) bind(name.name);
    else ts.forEachChild(name, bind);
  };
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      bind(statement.importClause?.name);
      const bindings = statement.importClause?.namedBindings;
      if (bindings && ts.isNamespaceImport(bindings)) bind(bindings.name);
      else bindings?.elements.forEach(({ name }) => bind(name));
    } else if (ts.isVariableStatement(statement)) {
      statement.declarationList.declarations.forEach(({ name }) => bind(name));
    } else if ('name' in statement) {
      bind(statement.name as ts.Node | undefined);
    }
  }
  return names;
}

/** The first node, in the order of the text. */
export function find<T extends ts.Node>(
  node: ts.Node,
  matches: (each: ts.Node) => each is T,
): T | undefined {
  if (matches(node)) return node;
  return ts.forEachChild(node, (child) => find(child, matches));
}
