/** Parts of messages as the values of HTTP headers that repeat them, in revisions without sessions. */

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
  if (PLAIN.test(text) && !(text.startsWith(BEGIN) && text.endsWith(END))) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `${BEGIN}${btoa(bytes.join(''))}${END}`;
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
  if (!value.startsWith(BEGIN) || !value.endsWith(END)) return isAscii(value) ? value : undefined;
  const base64 = value.slice(BEGIN.length, -END.length);
  if (!BASE64.test(base64)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}
