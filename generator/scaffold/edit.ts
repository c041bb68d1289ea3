import { ts } from 'ts-morph';
import { formatTypeScript } from '../emit/format/format.js';
import { ScaffoldError } from './template.js';

/** Replaces the text between two offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type Source = ts.SourceFile;

export function parse(text: string, fileName = 'source.ts'): Source {
  return ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
}

/** @throws {ScaffoldError} for a file of the user that does not parse. */
export function checkSyntax(file: string, text: string): void {
  const [flaw] = ts.transpileModule(text, { reportDiagnostics: true }).diagnostics ?? [];
  if (!flaw) return;
  const line = text.slice(0, flaw.start).split('\n').length;
  const what = ts.flattenDiagnosticMessageText(flaw.messageText, ' ');
  throw new ScaffoldError(
    `${file} has a syntax error in line ${String(line)}: ${what}`,
    'Correct it, and run the command again.',
  );
}

/** Applies edits of which none overlap. Insertions at one offset stand in the order in which they are given. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .reverse()
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((all, { start, end, text: put }) => all.slice(0, start) + put + all.slice(end), text);
}

function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/** An array or an object that a member is added to. */
export type Container = ts.ArrayLiteralExpression | ts.ObjectLiteralExpression;

/** A last member, on a line of its own where the others are, and with a trailing comma where they have one. */
export function insertMember(source: Source, container: Container, text: string): Edit[] {
  const members = ts.isArrayLiteralExpression(container)
    ? container.elements
    : container.properties;
  const last = members.at(-1);
  if (!last) {
    const spaced = ts.isArrayLiteralExpression(container) ? text : ` ${text} `;
    return [insertion(container.getStart(source) + 1, spaced)];
  }
  const comma = members.hasTrailingComma;
  // Comments stay on the lines of their members.
  const end = endWithComments(source, members.end);
  const separator = comma ? [] : [insertion(last.end, ',')];
  if (!source.text.slice(end, container.end).includes('\n')) {
    const at = comma ? members.end : last.end;
    return [insertion(at, `${comma ? '' : ','} ${text}${comma ? ',' : ''}`)];
  }
  const [indent = ''] = /^[ \t]*/.exec(lineOf(source, last.getStart(source))) ?? [];
  const line = `${lineEndOf(source.text)}${indent}${text}${comma ? ',' : ''}`;
  return [...separator, insertion(end, line)];
}

/** An import after the last one, or after another, written like it. */
export function insertImport(
  source: Source,
  names: string,
  specifier: string,
  last = source.statements.filter(ts.isImportDeclaration).at(-1),
): Edit {
  const like = (last ?? source.statements.at(-1))?.getText(source) ?? "';";
  const quotes = last && like.includes('"') ? '"' : "'";
  const line = `import ${names} from ${quotes}${specifier}${quotes}${like.endsWith(';') ? ';' : ''}`;
  const end = lineEndOf(source.text);
  if (last) return insertion(endWithComments(source, last.end), end + line);
  const [head = ''] = /^\uFEFF?(?:#![^\n]*\n)?/.exec(source.text) ?? [];
  return insertion(head.length, line + end);
}

/** The offset after the comments that follow on the same line. */
function endWithComments(source: Source, end: number): number {
  return ts.getTrailingCommentRanges(source.text, end)?.at(-1)?.end ?? end;
}

function lineOf(source: Source, offset: number): string {
  return source.text.slice(source.text.lastIndexOf('\n', offset - 1) + 1, offset);
}

/** A changed file: formatted when it was so before, otherwise as it is, so that nothing else changes. */
export async function formattedLike(before: string, after: string): Promise<string> {
  return (await formatTypeScript(before)) === before ? await formatTypeScript(after) : after;
}

/** The end of the lines of a file. */
export function lineEndOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
