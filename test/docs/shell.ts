import type { Snippet } from './snippets.js';

/** Commands of a page, and what they print. */
export interface ShellBlock {
  readonly place: string;
  readonly steps: readonly Step[];
  /** Why no test runs the block: the words after `not-run:`. */
  readonly reason?: string;
}

/** Lines for one shell, which ends at the first that fails unless `mayFail`. */
export interface Step {
  readonly script: string;
  /** The last lines of its output; a line `...` stands for any lines. */
  readonly printed?: string;
  /** A line of a transcript may fail, because its output is compared, and includes messages. */
  readonly mayFail: boolean;
}

/** `sh` blocks, each with the output that follows, and `console` blocks, which contain both. */
export function shellBlocksIn(snippets: readonly Snippet[]): ShellBlock[] {
  return snippets.flatMap((snippet, index) => {
    const { page, line, language, words, text } = snippet;
    const [, reason] = /^not-run: (.+)$/.exec(words) ?? [];
    const place = `${page}:${line}`;
    const known = { place, ...(reason !== undefined && { reason }) };
    if (language === 'console') return [{ ...known, steps: stepsOf(text) }];
    if (!['sh', 'bash'].includes(language)) return [];
    const next = snippets[index + 1];
    const follows = next?.language === '' && next.line === line + text.split('\n').length + 2;
    const step = { script: text, mayFail: false, ...(follows && { printed: next.text }) };
    return [{ ...known, steps: [step] }];
  });
}

function stepsOf(transcript: string): Step[] {
  const [, ...parts] = unindented(transcript).split(/^\$ /m);
  return parts.map((part) => {
    const [script = '', ...printed] = part.split('\n');
    return { script, printed: printed.join('\n'), mayFail: true };
  });
}

function unindented(text: string): string {
  const [indent = ''] = /^ */.exec(text) ?? [];
  return text.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
}

/** Whether an output ends as printed; `...` stands for any lines, and empty for no output. */
export function endsAs(output: string, printed: string): boolean {
  if (printed.trim() === '') return output.trim() === '';
  const parts = lines(printed).split(/^\.\.\.\n/m);
  const pattern = parts.map(escaped).join('(?:.*\n)*');
  return new RegExp(`(?:^|\n)${pattern}$`).test(lines(output));
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Spaces at the ends of lines do not matter. */
const lines = (text: string): string => `${text.replaceAll(/ +$/gm, '').trimEnd()}\n`;
