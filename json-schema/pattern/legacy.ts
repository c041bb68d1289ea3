/**
 * Rewrites a pattern that the flag `u` refuses. ECMAScript has a second, lenient grammar for patterns without
 * the flag: `\-` is a hyphen, and a bracket without its partner is itself. JSON Schema asks for the flag,
 * so the same characters are written here as the flag accepts them.
 */

const TOKEN =
  /\\u\{[\dA-Fa-f]+\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\c[A-Za-z\d_]|\\[pP]\{[^}]*\}|\\0[0-7]{0,2}|\\[1-9]\d*|\\.|\{\d+(?:,\d*)?\}|[^\\]/gsu;

/** Escapes that the flag accepts, outside classes and in them. */
const KNOWN = /^\\(?:[\^$\\.*+?()[\]{}|/bBdDsSwWfnrtv]$|[uxcpP].)/su;

/** A set, such as `\d`, cannot be an end of a range. */
const SET = /^\\[dDsSwWpP]/;

/** A control character in a class, and a backslash with what follows elsewhere. */
const CONTROL_DIGIT = /^\\c[\d_]$/;

const QUANTIFIER = /^(?:[*+?]$|\{\d)/;

/** The pattern in the grammar of the flag `u`. It may still be invalid. */
export function modern(source: string): string {
  const tokens: readonly string[] = source.match(TOKEN) ?? [];
  if (tokens.join('') !== source) return source;
  const groups = groupsOf(tokens);
  const written: string[] = [];
  const opened: number[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (token === '[') {
      const end = tokens.indexOf(']', i + 1);
      if (end < 0) return source;
      written.push(classOf(tokens.slice(i + 1, end)));
      i = end;
      continue;
    }
    if (token === '(') opened.push(written.length);
    const start = token === ')' ? opened.pop() : undefined;
    if (
      start !== undefined &&
      QUANTIFIER.test(tokens[i + 1] ?? '') &&
      isLookAhead(written, start)
    ) {
      written[start] = '(?:(';
      written.push(')');
    }
    written.push(outside(token, groups));
  }
  return written.join('');
}

/** Whether the group that starts there is a look-ahead, which the flag `u` lets no quantifier follow. */
function isLookAhead(written: readonly string[], start: number): boolean {
  return /^\(\?[=!]/.test(written.slice(start, start + 3).join(''));
}

interface Groups {
  readonly count: number;
  /** Whether one has a name. */
  readonly named: boolean;
}

function groupsOf(tokens: readonly string[]): Groups {
  let [count, named] = [0, false];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i] === '[') i = Math.max(i, tokens.indexOf(']', i + 1));
    if (tokens[i] !== '(') continue;
    const isNamed = tokens[i + 2] === '<' && !/^[=!]$/.test(tokens[i + 3] ?? '');
    const has = tokens[i + 1] === '?' && isNamed;
    if (tokens[i + 1] !== '?' || has) count++;
    named ||= has;
  }
  return { count, named };
}

function outside(token: string, { count, named }: Groups): string {
  if (token === '{' || token === '}' || token === ']') return `\\${token}`;
  if (/^\\[1-9]/.test(token) && Number(token.slice(1)) <= count) return token;
  if (token === '\\k' && named) return token;
  if (token === '\\-') return '-';
  return escape(token);
}

/** The content of a class. A hyphen beside a set is itself. */
function classOf(tokens: readonly string[]): string {
  const isNegated = tokens[0] === '^';
  let text = isNegated ? '[^' : '[';
  for (let i = isNegated ? 1 : 0; i < tokens.length; i++) {
    const [from = '', dash, to] = tokens.slice(i, i + 3);
    text += member(from);
    if (dash !== '-' || to === undefined) continue;
    text += (SET.test(from) || SET.test(to) ? '\\-' : '-') + member(to);
    i += 2;
  }
  return `${text}]`;
}

function member(token: string): string {
  if (token === '-' || token === '\\-') return '\\-';
  if (CONTROL_DIGIT.test(token)) return hex((token.codePointAt(2) ?? 0) % 32);
  return token === '\\B' ? 'B' : escape(token);
}

function escape(token: string): string {
  if (!token.startsWith('\\')) return token;
  if (/^\\\d/.test(token)) return octal(token);
  if (token === '\\c' || CONTROL_DIGIT.test(token)) return `\\${token}`;
  return KNOWN.test(token) ? token : token.slice(1);
}

/** `\12` is the character 10, and `\8` an 8. */
function octal(token: string): string {
  const digits = /^(?:[0-3][0-7]{0,2}|[4-7][0-7]?)/.exec(token.slice(1))?.[0] ?? '';
  const rest = token.slice(1 + digits.length);
  // Not as a digit, which might lengthen the number of a back-reference before it.
  if (digits === '') return `\\x3${rest}`;
  return hex(Number.parseInt(digits, 8)) + rest;
}

function hex(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`;
}
