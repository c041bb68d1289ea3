import { ts } from 'ts-morph';
import { parse } from './edit.js';
import type { Source } from './edit.js';

/** The names that one statement wants of a module; `all` when there is no telling. */
export interface Demand {
  readonly specifier: ts.StringLiteral;
  readonly names: readonly string[] | 'all';
}

/** What a module imports and passes on. */
export function demandsOf(source: Source): Demand[] {
  const demands: Demand[] = [];
  const visit = (node: ts.Node): void => {
    const demand = demandOf(node);
    if (demand) demands.push(demand);
    if (inside || node === source) ts.forEachChild(node, visit);
  };
  // Elsewhere than at the top there can only be imports by call, or of a type.
  const inside = source.text.includes('import(');
  visit(source);
  return demands;
}

function demandOf(node: ts.Node): Demand | undefined {
  if (ts.isImportDeclaration(node)) return demand(node.moduleSpecifier, namesImported(node));
  if (ts.isExportDeclaration(node)) return demand(node.moduleSpecifier, namesExported(node));
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return demand(node.argument.literal, 'all');
  }
  const dynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return dynamic ? demand(node.arguments[0], 'all') : undefined;
}

function demand(specifier: ts.Node | undefined, names: Demand['names']): Demand | undefined {
  return specifier && ts.isStringLiteral(specifier) ? { specifier, names } : undefined;
}

function namesImported({ importClause }: ts.ImportDeclaration): Demand['names'] {
  const bindings = importClause?.namedBindings;
  if (!importClause || importClause.name || !bindings || !ts.isNamedImports(bindings)) return 'all';
  return bindings.elements.map(nameThere);
}

function namesExported({ exportClause }: ts.ExportDeclaration): Demand['names'] {
  if (!exportClause || !ts.isNamedExports(exportClause)) return 'all';
  return exportClause.elements.map(nameThere);
}

/** Of `a as b`: `a`, as the module says it. */
export function nameThere(node: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (node.propertyName ?? node.name).text;
}

/** A module that only passes on what others export: of it, only what is asked for is of interest. */
export function isBarrel({ statements }: Source): boolean {
  return (
    statements.length > 0 &&
    statements.every((each) => ts.isExportDeclaration(each) && each.moduleSpecifier !== undefined)
  );
}

/** Packages that a text imports. */
export function packagesIn(text: string): string[] {
  return packagesOf(demandsOf(parse(text)));
}

export function packagesOf(demands: readonly Demand[]): string[] {
  const specifiers = demands.map(({ specifier }) => specifier.text);
  return specifiers.filter((it) => !isRelative(it)).flatMap(packageOf);
}

export function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}

/** The package that an import is from: none for a module of Node.js. */
function packageOf(specifier: string): string[] {
  if (specifier.startsWith('node:')) return [];
  return [
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
  ];
}
