const SHOWN_LENGTH = 80;

/** An untrusted text on one line, cut and quoted, safe on a terminal. */
export function quote(text: string): string {
  const short = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  return printable(JSON.stringify(short));
}

/**
 * The text with all invisible characters escaped as in JSON: controls, line ends, and characters that
 * change direction or join letters. A terminal interprets them, and two names can differ only in them.
 */
export function printable(text: string): string {
  // Most texts have none, which takes less to find out.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index).toString(16);
      return `\\u${unit.padStart(4, '0')}`;
    }).join(''),
  );
}
