import { ts } from 'ts-morph';
import { applyEdits, formattedLike, insertImport, lineEndOf, parse } from './edit.js';
import type { Edit, Source } from './edit.js';
import type { Move } from './moves.js';

/** A place in the user's code that a new version of the runtime needs changed. */
export interface CodeChange {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** What is wrong, and what to do: one sentence. */
  readonly message: string;
  /** Whether `migrate` changes it. */
  readonly isFixed: boolean;
}

export interface Migration {
  readonly changes: readonly CodeChange[];
  /** The file with the changes that are safe. */
  readonly text: string;
}

/**
 * Finds what a file needs, and changes the imports and exports that name what has moved. A file that does not parse stays
 * as it is.
 */
export async function migrate(
  path: string,
  text: string,
  moves: readonly Move[],
): Promise<Migration> {
  const source = parse(text, path);
  const found = new Findings(path, source, moves);
  const edits = source.statements.flatMap((statement) => found.inStatement(statement));
  found.inUses();
  const changes = found.changes.sort((a, b) => a.line - b.line || a.column - b.column);
  if (edits.length === 0) return { changes, text };
  if (!parses(path, text)) {
    return { changes: changes.map((each) => ({ ...each, isFixed: false })), text };
  }
  return { changes, text: await formatted(path, text, applyEdits(text, edits)) };
}

function parses(fileName: string, text: string): boolean {
  const compilerOptions = { allowJs: true, jsx: ts.JsxEmit.Preserve };
  const options = { fileName, reportDiagnostics: true, compilerOptions };
  return ts.transpileModule(text, options).diagnostics?.length === 0;
}

/** Only TypeScript is formatted as ours. */
async function formatted(path: string, before: string, after: string): Promise<string> {
  return /\.[cm]?ts$/.test(path) ? await formattedLike(before, after) : after;
}

type Named = ts.ImportSpecifier | ts.ExportSpecifier;

class Findings {
  readonly changes: CodeChange[] = [];
  readonly #path: string;
  readonly #source: Source;
  readonly #moves: readonly Move[];

  constructor(path: string, source: Source, moves: readonly Move[]) {
    this.#path = path;
    this.#source = source;
    this.#moves = moves;
  }

  /** The edits for an import or export; what cannot be changed safely is only noted. */
  inStatement(statement: ts.Statement): Edit[] {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const module = textOf(statement.moduleSpecifier);
    if (module === undefined || !this.#isMoved(module)) return [];
    const bindings = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : statement.exportClause;
    if (bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) {
      return this.#inNames(statement, module, [...bindings.elements]);
    }
    if (bindings && ts.isNamespaceImport(bindings)) this.#inNamespace(module, bindings.name.text);
    if (ts.isExportDeclaration(statement)) this.#inStar(statement, module);
    return [];
  }

  #isMoved(module: string): boolean {
    return this.#moves.some((move) => move.module === module);
  }

  #moveOf(module: string, name: string): Move | undefined {
    return this.#moves.find((move) => move.module === module && move.name === name);
  }

  #inNames(
    statement: ts.ImportDeclaration | ts.ExportDeclaration,
    module: string,
    elements: readonly Named[],
  ): Edit[] {
    const moved = new Map<string, Named[]>();
    for (const element of elements) {
      const move = this.#moveOf(module, (element.propertyName ?? element.name).text);
      if (!move) continue;
      this.#note(element, move, move.to !== undefined);
      if (move.to !== undefined) moved.set(move.to, [...(moved.get(move.to) ?? []), element]);
    }
    const [[to = '', all = []] = []] = moved;
    if (moved.size === 1 && all.length === elements.length && isPlain(statement)) {
      return [specifierEdit(this.#source, statement, to)];
    }
    return [
      ...removals(this.#source, [...moved.values()].flat(), elements),
      ...[...moved].map(([target, names]) => this.#copyOf(statement, target, names)),
    ];
  }

  /** The same statement with these names alone and another module, behind it. */
  #copyOf(
    statement: ts.ImportDeclaration | ts.ExportDeclaration,
    target: string,
    names: readonly Named[],
  ): Edit {
    const source = this.#source;
    const list = `{ ${names.map((each) => each.getText(source)).join(', ')} }`;
    if (ts.isImportDeclaration(statement)) {
      const isType = statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
      return insertImport(source, `${isType ? 'type ' : ''}${list}`, target, statement);
    }
    const like = statement.getText(source);
    const quotes = statement.moduleSpecifier?.getText(source).slice(0, 1) ?? "'";
    const head = statement.isTypeOnly ? 'export type' : 'export';
    const end = like.endsWith(';') ? ';' : '';
    const text = `${lineEndOf(source.text)}${head} ${list} from ${quotes}${target}${quotes}${end}`;
    return { start: statement.end, end: statement.end, text };
  }

  /** `server.running` and, among types, `server.RunningServer`. */
  #inNamespace(module: string, local: string): void {
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAccessExpression(node) && isName(node.expression, local)) {
        this.#noteName(node.name, module);
      }
      if (ts.isQualifiedName(node) && isName(node.left, local)) this.#noteName(node.right, module);
      ts.forEachChild(node, visit);
    };
    visit(this.#source);
  }

  /** `export *` of a module exports what has moved no longer. */
  #inStar(statement: ts.ExportDeclaration, module: string): void {
    const names = this.#moves.filter((move) => move.module === module).map(({ name }) => name);
    const message = `${module} no longer exports ${names.join(', ')}, so this does not either: export what your code uses from where it is now.`;
    this.#add(statement, message, false);
  }

  /** `import('…')` and `require('…')`, as expressions and as types. */
  inUses(): void {
    const visit = (node: ts.Node): void => {
      const module = loadedBy(node);
      if (module !== undefined && this.#isMoved(module)) this.#inLoaded(node, module);
      ts.forEachChild(node, visit);
    };
    visit(this.#source);
  }

  #inLoaded(node: ts.Node, module: string): void {
    if (ts.isImportTypeNode(node)) {
      const { qualifier } = node;
      if (qualifier) this.#noteName(leftmost(qualifier), module);
      return;
    }
    const names = namesTaken(node);
    if (names) return names.forEach((name) => this.#noteName(name, module));
    const used = this.#moves.filter(
      (move) => move.module === module && new RegExp(`\\b${move.name}\\b`).test(this.#source.text),
    );
    if (used.length === 0) return;
    const message = `${module} no longer exports ${used.map(({ name }) => name).join(', ')}. ${adviceOf(used[0])}`;
    this.#add(node, message, false);
  }

  #noteName(name: ts.MemberName, module: string): void {
    const move = this.#moveOf(module, name.text);
    if (move) this.#note(name, move, false);
  }

  #note(node: ts.Node, move: Move, isFixed: boolean): void {
    this.#add(node, `${move.name} is no longer in ${move.module}. ${adviceOf(move)}`, isFixed);
  }

  #add(node: ts.Node, message: string, isFixed: boolean): void {
    const source = this.#source;
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
    this.changes.push({
      path: this.#path,
      line: line + 1,
      column: character + 1,
      message,
      isFixed,
    });
  }
}

