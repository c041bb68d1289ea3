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

/** What is kept of each function; a stranger's schemas may have any number of texts. */
const MOST = 1_000;

/** The function of a text, which is not computed again for the last texts. */
export function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST) known.clear();
    const made = make(text);
    known.set(text, made);
    return made;
  };
}
