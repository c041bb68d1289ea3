import { formatTypeScript, STYLE } from './format.js';

const NAME = String.raw`(?:[\w$]+|'[\w$./ -]*'|-?[\d.]+)`;
const TERM = String.raw`${NAME}(?:\[\])*`;
const INLINE = String.raw`${TERM}(?: \| ${TERM})*`;

/** `name?: string`, `[k: string]: unknown`, `export type Name = ...`, up to where the type begins. */
const HEAD = String.raw`(?:${NAME}\??:|\[k: string\]:|export type [\w$]+ =)`;
const OPENS = new RegExp(`^${HEAD} \\{$`);
const CLOSES = /^\}(?:\[\])*$/;
const STATES = new RegExp(`^(${HEAD} )(?:\\((${INLINE})\\)|(\\(${INLINE}\\)\\[\\]|${INLINE}))$`);

/**
 * One declaration as json-schema-to-typescript leaves it, unformatted, as Prettier lays it out. Most
 * consist of lines that only want indentation and a semicolon, which costs nothing; the others go
 * to Prettier itself.
 */
export async function formatDeclaration(text: string): Promise<string> {
  return layOut(text) ?? (await formatTypeScript(text));
}

/** `undefined` as soon as a line is anything but the plainest. */
function layOut(text: string): string | undefined {
  const lines: string[] = [];
  let depth = 0;
  let comment = false;
  for (const line of text.trim().split('\n')) {
    if (comment || line === '/**') {
      comment = line !== ' */';
      lines.push(indented(depth, line.trimEnd()));
      continue;
    }
    if (CLOSES.test(line)) depth -= 1;
    const laidOut = layOutLine(line, depth);
    if (laidOut === undefined) return undefined;
    lines.push(laidOut);
    if (line.endsWith('{')) depth += 1;
  }
  return depth === 0 ? `${lines.join('\n')}\n` : undefined;
}

function layOutLine(line: string, depth: number): string | undefined {
  if (OPENS.test(line)) return indented(depth, line);
  if (CLOSES.test(line)) return indented(depth, `${line};`);
  const [, head, bracketed, bare] = STATES.exec(line) ?? [];
  if (head === undefined) return undefined;
  const laidOut = indented(depth, `${head}${bracketed ?? bare ?? ''};`);
  return laidOut.length <= STYLE.printWidth ? laidOut : undefined;
}

function indented(depth: number, line: string): string {
  return '  '.repeat(depth) + line;
}
