import { dirname, join, normalize } from 'node:path/posix';
import ts from 'typescript';

/** Texts by path from the repository's root. */
export type Texts = ReadonlyMap<string, string>;

/** The specifiers of a file's imports. */
export function specifiersIn(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The specifiers of a file's type-only imports (`import type`, `export type … from`). */
export function typeSpecifiersIn(text: string): ReadonlySet<string> {
  const { statements } = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest);
  const types = new Set<string>();
  const values = new Set<string>();
  for (const each of statements) {
    if (ts.isImportDeclaration(each)) {
      add(each.moduleSpecifier, each.importClause?.isTypeOnly === true);
    } else if (ts.isExportDeclaration(each) && each.moduleSpecifier) {
      add(each.moduleSpecifier, each.isTypeOnly);
    }
  }
  return new Set([...types].filter((specifier) => !values.has(specifier)));

  function add(specifier: ts.Expression, isTypeOnly: boolean): void {
    if (ts.isStringLiteral(specifier)) (isTypeOnly ? types : values).add(specifier.text);
  }
}

/**
 * The file of a relative import, by its path from the repository's root. Where `files` has a component of this name
 * (`.tsx`), it is that one.
 */
export function targetOf(file: string, specifier: string, files?: Texts): string {
  const target = normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts');
  return files?.has(`${target}x`) === true ? `${target}x` : target;
}

/** Import cycles, each sorted. */
export function circlesIn(files: Texts): string[][] {
  const graph = new Map([...files].map(([file, text]) => [file, localImports(file, text, files)]));
  return stronglyConnected(graph).filter(
    ([first = '', ...others]) => others.length > 0 || graph.get(first)?.includes(first),
  );
}

/** The files that a file imports. */
export function localImports(file: string, text: string, files: Texts): string[] {
  return specifiersIn(text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => targetOf(file, specifier, files))
    .filter((target) => files.has(target));
}

/** Tarjan's algorithm. */
function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const components: string[][] = [];

  function visit(node: string): void {
    order.set(node, order.size);
    lowest.set(node, order.get(node) ?? 0);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) {
        lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0));
      }
    }
    if (lowest.get(node) === order.get(node)) {
      components.push(stack.splice(stack.indexOf(node)).sort());
    }
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return components;
}
