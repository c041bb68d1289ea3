import { DiagnosticError } from './diagnostic.js';

/**
 * The text of a file, without the byte order mark. Shells on Windows write one, and some of them UTF-16.
 *
 * @throws {DiagnosticError} `not-json` for bytes that are no text, because a schema with replaced characters is another one.
 */
export function fileText(bytes: Uint8Array, source: string): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const message = `The text is not UTF-8: line ${String(firstBadLine(bytes))} has other bytes.`;
    const help = 'Is it text? Then save it as UTF-8.';
    throw new DiagnosticError([{ code: 'not-json', severity: 'error', message, source, help }]);
  }
}

function firstBadLine(bytes: Uint8Array): number {
  // A line feed is never a part of another character.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed + 1;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      break;
    }
    start = end;
  }
  return line;
}
