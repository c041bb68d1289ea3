/** Levels of arrays and objects. Checking messages that are nested thousands of levels deep exhausts the stack. */
export const MOST_LEVELS = 500;

/** Whether valid JSON has more than `MOST_LEVELS` levels. */
export function isTooDeep(text: string): boolean {
  // Each level takes two characters.
  if (text.length <= 2 * MOST_LEVELS) return false;
  let levels = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        if ((levels += 1) > MOST_LEVELS) return true;
        break;
      case 0x5d:
      case 0x7d:
        levels -= 1;
    }
  }
  return false;
}

/** The position of the quotation mark that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
