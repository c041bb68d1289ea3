/** Whether any line of the text is padded base64. An empty line is. */
export function matchesByte(value: string): boolean {
  if (isPadded(value)) return true;
  let start = 0;
  for (const { index } of value.matchAll(/[\n\r\u2028\u2029]/g)) {
    if (isPadded(value.slice(start, index))) return true;
    start = index + 1;
  }
  return start > 0 && isPadded(value.slice(start));
}

/** Whether `atob` reads the text: base64, padded or not, in lines or in one. Clients refuse other data. */
export function matchesBase64(text: string): boolean {
  if (isPadded(text)) return true;
  const line = text.replace(/[\t\n\f\r ]+/g, '');
  return isPadded(line.includes('=') ? line : line + '='.repeat(-line.length & 3));
}

function isPadded(text: string): boolean {
  const length = text.length;
  if (length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const decode = (globalThis as { readonly atob?: (text: string) => string }).atob;
  if (length < 128 || !decode) {
    return !/[^A-Za-z0-9+/]/.test(padding ? text.slice(0, -padding) : text);
  }
  try {
    // White space or padding inside the text makes the decoded text shorter.
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
