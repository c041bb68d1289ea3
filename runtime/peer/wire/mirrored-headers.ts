/** What HTTP headers repeat of a message, in revisions without sessions: their values, and which arguments of calls. */

import { METHODS } from '../../protocol.js';
import { isObject, member } from './json.js';

const NAMED_BY: Readonly<Record<string, string | undefined>> = {
  [METHODS.toolsCall]: 'name',
  [METHODS.promptsGet]: 'name',
  [METHODS.resourcesRead]: 'uri',
  [METHODS.tasksGet]: 'taskId',
  [METHODS.tasksUpdate]: 'taskId',
  [METHODS.tasksCancel]: 'taskId',
};

/** The parameter that the `Mcp-Name` header of a request repeats. */
export function nameParameter(method: string): string | undefined {
  return Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
}

const BEGIN = '=?base64?';
const END = '?=';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** What HTTP passes on as it is. */
const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
/** What no header may hold: HTTP has no encoding for it, so that each reader may read something else. */
const NOT_ASCII = /[^\t\x20-\x7e]/;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The text of an argument; undefined for what no header can repeat. */
export function headerText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

/** The value of a header: text that HTTP would change is written in Base64. */
export function encodedHeader(text: string): string {
  if (PLAIN.test(text) && !isMarked(text)) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `${BEGIN}${btoa(bytes.join(''))}${END}`;
}

/** Whether a text begins and ends as one in Base64 does. In `=?base64?=` the two marks would share a character. */
function isMarked(text: string): boolean {
  const isLongEnough = text.length >= BEGIN.length + END.length;
  return isLongEnough && text.startsWith(BEGIN) && text.endsWith(END);
}

/** Whether HTTP passes a value on as it is, and every reader reads it alike. */
export function isAscii(value: string): boolean {
  return !NOT_ASCII.test(value);
}

/**
 * The text of a header, which may be in Base64. Undefined where it claims to be, and is not, and for characters that a
 * header may not hold.
 */
export function decodedHeader(value: string): string | undefined {
  if (!isMarked(value)) return isAscii(value) ? value : undefined;
  const base64 = value.slice(BEGIN.length, -END.length);
  if (!BASE64.test(base64)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}

export interface Mirrored {
  /** The part of the header's name after `Mcp-Param-`. */
  readonly header: string;
  /** Of the argument. */
  readonly path: readonly string[];
}

/** The arguments that headers repeat, or what is wrong with the declaration of one, so that clients leave the tool out. */
export interface Scan {
  readonly mirrored: readonly Mirrored[];
  readonly fault?: string;
}

/** Declares in the input schema of a tool that a header repeats an argument. */
const KEY = 'x-mcp-header';
/** The names that HTTP allows (RFC 9110, token). */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

/** Reads a schema; one with more than `most` values in it, which a hostile server may send, is a fault. */
export function mirroredParams(schema: object, most = Infinity): Scan {
  const mirrored: Mirrored[] = [];
  const names = new Set<string>();
  const open: { readonly part: unknown; readonly path: readonly string[] | undefined }[] = [
    { part: schema, path: [] },
  ];
  for (let visited = 0; open.length > 0; visited += 1) {
    const { part, path } = open.pop() as (typeof open)[number];
    if (visited > most) return { mirrored: [], fault: 'its input schema is too large' };
    if (typeof part !== 'object' || part === null) continue;
    if (Object.hasOwn(part, KEY)) {
      const fault = faultOf(part, path, names);
      if (fault !== undefined) return { mirrored: [], fault };
      mirrored.push({ header: String(member(part, KEY)), path: path ?? [] });
    }
    for (const [key, value] of Object.entries(part) as [string, unknown][]) {
      if (key === 'properties' && isObject(value)) {
        // Only a chain of properties leads to arguments that each call has at one place.
        for (const [name, inner] of Object.entries(value))
          open.push({ part: inner, path: path && [...path, name] });
      } else if (!VALUES.has(key)) open.push({ part: value, path: undefined });
    }
  }
  return { mirrored };
}

/** Keywords whose values are data, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', KEY]);

function faultOf(
  part: object,
  path: readonly string[] | undefined,
  names: Set<string>,
): string | undefined {
  const name = member(part, KEY);
  if (path === undefined || path.length === 0) return `${KEY} is allowed for properties only`;
  if (typeof name !== 'string' || !NAME.test(name)) {
    return `${KEY} ${JSON.stringify(name)} is not a name of a header`;
  }
  if (!TYPES.includes(member(part, 'type'))) {
    return `${KEY} ${name} is for a string, an integer or a boolean only`;
  }
  if (names.has(name.toLowerCase())) return `${KEY} ${name} is declared twice`;
  names.add(name.toLowerCase());
  return undefined;
}
