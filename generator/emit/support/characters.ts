/** The number of Unicode code points of a text, which JSON Schema counts, unlike `length`. */
export function characters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const high = text.charCodeAt(i) >>> 10 === 0x36;
    if (high && text.charCodeAt(i + 1) >>> 10 === 0x37) count--;
  }
  return count;
}

/** Whether a text has at least so many code points. Most texts are judged without counting. */
export function atLeast(text: string, least: number): boolean {
  const { length } = text;
  return length >= least && (length >= 2 * least || characters(text) >= least);
}

/** Whether a text has at most so many code points. */
export function atMost(text: string, most: number): boolean {
  const { length } = text;
  return length <= most || (length <= 2 * most && characters(text) <= most);
}
