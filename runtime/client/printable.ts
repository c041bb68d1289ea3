/** Characters of a server's text that an error message contains. */
const MOST = 1_000;

/** The start of a server's text, with the characters escaped that a terminal or a log would act on. */
export function printable(text: string): string {
  const start = text.length > MOST ? `${text.slice(0, MOST)}…` : text;
  return start.replace(
    /[^\P{C}\n\t]|[\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
