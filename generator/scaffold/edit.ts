import { ts } from 'ts-morph';
import { formatTypeScript } from '../format/format.js';
import { ScaffoldError } from './template.js';

/** Replaces the text between two offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type Source = ts.SourceFile;

export function parse(text: string): Source {
  return ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
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

/** Applies edits of which none overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((all, { start, end, text: put }) => all.slice(0, start) + put + all.slice(end), text);
}

/** The offset after a member of a list and after its comma. */
export function endOfMember(source: Source, node: ts.Node): number {
  const comma = /^\s*,/.exec(source.text.slice(node.end));
  return node.end + (ts.isStatement(node) || comma === null ? 0 : comma[0].length);
}

/** Removes a statement and the end of its line. */
export function cutLines(source: Source, node: ts.Statement): Edit {
  const rest = /^[ \t]*\n/.exec(source.text.slice(node.end));
  return { start: node.getStart(source), end: node.end + (rest?.[0].length ?? 0), text: '' };
}

/** Removes a member of a list with its comments and comma. */
export function cutMember(source: Source, node: ts.Node): Edit {
  return { start: node.getFullStart(), end: endOfMember(source, node), text: '' };
}

/** The start of a node, with the comments on the lines above it. */
export function startWithComments(source: Source, node: ts.Node): number {
  const [first] = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [];
  return first?.pos ?? node.getStart(source);
}

/** Every comment between the token before a node and the node. */
export function commentsBefore(source: Source, node: ts.Node): ts.CommentRange[] {
  const at = node.getFullStart();
  return [
    // At the start of a file the two overlap.
    ...(at === 0 ? [] : (ts.getTrailingCommentRanges(source.text, at) ?? [])),
    ...(ts.getLeadingCommentRanges(source.text, at) ?? []),
  ];
}

/** A changed file: formatted when it was so before, otherwise as it is, so that nothing else changes. */
export async function formattedLike(before: string, after: string): Promise<string> {
  return (await formatTypeScript(before)) === before ? await formatTypeScript(after) : after;
}

/** The end of the lines of a file. */
export function lineEndOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
