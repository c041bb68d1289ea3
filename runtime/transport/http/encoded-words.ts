const BEGIN = '=?base64?';
const END = '?=';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The value of a header whose text may be in Base64. Undefined where it claims to be, and is not. */
export function decoded(value: string): string | undefined {
  if (!value.startsWith(BEGIN) || !value.endsWith(END)) return value;
  const base64 = value.slice(BEGIN.length, -END.length);
  if (!BASE64.test(base64)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}
