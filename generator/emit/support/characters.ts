/** The number of Unicode code points of a text, which JSON Schema counts, unlike `length`. */
export function characters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const high = text.charCodeAt(i) >>> 10 === 0x36;
    if (high && text.charCodeAt(i + 1) >>> 10 === 0x37) count--;
  }
  return count;
}
