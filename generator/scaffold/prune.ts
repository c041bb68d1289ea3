import { ts } from 'ts-morph';
import { applyEdits, cutLines, cutMember, parse } from './edit.js';
import type { Edit, Source } from './edit.js';

/**
 * Removes unused imported names, and imports without a used name. Any occurrence of a name counts as a
 * use, so no needed import is removed.
 */
export function pruneImports(text: string): string {
  const source = parse(text);
  const used = identifiersIn(source);
  const edits = source.statements.flatMap((each) =>
    ts.isImportDeclaration(each) ? editsOf(source, each, used) : [],
  );
  return applyEdits(text, edits);
}

function editsOf(
  source: Source,
  declaration: ts.ImportDeclaration,
  used: ReadonlySet<string>,
): Edit[] {
  const clause = declaration.importClause;
  // An import without names is kept for its effect.
  if (!clause) return [];
  const { name, namedBindings: bindings } = clause;
  const names = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
  const locals = [...(name ? [name] : []), ...namesOf(bindings)].map((each) => each.text);
  if (locals.every((local) => !used.has(local))) {
    return [cutLines(source, declaration)];
  }
  return names.filter((each) => !used.has(each.name.text)).map((each) => cutMember(source, each));
}

function namesOf(bindings: ts.NamedImportBindings | undefined): ts.Identifier[] {
  if (!bindings) return [];
  return ts.isNamespaceImport(bindings)
    ? [bindings.name]
    : bindings.elements.map(({ name }) => name);
}

/** Identifiers outside imports, except member names after a dot. */
function identifiersIn(source: Source): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) && !isMemberName(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isMemberName(node: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
}
