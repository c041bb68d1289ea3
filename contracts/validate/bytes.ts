/** Bytes and texts without Node's `Buffer`, because the playground checks recordings in a browser. */

const ENCODER = new TextEncoder();
/** Keeps a byte order mark, which is a character of a line like any other. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

export function bytesOf(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/** The text of a part of the bytes. What is not UTF-8 becomes U+FFFD. */
export function textIn(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return DECODER.decode(bytes.subarray(start, end));
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The index of the first occurrence that begins at `from` or later; -1 without one. */
export function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const [first = 0] = wanted;
  for (let i = bytes.indexOf(first, from); i >= 0; i = bytes.indexOf(first, i + 1)) {
    if (hasBytesAt(bytes, wanted, i)) return i;
  }
  return -1;
}

export function hasBytesAt(bytes: Uint8Array, wanted: Uint8Array, at: number): boolean {
  for (let i = 0; i < wanted.length; i += 1) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

/** The text in base64 of either alphabet. Other characters are ignored, as programs that record bodies break lines. */
export function textInBase64(encoded: string): string {
  const [digits = ''] = encoded.replace(/-/g, '+').replace(/_/g, '/').split('=');
  const known = digits.replace(/[^A-Za-z0-9+/]/g, '');
  // A single digit at the end is less than a byte.
  const whole = known.length % 4 === 1 ? known.slice(0, -1) : known;
  const decoded = atob(whole);
  // `Uint8Array.from` takes over ten times as long, which is seconds for a large body.
  const bytes = new Uint8Array(decoded.length);
  for (let i = 0; i < decoded.length; i += 1) bytes[i] = decoded.charCodeAt(i);
  return textIn(bytes);
}
