/** Characters of a server's text that an error message contains. */
const MOST = 1_000;

/**
 * The first `most` characters of a server's text, with the characters escaped that a terminal or a log would act on.
 * Default: 1,000.
 */
export function printable(text: string, most = MOST): string {
  const start = text.length > most ? `${text.slice(0, most)}…` : text;
  return start.replace(
    /[^\P{C}\n\t]|[\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
