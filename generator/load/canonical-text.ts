/**
 * What a source is known by: its JSON without white space, so that line ends and indentation are no change. The order
 * of keys is kept, because the generated files follow it. A text that is not JSON is itself.
 */
export function canonicalText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
