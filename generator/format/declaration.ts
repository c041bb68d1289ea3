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
 * Formats one declaration of json-schema-to-typescript as Prettier does. Most lines need only indentation
 * and a semicolon, which is cheap; Prettier formats the other declarations.
 */
export async function formatDeclaration(text: string): Promise<string> {
  return layOut(text) ?? (await formatTypeScript(text));
}

/** `undefined` when a line needs Prettier. */
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
