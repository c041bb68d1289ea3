import { formatTypeScript, STYLE } from './format.js';

const NAME = String.raw`(?:[\w$]+|'[\w$./ -]*'|-?[\d.]+)`;
const TERM = String.raw`${NAME}(?:\[\])*`;
const INLINE = String.raw`${TERM}(?: \| ${TERM})*`;

/** `name?: string`, `[k: string]: unknown`, `export type Name = ...`, up to where the type begins. */
const HEAD = String.raw`(?:${NAME}\??:|\[k: string\]:|export type [\w$]+ =)`;
const OPENS = new RegExp(`^${HEAD} \\{$`);
const CLOSES = /^\}(?:\[\])*$/;
const STATES = new RegExp(`^(${HEAD} )(?:\\((${INLINE})\\)|(\\(${INLINE}\\)\\[\\]|${INLINE}))$`);

const UNION = new RegExp(`^(${HEAD}) \\((.*)\\)$`);
const FLAT = String.raw`\{ ${NAME}: ${NAME}(?:; ${NAME}: ${NAME})* \}`;
const MEMBER = new RegExp(`^(?:${NAME}|${FLAT})$`);
/** Fewer members than this may fit into one line. */
const FEWEST = 50;

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
  if (head === undefined) return layOutUnion(line, depth);
  const type = bracketed ?? bare?.replace(/^\((-[\d.]+)\)/, '$1') ?? '';
  const laidOut = indented(depth, `${head}${type};`);
  return laidOut.length <= STYLE.printWidth ? laidOut : layOutUnion(line, depth);
}

/** A union of literals and of flat objects with literals: one member a line. */
function layOutUnion(line: string, depth: number): string | undefined {
  const [, head, text] = UNION.exec(line) ?? [];
  // No member contains the separator, so the line needs no expression that matches the whole of it.
  const members = text?.split(' | ') ?? [];
  if (head === undefined || members.length < FEWEST) return undefined;
  const lines = members.map((member) => indented(depth + 1, `| ${member}`));
  // One character is left for the semicolon.
  const isPlain = lines.every(({ length }) => length < STYLE.printWidth);
  if (!isPlain || !members.every((member) => MEMBER.test(member))) return undefined;
  return `${indented(depth, head)}\n${lines.join('\n')};`;
}

function indented(depth: number, line: string): string {
  return '  '.repeat(depth) + line;
}