function adviceOf(move: Move | undefined): string {
  return move?.to === undefined ? (move?.instead ?? '') : `Import it from ${move.to}.`;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function isName(node: ts.Node, text: string): boolean {
  return ts.isIdentifier(node) && node.text === text;
}

/** Without a default import beside the names. */
function isPlain(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  return ts.isExportDeclaration(statement) || statement.importClause?.name === undefined;
}

function specifierEdit(
  source: Source,
  { moduleSpecifier }: ts.ImportDeclaration | ts.ExportDeclaration,
  to: string,
): Edit {
  const start = (moduleSpecifier?.getStart(source) ?? 0) + 1;
  return { start, end: (moduleSpecifier?.end ?? 0) - 1, text: to };
}

/** The module of `import('…')`, `require('…')`, `import x = require('…')`, and of the type `import('…').Name`. */
function loadedBy(node: ts.Node): string | undefined {
  if (ts.isImportTypeNode(node)) {
    return ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined;
  }
  if (ts.isExternalModuleReference(node)) return textOf(node.expression);
  if (!ts.isCallExpression(node)) return undefined;
  const { expression } = node;
  const loads = expression.kind === ts.SyntaxKind.ImportKeyword || isName(expression, 'require');
  return loads ? textOf(node.arguments[0]) : undefined;
}

/** The names that the code takes from a loaded module, if it does so at once. */
function namesTaken(node: ts.Node): ts.Identifier[] | undefined {
  let outer = node.parent;
  while (ts.isAwaitExpression(outer) || ts.isParenthesizedExpression(outer)) outer = outer.parent;
  if (ts.isPropertyAccessExpression(outer) && ts.isIdentifier(outer.name)) return [outer.name];
  if (!ts.isVariableDeclaration(outer) || !ts.isObjectBindingPattern(outer.name)) return undefined;
  return outer.name.elements
    .map(({ propertyName, name }) => propertyName ?? name)
    .filter((each) => ts.isIdentifier(each));
}

function leftmost(name: ts.EntityName): ts.Identifier {
  return ts.isIdentifier(name) ? name : leftmost(name.left);
}

/** Takes names out of a list. Comments stay, and so do the lines of the other names. */
function removals(source: Source, removed: readonly Named[], all: readonly Named[]): Edit[] {
  const one = (name: Named): Edit => wholeLine(source, name) ?? inLine(source, name);
  const last = all.findLast((each) => !removed.includes(each));
  const tail = removed.filter((each) => last && each.pos >= last.end);
  const start = last?.end;
  const end = tail.at(-1)?.end;
  if (start === undefined || end === undefined) return removed.map(one);
  const between = source.text.slice(start, end);
  if (/[\n]|\/[/*]/.test(between)) return removed.map(one);
  // Behind the last name that stays, the comma before them goes instead of the comma behind.
  return [{ start, end, text: '' }, ...removed.filter((each) => !tail.includes(each)).map(one)];
}

/** A name that has its line to itself: the line. */
function wholeLine(source: Source, name: Named): Edit | undefined {
  const { text } = source;
  const start = text.lastIndexOf('\n', name.getStart(source)) + 1;
  const [rest] = /^[ \t]*,?[ \t]*\r?\n/.exec(text.slice(name.end)) ?? [];
  const isAlone = text.slice(start, name.getStart(source)).trim() === '' && rest !== undefined;
  return isAlone ? { start, end: name.end + rest.length, text: '' } : undefined;
}

function inLine(source: Source, name: Named): Edit {
  const [rest = ''] = /^[ \t]*,[ \t]*/.exec(source.text.slice(name.end)) ?? [];
  return { start: name.getStart(source), end: name.end + rest.length, text: '' };
}
