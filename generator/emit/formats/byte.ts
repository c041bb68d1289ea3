/**
 * Base64, as ajv-formats has it: the alphabet of RFC 4648 §4, padded, and one good line is enough.
 * `atob` is several times quicker than a regular expression, but forgives white space and missing
 * padding; what it forgives shows in the length of its result. It runs on slices, so that a large
 * image is never held twice.
 */
export const BYTE = String.raw`/** Whether a line of the text, however it ends, is padded base64; an empty line is. */
function matchesByte(value: string): boolean {
  if (isBase64(value)) return true;
  let start = 0;
  for (const { index } of value.matchAll(/[\n\r\u2028\u2029]/g)) {
    if (isBase64(value.slice(start, index))) return true;
    start = index + 1;
  }
  return start > 0 && isBase64(value.slice(start));
}

function isBase64(text: string): boolean {
  const length = text.length;
  if (length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const decode = (globalThis as { readonly atob?: (text: string) => string }).atob;
  if (length < 128 || !decode) {
    return !/[^A-Za-z0-9+/]/.test(padding ? text.slice(0, -padding) : text);
  }
  try {
    // White space or padding within the text would make the decoded text shorter.
    for (let start = 0; start < length; start += 32768) {
      const slice = text.slice(start, start + 32768);
      const missing = start + 32768 < length ? 0 : padding;
      if (decode(slice).length !== (slice.length / 4) * 3 - missing) return false;
    }
    return true;
  } catch {
    return false;
  }
}
`;
