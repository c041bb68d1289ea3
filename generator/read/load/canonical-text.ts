/**
 * What a source is known by: its JSON without white space, so that line ends and indentation are no change. The order
 * of keys is kept, because the generated files follow it. A text that is not JSON, or that has a key twice, is itself.
 */
export function canonicalText(text: string): string {
  try {
    const canonical = JSON.stringify(JSON.parse(text));
    // Of a key that is there twice one is lost, and an error with it.
    return quotesIn(canonical) === quotesIn(text) ? canonical : text;
  } catch {
    return text;
  }
}

function quotesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}
