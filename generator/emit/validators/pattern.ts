import { quoted } from '../format/layout.js';
import {
  isRefusal,
  type Part,
  type Pattern,
  type Program,
  readPattern,
} from '../../../json-schema/index.js';

/** The pattern of a node, which the reader has found to be usable. */
export function patternOf(source: string): Pattern {
  const pattern = readPattern(source);
  if (isRefusal(pattern))
    throw new Error(`${source} cannot be matched, because ${pattern.reason}.`);
  return pattern;
}

/**
 * `source` is the pattern in a form that is valid between slashes. It escapes quotes, non-ASCII
 * characters and lone surrogates, which a file in UTF-8 or another tool might change.
 */
export function regularExpression(pattern: string): string {
  const { source } = new RegExp(pattern, 'u');
  const plain = source.replace(/['"`]|[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
  return `/${plain}/u`;
}

/** `linear([/a/u], [0, '$'])`: a matcher without backtracking. */
export function linearMatcher({ sets, part }: Program, linear: string): string {
  return `${linear}([${sets.map(regularExpression).join(', ')}], ${partText(part)})`;
}

function partText(part: Part): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return quoted(part);
  if ('or' in part) return `{ or: ${listText(part.or)} }`;
  if ('ahead' in part) return `{ ahead: ${partText(part.ahead)}${part.not ? ', not: true' : ''} }`;
  if ('behind' in part)
    return `{ behind: ${partText(part.behind)}${part.not ? ', not: true' : ''} }`;
  if (!('part' in part)) return listText(part);
  const max = part.max === undefined ? '' : `, max: ${part.max}`;
  return `{ part: ${partText(part.part)}, min: ${part.min}${max} }`;
}

const listText = (parts: readonly Part[]): string => `[${parts.map(partText).join(', ')}]`;
